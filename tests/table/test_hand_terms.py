"""What a player is told before they decide: what to keep, what a fold loses, and what it gives up for certain."""

from __future__ import annotations

import pytest

from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.accounts import chips, layout
from croupier.table.choices.hand_terms import chips_needed
from croupier.table.choices.players import aim_words, choices, lapse_words
from croupier.table.views import view
from croupier.wire import TableChoice
from tests.table.pit import FOLDS, STAYS, Pit, always, find, opened


def asked(game: str, hand: str, **wagers: float) -> Pit:
    """A table at which seat 1 has bet and is asked for its first decision."""
    pit = opened(find(game), "automated shoe", 1).bet(1, **wagers).stack({1: hand})
    pit.lock()
    return pit.play_until(lambda table: bool(table.round and table.round.asked))


def fold(pit: Pit) -> TableChoice:
    return next(each for each in choices(pit.state, "player:1", pit.now, pit.meters) if each.command.get("choice") == "fold")


def leave(pit: Pit) -> str:
    return next(each.words for each in choices(pit.state, "player:1", pit.now, pit.meters) if each.do == "leave")


def test_649a_11_b_a_fold_says_what_it_loses() -> None:
    """11(b): the Ante is collected. 11(b)(1): so is the Pair Plus."""
    assert fold(asked("649a", "Qs 7h 4d", ante=10)).words == "Fold, lose Ante $10"
    assert fold(asked("649a", "Qs 7h 4d", ante=10, pair_plus=5)).words == "Fold, lose Ante $10 and Pair Plus $5"


def test_a_fold_loses_on_the_ledger_what_it_says() -> None:
    pit = asked("682a", "Qs 7h 4d 3c 2d", ante=10)
    assert fold(pit).words == "Fold, lose Ante $10"
    before = pit.state.balance(chips(1))
    pit.finish(FOLDS)
    assert pit.state.balance(chips(1)) == before


def test_a_hand_that_is_already_paid_is_not_given_up_unasked() -> None:
    """649a.12(d): a straight pays 6 to 1 on the Pair Plus, and 12(b) 1 to 1 as an Ante Bonus, whatever the dealer has."""
    paid = fold(asked("649a", "9s 8h 7d", ante=10, pair_plus=5)).warns
    assert paid == "This hand is sure to be paid: Ante Bonus $10 and Pair Plus $30. If you fold, you give that up."
    assert (
        fold(asked("649a", "9s 8h 7d", ante=10)).warns
        == "This hand is sure to be paid: Ante Bonus $10. If you fold, you give that up."
    )
    assert fold(asked("649a", "Qs 7h 4d", ante=10, pair_plus=5)).warns == ""


@pytest.mark.parametrize(
    ("game", "wagers", "cents"),
    [("649a", {"ante": 10}, 1000), ("641a", {"ante": 10}, 1000), ("653a", {"ante": 10, "blind": 10}, 1000),
     ("643a", {"bets": 10}, 0), ("680a", {"ante": 10}, 0)],
)  # fmt: skip
def test_what_a_player_keeps_to_play(game: str, wagers: dict[str, int], cents: int) -> None:
    """The least Play Wager is once the Ante in 649a.11(b), 641a.11(b) and 653a.11(f)(1). 643a and 680a ask for no more money."""
    pit = opened(find(game), "automated shoe", 1)
    assert chips_needed(pit.state, 1) == 0
    pit.bet(1, **wagers)
    assert chips_needed(pit.state, 1) == cents
    pit.lock()
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    assert chips_needed(pit.state, 1) == cents
    pit.play_until(lambda table: table.round is None or not table.round.asked, STAYS)
    assert chips_needed(pit.state, 1) == 0


def test_643a_a_bet_that_is_taken_back_is_gone_from_every_view() -> None:
    pit = asked("643a", "Ks 8c 2h", bets=5)
    pit.answer(always("withdraw"))
    for by in ("player:1", "public", "dealer", "surveillance"):
        shown = view(pit.state, by).round
        assert shown is not None
        assert sum(shown.boxes[1].wagers.values()) == dollars(10) == pit.state.balance(layout(1))
    ask = next(each.asks[0] for each in choices(opened(find("643a")).state, "player:1", 0, {}) if each.do == "place wager")
    assert ask.times == 3


def test_what_was_forfeited_is_among_the_lines_of_a_box() -> None:
    """679a: the Pair Bonus outlives a fold, and the headline is the sum of all lines."""
    pit = asked("679a", "9s 9h 4d", ante=10, pair_bonus=5)
    pit.play_until(lambda table: table.round is not None and 1 in table.round.settled, FOLDS)
    shown = view(pit.state, "player:1")
    lines = shown.results[1].lines
    assert [(line.wager, line.outcome) for line in lines] == [("Ante Wager", "forfeit"), ("Pair Bonus Wager", "win")]
    assert sum(line.pays + line.returns - line.stake for line in lines) == pit.state.balance(chips(1)) - dollars(10_000)
    assert shown.round is not None and shown.round.boxes[1].wagers == {}
    pit.finish()
    assert view(pit.state, "public").results == shown.results, "until the next round begins"


def test_leaving_says_which_chips_you_keep_and_which_you_lose() -> None:
    pit = opened(find("641a"), "automated shoe", 1).bet(1, ante=10)
    assert leave(pit) == "Leave the table with $10,000"  # including the wager on the layout
    pit.lock()
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    assert leave(pit) == "Leave the table with $9,990 and lose $10 in play"
    before = pit.state.balance(chips(1))
    moves = pit.do(say.Leave(seat=1), "player:1").then.moves
    assert sum(move.cents for move in moves if move.source == chips(1)) == before == dollars(9_990)


TIMED = {"decision_seconds": 20}


def timed(game: str, hand: str = "", readings: dict[str, str] | None = None, **wagers: float) -> Pit:
    """Like `asked`, at a table with a time limit."""
    pit = opened(find(game), "automated shoe", 1, **TIMED, **({"readings": readings} if readings else {})).bet(1, **wagers)
    pit.stack({1: hand} if hand else {})
    pit.lock()
    return pit.play_until(lambda table: bool(table.round and table.round.asked))


def test_a_player_knows_what_happens_when_the_time_runs_out() -> None:
    """649a.11(b): the Ante is forfeited, the Pair Plus is a reading. 653a.1: a check. 643a.1: the bet rides. 682a.11(b): a fold."""
    assert lapse_words(timed("649a", ante=10, pair_plus=5).state, 1) == "Lose Ante $10; other wagers are settled"
    as_a_fold = timed("649a", readings={"time runs out": "as a fold"}, ante=10, pair_plus=5)
    assert lapse_words(as_a_fold.state, 1) == "Fold, lose Ante $10 and Pair Plus $5"
    assert lapse_words(timed("653a", ante=10, blind=10).state, 1) == "Check"
    assert lapse_words(timed("643a", bets=5).state, 1) == "Let it ride"
    assert lapse_words(timed("682a", ante=10).state, 1) == "Fold, lose Ante $10"


@pytest.mark.parametrize(
    ("hand", "aim", "lapse"),
    [
        ("7s 3d Kh 5h 4d", "Choose three cards that total 10, 20 or 30.", "Your hand counts as the qualifying setting with the highest Point Count"),
        ("2s 2d 2h 5h 4d", "You do not have three cards that total 10, 20 or 30: the hand does not qualify. Choose any three.", "The hand does not qualify"),
    ],
)  # fmt: skip
def test_680a_11_b_a_player_knows_which_three_cards_to_set_and_what_counts_otherwise(hand: str, aim: str, lapse: str) -> None:
    state = timed("680a", hand, ante=10).state
    assert (aim_words(state, 1), lapse_words(state, 1)) == (aim, lapse)
    assert aim_words(state, 2) == ""


def test_the_hand_to_set_is_that_of_the_players_own_box_first() -> None:
    pit = opened(find("680a"), "automated shoe", 2, adjacent_boxes=2)
    for box in (1, 2):
        pit.place_wager(by="player:2", seat=box, wager="Ante Wager", amount=1_000)
    pit.stack({1: "7s 3d Kh 5h 4d", 2: "2s 2d 2h 5c 4c"}).lock()
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    assert aim_words(pit.state, 2).startswith("You do not have")
    pit.set_hand(by="player:2", seat=2, cards=(1, 2, 3))
    assert aim_words(pit.state, 2).startswith("Choose")


def test_nothing_runs_out_where_nothing_is_asked_or_no_limit_is_filed() -> None:
    assert lapse_words(asked("649a", "Qs 7h 4d", ante=10).state, 1) == ""
    assert lapse_words(timed("649a", ante=10).state, 2) == ""
    assert lapse_words(opened(find("649a"), "automated shoe", 1, **TIMED).state, 1) == ""


def revealed(game: str, hand: str, dealer: str, community: str = "", **wagers: float) -> Pit:
    """A round in which everything has been turned up, before the wagers are settled."""
    pit = opened(find(game), "automated shoe", 1).bet(1, **wagers)
    pit.stack({1: hand}, dealer=dealer, **({"community": community} if community else {})).lock()
    return pit.play_until(
        lambda table: bool(table.round and table.round.hands and all(each.up for each in table.round.hands[1])), STAYS
    )


@pytest.mark.parametrize(
    ("game", "hand", "dealer", "community", "wagers", "made", "dealer_made"),
    [
        ("649a", "Ks Kd 3h", "Qh 7d 2c", "", {"ante": 10}, "Kd Ks", "Qh"),
        ("649a", "9s 8h 7d", "Qh 2d 2c", "", {"ante": 10}, "7d 8h 9s", "2c 2d"),
        ("653a", "Ks 4d", "Qh 7d", "Kh 4s 9c 2d 3h", {"ante": 10, "blind": 10}, "4d 4s Kh Ks", "Kh"),
        ("643a", "Ks Kd 3h", "", "9c 4d", {"bets": 5}, "Kd Ks", ""),
        ("680a", "Ks Qs 5d 5h 2c", "Ts 4h 6d 9c 8d", "", {"ante": 10}, "", "4h 6d Ts"),
    ],
)  # fmt: skip
def test_the_cards_that_make_a_hand(
    game: str, hand: str, dealer: str, community: str, wagers: dict[str, int], made: str, dealer_made: str
) -> None:
    """Two cards of a pair, all of a straight, four of two pairs, the highest if no row applies, and in 680a the dealer's three that total 20."""
    shown = view(revealed(game, hand, dealer, community, **wagers).state, "public").round
    assert shown is not None
    assert (sorted(shown.boxes[1].made), sorted(shown.dealer_made)) == (made.split(), dealer_made.split())
