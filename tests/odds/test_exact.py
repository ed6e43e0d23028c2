"""The exact figures: golden fractions, published figures, and the counters against slow and obvious ones."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from croupier import book
from croupier.book import ch649a_three_card_poker as three_card_poker
from croupier.cards import cards, deck
from croupier.filing.check import check
from croupier.law.chapter import Rules
from croupier.law.fact import Compared, DealerHas
from croupier.law.ranking import Ranking
from croupier.money import percent
from croupier.odds import analyze
from croupier.odds.analysis import Analysis, full_offer
from croupier.odds.counters import counter
from croupier.odds.evaluator import compared_hands
from croupier.odds.kernels.card_sets import CHOOSE, classes, hand, index_of, next_set, numbers
from croupier.odds.kernels.rank_tables import WEIGHTS, RankTable, code_of
from croupier.odds.report import report
from croupier.odds.solvers.against_dealer import states
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.side_wagers import count_rows
from tests.examples import rules_of
from tests.golden import odds as golden
from tests.odds.slow import deck_of

EDITIONS = golden.editions()
each_edition = pytest.mark.parametrize("rules", EDITIONS, ids=lambda rules: f"{rules.number}-{rules.edition}")


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(
            each, id=f"{each.number}-{each.edition}", marks=pytest.mark.thorough if each.number in ("641a", "653a", "682a") else ()
        )
        for each in EDITIONS
    ],
)
def test_every_fraction_is_the_golden_one(rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    found = report(rules)
    kept = json.loads(golden.path(rules).read_text())
    assert golden.fractions(found) == kept["entries"]
    assert found["published"] == kept["published"]
    assert report(rules) == found  # again, from the cache


@pytest.mark.parametrize(("game", "edge"), [("MS", Fraction(53_223, 1_082_900)), ("C4", Fraction(264_142_729, 7_726_058_340))])
def test_the_examples_outside_the_book_have_their_known_edges(game: str, edge: Fraction) -> None:
    assert counter(rules_of(game)).solve(full_offer(rules_of(game), {}, {})).edge == edge


FIGURES = [  # published for the same rules; the last two columns: of what, and under which reading
    ("679a", "Prime Wager", "", "3.62%", {}),
    ("679a", "Ante Wager", "B", "2.28%", {"play without a qualified dealer": "by the 12(b) table"}),
    ("679a", "Ante Wager", "D", "2.41%", {"play without a qualified dealer": "by the 12(b) table"}),
    ("679a", "Ante Wager", "C", "3.03%", {"play without a qualified dealer": "by the 12(b) table"}),
    ("679a", "Pair Bonus Wager", "A", "3.18%", {}),
    ("679a", "Pair Bonus Wager", "D", "5.83%", {}),
    ("679a", "All-Six Bonus Wager", "C", "6.74%", {}),
    ("679a", "All-Six Bonus Wager", "E", "18.10%", {}),
    ("680a", "Bonus Wager", "A", "7.97%", {"two pair": "9 to 1"}),
    ("649a", "Ante Wager", "A", "3.37%", {}),
    ("649a", "Pair Plus Wager", "B", "5.57%", {}),
    ("649a", "Pair Plus Wager", "C", "7.28%", {}),
    ("649a", "Pair Plus Wager", "D", "2.32%", {}),
    ("641a", "Ante Wager", "", "2.79%", {}),
    ("643a", "Let It Ride Poker Wager", "A", "3.506%", {}),
    ("643a", "Let It Ride Poker Wager", "B", "3.737%", {}),
    ("653a", "Ante Wager", "", "2.185%", {}),
]


@pytest.mark.parametrize(("game", "wager", "letter", "figure", "readings"), FIGURES)
def test_published_figures_come_out(game: str, wager: str, letter: str, figure: str, readings: dict[str, str]) -> None:
    """The golden fractions, which the test above proves to be the solver's, round to the published figures."""
    kept = json.loads(golden.path(book.find(game).edition()).read_text())["entries"]
    entry = next(
        e for e in kept if e["wager"] == wager and e["readings"] == readings and (not letter or letter in e["paytables"].values())
    )
    assert percent(Fraction(entry["edge"]), len(figure.partition(".")[2]) - 1) == figure


@pytest.mark.parametrize(("game", "risk"), [("649a", "2.01%"), ("641a", "1.30%")])
def test_published_elements_of_risk_come_out(game: str, risk: str) -> None:
    entry = json.loads(golden.path(book.find(game).edition()).read_text())["entries"][0]
    assert f"{entry['risk_percent']:.2f}%" == risk


def test_the_weights_tell_every_multiset_apart() -> None:
    for size in (3, 4, 5, 6, 7):
        multisets = [m for m in combinations_with_replacement(range(13), size) if max(Counter(m).values()) <= 4]
        sums = {sum(int(WEIGHTS[rank]) for rank in ranks) for ranks in multisets}
        assert len(sums) == len(multisets)


RANKINGS = [
    (rule, chapter.number)
    for chapter in book.chapters()
    for rule in chapter.rules
    if isinstance(rule, Ranking) and chapter.number != "680a"
]


@pytest.mark.thorough
@pytest.mark.parametrize(("ranking", "number"), RANKINGS, ids=lambda value: getattr(value, "name", value))
def test_tables_give_the_rows_of_the_chapter(ranking: Ranking, number: str) -> None:
    """Thousands of random hands of every size that has a table: the row, and the order where hands are compared."""
    random, cards = Random(number + ranking.name), deck()
    for size in {
        ranking.size,
        *((6,) if ranking.size == 5 else ()),
        *((7,) if ranking.compared and ranking.size == 5 else ()),
        *((5, 6) if ranking.size == 4 else ()),
    }:
        rows, strengths = RankTable(ranking, size), RankTable(ranking, size, by_strength=True) if ranking.compared else None
        hands = [tuple(random.sample(cards, size)) for _ in range(1500)]
        assert [rows.row_of_code[code_of(np.array(numbers(h)), *rows.arrays)] for h in hands] == [ranking.row(h) for h in hands]
        if strengths:
            codes = [int(code_of(np.array(numbers(h)), *strengths.arrays)) for h in hands]
            by_chapter = sorted(range(len(hands)), key=lambda n: ranking.strength(hands[n]))
            assert all(
                (codes[a] < codes[b]) == (ranking.strength(hands[a]) < ranking.strength(hands[b])) for a, b in pairwise(by_chapter)
            )


@pytest.mark.parametrize("game", ["649a", "679a"])
def test_three_to_three_is_counted_as_a_slow_counter_counts(game: str) -> None:
    """A few hands of the player against every hand of the dealer, by the chapter's own ranker alone."""
    rules = book.find(game).edition()
    main, known, random = main_settlement(rules), states(rules), Random(3)
    compared = next(fact for fact in main.asks if isinstance(fact, Compared))
    reaches = next(fact for fact in main.asks if isinstance(fact, DealerHas))
    for state in random.sample(range(len(known.times)), 4):
        mine = hand(classes(3).cards[state])
        found = np.zeros((2, 3), dtype=int)
        my_strength = compared.ranking.strength(mine)
        for theirs in combinations([card for card in deck() if card not in mine], 3):
            strength = compared.ranking.strength(theirs)
            found[
                int(compared.ranking.is_at_least(theirs, reaches.least)), 1 + (my_strength > strength) - (my_strength < strength)
            ] += 1
        assert (found == known.counts[state]).all()


@njit
def codes_of_all(size: int, plain: Any, suited: Any, suited_size: int) -> Any:
    """The code of every set of this many cards, by index."""
    hand = np.arange(size)
    codes = np.empty(CHOOSE[52, size], dtype=np.int16)
    for at in range(len(codes)):
        codes[at] = code_of(hand, plain, suited, suited_size)
        next_set(hand)
    return codes


def masks_of(size: int) -> NDArray[np.uint64]:
    """The cards of each set as bits, in the order of the indices: each highest card with all sets of lower cards."""
    masks = np.zeros(1, dtype=np.uint64)
    for held in range(1, size + 1):
        masks = np.concatenate([masks[: comb(top, held - 1)] | np.uint64(1 << top) for top in range(52)])
    return masks


def test_five_to_five_with_a_dealer_who_opens_is_what_dealing_out_every_hand_gives() -> None:
    """Crazy 4 Poker: some hands of five, above and below king high, against every five of the other cards."""
    rules = rules_of("C4")
    known, ranking = states(rules), next(fact for fact in main_settlement(rules).asks if isinstance(fact, Compared)).ranking
    five = RankTable(ranking, 5, by_strength=True)
    codes, masks, opens = codes_of_all(5, *five.arrays), masks_of(5), five.least_code("King high")
    for held in ("As Ad Ah Ac 2d", "7s 5d 4h 3c 2d", "Qs Jd 9h 7c 2d", "Ks Qd 8h 4c 2d", "9s 9d 4h 3c 2d", "Kh Qh Jh 9h 2d"):
        numbered = np.array(numbers(cards(held)))
        apart = codes[(masks & np.bitwise_or.reduce(np.uint64(1) << numbered.astype(np.uint64))) == 0]
        mine, counts = int(code_of(numbered, *five.arrays)), known.counts[classes(5).class_of[index_of(numbered, CHOOSE)]]
        for reaches, part in enumerate((apart[apart < opens], apart[apart >= opens])):
            assert [int((part > mine).sum()), int((part == mine).sum()), int((part < mine).sum())] == list(counts[reaches])


@pytest.mark.thorough
def test_removal_counting_is_what_dealing_out_every_hand_gives() -> None:
    """682a: two hands of five against all 10,737,573 sixes of the other cards. 641a: the same for some up cards, and for all together."""
    prime = book.find("682a").edition()
    known = states(prime)
    ranking = next(fact for fact in main_settlement(prime).asks if isinstance(fact, Compared)).ranking
    five, six = RankTable(ranking, 5, by_strength=True), RankTable(ranking, 6, by_strength=True)
    codes = codes_of_all(6, *six.arrays)
    masks = masks_of(6)
    for state in (1234, 98765):
        cards = classes(5).cards[state]
        apart = (masks & np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64))) == 0
        mine = int(code_of(cards, *five.arrays))
        assert [int((codes[apart] > mine).sum()), int((codes[apart] == mine).sum()), int((codes[apart] < mine).sum())] == list(
            known.counts[state, 1]
        )
    poker = states(book.find("641a").edition())
    with_up = poker.counts.reshape(-1, 52, 2, 3)
    for state in (1234, 98765):
        cards = classes(5).cards[state]
        apart = (masks & np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64))) == 0
        mine = int(code_of(cards, *five.arrays))
        for up in sorted(set(range(0, 52, 17)) - set(cards.tolist())):
            shown = codes[apart & (masks >> np.uint64(up) & np.uint64(1) == 1)]
            assert [int((shown > mine).sum()), int((shown == mine).sum()), int((shown < mine).sum())] == list(with_up[state, up, 1])
        # each of the dealer's six may be the face-up card
        assert (with_up[state].sum(axis=0) == 6 * known.counts[state]).all()


def test_all_sets_are_counted_as_dealing_them_out_gives() -> None:
    ranking = next(rule for rule in book.chapter("682a").rules if isinstance(rule, Ranking) and rule.name == "All-Six hand")
    table = RankTable(ranking, 6)
    slow = np.bincount(codes_of_all(6, *table.arrays), minlength=table.levels).tolist()
    assert count_rows(ranking, 6) == dict(zip(table.row_of_code, slow, strict=True))


@pytest.mark.parametrize("size, cards_dealt", [(3, 6), (3, 7), (4, 7)])
def test_the_best_three_or_four_of_many_cards_are_counted_as_dealing_them_out_gives(size: int, cards_dealt: int) -> None:
    """Three cards of each of two suits are two flushes, and four of a suit leave three cards of other suits."""
    ranking, small = compared_hands(size), deck_of(2, 3, 4, 14)
    slow = Counter(ranking.row(hand(held)) for held in combinations(small, cards_dealt))
    assert Counter(count_rows(ranking, cards_dealt, deck=small)) == slow


def test_a_changed_number_in_a_chapter_changes_the_price_and_nothing_else_does() -> None:
    """The straight flush of Pair Plus A raised from 35 to 36: 48 of 22,100 hands win one unit more."""
    source = Path(three_card_poker.__file__).read_text()
    changed = ModuleType("changed")
    changed.__dict__["__name__"] = "changed"
    assert source.count("35 to 1  40 to 1  40 to 1  40 to 1  40 to 1") == 1
    exec(
        compile(
            source.replace("35 to 1  40 to 1  40 to 1  40 to 1  40 to 1", "36 to 1  40 to 1  40 to 1  40 to 1  40 to 1"),
            "changed",
            "exec",
        ),
        changed.__dict__,
    )

    def edge(rules: Rules) -> Fraction:
        return next(
            e.edge for e in Analysis(rules).entries() if e.wager == "Pair Plus Wager" and e.paytables["Pair Plus Wager"] == "A"
        )

    assert edge(three_card_poker.chapter.edition()) - edge(changed.chapter.edition()) == Fraction(48, 22100)


def test_analyze_prices_an_offers_own_choices() -> None:
    rules = book.find("649a").edition()
    offer = check(
        {"wagers": ["Six Card Bonus Wager"], "paytables": {"Ante Bonus": "B", "Pair Plus Wager": "D", "Six Card Bonus Wager": "C"}},
        rules=rules,
        case=True,
    ).offer_or_refuse()
    entries = [entry for entry in analyze(offer) if not entry.readings]
    assert {(entry.wager, percent(entry.edge, 2)) for entry in entries} == {
        ("Ante Wager", "3.61%"), ("Pair Plus Wager", "2.32%"), ("Six Card Bonus Wager", "8.56%"),
    }  # fmt: skip


def test_a_mini_royal_is_priced_where_the_submission_adds_it() -> None:
    """Four of 22,100 hands win 15 units more."""
    rules = book.find("649a").edition()
    plain = check({"wagers": [], "paytables": {"Pair Plus Wager": "A"}}, rules=rules, case=True).offer_or_refuse()
    added = check(
        {"wagers": [], "paytables": {"Pair Plus Wager": "A"}, "mini_royal": {"Pair Plus Wager": 50}}, rules=rules, case=True
    ).offer_or_refuse()
    edges = [next(e.edge for e in analyze(offer) if e.wager == "Pair Plus Wager") for offer in (plain, added)]
    assert edges[0] - edges[1] == Fraction(4 * 15, 22100)


@pytest.mark.parametrize(("held", "worth"), [("Qs 6h 4d", -18_302), ("Qs 6h 3d", -18_471)])
def test_the_worked_example_of_the_documentation(held: str, worth: int) -> None:
    counts = states(book.find("649a").edition()).counts[classes(3).class_of[index_of(np.array(numbers(cards(held))), CHOOSE)]]
    lower, _, higher = counts[1]
    assert counts[0].sum() + 2 * higher - 2 * lower == worth
    text = (Path(__file__).parent.parent.parent / "docs" / "odds.md").read_text()
    assert f"{worth:,} / 18,424" in text


@pytest.mark.thorough
def test_653a_a_folded_progressive_is_forfeited_by_the_cards_that_it_counts() -> None:
    """3-2 with a Flop of three fives, checked and then folded, has three of a kind with the Flop, so the forfeit costs something."""
    rules = book.find("653a").edition()
    readings = {"progressive hand": "hole cards and flop", "folded progressive": "forfeited"}
    offer = check({"wagers": ["Progressive Payout Wager"], "readings": readings}, rules=rules, case=True).offer_or_refuse()
    entry = next(each for each in analyze(offer) if each.wager == "Progressive Payout Wager")
    assert entry.edge > Fraction(1402, 3185)  # the edge where the fold does not lose it
    assert {"Three-of-a-kind, folded", "Nothing, folded"} <= {outcome.hand for outcome in entry.outcomes}
    assert sum(outcome.count for outcome in entry.outcomes) == entry.combinations
