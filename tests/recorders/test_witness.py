"""Witnesses keep what they receive, and reveal a log that is not the one they saw."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from croupier.ledger import MemoryRecorder, NotRecorded, Unreadable
from croupier.ledger.signatures.checkpoint import RESTORE, CheckpointAct, fingerprint, sign_and_save
from croupier.ledger.signatures.witness import BLOCK, FileWitness, WitnessDelivery, post, witnesses_of
from croupier.ledger.verification import Damage, read_checkpoints, verify_witness
from tests.recorders.test_verifying import KEY, T1, T2, forge
from tests.recorders.writing import chain, write


def test_a_file_keeps_every_checkpoint_for_its_owner_alone(tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "w")
    assert witness.last() is None
    made = [b"one", b"x" * (3 * BLOCK + 7), b"three"]
    for number, checkpoint in enumerate(made, 1):
        witness.take(checkpoint)
        assert witness.last() == checkpoint
        assert list(witness.lines()) == made[:number]
    assert stat.S_IMODE(witness.path.stat().st_mode) == 0o600


@pytest.mark.parametrize("torn", [b"t", b"x" * (2 * BLOCK)])
def test_a_partly_written_line_does_not_count(torn: bytes, tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "w")
    witness.path.write_bytes(torn)
    assert witness.last() is None
    witness.take(b"one")
    witness.path.write_bytes(witness.path.read_bytes() + torn)
    assert (witness.last(), list(witness.lines())) == (b"one", [b"one"])
    witness.take(b"two")
    assert list(witness.lines()) == [b"one", b"two"]


def test_a_file_that_cannot_be_written_or_read_gets_a_one_sentence_error(tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "nowhere" / "w")
    with pytest.raises(NotRecorded, match="cannot be written: No such file or directory"):
        witness.take(b"one")
    with pytest.raises(Unreadable, match="cannot be read"):
        list(witness.lines())


def test_a_command_gets_each_checkpoint_and_retries_what_it_rejected(tmp_path: Path) -> None:
    script, kept = tmp_path / "witness.py", tmp_path / "kept"
    script.write_text("raise SystemExit(1)")
    delivery = WitnessDelivery(witnesses_of("memory:", f"command:{sys.executable} {script}")[1][0])
    delivery.waiting.extend((b"one;", b"two;"))
    with pytest.raises(NotRecorded, match="failed with exit status 1"):
        delivery.deliver()
    assert len(delivery.waiting) == 2
    script.write_text(f"import sys; open({str(kept)!r}, 'ab').write(sys.stdin.buffer.read())")
    delivery.deliver()
    assert kept.read_bytes() == b"one;two;"
    assert not delivery.waiting


@pytest.fixture
def address() -> Iterator[tuple[str, list[bytes]]]:
    kept: list[bytes] = []

    class Keeper(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.path == "/keep":
                kept.append(body)
            self.send_response(204 if self.path == "/keep" else 500)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Keeper)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", kept
    server.shutdown()
    server.server_close()


def test_each_checkpoint_is_posted_to_an_address(address: tuple[str, list[bytes]]) -> None:
    url, kept = address
    post(f"{url}/keep", b"one")
    assert kept == [b"one"]
    with pytest.raises(NotRecorded, match=r"127\.0\.0\.1 answered with status 500"):
        post(f"{url}/refuse", b"two")
    with pytest.raises(NotRecorded, match="cannot be reached"):
        post("https://127.0.0.1:9/", b"three")


def test_what_a_setting_names(tmp_path: Path) -> None:
    database = str(tmp_path / "floor.db")
    record, witnesses = witnesses_of(database)
    assert record
    assert (record.path, len(witnesses)) == (tmp_path / "floor.db.witness", 1)
    record, witnesses = witnesses_of(database, str(tmp_path / "elsewhere"))
    assert record
    assert (record.path, len(witnesses)) == (tmp_path / "elsewhere", 1)
    for setting in ("command:cat", "https://example.org/keep"):
        record, witnesses = witnesses_of(database, setting)
        assert record
        assert (record.path.name, len(witnesses)) == ("floor.db.witness", 2)
    assert witnesses_of("memory:") == (None, [])
    with pytest.raises(Unreadable, match="must have an https:// address"):
        witnesses_of(database, "http://example.org/keep")


# what a witness finds


def night(*values: int) -> tuple[MemoryRecorder, list[bytes]]:
    """A log signed after each value, and what the witness has of it."""
    recorder = MemoryRecorder()
    write(recorder, T2, 1)
    return recorder, [_written(recorder, value) for value in values]


def _written(recorder: MemoryRecorder, value: int) -> bytes:
    write(recorder, T1, value)
    return sign_and_save(recorder, KEY, value * 1000, "minute")


def held_against(recorder: MemoryRecorder, lines: list[bytes]) -> list[Damage]:
    signed = read_checkpoints(recorder, [KEY.public_key])
    assert signed.damage is None
    return verify_witness(recorder, signed, lines)


def test_a_witness_of_the_whole_log_or_of_parts_of_it_finds_nothing() -> None:
    recorder, lines = night(1, 2, 3, 4)
    assert held_against(recorder, lines) == []
    assert held_against(recorder, lines[1:3]) == []
    assert held_against(recorder, []) == []


def test_an_older_copy_is_found_and_what_is_missing_is_located() -> None:
    _, lines = night(1, 2, 3, 4)
    older, _ = night(1, 2)
    assert held_against(older, lines) == [
        Damage("checkpoints", 3, "it is missing; the witness has one of 1970-01-01 00:00:03 UTC"),
        Damage(T1, 3, "it is missing; the witness names version 3"),
    ]


def test_another_history_under_the_same_key_is_found() -> None:
    _, lines = night(1, 2, 3, 4)
    other, _ = night(1, 2, 7, 8)
    found = held_against(other, lines)
    assert [(each.stream, each.version) for each in found] == [("checkpoints", 5), (T1, 3)]
    assert found[1].what == "its hash is not the one that the witness names"


def test_a_damaged_line_of_a_witness_is_located() -> None:
    recorder, lines = night(1, 2, 3)
    lines[1] = lines[1].replace(b"2000", b"2001")
    assert held_against(recorder, lines) == [Damage("witness", 2, "it has an invalid signature")]


def test_a_ledger_that_two_people_restored_does_not_miss_what_it_replaced() -> None:
    _, lines = night(1, 2, 3, 4)
    older, _ = night(1, 2)
    lines.append(sign_and_save(older, KEY, 9000, RESTORE, CheckpointAct(instead_of=fingerprint(lines[-1]), by=("Ann", "Bob"))))
    lines.append(_written(older, 10))
    assert held_against(older, lines) == []
    again, _ = night(1, 2)
    assert [(each.stream, each.version) for each in held_against(again, lines)] == [("checkpoints", 3), (T1, 3)]


def test_a_restore_under_a_foreign_key_is_no_excuse() -> None:
    from croupier.ledger.signatures.signer import KeySigner
    from tests.recorders.test_verifying import Ed25519PrivateKey

    older, _ = night(1, 2)
    forge(older, KeySigner(Ed25519PrivateKey.generate()))
    damage = read_checkpoints(older, [KEY.public_key]).damage
    assert damage
    assert "never endorsed" in damage.what


def test_streams_that_only_the_witness_knows_are_named() -> None:
    recorder, lines = night(1, 2)
    chain(recorder, T2, 1)
    del recorder._streams[T2]
    recorder._checkpoints.clear()
    found = verify_witness(recorder, read_checkpoints(recorder), lines)
    assert Damage(T2, 1, "it is missing; the witness names version 1") in found
