"""Noninterference: swap two cards that a role may not see, repeat the round, and every byte the role receives is the same.

Commitments are hashes of a card and a fresh salt: they hide the card, but swapped cards have other hashes. The proof is about what
views and events say, not about SHA-256, so a leaf is replaced by an ideal commitment that depends only on secret and position.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.procedure import Dealing, Irregularity
from croupier.table import card_reveals, views
from croupier.table import commands as say
from croupier.table.choices.players import choices
from croupier.table.commands import Command, SealedDeck
from croupier.table.events import Event, write_event
from croupier.table.state import Phase, State
from croupier.table.views import view
from croupier.wire import TableChoice
from tests.table.holding import on_table
from tests.table.pit import METHODS, STAYS, Pit, every_method, find, opened, some_methods

ROLES = ["public", "player:1", "player:2", "player:4", "dealer", "floorperson", "surveillance"]
Script = list[tuple[Command, str, int]]  # what, who, when


@pytest.fixture(autouse=True)
def ideal_commitments(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    card_reveals.leaves.cache_clear()
    monkeypatch.setattr(card_reveals, "leaf", lambda salted, card: sha256(salted).hexdigest())
    yield
    card_reveals.leaves.cache_clear()


class Recorded(Pit):
    script: Script

    def do(self, command: Command, by: str) -> Event:
        at = self.now
        event = super().do(command, by)
        if hasattr(self, "script"):
            self.script.append((command, by, at))
        return event


def known_to(table: State, role: str) -> set[int]:
    """Positions of cards a role may see now: face-up cards, its own hand, and for surveillance every dealt card."""
    current = table.round
    if current is None:
        return set()
    seen = {held.position for held in (*on_table(current), *current.rack) if held.up}
    if role == "surveillance":
        seen |= {held.position for held in on_table(current)}
    if role.startswith("player:"):
        mine = [box for box, home in table.boxes.items() if f"player:{home}" == role]
        seen |= {held.position for box in mine for held in current.hands.get(box, [])}
    return seen


def swapped(command: Command, first: int, second: int) -> Command:
    assert isinstance(command, say.ShuffleDeck)
    assert command.sealed is not None
    order = list(command.sealed.order)
    order[first], order[second] = order[second], order[first]
    return say.ShuffleDeck(deck=command.deck, sealed=SealedDeck(tuple(order), command.sealed.secret))


def a_round(pit: Recorded, random: Random) -> tuple[Pit, Script]:
    """The table before a shuffle, and everything done from the shuffle to the end of its round."""
    pit.ready()
    deck = pit.state.decks[pit.state.next_deck()]
    pit.order_shuffle(by="floorperson", deck=deck.name)
    start = pit.fork()
    pit.script = []
    pit.ready()
    for seat in (1, 2, 4):
        pit.bet_everything(seat)
    pit.lock()
    if pit.can_draw_bonus(by="device", lucky="2"):
        pit.draw_bonus(by="device", lucky="2")
    names = [each.name for each in pit.state.rules.of(Irregularity)]
    while pit.state.round is not None:
        if random.random() < 0.06:
            command = say.RaiseIrregularity(irregularity=random.choice(names))
            if pit.can(command, "dealer"):
                pit.do(command, "dealer")
                continue
        if random.random() < 0.01:
            pit.leave(by="player:4", seat=4) if 4 in pit.state.players and pit.can_leave(by="player:4", seat=4) else None
            continue
        pit.step()
    if 4 not in pit.state.players:
        pit.seat(4)
    script = pit.script
    del pit.script
    return start, script


def pairs(size: int, dealt: list[int], random: Random, count: int) -> Iterator[tuple[int, int]]:
    """Two positions: of cards that come to the table, or one of those and one that stays in the stub."""
    for _ in range(count):
        first = random.choice(dealt)
        second = random.choice([position for position in (dealt if random.random() < 0.5 else range(size)) if position != first])
        yield first, second


def needs_a_hand(table: State, command: Command) -> bool:
    """Whether an answer reveals something about the hand to everyone, because the chapter requires a certain hand for it."""
    words = {choice.word for decision in table.rules.decisions for choice in decision.choices if choice.holding}
    return isinstance(command, say.Decide) and command.choice in words


class Moment(NamedTuple):
    """The state after a command in the world as dealt: what each role may know about the cards, and what it receives."""

    said: bytes  # the event
    tells: bool  # reveals something about a hand
    known: dict[str, set[int]]
    seen: dict[str, bytes]
    offered: dict[str, list[TableChoice]]


def as_dealt(start: Pit, script: Script) -> list[Moment]:
    """The whole round, or until the deck is shuffled again."""
    world, moments = start.fork(), list[Moment]()
    for number, (command, by, at) in enumerate(script):
        world.now = at
        said = write_event(world.do(command, by))
        first = script[0][0]
        if number and isinstance(command, say.ShuffleDeck) and isinstance(first, say.ShuffleDeck) and command.deck == first.deck:
            break
        moments.append(
            Moment(
                said,
                needs_a_hand(world.state, command),
                {role: known_to(world.state, role) for role in ROLES},
                {role: msgspec.json.encode(view(world.state, role)) for role in ROLES},
                {role: choices(world.state, role, world.now) for role in ROLES},
            )
        )
    return moments


def compare(start: Pit, script: Script, moments: list[Moment], role: str, first: int, second: int) -> int:
    """Run both worlds in step until the role may see one of the cards. Return how many views were compared."""
    other = start.fork()
    compared = 0
    for number, ((command, by, at), moment) in enumerate(zip(script, moments, strict=False)):
        if {first, second} & moment.known[role] or moment.tells:
            break
        other.now = at
        try:
            said = other.do(swapped(command, first, second) if number == 0 else command, by)
        except Refusal as refusal:  # pragma: no cover
            raise AssertionError(f"{role}: refused only in the other world: {refusal}") from refusal
        assert msgspec.json.encode(view(other.state, role)) == moment.seen[role], (role, command)
        assert choices(other.state, role, other.now) == moment.offered[role], (role, command)
        if role == "public":
            assert write_event(said) == moment.said, command
        compared += 1
    return compared


def proved(rules: Rules, dealing: Dealing, seed: int, rounds: int, count: int) -> None:
    random = Random(seed)
    readings = (
        {"unqualified setting": "accepted"} if rules.number == "680a" else {}
    )  # otherwise a setting reveals that it qualifies
    pit = Recorded(rules, dealing.method.value, seed=seed, readings=readings)
    pit.seat(1, 2, 4)
    for _ in range(rounds):
        start, script = a_round(pit, random)
        shuffle = script[0][0]
        assert isinstance(shuffle, say.ShuffleDeck)
        end = start.fork()
        dealt = []
        for command, by, at in script:
            end.now = at
            event = end.do(command, by)
            dealt += [
                shown.position
                for shown in event.then.cards
                if end.events[-1].event in ("cards dealt", "community cards dealt", "card burned")
            ]
        if len(dealt) < 2:  # an irregularity ended the round before the second card
            dealt = list(range(rules.decks.cards))
        moments = as_dealt(start, script)
        for role in ROLES:
            found = [compare(start, script, moments, role, *pair) for pair in pairs(rules.decks.cards, dealt, random, count)]
            assert sum(found)


@some_methods
def test_what_a_role_receives_does_not_depend_on_cards_that_it_may_not_see(rules: Rules, dealing: Dealing) -> None:
    proved(rules, dealing, seed=5, rounds=1, count=5)


@pytest.mark.slow
@every_method
def test_over_many_rounds(rules: Rules, dealing: Dealing) -> None:
    for seed in range(20, 23):
        proved(rules, dealing, seed=seed, rounds=3, count=6)


def test_the_proof_would_find_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows the dealer's cards to everyone does not pass."""
    monkeypatch.setattr(views, "_open_cards", lambda held: tuple(each.card for each in held))
    rules, dealing = METHODS["649a-2019-11-02-automated shoe"]
    with pytest.raises(AssertionError):
        proved(rules, dealing, seed=5, rounds=1, count=5)


@pytest.mark.parametrize(
    ("number", "stakes", "royal", "plain", "dealer"),
    [
        ("649a", {"ante": 10, "three_card": 1}, "As Ks Qs", "2s 4s 9h", "3c 5d 7h"),
        ("641a", {"ante": 10, "progressive": 1}, "As Ah Ad Ac 2h", "2s 4s 9h Jc 6d", "3c 5d 7h 8c Td Qc"),
    ],
)
def test_an_envy_bonus_does_not_reveal_an_unturned_hand(
    number: str, stakes: dict[str, int], royal: str, plain: str, dealer: str
) -> None:
    """Seat 2 is settled first, and its Envy Bonus depends on the hand of seat 1, so that hand is turned up first (11(c)(5)(v))."""
    told = []
    for hand in (royal, plain):
        pit = opened(find(number), "automated shoe", 1, 2)
        pit.bet(1, **stakes).bet(2, **stakes).stack({1: hand}, dealer=dealer).lock()
        pit.play_until(lambda table: table.phase is not Phase.DEALING)
        paid, partly = list[str](), True
        while partly:  # the Ante before the progressive
            while not pit.can_settle_seat(by="dealer", seat=2):
                pit.step(STAYS)
            event = pit.settle_seat(by="dealer", seat=2)
            paid, partly = [*paid, *(line.wager for line in event.then.lines)], event.then.partly
        told.append(any("Envy" in wager for wager in paid))
        shown = view(pit.state, "public").round.boxes[1].cards
        assert all(shown)
    assert told == [True, False]
