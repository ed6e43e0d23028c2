"""An exported log reads like the log, and shows where someone has changed it."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.ledger import Entry, Recorder, Unit, Unreadable
from croupier.ledger.recorders.memory import MemoryRecorder
from croupier.ledger.signatures.checkpoint import sign_and_save
from croupier.ledger.signatures.signer import KeySigner
from croupier.ledger.transcript import Transcript, write_transcript
from croupier.ledger.verification import read_checkpoints, verify_chain, verify_heads
from tests.recorders.writing import chain

T1, T2 = "table/T1", "table/T2"
KEY = KeySigner(Ed25519PrivateKey.generate())


def log() -> Recorder:
    recorder = MemoryRecorder()
    for number in range(3):
        recorder.append(
            [
                Unit(
                    (
                        *chain(recorder, T1, {"card": number}, sealed='"A♠ %d"'.__mod__(number).encode()),
                        *chain(recorder, T2, number),
                    )
                )
            ]
        )
        sign_and_save(recorder, KEY, number)
    return recorder


def for_seat(entry: Entry) -> tuple[bytes, bytes]:
    """Only the first card is complete; the second is half open."""
    return (entry.sealed if entry.version == 1 else b""), (b'"half"' if entry.version == 2 and entry.sealed else b"")


def export(path: Path, recorder: Recorder) -> None:
    checkpoints = list(recorder.checkpoints())
    entries = (entry for stream in recorder.streams() for entry in recorder.read(stream))
    write_transcript(path, {"for": "player:3", "table": "T1"}, entries, for_seat, checkpoints)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    export(tmp_path / "night.jsonl", log())
    return tmp_path / "night.jsonl"


def test_a_transcript_reads_like_the_log_without_what_is_withheld(tmp_path: Path) -> None:
    recorder = log()
    export(tmp_path / "t", recorder)
    transcript = Transcript(tmp_path / "t")
    assert transcript.header == {"croupier": "transcript", "format": 1, "for": "player:3", "table": "T1"}
    assert transcript.streams() == [T1, T2]
    assert list(transcript.checkpoints()) == list(recorder.checkpoints())
    for stream in (T1, T2, "table/T3"):
        assert transcript.head(stream) == recorder.head(stream)
        assert [(e.version, e.body, e.hash) for e in transcript.read(stream)] == [
            (e.version, e.body, e.hash) for e in recorder.read(stream)
        ]
    assert [entry.sealed for entry in transcript.read(T1)] == ['"A♠ 0"'.encode(), b"", b""]
    assert [transcript.opened(T1, version) for version in (1, 2, 3)] == [b"", b'"half"', b""]
    assert [entry.version for entry in transcript.read(T1, after=1, limit=1)] == [2]
    assert verify_chain(T1, transcript.read(T1)) is None
    signed = read_checkpoints(transcript, [KEY.public_key], excerpt=True)
    assert signed.damage is None
    assert verify_heads(transcript, signed) == []
    transcript.close()


def test_the_format_is_the_documented_one(path: Path) -> None:
    *lines, footer = path.read_bytes().splitlines(keepends=True)
    first = json.loads(lines[1])
    assert {name: first[name] for name in ("stream", "version", "body", "sealed")} == {
        "stream": T1,
        "version": 1,
        "body": '{"card":0}',
        "sealed": '"A♠ 0"',
    }
    assert set(json.loads(lines[2])) == {"stream", "version", "body", "open", "hash", "sum"}
    assert set(json.loads(lines[-1])) == {"checkpoint", "sum"}
    end = json.loads(footer)
    assert end["lines"] == len(lines) == 1 + 6 + 3
    assert end["sha256"] == sha256(b"".join(lines)).hexdigest()
    assert end["heads"][T1][0] == 3


def test_an_existing_file_is_not_overwritten_unless_asked(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match="already exists; it was not changed"):
        write_transcript(path, {}, [], for_seat)
    assert path.read_bytes() == before
    write_transcript(path, {}, [], for_seat, overwrite=True)
    assert Transcript(path).streams() == []
    assert os.listdir(path.parent) == [path.name]


def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def entries() -> object:
        yield next(log().read(T1))
        raise RuntimeError("lost")

    with pytest.raises(RuntimeError, match="lost"):
        write_transcript(tmp_path / "t", {}, entries(), for_seat)  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(st.data())
def test_a_changed_removed_or_added_byte_is_found_in_its_line(path: Path, data: st.DataObject) -> None:
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    change = data.draw(st.sampled_from(["changed", "removed", "added"]))
    byte = bytes([data.draw(st.integers(0, 255).filter(lambda value: value != whole[at]))])
    damaged = {
        "changed": whole[:at] + byte + whole[at + 1 :],
        "removed": whole[:at] + whole[at + 1 :],
        "added": whole[:at] + byte + whole[at:],
    }[change]
    other = path.with_name("damaged")
    other.write_bytes(damaged)
    with pytest.raises(Unreadable) as problem:
        Transcript(other)
    line = whole[:at].count(b"\n") + 1
    assert f"line {line}:" in str(problem.value) or (line == 1 and "is not a croupier transcript" in str(problem.value))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_removed_exchanged_and_repeated_lines_are_found(path: Path, data: st.DataObject) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    order = data.draw(
        st.lists(st.integers(0, len(lines) - 1), max_size=len(lines) + 2).filter(lambda order: order != list(range(len(lines))))
    )
    other = path.with_name("damaged")
    other.write_bytes(b"".join(lines[index] for index in order))
    with pytest.raises(Unreadable):
        Transcript(other)


def test_a_forged_file_with_good_sums_is_found_by_its_chain(tmp_path: Path) -> None:
    entries = [
        Entry(entry.stream, entry.version, b'"forged"' if entry.version == 2 else entry.body, b"", entry.hash)
        for entry in log().read(T1)
    ]
    write_transcript(tmp_path / "t", {}, entries, lambda entry: (b"", b""))
    damage = verify_chain(T1, Transcript(tmp_path / "t").read(T1))
    assert damage
    assert damage.version == 2
    write_transcript(tmp_path / "gap", {}, [entries[0], entries[2]], lambda entry: (b"", b""))
    with pytest.raises(Unreadable, match="line 3: it has table/T1 version 3 instead of version 2"):
        Transcript(tmp_path / "gap")


@pytest.mark.parametrize("content", [b"", b"Dear diary", b"{}\n", b"[1]\n", b'{"croupier":"offer"}\n', bytes(range(256)) * 10])
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t").write_bytes(content)
    with pytest.raises(Unreadable, match="is not a croupier transcript"):
        Transcript(tmp_path / "t")


def test_another_format_and_a_missing_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b'{"croupier":"transcript","format":2}\n')
    with pytest.raises(Unreadable, match="line 1: the transcript has format 2; this croupier reads format 1"):
        Transcript(tmp_path / "t")
    with pytest.raises(Unreadable, match="No such file"):
        Transcript(tmp_path / "missing")
