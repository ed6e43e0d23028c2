"""A floor resumes with the ledger it left, or with another one if an administrator and a second person approve."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.floor.house.checkpoints import Signing
from croupier.floor.premises import Premises
from croupier.floor.registers.audit import Audit
from croupier.floor.registers.people import People
from croupier.floor.registers.register import HouseRefusal
from croupier.floor.registers.restore import verify_credentials
from croupier.floor.verification.verify import Report, verify
from croupier.ledger import Unit, follow, open_recorder
from croupier.ledger.signatures.checkpoint import ForeignKey, NotContinued, open_checkpoint
from croupier.ledger.signatures.signer import signer_of
from croupier.ledger.signatures.witness import FileWitness, witnesses_of
from tests.floor.registers import QUICK

OWN, THEIRS = "a phrase of my own", "a phrase of hers"


def signing(path: Path) -> Signing:
    record, witnesses = witnesses_of(str(path))
    return Signing(signer_of(str(path)), record=record, witnesses=witnesses)


def serve(path: Path, *notes: str, crash: bool = False) -> None:
    """Open a floor, write, and close it, unless it crashes."""

    async def scene() -> None:
        premises = Premises(str(path), signing=signing(path))
        try:
            await premises.sign()
            for each in notes:
                premises.audit.note("administrator", "administrator", each)
            if crash and premises.checkpoints and premises.checkpoints._task:
                premises.checkpoints._task.cancel()
                premises.checkpoints._task = None
        finally:
            await premises.stop()

    asyncio.run(scene())


def checked(path: Path) -> Report:
    return verify(str(path), [signer_of(str(path)).public_key], witness=FileWitness(f"{path}.witness").lines())


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger with an administrator and a floorperson, cleanly closed."""
    path = tmp_path / "floor.db"
    recorder = open_recorder(str(path))
    people = People(recorder, hasher=QUICK)
    first = people.first_start()
    assert first
    people.change_password("administrator", first, OWN)
    people.change_password("Ann", people.add("Ann", "floorperson", "administrator"), THEIRS)
    recorder.close()
    serve(path, "opened")
    return path


def restored(*args: object, words: tuple[str, str] = (OWN, THEIRS), names: tuple[str, str] = ("administrator", "Ann")) -> Any:
    command = ["restore", *map(str, args), "--administrator", names[0], "--second", names[1]]
    return CliRunner().invoke(app, command, input="\n".join(words) + "\n")


def tampered(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        for statement in statements:
            database.execute(statement)
    database.close()


# at the start


def test_a_ledger_goes_on_where_it_was_left(ledger: Path) -> None:
    serve(ledger, "again")
    assert checked(ledger).sound


def test_after_a_crash_the_ledger_goes_on_and_says_what_was_not_signed(ledger: Path) -> None:
    serve(ledger, "something", "and more", crash=True)
    assert checked(ledger).verdict == "unsigned"
    serve(ledger)
    assert checked(ledger).sound
    recorder = open_recorder(str(ledger))
    said = [line.what for line in Audit(recorder).lines().lines]
    assert "found entries that nobody had signed: audit from version 3 on" in said
    recorder.close()


def test_an_older_copy_is_refused(ledger: Path) -> None:
    shutil.copy(ledger, ledger.with_suffix(".copy"))
    serve(ledger, "later")
    shutil.copy(ledger.with_suffix(".copy"), ledger)
    with pytest.raises(NotContinued, match="It is an older or different copy: the witness has a checkpoint of"):
        serve(ledger)
    assert {damage.stream for damage in checked(ledger).damage} == {"checkpoints", "audit"}


def test_a_tail_that_was_cut_off_is_refused(ledger: Path) -> None:
    tampered(ledger, "DELETE FROM entries WHERE stream = 'people' AND version > 2")
    with pytest.raises(NotContinued, match="people, version 3: it is not the entry that was signed"):
        serve(ledger)


def test_a_removed_stream_is_refused(ledger: Path) -> None:
    tampered(ledger, "DELETE FROM entries WHERE stream = 'audit'")
    with pytest.raises(NotContinued, match="audit, version 1: it is not the entry that was signed"):
        serve(ledger)


def test_an_administrator_who_was_added_to_a_closed_ledger_is_refused(ledger: Path) -> None:
    recorder = open_recorder(str(ledger))
    eve = People(recorder, hasher=QUICK)
    eve.change_password("Eve", eve.add("Eve", "administrator", "administrator"), "a phrase of Eve's")
    recorder.close()
    with pytest.raises(NotContinued, match=r"people, version \d+: it was written after the ledger was closed and signed"):
        serve(ledger)
    recorder = open_recorder(str(ledger))
    with pytest.raises(HouseRefusal):  # nor can she approve herself
        verify_credentials(recorder, ("Eve", "a phrase of Eve's"), ("Ann", THEIRS))
    recorder.close()


def test_a_ledger_without_its_checkpoints_is_refused(ledger: Path) -> None:
    tampered(ledger, "DELETE FROM checkpoints")
    with pytest.raises(NotContinued, match="this ledger has none"):
        serve(ledger)


def test_checkpoints_that_were_cut_off_with_their_entries_are_refused(ledger: Path) -> None:
    serve(ledger, "later")
    tampered(ledger, "DELETE FROM checkpoints WHERE number > 2", "DELETE FROM entries WHERE stream = 'audit' AND version > 1")
    with pytest.raises(NotContinued, match="older or different copy"):
        serve(ledger)


# two people


def test_two_people_put_an_older_copy_in_place(ledger: Path) -> None:
    copy = ledger.with_suffix(".copy")
    shutil.copy(ledger, copy)
    before = copy.read_bytes()
    serve(ledger, "later")
    told = restored(copy, "--database", ledger)
    assert told.exit_code == 0, told.output
    assert "The ledger it replaced is kept as floor.db.before-" in told.output
    assert "administrator and Ann have accepted this ledger, and it is signed." in told.output
    assert copy.read_bytes() == before
    assert not list(ledger.parent.glob("*by-hand*"))
    serve(ledger, "went on")
    report = checked(ledger)
    assert report.sound, report.damage
    assert [each.by for each in report.restored] == [("administrator", "Ann")]
    recorder = open_recorder(str(ledger))
    said = [line.what for line in Audit(recorder).lines().lines]
    assert any(
        each.startswith("restored this ledger together with Ann, instead of the one that was last signed at") for each in said
    )
    assert "later" not in said
    recorder.close()


def test_two_people_accept_the_ledger_that_is_there(ledger: Path) -> None:
    recorder = open_recorder(str(ledger))
    version, head = recorder.head("audit")
    body = next(recorder.read("audit")).body
    recorder.append([Unit((follow("audit", version + 1, head, body),))])
    recorder.close()
    with pytest.raises(NotContinued):
        serve(ledger)
    assert restored("--database", ledger).exit_code == 0
    serve(ledger)
    assert checked(ledger).sound


def test_a_lost_key_is_replaced_by_two_people(ledger: Path) -> None:
    old = signer_of(str(ledger)).public_key
    ledger.with_name("floor.db.signing.key").unlink()
    with pytest.raises(ForeignKey, match="must sign this ledger"):
        serve(ledger)
    told = restored("--database", ledger)
    assert told.exit_code == 0, told.output
    assert f"Signed with the key {old.hex()}." in told.output
    serve(ledger, "under a new key")
    assert checked(ledger).sound
    assert "never endorsed" in verify(str(ledger), [old]).damage[0].what


def test_a_damaged_copy_is_not_put_in_place(ledger: Path) -> None:
    before, copy = checked(ledger).heads, ledger.with_suffix(".copy")
    shutil.copy(ledger, copy)
    tampered(copy, "UPDATE entries SET hash = zeroblob(32) WHERE stream = 'people' AND version = 2")
    told = restored(copy, "--database", ledger)
    assert told.exit_code == 2
    assert "Damaged: people, version 2" in told.stdout
    assert "the trigger checkpoints_DELETE_refused is missing" in told.stdout
    assert "The copy is damaged and was not put in place." in told.stderr
    assert checked(ledger).heads == before
    assert not list(ledger.parent.glob("floor.db.*restore*")) and not list(ledger.parent.glob("floor.db.before-*"))


@pytest.mark.parametrize(
    ("names", "words", "said"),
    [
        (("administrator", "administrator"), (OWN, OWN), "cannot also be the second person"),
        (("Ann", "administrator"), (THEIRS, OWN), "Ann is not an administrator"),
        (("administrator", "Ann"), (OWN, "a wrong phrase"), "wrong name or password"),
        (("administrator", "Bob"), (OWN, THEIRS), "wrong name or password"),
    ],
)
def test_one_person_is_not_two(names: tuple[str, str], words: tuple[str, str], said: str, ledger: Path) -> None:
    before = checked(ledger).heads
    copy = ledger.with_suffix(".copy")
    shutil.copy(ledger, copy)
    for args in ((), (copy,)):
        told = restored(*args, "--database", ledger, names=names, words=words)
        assert told.exit_code == 2
        assert said in told.stderr
        assert checked(ledger).heads == before
    assert not list(ledger.parent.glob("floor.db.before-*"))


def test_an_impossible_restore_gets_a_one_sentence_error(ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "junk").write_text("junk")
    for args, said in (
        ((tmp_path / "junk", "--database", ledger), "is not a croupier ledger"),
        ((tmp_path / "nothing", "--database", ledger), "there is no such file"),
        (("--database", tmp_path / "nothing"), "there is no such file"),
        ((ledger, "--database", "postgresql://nowhere/none"), "pg_restore"),
    ):
        told = restored(*args)
        assert (told.exit_code, said in told.stderr) == (2, True), told.stderr
    assert open_checkpoint(FileWitness(f"{ledger}.witness").last() or b"").why == "close"
