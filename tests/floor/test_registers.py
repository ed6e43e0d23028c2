"""Filings, how tables are run, the audit log, event versions, and verification of all these streams."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from typer.testing import CliRunner

from croupier import book
from croupier.cli.main import app
from croupier.filing.template import example_submission
from croupier.floor.house.house import Damaged, House, open_table
from croupier.floor.registers import filings as filings_module
from croupier.floor.registers.audit import Audit, AuditLine
from croupier.floor.registers.filings import Filings
from croupier.floor.registers.people import LoginRefused
from croupier.floor.registers.people_events import GuestRegistered
from croupier.floor.registers.register import HouseRefusal, Register
from croupier.floor.registers.table_settings import Floor, TableSettings
from croupier.floor.transcripts.export import export
from croupier.floor.verification.verify import verify
from croupier.law.cite import Refusal
from croupier.ledger import MemoryRecorder, Recorder, Unit, canonical, follow, genesis, open_recorder
from croupier.ledger.transcript import Transcript
from croupier.money import dollars
from croupier.table.events import NotAnEvent
from tests.floor.logs import body, copy, entries, played, rehash, rewrite
from tests.floor.play import HOUR_OF_OPENING, submission
from tests.floor.registers import MINUTES, Stopped, people, recorder, registered

FIXTURES = (recorder,)

GOOD = submission("649a", "manual shoe")
OTHER = submission("641a")
BAD = GOOD.replace('game = "649a"', 'game = "649a"\npayout_limit = 1')
DAY = datetime.fromtimestamp(HOUR_OF_OPENING // 1000, UTC).date()


def filings(recorder: Recorder | None = None, clock: Stopped | None = None, **more: Any) -> Filings:
    return Filings(MemoryRecorder() if recorder is None else recorder, clock or Stopped(), **more)


def refused(action: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        action()
    return caught.value


# filings


def test_a_submission_is_filed_approved_and_withdrawn(recorder: Recorder) -> None:
    clock = Stopped()
    one, other = filings(recorder, clock), filings(recorder, clock)
    filed = one.file(GOOD, "Ann")
    assert (filed.game, filed.edition, filed.status, filed.by, filed.at) == ("649a", "2019-11-02", "filed", "Ann", clock.now)
    assert sha256(GOOD.encode()).hexdigest().startswith(filed.id)
    assert len(filed.offer) == 64
    assert not filed.errors
    assert other.text(filed.id) == GOOD
    approved = other.approve(filed.id, "Bob", DAY)
    assert (approved.status, approved.effective, approved.approved_by) == ("approved", DAY.isoformat(), "Bob")
    assert one.all() == [approved]
    withdrawn = one.withdraw(filed.id, "Cleo", " a  better\none ")
    assert (withdrawn.status, withdrawn.withdrawn_by, withdrawn.because) == ("withdrawn", "Cleo", "a better one")
    assert other.get(filed.id) == withdrawn


def test_the_same_text_is_the_same_filing() -> None:
    found = filings()
    first, second = found.file(GOOD, "Ann"), found.file(OTHER, "Ann")
    assert found.file(GOOD, "Bob") == first != second
    assert found.all() == [second, first]
    assert len(registered(found.recorder, "filings")) == 2
    found.approve(first.id, "Bob", DAY)
    assert found.file(GOOD, "Bob").status == "approved"
    found.withdraw(first.id, "Ann", "a mistake")
    again = found.file(GOOD, "Bob")
    assert (again.id, again.status, again.by, again.effective, again.because) == (first.id, "filed", "Bob", "", "")
    assert found.approve(first.id, "Ann", DAY).status == "approved"


@pytest.mark.parametrize("same", ["Ann", "ann", "ＡＮＮ "])
def test_the_person_who_files_does_not_approve(same: str) -> None:
    found = filings()
    filed = found.file(GOOD, "Ann")
    refusal = refused(lambda: found.approve(filed.id, same, DAY))
    assert str(refusal) == (
        f"the submission {filed.id} was filed by Ann, who cannot also approve it. "
        "Allowed: approval by another administrator, under their own login."
    )
    assert found.get(filed.id).status == "filed"
    assert found.approve(filed.id, "Bob", DAY).approved_by == "Bob"


def test_who_files_again_does_not_approve_either() -> None:
    found = filings()
    filed = found.file(GOOD, "Ann")
    found.withdraw(filed.id, "Ann", "a mistake")
    found.file(GOOD, "Bob")
    assert "was filed by Bob" in str(refused(lambda: found.approve(filed.id, "Bob", DAY)))
    assert found.file(GOOD, "Ann").by == "Bob"  # already filed: filing again adds nothing
    assert found.approve(filed.id, "Ann", DAY).approved_by == "Ann"


def test_a_log_from_before_in_which_one_person_did_both_still_opens() -> None:
    found = filings()
    filed = found.file(GOOD, "Ann")
    (entry,) = registered(found.recorder, "filings")
    both = filings_module.SubmissionApproved(v=1, at=1, by="Ann", id=filed.id, effective=DAY.isoformat(), offer=filed.offer)
    assert found.recorder.append([Unit((follow("filings", 2, entry.hash, canonical(both)),))]) == [None]
    assert found.get(filed.id).approved_by == "Ann"


@pytest.mark.parametrize(
    "text",
    [
        BAD,
        "",
        "game = ",
        "game = 7",
        "x = " + "[" * 5000,
        "minimum = " + "9" * 5000,
        "minimum = 0x" + "f" * 60_000,
        "a." * 30_000 + "a = 1",
    ],
)
def test_errors_are_kept_and_refuse_approval(text: str) -> None:
    found = filings()
    filed = found.file(text, "Ann")
    assert filed.errors
    assert filed.offer == ""
    assert found.text(filed.id) == text
    refusal = refused(lambda: found.approve(filed.id, "Ann", DAY))
    assert refusal.cite == filed.errors[0].cite
    assert refusal.said == f"{filed.errors[0].about}: {filed.errors[0].found}"
    assert found.get(filed.id).status == "filed"


def test_a_filing_with_errors_stays_refused_when_the_checker_no_longer_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = filings()
    filed = found.file(BAD, "Ann")
    checked = filings_module.read_submission(GOOD)
    monkeypatch.setattr(filings_module, "read_submission", lambda text: checked)
    assert "was filed with errors" in str(refused(lambda: found.approve(filed.id, "Ann", DAY)))


def test_approval_checks_the_filing_again() -> None:
    found = filings()
    filed = found.file(GOOD, "Ann")
    wrong = filings_module.read_submission(BAD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filings_module, "read_submission", lambda text: wrong)
        assert refused(lambda: found.approve(filed.id, "Bob", DAY)).cite == "649a.12"
    assert found.approve(filed.id, "Bob", DAY)


def test_warnings_and_notes_do_not_refuse() -> None:
    found = filings()
    filed = found.file(example_submission(book.find("649a").edition("2011-06-14")), "Ann")
    assert "2011-06-14 is not the newest edition" in [finding.found for finding in filed.findings]
    assert {finding.severity for finding in filed.findings} <= {"warning", "note"}
    assert found.approve(filed.id, "Bob", DAY).status == "approved"


def test_an_upload_is_bounded() -> None:
    found = filings()
    most = "# " + "x" * (64 * 1024 - 2)
    assert found.file(most, "Ann").errors
    for text, why in ((most + "x", "has 65,537 bytes"), ("é" * 40_000, "has 80,000 bytes"), ("\ud800", "is not text")):
        refusal = refused(lambda text=text: found.file(text, "Ann"))  # type: ignore[misc]
        assert why in refusal.said
        assert refusal.cite == "601a.2"
    many = "\n".join(f"k{number} = 1" for number in range(6000))
    filed = found.file(GOOD + many, "Ann")
    assert len(filed.findings) == 100
    assert len(registered(found.recorder, "filings")[-1].body) < 2 * 64 * 1024 + len(GOOD + many)


def test_unknown_or_already_decided_filings_are_refused() -> None:
    found = filings()
    filed = found.file(GOOD, "Ann")
    for action in (
        lambda: found.text("0"),
        lambda: found.get(""),
        lambda: found.approve("x\x00", "Ann", DAY),
        lambda: found.withdraw("x", "Ann", "y"),
    ):
        refusal = refused(action)
        assert isinstance(refusal, HouseRefusal)
        assert refusal.kind == "unknown"
    assert "give a reason" in str(refused(lambda: found.withdraw(filed.id, "Ann", " \n\x00")))
    found.approve(filed.id, "Bob", DAY)
    assert "is already approved, in effect from" in str(refused(lambda: found.approve(filed.id, "Ann", DAY)))
    found.withdraw(filed.id, "Ann", "enough")
    assert "was withdrawn" in str(refused(lambda: found.approve(filed.id, "Ann", DAY)))
    assert "is already withdrawn" in str(refused(lambda: found.withdraw(filed.id, "Ann", "enough")))


def test_two_texts_whose_hashes_begin_alike_get_different_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filings_module, "SHORTEST_ID", 1)
    found = filings()
    texts = [f"# {number}" for number in range(40)]
    ids = {found.file(text, "Ann").id for text in texts}
    assert len(ids) == 40
    assert {len(id) for id in ids} > {1}
    again = filings(found.recorder)
    assert all(again.text(again.file(text, "Bob").id) == text for text in texts)
    assert len(again.all()) == 40


def test_a_text_that_many_file_at_once_is_filed_once(recorder: Recorder) -> None:
    with ThreadPoolExecutor(4) as threads:
        ids = set(threads.map(lambda _: filings(recorder).file(GOOD, "Ann").id, range(4)))
    assert len(ids) == 1
    assert recorder.head("filings")[0] == 1


# table settings


def test_a_table_is_run_as_the_floorperson_says(recorder: Recorder) -> None:
    one, other = Floor(recorder, Stopped()), Floor(recorder, Stopped())
    assert one.all() == {}
    assert one.change_settings("T1", by="Ann", filing="abc", practice=True).dealer == "automatic"
    changed = other.change_settings("T1", by="Bob", dealer="person", betting_seconds=0)
    assert changed == TableSettings("T1", "abc", "person", True, 0) == one.all()["T1"]
    other.change_settings("A", by="Bob")
    assert list(one.all()) == ["A", "T1"]
    before = recorder.head("floor")[0]
    assert one.change_settings("T1", by="Ann", practice=True) == changed
    assert recorder.head("floor")[0] == before  # nothing changed, so nothing is logged
    assert Floor(recorder).all() == other.all()


@pytest.mark.parametrize(
    "named",
    [
        {"dealer": "robot"},
        {"betting_seconds": -1},
        {"betting_seconds": 3601},
        {"betting_seconds": 1.5},
        {"practice": "yes"},
        {"table": ""},
        {"table": "T\n1"},
        {"table": "x" * 101},
    ],
)
def test_an_unknown_way_to_run_a_table_is_refused(named: dict[str, Any]) -> None:
    floor = Floor(MemoryRecorder(), Stopped())
    with pytest.raises(HouseRefusal):
        floor.change_settings(**{"table": "T1", "by": "Ann"} | named)
    assert not floor.recorder.streams()


# the audit


def evening(recorder: Recorder) -> Stopped:
    """Actions in every stream, a minute apart."""
    clock = Stopped()
    audit, found, filed, floor = Audit(recorder, clock), people(recorder, clock), filings(recorder, clock), Floor(recorder, clock)

    def later() -> None:
        clock.now += MINUTES

    password = found.first_start() or ""
    later()
    found.register_guest("a guest whom the audit does not tell of")
    found.change_password("administrator", password, "a long green baize", "192.0.2.1")
    later()
    found.login("administrator", "a long green baize", "192.0.2.1")
    later()
    found.add("Ann", "floorperson", "administrator")
    later()
    for _ in range(3):
        with pytest.raises(LoginRefused):
            found.login("Ann", "wrong", "192.0.2.9")
    later()
    found.unlock("Ann", "administrator")
    later()
    identity = filed.file(GOOD, "administrator").id
    later()
    filed.approve(identity, "Bob", DAY)
    later()
    if not recorder.head("table/T1")[0]:
        asyncio.run(open_table(House(recorder, clock), "T1", GOOD, dollars(100_000), person="Ann"))
    floor.change_settings("T1", by="administrator", filing=identity, practice=True)
    later()
    audit.note("Ann", "floorperson", "opened the table", "T1", 1, "192.0.2.9")
    later()
    found.change_role("Ann", "dealer", "administrator")
    later()
    filed.withdraw(identity, "administrator", "a mistake in the seed")
    return clock


def test_the_audit_lists_everything_newest_first(recorder: Recorder) -> None:
    clock = evening(recorder)
    lines = Audit(recorder).lines().lines
    identity = filings(recorder).all()[0].id
    locked = datetime.fromtimestamp((HOUR_OF_OPENING + 19 * MINUTES) // 1000, UTC)
    assert [(line.who, line.what) for line in lines] == [
        ("administrator", f"withdrew the submission {identity}: a mistake in the seed"),
        ("administrator", "changed the role of Ann from floorperson to dealer"),
        ("Ann", "opened the table"),
        (
            "administrator",
            f"set how table T1 is run: submission {identity}, the automatic dealer, for practice, 20 s for wagers",
        ),
        ("Bob", f"approved the submission {identity}, in effect from {DAY}"),
        ("administrator", f"filed the submission {identity} for 649a at {filings(recorder).all()[0].facility}"),
        ("administrator", "unlocked the user Ann"),
        ("Ann", f"was locked out at this address until {locked:%Y-%m-%d %H:%M} UTC, after three failures in a row"),
        ("Ann", "failed to log in: wrong password"),
        ("Ann", "failed to log in: wrong password"),
        ("Ann", "failed to log in: wrong password"),
        ("administrator", "added the user Ann as floorperson"),
        ("administrator", "logged in"),
        ("administrator", "changed their password"),
        ("the house", "added the user administrator as administrator"),
    ]
    assert lines[0].at == clock.now
    assert lines[2] == AuditLine(
        clock.now - 2 * MINUTES, "Ann", "opened the table", "floorperson", "T1", 1, "192.0.2.9", "audit", 1
    )
    assert {line.address for line in lines if line.who == "Ann"} == {"192.0.2.9"}
    assert [line.table for line in lines if line.table] == ["T1", "T1"]


@pytest.mark.parametrize("size", [1, 2, 5, 14, 15, 16])
def test_pages_of_the_audit_leave_nothing_out_and_repeat_nothing(size: int) -> None:
    recorder = MemoryRecorder()
    evening(recorder)
    audit = Audit(recorder)
    everything = audit.lines().lines
    pages, before = list[AuditLine](), ""
    for number in range(100):
        page = audit.lines(size, before)
        assert 0 < len(page.lines) <= size
        pages += page.lines
        audit.note("Ann", "dealer", f"something new {number}")  # new entries do not shift the pages
        if not (before := page.older):
            break
    assert tuple(pages) == everything
    assert len(everything) == 15


def test_a_long_audit_is_read_from_its_end() -> None:
    audit = Audit(MemoryRecorder(), Stopped())
    for number in range(1, 701):
        audit.note("Ann", "dealer", f"deed {number}")
    page = audit.lines(450)
    assert [line.what for line in page.lines] == [f"deed {number}" for number in range(700, 250, -1)]
    assert [line.what for line in audit.lines(450, page.older).lines] == [f"deed {number}" for number in range(250, 0, -1)]
    assert audit.lines(450, page.older).older == ""
    assert len(audit.lines(10**9).lines) == 700
    assert len(audit.lines(-3).lines) == 1


@pytest.mark.parametrize(
    "place",
    [
        "x",
        "audit:1",
        "audit:1 people:1 filings:1 floor:-1",
        "audit:1 people:1 filings:1 floor:²",
        "audit:1 people:1 filings:1 floor",
    ],
)
def test_a_place_that_no_page_gave_is_refused(place: str) -> None:
    with pytest.raises(HouseRefusal):
        Audit(MemoryRecorder()).lines(10, place)


def test_a_place_beyond_the_end_is_the_end() -> None:
    audit = Audit(MemoryRecorder(), Stopped())
    audit.note("Ann", "dealer", "opened the drop box")
    far = " ".join(f"{stream}:{10**16}" for stream in ("audit", "people", "filings", "floor", "vault"))
    assert audit.lines(10, far) == audit.lines(10)


def test_a_note_is_one_line_whatever_is_in_it() -> None:
    audit = Audit(MemoryRecorder(), Stopped())
    audit.note("A\nnn\x1b[31m", "dealer", "said\r\n2027-01-01 administrator logged in\ud800" + "x" * 2000, "T\x001", 3, "\x00" * 9)
    (line,) = audit.lines().lines
    assert (line.who, line.table, line.version, line.address) == ("A nn[31m", "T1", 3, "")
    assert line.what.startswith("said 2027-01-01 administrator logged inxxx")
    assert len(line.what) == 500


def test_notes_of_several_servers_are_all_kept(recorder: Recorder) -> None:
    def note(number: int) -> None:
        audit = Audit(recorder, Stopped())
        for each in range(5):
            audit.note(f"user {number}", "dealer", f"deed {each}")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(note, range(4)))
    lines = Audit(recorder).lines().lines
    assert {(line.who, line.what) for line in lines} == {(f"user {n}", f"deed {each}") for n in range(4) for each in range(5)}
    assert len(lines) == 20


# versions


def test_events_of_an_older_version_are_upcast_one_step_at_a_time() -> None:
    def renamed(data: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in data.items() if name != "who"} | {"name": data["who"]}

    def told(data: dict[str, Any]) -> dict[str, Any]:
        return data | {"name": data["name"].title()}

    class Form(Register[GuestRegistered]):
        stream, events, newest, upcasters = "people", GuestRegistered, 3, {1: renamed, 2: told}

    old = canonical({"v": 1, "at": 7, "event": "guest registered", "who": "ann"})
    assert Form.read(old) == GuestRegistered(v=3, at=7, name="Ann")
    entry = follow("people", 1, genesis("people"), old)
    assert Form(MemoryRecorder()).take(entry).name == "Ann"
    for data in ({"v": 4}, {"v": 0}, {"v": -1}, {"v": "1"}, {}, [], None, {"v": 1}, {"v": 3, "at": 1, "event": "robbed"}):
        with pytest.raises(NotAnEvent):
            Form.read(canonical(data))
    with pytest.raises(NotAnEvent, match="an event of version 4; this Croupier reads up to 3"):
        Form.read(canonical({"v": 4}))
    with pytest.raises(NotAnEvent):
        Form.read(b"\xff")


# verification


def sound() -> MemoryRecorder:
    """A table's evening, and everything around it."""
    recorder = copy(played("649a", rounds=2))
    evening(recorder)
    return recorder


REGISTERS = ["audit", "filings", "floor", "people"]


def test_a_log_with_registers_is_sound_and_nothing_of_them_is_unchecked() -> None:
    report = verify(sound())
    assert report.holds, report.damage
    assert not report.unchecked
    assert [stream for stream in report.heads if stream in REGISTERS] == REGISTERS


@settings(max_examples=60)
@given(st.data())
def test_a_changed_byte_of_a_register_is_found_where_it_is(data: st.DataObject) -> None:
    recorder = MemoryRecorder()
    evening(recorder)
    stream = data.draw(st.sampled_from(REGISTERS))
    log = entries(recorder, stream)
    at = data.draw(st.integers(0, len(log) - 1))
    part = data.draw(st.sampled_from(["body", "hash"] + (["sealed"] if log[at].sealed else [])))
    found: bytes = getattr(log[at], part)
    place = data.draw(st.integers(0, len(found) - 1))
    changed = found[:place] + bytes([found[place] ^ 1]) + found[place + 1 :]
    log[at] = replace(log[at], **{part: changed})
    assert [(each.stream, each.version) for each in verify(recorder).damage] == [(stream, at + 1)]


def damage(recorder: MemoryRecorder) -> str:
    (found,) = verify(recorder).damage
    return str(found)


def test_a_forger_who_recomputes_the_hashes_still_has_to_make_sense() -> None:
    recorder = sound()
    guest = body(recorder, "people", 2)
    assert guest["event"] == "guest registered"
    rewrite(recorder, "people", 3, guest)
    assert "people, version 3: it does not belong there: " in damage(recorder)
    recorder = sound()
    rewrite(recorder, "people", 1, body(recorder, "people", 1) | {"role": "owner"})
    assert damage(recorder).startswith("people, version 1: it does not belong there: not an event of this register")
    recorder = sound()
    rewrite(recorder, "people", 4, body(recorder, "people", 4) | {"name": "Zed"})
    assert damage(recorder) == "people, version 4: it does not belong there: there was no user Zed."
    recorder = sound()
    rewrite(recorder, "filings", 1, body(recorder, "filings", 1) | {"text": OTHER})
    assert "the text is not that of the submission" in damage(recorder)
    recorder = sound()
    rewrite(recorder, "filings", 2, body(recorder, "filings", 2) | {"id": "0"})
    assert damage(recorder) == "filings, version 2: it does not belong there: there was no submission 0."
    recorder = sound()
    rewrite(recorder, "audit", 1, body(recorder, "audit", 1) | {"address": ""})
    assert "it is not encoded the way events of this register are" in damage(recorder)


def test_a_password_that_was_exchanged_or_taken_away_is_found() -> None:
    for sealed in (b"", b"{}"):
        recorder = sound()
        entries(recorder, "people")[0] = replace(entries(recorder, "people")[0], sealed=sealed)
        rehash(recorder, "people")
        assert damage(recorder) == "people, version 1: it does not belong there: its sealed part is not what it commits to."


def test_a_stream_that_is_not_a_register_is_still_reported_as_unchecked() -> None:
    recorder = MemoryRecorder()
    recorder.append([Unit((follow("peoples", 1, recorder.head("peoples")[1], canonical({"v": 1})),))])
    report = verify(recorder)
    assert report.holds
    assert report.unchecked == ("peoples: it is neither a table, a meter nor a register; only its chain was followed",)


def test_the_audit_of_a_damaged_log_says_where() -> None:
    recorder = sound()
    rewrite(recorder, "floor", 1, {"v": 1})
    with pytest.raises(Damaged, match="floor, version 1"):
        Audit(recorder).lines()
    assert msgspec.json.decode(entries(recorder, "floor")[0].body) == {"v": 1}


def test_an_altered_people_stream_of_a_database_is_reported_by_the_command_line(tmp_path: Path) -> None:
    path = str(tmp_path / "floor.db")
    recorder = open_recorder(path)
    evening(recorder)
    recorder.close()
    told = CliRunner().invoke(app, ["verify", path, "--unsigned", "all"])
    assert told.exit_code == 0
    assert "tables: 1, meters: 4, registers: 4" in told.output
    database = sqlite3.connect(path)
    database.execute("DROP TRIGGER entries_UPDATE_refused")
    database.execute("UPDATE entries SET sealed = '{}' WHERE stream = 'people' AND version = 3")
    database.commit()
    told = CliRunner().invoke(app, ["verify", path])
    assert told.exit_code == 1
    assert "people, version 3: it is not stored the way entries are." in told.output
    database.execute("UPDATE entries SET sealed = x'7b7d' WHERE stream = 'people' AND version = 3")
    database.commit()
    database.close()
    told = CliRunner().invoke(app, ["verify", path])
    assert told.exit_code == 1
    assert "people, version 3: it does not belong there: its sealed part is not what it commits to." in told.output


def test_a_transcript_of_a_table_has_nothing_of_the_registers(tmp_path: Path) -> None:
    path, plain = tmp_path / "everything.jsonl", tmp_path / "plain.jsonl"
    export(sound(), "T1", path, "everyone")
    export(copy(played("649a", rounds=2)), "T1", plain, "everyone")
    assert path.read_bytes() == plain.read_bytes()
    assert not set(Transcript(path).streams()) & set(REGISTERS)
    assert verify(str(path)).holds
