"""Relatives of 653a, written from the vocabulary: Casino Hold'em and Texas Hold'em Bonus, compared with their published figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from croupier.book import common, poker
from croupier.cards import cards
from croupier.filing.offer import Offer
from croupier.law.chapter import Chapter
from croupier.law.fact import COMMUNITY, DEALER, EQUAL, FOLDED, LOWER, PLAYER, Compared, DealerHas, Holds
from croupier.law.procedure import Act, Deal
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, collect, forfeit, pay, pay_by, push
from croupier.law.wager import Choice, Wager, fold, multiples
from croupier.money import percent, to
from croupier.odds.advice import advise
from croupier.odds.best_play import strategy
from croupier.odds.counters import counter
from croupier.odds.simulation import players
from croupier.odds.solvers import boards
from croupier.odds.solvers.shapes import game_shape
from croupier.odds.solvers.solution import Solved
from tests.odds.foreign import begun, offered
from tests.odds.replay import nets
from tests.odds.test_random_chapters import Anything

pytestmark = pytest.mark.thorough

SCRIPT = (Deal(2, PLAYER), Deal(2, DEALER))


def asked(chapter: Chapter, ante: Wager, name: str, *choices: Choice) -> None:
    chapter.decision(name, cite="11(b)", asked_of=ante, knows="cards", choices=choices, unanswered=choices[-1])


@cache
def casino_hold_em() -> Offer:
    """A Flop, then twice the Ante or fold. The dealer needs a pair of fours, and the Ante is paid by the player's hand."""
    chapter = begun()
    pairs = (Hand("Fours or better", poker.of_a_kind(2, at_least=4)), Hand("Pair", poker.of_a_kind(2)))
    ranking = chapter.ranking("Hand", cite="6(a)", size=5, compared=True, hands=(*poker.hands(5, down_to="Two pairs"), *pairs))
    paid = (*poker.hands(5, down_to="Flush"), Hand("Straight or less", lambda _: True))
    ladder = chapter.ranking("Ante hand", cite="6(b)", size=5, hands=paid)
    ante = chapter.wager("Ante Wager", cite="7(d)", required=True)
    call = chapter.wager("Call Wager", cite="7(d)", made_by_decision=True)
    common.dealing(chapter, entitled=[ante], shoe=SCRIPT, automated=SCRIPT)
    chapter.stage("11(a)", Act.DEAL, cards=3)
    asked(chapter, ante, "Call Wager", *multiples("call", call, 2, cite="11(b)"), fold("11(b)"))
    chapter.stage("11(c)", Act.DEAL, cards=2)
    for act in (Act.REVEAL, Act.SETTLE, Act.CLEAR):
        chapter.stage("11(c)", act)
    table = chapter.paytable("Ante Wager", """
        Royal flush        100 to 1
        Straight flush     20 to 1
        Four-of-a-kind     10 to 1
        Full house         3 to 1
        Flush              2 to 1
        Straight or less   1 to 1
    """, cite="12(a)", hands=ladder)  # fmt: skip
    holds, row = Holds(ranking, (PLAYER, COMMUNITY)), Holds(ladder, (PLAYER, COMMUNITY))
    facts = {"how": Compared(ranking, (COMMUNITY,)), "opens": DealerHas(ranking, "Fours or better", (COMMUNITY,)), "row": row}

    @chapter.settles(ante, call, cite="11(d)", asks={"folded": FOLDED, **facts}, hand=holds)
    def settle(folded: bool, how: Any, opens: bool, row: str) -> Iterator[Lines]:
        if folded:
            yield forfeit(ante, cite="11(b)")
        elif not opens:
            yield pay_by(table, row, on=ante)
            yield push(call, cite="11(d)")
        elif how is LOWER:
            yield collect(ante, call, cite="11(d)")
        elif how is EQUAL:
            yield push(ante, call, cite="11(d)")
        else:
            yield pay_by(table, row, on=ante)
            yield pay(call, at=to(1), cite="12(a)")

    return offered(chapter)


@cache
def hold_em_bonus(least: str) -> Offer:
    """Twice the Ante or fold with two cards. Once more or not after the Flop and after the turn. The Ante pays from a certain row up."""
    chapter = begun()
    ranking = chapter.ranking("Hand", cite="6(a)", size=5, compared=True, hands=poker.hands(5))
    ladder = chapter.ranking("Ante hand", cite="6(b)", size=5, hands=poker.hands(5, down_to=least))
    ante = chapter.wager("Ante Wager", cite="7(d)", required=True)
    bets = [chapter.wager(f"{name} Wager", cite="7(d)", made_by_decision=True) for name in ("Flop", "Turn", "River")]
    common.dealing(chapter, entitled=[ante], shoe=SCRIPT, automated=SCRIPT)
    asked(chapter, ante, "Flop Wager", *multiples("bet", bets[0], 2, cite="11(b)", goes_on=True), fold("11(b)"))
    for bet, turned in zip(bets[1:], (3, 1), strict=True):
        chapter.stage("11(c)", Act.DEAL, cards=turned)
        on = bet is bets[1]
        choices = [*multiples("bet", bet, 1, cite="11(b)", goes_on=on), Choice("check", "11(b)", goes_on=on)]
        asked(chapter, ante, bet.name, *choices)
    chapter.stage("11(c)", Act.DEAL, cards=1)
    for act in (Act.REVEAL, Act.SETTLE, Act.CLEAR):
        chapter.stage("11(c)", act)
    holds, row = Holds(ranking, (PLAYER, COMMUNITY)), Holds(ladder, (PLAYER, COMMUNITY))
    facts = {"how": Compared(ranking, (COMMUNITY,)), "row": row}

    @chapter.settles(ante, *bets, cite="11(d)", asks={"folded": FOLDED, **facts}, hand=holds)
    def settle(folded: bool, how: Any, row: str) -> Iterator[Lines]:
        if folded:
            yield forfeit(ante, cite="11(b)")
        elif how is LOWER:
            yield collect(ante, *bets, cite="11(d)")
        elif how is EQUAL:
            yield push(ante, *bets, cite="11(d)")
        else:
            yield pay(*bets, at=to(1), cite="12(a)")
            yield push(ante, cite="12(a)") if row == "Nothing" else pay(ante, at=to(1), cite="12(a)")

    return offered(chapter)


def solved(offer: Offer) -> Solved:
    found = counter(offer.rules)
    assert found.solve is boards.solve
    return found.solve(offer)


def test_a_qualifier_that_says_or_better_says_it_once() -> None:
    assert "“dealer has fours or better”" in game_shape(casino_hold_em().rules).words


@pytest.mark.slow
def test_casino_hold_em_has_its_published_edge() -> None:
    """2.16 percent of the Ante, with a call in 82 percent of all hands."""
    found = solved(casino_hold_em())
    assert percent(found.edge, 2) == "2.16%"
    called = sum(count for key, count in found.outcomes.counts.items() if key[0].startswith("call"))
    assert round(100 * called / found.outcomes.deals) == 82


@pytest.mark.slow
def test_hold_em_bonus_has_its_published_edge() -> None:
    """2.04 percent of the Ante where a straight wins it. Fold only the lowest offsuit hands, from 3-2 to 7-2."""
    offer = hold_em_bonus("Straight")
    assert percent(solved(offer).edge, 2) == "2.04%"
    best = {held: advise(offer, cards(held))[0].choice for held in ("7c 2d", "3c 2d", "8c 2d", "4c 3d", "3c 2c", "2c 2d")}
    assert {held for held, choice in best.items() if choice == "fold"} == {"7c 2d", "3c 2d"}


@pytest.mark.parametrize("seen", [(0, 3), (1, 2), (2,)], ids=str)
def test_words_and_simulated_rounds_with_a_board_of_three(seen: tuple[int, ...]) -> None:
    """Asked at the end, before the last card, or only early: the words cost something, and rounds are settled as the chapter says."""
    steps = tuple((COMMUNITY, more - fewer) for fewer, more in pairwise(seen))
    folds = (False,) * (len(seen) - 1) + (True,)
    verify_words_and_rounds(Anything(2, 2, 3, steps, 3, ((1, 2),) * len(seen), "", folds, 2, "Pair", seen[0]).offer())


@pytest.mark.slow
@pytest.mark.parametrize("make", [casino_hold_em, lambda: hold_em_bonus("Straight")], ids=["casino", "bonus"])
def test_words_and_simulated_rounds_of_a_relative(make: Callable[[], Offer]) -> None:
    verify_words_and_rounds(make())


def verify_words_and_rounds(offer: Offer) -> None:
    told = strategy(offer)
    assert len(told.words) == len(offer.rules.decisions)
    assert 0 <= told.simplified[0].cost < Fraction(1, 4)
    player = players.player(offer, "best", 1)
    sums, found = player.play(11, 3, 400), [net for each in nets(offer, player, 11, 3, 400) for (net, *_) in each]
    assert int(sums[0][0]) == sum(found) * player.wagers[0].scale
    assert int(sums[0][1]) == sum(net**2 for net in found) * player.wagers[0].scale ** 2
    mean = player.play(7, 0, 200_000)[0]
    wager, rounds = player.wagers[0], 200_000
    deviation = (float(mean[1]) / wager.scale**2 / rounds) ** 0.5
    assert wager.exact is not None
    assert abs(int(mean[0]) / wager.scale / rounds - float(wager.exact)) < 4.4172 * deviation / rounds**0.5
