"""Random small chapters: what the solvers make of them is what a slow search of the whole game tree in plain Python finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.book import common, poker
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, EQUAL, FOLDED, HIGHER, PLAYER, Compared, DealerHas, Has, Holds
from croupier.law.procedure import Act, Deal, Each, Face
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, forfeit, pay, pay_by, push
from croupier.law.wager import Choice, Unanswered, fold, multiples
from croupier.money import to
from croupier.odds.kernels.card_sets import deck_of, hand
from croupier.odds.solvers.dispatch import solver
from croupier.odds.strategy.best_play import strategy
from tests.odds import slow
from tests.odds.foreign import begun, offered
from tests.odds.replay import UNIT

pytestmark = pytest.mark.proof
ROWS = (
    Hand("Threes", poker.of_a_kind(3)),
    Hand("Straight", poker.straight),
    Hand("Two pairs", poker.two_pairs),
    Hand("Aces", poker.of_a_kind(2, 14)),
    Hand("Pair", poker.of_a_kind(2)),
)
DECK = deck_of(2, 9, 14)
some = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def compared(offer: Offer, ends: Iterable[slow.Ended]) -> tuple[Counter[Any], Counter[Any]]:
    """How many deals come to what by which words, slowly and as the solver counts them."""
    slowly: Counter[Any] = Counter()
    for end in ends:
        for cents, deals in end.nets.items():
            slowly[", ".join(end.words), Fraction(cents, UNIT)] += deals
    fast: Counter[Any] = Counter()
    for (label, net, *_), deals in solver(offer.rules).solve(offer, DECK).outcomes.counts.items():
        fast[label.partition(":")[0], net] += deals
    return slowly, fast


@dataclass(frozen=True)
class Streets:
    """Own cards and a board that is turned in steps, with answers before each."""

    own: int
    board: tuple[int, ...]  # cards turned after each decision
    size: int  # of a hand
    bets: tuple[tuple[int, ...], ...]  # multiples of the Ante, for each decision
    folds: tuple[bool, ...]
    stands: tuple[bool, ...]  # whether one may bet nothing and be asked no more
    pays: tuple[int, ...]  # of each row, to 1; a hand that fills none loses

    def offer(self) -> Offer:
        chapter = begun()
        ranking = chapter.ranking(
            "Hand",
            cite="6(a)",
            size=self.size,
            hands=ROWS[3:] if self.size < 3 else (*ROWS[:2], *ROWS[3:]) if self.size < 4 else ROWS,
        )
        bets = [chapter.wager("Ante Wager", cite="7(d)", required=True)]
        script = (Each((Deal(self.own, PLAYER),)), Deal(sum(self.board), COMMUNITY))
        common.dealing(chapter, entitled=bets[:1], shoe=script, automated=script)
        for n, turned in enumerate(self.board):
            bet = chapter.wager(f"Bet {n}", cite="7(d)", made_by_decision=True)
            bets.append(bet)
            on = n + 1 < len(self.board)
            choices = [*multiples("bet", bet, *self.bets[n], cite="11(b)", goes_on=on)]
            choices += [Choice("stand", "11(b)")] if self.stands[n] else []
            choices += [fold("11(b)")] if self.folds[n] else []
            choices += [] if len(choices) > 1 else [Choice("check", "11(b)", goes_on=on)]
            decision = chapter.decision(
                bet.name, cite="11(b)", asked_of=bets[0], knows="cards", choices=choices, unanswered=Unanswered(choices[-1])
            )
            chapter.stage("11(b)", Act.ASK, decision=decision)
            chapter.stage("11(c)", Act.TURN, cards=turned, place=COMMUNITY)
        chapter.stage("11(d)", Act.SETTLE)
        chapter.stage("11(e)", Act.CLEAR)
        holds = Holds(ranking, (PLAYER, COMMUNITY))
        rows = "\n".join(
            f"{row}   {pays} to 1" for row, pays in zip((each.name for each in ranking.hands), self.pays, strict=False)
        )
        table = chapter.paytable("Bets", f"{rows}\n", cite="12(a)", hands=ranking)

        @chapter.settles(*bets, cite="11(d)", asks={"folded": FOLDED, "row": holds}, hand=holds)
        def settle(folded: bool, row: str) -> Iterator[Lines]:
            for bet in bets:
                yield forfeit(bet, cite="11(b)") if folded else pay_by(table, row, on=bet)

        return offered(chapter)


@st.composite
def streets(draw: st.DrawFn) -> Streets:
    own, board = draw(st.integers(1, 3)), tuple(draw(st.lists(st.integers(1, 2), min_size=1, max_size=3)))
    cards = own + sum(board)
    if cards > 4:
        own, board = 2, (1, 1)
    decisions = len(board)
    several = st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True).map(lambda each: tuple(sorted(each)))
    size = draw(st.integers(2, own + sum(board)))
    pays = draw(st.lists(st.integers(1, 9), min_size=5, max_size=5))
    yes_or_no = st.lists(st.booleans(), min_size=decisions, max_size=decisions).map(tuple)
    bets = draw(st.lists(several, min_size=decisions, max_size=decisions))
    return Streets(own, board, size, tuple(bets), draw(yes_or_no), draw(yes_or_no), tuple(pays))


@some
@given(streets())
def test_own_and_community_cards_in_any_steps(game: Streets) -> None:
    offer = game.offer()
    slowly, fast = compared(offer, slow.by_streets(offer, hand(DECK)))
    assert fast == slowly


def test_words_count_straights_of_the_size_of_a_hand() -> None:
    """Two cards of three fit at most two straights. With one, 4 cards pay 6 and 6 pay 1 of 50: better than a fold; with none not."""
    told = "\n".join(strategy(Streets(2, (1,), 3, ((1,),), (True,), (False,), (9, 6, 1, 1)).offer()).words)
    assert "two that fit one to two straights: bet" in told
    assert "two that fit no straights: fold" in told
    assert "three straights" not in told
    assert "four straights" not in told


def test_words_of_more_cards_than_a_hand_has() -> None:
    """After four of five cards no straight of three holds all that are seen."""
    assert strategy(Streets(2, (2, 1), 3, ((1,), (1,)), (True, True), (False, False), (9, 6, 1, 1)).offer()).words


@dataclass(frozen=True)
class Against:
    """One decision against a dealer."""

    player: int
    dealer: int
    size: int
    up: bool
    least: str
    bets: tuple[int, ...]
    raises: str  # the row that all but the first bet need
    bonus: int  # what a pair of aces adds

    def offer(self) -> Offer:
        chapter = begun()
        rows = {2: (*ROWS[1:2], *ROWS[3:]), 3: (*ROWS[:2], *ROWS[3:])}.get(self.size, ROWS)
        ranking = chapter.ranking("Hand", cite="6(a)", size=self.size, compared=True, hands=rows)
        ante, play = (
            chapter.wager("Ante Wager", cite="7(d)", required=True),
            chapter.wager("Play Wager", cite="7(d)", made_by_decision=True),
        )
        shown = (Deal(self.dealer - 1, DEALER), Deal(1, DEALER, Face.UP)) if self.up else (Deal(self.dealer, DEALER),)
        script = (Each((Deal(self.player, PLAYER),)), *shown)
        common.dealing(chapter, entitled=[ante], shoe=script, automated=script)
        needed = Has(ranking, self.raises) if self.raises else None
        more = multiples("play", play, *self.bets[1:], cite="11(b)", holding=needed) if self.bets[1:] else ()
        choices = [*more, *multiples("go", play, self.bets[0], cite="11(b)"), fold("11(b)")]
        decision = chapter.decision(
            "Play Wager", cite="11(b)", asked_of=ante, knows="cards", choices=choices, unanswered=Unanswered(choices[-1])
        )
        chapter.stage("11(b)", Act.ASK, decision=decision)
        for act in (Act.COLLECT, Act.REVEAL, Act.SETTLE, Act.CLEAR):
            chapter.stage("11(c)", act)
        holds, reaches = Holds(ranking), DealerHas(ranking, self.least)

        @chapter.settles(
            ante,
            play,
            cite="11(c)",
            asks={"folded": FOLDED, "how": Compared(ranking), "row": holds, "reaches": reaches},
            hand=holds,
        )
        def settle(folded: bool, how: Any, row: str, reaches: bool) -> Iterator[Lines]:
            if folded:
                yield forfeit(ante, cite="11(b)")
            elif row == "Aces":
                yield pay(ante, play, at=to(self.bonus), cite="12(a)")
            elif not reaches:
                yield pay(ante, at=to(1), cite="12(a)")
                yield push(play, cite="12(a)")
            elif how is EQUAL:
                yield push(ante, play, cite="12(a)")
            else:
                yield pay(ante, play, at=to(1), cite="12(a)") if how is HIGHER else forfeit(ante, play, cite="11(c)")

        return offered(chapter)


@st.composite
def duels(draw: st.DrawFn) -> Against:
    player, dealer = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    size = draw(st.integers(2, min(player, dealer)))
    least = draw(st.sampled_from(["Ace high", "9 high", "Pair", "Aces"]))
    bets = tuple(sorted(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3, unique=True))))
    raises = draw(st.sampled_from(["", "Pair", "Aces"])) if len(bets) > 1 else ""
    return Against(player, dealer, size, draw(st.booleans()), least, bets, raises, draw(st.integers(1, 3)))


@some
@given(duels())
def test_one_decision_against_a_dealer_of_any_size(game: Against) -> None:
    offer = game.offer()
    slowly, fast = compared(offer, slow.against_dealer(offer, hand(DECK)))
    assert fast == slowly
