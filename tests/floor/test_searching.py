"""Search results compared with a scan of every round."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from croupier.floor.surveillance.records import Records, by_player
from croupier.floor.surveillance.round_record import RecordedRound
from croupier.floor.surveillance.search import BadCursor, Query, search
from croupier.ledger import MemoryRecorder
from tests.floor.logs import played
from tests.floor.play import open_and_play

Fits = Callable[[RecordedRound], bool]


@pytest.fixture(scope="module")
def records() -> Records:
    recorder = MemoryRecorder()
    for table, game, seed in (("T1", "649a", 3), ("T2", "653a", 4), ("T3", "680a", 5)):
        open_and_play(recorder, game, 30, seed, table=table)
    found = Records(recorder)
    found.catch_up_all()
    return found


def everything(records: Records) -> list[RecordedRound]:
    rounds = [each for table in records.tables() for each in records.rounds(table)]
    return sorted(rounds, key=lambda each: (each.begun, each.table, each.number), reverse=True)


def paged(records: Records, query: Query, limit: int) -> list[RecordedRound]:
    found, cursor = list[RecordedRound](), ""
    while True:
        page = search(records, query, cursor, limit)
        assert len(page.rounds) <= limit
        found += page.rounds
        if not page.cursor:
            return found
        cursor = page.cursor


def hands(each: RecordedRound, player: str = "") -> list[str]:
    return [bet.hand for box in each.boxes if player in box.player for bet in box.bets]


def sums(each: RecordedRound) -> list[tuple[int, int]]:
    return list(by_player(each.boxes).values())


MIDDLE = 1_800_000_300_000
CASES: list[tuple[Query, Fits]] = [
    (Query(), lambda r: True),
    (Query(table="T2"), lambda r: r.table == "T2"),
    (Query(player="GUEST 4"), lambda r: any("guest 4" in box.player for box in r.boxes)),
    (Query(hand="PAIR"), lambda r: any("pair" in hand.lower() for hand in hands(r))),
    (Query(hand="KIND three"), lambda r: any("three-of-a-kind" in h.lower() for h in hands(r))),
    (Query(player="guest 1", hand="pair"), lambda r: any("pair" in hand.lower() for hand in hands(r, "guest 1"))),
    (Query(won=10_000), lambda r: any(won >= 10_000 for _, won in sums(r))),
    (Query(staked=5_000), lambda r: any(staked >= 5_000 for staked, _ in sums(r))),
    (Query(amount=8_000), lambda r: any(max(both) >= 8_000 for both in sums(r))),
    (Query(since=MIDDLE), lambda r: r.begun >= MIDDLE),
    (Query(until=MIDDLE), lambda r: r.begun < MIDDLE),
    (Query(irregular=True), lambda r: bool(r.irregularities)),
    (Query(irregularity="wrong"), lambda r: any("wrong" in name for name in r.irregularities)),
]


@pytest.mark.parametrize(("query", "fits"), CASES)
def test_every_search_finds_what_a_scan_finds(records: Records, query: Query, fits: Fits) -> None:
    expected = [each for each in everything(records) if fits(each)]
    assert expected
    assert query == Query() or len(expected) < len(everything(records))
    for limit in (1, 7, 500):
        assert paged(records, query, limit) == expected


def test_amount_and_hand_have_to_match_the_same_player(records: Records) -> None:
    """Not one player's pair with another player's money."""
    for player in {box.player for each in everything(records) for box in each.boxes}:
        for each in paged(records, Query(player=player, hand="pair", won=1), 50):
            mine = [box for box in each.boxes if player in box.player]
            assert any("pair" in bet.hand.lower() for box in mine for bet in box.bets)
            assert sum(bet.pays for box in mine for bet in box.bets) > 0


def test_rounds_that_end_between_requests_do_not_shift_the_pages() -> None:
    recorder = MemoryRecorder()
    open_and_play(recorder, "680a", 6, table="A", mishaps=False)
    records = Records(recorder)
    records.catch_up_all()
    first = search(records, Query(), limit=3)
    open_and_play(recorder, "680a", 3, table="B", mishaps=False)
    records.catch_up_all()
    later = search(records, Query(table="A"), first.cursor, limit=3)
    assert [each.number for each in (*first.rounds, *later.rounds)] == [6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("cursor", ["x", "1.2", "1.2.", "-1.2.T1", "1..T1", "٣.1.T1"])
def test_a_malformed_cursor_is_refused(records: Records, cursor: str) -> None:
    with pytest.raises(BadCursor):
        search(records, Query(), cursor)


def test_a_bet_that_the_player_took_back_is_not_searched_for() -> None:
    records = Records(played("643a"))
    records.catch_up("T1")
    round_, box = next(
        (each, box) for each in records.rounds("T1") for box in each.boxes if any(bet.outcome == "withdrawn" for bet in box.bets)
    )
    kept = sum(bet.stake for bet in box.bets if bet.outcome != "withdrawn")
    assert round_.wagered == sum(bet.stake for each in round_.boxes for bet in each.bets if bet.outcome != "withdrawn")
    assert by_player((box,)) == {box.player: (kept, sum(bet.pays for bet in box.bets))}
    assert round_ in search(records, Query(player=box.player, staked=kept), "", 500).rounds
    assert round_ not in search(records, Query(player=box.player, staked=kept + 1), "", 500).rounds
