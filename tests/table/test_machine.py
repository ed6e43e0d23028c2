"""Anybody may wish anything at any time: a state machine of random commands, legal and not, and what holds after each."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from croupier.cards import deck as full_deck
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.procedure import Device, Irregularity
from croupier.table import commands as say
from croupier.table.commands import Command, SealedDeck
from croupier.table.engine import COMMANDS, decide, secrets_of
from croupier.table.events import Event, write
from croupier.table.folding import apply
from croupier.table.state import Phase
from tests.table.holding import Log, cards_hold, log_holds, meters_hold, money_holds
from tests.table.pit import METHODS, Pit

ROLES = ["dealer", "floorperson", "surveillance", "device", *(f"player:{seat}" for seat in range(1, 5))]
SEATS, AMOUNTS = st.integers(1, 5), st.sampled_from([1, 100, 500, 501, 1000, 2000, 50_000, 50_100, 10**7])


class Witness(Pit):
    """A table whose every event is kept with its secrets, and watched by a twin that once came from a snapshot."""

    def begin(self) -> None:
        self.log: Log = [(event, ()) for event in self.events]
        self.twin: Pit | None = None

    def do(self, command: Command, by: str) -> Event:
        meters, at = dict(self.meters), self.now
        event = super().do(command, by)
        if hasattr(self, "log"):
            self.log.append((event, secrets_of(command)))
            if self.twin is not None:
                said = decide(self.twin.state, command, by, at, meters)
                assert write(said) == write(event)
                apply(self.twin.state, said, secrets_of(command))
        return event


def whole(jokers: int, turn: int) -> SealedDeck:
    cards = [str(card) for card in full_deck(jokers)]
    return SealedDeck(tuple(cards[turn:] + cards[:turn]), f"{turn:064x}")


def _fields(rules: Rules) -> dict[Any, st.SearchStrategy[Any]]:
    """What may stand in a field of a command: good and bad; flags by default."""
    jokers = rules.decks.jokers
    words = [choice.word for decision in rules.decisions for choice in decision.choices]
    few, number, names = st.lists(st.integers(1, 6), max_size=2).map(tuple), st.integers(1, 60), st.sampled_from(["Ada", "Ben"])
    seven = whole(jokers, 7)
    return {
        "seat": SEATS,
        "amount": AMOUNTS,
        "wager": st.sampled_from([*rules.wagers, "Insurance"]),
        "deck": st.sampled_from(["red", "blue", "green"]),
        "decks": st.sampled_from([("red",), ("blue",), ("red", "blue"), ("red", "red")]),
        (say.ShuffleDeck, "sealed"): st.sampled_from([None, whole(jokers, 3), whole(1 - jokers, 3)]),
        (say.ReceiveDecks, "sealed"): st.sampled_from([(), (seven,), (seven, seven)]),
        (say.SetHand, "cards"): st.tuples(*[st.integers(1, 6)] * 3),
        "cards": few,
        "depth": number,
        "count": number,
        "counted": number,
        "choice": st.sampled_from([*words, "surrender"]),
        "method": st.sampled_from(["manual shoe", "hand", "automated shoe", "continuous shoe", "slingshot"]),
        "device": st.sampled_from([*(device.value for device in Device), "coffee machine"]),
        "irregularity": st.sampled_from([*(each.name for each in rules.of(Irregularity)), "Earthquake"]),
        "collected": st.sampled_from([{}, {"Progressive Payout Wager": 100}]),
        "magic_card": st.sampled_from(["", "9h", "1"]),
        "lucky": st.sampled_from(["", "1", "9", "dealer"]),
        "player": names,
        "why": names,
        "defects": names,
    }


class Anybody(RuleBasedStateMachine):
    pit: Witness

    @initialize(which=st.sampled_from(sorted(METHODS)), seed=st.integers(0, 10**6), boxes=st.integers(1, 3))
    def open(self, which: str, seed: int, boxes: int) -> None:
        rules, dealing = METHODS[which]
        adjacent = {"adjacent_boxes": 1 if rules.number == "653a" else boxes}
        pit = Witness(rules, dealing.method.value, seed=seed, opener=5_000_00, **adjacent)
        pit.begin()
        self.pit = pit

    def wish(self, command: Command, by: str) -> Event | None:
        """Try it; what is refused changes nothing, what is granted keeps everything in its place."""
        before, meters = self.pit.bytes(), dict(self.pit.meters)
        try:
            event = self.pit.do(command, by)
        except Refusal as refusal:
            assert refusal.said
            assert refusal.cite
            assert self.pit.bytes() == before
            assert self.pit.meters == meters
            return None
        self.holds()
        return event

    def holds(self) -> None:
        money_holds(self.pit.state)
        cards_hold(self.pit.state)
        meters_hold(self.pit)

    # what people usually do

    @rule(steps=st.integers(1, 12))
    def staff(self, steps: int) -> None:
        for _ in range(steps):
            found = self.pit.staff.next(self.pit.state, self.pit.now)
            if found is None and self.pit.state.phase is Phase.COMPLETING:
                found = self.pit.wished()
            if found is None or (self.wish(found[1], found[0]) is None and self._short(found)):
                return

    def _short(self, found: tuple[str, Command]) -> bool:
        """A refusal of what is next is a short tray or an empty purse; then there is a remedy."""
        refusal = self.pit.verify(found[1], found[0])
        assert refusal is not None
        assert "a fill first" in str(refusal) or "up to" in str(refusal), str(refusal)
        if "a fill first" in str(refusal):
            self.wish(say.Fill(amount=10**9), "floorperson")
        else:
            seat = int(found[0].removeprefix("player:"))
            self.wish(say.Fill(amount=10**8), "floorperson")
            self.wish(say.BuyIn(seat=seat, amount=10**6), found[0])
        return False

    @rule(seat=st.integers(1, 4), chips=st.sampled_from([1_000, 20_000, 500_000]))
    def come(self, seat: int, chips: int) -> None:
        by = f"player:{seat}"
        self.wish(say.Sit(seat=seat, player=f"P{seat}"), by)
        self.wish(say.BuyIn(seat=seat, amount=chips), by)
        self.wish(say.FundGameAccount(seat=seat, amount=chips // 10), by)

    @precondition(lambda self: self.pit.state.phase is Phase.BETTING)
    @rule(data=st.data(), seat=st.integers(1, 4))
    def wager(self, data: st.DataObject, seat: int) -> None:
        for wager in self.pit.state.rules.wagers.values():
            if data.draw(st.integers(0, 4)):
                amount = self.pit.amount(wager.name, 5)
                self.wish(say.PlaceWager(seat=seat, wager=wager.group or wager.key, amount=amount), f"player:{seat}")

    @precondition(lambda self: self.pit.state.phase is Phase.BETTING)
    @rule()
    def lock(self) -> None:
        by, command = self.pit.staff.no_more_bets(self.pit.state)
        self.wish(command, by)

    @rule(seat=st.integers(1, 4))
    def go(self, seat: int) -> None:
        self.wish(say.Leave(seat=seat), f"player:{seat}")

    @rule(data=st.data())
    def go_wrong(self, data: st.DataObject) -> None:
        rules = self.pit.state.rules
        names = [each.name for each in rules.of(Irregularity)]
        command = say.RaiseIrregularity(
            irregularity=data.draw(st.sampled_from(names)),
            cards=tuple(data.draw(st.lists(st.integers(1, 6), max_size=2))),
            device=data.draw(st.sampled_from([device.value for device in Device])),
            deck=data.draw(st.sampled_from(["red", "blue"])),
        )
        self.wish(command, data.draw(st.sampled_from(["dealer", "floorperson"])))

    @rule(left=st.integers(-1, 1), misdealt=st.booleans())
    def count(self, left: int, misdealt: bool) -> None:
        current = self.pit.state.round
        right = self.pit.state.decks[current.deck].left if current else 40
        self.wish(say.CountStub(counted=max(0, right + left), misdealt=misdealt), "dealer")

    @rule(hours=st.sampled_from([-5, -1, 1, 4, 9]))
    def clock(self, hours: int) -> None:
        self.pit.now = max(0, self.pit.now + hours * 3_600_000)

    @rule()
    def snapshot(self) -> None:
        self.pit.twin = self.pit.fork()
        assert self.pit.twin.bytes() == self.pit.bytes()

    # what nobody should

    @rule(data=st.data(), kind=st.sampled_from(sorted(COMMANDS)), by=st.sampled_from(ROLES))
    def wild(self, data: st.DataObject, kind: str, by: str) -> None:
        self.wish(self._any(data, COMMANDS[kind]), by)

    def _any(self, data: st.DataObject, kind: type[Command]) -> Command:
        if kind is say.OpenTable:
            table = self.pit.state
            return say.OpenTable(table="T1", submission=table.submission, offer=table.offer_hash, opener=1000)
        known = _fields(self.pit.state.rules)
        names = [field.name for field in msgspec.structs.fields(kind)]
        return kind(**{name: data.draw(known.get((kind, name), known.get(name, st.booleans()))) for name in names})

    def teardown(self) -> None:
        if hasattr(self, "pit"):
            self.holds()
            log_holds(self.pit.log, self.pit.state)


TestAnybody = Anybody.TestCase
TestAnybody.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


@pytest.mark.slow
class TestAnybodyForLong(Anybody.TestCase):  # type: ignore[name-defined,misc]
    settings = settings(max_examples=600, stateful_step_count=80, deadline=None, suppress_health_check=list(HealthCheck))
