"""Everything an attacker can do with write access to the database but no key. `verify` finds it and says where.

The attacker uses plain SQL, recomputes hashes where that helps, and leaves triggers and schema as they were.
Each attack runs on SQLite and on PostgreSQL. `alone` is what verification finds with the public key; `witnessed` is what
it finds when it also gets the witness's file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.floor.verification.verify import Report, verify
from croupier.ledger import Entry, open_recorder
from croupier.ledger.signatures.checkpoint import NotContinued, open_checkpoint, sign_and_save, verify_continues
from croupier.ledger.signatures.signer import KeySigner
from tests.examples import thorough
from tests.floor.ledgers import REGISTERS, Attacker, backup, laid, signed_floor
from tests.floor.logs import KEY, PUBLIC, versions
from tests.recorders.server import new_database, server_url

PLACES = ["sqlite", "postgres"]
FOREIGN = KeySigner(Ed25519PrivateKey.from_private_bytes(bytes(31) + b"x"))
T1, T2, METER = "table/T1", "table/T2", "meter/T1/Three-Card Progressive Payout Wager"
DATABASE = ("database", 0)  # SQLite also numbers rows, and notices removed ones

Place = tuple[str, int]


@pytest.fixture(params=thorough(PLACES, unless=["sqlite"]))
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A signed ledger to tamper with."""
    return laid(signed_floor(), str(tmp_path / "floor.db") if request.param == "sqlite" else new_database())


def last(stream: str) -> int:
    return signed_floor().head(stream)[0]


def shuffled(stream: str) -> int:
    """The version of a table's first shuffle. Its order is sealed for that place only."""
    return versions(signed_floor(), stream, "cards shuffled")[0]


def places(report: Report) -> set[Place]:
    return {(each.stream, each.version) for each in report.damage}


def verified(url: str, *, witnessed: bool = False) -> Report:
    return verify(url, [PUBLIC], witness=list(signed_floor().checkpoints()) if witnessed else None)


def test_the_ledger_is_sound_before_anyone_tampers_with_it(url: str) -> None:
    report = verified(url, witnessed=True)
    assert report.sound, report
    assert report.checkpoints == 3
    assert set(report.heads) >= {*REGISTERS, T1, T2}


# what it finds with the public key alone


def _exchange(attacker: Attacker) -> None:
    for before, after in ((T1, "table/x"), (T2, T1), ("table/x", T2)):
        attacker.run("UPDATE entries SET stream = ? WHERE stream = ?", after, before)
    attacker.run("DELETE FROM snapshots")


def _exchange_and_rehash(attacker: Attacker) -> None:
    _exchange(attacker)
    for stream, before, after in ((T1, b'"T2"', b'"T1"'), (T2, b'"T1"', b'"T2"')):
        attacker.forge(stream, partial(_replaced, before, after))


def _replaced(before: bytes, after: bytes, entry: Entry) -> bytes:
    return entry.body.replace(before, after)


def _promote(attacker: Attacker) -> None:
    attacker.forge("people", partial(_replaced, b'"role":"floorperson"', b'"role":"administrator"'))


def _sign_with_another_key(attacker: Attacker) -> None:
    attacker.unsign()
    recorder = open_recorder(attacker.url)
    sign_and_save(recorder, FOREIGN, 1, "close")
    recorder.close()


def _change_checkpoint(attacker: Attacker) -> None:
    ((text,),) = attacker.run("SELECT checkpoint FROM checkpoints WHERE number = 2")
    attacker.run("UPDATE checkpoints SET checkpoint = ? WHERE number = 2", bytes(text).replace(b'"at":18', b'"at":17'))


def _exchange_checkpoints(attacker: Attacker) -> None:
    first, second = list(signed_floor().checkpoints())[:2]
    attacker.run("UPDATE checkpoints SET checkpoint = ? WHERE number = 1", second)
    attacker.run("UPDATE checkpoints SET checkpoint = ? WHERE number = 2", first)


def _backdate_last_entry(attacker: Attacker) -> None:
    """The last entry of a stream has no successor whose hash would reveal the change."""
    attacker.forge("floor", lambda each: each.body.replace(b":45", b":15") if each.version == last("floor") else each.body)


ATTACKS: dict[str, tuple[Callable[[Attacker], None], Callable[[], set[Place]]]] = {
    "a cut tail": (lambda a: a.remove(T1, last(T1) - 3), lambda: {(T1, last(T1) - 2)}),
    "a cut tail of a meter": (lambda a: a.remove(METER, last(METER) - 1), lambda: {(METER, last(METER))}),
    "an entry removed": (lambda a: a.run("DELETE FROM entries WHERE stream = ? AND version = 9", T1), lambda: {(T1, 9)}),
    "a removed table": (lambda a: a.remove(T2), lambda: {(T2, 1)}),
    **{
        f"a removed register: {name}": (partial(Attacker.remove, stream=name), partial(lambda name: {(name, 1)}, name))
        for name in REGISTERS
    },
    "a cut tail of a register": (lambda a: a.remove("people", last("people") - 1), lambda: {("people", last("people"))}),
    "an exchanged stream": (_exchange, lambda: {(T1, 1), (T2, 1)}),
    "an exchanged stream, rehashed": (_exchange_and_rehash, lambda: {(T1, shuffled(T2)), (T2, shuffled(T1)), ("replies", 1)}),
    "a rehashed forgery: a second administrator": (
        _promote,
        lambda: {("people", open_checkpoint(next(signed_floor().checkpoints())).heads["people"][0])},
    ),
    "a rehashed forgery of a last entry": (_backdate_last_entry, lambda: {("floor", last("floor"))}),
    "a changed body": (
        lambda a: a.run("UPDATE entries SET body = ? WHERE stream = 'audit' AND version = 2", b"{}"),
        lambda: {("audit", 2)},
    ),
    "a changed reply": (lambda a: a.run("UPDATE replies SET reply = ?", b"{}"), lambda: {("replies", 1)}),
    "a changed checkpoint": (_change_checkpoint, lambda: {("checkpoints", 2)}),
    "a removed checkpoint": (lambda a: a.run("DELETE FROM checkpoints WHERE number = 2"), lambda: {("checkpoints", 2)}),
    "exchanged checkpoints": (_exchange_checkpoints, lambda: {("checkpoints", 1)}),
    "a snapshot of no stream": (
        lambda a: a.run("INSERT INTO snapshots (stream, version, state) VALUES ('table/T9', 1, ?)", b"{}"),
        lambda: {("table/T9", 1)},
    ),
    "a foreign key": (_sign_with_another_key, lambda: {("checkpoints", 1)}),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_found_where_it_is(name: str, url: str) -> None:
    attack, found = ATTACKS[name]
    attack(Attacker(url))
    report = verified(url)
    assert places(report) - {DATABASE} == found(), report.damage
    assert places(verified(url, witnessed=True)) >= found()


# what it finds only with a witness


def test_an_older_backup_is_sound_by_itself_and_found_by_the_witness_and_by_the_server(tmp_path: Path) -> None:
    for url in (str(tmp_path / "floor.db"), new_database()):
        laid(backup(), url)
        assert verified(url).sound  # it matches what was signed then
        report = verified(url, witnessed=True)
        missing = {(each, version + 1) for each, (version, _) in backup().heads().items() if last(each) > version}
        assert len(missing) > 3
        assert places(report) == {("checkpoints", 3)} | missing
        assert "the witness has one of 2027-01-15 08:02:00 UTC" in str(report.damage)
        recorder = open_recorder(url)
        with pytest.raises(NotContinued, match="It is an older or different copy"):
            verify_continues(recorder, KEY, list(signed_floor().checkpoints())[-1])
        recorder.close()


def test_the_last_checkpoint_removed_leaves_entries_unsigned_and_is_named_by_the_witness(url: str) -> None:
    Attacker(url).unsign(after=2)
    report = verified(url)
    assert (report.verdict, report.damage) == ("unsigned", ())
    assert report.unsigned["people"] == backup().head("people")[0] + 1
    assert places(verified(url, witnessed=True)) == {("checkpoints", 3)}


def test_all_checkpoints_removed_leave_everything_unsigned(url: str) -> None:
    Attacker(url).unsign()
    report = verified(url)
    assert (report.verdict, report.signed) == ("unsigned", 0)
    assert set(report.unsigned.values()) == {1}
    assert places(verified(url, witnessed=True)) == {("checkpoints", 1)}


def test_a_ledger_signed_again_by_another_key_is_found_by_the_witness_without_the_public_key(url: str) -> None:
    _sign_with_another_key(Attacker(url))
    report = verify(url)
    assert report.sound
    assert report.unchecked[0].startswith("whose key signed the checkpoints")
    assert ("checkpoints", 2) in places(verify(url, witness=list(signed_floor().checkpoints())))


# registers against the streams they name, where nothing is signed


@pytest.mark.parametrize(
    ("removed", "version", "what"),
    [
        (["table/T2"], 1, "it is missing; audit, version 4 refers to version"),
        (["table/T2", "audit"], 1, "it is missing; floor, version 2 refers to version 1"),
        (["people"], 1, "it is missing; audit, version 1 names the user Ann"),
        (["filings"], 1, "it is missing; floor, version 1 names the submission"),
    ],
)
def test_what_a_register_names_has_to_be_there(removed: list[str], version: int, what: str, url: str) -> None:
    attacker = Attacker(url)
    attacker.unsign()
    for stream in removed + [each for each in signed_floor().streams() if each.startswith("meter/T2/") and T2 in removed]:
        attacker.remove(stream)
    (damage,) = (each for each in verified(url).damage if each.stream == removed[0])
    assert damage.version == version
    assert what in damage.what


def test_a_table_cannot_be_run_under_a_submission_that_was_never_filed(url: str) -> None:
    attacker = Attacker(url)
    attacker.unsign()
    attacker.forge(T1, partial(_replaced, b'"submission":"', b'"submission":"# Another text, with the same terms.\\n'))
    (damage,) = verified(url).damage
    assert str(damage) == "table/T1, version 1: it opens the table under a submission that was never filed."


# the database itself


STRUCTURES = {
    "sqlite": {
        "DROP TRIGGER entries_UPDATE_refused": "the trigger entries_UPDATE_refused is missing",
        "CREATE TRIGGER t AFTER INSERT ON entries BEGIN SELECT 1; END": "the trigger t was added",
        "CREATE VIEW people AS SELECT 1": "the view people was added",
        "DROP TABLE replies": "the table replies is missing",
        "PRAGMA user_version = 7": "its user_version is 7 instead of 0",
        "INSERT INTO about VALUES ('note', 1)": "the table about holds 'note' with the value 1",
    },
    "postgres": {
        "ALTER TABLE entries DISABLE TRIGGER only_added": "the triggers of entries, which keep rows",
        "DROP TRIGGER only_added ON checkpoints": "the triggers of checkpoints, which keep rows",
        "CREATE TRIGGER t AFTER INSERT ON replies EXECUTE FUNCTION refuse_change()": "the triggers of replies, which keep rows",
        "CREATE RULE r AS ON INSERT TO entries DO ALSO NOTIFY x": "the table entries is a view, or has rules or policies",
        "ALTER TABLE entries ENABLE ROW LEVEL SECURITY": "the table entries is a view, or has rules or policies",
        "ALTER TABLE replies DROP CONSTRAINT replies_pkey": "the primary key of replies was changed",
        "DROP TABLE replies": "the table replies is missing",
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'": (
            "the triggers of entries, which keep rows"
        ),
    },
}


def test_exchanged_row_numbers_of_a_stream_are_found(tmp_path: Path) -> None:
    url = laid(signed_floor(), str(tmp_path / "floor.db"))
    attacker = Attacker(url)
    ((first,), (second,)) = attacker.run("SELECT position FROM entries WHERE stream = ? AND version IN (3, 4) ORDER BY version", T1)
    for before, after in ((first, -1), (second, first), (-1, second)):
        attacker.run("UPDATE entries SET position = ? WHERE position = ?", after, before)
    (damage,) = verified(url).damage
    assert str(damage) == "database: version 4 of table/T1 has a lower row number than the entry before it."


@pytest.mark.parametrize(("place", "statement"), [(place, each) for place, all_ in STRUCTURES.items() for each in all_])
def test_a_changed_schema_is_found_and_named(place: str, statement: str, tmp_path: Path) -> None:
    url = laid(signed_floor(), str(tmp_path / "floor.db") if place == "sqlite" else new_database())
    if place == "sqlite":
        with closing(sqlite3.connect(url, isolation_level=None)) as plain:
            plain.execute(statement)
    else:
        Attacker(url).run(statement)
    (damage,) = verified(url).damage
    assert damage.stream == "database"
    assert STRUCTURES[place][statement] in str(damage)


def test_an_index_that_is_not_that_of_its_table_is_found(tmp_path: Path) -> None:
    """An index can disagree with its table, and a query may use either."""
    path = Path(laid(signed_floor(), str(tmp_path / "floor.db")))
    content = path.read_bytes()
    at = content.rindex(b"table/T2")  # the index is written after the table
    path.write_bytes(content[:at] + b"table/T3" + content[at + 8 :])
    assert DATABASE in places(verified(str(path)))


def test_postgresql_without_amcheck_and_checksums_says_so() -> None:
    report = verified(laid(signed_floor(), new_database()))
    assert report.unchecked == (
        "the indexes of the database: the extension amcheck is not installed, or this user may not use it",
        "the pages of the database: it was created without checksums (initdb --data-checksums)",
    )


def test_postgresql_is_asked_for_its_own_check() -> None:
    """An entry in the table but not in its index: a query may or may not find it."""
    if not Attacker(server_url()).run("SELECT 1 FROM pg_available_extensions WHERE name = 'amcheck'"):
        pytest.skip("this PostgreSQL was built without amcheck")
    name = f"test_{uuid4().hex}"
    Attacker(server_url()).run(f"CREATE DATABASE {name}")
    url = laid(signed_floor(), urlsplit(server_url())._replace(path=f"/{name}").geturl())
    attacker = Attacker(url)
    attacker.run("CREATE EXTENSION amcheck")
    report = verified(url)
    assert report.sound, report.damage
    assert len(report.unchecked) == 1
    attacker.run("UPDATE pg_index SET indisready = false WHERE indexrelid = 'entries_pkey'::regclass")
    attacker.run("INSERT INTO entries VALUES ('people', 9, '', '', '')")
    attacker.run("UPDATE pg_index SET indisready = true WHERE indexrelid = 'entries_pkey'::regclass")
    (damage,) = [each for each in verified(url).damage if each.stream == "database"]
    assert "entries: " in damage.what
    assert 'lacks matching index tuple within index "entries_pkey"' in damage.what
