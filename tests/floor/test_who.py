"""Who acted: every event names the person and the role. Logs of version 1, which named only the role, open and verify."""

from __future__ import annotations

import asyncio
import lzma
from pathlib import Path

import msgspec
import pytest

from croupier import book
from croupier.floor.house.house import House, open_table, stream_of
from croupier.floor.surveillance.narration import actor, with_name
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.replay import replay
from croupier.floor.surveillance.search import Query, search
from croupier.floor.verification.verify import verify
from croupier.law.cite import Refusal
from croupier.ledger import MemoryRecorder, open_recorder
from croupier.table import commands as say
from croupier.table.events import Event, read_event
from croupier.table.state import Phase
from tests.floor import logs
from tests.floor.play import Clock, open_and_play, play, submission

VERSION_1 = Path(__file__).with_name("version-1.db.xz")  # two rounds of each game, recorded when events had version 1
NOTED = 484  # table events in it, by its own count


@pytest.fixture
def old(tmp_path: Path) -> str:
    path = tmp_path / "version-1.db"
    path.write_bytes(lzma.decompress(VERSION_1.read_bytes()))
    return str(path)


def test_a_log_of_version_1_verifies_and_says_what_was_not_decided_again(old: str) -> None:
    report = verify(old)
    assert report.holds, report.damage
    assert report.rounds == 2 * len(book.MODULES)
    assert report.decided == 0
    assert report.cards_opened
    assert any(f"{NOTED} events of an older version" in line for line in report.unchecked)


def test_tables_of_version_1_open_and_play_on_under_names(old: str) -> None:
    recorder = open_recorder(old)
    house = House(recorder, Clock())
    for game in book.MODULES:
        keeper = house.table(game)
        assert keeper.state.phase is Phase.BETTING
        before = keeper.version
        asyncio.run(house.execute(game, say.Fill(amount=100), "floorperson", person="Ann Miller"))
        events = [read_event(entry.body) for entry in recorder.read(stream_of(game))]
        assert {event.person for event in events[:before]} == {""}
        assert with_name(events[-1], None) == "A fill of $1. By Ann Miller (floorperson)."
        assert actor(events[0]) == "the floorperson"
        assert replay(recorder, game, 1).steps[0].person == ""
    asyncio.run(house.close())
    recorder.close()
    report = verify(old)
    assert report.holds, report.damage
    assert report.decided == len(book.MODULES)  # one fill each


def _forged(version: int, **changes: object) -> MemoryRecorder:
    recorder = logs.copy(logs.played("649a"))
    logs.rewrite(recorder, "table/T1", version, logs.body(recorder, "table/T1", version) | changes)
    return recorder


def test_an_event_cannot_be_forged_by_giving_it_an_older_version() -> None:
    """Events of version 1 are not decided again, so they are allowed only before all newer ones."""
    damage = verify(_forged(9, v=1)).damage
    assert [(each.stream, each.version) for each in damage] == [("table/T1", 9)]
    assert "older version comes after newer ones" in str(damage[0])


def test_an_event_cannot_be_forged_by_adding_to_it() -> None:
    """Extra text after the version does not make an event an older one."""
    damage = verify(_forged(9, z="")).damage
    assert (damage[0].version, damage[0].what) == (9, "its body is not encoded the way Croupier writes events")


def test_a_player_is_named_by_the_seat_and_by_nothing_else() -> None:
    recorder = logs.played("649a")
    seated: dict[str, str] = {}
    for entry in recorder.read("table/T1"):
        event = read_event(entry.body)
        if isinstance(event.command, say.Sit):
            seated[event.by] = event.command.player
        if event.by.startswith("player:"):
            assert event.person == seated[event.by]
    assert seated
    place = logs.versions(recorder, "table/T1", "wager placed")[0]
    assert "person" in str(verify(_forged(place, person="somebody else")).damage[0])


def test_nobody_of_the_staff_acts_without_a_name() -> None:
    house = House(MemoryRecorder(), Clock())
    asyncio.run(open_table(house, "T1", submission("680a"), 500, person="Flora"))
    with pytest.raises(Refusal, match="the floorperson who acts is not named"):
        asyncio.run(house.execute("T1", say.Fill(amount=100), "floorperson"))
    assert house.table("T1").version == 1


def test_rounds_are_found_by_anyone_who_acted() -> None:
    recorder = MemoryRecorder()
    house = open_and_play(recorder, "649a", 2, mishaps=False)
    asyncio.run(house.execute("T1", say.PostLimits(minimum=1000, maximum=20_000), "floorperson", person="Ann Miller"))
    play(house, "T1", 1, 9, mishaps=False)
    records = Records(recorder)
    records.catch_up("T1")
    assert [found.number for found in search(records, Query(person="ann mill")).rounds] == [3]
    assert [found.number for found in search(records, Query(person="guest 1")).rounds] == [3, 2, 1]
    assert search(records, Query(player="ann mill")).rounds == ()


@pytest.mark.parametrize(
    ("by", "person", "says"),
    [
        ("floorperson", "Ann Miller", "Ann Miller (floorperson)"),
        ("floorperson", "practice floorperson", "the practice floorperson"),
        ("dealer", "automatic dealer", "the automatic dealer"),
        ("device", "table game system", "the table game system"),
        ("player:3", "Bob", "Bob (seat 3)"),
        ("player:3", "", "seat 3"),
        ("dealer", "", "the dealer"),
    ],
)
def test_who_acted_in_words(by: str, person: str, says: str) -> None:
    event = msgspec.convert(
        {
            "v": 2,
            "event": "decks removed",
            "at": 1,
            "by": by,
            "person": person,
            "command": {"do": "remove decks"},
            "then": {"cites": []},
        },
        Event,
    )
    assert actor(event) == says
