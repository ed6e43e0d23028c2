"""Section .7: who may bet, on what, when, how much and where; leaving during a round."""

from __future__ import annotations

import pytest

from croupier.law.chapter import Rules
from croupier.law.procedure import Act, AdjacentBoxes
from croupier.law.wager import the
from croupier.table.choices.hand_terms import not_dealt_reason
from croupier.table.state import Phase, State
from tests.table.pit import EDITIONS, FOLDS, OF_THE_BOOK, STAYS, Pit, by_seat, find, opened, refused

every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
of_the_book = pytest.mark.parametrize("rules", OF_THE_BOOK.values(), ids=OF_THE_BOOK)


def first(rules: Rules) -> str:
    """The wager that a player starts with."""
    return next(wager.group or wager.key for wager in rules.wagers.values())


def adjacent(rules: Rules) -> str:
    return str(rules.of(AdjacentBoxes)[0].cite)


@every_edition
def test_7_a_no_spoken_wager_with_cash(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    problem = pit.verify_place_wager(by="player:1", seat=1, wager=first(rules), amount=1000, cash=True)
    refused(problem, f"{rules.number}.7(a)", "value chips")


@every_edition
def test_7_a_cash_buys_chips_first(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    event = pit.buy_in(by="player:1", seat=1, amount=5000)
    assert {(move.source, move.target) for move in event.then.moves} == {
        ("players' own money", "drop box"),
        ("table inventory", "seat 1 chips"),
    }


@every_edition
def test_7_b_only_seated_players_wager(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    cite = f"{rules.number}.7(b)"
    refused(pit.verify_place_wager(by="player:2", seat=2, wager=first(rules), amount=1000), cite, "nobody is seated")
    refused(pit.verify_buy_in(by="player:2", seat=2, amount=1000), cite)
    refused(pit.verify_sit(by="player:2", seat=3, player="X"), cite)
    refused(pit.verify_sit(by="player:3", seat=3, player="Player 1"), cite, "one seat")
    refused(pit.verify_sit(by="player:1", seat=1, player="X"), f"{rules.number}.2(a)", "taken")
    refused(pit.verify_sit(by="player:9", seat=9, player="X"), f"{rules.number}.2(a)", f"seats 1 to {rules.seats}")


@every_edition
def test_7_b_staff_do_not_wager(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    for by in ("dealer", "floorperson", "surveillance", "device"):
        refused(pit.verify_place_wager(by=by, seat=1, wager=first(rules), amount=1000), f"{rules.number}.7(b)", "player")


@every_edition
def test_7_c_nothing_is_made_raised_or_withdrawn_after_no_more_bets(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1, 2)
    pit.bet_everything(1).lock()
    cite = f"{rules.number}.7(c)"
    seen = set()

    def verify() -> None:
        for seat, amount in ((1, 2000), (2, 1000)):
            refused(pit.verify_place_wager(by=f"player:{seat}", seat=seat, wager=first(rules), amount=amount), cite)
        refused(pit.verify_take_back_wager(by="player:1", seat=1, wager=first(rules)), cite)
        refused(pit.verify_return_wagers(by="dealer", seat=1), cite)
        seen.add(pit.state.phase)

    while pit.state.round is not None:
        verify()
        pit.step(STAYS)
    assert seen == {Phase.DEALING, Phase.COMPLETING}


@every_edition
def test_7_c_before_it_a_wager_is_raised_lowered_and_taken_back(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    chips = pit.state.balance("seat 1 chips")
    times = 3 if rules.number == "643a" else 1
    for amount in (1000, 2500, 500):
        pit.place_wager(by="player:1", seat=1, wager=first(rules), amount=amount)
        assert pit.state.balance("seat 1 layout") == times * amount
    pit.take_back_wager(by="player:1", seat=1, wager=first(rules))
    assert pit.state.balance("seat 1 chips") == chips
    assert not pit.state.stakes
    assert not pit.state.boxes
    refused(pit.verify_take_back_wager(by="player:1", seat=1, wager=first(rules)), f"{rules.number}.7(b)")


@every_edition
def test_7_c_a_wager_of_a_decision_is_not_placed_before_the_deal(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    for wager in rules.wagers.values():
        if wager.made_by_decision:
            refused(pit.verify_place_wager(by="player:1", seat=1, wager=wager.name, amount=1000), f"{rules.number}.7(c)")


@every_edition
def test_7_d_preconditions(rules: Rules) -> None:
    """A wager that needs another is refused alone, and granted after it."""
    pit = opened(rules, "manual shoe", 1)
    for wager in rules.wagers.values():
        if wager.needs:
            amount = pit.amount(wager.name, 10)
            problem = pit.verify_place_wager(by="player:1", seat=1, wager=wager.key, amount=amount)
            refused(
                problem, f"{rules.number}.{wager.cite.clause}", "needs another wager", f"together with {the(wager.needs[0].key)}"
            )
    pit.bet_everything(1)


NEEDS = {  # by hand from .7: the clause of each wager that is allowed only with another
    "641a-2011-06-14": {"Progressive Payout Wager": "7(d)(4)"},
    "643a-2011-06-14": {"Let It Ride Bonus Wager": "7(e)", "Three Card Bonus Wager": "7(f)"},
    "649a-2011-06-14": {"Progressive Payout Wager": "7(d)(4)", "Six Card Bonus Wager": "7(d)(5)"},
    "649a-2019-11-02": {
        "Three-Card Progressive Payout Wager": "7(d)(4)",
        "Six Card Bonus Wager": "7(d)(5)",
        "Five-Card Progressive Payout Wager": "7(d)(6)",
        "Five Card Hand Bonus Wager: player": "7(d)(7)",
        "Five Card Hand Bonus Wager: dealer": "7(d)(7)",
        "5 of 6 Progressive Payout Wager": "7(d)(8)",
    },
    "653a-2011-06-14": {"Trips Wager": "7(d)(2)", "Progressive Payout Wager": "7(d)(3)"},
    "679a-2015-12-12": {"Prime Wager": "7(d)(2)", "Pair Bonus Wager": "7(d)(3)", "All-Six Bonus Wager": "7(d)(4)"},
    "679a-2016-04-01": {"Prime Wager": "7(d)(2)", "Pair Bonus Wager": "7(d)(3)", "All-Six Bonus Wager": "7(d)(4)"},
    "680a-2015-12-12": {"Bonus Wager": "7(d)(2)"},
    "682a-2019-05-04": {"Prime Wager": "7(d)(2)", "Aces Bonus Wager": "7(d)(3)", "All-Six Bonus Wager": "7(d)(4)"},
}


@of_the_book
def test_7_d_the_wagers_that_need_another_are_these(rules: Rules) -> None:
    found = {wager.key: wager.cite.clause for wager in rules.wagers.values() if wager.needs}
    assert found == NEEDS[f"{rules.number}-{rules.edition}"]


def test_653a_7_d_1_the_blind_equals_the_ante() -> None:
    pit = opened(find("653a"), "manual shoe", 1)
    pit.bet(1, ante=10)
    refused(pit.verify_place_wager(by="player:1", seat=1, wager="Blind Wager", amount=1500), "653a.7(d)(1)")
    refused(pit.verify_no_more_bets(by="dealer"), "653a.7(d)(1)", "Blind Wager is missing")
    pit.bet(1, blind=10).bet(1, ante=15)
    refused(pit.verify_no_more_bets(by="dealer"), "653a.7(d)(1)", "equal to the Ante")
    pit.bet(1, blind=15).lock()


def test_643a_7_d_three_equal_bets() -> None:
    pit = opened(find("643a"), "manual shoe", 1)
    pit.bet(1, bet1=10)
    refused(pit.verify_no_more_bets(by="dealer"), "643a.7(d)", "missing")
    refused(pit.verify_place_wager(by="player:1", seat=1, wager="Bet Number 2", amount=2000), "643a.7(d)", "equal")
    pit.bet(1, bets=10).lock()


def test_649a_7_d_a_pair_plus_alone_gets_cards_and_no_question() -> None:
    pit = opened(find("649a"), "manual shoe", 1)
    pit.bet(1, pair_plus=10).lock()
    pit.play_until(lambda table: table.phase is Phase.COMPLETING)
    assert pit.state.round is not None
    assert pit.state.stages[pit.state.round.stage].act is Act.REVEAL
    pit.finish()


@pytest.mark.parametrize(
    ("form", "ante", "pair_plus", "stands"),
    [
        ("7(e)(1)", 10, 15, False), ("7(e)(1)", 10, 10, True), ("7(e)(1)", 10, 0, True),
        ("7(e)(2)", 10, 25, False), ("7(e)(2)", 10, 20, True),
        ("7(e)(3)", 10, 0, False), ("7(e)(3)", 10, 55, False), ("7(e)(3)", 10, 50, True), ("7(e)(3)", 50, 10, True),
    ],
)  # fmt: skip
def test_649a_7_e_the_versions_of_the_game(form: str, ante: int, pair_plus: int, stands: bool) -> None:
    pit = opened(find("649a"), "manual shoe", 1, form=form)
    pit.bet(1, ante=ante)
    if pair_plus:
        pit.bet(1, pair_plus=pair_plus)
    refusal = not_dealt_reason(pit.state, 1)
    assert (refusal and refusal.cite) == (None if stands else f"649a.{form}"), "the player is told before the deal"
    if stands:
        pit.lock()
    else:
        refused(pit.verify_no_more_bets(by="dealer"), f"649a.{form}")


def test_649a_7_e_wagers_that_do_not_fit_the_version_go_back_under_its_clause() -> None:
    pit = opened(find("649a"), "manual shoe", 1, form="7(e)(2)").bet(1, pair_plus=25)
    refused(not_dealt_reason(pit.state, 1), "649a.7(e)(2)", "a Pair Plus Wager only with an Ante Wager of at least half as much")
    assert not_dealt_reason(pit.state, 2) is None, "only the player whose wagers they are"
    assert pit.return_wagers(by="dealer", seat=1).then.cites == ("649a.7(e)(2)", "649a.7(c)")
    pit.bet(1, ante=25)
    assert not_dealt_reason(pit.state, 1) is None
    assert pit.return_wagers(by="dealer", seat=1).then.cites == ("649a.7(c)",)


def test_653a_7_d_1_a_blind_that_no_longer_equals_the_ante_is_reported_before_the_deal() -> None:
    pit = opened(find("653a"), "automated shoe", 1).bet(1, ante=10, blind=10).bet(1, ante=20)
    refused(not_dealt_reason(pit.state, 1), "653a.7(d)(1)", "equal to the Ante Wager")


@every_edition
def test_601a_2_minimum_and_maximum(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    for amount in (499, 50_001):
        problem = pit.verify_place_wager(by="player:1", seat=1, wager=first(rules), amount=amount)
        refused(problem, "601a.2", "$5 to $500")
    for amount in (500, 50_000):
        assert pit.can_place_wager(by="player:1", seat=1, wager=first(rules), amount=amount)


def test_682a_601a_2_a_wager_with_its_own_limits() -> None:
    pit = opened(find("682a"), "manual shoe", 1, wager_limits={"Prime Wager": {"minimum": 1, "maximum": 25}})
    pit.bet(1, ante=10)
    refused(pit.verify_place_wager(by="player:1", seat=1, wager="Prime Wager", amount=2600), "601a.2", "$1 to $25")
    pit.bet(1, prime=25)


@every_edition
def test_12_a_progressive_wager_is_of_the_amount_filed(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    pit.place_wager(by="player:1", seat=1, wager=first(rules), amount=1000)
    for name, terms in pit.state.offer.progressives.items():
        key = next(wager.key for wager in rules.wagers.values() if wager.name == name)
        for amount in (terms.amount + 1, 500 if terms.amount == 100 else 100, 300):
            problem = pit.verify_place_wager(by="player:1", seat=1, wager=key, amount=amount)
            assert problem is not None
            assert problem.cite.startswith(f"{rules.number}.12(")


@every_edition
def test_7_d_what_is_not_offered_is_not_wagered(rules: Rules) -> None:
    tables = {wager.name: None for wager in rules.wagers.values() if wager.optional}
    pit = opened(rules, "manual shoe", 1, wagers=[], progressives=None, system=None, envy=None, paytables=tables)
    for wager in rules.wagers.values():
        if wager.optional:
            problem = pit.verify_place_wager(by="player:1", seat=1, wager=wager.key, amount=100)
            refused(problem, str(wager.cite), "not offered")
    refused(pit.verify_place_wager(by="player:1", seat=1, wager="Insurance", amount=100), f"{rules.number}.7(d)", "no “Insurance”")


@every_edition
def test_7_a_chips_that_are_not_there(rules: Rules) -> None:
    pit = Pit(rules, "manual shoe").seat(1, chips=600)
    pit.ready()
    problem = pit.verify_place_wager(by="player:1", seat=1, wager=first(rules), amount=1000)
    assert problem is not None
    assert "up to" in str(problem)


# adjacent boxes


@every_edition
def test_7_adjacent_boxes_by_the_submission(rules: Rules) -> None:
    if not rules.of(AdjacentBoxes)[0].chosen_by_submission:
        pytest.skip("one box only")
    pit = opened(rules, "manual shoe", 3, 6, adjacent_boxes=3)
    cite = adjacent(rules)
    refused(pit.verify_place_wager(by="player:3", seat=1, wager=first(rules), amount=1000), cite, "3 adjacent")
    pit.bet_everything(3, box=4)
    pit.bet_everything(3, box=3)
    refused(pit.verify_place_wager(by="player:6", seat=4, wager=first(rules), amount=1000), f"{rules.number}.7(b)")
    refused(pit.verify_place_wager(by="player:3", seat=1, wager=first(rules), amount=1000), cite)
    pit.bet_everything(3, box=2)
    refused(pit.verify_place_wager(by="player:3", seat=5, wager=first(rules), amount=1000), cite)
    refused(pit.verify_place_wager(by="player:3", seat=6, wager=first(rules), amount=1000), f"{rules.number}.7(b)")
    refused(pit.verify_place_wager(by="player:3", seat=9, wager=first(rules), amount=1000), f"{rules.number}.2(a)")
    refused(pit.verify_sit(by="player:4", seat=4, player="X"), f"{rules.number}.7(b)", "after the round")
    pit.bet_everything(6).lock()
    pit.finish(STAYS)
    settled = [event.command.seat for event in pit.events if event.event == "wagers settled"]  # type: ignore[union-attr]
    assert list(dict.fromkeys(settled)) == [6, 4, 3, 2]
    assert (
        pit.state.balance("seat 2 chips") == pit.state.balance("seat 4 chips") == 0
    )  # everything is paid to the player's own seat


@every_edition
def test_7_one_box_where_the_submission_says_one(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 3, adjacent_boxes=1)
    refused(pit.verify_place_wager(by="player:3", seat=2, wager=first(rules), amount=1000), adjacent(rules))
    pit.bet_everything(3)


def test_653a_7_e_never_more_than_one_box() -> None:
    pit = opened(find("653a"), "manual shoe", 3)
    assert pit.state.offer.adjacent_boxes == 1
    refused(pit.verify_place_wager(by="player:3", seat=4, wager="Ante Wager", amount=1000), "653a.7(e)", "one box only")


# wagers that cannot stand


@every_edition
def test_7_d_a_wager_without_the_one_it_needs_is_returned_by_the_dealer(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    dependent = next((w for w in rules.wagers.values() if w.needs and not w.electronic), None)
    if dependent is None:
        pytest.skip("no wager needs another")
    for wager in ["Let It Ride Poker Wager"] if rules.number == "643a" else [first(rules)]:
        pit.place_wager(by="player:1", seat=1, wager=wager, amount=1000)
    pit.place_wager(by="player:1", seat=1, wager=dependent.key, amount=pit.amount(dependent.name, 10))
    pit.take_back_wager(by="player:1", seat=1, wager=first(rules))
    assert pit.verify(pit.staff.no_more_bets(pit.state)[1], "dealer") is not None
    pit.return_wagers(by="dealer", seat=1)
    assert not pit.state.stakes
    assert pit.state.balance("seat 1 layout") == 0


# leaving


def worth(table: State, seat: int) -> int:
    return table.balance(f"seat {seat} chips") + table.balance(f"seat {seat} game account")


@every_edition
def test_7_b_between_rounds_a_player_leaves_with_everything(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2)
    before = pit.state.balance("players' own money")
    pit.leave(by="player:1", seat=1)
    assert pit.state.balance("players' own money") - before == 10_000_00
    assert list(pit.state.stakes) == [2]
    refused(pit.verify_leave(by="player:2", seat=1), f"{rules.number}.7(b)")


@every_edition
def test_7_b_a_player_who_leaves_during_a_round_loses_their_wagers(rules: Rules) -> None:
    """At every moment of the round. The others play on as if this player had never sat there."""
    pit = opened(rules, "automated shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    moments = 0
    while pit.state.round is not None:
        if 1 not in pit.state.round.settled and not pit.state.round.validated:
            other = pit.fork()
            lying, outside = other.state.balance("seat 1 layout"), other.state.balance("players' own money")
            held, inventory = worth(other.state, 1), other.state.balance("table inventory")
            other.leave(by="player:1", seat=1)
            assert other.state.balance("players' own money") == outside + held
            assert other.state.balance("table inventory") == inventory + lying
            other.finish(STAYS)
            assert other.state.phase is Phase.BETTING
            assert 1 not in other.state.players
            moments += 1
        pit.step(STAYS)
    assert moments > 8


@every_edition
def test_7_b_when_everyone_leaves_the_round_is_over(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    pit.deal_cards(by="dealer", count=3)
    pit.leave(by="player:2", seat=2)
    assert pit.state.round is not None
    pit.leave(by="player:1", seat=1)
    assert pit.state.round is None
    assert pit.state.phase is Phase.BETTING


def test_641a_7_b_a_gone_player_is_not_asked_and_not_settled() -> None:
    pit = opened(find("641a"), "automated shoe", 1, 2, 3)
    for seat in (1, 2, 3):
        pit.bet_everything(seat)
    pit.lock()
    pit.until(Act.ASK)
    pit.leave(by="player:1", seat=1)
    refused(pit.verify_decide(by="player:3", seat=3, choice="fold"), "641a.11(b)", "box 2")
    pit.answer(FOLDS)
    pit.leave(by="player:2", seat=2)
    pit.finish(by_seat(s3=STAYS))
    settled = [event.command.seat for event in pit.events if event.event == "wagers settled"]  # type: ignore[union-attr]
    assert settled == [3]


def test_649a_7_b_a_player_whose_win_is_validated_waits_for_it() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, three_card=1).stack({1: "As Ks Qs"}, dealer="2c 4d 6h").lock()
    pit.play_until(lambda table: bool(table.round and table.round.validated), STAYS)
    refused(pit.verify_leave(by="player:1", seat=1), "649a.7(b)", "being paid")
    pit.finish()
    pit.leave(by="player:1", seat=1)
