"""The table and the dispute desk settle alike: the same cards, stakes and decisions, by two code paths that share only the chapter."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import groupby
from random import Random
from typing import Any

import pytest

from croupier.cards import show
from croupier.law.chapter import Rules
from croupier.law.procedure import Act, Dealing
from croupier.table.case import read_case
from croupier.table.events import line_of
from croupier.table.state import State, cards_of
from croupier.wire import WagerLine
from tests.table.pit import Pit, every_method, opened, some_methods


def random_wagers(pit: Pit, seat: int, box: int, random: Random) -> None:
    """Wagers that belong together, and some of the rest."""
    table, done = pit.state, set()
    entitled = [wager.key for wager in table.dealing.entitled]
    amount = random.randint(1, 40) * 250 + 250
    for wager in table.rules.wagers.values():
        group = wager.group or wager.key
        if wager.made_by_decision or group in done or not table.offer.offers(wager):
            continue
        done.add(group)
        if wager.required or wager.group or wager.key == random.choice(entitled) or random.random() < 0.6:
            own = amount if wager.required or wager.group else random.randint(2, 80) * 250
            fixed = (wager.amounts and wager.amounts.fixed) or wager.name in table.offer.progressives
            cents = pit.amount(wager.name, 1) if fixed else own
            if pit.can_place_wager(by=f"player:{seat}", seat=box, wager=group, amount=cents):
                pit.place_wager(by=f"player:{seat}", seat=box, wager=group, amount=cents)


def described(table: State, meters: dict[str, int]) -> dict[str, Any]:
    """The round on the table, as someone would describe it to the dispute desk."""
    current = table.round
    assert current is not None
    raw: dict[str, Any] = {"game": table.rules.number, "seats": {}}
    raw["meters"] = {wager: {"amount": Decimal(cents) / 100} for wager, cents in meters.items()}
    if current.dealer:
        raw["dealer"] = {"cards": show(cards_of(current.dealer))}
    if current.community:
        raw["community"] = {"cards": show(cards_of(current.community))}
    for box, held in current.hands.items():
        fourth = f" / {show(cards_of(current.fourths[box]))}" if box in current.fourths else ""
        wagers: dict[str, Any] = {}
        for key in current.placed[box]:
            wager, dollars = table.rules.wagers[key], Decimal(current.stakes[box][key]) / 100
            if wager.side:
                wagers.setdefault(wager.name, {})[wager.side] = dollars
            else:
                wagers[key] = dollars
        seat: dict[str, Any] = {"player": str(table.boxes[box]), "cards": show(cards_of(held)) + fourth, "wagers": wagers}
        if box in current.decided:
            seat["decision"] = " ".join(current.decided[box])
        if box in current.sets:
            seat["set"] = show(tuple(cards_of(held)[n - 1] for n in current.sets[box]))
        raw["seats"][str(box)] = seat
    if current.drawn:
        drawn = {"magic_card": current.magic_card, "lucky": int(current.lucky) if current.lucky.isdigit() else current.lucky}
        raw["system"] = {name: value for name, value in drawn.items() if value}
    return raw


def one_round(pit: Pit, random: Random) -> None:
    pit.ready()
    seats = sorted(random.sample(sorted(pit.state.players), random.randint(1, len(pit.state.players))))
    while not pit.state.stakes:
        for seat in seats:
            random_wagers(pit, seat, seat, random)
        if seats[-1] > 1 and random.random() < 0.7:  # one player on two boxes, where the chapter allows it
            random_wagers(pit, seats[-1], 3, random)
    for box in [box for box, stakes in pit.state.stakes.items() if not set(stakes) & {w.key for w in pit.state.dealing.entitled}]:
        pit.return_wagers(by="dealer", seat=box)
    if not pit.state.stakes:
        return
    pit.lock()
    since = len(pit.events)
    if pit.state.rules.edition.name == "2019-11-02" and random.random() < 0.5:
        lucky = random.choice([*map(str, pit.state.stakes), "dealer"])
        card = pit.state.decks[0].order[random.randrange(52)]
        if pit.can_draw_bonus(by="device", magic_card=card, lucky=lucky):
            pit.draw_bonus(by="device", magic_card=card, lucky=lucky)
    pit.until(Act.SETTLE)
    meters = {wager: meter.amount for wager, meter in pit.meters.items()}
    raw = described(pit.state, meters)
    pit.until(Act.CLEAR)
    case = read_case(raw, pit.state.offer).settle()
    told: dict[int, list[WagerLine]] = {seat.seat: [] for seat in case.seats}
    for event in pit.events[since:]:
        if event.event == "wagers settled":
            told[event.command.seat] += event.then.lines  # type: ignore[union-attr]
        elif event.event == "forfeited wagers collected":
            for move in event.then.moves:
                assert move.target == "table inventory"
    settled = [event.command.seat for event in pit.events[since:] if event.event == "wagers settled"]  # type: ignore[union-attr]
    assert [seat for seat, _ in groupby(settled)] == [
        seat.seat for seat in case.seats
    ]  # a box may be settled in parts, one box at a time
    for seat in case.seats:
        late = [line_of(paid) for paid in seat.lines if paid.outcome.value != "forfeit" and not _withdrawn(paid.cite.clause)]
        assert told[seat.seat] == late
    assert {wager: pit.meters[wager].amount for wager in case.meters} == {
        name: reading.after for name, reading in case.meters.items()
    }
    _forfeited(pit, since, case)
    pit.finish()


def _withdrawn(clause: str) -> bool:
    return clause in ("11(b)(2)", "11(d)(2)")


def _forfeited(pit: Pit, since: int, case: Any) -> None:
    """What folding lost is reported once, when it is collected, and it is what the desk says."""
    collected = [line for event in pit.events[since:] if event.event == "forfeited wagers collected" for line in event.then.lines]
    lost = [
        line_of(replace(paid, hand="")) for seat in reversed(case.seats) for paid in seat.lines if paid.outcome.value == "forfeit"
    ]
    assert sorted(map(str, collected)) == sorted(map(str, lost))  # the table collects street by street


def rounds(rules: Rules, dealing: Dealing, count: int, seed: int) -> None:
    random = Random(seed)
    columns = {
        table.name: random.choice(table.letters)
        for table in rules.paytables().values()
        if table.lettered and table.name not in rules.envy_schedules
    }
    meters = {name: None for name in columns if "Progressive" in name}  # their letter goes with the meter's terms
    columns = {name: letter for name, letter in columns.items() if name not in meters}
    pit = opened(rules, dealing.method.value, 1, 2, 4, seed=seed, paytables=columns)
    for _ in range(count):
        one_round(pit, random)
        for seat in (1, 2, 4):
            if pit.state.balance(f"seat {seat} chips") < 5_000_00:
                pit.buy_in(by=f"player:{seat}", seat=seat, amount=50_000_00)
        pit.events.clear()


@some_methods
def test_settlement_at_the_table_is_the_settlement_of_the_described_round(rules: Rules, dealing: Dealing) -> None:
    rounds(rules, dealing, count=25, seed=11)


@pytest.mark.slow
@every_method
@pytest.mark.parametrize("seed", range(100, 104))
def test_hundreds_of_rounds_settle_alike(rules: Rules, dealing: Dealing, seed: int) -> None:
    rounds(rules, dealing, count=200, seed=seed)
