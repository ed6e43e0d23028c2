"""What the auditor knows about persons: payout limits, own hands and jackpot shares belong to players, not boxes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from croupier.shift.audit.cards import AuditedCards
from croupier.shift.audit.chips import Chips, area
from croupier.shift.audit.finding import EnvyNotice, Plain, Signs, need


@dataclass
class Persons:
    """The round of one table, by who plays which boxes. Its boxes are those of the chips, its hands those of the cards."""

    chips: Chips
    cards: AuditedCards
    counts: Counter[str]
    made: dict[int, dict[str, int]] = field(default_factory=dict)  # the stakes of a box at “no more bets”
    used: Counter[int] = field(default_factory=Counter)  # of the payout limit, by player or, where it is per hand, by box
    parts: dict[tuple[str, int], int] = field(default_factory=dict)  # of a shared jackpot, by area and whose it is
    envied: dict[int, Counter[tuple[str, str]]] = field(default_factory=dict)  # by box: the bonuses it had, and for which hands
    void: bool = False

    @property
    def signs(self) -> Signs:
        return self.chips.signs

    def post(self, event: Plain) -> None:
        """Follow an event that the books of chips and cards have taken."""
        if event["event"] == "no more bets":
            boxes = self.chips.boxes
            self.made = {n: {key: stake.cents for key, stake in box.stakes.items()} for n, box in boxes.items()}
            self.used, self.parts, self.envied, self.void = Counter(), {}, {}, False
            self.counts["on several boxes"] += sum(n > 1 for n in Counter(box.home for box in boxes.values()).values())
        elif event["event"] in ("irregularity", "stub counted"):
            self.void = self.void or event["command"].get("irregularity") in self.signs.void or bool(event.get("wrong"))
        elif event["event"] == "wagers settled":
            box, lines = event["command"]["seat"], event["then"].get("lines", ())
            for line in lines:
                self._limited(box, line)
            bonuses = ((line["wager"], line["hand"]) for line in lines if line["wager"] in self.signs.envy)
            self.envied.setdefault(box, Counter()).update(bonuses)
            if not event["then"].get("partly"):
                self._envied(box)
            for line in lines:
                if area(line) in self.signs.shared and line.get("odds", "").endswith("of meter"):
                    self._shared(box, line, event)

    def _limited(self, box: int, line: Plain) -> None:
        """Check that nobody is paid beyond the limit, and that nothing is cut before it is used up."""
        limit = self.signs.limit
        if limit is None or line["outcome"] != "win" or line["wager"] not in limit.covers:
            return
        if (line["wager"], line["hand"]) in limit.never:
            return
        whose = self.chips.boxes[box].home if limit.per_player else box
        self.used[whose] += line["pays"] + (line["returns"] if limit.with_stakes else 0)
        over, cut = self.used[whose] > limit.cents, line["cite"] == limit.clause
        who = f"player {whose}" if limit.per_player else f"box {whose}"
        need(not (over and line["pays"]), "persons", f"{who} is paid {self.used[whose]}, where {limit.cents} is the limit")
        short = cut and self.used[whose] < limit.cents
        need(not short, "persons", f"box {box}: {line['wager']} is cut, where {who} has {self.used[whose]} of {limit.cents}")
        self.counts["cut by a payout limit"] += cut

    def _envied(self, box: int) -> None:
        """Check for one bonus per qualifying hand of another player, or fewer if the round is void or that player has left."""
        received, home = self.envied[box], self.chips.boxes[box].home
        due, left = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for name, notice in self.signs.envy.items():
            stake = self.made.get(box, {}).get(notice.area, 0)
            others = [n for n, each in self.chips.boxes.items() if n != box and (notice.own or each.home != home)]
            for other in others if stake else ():
                (left if self.void or self.chips.boxes[other].gone else due)[name, self._holds(other, stake, notice)] += 1
        for name, hand in (each for each in received | due if each[1]):
            had, least, most = received[name, hand], due[name, hand], due[name, hand] + left[name, hand]
            need(least <= had <= most, "persons", f"box {box} has {had} {name} for {hand}, where {most} is due to player {home}")
        self.counts["envy bonuses"] += received.total()

    def _holds(self, box: int, stake: int, notice: EnvyNotice) -> str:
        """The row of the schedule that a hand fills, if it is one that counts."""
        if self.chips.boxes[box].folded and not notice.unseen and not self.cards.face_up(box):
            return ""
        return notice.row(stake, self.cards.hands(box))

    def _shared(self, box: int, line: Plain, event: Plain) -> None:
        """Check that each player gets one part of a shared jackpot, at their first box, and that all parts are drawn at once."""
        key, boxes = area(line), self.chips.boxes
        sharing = self.signs.shared[key]
        whose = {n: n if sharing.by_box else each.home for n, each in boxes.items() if key in self.made.get(n, {})}
        if (key, whose[box]) in self.parts:
            words = f"box {box}: player {boxes[box].home} has had a part of the jackpot, and is paid another"
            need(not line["pays"], "persons", words)
            return
        first = not any(area_ == key for area_, _ in self.parts)
        self.parts[key, whose[box]] = line["pays"]
        self.counts["parts of a jackpot"] += 1
        drawn = event["then"].get("meters", {}).get(line["wager"], {}).get("drawn", 0)
        from_meter = (each for each in event["then"]["lines"] if each["wager"] == line["wager"] and each.get("source") == "meter")
        others = sum(each["pays"] for each in from_meter if each is not line)
        players = len({who for n, who in whose.items() if not boxes[n].gone}) if first else 0
        wanted = line["pays"] * (1 if sharing.at_turn else players)
        need(drawn - others == wanted, "persons", f"box {box}: {drawn - others} is drawn of the jackpot, where {wanted} is due")
