"""A player's own hands: every cent on record, only the cards their seat saw, and the result next to its expected value."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import chain, pairwise
from math import sqrt
from typing import Any

import msgspec
import pytest

from croupier.filing.offer import Offer
from croupier.filing.template import example_submission as example
from croupier.floor.hands.figures import player_figures
from croupier.floor.hands.played_hands import DecisionSpot, PlayedHand, PlayedHands, price_decision, price_hand
from croupier.floor.house.house import House
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.replay import Frames
from croupier.floor.surveillance.round_record import RecordedRound
from croupier.floor.surveillance.search import HandFilter, rounds_of
from croupier.ledger import MemoryRecorder
from croupier.odds.names import EntryRole
from croupier.odds.prices import Prices
from croupier.table import commands as say
from croupier.table.state import State
from croupier.wire import HandDecision
from tests.examples import rules_of, some_games
from tests.floor.play import open_and_play

TABLE = "T1"


class Evening:
    """Played rounds, and the hands of their players."""

    def __init__(self, game: str, rounds: int = 25, seed: int = 11) -> None:
        recorder = MemoryRecorder()
        self.house: House = open_and_play(recorder, game, rounds, seed)
        self.records = Records(recorder)
        self.records.catch_up_all()
        self.frames = Frames(recorder, self.records, self.house.vault, every=100)
        self.played = PlayedHands(self.frames, self.records)

    @property
    def players(self) -> list[str]:
        return sorted({box.player for each in self.records.rounds(TABLE) for box in each.boxes})

    def rounds(self, player: str) -> list[RecordedRound]:
        return [each for each in self.records.rounds(TABLE) if player in each.net]

    def hands(self, player: str) -> list[PlayedHand]:
        return list(self.played.of(player, self.rounds(player)))


@some_games
def test_the_lines_of_a_hand_are_every_cent_that_the_ledger_moved(game: str) -> None:
    evening = Evening(game)
    for player in evening.players:
        found, hands = evening.rounds(player), evening.hands(player)
        assert [each.hand.number for each in hands] == [each.number for each in found]
        for round_, hand in zip(found, (each.hand for each in hands), strict=True):
            lines = [line for box in hand.boxes for line in box.lines]
            assert hand.net == round_.net[player] == sum(line.pays + line.returns - line.stake for line in lines)
            assert all(line.cite.startswith(game) for line in lines), "every line names its clause"
            said = [word for box in round_.boxes if box.player == player for word in box.decisions]
            if not round_.void and not hand.boxes[0].set:
                assert [each.said for box in hand.boxes for each in box.decisions] == said


# what may be seen


def positions_seen(played: PlayedHands, player: str, found: RecordedRound) -> set[int]:
    """Deck positions of every card this player saw in a round: their own, and those face up."""
    mine, seen = {box.box for box in found.boxes if box.player == player}, set[int]()
    left = False
    for _, event, _, state in played.frames.follow(found.table, found.locked, found.last):
        left = left or event.command == say.Leave(seat=next(box.seat for box in found.boxes if box.player == player))
        if current := state.round:
            own = [held for box, hand in current.hands.items() if box in mine and not left for held in hand]
            seen |= {held.position for held in own}
            seen |= {held.position for held in _on_table(state) if held.up}
        seen |= {each.position for each in event.then.cards if each.card}
    return seen


def _on_table(state: State) -> Iterator[Any]:
    current = state.round
    assert current
    return chain(*current.hands.values(), *current.fourths.values(), current.dealer, current.community)


class Swapped:
    """The same log with two cards of the deck in play swapped, wherever they are."""

    def __init__(self, frames: Frames, first: int, second: int) -> None:
        self._frames, self._pair = frames, (first, second)

    def follow(self, table: str, first: int, last: int) -> Iterator[Any]:
        for entry, event, before, state in self._frames.follow(table, first, last):
            yield entry, event, before, self._swap(deepcopy(state))

    def _swap(self, state: State) -> State:
        if state.round:
            order, (first, second) = state.decks[state.round.deck].order, self._pair
            order[first], order[second] = order[second], order[first]
            for held in chain(_on_table(state), state.round.rack):
                held.card = order[held.position]
        return state


def everything(evening: Evening, player: str, found: RecordedRound, frames: Any) -> bytes:
    """Everything sent or priced about a hand: the hand, what its decisions are priced by, and the replay."""
    played = PlayedHands(frames, evening.records)
    return msgspec.json.encode([list(played.of(player, [found])), played.replay(player, found)])


@some_games
def test_no_byte_of_a_hand_depends_on_a_card_that_its_player_did_not_see(game: str) -> None:
    evening = Evening(game, 3, seed=5)
    tried = 0
    for player in evening.players:
        for found in evening.rounds(player):
            seen = positions_seen(evening.played, player, found)
            hidden = [place for place in range(52) if place not in seen]
            before = everything(evening, player, found, evening.frames)
            assert len(hidden) > 15
            for first, second in ((hidden[0], hidden[-1]), (hidden[1], hidden[2]), (hidden[len(hidden) // 2], hidden[0])):
                assert everything(evening, player, found, Swapped(evening.frames, first, second)) == before
                tried += 1
            own = next(iter(sorted(seen)))  # proof that this test can fail: swap a card that was seen
            assert everything(evening, player, found, Swapped(evening.frames, own, hidden[0])) != before
    assert tried >= 9


@some_games
def test_a_replay_names_no_one_else(game: str) -> None:
    evening = Evening(game, 12)
    staff = {"Flora", "automatic dealer", "practice"}
    for player in evening.players:
        for found in evening.rounds(player):
            sent = msgspec.json.encode(evening.played.replay(player, found)).decode()
            for name in (set(evening.players) | staff) - {player}:
                assert f'"{name}"' not in sent
                assert f"{name} " not in sent.replace(f'"{player}"', "")


# prices


@pytest.mark.thorough
def test_a_hand_of_649a_is_priced_decision_by_decision() -> None:
    evening = Evening("649a")
    hands = [price_hand(each) for player in evening.players for each in evening.hands(player)]
    decisions = [each for hand in hands for box in hand.boxes for each in box.decisions if not each.by_clock]
    assert len(decisions) > 20
    for each in decisions:
        assert not each.problem
        assert (Fraction(each.cost) == 0) is (each.best == each.said)
        worth = {choice.choice: Fraction(choice.cents) for choice in each.choices}
        assert Fraction(each.cost) == max(worth.values()) - worth[each.said] >= 0
    assert {each.best == each.said for each in decisions} == {True, False}


def test_649a_11_b_1_a_timeout_has_a_value_next_to_those_of_the_choices() -> None:
    """A pair of fives with $10 on the Ante and $5 on the Pair Plus: a timeout loses the Ante, but the Pair Plus is paid 1 to 1."""
    spot = DecisionSpot(example(rules_of("649a")), "5s 5h 2d", "timed out", stakes=(("Ante Wager", 1000), ("Pair Plus Wager", 500)))
    priced = price_decision(spot, HandDecision(1, "Play", "649a.11(b)", "timed out", by_clock=True))
    worth = {each.choice: Fraction(each.cents) for each in priced.choices}
    assert list(worth) == ["play", "fold", "timed out"]
    assert (worth["fold"], worth["timed out"]) == (-1500, -500)
    assert Fraction(priced.cost) == worth["play"] - worth["timed out"]


# which rounds


def test_rounds_come_newest_first_and_as_wished() -> None:
    evening = Evening("649a")
    player = evening.players[0]
    every = [each for _, each in rounds_of(evening.records, player, HandFilter())]
    assert every == evening.rounds(player)[::-1]
    for result, fits in (("won", lambda net: net > 0), ("lost", lambda net: net < 0), ("even", lambda net: net == 0)):
        found = [each for _, each in rounds_of(evening.records, player, HandFilter(result=result))]  # type: ignore[arg-type]
        assert found == [each for each in every if fits(each.net[player])]
    assert not list(rounds_of(evening.records, player, HandFilter(game="653a")))
    assert not list(rounds_of(evening.records, player, HandFilter(table="T2")))
    assert not list(rounds_of(evening.records, player[:-1], HandFilter())), "the whole name"
    keys = [key for key, _ in rounds_of(evening.records, player, HandFilter())]
    assert all(older < newer for newer, older in pairwise(keys))
    assert [key for key, _ in rounds_of(evening.records, player, HandFilter(), after=keys[1])] == keys[2:]


# figures


COIN = {  # wins 9 of 20: the edge is 1/10, the variance 99/100 per unit
    "wager": "Ante Wager", "on": "", "stake": 100, "edge": "1/10", "role": "wager as filed", "meter": None,
    "outcomes": [
        {"net": "1/1", "share": "0/1", "odds": "1 to 1", "count": 9},
        {"net": "-1/1", "share": "0/1", "odds": "-1 to 1", "count": 11},
    ],
}  # fmt: skip


def coin(_: Offer) -> Prices:
    return Prices({"entries": [COIN | {"role": EntryRole.WAGER}], "published": [], "not_counted": {}})


def test_the_expectation_of_a_coin() -> None:
    """Only the Ante has a price here. Every other wager is listed without an expected value and left out of the difference."""
    evening = Evening("682a")
    player = evening.players[0]
    found = player_figures(evening.records, coin, player, evening.rounds(player))
    antes = [
        sum(
            bet.stake
            for box in each.boxes
            for bet in box.bets
            if box.player == player and bet.wager == "Ante Wager" and bet.outcome not in ("void", "abandoned")
        )
        for each in evening.rounds(player)
    ]
    assert Fraction(found.expected) == -Fraction(sum(antes), 10) < 0
    assert found.points[-1].deviation == found.deviation == round(sqrt(sum(each**2 for each in antes) * 0.99))
    (ante,) = [each for each in found.wagers if each.expected is not None]
    assert (ante.wager, found.counted) == ("Ante Wager", ante.counted)
    assert found.net == sum(each.net[player] for each in evening.rounds(player))
    assert all(each.note == "it is not counted" for each in found.wagers if each.expected is None)


def test_prices_that_are_being_computed_are_not_guessed() -> None:
    evening = Evening("679a", 5)
    found = player_figures(evening.records, lambda _: None, evening.players[0], evening.rounds(evening.players[0]))
    assert found.pending
    assert (found.counted, found.expected) == (0, "0")
    assert {each.note for each in found.wagers} == {"being computed"}


def test_a_long_history_is_drawn_with_few_points() -> None:
    evening = Evening("679a", 30)
    player = evening.players[0]
    rounds = evening.rounds(player) * 30
    found = player_figures(evening.records, coin, player, rounds)
    assert found.rounds == len(rounds) > 240
    assert len(found.points) <= 242
    assert [found.points[0].rounds, found.points[0].net] == [0, 0], "it begins with nothing"
    assert found.points[-1].rounds == len(rounds)


def test_nothing_played_is_nothing() -> None:
    evening = Evening("679a", 1)
    found = player_figures(evening.records, coin, "nobody", [])
    assert (found.rounds, found.net, len(found.points)) == (0, 0, 1)
