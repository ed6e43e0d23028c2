"""The replay slider: each event of a round once, with the real table's view after it, and fast for any round."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from croupier.floor.house.house import House
from croupier.floor.house.vault import ephemeral
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.replay import Frame, Frames, replay
from croupier.law.cite import Refusal
from croupier.ledger import Entry, MemoryRecorder, Recorder, Unreadable, open_recorder
from croupier.table.events import Event
from croupier.table.views import STAFF, view
from tests.examples import some_games
from tests.floor.logs import played
from tests.floor.play import open_and_play, play

ROLES = ("surveillance", "dealer", "floorperson", "player:3", "public")


def frames(recorder: Recorder, table: str, number: int, by: str = "surveillance") -> list[Frame]:
    return Frames(recorder, Records(recorder), ephemeral()).frames(table, number, by)


class Counting(MemoryRecorder):
    """Counts how many table entries are read."""

    count = 0

    def read(self, stream: str, after: int = 0, limit: int | None = None):  # type: ignore[no-untyped-def]
        for entry in super().read(stream, after, limit):
            self.count += stream.startswith("table/")
            yield entry


@some_games
def test_frames_are_the_steps_of_the_replay_with_the_views_of_the_table(game: str) -> None:
    recorder, seen = MemoryRecorder(), dict[tuple[int, str], bytes]()
    house = open_and_play(recorder, game, 1)

    def watch(table: str, version: int, event: Event) -> None:
        for role in ROLES:
            seen[version, role] = msgspec.json.encode(view(house.tables[table].state, role))

    house.listeners.append(watch)
    play(house, "T1", 3, 5)
    for role in ROLES:
        shown = frames(recorder, "T1", 3, role)
        steps = replay(recorder, "T1", 3).steps
        assert [(f.version, f.at, f.cites, f.lines) for f in shown] == [(s.version, s.at, s.cites, s.lines) for s in steps]
        if role in STAFF:
            assert [f.says for f in shown] == [s.says for s in steps]
        else:  # players see the role of staff, not the name
            assert not any("automatic dealer" in f.says for f in shown)
        assert all(msgspec.json.encode(frame.view) == seen[frame.version, role] for frame in shown)


@pytest.mark.parametrize("game", ["641a", "653a", "679a"])
def test_surveillance_sees_the_cards_and_the_others_what_was_shown(game: str) -> None:
    recorder = played(game)
    for number in (2, 5, 8):
        told = replay(recorder, "T1", number, everything=True).steps
        assert [[card.card for card in f.cards] for f in frames(recorder, "T1", number)] == [
            [card.card for card in step.cards] for step in told
        ]
        events = {f.version: f for f in frames(recorder, "T1", number, "dealer")}
        dealt = [step for step in told if step.event == "cards dealt"]
        for step in dealt:
            for mine, card in zip(events[step.version].cards, step.cards, strict=True):
                assert mine.card == (card.card if card.face_up else "")


def test_cached_states_make_no_difference() -> None:
    recorder = Counting()
    open_and_play(recorder, "649a", 40)
    plain, records = Frames(recorder, Records(recorder), ephemeral(), every=10**9), Records(recorder)
    records.catch_up("T1")
    slider = Frames(recorder, records, ephemeral(), every=100)
    slow = plain.frames("T1", 40)
    assert slider.frames("T1", 40) == slow
    recorder.count = 0
    assert slider.frames("T1", 40) == slow
    assert recorder.count <= 2 + 100 + len(slow)  # the entries that cached states build on, up to the round, plus the round
    assert slider.frames("T1", 17) == plain.frames("T1", 17)
    assert slider.frames("T1", 1) == plain.frames("T1", 1)


@pytest.mark.parametrize("kind", ["nonsense", "of another table"])
def test_a_cached_state_that_does_not_match_the_log_is_not_used(kind: str) -> None:
    recorder, other = MemoryRecorder(), MemoryRecorder()
    for each, seed in ((recorder, 7), (other, 8)):
        open_and_play(each, "680a", 12, seed)
        Frames(each, Records(each), ephemeral(), every=50).frames("T1", 12)
    right = Frames(recorder, Records(recorder), ephemeral(), every=10**9).frames("T1", 12)
    for name, (version, _) in list(recorder._snapshots.items()):
        if name.startswith("state/"):
            found = other.snapshot(name)
            recorder._snapshots[name] = (version, b"\xff{" if kind == "nonsense" or found is None else found[1])
    assert Frames(recorder, Records(recorder), ephemeral(), every=50).frames("T1", 12) == right


def test_on_disk(tmp_path: Path) -> None:
    recorder = open_recorder(str(tmp_path / "floor.db"))
    open_and_play(recorder, "643a", 6)
    right = frames(recorder, "T1", 6)
    assert Frames(recorder, Records(recorder), ephemeral(), every=20).frames("T1", 6) == right
    assert Frames(recorder, Records(recorder), ephemeral(), every=20).frames("T1", 6) == right
    assert recorder.streams() == [name for name in recorder.streams() if name.startswith(("table/", "meter/"))]
    recorder.close()


def test_what_cannot_be_shown() -> None:
    recorder = played("641a")
    with pytest.raises(Unreadable, match="no round 9"):
        frames(recorder, "T1", 9)
    with pytest.raises(Unreadable, match="no table T7"):
        frames(recorder, "T7", 1)
    with pytest.raises(Refusal):
        frames(recorder, "T1", 1, "the cleaner")


def test_a_broken_chain_is_not_shown() -> None:
    recorder = MemoryRecorder()
    open_and_play(recorder, "641a", 2)
    entries = recorder._streams["table/T1"]
    entry = entries[20]
    entries[20] = Entry(entry.stream, entry.version, entry.body, entry.sealed, b"x" * 32)
    with pytest.raises(Unreadable, match="version 21: the chain of hashes is broken"):
        frames(recorder, "T1", 2)


def test_a_house_without_rounds() -> None:
    recorder = MemoryRecorder()
    House(recorder)
    with pytest.raises(Unreadable):
        frames(recorder, "T1", 1)
