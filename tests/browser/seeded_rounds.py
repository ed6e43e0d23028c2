"""Seeded rounds of a game, played at random by one player next to another, with what that player sees after each event.

The books are kept from the money moves of the events alone. They do not use views, wagers or settlement lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from croupier.floor.dealer.automatic_dealer import PracticeStaff
from croupier.floor.house.shuffle import Seeded
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.procedure import AdjacentBoxes
from croupier.table.accounts import CAGE, chips, game_account, layout
from croupier.table.choices.hand_terms import chips_needed
from croupier.table.choices.players import choices
from croupier.table.commands import BuyIn, FundGameAccount, SettleSeat
from croupier.table.events import Event
from croupier.table.rules.stakes import verify_stakes
from croupier.table.state import Phase
from croupier.table.views import view
from croupier.wire import Seen, TableChoice
from tests.table.pit import Pit

ME, OTHER = 3, 5
POOR, RICH = 5_000, 1_000_000  # cents: sometimes a player has too little to play on


@dataclass
class Moment:
    """What the player sees, and what the books say at that moment."""

    seen: dict[str, Any]
    chips: int
    account: int
    on_layout: dict[int, int]  # by box
    change: int  # in the player's money through play, since wagers opened for this round
    last: int  # the same for the whole last round
    said_lost: dict[int, int]  # the loss from folding a box that the player was shown, once they have folded


@dataclass
class Books:
    """Every account, and how play has changed the player's money."""

    held: Counter[str] = field(default_factory=Counter)
    change: int = 0
    last: int = 0

    def write(self, event: Event, boxes: set[int]) -> None:
        mine = {chips(ME), game_account(ME)}
        paid_at_cage = isinstance(event.command, SettleSeat) and event.command.seat in boxes
        for move in event.then.moves:
            self.held[move.source] -= move.cents
            self.held[move.target] += move.cents
            if not isinstance(event.command, BuyIn | FundGameAccount):
                self.change += move.cents * ((move.target in mine) - (move.source in mine))
            if paid_at_cage and move.target == CAGE and move.source.startswith("jackpot"):
                self.change += move.cents  # owed on paper, not in chips


class Player:
    """A table of one game, at which the player at seat 3 bets, decides and buys chips at random."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.random, self.books, self.kept = Random(seed), Books(), 0
        self.said_lost: dict[int, int] = {}
        self._offered: tuple[tuple[int, int], list[TableChoice]] = ((-1, 0), [])
        more = {"adjacent_boxes": 2} if any(each.chosen_by_submission for each in rules.of(AdjacentBoxes)) and seed % 2 else {}
        self.pit = Pit(rules, seed=seed, **more)
        self.pit.staff = PracticeStaff(Seeded(seed))
        self.pit.seat(OTHER)
        self.pit.sit(by=f"player:{ME}", seat=ME, player="Ada")
        self._read()

    def _read(self) -> None:
        boxes = {box for box, home in self.pit.state.boxes.items() if home == ME}
        for event in self.pit.events[self.kept :]:
            self.books.write(event, boxes)
        self.kept = len(self.pit.events)

    def offered(self, seat: int) -> list[TableChoice]:
        """What a player may do now, computed once per table state."""
        key = self.pit.state.version, seat
        if self._offered[0] != key:
            self._offered = key, choices(self.pit.state, f"player:{seat}", self.pit.now, self.pit.meters)
        return self._offered[1]

    def can(self, what: str, seat: int = ME) -> list[TableChoice]:
        return [each for each in self.offered(seat) if each.do == what]

    def do(self, choice: TableChoice, by: int = ME, **more: Any) -> None:
        fields = {key: value for key, value in choice.command.items() if key != "do"} | more
        getattr(self.pit, choice.do.replace(" ", "_"))(by=f"player:{by}", **fields)

    def moment(self) -> Moment:
        self._read()
        state, by = self.pit.state, f"player:{ME}"
        acts = state.phase is Phase.BETTING or bool(state.round and state.round.asked)
        can = self.offered(ME) if acts else []
        seen = Seen(view(state, by), can, {}, None, None, None, keep=chips_needed(state, ME))
        held = self.books.held
        on_layout = {box: held[layout(box)] for box in range(1, state.rules.seats + 1)}
        plain = msgspec.to_builtins(seen, str_keys=True)
        return Moment(
            plain, held[chips(ME)], held[game_account(ME)], on_layout, self.books.change, self.books.last, dict(self.said_lost)
        )

    # a round

    def rounds(self, count: int) -> Iterator[Moment]:
        for _ in range(count):
            yield from self.round()

    def round(self) -> Iterator[Moment]:
        self.pit.ready()
        self._buy()
        self._read()
        self.books.last, self.books.change, self.said_lost = self.books.change, 0, {}
        for _ in self._wager():
            yield self.moment()
        if self.random.random() < 0.3:
            self.pit.bet_everything(OTHER)
        self._return_what_may_not_stand()
        yield self.moment()
        self.pit.lock()
        yield self.moment()
        while self.pit.state.round is not None:
            self._step()
            if self.pit.state.round is not None:
                yield self.moment()

    def _buy(self) -> None:
        self._read()
        wanted = self.random.choice((POOR, RICH))
        if self.books.held[chips(ME)] < wanted:
            self.pit.buy_in(by=f"player:{ME}", seat=ME, amount=wanted - self.books.held[chips(ME)])
            if self.can("fund game account") and self.random.random() < 0.5:
                self.pit.fund_game_account(by=f"player:{ME}", seat=ME, amount=wanted // 10)

    def _wager(self) -> Iterator[None]:
        """Make the required wagers first, then others. Change or take back some."""
        for n in range(self.random.randrange(1, 6)):
            places = self.can("place wager")
            needed = [each for each in places if each.primary]
            if not places:
                return
            choice = self.random.choice(needed or places)
            ask = choice.asks[0]
            most = min(ask.most or 0, (ask.least or 0) + self.random.choice((0, 100, 2_500, 50_000)))
            amount = self.random.choice(ask.only) if ask.only else self.random.randrange(ask.least or 1, most + 1)
            self.do(choice, amount=amount)
            yield
            if n > 1 and self.random.random() < 0.2:
                self.do(self.random.choice(self.can("take back wager")))
                yield

    def _return_what_may_not_stand(self) -> None:
        table = self.pit.state
        for box, stakes in list(table.stakes.items()):
            try:
                verify_stakes(table.offer, box, stakes, table.posted)
            except Refusal:
                self.pit.return_wagers(by="dealer", seat=box)
        if not table.stakes:
            self.pit.bet_everything(OTHER)

    def _step(self) -> None:
        current = self.pit.state.round
        assert current is not None
        if not current.asked or (home := self.pit.state.boxes[current.asked[1]]) != ME:
            return self._answer(home) if current.asked else self._staff()
        lacks = chips_needed(self.pit.state, ME) - self.pit.state.balance(chips(ME))
        plays = [each for each in self.can("decide") if "lose" not in each.words]
        assert plays or lacks > 0 or self.can("set hand"), "who has what they need can play"
        if lacks > 0 and self.random.random() < 0.5:
            self.pit.buy_in(by=f"player:{ME}", seat=ME, amount=lacks)
            assert [each for each in self.can("decide") if "lose" not in each.words]
        return self._answer(ME)

    def _staff(self) -> None:
        action = self.pit.staff.next(self.pit.state, self.pit.now)
        assert action is not None
        self.pit.do(action[1], action[0])

    def _answer(self, seat: int) -> None:
        plain = [each for each in (*self.can("decide", seat), *self.can("set hand", seat)) if not each.asks]
        choice = self.random.choice(plain)
        if "lose" in choice.words and seat == ME:
            self.said_lost[int(str(choice.command["seat"]))] = amounts_in(choice.words)
        self.do(choice, seat)


def amounts_in(words: str) -> int:
    """Sum of the amounts in a sentence, in cents."""
    found = re.findall(r"\$([\d,]+)(?:\.(\d\d))?", words)
    return sum(100 * int(whole.replace(",", "")) + int(cents or 0) for whole, cents in found)
