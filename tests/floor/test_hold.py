"""The hold compared with its expected value: sums worked out by hand, thousands of rounds actually played, and falsified payments."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, sqrt
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier import book
from croupier.cards import cards
from croupier.filing.offer import Offer
from croupier.filing.template import example_submission as template
from croupier.floor.dealer.automatic_dealer import PERSONS, PracticeStaff
from croupier.floor.house.house import House, open_table
from croupier.floor.house.shuffle import Seeded
from croupier.floor.surveillance.expected_win import BetSums, Moments
from croupier.floor.surveillance.hold import TableHold, TableHolds, WagerHold, offer_rows
from croupier.floor.surveillance.records import Records
from croupier.law.fact import Compared
from croupier.ledger import MemoryRecorder
from croupier.money import dollars
from croupier.odds.prices import cached_prices, prices
from croupier.odds.solvers.main_game import main_settlement
from croupier.table import commands as say
from croupier.table.events import Event, read_event, write_event
from croupier.table.rules.round_play import pending
from croupier.table.state import State, cards_of, offer_of
from tests.bench_table import actions, all_wagers
from tests.examples import GAMES
from tests.floor.logs import copy, rehash
from tests.sharing import once

T1 = "table/T1"
ROUNDS, LONG = 300, 1000
Choose = Callable[[State, int], str]


# the calculation, by hand


COIN = [
    {"net": "1/1", "share": "0/1", "odds": "1 to 1", "count": 9},
    {"net": "-1/1", "share": "0/1", "odds": "-1 to 1", "count": 11},
]


def test_a_coin_that_favors_the_house() -> None:
    """Edge 1/10, variance 99/100 per unit: two bets of 300 and 400 cents in one round, one of 500 in another."""
    tally = BetSums()
    tally.add([(300, 300, 0), (-400, 400, 0)])
    tally.add([(500, 500, 0)])
    found = tally.expected(Moments.of({"outcomes": COIN}))
    assert found.win == 30 + 40 + 50
    assert found.apart == Fraction(99, 100) * (300**2 + 400**2 + 500**2)
    assert found.together == Fraction(99, 100) * (700**2 + 500**2)
    crossed = 2 * (300 - 30) * (-400 - 40)  # opposite results: the seats count as if each played alone
    assert crossed < 0
    assert found.variance == found.apart


def test_seats_that_win_together_are_counted_so() -> None:
    tally = BetSums()
    tally.add([(300, 300, 0), (400, 400, 0)])
    found = tally.expected(Moments.of({"outcomes": COIN}))
    assert found.variance == found.apart + 2 * (300 - 30) * (400 - 40)
    tally = BetSums()
    tally.add([(-300, 300, 0), (-400, 400, 0)])
    found = tally.expected(Moments.of({"outcomes": COIN}))
    assert Fraction(99, 100) * 2 * 300 * 400 < 2 * (-330) * (-440)  # more than it could be overall
    assert found.variance == found.together


def test_a_progressive_with_a_fixed_sum() -> None:
    """One in ten wins half the meter, one in ten wins $20, and the stake is never returned."""
    outcomes = [
        {"net": "-1/1", "share": "1/2", "odds": "50% of meter", "count": 1},
        {"net": "19/1", "share": "0/1", "odds": "$20", "count": 1},
        {"net": "-1/1", "share": "0/1", "odds": "lose", "count": 8},
    ]
    tally, bets = BetSums(), [(500, 10_000), (500, 20_000), (100, 12_345)]
    for stake, meter in bets:
        tally.add([(stake, stake, meter)])
    found = tally.expected(Moments.of({"stake": 100, "outcomes": outcomes}))
    mean = [stake - Fraction(meter, 20) - 200 for stake, meter in bets]
    square = [
        Fraction(1, 10) * (stake - Fraction(meter, 2)) ** 2 + Fraction(1, 10) * (stake - 2000) ** 2 + Fraction(8, 10) * stake**2
        for stake, meter in bets
    ]
    assert found.win == sum(mean)
    assert found.variance == found.apart == found.together == sum(b - a**2 for a, b in zip(mean, square, strict=True))


def test_how_many_bets_a_long_shot_needs() -> None:
    """One in 1,000 wins 900. The skewness of such a bet is (1 - 2p) / sqrt(p (1 - p))."""
    outcomes = [
        {"net": "900/1", "share": "0/1", "odds": "900 to 1", "count": 1},
        {"net": "-1/1", "share": "0/1", "odds": "-1 to 1", "count": 999},
    ]
    p = Fraction(1, 1000)
    assert Moments.of({"outcomes": outcomes}).needs((Fraction(500), Fraction(0), Fraction(1))) == -(
        -25 * (1 - 2 * p) ** 2 // (p * (1 - p))
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_rows_of_a_game_are_the_wagers_that_the_odds_price(game: str) -> None:
    rules = book.find(game).edition()
    groups = offer_rows(template(rules))
    assert set(groups.row) >= set(rules.wagers)
    main = main_settlement(rules)
    together = {groups.row[wager.key] for wager in main.settles}
    assert together == {main.wager.group or main.wager.name}
    assert all(groups.row[unit] == row for row, unit in groups.unit.items())


# rounds actually played


def at_least_queen_six_four(state: State, box: int) -> str:
    """Best play of Three Card Poker, as published."""
    assert state.round is not None
    ranking = next(fact for fact in main_settlement(state.rules).asks if isinstance(fact, Compared)).ranking
    good = ranking.strength(cards_of(state.round.hands[box])) >= ranking.strength(cards("Qs 6h 4d"))
    return "play" if good else "fold"


def ride_with_what_pays(state: State, box: int) -> str:
    """Close to best play of Let It Ride: leave a bet with a hand that already pays or four of a suit, and take back the rest."""
    assert state.round is not None
    seen = [*state.round.hands[box], *(held for held in state.round.community if held.up)]
    ranks, suits = [held.card[0] for held in seen], [held.card[1] for held in seen]
    pays = any(ranks.count(rank) >= (2 if rank in "TJQKA" else 3) for rank in ranks)
    four = len(seen) == 4 and len(set(suits)) == 1
    decision = state.stages[state.round.stage].decision
    assert decision is not None
    return next(each.word for each in decision.choices if bool(each.withdraws) != (pays or four))


def set_by_the_house(state: State, box: int) -> str:
    return ""


def fold_everything(state: State, box: int) -> str:
    return "fold"


async def _played(game: str, rounds: int, seats: int, seed: int, choose: Choose) -> MemoryRecorder:
    recorder = MemoryRecorder()
    house = House(recorder, snapshot_every=10**9)
    await open_table(house, "T1", template(book.find(game).edition()), dollars(1_000_000), person="Flora")
    state, dealer, random = house.table("T1").state, PracticeStaff(Seeded(seed)), Random(seed)
    for seat in range(1, seats + 1):
        await house.execute("T1", say.Sit(seat=seat, player=f"player {seat}"), "floorperson", person="Flora")
    wagers = [action for action in all_wagers(state) if action[1].seat <= seats]  # type: ignore[attr-defined]
    while state.rounds < rounds or state.round is not None:
        by, command = actions(state, dealer, random, wagers, at=house.clock())
        if isinstance(command, say.Decide):
            assert state.round is not None
            command = say.Decide(seat=command.seat, choice=choose(state, pending(state, state.round)[0]))
        await house.execute("T1", command, by, person=PERSONS.get(by, ""))
    return recorder


@cache
def log(game: str, rounds: int, seats: int, choose: Choose) -> MemoryRecorder:
    recorder = MemoryRecorder()
    asked = (game, rounds, seats, choose.__name__)
    recorder._streams = once("played", asked, lambda: asyncio.run(_played(game, rounds, seats, 21, choose))._streams)
    return recorder


def hold_of(recorder: MemoryRecorder) -> TableHold:
    records = Records(recorder)
    records.catch_up_all()
    return TableHolds(records, prices).of("T1")


def row(hold: TableHold, wager: str) -> WagerHold:
    return next(each for each in hold.wagers if each.wager == wager)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "rounds", "seats", "choose"),
    [
        pytest.param("649a", ROUNDS, 2, at_least_queen_six_four, id="649a"),
        pytest.param("649a", LONG, 2, at_least_queen_six_four, id="649a, longer", marks=pytest.mark.thorough),
        pytest.param("643a", 400, 3, ride_with_what_pays, id="643a", marks=pytest.mark.thorough),
        pytest.param("680a", 400, 3, set_by_the_house, id="680a", marks=pytest.mark.thorough),
    ],
)
def test_the_results_of_many_rounds_lie_within_four_deviations(game: str, rounds: int, seats: int, choose: Choose) -> None:
    hold = hold_of(log(game, rounds, seats, choose))
    assert (hold.rounds, hold.void, hold.abandoned) == (rounds, 0, 0)
    for each in hold.wagers:
        if each.handle:
            assert (each.rounds, each.bets) == (rounds, rounds * seats)
            assert each.z is not None
            assert abs(each.z) < 4, (each.wager, each.z)
            assert each.expectation is not None
            assert each.expectation.apart <= each.expectation.variance <= max(each.expectation.apart, each.expectation.together)
    accounts = -sum(sum(r.net.values()) for r in _rounds(log(game, rounds, seats, choose)))
    assert hold.win == accounts


def _rounds(recorder: MemoryRecorder) -> list[Any]:
    records = Records(recorder)
    records.catch_up_all()
    return list(records.rounds("T1"))


@pytest.mark.thorough
def test_the_main_game_is_one_and_its_expectation_is_the_published_edge() -> None:
    """3.3730 % of every Ante, with the Plays in the handle. With a single player the deviation is the exact one."""
    found = row(hold_of(log("649a", ROUNDS, 2, at_least_queen_six_four)), "Ante Wager")
    assert found.base == ROUNDS * 2 * dollars(10)
    assert found.expected == found.base * Fraction(686_689, 20_358_520)
    # Q-6-4 or better is played: 14,893 of 22,100 hands (Wizard of Odds: 67.4 %)
    played = (found.handle - found.base) / found.base
    assert abs(played - 0.674) < 4 * sqrt(0.674 * 0.326 / (2 * ROUNDS))


def test_a_side_wager_s_deviation_is_reckoned_from_the_hands() -> None:
    """Pair Plus, by the counts of the 22,100 hands, which anyone can count."""
    recorder = log("649a", ROUNDS, 2, at_least_queen_six_four)
    found = row(hold_of(recorder), "Pair Plus Wager")
    pays = {name: each.amount for name, each in _offer(recorder).column("Pair Plus Wager").items()}
    counts = {"Straight flush": 48, "Three-of-a-kind": 52, "Straight": 720, "Flush": 1096, "Pair": 3744}
    assert set(pays) == set(counts)  # the example's column has no row for a royal
    lost = comb(52, 3) - sum(counts.values())
    edge = -Fraction(sum(pays[name] * count for name, count in counts.items()) - lost) / comb(52, 3)
    square = Fraction(sum(pays[name] ** 2 * count for name, count in counts.items()) + lost) / comb(52, 3)
    assert found.expected == found.base * edge
    assert found.expectation is not None
    assert found.expectation.apart == (square - edge**2) * found.bets * dollars(10) ** 2


@pytest.mark.thorough
def test_players_who_play_badly_lift_the_hold() -> None:
    best, bad = (row(hold_of(log("649a", ROUNDS, 2, c)), "Ante Wager") for c in (at_least_queen_six_four, fold_everything))
    assert bad.win == bad.base
    assert bad.z is not None
    assert best.z is not None
    assert bad.z > 3 > abs(best.z)
    assert bad.flagged


# falsified


def falsified(recorder: MemoryRecorder, wager: str, change: Callable[[int], int]) -> MemoryRecorder:
    """The same log with different payments for every winning line of a wager, and hashes recomputed."""
    made = copy(recorder)
    made._streams[T1] = [
        replace(entry, body=write_event(_changed(read_event(entry.body), wager, change))) for entry in recorder.read(T1)
    ]
    rehash(made, T1)
    return made


def _changed(event: Event, wager: str, change: Callable[[int], int]) -> Event:
    lines = tuple(
        msgspec.structs.replace(line, pays=change(line.pays)) if line.wager == wager and line.pays else line
        for line in event.then.lines
    )
    return msgspec.structs.replace(event, then=msgspec.structs.replace(event.then, lines=lines))


def test_a_payment_that_is_a_hundred_times_too_much_is_flagged_alone() -> None:
    recorder = log("649a", ROUNDS, 2, at_least_queen_six_four)
    first = iter([True])
    hold = hold_of(falsified(recorder, "Pair Plus Wager", lambda pays: 1000 * pays if next(first, False) else pays))
    assert [each.wager for each in hold.wagers if each.flagged] == ["Pair Plus Wager"]
    assert hold.flagged


@pytest.mark.thorough
def test_a_dealer_who_pays_pair_plus_one_and_a_half_times_is_found() -> None:
    recorder = log("649a", LONG, 2, at_least_queen_six_four)
    found = row(hold_of(falsified(recorder, "Pair Plus Wager", lambda pays: pays * 3 // 2)), "Pair Plus Wager")
    assert found.z is not None
    assert found.z < -3
    assert found.flagged


# the meter, times, and the source of the odds


def test_the_meter_is_the_one_of_each_round() -> None:
    recorder = log("649a", ROUNDS, 2, at_least_queen_six_four)
    name = "Five-Card Progressive Payout Wager"
    found = row(hold_of(recorder), name)
    entry = next(each for each in prices(_offer(recorder)).wagers if each["wager"] == name)
    base, per_dollar = (Fraction(entry["meter"][key]) for key in ("base", "per_dollar"))
    shown = 0
    for event in (read_event(each.body) for each in recorder.read(T1)):
        if isinstance(event.command, say.OpenTable):
            meter = _offer(recorder).progressives[name].seed
        if move := event.then.meters.get(name):
            meter += move.contributed - move.drawn + move.reseeded
        if isinstance(event.command, say.NoMoreBets):
            shown += meter
    assert found.bets == 2 * ROUNDS
    assert found.expected == found.base * (1 - base) - 2 * shown * per_dollar
    assert found.contributed == sum(
        move.contributed + move.reserved
        for each in recorder.read(T1)
        for wager, move in read_event(each.body).then.meters.items()
        if wager == name
    )


def _offer(recorder: MemoryRecorder) -> Offer:
    opened = read_event(next(recorder.read(T1, 0, 1)).body).command
    assert isinstance(opened, say.OpenTable)
    return offer_of(opened.submission)


def test_parts_of_the_time_make_up_the_whole() -> None:
    records = Records(log("649a", ROUNDS, 2, at_least_queen_six_four))
    records.catch_up_all()
    holds, middle = TableHolds(records, prices), records.round("T1", 150).begun
    whole, before, after = holds.of("T1"), holds.of("T1", until=middle), holds.of("T1", since=middle)
    assert (before.rounds, after.rounds) == (149, 151)
    for each in whole.wagers:
        parts = row(before, each.wager), row(after, each.wager)
        assert each.win == sum(part.win for part in parts)
        assert each.expected == (sum(part.expected or 0 for part in parts) if each.handle else None)


def test_what_is_counted_once_is_not_counted_again() -> None:
    recorder = log("649a", ROUNDS, 2, at_least_queen_six_four)
    records, half = Records(recorder), MemoryRecorder()
    records.catch_up_all()
    part = Records(half)
    half._streams = {**recorder._streams, T1: recorder._streams[T1][:6000]}
    part.catch_up_all()
    holds = TableHolds(part, prices)
    assert 0 < holds.of("T1").rounds < 300
    half._streams = recorder._streams
    part.catch_up_all()
    assert holds.of("T1") == TableHolds(records, prices).of("T1")


def test_without_odds_there_is_a_hold_but_no_expectation_until_they_are_ready() -> None:
    records, ready = Records(log("649a", ROUNDS, 2, at_least_queen_six_four)), list[bool]()
    records.catch_up_all()
    holds = TableHolds(records, lambda offer: prices(offer) if ready else None)
    assert all(each.expected is None and each.z is None and not each.flagged for each in holds.of("T1").wagers)
    ready.append(True)
    assert row(holds.of("T1"), "Ante Wager").z is not None


def test_the_odds_that_were_worked_out_before_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    offer = _offer(log("649a", ROUNDS, 2, at_least_queen_six_four))
    assert cached_prices(offer) == prices(offer)
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    assert cached_prices(offer) is None


def test_numba_stays_out_of_the_floor() -> None:
    code = "import sys, croupier.floor.surveillance.hold as h, croupier.floor.surveillance.replay; print('numba' in sys.modules, 'numpy' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "False"]
