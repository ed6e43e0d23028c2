"""Advice and strategy: values against a slow counter, thresholds and costs against published ones for the same games."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest

from croupier import book
from croupier.cards import cards, deck
from croupier.filing.offer import Offer
from croupier.law.cite import Refusal
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Position
from croupier.odds.advice import advise
from croupier.odds.analysis import full_offer
from croupier.odds.best_play import Simplified, Strategy, strategy
from croupier.odds.kernels import board_streets
from croupier.odds.kernels.card_sets import CHOOSE, all_sets, classes, hand, index_of, numbers
from croupier.odds.kernels.rank_tables import rank_table
from croupier.odds.solvers import against_dealer, boards, community
from croupier.odds.solvers.boards import BoardGame
from croupier.odds.strategy.boards_text import RaiseOrCheck, worth_by_grade
from tests.examples import rules_of
from tests.odds.lines import priced
from tests.odds.replay import net


@cache  # tests settle thousands of deals with it
def offer(game: str) -> Offer:
    return full_offer(rules_of(game), {}, {})


@cache
def told(game: str) -> Strategy:
    return strategy(offer(game))


def values(game: str, held: str, up: str = "", board: str = "") -> dict[str, Fraction]:
    return {each.choice: each.value for each in advise(offer(game), cards(held), cards(up), cards(board))}


def test_649a_values_are_what_settling_every_deal_gives() -> None:
    held = cards("Qs 6h 4d")
    total = sum(
        sum(
            line.net
            for line in priced(
                offer("649a"), Position({PLAYER: held, DEALER: theirs}, decided=("play",)), {"Ante Wager": 100, "Play Wager": 100}
            )
        )
        for theirs in combinations([card for card in deck() if card not in held], 3)
    )
    assert values("649a", "Qs 6h 4d") == {"play": Fraction(total, 100 * 18_424), "fold": -1}


def test_653a_river_values_are_what_settling_every_deal_gives() -> None:
    held, board = cards("9c 8d"), cards("Ks 4h 2c Qd Qh")
    total = sum(
        sum(
            line.net
            for line in priced(
                offer("653a"),
                Position({PLAYER: held, DEALER: theirs, COMMUNITY: board}, decided=("check", "check", "play")),
                {"Ante Wager": 100, "Blind Wager": 100, "Play Wager": 100},
            )
        )
        for theirs in combinations([card for card in deck() if card not in (*held, *board)], 2)
    )
    assert values("653a", "9c 8d", board="Ks 4h 2c Qd Qh") == {"play": Fraction(total, 100 * 990), "fold": -2}


def test_643a_a_low_outside_straight_breaks_even() -> None:
    """Eight cards win five bets and forty lose one: letting the second bet ride is worth nothing either way."""
    found = values("643a", "5s 6d 7h", board="8c")
    assert found["Bet Number 2: ride"] == found["Bet Number 2: withdraw"]


@pytest.mark.thorough
def test_653a_begins_to_raise_where_it_is_known_to() -> None:
    best = [advise(offer("653a"), cards(held))[0].choice for held in ("Kc 5d", "Kc 4d")]
    assert best == ["play 4x", "check"]


def test_680a_a_setting_is_worth_its_count() -> None:
    found = values("680a", "Jk 3s 4d Ah Ac")
    assert set(found) == {"set a Point Count of 5", "set a Point Count of 2"}


@pytest.mark.parametrize(
    ("game", "held", "up", "board", "clause"),
    [
        ("649a", "Qs 6h", "", "", "649a.8(d)"),
        ("649a", "Qs 6h 4d", "7d", "", "649a.8(d)"),
        ("641a", "Qs 6h 4d 3c 2c", "", "", "641a.8(d)"),
        ("653a", "Qs 6h", "", "2c", "653a.11"),
        ("649a", "Qs Qs 4d", "", "", "649a.3(a)"),
        ("649a", "Qs Jk 4d", "", "", "649a.3(a)"),
    ],
)
def test_what_cannot_be_advised_is_refused(game: str, held: str, up: str, board: str, clause: str) -> None:
    with pytest.raises(Refusal) as refusal:
        values(game, held, up, board)
    assert refusal.value.cite == clause


def test_649a_play_queen_six_four_or_better_and_what_else_costs() -> None:
    found = strategy(offer("649a"))
    assert found.words == ("play with queen high (Q-6-4) or better; otherwise fold.",)
    edges = {each.name: f"{float(each.edge) * 100:.2f}" for each in found.simplified}
    assert edges == {"these words to the letter": "3.37", "always play": "7.65", "play queen high or better": "3.45"}
    assert all(each.cost >= 0 for each in found.simplified)


@pytest.mark.parametrize("letter", ["A", "B"])
def test_643a_the_words_are_best_play_to_the_last_unit(letter: str) -> None:
    """Three suited from 5-4-3 and so on are the known hands. The words, played through all counts, cost nothing."""
    found = strategy(full_offer(book.find("643a").edition(), {"Let It Ride Poker Wager": letter}, {}))
    assert found.words == (
        "Bet Number 1 rides with:",
        "  a hand that is already paid, from a pair of 10s up",
        "  three suited that fit three straights, such as 5-4-3",
        "  three suited that fit two straights, at least one of 10 or higher, such as 10-8-7",
        "  three suited that fit one straight, at least two of 10 or higher, such as J-10-7",
        "Bet Number 2 rides with:",
        "  a hand that is already paid, from a pair of 10s up",
        "  any four suited",
        "  four to an outside straight, at least one of 10 or higher, such as 10-9-8-7",
        "  (it makes no difference with four to an outside straight, none of 10 or higher,"
        " or with four to an inside straight, all of 10 or higher)",
    )
    assert found.simplified[0] == Simplified("these words to the letter", found.edge, Fraction(0))


@pytest.mark.parametrize(
    ("held", "rides"),
    [("5s 4s 3s", True), ("4s 3s 2s", False), ("Ts 8s 7s", True), ("9s 8s 6s", False), ("Js Ts 7s", True), ("Js 9s 7s", False),
     ("As 3s 2s", False), ("As Ks Js", True), ("Ts Td 2c", True), ("9s 9d Ac", False)],
)  # fmt: skip
def test_643a_the_words_agree_with_advice(held: str, rides: bool) -> None:
    best = advise(offer("643a"), cards(held))[0].choice
    assert best == f"Bet Number 1: {'ride' if rides else 'withdraw'}"


def test_643a_another_first_decision_changes_all_values_alike() -> None:
    """What advice on the second bet assumes about the first does not affect the choice."""
    ridden, withdrawn = (node.values for node in community.solve(offer("643a")).first.then)
    assert (ridden[0] - ridden[1] == withdrawn[0] - withdrawn[1]).all()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "rule", "percent"),
    [  # the known simple strategy of Four Card Poker, at its known 3.40%
        ("641a", "play 3x with a pair of 10s or better; play 1x with a pair of 3s or better; otherwise fold", "3.40"),
        ("682a", "raise 3x with a pair of 10s or better; raise 1x with a pair of 3s or better; otherwise fold", "3.34"),
    ],
)
def test_a_simple_strategy_for_games_with_several_multiples(game: str, rule: str, percent: str) -> None:
    simple = told(game).simplified[1]
    assert simple.name == f"simply: {rule}"
    assert f"{float(simple.edge) * 100:.2f}" == percent


@pytest.mark.thorough
def test_682a_raises_three_times_from_a_pair_of_tens_and_the_words_cost_next_to_nothing() -> None:
    found = told("682a")
    assert found.words == ("raise 3x with pair (10-10-J-3) or better; raise 1x with pair (3-3-6-4) or better; otherwise fold.",)
    assert found.simplified[0].cost < Fraction(1, 100_000)


@pytest.mark.thorough
def test_crazy_4_poker_raises_what_may_be_raised_and_plays_from_king_queen_8_4() -> None:
    """The known best play. The words never tell a hand to do what it may not."""
    found = told("C4")
    assert found.words == ("play 3x with pair (A-A-5-3) or better; play with king high (K-Q-8-4) or better; otherwise fold.",)
    assert found.simplified[0].cost < Fraction(1, 100_000)
    assert {each.choice for each in advise(offer("C4"), cards("Ks Kd 8h 4c 2d"))} == {"play", "fold"}
    assert [each.choice for each in advise(offer("C4"), cards("As Ad 8h 4c 2d"))] == ["play 3x", "play 2x", "play", "fold"]


@pytest.mark.thorough
def test_crazy_4_poker_a_player_who_only_raises_folds_what_may_not_be_raised() -> None:
    """All hands that may be raised are. Every other hand loses the Ante and the Super Bonus."""
    counts = against_dealer.solve(offer("C4")).outcomes.counts
    deals = sum(counts.values())
    raised = {key: count for key, count in counts.items() if key[0].startswith("play 3x:")}
    net = sum(key[1] * count for key, count in raised.items()) - 2 * (deals - sum(raised.values()))
    assert next(each.edge for each in told("C4").simplified if each.name == "play 3x or fold") == -net / deals


def test_mississippi_stud_in_words_and_by_points() -> None:
    found = told("MS")
    assert found.words[:3] == ("Points of a card: 6 to 10 1, jack to ace 2; others none.", "3rd Street Wager:",
        "  a hand that can no longer lose: bet 3x")  # fmt: skip
    assert 0 < found.simplified[0].cost < Fraction(1, 10_000)


@pytest.mark.parametrize(("held", "board"), [("Js 4d", "9c 2h"), ("6s 7s", "8s 5s"), ("Qs Qd", "3c 4c"), ("2s 3d", "")])
def test_mississippi_stud_advice_is_what_dealing_the_last_cards_gives(held: str, board: str) -> None:
    """On the last street, each choice over all last cards. On the first, a fold, which loses only the Ante."""
    game, mine, seen = offer("MS"), cards(held), cards(board)
    found = {each.choice.partition(": ")[2]: each.value for each in advise(game, mine, (), seen)}
    *before, last = community.path(game, mine, seen)
    said = [node.decision.choices[node.then.index(then)].word for node, then in pairwise([*before, last])]
    if not board:
        assert found["fold"] == -1
        return
    others = [card for card in deck() if card not in (*mine, *seen)]
    for word, value in found.items():
        positions = [
            Position({PLAYER: mine, COMMUNITY: (*seen, card)}, decided=(*said, word), folded=word == "fold") for card in others
        ]
        assert value == sum(net(game, position, "Ante Wager") for position in positions) / len(others)


def test_680a_sets_the_highest_point_count() -> None:
    assert strategy(offer("680a")).words == ("Set the highest Point Count that the cards allow.",)


@cache
def raise_or_check() -> RaiseOrCheck:
    game = BoardGame(offer("653a"))
    return RaiseOrCheck(game, boards.solve(game.offer))


@pytest.mark.thorough
def test_653a_in_words() -> None:
    """The known rules: a hidden pair after the Flop, and at the end fewer than 21 cards that beat the hand."""
    words, others = raise_or_check().text
    assert words == [
        "Before the Flop play 4x with:",
        "  a pair of 3s or better",
        "  any ace",
        "  a king with any card suited, 5 or better offsuit",
        "  a queen with 6 or better suited, 8 or better offsuit",
        "  a jack with 8 or better suited, 10 or better offsuit",
        "and otherwise check.",
        "After the Flop play with:",
        "  a pair or better that the Flop does not show by itself (with a pair of 2s in hand: three-of-a-kind or better)",
        "  four of a suit, a hole card of it 10 or higher",
        "and otherwise check.",
        "At the end play with:",
        "  anything that fewer than 21 of the 45 unseen cards would beat if the dealer held one",
        "and otherwise fold.",
    ]
    assert others[0][0] == "these words to the letter"
    assert 0 < others[0][1] - raise_or_check().solved.edge < Fraction(2, 1000)


@pytest.mark.slow
def test_653a_the_words_are_played_over_every_deal() -> None:
    """Folding at every end: the deals that get there by the words. Playing at every end: the line through the higher multiples."""
    rules = raise_or_check()
    game, flops = rules.game, classes(3)
    beside = np.array([[not {*cards} & {*pair} for pair in all_sets(2).tolist()] for cards in flops.cards.tolist()])
    live = (beside & ~rules.raised & ~rules.after_flop.played) * flops.times[:, None]
    assert int(rules.worth[-1].sum()) == int(live.sum()) * comb(47, 2) * 990 * -2 * game.prices.scale
    check = [np.full((1, 1326), 2, dtype=np.int8), np.ones((1755, 1326), dtype=np.int8)]
    four, three, _ = rules.solved.sums[0].sum(axis=(0, 2))
    assert int(worth_by_grade(game, check)[-2].sum()) == 3 * int(three) - 2 * int(four)


def test_653a_what_the_end_is_worth_is_what_settling_every_deal_gives() -> None:
    """One board and the few pairs of cards of the same class: the cards that beat them and the values, by the chapter's own ranker."""
    game, at = BoardGame(offer("653a")), 70_001
    ranking, every = game.ranking, classes(5)
    board = hand(every.cards[at])
    free = [card for card in deck() if card not in board]
    held = next(pair for pair in combinations(free, 2) if pair[0].suit == pair[1].suit and pair[0].rank != pair[1].rank)
    alike = classes(2).class_of == classes(2).class_of[index_of(np.array(numbers(held)), CHOOSE)]
    picks = np.concatenate([np.where(alike, 2, 0)[None, :], np.ones((1755, 1326))])[:, :, None].astype(np.int8)
    six, steps = rank_table(game.ranking, 6, by_strength=True), game.steps(game.base, game.with_flop)
    played, flop_codes = board_streets.StreetAnswers(picks, picks[:0], game.ways()), np.zeros((0, 1326), dtype=np.int16)
    how = game.cards, game.tree, steps, played, flop_codes, True, six.plain, six.suited
    found, _ = board_streets.count_deals(every.cards, every.times, at, at + 1, *how)
    slow, times = np.zeros((46, 2), dtype=np.int64), 10 * int(every.times[at])
    for pair in combinations(free, 2):
        if alike[index_of(np.array(numbers(pair)), CHOOSE)]:
            unseen = [card for card in free if card not in pair]
            beat = sum(ranking.strength((*board, card)) > ranking.strength((*pair, *board)) for card in unseen)
            play = next(each.value for each in advise(game.offer, pair, (), board) if each.choice == "play")
            slow[beat] += [int(each * 990 * times * game.prices.scale) for each in (play, Fraction(-2))]
    assert slow.any()
    worth = (found[-2, :46, None] * game.prices.table[-2:]).sum(axis=(2, 3, 4))  # nothing is chosen: all deals count as the first
    assert (worth == slow).all()


def test_680a_advice_says_which_three_cards_to_set() -> None:
    """10 + 5 + 5 = 20 qualifies and leaves 10 + 2 = 12, which counts 2."""
    (found,) = advise(offer("680a"), cards("Ks Qs 5d 5h 2c"))
    assert found.cards == cards("Ks 5d 5h")
