"""Random small chapters: the solvers agree with a slow search of the whole game tree in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.book import common, poker
from croupier.filing.offer import Offer
from croupier.law.fact import COMMUNITY, DEALER, EQUAL, FOLDED, HIGHER, PLAYER, Compared, DealerHas, Holds
from croupier.law.procedure import Act, Deal
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, forfeit, pay, pay_by, push
from croupier.law.wager import Choice, fold, multiples
from croupier.money import to
from croupier.odds.best_play import strategy
from croupier.odds.counters import counter
from croupier.odds.kernels.card_sets import hand
from croupier.odds.simulation.rounds import simulate
from croupier.odds.solvers import boards, enumerator
from croupier.odds.solvers.solution import Solved
from tests.odds import slow
from tests.odds.foreign import begun, offered
from tests.odds.replay import UNIT

pytestmark = pytest.mark.thorough

ROWS = (
    Hand("Threes", poker.of_a_kind(3)),
    Hand("Straight", poker.straight),
    Hand("Two pairs", poker.two_pairs),
    Hand("Aces", poker.of_a_kind(2, 14)),
    Hand("Pair", poker.of_a_kind(2)),
)
DECK, SMALL = slow.deck_of(2, 9, 14), slow.deck_of(2, 14)
some = settings(max_examples=12, suppress_health_check=list(HealthCheck))


def compared(offer: Offer, ends: Iterable[slow.Ended]) -> tuple[Counter[Any], Counter[Any]]:
    """How many deals have which result by which words, counted slowly and by the solver."""
    slowly: Counter[Any] = Counter()
    for end in ends:
        for cents, deals in end.nets.items():
            slowly[", ".join(end.words), Fraction(cents, UNIT)] += deals
    return slowly, said_and_won(counter(offer.rules).solve(offer, DECK))


def said_and_won(solved: Solved) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for (label, net, *_), deals in solved.outcomes.counts.items():
        found[label.partition(":")[0], net] += deals
    return found


def shares(found: Counter[Any]) -> dict[Any, Fraction]:
    """Shares of all deals, because a counter may distinguish the order of some cards."""
    return {what: Fraction(deals, found.total()) for what, deals in found.items() if deals}


@dataclass(frozen=True)
class Streets:
    """Own cards and a board that is turned in steps, with answers before each."""

    own: int
    board: tuple[int, ...]  # cards turned after each decision
    size: int  # of a hand
    bets: tuple[tuple[int, ...], ...]  # multiples of the Ante, for each decision
    folds: tuple[bool, ...]
    stands: tuple[bool, ...]  # whether a player may bet nothing and be asked no more
    pays: tuple[int, ...]  # per row, to 1; a hand that fills none loses

    def offer(self) -> Offer:
        chapter = begun()
        ranking = chapter.ranking(
            "Hand",
            cite="6(a)",
            size=self.size,
            hands=ROWS[3:] if self.size < 3 else (*ROWS[:2], *ROWS[3:]) if self.size < 4 else ROWS,
        )
        bets = [chapter.wager("Ante Wager", cite="7(d)", required=True)]
        script = (Deal(self.own, PLAYER) if self.own else Deal(1, DEALER), Deal(sum(self.board), COMMUNITY))
        common.dealing(chapter, entitled=bets[:1], shoe=script, automated=script)
        for n, turned in enumerate(self.board):
            bet = chapter.wager(f"Bet {n}", cite="7(d)", made_by_decision=True)
            bets.append(bet)
            on = n + 1 < len(self.board)
            choices = [*multiples("bet", bet, *self.bets[n], cite="11(b)", goes_on=on)]
            choices += [Choice("stand", "11(b)")] if self.stands[n] else []
            choices += [fold("11(b)")] if self.folds[n] else []
            choices += [] if len(choices) > 1 else [Choice("check", "11(b)", goes_on=on)]
            chapter.decision(bet.name, cite="11(b)", asked_of=bets[0], knows="cards", choices=choices, unanswered=choices[-1])
            chapter.stage("11(c)", Act.TURN, cards=turned)
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
    assert shares(said_and_won(enumerator.solve(offer, DECK))) == shares(slowly)


def test_a_decision_before_any_card_is_put_in_words_and_simulated() -> None:
    """All cards are community cards. A pair or better is too rare to bet on before seeing a card."""
    offer = Streets(0, (2, 1), 3, ((1, 2), (1,)), (True, True), (False, False), (9, 6, 1, 1)).offer()
    assert strategy(offer).words == ("Bet 0: always fold.", "Bet 1: always bet.")
    (found,) = simulate(offer, 1000, 7)
    assert (found.mean, found.exact) == (-1, -1)


def test_words_count_straights_of_the_size_of_a_hand() -> None:
    """Two of three cards fit at most two straights. With one, 4 cards pay 6 and 6 pay 1 of 50: better than a fold. With none, worse."""
    told = "\n".join(strategy(Streets(2, (1,), 3, ((1,),), (True,), (False,), (9, 6, 1, 1)).offer()).words)
    assert "two that fit one to two straights: bet" in told
    assert "two that fit no straights: fold" in told
    assert "three straights" not in told
    assert "four straights" not in told


def test_words_of_more_cards_than_a_hand_has() -> None:
    """After four of five cards, no straight of three holds all that are seen."""
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
        shown = (Deal(self.dealer - 1, DEALER), Deal(1, DEALER, up=True)) if self.up else (Deal(self.dealer, DEALER),)
        script = (Deal(self.player, PLAYER), *shown)
        common.dealing(chapter, entitled=[ante], shoe=script, automated=script)
        needed = (ranking, self.raises) if self.raises else None
        more = multiples("play", play, *self.bets[1:], cite="11(b)", holding=needed) if self.bets[1:] else ()
        choices = [*more, *multiples("go", play, self.bets[0], cite="11(b)"), fold("11(b)")]
        chapter.decision("Play Wager", cite="11(b)", asked_of=ante, knows="cards", choices=choices, unanswered=choices[-1])
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
    assert shares(said_and_won(enumerator.solve(offer, DECK))) == shares(slowly)


@dataclass(frozen=True)
class Anything:
    """Anyone's cards, shown in any steps, with answers in between: no fast counter knows such a game."""

    own: int
    dealer: int
    board: int
    steps: tuple[tuple[Any, int], ...]  # after each decision but the last: where cards are turned, and how many
    size: int
    bets: tuple[tuple[int, ...], ...]
    raises: str  # the row of the player's own cards that all but the first bet need
    folds: tuple[bool, ...]
    pays: int  # what a pair or better adds
    least: str
    opens: int = 0  # cards of the board that are turned before the first decision

    def offer(self) -> Offer:
        chapter = begun()
        rows = {1: (), 2: ROWS[3:], 3: (*ROWS[:2], *ROWS[3:])}.get(self.size, ROWS)
        ranking = chapter.ranking("Hand", cite="6(a)", size=self.size, compared=True, hands=rows)
        own = chapter.ranking("Own", cite="6(b)", size=self.own, hands=ROWS[3:] if self.own > 1 else ())
        wagers = [chapter.wager("Ante Wager", cite="7(d)", required=True)]
        places = {PLAYER: self.own, DEALER: self.dealer, COMMUNITY: self.board}
        script = (
            Deal(self.own, PLAYER),
            *(Deal(count, place) for place, count in places.items() if place is not PLAYER and count),
        )
        common.dealing(chapter, entitled=wagers[:1], shoe=script, automated=script)
        if self.opens:
            chapter.stage("11(a)", Act.TURN, cards=self.opens)
        for n, several in enumerate(self.bets):
            bet, on = chapter.wager(f"Bet {n}", cite="7(d)", made_by_decision=True), n + 1 < len(self.bets)
            wagers.append(bet)
            needed = (own, self.raises) if self.raises else None
            more = multiples("raise", bet, *several[1:], cite="11(b)", goes_on=on, holding=needed) if several[1:] else ()
            choices = [*more, *multiples("bet", bet, several[0], cite="11(b)", goes_on=on)]
            choices += [fold("11(b)")] if self.folds[n] else [Choice("check", "11(b)", goes_on=on)]
            chapter.decision(bet.name, cite="11(b)", asked_of=wagers[0], knows="cards", choices=choices, unanswered=choices[-1])
            if on and self.steps[n][1]:
                chapter.stage("11(c)", Act.TURN, place=self.steps[n][0], cards=self.steps[n][1])
        for act in (Act.REVEAL, Act.SETTLE, Act.CLEAR):
            chapter.stage("11(c)", act)
        shared = (COMMUNITY,) if self.board else ()
        holds = Holds(ranking, (PLAYER, *shared))
        asks: dict[str, Any] = {"folded": FOLDED, "row": holds}
        if self.dealer:
            asks |= {"how": Compared(ranking, shared), "reaches": DealerHas(ranking, self.least, shared)}

        def ends(folded: bool, row: str, how: Any = HIGHER, reaches: bool = True) -> Iterator[Lines]:
            if folded:
                yield forfeit(*wagers, cite="11(b)")
            elif row in ("Pair", "Aces"):
                yield pay(*wagers, at=to(self.pays), cite="12(a)")
            elif how is EQUAL or not reaches:
                yield push(*wagers, cite="12(a)")
            else:
                won = how is HIGHER and (self.dealer or row != "Nothing")
                yield pay(*wagers, at=to(1), cite="12(a)") if won else forfeit(*wagers, cite="11(c)")

        if self.dealer:

            @chapter.settles(*wagers, cite="11(d)", asks=asks, hand=holds)
            def against(folded: bool, row: str, how: Any, reaches: bool) -> Iterator[Lines]:
                yield from ends(folded, row, how, reaches)

        else:

            @chapter.settles(*wagers, cite="11(d)", asks=asks, hand=holds)
            def alone(folded: bool, row: str) -> Iterator[Lines]:
                yield from ends(folded, row)

        return offered(chapter)


@st.composite
def anything(draw: st.DrawFn) -> Anything:
    own, dealer = draw(st.integers(1, 2)), draw(st.integers(0, 2))
    board = draw(st.integers(0 if dealer else 1, min(2, 5 - own - dealer)))
    several = st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True).map(lambda each: tuple(sorted(each)))
    decisions = draw(st.integers(1, 3))
    left, steps = {DEALER: dealer, COMMUNITY: board}, list[tuple[Any, int]]()
    for _ in range(decisions - 1):
        place = draw(st.sampled_from([DEALER, COMMUNITY]))
        steps.append((place, draw(st.integers(0, left[place]))))
        left[place] -= steps[-1][1]
    size = draw(st.integers(1, min(own + board, dealer + board) if dealer else own + board))
    raises = draw(st.sampled_from(["", "Ace high", *(["Aces"] if own > 1 else [])]))
    bets = tuple(draw(st.lists(several, min_size=decisions, max_size=decisions)))
    folds = tuple(draw(st.lists(st.booleans(), min_size=decisions, max_size=decisions)))
    least = draw(st.sampled_from(["Ace high", "9 high"]))
    return Anything(own, dealer, board, tuple(steps), size, bets, raises, folds, draw(st.integers(1, 3)), least)


@some
@given(anything())
def test_any_cards_in_any_steps(game: Anything) -> None:
    """Compared only with a list of all deals and answers."""
    offer = game.offer()
    slowly: Counter[Any] = Counter()
    for end in slow.every_tree(offer, hand(SMALL)):
        for cents, deals in end.nets.items():
            slowly[", ".join(end.words), Fraction(cents, UNIT)] += deals
    assert said_and_won(enumerator.solve(offer, SMALL)) == slowly


@st.composite
def hold_em(draw: st.DrawFn) -> Anything:
    """Two cards each and a board in streets. The last decision may come before or after the last card."""
    board = draw(st.integers(3, 4))
    seen = sorted(draw(st.sets(st.integers(0, board), min_size=1, max_size=3)))
    several = st.lists(st.integers(1, 3), min_size=1, max_size=2, unique=True).map(lambda each: tuple(sorted(each)))
    bets = tuple(draw(st.lists(several, min_size=len(seen), max_size=len(seen))))
    folds = tuple(draw(st.lists(st.booleans(), min_size=len(seen), max_size=len(seen))))
    steps = tuple((COMMUNITY, more - fewer) for fewer, more in pairwise(seen))
    least = draw(st.sampled_from(["Ace high", "Pair", "Aces"]))
    return Anything(2, 2, board, steps, 3, bets, "", folds, draw(st.integers(1, 3)), least, seen[0])


@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(hold_em())
def test_two_cards_and_a_board_in_any_streets(game: Anything) -> None:
    """By the bets made and their results."""
    offer = game.offer()
    assert counter(offer.rules).solve is boards.solve
    slowly: Counter[Any] = Counter()
    for end in slow.every_tree(offer, hand(SMALL)):
        said = [
            next(each for each in at.choices if each.word == word)
            for at, word in zip(offer.rules.decisions, end.words, strict=False)
        ]
        bets = ", ".join(choice.in_full for choice in said if choice.makes and "fold" not in end.words)
        for cents, deals in end.nets.items():
            slowly[bets, Fraction(cents, UNIT)] += deals
    found: Counter[Any] = Counter()
    for (label, net, *_), deals in boards.solve(offer, SMALL).outcomes.counts.items():
        found[label.partition(": ")[0] if ": " in label else "", net] += deals
    assert shares(found) == shares(slowly)
