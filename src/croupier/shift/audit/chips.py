"""The auditor's chips: what each command must do to each pile, worked out from the command and the piles alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from croupier.shift.audit.finding import AnswerNotice, Plain, Signs, need, needed

TRAY, DROP, TIPS, CAGE, OUTSIDE = "table inventory", "drop box", "tip box", "cage", "players' own money"
Move = tuple[str, str, int]  # from which pile to which, in cents


def chips(seat: int) -> str:
    return f"seat {seat} chips"


def game_account(seat: int) -> str:
    return f"seat {seat} game account"


def kept_for(player: str) -> str:
    return f"kept for “{player}”"


def layout(box: int) -> str:
    return f"seat {box} layout"


def at_the_table(pile: str) -> bool:
    """Chips and cash that can be counted at the table."""
    return pile in (TRAY, DROP, TIPS) or pile.startswith(("seat ", "jackpot "))


@dataclass
class Stake:
    cents: int
    in_tray: bool = False


@dataclass
class BoxAccount:
    """A betting position in one round, and whose chips lie there."""

    home: int
    stakes: dict[str, Stake] = field(default_factory=dict)
    forfeited: dict[str, Stake] = field(default_factory=dict)
    laid: list[int] = field(default_factory=list)  # the stakes at “no more bets”
    decided: int = 0
    folded: bool = False
    loses: frozenset[str] | None = None  # where the time ran out: what is lost; None where the player decided
    gone: bool = False
    begun: bool = False  # a wager of it is settled
    settled: bool = False
    away: bool = False  # its player left after that
    done: dict[str, Stake] = field(default_factory=dict)  # the stakes that are settled, and what their lines moved
    moved: list[Move] = field(default_factory=list)


@dataclass
class Chips:
    """The piles of one table."""

    signs: Signs = field(init=False)  # from the opening of the table on
    piles: Counter[str] = field(default_factory=Counter)
    boxes: dict[int, BoxAccount] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)  # of the players, by seat
    playing: bool = False
    rounds: int = 0  # that ended
    players: int = 0  # what the players of this round put in (negative) and got back
    house: int = 0  # what the tray, the meters and the cage got

    def post(self, event: Plain) -> None:
        """Enter one event: its moves must be exactly what the command calls for."""
        wrong_moment = event["event"] in (BEFORE_THE_ROUND if self.playing else IN_THE_ROUND)
        need(not wrong_moment, "round", f"{event['event']} {'in' if self.playing else 'outside'} a round")
        name, rule = event["event"], RULES.get(event["event"])
        due, made = changes(rule(self, event) if rule else ()), changes(moves_of(event))
        need(made == due, "chips", f"{name}: moved {_listed(made)}, where {_listed(due)} is due")
        self.piles.update(made)
        for pile in made:
            lies_somewhere = at_the_table(pile) or pile.startswith("kept ")  # so there can never be less than zero
            need(self.piles[pile] >= 0 or not lies_somewhere, "chips", f"{name}: {pile} holds {self.piles[pile]}")
        need(sum(made.values()) == 0, "chips", f"{name}: {sum(made.values())} cents came from nowhere")
        if self.playing or name == "no more bets":
            self._in_round(event, made)

    def balances(self) -> dict[str, int]:
        return {pile: cents for pile, cents in self.piles.items() if cents}

    def purse(self, key: str, home: int) -> str:
        return game_account(home) if key in self.signs.electronic else chips(home)

    # the round

    def _in_round(self, event: Plain, net: dict[str, int]) -> None:
        """Check that what the players lose, the house wins, and vice versa."""
        if event["event"] == "no more bets":
            self.playing, self.players, self.house = True, 0, 0
            self.players = -sum(stake.cents for box in self.boxes.values() for stake in box.stakes.values())
        if event["event"] in OF_THE_ROUND:
            house = (TRAY, CAGE)
            self.house += sum(c for pile, c in net.items() if pile in house or pile.startswith(("meter ", "reserve ", "jackpot ")))
        if event["event"] in ("decision made", "decision lapsed"):
            self.players += net.get(chips(self.boxes[event["command"]["seat"]].home), 0)
        if event["event"] in PAYS:
            theirs = (" chips", " game account", OUTSIDE)  # a void round may pay back somebody who has left
            self.players += sum(c for pile, c in net.items() if pile.endswith(theirs))
        if self._over(event):
            self._end()

    def _over(self, event: Plain) -> bool:
        live = any((box.stakes or box.forfeited) and not box.gone for box in self.boxes.values())
        if event["event"] == "player left":
            return not live and not any(box.begun for box in self.boxes.values())
        return event["event"] == "cards cleared" or (self._voids(event) is not None and not live)

    def _end(self) -> None:
        left = {pile: c for pile, c in self.piles.items() if c and (pile.endswith(" layout") or pile.startswith("jackpot "))}
        need(not left, "round", f"the round is over and {_listed(left)} is left lying")
        words = f"the players have {self.players:+} cents of the round and the house {self.house:+}"
        need(self.players + self.house == 0, "round", words)
        self.playing, self.boxes = False, {}
        self.rounds += 1

    def _voids(self, event: Plain) -> frozenset[str] | None:
        """The areas that are still settled, if this event voids the hands."""
        if event["event"] == "irregularity":
            return self.signs.void.get(event["command"]["irregularity"])
        return frozenset() if event["event"] == "stub counted" and event.get("wrong") else None

    # wagers

    def wagered(self, event: Plain) -> Iterator[Move]:
        """The part of collected and returned wagers that belongs to the meters, as the event states it."""
        for name, move in event["then"].get("meters", {}).items():
            meter, reserve, jackpot = (f"{pile} of the {name}" for pile in ("meter", "reserve", "jackpot"))
            yield TRAY, meter, move.get("contributed", 0)
            yield TRAY, reserve, move.get("reserved", 0)
            yield meter, jackpot, move.get("drawn", 0)
            yield CAGE, meter, move.get("reseeded", 0)
            yield reserve, meter, move.get("released", 0)

    def need_wagered(self, event: Plain, stakes: Iterable[tuple[str, int]]) -> None:
        """Check that the meters recorded exactly these stakes."""
        fed: Counter[str] = Counter()
        for key, cents in stakes:
            if key in self.signs.meters:
                fed[self.signs.meters[key]] += cents
        recorded = {name: move.get("wagered", 0) for name, move in event["then"].get("meters", {}).items()}
        need(recorded == dict(fed), "meters", f"{event['event']}: the meters record {recorded}, but {dict(fed)} was wagered")


def moves_of(event: Plain) -> Iterator[Move]:
    for source, target, cents in event["then"].get("moves", ()):
        need(cents > 0, "chips", f"{event['event']}: a move of {cents} cents")
        yield source, target, cents


def changes(moves: Iterable[Move]) -> dict[str, int]:
    """The change of each pile, in cents."""
    change: Counter[str] = Counter()
    for source, target, cents in moves:
        change[source] -= cents
        change[target] += cents
    return {pile: cents for pile, cents in change.items() if cents}


def _listed(piles: dict[str, int]) -> str:
    return ", ".join(f"{pile} {cents:+}" for pile, cents in sorted(piles.items())) or "nothing"


# what each event must move


ChipRule = Callable[[Chips, Plain], Iterable[Move]]


def _closed(books: Chips, event: Plain) -> Iterator[Move]:
    seats = {pile: c for pile, c in books.piles.items() if pile.startswith("seat ") and c}
    need(not seats, "chips", f"the table is closed while {_listed(seats)} is at the seats")
    yield from ((pile, CAGE, books.piles[pile]) for pile in (TRAY, DROP, TIPS))


def _bought(books: Chips, event: Plain) -> list[Move]:
    cents, seat = event["command"]["amount"], event["command"]["seat"]
    return [(OUTSIDE, DROP, cents), (TRAY, chips(seat), cents)]


def _from_chips(event: Plain, target: str) -> list[Move]:
    return [(chips(event["command"]["seat"]), target, event["command"]["amount"])]


def _seated(books: Chips, event: Plain) -> list[Move]:
    """A player whose seat was freed gets back what the house has kept."""
    seat, name = event["command"]["seat"], event["command"]["player"]
    books.names[seat] = name
    return [(kept_for(name), chips(seat), books.piles[kept_for(name)])]


def _left(books: Chips, event: Plain) -> Iterator[Move]:
    """A player leaves with their chips; before the deal also with the wagers on their boxes. The house keeps those of a player
    who is away, who has no box."""
    seat, away = event["command"]["seat"], event["command"].get("away_since", 0)
    name = books.names.pop(seat)
    need(not away or event["by"] == "device", "chips", f"{event['by']} says that seat {seat} is away")
    need(not away or all(box.home != seat for box in books.boxes.values()), "chips", f"seat {seat} is away but has a box")
    to = kept_for(name) if away else OUTSIDE
    yield from ((pile, to, books.piles[pile]) for pile in (chips(seat), game_account(seat)))
    for box in books.boxes.values():
        box.away = box.away or (box.home == seat and box.settled)
    for number, box in [(number, box) for number, box in books.boxes.items() if box.home == seat and not box.settled]:
        yield layout(number), TRAY if books.playing else OUTSIDE, books.piles[layout(number)]
        box.gone = True
        if not books.playing:
            del books.boxes[number]


def _placed(books: Chips, event: Plain) -> Iterator[Move]:
    command, home = event["command"], int(event["by"].removeprefix("player:"))
    box = books.boxes.setdefault(command["seat"], BoxAccount(home))
    need(box.home == home, "chips", f"player {home} wagers on the box of player {box.home}")
    for key in books.signs.circles[command["wager"]]:
        lay = box.stakes.setdefault(key, Stake(0))
        yield books.purse(key, home), layout(command["seat"]), command["amount"] - lay.cents
        lay.cents = command["amount"]


def _back(books: Chips, event: Plain) -> Iterator[Move]:
    """One wager that the player takes back, or all that the dealer returns."""
    command, number = event["command"], event["command"]["seat"]
    box = books.boxes[number]
    for key in books.signs.circles[command["wager"]] if "wager" in command else tuple(box.stakes):
        yield layout(number), books.purse(key, box.home), box.stakes.pop(key).cents
    if not box.stakes:
        del books.boxes[number]


def _no_more_bets(books: Chips, event: Plain) -> Iterator[Move]:
    """The dealer collects what is collected before the deal, and the meters get their share."""
    fed: list[tuple[str, int]] = []
    for number, box in books.boxes.items():
        box.laid = [stake.cents for stake in box.stakes.values()]
        for key, stake in box.stakes.items():
            if key in books.signs.gathered:
                stake.in_tray = True
                yield layout(number), TRAY, stake.cents
                fed.append((key, stake.cents))
    books.need_wagered(event, fed)
    yield from books.wagered(event)


def _decided(books: Chips, event: Plain) -> list[Move]:
    """One more wager, one wager withdrawn, or nothing, as the notice says: only between the player's chips and their box."""
    number, word = event["command"]["seat"], " ".join(event["command"]["choice"].lower().split())
    box, laid = books.boxes[number], changes(moves_of(event)).get(layout(number), 0)
    need(int(event["by"].removeprefix("player:")) == box.home, "chips", f"box {number} is decided for by {event['by']}")
    need(box.decided < len(books.signs.answers), "chips", f"box {number} answers a decision that no notice names")
    answers = books.signs.answers[box.decided]
    answer = needed(answers.get(word) or answers.get(""), "chips", f"box {number} says “{word}”, which no notice names")
    if answer.lays:
        _lay(box, number, answer, laid)
    elif answer.back:
        back = box.stakes.pop(answer.back, None)
        lay_there = back and back.cents == -laid
        need(lay_there, "chips", f"box {number} takes back {-laid} cents of {answer.back}, which do not lie there")
    else:
        need(not laid, "chips", f"box {number}: “{word}” moves {laid} cents")
    box.decided += 1
    box.folded, box.loses = answer.folds, None
    return [(chips(box.home), layout(number), laid)]


def _lay(box: BoxAccount, number: int, answer: AnswerNotice, laid: int) -> None:
    need(answer.lays not in box.stakes, "chips", f"box {number} makes a second {answer.lays}")
    least, most = (times * box.stakes[answer.of].cents for times in answer.times)
    need(least <= laid <= most, "chips", f"box {number} lays {laid} cents on {answer.lays}, not {least} to {most}")
    box.stakes[answer.lays] = Stake(laid)


def _lapsed(books: Chips, event: Plain) -> list[Move]:
    """A player whose time ran out bets nothing. The notice says what is returned and what will be lost."""
    number = event["command"]["seat"]
    box, silence = books.boxes[number], books.signs.silence
    need(not event["by"].startswith("player:"), "chips", f"{event['by']} lets the time of box {number} pass")
    notice = silence[box.decided] if silence else AnswerNotice()  # without decisions, a hand was to be set
    back = box.stakes.pop(notice.back, None)
    need(back or not notice.back, "chips", f"box {number} has no bet left to take back")
    box.decided += 1
    box.folded, box.loses = bool(notice.loses), notice.loses
    return [(layout(number), chips(box.home), back.cents if back else 0)]


def _forfeited(books: Chips, event: Plain) -> Iterator[Move]:
    boxes = [(n, box) for n, box in sorted(books.boxes.items()) if box.folded and not box.gone]
    for line in event["then"].get("lines", ()):
        key = area(line)
        losing = (n for n, box in boxes if key in box.stakes and (box.loses is None or key in box.loses))
        number = next(losing, 0)
        need(number, "chips", f"a forfeited {key} lies on no box")
        stake = books.boxes[number].stakes.pop(key)
        books.boxes[number].forfeited[key] = Stake(stake.cents, in_tray=True)
        need(stake.cents == line["stake"] and not line["pays"] and not line["returns"], "chips", f"a forfeited {key} pays")
        if not stake.in_tray:
            yield layout(number), TRAY, stake.cents
    for number, box in boxes:
        left = [key for key in box.stakes if box.loses and key in box.loses]
        need(not left, "chips", f"box {number} ran out of time and keeps its {', '.join(left)}")


def area(line: Plain) -> str:
    return f"{line['wager']}: {line['on']}" if line.get("on") else str(line["wager"])


def _settled(books: Chips, event: Plain) -> Iterator[Move]:
    """Every stake of the box has a line, and the player gets what the lines say."""
    number = event["command"]["seat"]
    box = books.boxes[number]
    need(not box.settled and not box.gone, "chips", f"box {number} is settled twice, or after its player left")
    moves = event["then"].get("moves", ())
    at_cage = [(source, cents) for source, target, cents in moves if source.startswith("jackpot ") and target == CAGE]
    papers = event["then"].get("papers", False)
    need(papers or not at_cage, "chips", f"box {number}: paid at the cage without papers")
    need(at_cage or not papers, "chips", f"box {number}: papers, and nothing is paid at the cage")
    now = [move for line in event["then"].get("lines", ()) for move in _settle_line(books, number, line, at_cage)]
    box.moved += now
    partly = event["then"].get("partly", False)
    need(partly or not box.stakes, "chips", f"box {number} is settled without a line for {', '.join(box.stakes)}")
    alive = box.stakes or box.folded  # folding does not lose an Envy Bonus
    need(alive or not partly, "chips", f"box {number} is partly settled, and no wager is left")
    need(not at_cage, "chips", f"box {number}: {at_cage} goes to the cage for no line")
    box.begun, box.settled = True, not partly
    yield from (*books.wagered(event), *now)


def _settle_line(books: Chips, number: int, line: Plain, at_cage: list[tuple[str, int]]) -> Iterator[Move]:
    key, box, pays, returns = area(line), books.boxes[number], line["pays"], line["returns"]
    most = line["stake"] or max(box.laid, default=0)  # a bonus has no stake but may return that of its wager
    need(pays >= 0 and 0 <= returns <= most, "chips", f"box {number}: {key} pays {pays} and returns {returns}")
    lay, pile = line["stake"], TRAY
    if lay:
        words = f"box {number}: a line for {lay} cents on {key}, which do not lie there"
        stake = box.done[key] = needed(box.stakes.pop(key, None), "chips", words)
        need(stake.cents == lay, "chips", words)
        pile = TRAY if stake.in_tray else layout(number)
    if pile != TRAY:  # what is not returned belongs to the house
        yield pile, TRAY, lay - returns
    purse = game_account(box.home) if line.get("source") == "game account" else books.purse(key, box.home)
    yield pile, purse, returns
    source = _jackpot(books, key) if line.get("source") == "meter" else TRAY
    if (source, pays) in at_cage:
        at_cage.remove((source, pays))
        purse = CAGE
    yield source, purse, pays


def _jackpot(books: Chips, key: str) -> str:
    """A share of a meter is paid from what was drawn for it."""
    need(key in books.signs.meters, "chips", f"{key} is paid from a meter that it does not feed")
    return f"jackpot of the {books.signs.meters[key]}"


def _cleared(books: Chips, event: Plain) -> list[Move]:
    """What is left of a jackpot returns to its meter."""
    left = [(pile, cents) for pile, cents in books.piles.items() if pile.startswith("jackpot ")]
    return [(pile, pile.replace("jackpot", "meter", 1), cents) for pile, cents in left]


def _irregular(books: Chips, event: Plain) -> list[Move]:
    """Void hands: stakes are returned except those that are still settled, and payouts are taken back."""
    settled = books._voids(event)
    if settled is None:
        return []
    due, fed = list[Move](), list[tuple[str, int]]()
    for number, box in books.boxes.items():
        if box.gone and not books.signs.abandoned_back:
            continue
        for key, stake in _void_stakes(books.signs, box, due):
            if key in settled:
                continue
            lies, purse = TRAY if stake.in_tray or box.gone else layout(number), books.purse(key, box.home)
            due.append((lies, OUTSIDE if box.gone else purse, stake.cents))
            fed.append((key, -stake.cents))
        box.stakes = {key: stake for key, stake in box.stakes.items() if key in settled}
        box.forfeited = {}
    owed = {pile: -books.piles[pile] - c for pile, c in changes(due).items() if pile.endswith((" chips", " game account"))}
    owed = {pile: cents for pile, cents in owed.items() if cents > 0}
    recorded = event["then"].get("owed", {})
    need(recorded == owed, "chips", f"{_listed(owed)} cannot be paid back, and the log says {_listed(recorded)}")
    books.need_wagered(event, fed)
    return [*due, *((TRAY, pile, cents) for pile, cents in owed.items()), *books.wagered(event)]


def _void_stakes(signs: Signs, box: BoxAccount, due: list[Move]) -> list[tuple[str, Stake]]:
    """The stakes of a box that a void round returns. If they were already settled, that is undone first."""
    if box.away:  # the result of a player who has left stands
        return []
    stakes = [*box.stakes.items(), *(() if signs.forfeited_lost else box.forfeited.items())]
    if signs.late_stands or box.gone:
        return stakes
    due += [(target, source, cents) for source, target, cents in box.moved]
    return [*stakes, *box.done.items()]


def _emptied(pile: str) -> ChipRule:
    return lambda books, event: [(pile, CAGE, books.piles[pile])]


RULES: dict[str, ChipRule] = {
    "table opened": lambda books, event: [(CAGE, TRAY, event["command"].get("opener", 0))],
    "table closed": _closed,
    "table inventory filled": lambda books, event: [(CAGE, TRAY, event["command"]["amount"])],
    "chips credited to the cage": lambda books, event: [(TRAY, CAGE, event["command"]["amount"])],
    "drop box collected": _emptied(DROP),
    "tip box collected": _emptied(TIPS),
    "player seated": _seated,
    "chips bought": _bought,
    "game account funded": lambda books, event: _from_chips(event, game_account(event["command"]["seat"])),
    "tip given": lambda books, event: _from_chips(event, TIPS),
    "player left": _left,
    "wager placed": _placed,
    "wager taken back": _back,
    "wagers given back": _back,
    "no more bets": _no_more_bets,
    "decision made": _decided,
    "decision lapsed": _lapsed,
    "forfeited wagers collected": _forfeited,
    "wagers settled": _settled,
    "cards cleared": _cleared,
    "irregularity": _irregular,
    "stub counted": _irregular,
}
BEFORE_THE_ROUND = (
    "table opened", "table closed", "limits posted", "wager placed", "wager taken back", "wagers given back", "no more bets",
)  # fmt: skip
IN_THE_ROUND = (
    "cards dealt", "decision made", "decision lapsed", "forfeited wagers collected", "wagers settled", "cards cleared",
    "stub counted",
)  # fmt: skip
PAYS = ("wagers settled", "irregularity", "stub counted")
OF_THE_ROUND = (*PAYS, "no more bets", "forfeited wagers collected", "player left", "cards cleared")
