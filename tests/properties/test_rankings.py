"""The rankings compared with other evaluators and textbook counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from random import Random

import pytest
from phevaluator import evaluate_cards

from croupier.book import ch641a_four_card_poker as four_card_poker
from croupier.book import ch643a_let_it_ride_poker as let_it_ride
from croupier.book import ch649a_three_card_poker as three_card_poker
from croupier.book import ch653a_ultimate_texas_hold_em_poker as hold_em
from croupier.book import ch679a_three_card_prime as three_card_prime
from croupier.book import ch680a_saigon_5_card as saigon
from croupier.book import ch682a_four_card_prime as four_card_prime
from croupier.cards import JOKER, SUITS, Card, Cards, deck
from croupier.law.ranking import Ranking, shape_of
from croupier.odds.kernels.card_sets import classes, hand

Hands = Iterable[tuple[Cards, int]]  # with the number of hands each one represents


def all_fives() -> Hands:
    return ((five, 1) for five in combinations(deck(), 5))


@cache
def fives_up_to_suits() -> Hands:
    """Each of the 134,459 hands that differ by more than the names of the suits, with suits drawn at random."""
    random, found = Random(2_598_960), classes(5)
    swaps = [dict(zip(SUITS, random.sample(SUITS, 4), strict=True)) for _ in range(len(found))]
    return [
        (tuple(sorted(Card(rank, suits[suit]) for rank, suit in hand(numbers))), times)
        for numbers, times, suits in zip(found.cards, found.times.tolist(), swaps, strict=True)
    ]


fives = pytest.mark.parametrize("hands", [fives_up_to_suits, pytest.param(all_fives, marks=pytest.mark.slow)])


def counts(ranking: Ranking, size: int) -> Counter[str]:
    return Counter(map(ranking.row, combinations(deck(), size)))


def counts_of(rank: Callable[[Cards], str], hands: Hands) -> Counter[str]:
    found: Counter[str] = Counter()
    for five, times in hands:
        found[rank(five)] += times
    return found


THREE = {"Straight flush": 48, "Three-of-a-kind": 52, "Straight": 720, "Flush": 1096, "Pair": 3744, "Nothing": 16440}
FOUR = {
    "Four-of-a-kind": 13, "Straight flush": 44, "Three-of-a-kind": 2496, "Flush": 2816, "Straight": 2772, "Two pairs": 2808, "Pair": 82368, "Nothing": 177408,
}  # fmt: skip
FIVE = {
    "Royal flush": 4, "Straight flush": 36, "Four-of-a-kind": 624, "Full house": 3744, "Flush": 5108, "Straight": 10200,
    "Three-of-a-kind": 54912, "Two pairs": 123552, "Pair": 1098240, "Nothing": 1302540,
}  # fmt: skip


def test_649a_three_card_hands_have_the_textbook_counts() -> None:
    assert counts(three_card_poker.THREE_CARD, 3) == THREE


def test_679a_three_card_hands_have_the_textbook_counts_with_four_mini_royals() -> None:
    assert counts(three_card_prime.THREE_CARD, 3) == THREE | {"Straight flush": 44, "Mini-royal": 4}


@pytest.mark.parametrize("ranking", [four_card_poker.FOUR_CARD, four_card_prime.FOUR_CARD], ids=["641a", "682a"])
def test_four_card_hands_have_the_textbook_counts(ranking: Ranking) -> None:
    assert counts(ranking, 4) == FOUR


@pytest.mark.thorough
@fives
@pytest.mark.parametrize("ranking", [let_it_ride.FIVE_CARD, hold_em.FIVE_CARD], ids=["643a", "653a"])
def test_five_card_rankings_agree_with_phevaluator_on_every_hand(ranking: Ranking, hands: Callable[[], Hands]) -> None:
    """All 2,598,960 hands: the same order, including ties, and the textbook counts."""
    seen: dict[object, int] = {}
    rows: Counter[str] = Counter()
    for five, times in hands():
        theirs = evaluate_cards(*map(str, five))
        strength = ranking.strength(five)
        assert seen.setdefault(strength, theirs) == theirs, five
        rows[ranking.rows[-strength[0]]] += times
    assert len(seen) == len(set(seen.values())) == 7462
    ordered = sorted(seen)  # type: ignore[type-var]
    assert [seen[strength] for strength in ordered] == list(range(7462, 0, -1))
    assert rows == FIVE


@fives
def test_five_card_ladders_count_the_same_hands(hands: Callable[[], Hands]) -> None:
    """649a.6(d) and 643a.12 name fewer rows of the same hands."""
    expected = {name: count for name, count in FIVE.items() if name not in ("Two pairs", "Pair", "Nothing")}
    found = counts_of(three_card_poker.FIVE_CARD.row, hands())
    assert {name: count for name, count in found.items() if name != "Nothing"} == expected
    paid = counts_of(let_it_ride.PAID_HANDS.row, hands())
    assert (paid["Two pair"], paid["Pair - Tens or better"]) == (123552, 1098240 * 5 // 13)


def test_680a_hands_with_the_joker_are_as_many_as_a_count_by_hand_gives() -> None:
    """The 270,725 hands of the joker and four cards."""
    found = Counter(saigon.BONUS_HANDS.row((*four, JOKER)) for four in combinations(deck(), 4))
    runs = [{14, 2, 3, 4, 5}, *({*range(low, low + 5)} for low in range(2, 11))]
    fours = {frozenset(four) for run in runs for four in combinations(run, 4)}  # ranks that the joker completes to a run
    royals = set(map(frozenset, combinations({10, 11, 12, 13, 14}, 4)))
    straight_flushes = 4 * len(fours - royals)
    assert found == {
        "Five aces": 1,
        "Royal flush—with a joker": 4 * 5,
        "Straight flush": straight_flushes,
        "Four-of-a-kind": 4 * 48 + 12,  # three aces and another card; four of another rank
        "Full house": 6 * 12 * 6 + 12 * 4 * 4,  # two aces and a pair; three of a rank and an ace
        "Flush": 4 * 715 - 4 * 5 - straight_flushes,  # C(13,4) of a suit
        "Straight": len(fours) * 4**4 - 4 * 5 - straight_flushes,
        "Three-of-a-kind": 12 * 4 * 11 * 4 + 6 * (66 * 16),  # three of a rank, no ace; two aces and two odd cards
        "Two pair": 66 * 36 + 12 * 6 * 4 * 44,  # two pairs without an ace; a pair, an ace and an odd card
        "Nothing": found["Nothing"],
    }
    assert sum(found.values()) == 270_725


@fives
def test_680a_hands_without_the_joker_are_the_textbooks(hands: Callable[[], Hands]) -> None:
    bonus = saigon.BONUS_HANDS
    names = counts_of(lambda five: bonus.rows[bonus.row_of_shape(shape_of(five))], hands())
    assert names.pop("Nothing") == FIVE["Nothing"] + FIVE["Pair"]
    renamed = {"Royal flush": "Royal flush—no joker", "Two pairs": "Two pair"}
    assert names == {renamed.get(name, name): count for name, count in FIVE.items() if name not in ("Pair", "Nothing")}
