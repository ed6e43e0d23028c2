"""Games and wagers that look like those the counters know but are not. Each is refused with the reason.

Each of them was once priced as something else, or crashed the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from croupier.book import common, poker
from croupier.cards import cards
from croupier.filing.offer import Offer
from croupier.law.cite import Refusal
from croupier.law.fact import (
    COMMUNITY,
    DEALER,
    FOLDED,
    HIGHER,
    LOWER,
    PLAYER,
    Compared,
    DealerHas,
    Holds,
    Named,
    Position,
)
from croupier.law.procedure import Act, Deal, Script
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, collect, forfeit, pay, pay_bonus, pay_by, push
from croupier.law.wager import Wager, fold, multiples
from croupier.money import to
from croupier.odds.advice import advise
from croupier.odds.best_play import strategy
from croupier.odds.counters import counter
from croupier.odds.kernels.card_sets import hand
from croupier.odds.prices import prices
from croupier.odds.simulation import players
from croupier.odds.simulation.rounds import simulate
from croupier.odds.solvers import enumerator
from croupier.odds.solvers.main_game import NotCounted
from tests.examples import thorough
from tests.odds import slow
from tests.odds.replay import UNIT
from tests.odds.test_foreign import HANDS, begun, offered

FIVES = poker.hands(5, down_to="Three-of-a-kind")
RUNS = (*HANDS[:2], Hand("Straight", poker.straight), *HANDS[2:])
PAIRS = (Hand("Pair", poker.of_a_kind(2)),)


@pytest.fixture(autouse=True)
def apart(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))


def refused(offer: Offer) -> dict[str, str]:
    """What is not counted. Recomputed each time, because the chapters in these tests share one number."""
    return prices(offer, fresh=True).not_counted


@dataclass
class Duel:
    """One decision against a dealer, as in 649a and 682a, except for what a test changes."""

    player: int = 3
    size: int = 0  # of the hands that are compared
    hands: tuple[Hand, ...] = RUNS
    least: str = ""  # what the dealer needs to qualify
    raises: str = ""  # the row that a hand needs to play at twice the Ante
    dealt: Script = ()
    up: bool = False  # the player's cards
    first: tuple[tuple[Act, int, Any], ...] = ()  # stages before the decision
    blind: dict[str, Any] = field(default_factory=dict)  # a second wager before the deal
    apart: bool = False  # the Play Wager is settled separately
    bonus: str = ""  # a paytable of the main game

    def offer(self) -> Offer:
        chapter = begun()
        ranking = chapter.ranking("Hand", cite="6(a)", size=self.size or min(self.player, 4), compared=True, hands=self.hands)
        ante = chapter.wager("Ante Wager", cite="7(d)", required=True)
        blind = [chapter.wager("Blind Wager", cite="7(d)", required=True, **self.blind)] if self.blind else []
        play = chapter.wager("Play Wager", cite="7(d)", made_by_decision=True)
        script = (Deal(self.player, PLAYER, self.up), *(self.dealt or (Deal(self.player, DEALER),)))
        common.dealing(chapter, entitled=[ante], shoe=script, automated=script)
        for act, count, place in self.first:
            chapter.stage("11(a)", act, cards=count, place=place)
        more = multiples("play", play, 2, cite="11(b)", holding=(ranking, self.raises)) if self.raises else ()
        choices = [*more, *multiples("play", play, 1, cite="11(b)"), fold("11(b)")]
        silent = choices[-1]
        chapter.decision("Play Wager", cite="11(b)", asked_of=ante, knows="his cards", choices=choices, unanswered=silent)
        for act in (Act.COLLECT, Act.REVEAL, Act.SETTLE, Act.CLEAR):
            chapter.stage("11(c)", act)
        holds, compared = Holds(ranking), Compared(ranking)
        together = [ante, *blind, *([] if self.apart else [play])]
        table = chapter.paytable("Ante Bonus", self.bonus, cite="12(b)", hands=ranking) if self.bonus else None

        def settle(wagers: list[Wager], folded: bool, how: Any, row: str, reaches: bool = True) -> Iterator[Lines]:
            if not (folded or reaches):
                yield pay(ante, at=to(1), cite="12(a)")
                yield push(play, cite="12(a)")
            elif folded:
                yield forfeit(*(wager for wager in wagers if not wager.made_by_decision), cite="11(b)")
            elif how is LOWER:
                yield collect(*wagers, cite="11(c)")
            elif how is HIGHER:
                yield pay(*wagers, at=to(1), cite="12(a)")
            else:
                yield push(*wagers, cite="11(c)")
            if table and not folded:
                yield pay_bonus(table, row, on=ante)

        asks = {"folded": FOLDED, "how": compared, "row": holds}
        if self.least:

            @chapter.settles(*together, cite="11(c)", asks={**asks, "reaches": DealerHas(ranking, self.least)}, hand=holds)
            def qualified(folded: bool, how: Any, row: str, reaches: bool) -> Iterator[Lines]:
                yield from settle(together, folded, how, row, reaches)

        else:

            @chapter.settles(*together, cite="11(c)", asks=asks, hand=holds)
            def main(folded: bool, how: Any, row: str) -> Iterator[Lines]:
                yield from settle(together, folded, how, row)

        if self.apart:

            @chapter.settles(play, cite="11(c)", asks={"folded": FOLDED, "row": holds}, hand=holds)
            def raised(folded: bool, row: str) -> Iterator[Lines]:
                if not folded:
                    yield pay(play, at=to(1), cite="12(a)") if row == "Pair" else collect(play, cite="11(c)")

        return offered(chapter)


MAIN = {
    "two cards of three": (Duel(player=2, size=3, dealt=(Deal(3, DEALER),)), "a row of 2 cards in a hand of 3: 2 player's cards"),
    "two cards of six are dealt face up": (Duel(player=5, dealt=(Deal(4, DEALER), Deal(2, DEALER, up=True))), "2 of them face up"),
    "the raise is settled apart": (Duel(apart=True), "“Play Wager” is settled apart from “Ante Wager”"),
    "a second wager of any amount": (Duel(blind={"needs": ()}), "“Blind Wager” need not equal “Ante Wager”"),
    "a fixed sum": (Duel(bonus="Pair   $100\n"), "the Ante Wager is paid fixed sums or from a meter"),
}


@pytest.mark.parametrize("name", MAIN)
def test_a_main_game_that_only_looks_like_a_known_one_is_refused_by_every_solver(name: str) -> None:
    duel, sentence = MAIN[name]
    offer = duel.offer()
    found = prices(offer)
    assert sentence in found.not_counted["Ante Wager"]
    assert "Ante Wager" not in [price["wager"] for price in found.wagers]
    held = cards("As Ks Qs Js 9d 4c 2c")[: duel.player]
    ways: list[Callable[[], Any]] = [lambda: strategy(offer), lambda: advise(offer, held), lambda: simulate(offer, 1000, 7)]
    for ask in ways:
        with pytest.raises(NotCounted) as refusal:
            ask()
        assert sentence in str(refusal.value)


def test_a_game_that_takes_too_long_to_deal_out_says_how_long() -> None:
    """C(52, 5) hands against C(47, 6), and which two of the six are face up: 4 × 10^14 deals, or 2 × 10^13 up to suits."""
    says = prices(MAIN["two cards of six are dealt face up"][0].offer()).not_counted["Ante Wager"]
    assert "about 21," in says and "deals, about" in says and "hours" in says


@pytest.mark.thorough
def test_rounds_of_a_game_that_takes_too_long_to_deal_out_are_simulated_with_a_plain_player() -> None:
    """Best play is unknown, so each player plays every hand. Where both have three cards, that is an even game."""
    offer = MAIN["two cards of six are dealt face up"][0].offer()
    with pytest.raises(NotCounted, match=r"simulate --strategy .always play."):
        simulate(offer, 1000, 7)
    (found,) = simulate(offer, 20_000, 7, strategy="always play")
    assert (found.exact, found.agrees, found.error) == (None, None, None)
    assert -2 < found.mean < 0, "six cards beat five"
    even = Duel(dealt=(Deal(1, DEALER), Deal(2, DEALER, up=True)))
    assert players.player(even.offer(), "always play", 1).wagers[0].exact == 0


UP = (Deal(1, DEALER, up=True),)
SIZES = {
    "three to three": (Duel(least="Queen high"), (2, 3, 4, 12)),
    "three to three with an up card": (Duel(least="Queen high", dealt=(Deal(2, DEALER), *UP)), (2, 3, 4, 12)),
    "three to three with a card turned": (Duel(first=((Act.TURN, 1, DEALER),)), (2, 3, 4, 12)),
    "three to four": (Duel(size=3, least="Pair", dealt=(Deal(4, DEALER),)), (2, 3, 12)),
    "four to three": (Duel(player=4, size=3, least="Queen high", dealt=(Deal(3, DEALER),)), (2, 3, 4, 12)),
    "four to three with an up card": (Duel(player=4, size=3, least="Queen high", dealt=(Deal(2, DEALER), *UP)), (2, 3, 12)),
    "four to four, some of which may raise": (Duel(player=4, size=4, raises="Three-of-a-kind"), (2, 3, 12)),
    "five to three": (Duel(player=5, size=3, dealt=(Deal(3, DEALER),)), (2, 3, 12)),
    "five to seven": (Duel(player=5, size=3, least="Three-of-a-kind", dealt=(Deal(7, DEALER),)), (2, 3, 12)),
    "six to four": (Duel(player=6, size=4, dealt=(Deal(4, DEALER),)), (2, 3, 12)),
}
DEALT_OUT = {
    "the dealer's cards are seen first": (Duel(first=((Act.REVEAL, 0, None),)), (2, 3, 12)),
    "two of the dealer's are turned first": (Duel(first=((Act.TURN, 2, DEALER),), least="Queen high"), (2, 3, 12)),
    "the player's cards are dealt face up": (Duel(up=True), (2, 3, 12)),
    "seven cards against three": (Duel(player=7, size=3, dealt=(Deal(3, DEALER),)), (2, 3, 12)),
    "ace high where no straight counts": (Duel(hands=HANDS, least="Ace high"), (2, 3, 14)),
}


@pytest.mark.parametrize("name", thorough(DEALT_OUT, unless=["ace high where no straight counts"]))
def test_a_game_that_no_fast_counter_knows_is_dealt_out(name: str) -> None:
    duel, ranks = DEALT_OUT[name]
    offer, deck = duel.offer(), slow.deck_of(*ranks)
    found = counter(offer.rules)
    assert found.solve is enumerator.solve
    slowly: Counter[Any] = Counter()
    for end in slow.every_tree(offer, hand(deck)):
        for cents, deals in end.nets.items():
            slowly[end.words[0], Fraction(cents, UNIT)] += deals
    fast: Counter[Any] = Counter()
    for (label, net, *_), deals in found.solve(offer, deck).outcomes.counts.items():
        fast[label.partition(":")[0], net] += deals
    assert fast == slowly


def test_what_a_choice_is_worth_with_all_cards_on_the_table() -> None:
    """A pair of queens beats the dealer's exposed pair of threes: one unit on each of two wagers, or none on the raise."""
    offer = Duel(first=((Act.REVEAL, 0, None),), raises="Pair").offer()
    told = advise(offer, cards("Qs Qd 4c"), cards("3s 3d 2c"))
    assert {each.choice: each.value for each in told} == {"play 2x": 3, "play": 2, "fold": -1}
    told = advise(offer, cards("Ks Qd 4c"), cards("3s 3d 2c"))
    assert {each.choice: each.value for each in told} == {"fold": -1, "play": -2}
    with pytest.raises(Refusal, match="no up card"):
        advise(offer, cards("Ks Qd 4c"))


@pytest.mark.parametrize("name", thorough(SIZES, unless=["three to three with an up card", "five to seven"]))
def test_hands_of_any_sizes_are_counted_as_dealing_out_a_small_deck_gives(name: str) -> None:
    """By what is said and its result, over every deal."""
    duel, ranks = SIZES[name]
    offer, deck = duel.offer(), slow.deck_of(*ranks)
    slowly: Counter[Any] = Counter()
    for end in slow.against_dealer(offer, hand(deck)):
        for cents, deals in end.nets.items():
            slowly[end.words[0], Fraction(cents, UNIT)] += deals
    fast: Counter[Any] = Counter()
    for (label, net, *_), deals in counter(offer.rules).solve(offer, deck).outcomes.counts.items():
        fast[label.partition(":")[0], net] += deals
    assert fast == slowly


def test_the_same_game_without_the_difference_is_counted() -> None:
    offer = Duel().offer()
    assert not prices(offer).not_counted
    assert strategy(offer).edge == Fraction(prices(offer).wagers[0]["edge"])


# hands that are set


def setting(mine: Callable[[Position], int], theirs: Callable[[Position], int], *, seen: bool = False) -> Offer:
    """Five cards set into two hands, as in 680a, with points that are seen so."""
    chapter = begun()
    ante = chapter.wager("Ante Wager", cite="7(d)", required=True)
    script = (Deal(5, PLAYER), Deal(5, DEALER))
    common.dealing(chapter, entitled=[ante], shoe=script, automated=script)
    if seen:
        chapter.stage("11(b)", Act.REVEAL)
    any_way = chapter.reading(
        "setting", cite="11(b)", question="How?", alternatives={"as told": "so", "any": "any way"}, because="it is told"
    )
    chapter.setting(
        "11(b)",
        "any three",
        of=ante,
        reveals=lambda three: True,
        values=lambda card: (min(card.rank, 10),),
        allows=lambda five, three: True,
        unless=(any_way, "any"),
        unset=any_way,
        notes=[],
    )
    if not seen:
        chapter.stage("11(b)", Act.REVEAL)
    chapter.stage("11(c)", Act.SETTLE)
    chapter.stage("11(d)", Act.CLEAR)
    facts = {"one": Named("player's points", (0, 1), mine), "other": Named("dealer's points", (0, 1), theirs)}

    @chapter.settles(ante, cite="11(c)", asks=facts)
    def settle(one: int, other: int) -> Iterator[Lines]:
        yield pay(ante, at=to(1), cite="12(a)") if one > other else collect(ante, cite="11(c)")

    return offered(chapter)


def ten(position: Position, place: Any) -> int:
    return int(any(card.rank >= 10 for card in position.at(place)))


def suited(position: Position, place: Any) -> int:
    return int(len({card.suit for card in position.at(place)}) == 1)


def test_a_setting_by_values_is_counted_and_one_by_suits_or_by_the_other_hand_is_not() -> None:
    right = setting(lambda p: ten(p, PLAYER), lambda p: ten(p, DEALER))
    assert not refused(right)
    open_dealer = setting(lambda p: ten(p, PLAYER), lambda p: ten(p, DEALER), seen=True)
    assert "the dealer's cards are turned up before the last decision" in refused(open_dealer)["Ante Wager"]
    by_suit = setting(lambda p: suited(p, PLAYER), lambda p: ten(p, DEALER))
    assert "“player's points” looks at a card's suit" in refused(by_suit)["Ante Wager"]
    dealers_suit = setting(lambda p: ten(p, PLAYER), lambda p: suited(p, DEALER))
    assert "“dealer's points” looks at a card's suit" in refused(dealers_suit)["Ante Wager"]
    by_other = setting(lambda p: ten(p, DEALER), lambda p: ten(p, DEALER))
    assert "“player's points” looks at the dealer's cards" in refused(by_other)["Ante Wager"]
    kings = setting(lambda p: int(any(card.rank == 13 for card in p.at(PLAYER))), lambda p: ten(p, DEALER))
    assert "“player's points” tells cards of one value apart" in refused(kings)["Ante Wager"]


# side wagers


def beside(
    size: int = 5,
    places: tuple[Any, ...] = (PLAYER,),
    dealt: tuple[Deal, ...] = (),
    jokers: int = 0,
    two: bool = False,
    on: str = "",
) -> Offer:
    """A game without decisions, and a wager on a row of these cards; for two wagers at once, or with a bonus on another."""
    chapter = begun() if not jokers else begun_with(jokers)
    ranking = chapter.ranking("Hand", cite="6(a)", size=size, hands=FIVES if size == 5 else PAIRS)
    ante = chapter.wager("Ante Wager", cite="7(d)", required=True)
    side = chapter.wager("Side Wager", cite="7(e)", optional=True, needs=[ante])
    other = chapter.wager("Other Wager", cite="7(e)", optional=True, needs=[ante]) if two else None
    script = (Deal(3, PLAYER), Deal(3, DEALER), *dealt)
    common.dealing(chapter, entitled=[ante], shoe=script, automated=script)
    for act in (Act.REVEAL, Act.SETTLE, Act.CLEAR):
        chapter.stage("11(c)", act)
    row = "Three-of-a-kind" if size == 5 else "Pair"
    table = chapter.paytable("Side Wager", f"{row}   2 to 1\n", cite="12(b)", hands=ranking)

    @chapter.settles(ante, cite="11(c)", asks={})
    def game() -> Iterator[Lines]:
        yield collect(ante, cite="11(c)")

    holds = Holds(ranking, places)

    @chapter.settles(side, *([other] if other else []), cite="11(d)", asks={"held": holds}, hand=holds)
    def settle(held: str) -> Iterator[Lines]:
        yield pay_by(table, held, on=side)
        if other:
            yield pay_by(table, held, on=other)
        if on:
            yield pay_bonus(table, held, on=ante)

    return offered(chapter)


def begun_with(jokers: int) -> Any:
    from croupier.law.chapter import Chapter
    from croupier.law.cite import Edition, Status

    chapter = Chapter("990a", "Foreign Game", (Edition("2026-01-01", "a test", Status.PROPOSED),))
    common.table(chapter, 6)
    common.decks(chapter, jokers=jokers)
    common.wagering(chapter)
    chapter.adjacent_boxes("7(f)", chosen_by_submission=False)
    return chapter


SIDES = {
    "eight cards": (
        {"places": (PLAYER, DEALER, COMMUNITY), "dealt": (Deal(2, COMMUNITY),)},
        "no counter supports a row of 8 cards",
    ),
    "fewer cards than a hand has": ({}, "no counter supports a row of 3 cards in a hand of 5"),
    "a joker among more cards than a hand has": (
        {"size": 3, "jokers": 1, "places": (PLAYER, DEALER)},
        "no counter supports the best 3 of 6 cards with a joker",
    ),
    "two wagers settled together": ({"size": 3, "two": True}, "“Side Wager” and “Other Wager” are settled together"),
    "a bonus on another wager": ({"size": 3, "on": "Ante Wager"}, "“Side Wager” and “Ante Wager” are settled together"),
}


@pytest.mark.parametrize("name", SIDES)
def test_a_side_wager_that_only_looks_like_a_known_one_is_refused(name: str) -> None:
    changes, sentence = SIDES[name]
    offer = beside(**changes)
    found = prices(offer)
    wagers = ["Side Wager", "Other Wager"] if changes.get("two") else ["Side Wager"]
    for wager in wagers:
        assert sentence in found.not_counted[wager]
    assert not {*wagers} & {price["wager"] for price in found.wagers}


def test_a_row_of_as_many_cards_as_a_hand_has_is_counted() -> None:
    """A pair or better of three cards: 22,100 hands less those of three ranks, C(13, 3) × 64."""
    side = next(price for price in prices(beside(size=3)).wagers if price["wager"] == "Side Wager")
    assert Fraction(side["edge"]) == 1 - Fraction(3 * (22_100 - 286 * 64), 22_100)
