"""The cost of a decision, compared with every deal settled line by line."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from croupier.cards import Card, Cards, cards, deck
from croupier.filing.offer import Offer
from croupier.law.cite import Refusal
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, TIMED_OUT, Position
from croupier.odds.advice import advise
from croupier.odds.analysis import full_offer
from croupier.odds.decision_cost import AnsweredDecision, TakenDecision, decision_cost
from tests.examples import rules_of
from tests.odds.lines import priced

ANTE, PLAY, PAIR_PLUS = "Ante Wager", "Play Wager", "Pair Plus Wager"


@cache
def offer(game: str) -> Offer:
    return full_offer(rules_of(game), {}, {})


def others(*seen: Cards) -> list[Card]:
    return [card for card in deck() if not any(card in held for held in seen)]


def settled_649a(held: Cards, stakes: dict[str, int]) -> Fraction:
    """The mean net of a hand that is played, over each of the dealer's 18,424 hands."""
    deals = [
        sum(line.net for line in priced(offer("649a"), Position({PLAYER: held, DEALER: theirs}, decided=("play",)), stakes))
        for theirs in combinations(others(held), 3)
    ]
    assert len(deals) == 18_424
    return Fraction(sum(deals), len(deals))


def test_649a_a_fold_of_a_hand_to_play_costs_the_difference() -> None:
    held = cards("Qs 6h 4d")
    found = decision_cost(offer("649a"), TakenDecision(held, "fold", stakes={ANTE: 1000}))
    assert (found.best.choice, found.taken.value) == ("play", -1000)
    assert found.cents == settled_649a(held, {ANTE: 1000, PLAY: 1000}) + 1000 > 0
    assert decision_cost(offer("649a"), TakenDecision(held, "play", stakes={ANTE: 1000})).cents == 0


@pytest.mark.thorough
def test_649a_a_fold_also_gives_up_the_pair_plus() -> None:
    """A pair is paid whatever the dealer has. A fold loses it with the Ante."""
    held, stakes = cards("5s 5h 2d"), {ANTE: 1000, PAIR_PLUS: 500}
    found = decision_cost(offer("649a"), TakenDecision(held, "fold", stakes=stakes))
    assert found.taken.value == -1500
    assert found.cents == settled_649a(held, stakes | {PLAY: 1000}) + 1500
    without = decision_cost(offer("649a"), TakenDecision(held, "fold", stakes={ANTE: 1000}))
    assert found.cents == without.cents + 500 + 500, "the stake, and 1 to 1 on it"


def test_649a_a_hand_whose_time_ran_out_keeps_its_pair_plus() -> None:
    stakes = {ANTE: 1000, PAIR_PLUS: 500}
    found = decision_cost(offer("649a"), TakenDecision(cards("5s 5h 2d"), TIMED_OUT, stakes=stakes))
    assert found.taken.value == -1000 + 500


def test_649a_a_progressive_on_cards_to_come() -> None:
    """Two community cards are to come: 1,176 boards. A share of the meter counts as the meter stood."""
    name, held, game = "Five-Card Progressive Payout Wager", cards("5s 5h 2d"), offer("649a")
    made = TakenDecision(held, "fold", stakes={ANTE: 1000, name: 100}, meters={name: 1_000_000})
    found = decision_cost(game, made)
    without = decision_cost(game, TakenDecision(held, "fold", stakes={ANTE: 1000}))
    rows = dict.fromkeys(("Four-of-a-kind", "Full house", "Three-of-a-kind"), 0)
    for board in combinations(others(held), 2):
        threes = sum(card.rank == 5 for card in board)
        twos = sum(card.rank == 2 for card in board)
        if threes == 2:
            rows["Four-of-a-kind"] += 1
        elif (threes, twos) == (1, 1) or twos == 2:
            rows["Full house"] += 1
        elif threes == 1:
            rows["Three-of-a-kind"] += 1
    table = next(
        each for each in game.tables.values() if "Five-card progressive" in each.name or "Five-Card Progressive" in each.name
    )
    column = game.column(table.name)
    paid = sum((column[row].on(100, 1_000_000) * many for row, many in rows.items() if row in column), Fraction(0)) / 1176
    assert found.cents - without.cents == paid > 0


def test_a_meter_that_was_not_recorded_is_refused() -> None:
    stakes = {ANTE: 1000, "Three-Card Progressive Payout Wager": 100}
    assert decision_cost(offer("649a"), TakenDecision(cards("Qs 6h 4d"), "fold", stakes=stakes)).cents > 0, "it wins nothing anyway"
    with pytest.raises(Refusal, match="meter"):
        decision_cost(offer("649a"), TakenDecision(cards("As Ks Qs"), "fold", stakes=stakes))


@pytest.mark.parametrize("before", ["ride", "withdraw"])
def test_643a_the_second_bet_costs_the_same_whatever_came_of_the_first(before: str) -> None:
    held, board = cards("9s 8h 4d"), cards("2c")
    stakes = {f"Bet Number {n}": 1000 for n in (1, 2, 3) if n != 1 or before == "ride"}
    found = decision_cost(offer("643a"), TakenDecision(held, "ride", board=board, before=(before,), stakes=stakes))

    def mean(said: str) -> Fraction:
        nets = [
            sum(
                line.net
                for line in priced(
                    offer("643a"),
                    Position({PLAYER: held, COMMUNITY: (*board, last)}, decided=(before, said)),
                    {f"Bet Number {n}": 1000 for n in (1, 2, 3)},
                )
            )
            for last in others(held, board)
        ]
        return Fraction(sum(nets), len(nets))

    assert found.best.choice == "withdraw"
    assert found.cents == mean("withdraw") - mean("ride") > 0


@pytest.mark.thorough
def test_653a_a_fold_at_the_end() -> None:
    held, board, stakes = cards("As Kd"), cards("Qh 9c 7s 4d 2c"), {ANTE: 500, "Blind Wager": 500}
    found = decision_cost(offer("653a"), TakenDecision(held, "fold", board=board, before=("check", "check"), stakes=stakes))
    nets = [
        sum(
            line.net
            for line in priced(
                offer("653a"),
                Position({PLAYER: held, DEALER: theirs, COMMUNITY: board}, decided=("check", "check", "play")),
                stakes | {PLAY: 500},
            )
        )
        for theirs in combinations(others(held, board), 2)
    ]
    assert len(nets) == 990
    assert found.cents == Fraction(sum(nets), 990) + 1000


def test_653a_a_check_says_which_wager_a_later_fold_would_lose() -> None:
    stakes = {ANTE: 500, "Blind Wager": 500, "Progressive Payout Wager": 100, "Trips Wager": 500}
    checked = AnsweredDecision(
        offer("653a"), TakenDecision(cards("As Kd"), "check", stakes=stakes), {"play 4x": Fraction(1), "check": Fraction(0)}
    )
    assert checked.cost().left_out == ("Progressive Payout Wager",)
    made = TakenDecision(cards("As Kd"), "fold", board=cards("Qh 9c 7s 4d 2c"), before=("check", "check"), stakes=stakes)
    assert decision_cost(offer("653a"), made).left_out == ()


def test_680a_a_setting_is_priced_by_the_count_that_it_makes() -> None:
    game, five = offer("680a"), cards("Ks Qd Th 7c 2s")
    values = {each.choice: each.value for each in advise(game, five)}
    best = decision_cost(game, TakenDecision(five, set_aside=cards("Ks Qd Th"), stakes={ANTE: 1000}))
    assert best.taken.choice == "set a Point Count of 9", "7 and 2 count nine"
    assert best.cents == 1000 * (max(values.values()) - values["set a Point Count of 9"])


@pytest.mark.parametrize(
    ("game", "held", "said"),
    [pytest.param("641a", "Ks Qd Th 7c 2s", "play 1.5x", marks=pytest.mark.thorough), ("649a", "Qs 6h 4d", "raise")],
)
def test_an_answer_that_is_not_counted_is_refused(game: str, held: str, said: str) -> None:
    up = cards("3h") if game == "641a" else ()
    with pytest.raises(Refusal, match="not among the choices"):
        decision_cost(offer(game), TakenDecision(cards(held), said, up=up, stakes={ANTE: 1000}))
