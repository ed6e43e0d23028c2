"""Anyone may try anything at any time: a state machine of random commands, legal and not, with invariants after each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from croupier.cards import deck as full_deck
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.procedure import Act, AdjacentBoxes, Dealing, Device, Irregularity
from croupier.table import commands as say
from croupier.table.accounts import must_not_be_overdrawn
from croupier.table.commands import Command, SealedDeck
from croupier.table.engine import COMMANDS, Table, decide, secrets_of
from croupier.table.events import Event, write_event
from croupier.table.fold import apply
from croupier.table.state import Phase, State
from tests.table.holding import cards_hold, log_holds, meters_hold, money_holds
from tests.table.pit import METHODS, Pit, find, name, refused, some_methods

ROLES = ["dealer", "floorperson", "surveillance", "device", *(f"player:{seat}" for seat in range(1, 5))]


class Witness(Pit):
    """A table checked against a twin that was restored from a snapshot."""

    twin: Pit | None = None

    def do(self, command: Command, by: str) -> Event:
        meters, at = dict(self.meters), self.now
        event = super().do(command, by)
        if self.twin is not None:
            said = decide(self.twin.state, command, by, at, meters)
            assert write_event(said) == write_event(event)
            apply(self.twin.state, said, secrets_of(command))
        return event


def whole(jokers: int, turn: int) -> SealedDeck:
    cards = [str(card) for card in full_deck(jokers)]
    return SealedDeck(tuple(cards[turn:] + cards[:turn]), f"{turn:064x}")


Picks = Callable[[Sequence[Any]], Any]  # how to pick one of several: by Hypothesis or by a seeded generator


def choices(rules: Rules) -> dict[Any, Sequence[Any]]:
    """Good and bad values for a field of a command. Other fields are flags."""
    jokers = rules.decks.jokers
    words = [choice.word for decision in rules.decisions for choice in decision.choices]
    seven, number, names = whole(jokers, 7), range(1, 61), ["Ada", "Ben"]
    return {
        "seat": range(1, 6),
        "amount": [1, 100, 500, 501, 1000, 2000, 50_000, 50_100, 10**7],
        "wager": [*rules.wagers, "Insurance"],
        "deck": ["red", "blue", "green"],
        "decks": [("red",), ("blue",), ("red", "blue"), ("red", "red")],
        (say.ShuffleDeck, "sealed"): [None, whole(jokers, 3), whole(1 - jokers, 3)],
        (say.ReceiveDecks, "sealed"): [(), (seven,), (seven, seven)],
        (say.SetHand, "cards"): [(1, 2, 3), (1, 3, 5), (2, 4, 5), (1, 1, 2), (4, 5, 6)],
        "cards": [(), (), (1,), (2,), (1, 2), (6,)],
        "depth": number,
        "count": number,
        "counted": number,
        "choice": [*words, "surrender"],
        "method": ["manual shoe", "hand", "automated shoe", "continuous shoe", "slingshot"],
        "device": [*(device.value for device in Device), "coffee machine"],
        "irregularity": [*(each.name for each in rules.of(Irregularity)), "Earthquake"],
        "collected": [{}, {"Progressive Payout Wager": 100}],
        "magic_card": ["", "9h", "1"],
        "lucky": ["", "1", "9", "dealer"],
        "minimum": [100, 500, 1000, 60_000],
        "maximum": [100, 500, 20_000, 50_000, 60_000],
        "player": names,
        "why": names,
        "defects": names,
    }


def any_command(table: State, kind: type[Command], pick: Picks) -> Command:
    if kind is say.OpenTable:
        seconds = pick([0, table.offer.decision_seconds, 86_400])
        return say.OpenTable(table="T1", submission=table.submission, offer=table.offer_hash, opener=1000, decision_seconds=seconds)
    known = choices(table.rules)
    if kind is say.Leave:
        seat = pick(known["seat"])
        return say.Leave(seat=seat, away_since=pick([0, 0, 1, table.away.get(seat, 0)]))
    names = [field.name for field in msgspec.structs.fields(kind)]
    return kind(**{name: pick(known.get((kind, name), known.get(name, [False, True]))) for name in names})


def try_it(pit: Pit, command: Command, by: str) -> Event | None:
    """A refused command changes nothing. A granted one keeps every invariant."""
    before, meters = pit.bytes(), dict(pit.meters)
    try:
        event = pit.do(command, by)
    except Refusal as refusal:
        assert refusal.said
        assert refusal.cite
        assert pit.bytes() == before
        assert pit.meters == meters
        return None
    holds(pit)
    return event


def holds(pit: Pit) -> None:
    money_holds(pit.state)
    cards_hold(pit.state)
    meters_hold(pit)


def next_thing(pit: Pit) -> bool:
    """Do whatever is next, with a fill if chips are missing. False when players are to bet."""
    found = pit.staff.next(pit.state, pit.now)
    if found is None and pit.state.phase is Phase.COMPLETING:
        found = pit.next_action()
    if found is None:
        return False
    by, command = found
    if try_it(pit, command, by) is None:
        refusal = str(pit.verify(command, by))
        assert "after a fill" in refusal or "up to" in refusal, refusal
        try_it(pit, say.Fill(amount=10**9), "floorperson")
        if "up to" in refusal:
            try_it(pit, say.BuyIn(seat=int(by.removeprefix("player:")), amount=10**6), by)
    return True


class Anybody(RuleBasedStateMachine):
    pit: Witness

    @initialize(which=st.sampled_from(sorted(METHODS)), seed=st.integers(0, 10**6), boxes=st.integers(1, 3))
    def open(self, which: str, seed: int, boxes: int) -> None:
        rules, dealing = METHODS[which]
        adjacent = {"adjacent_boxes": boxes if rules.of(AdjacentBoxes)[0].chosen_by_submission else 1}
        self.pit = Witness(rules, dealing.method.value, seed=seed, opener=50_000_00, decision_seconds=3 * (seed % 2), **adjacent)
        self.pit.seat(1, 2, 3, chips=2_000_00).ready()

    def action(self, command: Command, by: str) -> Event | None:
        return try_it(self.pit, command, by)

    # what people usually do

    @precondition(lambda self: self.pit.state.phase in (Phase.OPENING, Phase.BETTING))
    @rule(data=st.data(), seats=st.sets(st.integers(1, 4), min_size=1))
    def begin(self, data: st.DataObject, seats: set[int]) -> None:
        self.staff(30)
        for seat in sorted(seats):
            self.wager(data, seat)
        for box in list(self.pit.state.stakes):
            if self.pit.verify(*reversed(self.pit.staff.no_more_bets(self.pit.state))):  # type: ignore[arg-type]
                self.action(say.ReturnWagers(seat=box), "dealer")
        self.lock()

    @precondition(lambda self: self.pit.state.round is not None)
    @rule(steps=st.integers(1, 40))
    def go_on(self, steps: int) -> None:
        self.staff(steps)

    @rule(steps=st.integers(1, 12))
    def staff(self, steps: int) -> None:
        while steps and next_thing(self.pit):
            steps -= 1

    @rule(seat=st.integers(1, 4), chips=st.sampled_from([1_000, 20_000, 500_000]))
    def come(self, seat: int, chips: int) -> None:
        by = f"player:{seat}"
        self.action(say.Sit(seat=seat, player=f"P{seat}"), by)
        self.action(say.BuyIn(seat=seat, amount=chips), by)
        self.action(say.FundGameAccount(seat=seat, amount=chips // 10), by)

    @precondition(lambda self: self.pit.state.phase is Phase.BETTING)
    @rule(data=st.data(), seat=st.integers(1, 4))
    def wager(self, data: st.DataObject, seat: int) -> None:
        for wager in self.pit.state.rules.wagers.values():
            if data.draw(st.integers(0, 4)):
                amount = self.pit.amount(wager.name, 5)
                self.action(say.PlaceWager(seat=seat, wager=wager.group or wager.key, amount=amount), f"player:{seat}")

    @precondition(lambda self: self.pit.state.phase is Phase.BETTING)
    @rule()
    def lock(self) -> None:
        by, command = self.pit.staff.no_more_bets(self.pit.state)
        self.action(command, by)

    @precondition(lambda self: self.pit.state.round is not None and self.pit.state.round.asked)
    @rule(seconds=st.integers(0, 5), by=st.sampled_from(["dealer", "floorperson", "device"]))
    def time_passes(self, seconds: int, by: str) -> None:
        self.pit.now += 1000 * seconds
        assert self.pit.state.round is not None
        self.action(say.LapseDecision(seat=self.pit.state.round.asked[1]), by)

    @rule(seat=st.integers(1, 4))
    def go(self, seat: int) -> None:
        self.action(say.Leave(seat=seat), f"player:{seat}")

    @rule(data=st.data(), by=st.sampled_from(["dealer", "floorperson"]))
    def go_wrong(self, data: st.DataObject, by: str) -> None:
        self.action(any_command(self.pit.state, say.RaiseIrregularity, lambda ways: data.draw(st.sampled_from(ways))), by)

    @rule(left=st.integers(-1, 1), misdealt=st.booleans())
    def count(self, left: int, misdealt: bool) -> None:
        current = self.pit.state.round
        right = self.pit.state.decks[current.deck].left if current else 40
        self.action(say.CountStub(counted=max(0, right + left), misdealt=misdealt), "dealer")

    @rule(hours=st.sampled_from([-5, -1, 1, 4, 9]))
    def clock(self, hours: int) -> None:
        self.pit.now = max(0, self.pit.now + hours * 3_600_000)

    @rule()
    def snapshot(self) -> None:
        self.pit.twin = self.pit.fork()
        assert self.pit.twin.bytes() == self.pit.bytes()

    # what no one should do

    @rule(data=st.data(), kind=st.sampled_from(sorted(COMMANDS)), by=st.sampled_from(ROLES))
    def wild(self, data: st.DataObject, kind: str, by: str) -> None:
        self.action(any_command(self.pit.state, COMMANDS[kind], lambda ways: data.draw(st.sampled_from(ways))), by)

    def teardown(self) -> None:
        if hasattr(self, "pit"):
            holds(self.pit)
            log_holds(self.pit)


TestAnybody = Anybody.TestCase
TestAnybody.settings = settings(max_examples=40, stateful_step_count=40, suppress_health_check=list(HealthCheck), derandomize=True)


@pytest.mark.slow
class TestAnybodyForLong(Anybody.TestCase):  # type: ignore[name-defined,misc]
    settings = settings(max_examples=300, stateful_step_count=80, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("number", ["649a", "680a"])
def test_at_a_table_that_is_not_open_everything_is_refused(number: str) -> None:
    """Neither before the first opening nor after closing does any command crash or succeed, except opening itself."""
    rules = find(number)
    closed = Pit(rules)
    closed.close_table(by="floorperson")
    random = Random(1)
    for table in (Table(), closed):
        for kind in COMMANDS.values():
            for role in ROLES if kind is not say.OpenTable else ():
                assert table.verify(any_command(closed.state, kind, random.choice), role) is not None, kind


@pytest.mark.parametrize(
    "by", ["player", "player:", "player:0", "player:03", "player:-1", "player:٣", "dealer:1", "public", "", "Dealer"]
)
def test_no_player_has_two_names(by: str) -> None:
    pit = Pit(find("649a")).seat(3)
    refused(pit.verify_tip(by=by, seat=3, amount=100), "601a.2", "is not a role")


# the same walks without Hypothesis: longer, and through every method


def walk(which: str, seed: int, actions: int) -> Counter[str]:
    """Mostly the next thing, and now and then any command, sometimes by the person who may give it."""
    rules, dealing = METHODS[which]
    random = Random(seed)
    devices = {"counts_cards": False} if seed % 2 else {}
    pit = Witness(rules, dealing.method.value, seed=seed, opener=100_000_00, dealing=devices, decision_seconds=2)
    pit.seat(1, 2, 3, chips=2_000_00)
    pit.staff.by_card = seed % 3 == 0
    for number in range(actions):
        if number % 200 == 0:
            pit.twin = pit.fork()
        chance, phase = random.random(), pit.state.phase
        if chance < 0.25:
            kind = COMMANDS[random.choice(sorted(COMMANDS))]
            by = random.choice([*kind.by, *kind.by, random.choice(ROLES)])
            by = f"player:{random.randint(1, 4)}" if by == "player" else str(by)
            command = any_command(pit.state, kind, random.choice)
            if by.startswith("player:") and hasattr(command, "seat") and random.random() < 0.7:
                command = msgspec.structs.replace(command, seat=int(by.removeprefix("player:")))
            try_it(pit, command, by)
        elif chance < 0.30:
            try_it(pit, any_command(pit.state, say.RaiseIrregularity, random.choice), "dealer")
        elif chance < 0.34 and pit.state.round and pit.state.round.asked:
            pit.now += 1000 * random.randint(0, 3)
            try_it(pit, say.LapseDecision(seat=pit.state.round.asked[1]), random.choice(["dealer", "floorperson", "device"]))
        elif chance < 0.345:
            pit.now = max(0, pit.now + random.choice([-2, 1, 3]) * 3_600_000)
        elif phase is Phase.CLOSED:
            try_it(pit, any_command(pit.state, say.OpenTable, random.choice), "floorperson")
            try_it(pit, say.Fill(amount=100_000_00), "floorperson")
        elif not next_thing(pit):
            _wager(pit, random)
    _close(pit)
    log_holds(pit)
    asked = any(stage.act in (Act.ASK, Act.SET) for stage in pit.state.stages)
    assert not asked or any(event.event == "decision lapsed" for event in pit.events)
    return Counter(event.event for event in pit.events)


def _wager(pit: Pit, random: Random) -> None:
    for seat in (1, 2, 3):
        if seat not in pit.state.players:
            try_it(pit, say.Sit(seat=seat, player=f"P{seat}"), f"player:{seat}")
            try_it(pit, say.BuyIn(seat=seat, amount=2_000_00), f"player:{seat}")
            try_it(pit, say.FundGameAccount(seat=seat, amount=20_00), f"player:{seat}")
        for wager in pit.state.rules.wagers.values():
            if random.random() < 0.8:
                amount = pit.amount(wager.name, random.choice([5, 5, 10, 25]) if not wager.required else 5)
                try_it(pit, say.PlaceWager(seat=seat, wager=wager.group or wager.key, amount=amount), f"player:{seat}")
    for box in list(pit.state.stakes) if random.random() < 0.7 else []:
        by, command = pit.staff.no_more_bets(pit.state)
        if try_it(pit, command, by):
            return
        try_it(pit, say.ReturnWagers(seat=box), "dealer")
    for device in list(pit.state.out_of_order):
        try_it(pit, say.ReturnDevice(device=device), "floorperson")
    filed = pit.state.offer.devices
    try_it(pit, say.UseMethod(method=filed.method.value, shuffler=filed.shuffler), "floorperson")


def _close(pit: Pit) -> None:
    """Play the round to its end and let everyone leave. Nothing stays on the table but chips kept for players who are away."""
    if pit.state.phase is Phase.CLOSED:
        return
    while pit.state.round is not None:
        assert next_thing(pit)
    for seat in list(pit.state.players):
        assert try_it(pit, say.Leave(seat=seat), f"player:{seat}")
    assert try_it(pit, say.CloseTable(), "floorperson")
    left = {account for account, cents in pit.state.accounts.items() if must_not_be_overdrawn(account) and cents}
    assert all(account.startswith("kept for ") for account in left)


@some_methods
def test_a_walk_through_every_method(rules: Rules, dealing: Dealing) -> None:
    assert walk(f"{name(rules)}-{dealing.method.value}", seed=4, actions=400)["cards cleared"] > 3


@pytest.mark.slow
@pytest.mark.parametrize("which", sorted(METHODS))
def test_long_walks_leave_no_command_undone(which: str) -> None:
    done = sum((walk(which, seed, actions=3000) for seed in range(3)), Counter[str]())
    assert done["wagers settled"] > 200
