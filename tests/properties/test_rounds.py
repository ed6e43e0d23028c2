"""What holds for every round: totality, balance, limits, and the order of seats."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.filing.limit_floor import limit_floor
from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.chapter import Rules
from croupier.law.settlement import Outcome
from croupier.table.accounts import balances, chips, game_account, layout, moves, not_from_inventory
from croupier.table.case import read_case
from tests.examples import editions
from tests.properties.rounds import random_case

EDITIONS = editions()
each_edition = pytest.mark.parametrize("rules", EDITIONS, ids=lambda rules: f"{rules.number}-{rules.edition}")


@each_edition
def test_settlement_is_total_over_its_facts(rules: Rules) -> None:
    """Every combination of facts gives each wager of the group at most one line, and the wager it belongs to exactly one."""
    for settlement in rules.settlements:
        for values, lines in settlement.every_case():
            own = [line.wager for line in lines if not line.bonus]
            assert len(own) == len(set(own)), (settlement.cite, values)
            assert set(own) <= set(settlement.settles)
            assert settlement.wager in own
            folded = any(line.outcome is Outcome.FORFEIT for line in lines)
            unsettled = set(settlement.settles) - set(own)
            assert not unsettled or (folded and all(wager.made_by_decision for wager in unsettled)), (settlement.cite, values)


@pytest.mark.parametrize(
    "rules", [rules for rules in EDITIONS if rules.chapter.law], ids=lambda rules: f"{rules.number}-{rules.edition}"
)
def test_every_line_names_a_clause_of_the_outline(rules: Rules) -> None:
    from croupier.book.coverage import outline

    clauses = set(outline(rules))
    for settlement in rules.settlements:
        for _, lines in settlement.every_case():
            assert {line.clause for line in lines} | {line.lost for line in lines if line.lost} <= clauses


@each_edition
@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_every_settlement_balances_to_the_cent(rules: Rules, seed: int) -> None:
    case = read_case(random_case(rules, Random(seed), seats=rules.seats if rules.seats < 7 else 4))
    settled = case.settle()
    change = balances(move for seat in settled.seats for move in moves(case.offer, seat.seat, seat.seat, seat.lines))
    assert sum(change.values()) == 0
    for seat in settled.seats:
        on_layout = sum(line.stake for line in seat.lines if -change[layout(seat.seat)] and _lies_on_layout(rules, line.wager))
        assert -change[layout(seat.seat)] == on_layout
        at_the_cage = sum(line.pays for line in seat.lines if not_from_inventory(case.offer, line))
        brought = seat.net + sum(line.stake for line in seat.lines) - at_the_cage
        assert change[chips(seat.seat)] + change[game_account(seat.seat)] == brought
        for line in seat.lines:
            assert line.pays >= 0
            assert 0 <= line.returns <= line.stake
    for name, meter in settled.meters.items():
        assert meter.after >= 0, name
    assert TABLE_INVENTORY in change or not any(line.stake for seat in settled.seats for line in seat.lines)


def _lies_on_layout(rules: Rules, name: str) -> bool:
    return any(wager.name == name and not wager.collected and not wager.electronic for wager in rules.wagers.values())


@each_edition
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_every_stake_is_settled_once_and_seats_run_from_the_dealers_right(rules: Rules, seed: int) -> None:
    case = read_case(random_case(rules, Random(seed)))
    settled = case.settle()
    assert [seat.seat for seat in settled.seats] == [3, 2, 1]
    for seat in settled.seats:
        own = {(line.wager, line.side): line.stake for line in seat.lines if line.stake}
        assert len(own) == sum(1 for line in seat.lines if line.stake)
        made = {(rules.wagers[key].name, rules.wagers[key].side): stake for key, stake in case.seats[seat.seat].stakes.items()}
        assert own == made


@pytest.mark.thorough
@pytest.mark.parametrize("rules", [rules for rules in EDITIONS if rules.limit], ids=lambda rules: f"{rules.number}-{rules.edition}")
@settings(max_examples=150)
@given(seed=st.integers(0, 2**32))
def test_no_round_at_the_minimum_wins_more_than_the_floor_of_the_limit(rules: Rules, seed: int) -> None:
    """The floor is the largest amount: wagers of $1,000 at a minimum of $1,000 never win more of what the limit covers."""
    raw = random_case(rules, Random(seed), seats=1)
    wagers = raw["seats"]["1"]["wagers"]
    raw["seats"]["1"]["wagers"] = {
        name: 1 if name in ("Let It Ride Bonus Wager", "Progressive Payout Wager") else 1000 for name in wagers
    }
    raw["offer"]["minimum"] = 1000
    case = read_case(raw)
    limit = rules.limit
    assert limit is not None
    lines = case.settle().seats[0].lines
    won = sum(line.pays for line in lines if line.wager in limit.names and (line.wager, line.row) not in limit.never)
    assert won <= limit_floor(case.offer)


def test_both_editions_answer_differently_where_they_differ() -> None:
    raw = {
        "game": "649a",
        "dealer": {"cards": "Qh 7d 2c"},
        "seats": {"1": {"cards": "9s 8d 7h", "wagers": {"Pair Plus Wager": 10}}},
    }
    odds = {
        edition: read_case(raw | {"edition": edition}).settle().seats[0].lines[0].odds for edition in ("2011-06-14", "2019-11-02")
    }
    assert {edition: str(each) for edition, each in odds.items()} == {"2011-06-14": "5 to 1", "2019-11-02": "6 to 1"}
