"""The administrator over HTTP: users and roles, submissions, opening tables, the audit log, printing, backup and restore."""

from __future__ import annotations

import io
import json
import sqlite3
import time
import uuid
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from croupier import book
from croupier.cli.main import app
from croupier.client import Client, Refused
from croupier.filing.template import example_submission as example
from tests.web.playing import new_name, play_three_card_poker, sit, until
from tests.web.serving import Served, serving, start

TABLE = "three-card-poker"
OWN = "a phrase of my own"
TODAY = datetime.now(UTC).date()


@pytest.fixture(scope="module")
def administrator(served: Served) -> Client:
    return served.administrator()


@pytest.fixture(scope="module")
def example_649a() -> str:
    return example(book.find("649a").edition())


def refusal(call: Any, *args: Any, **named: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        call(*args, **named)
    return caught.value


@pytest.fixture(scope="module")
def second(administrator: Client, served: Served) -> tuple[str, Client]:
    """Another administrator, who approves what the first one files."""
    return add(administrator, served, "administrator")


def audit(client: Client, limit: int = 20) -> list[str]:
    return [f"{line['who']}: {line['what']}" for line in client.call("GET", f"/api/audit?limit={limit}")["lines"]]


def add(administrator: Client, served: Served, role: str) -> tuple[str, Client]:
    """A user who has set a password and is logged in."""
    name = new_name("U")
    made = administrator.call("POST", "/api/users", {"name": name, "role": role})
    client = served.client()
    client.login(name, made["password"])
    client.change_password(made["password"], OWN)
    return name, client


def file(administrator: Client, text: str, **changes: str) -> dict[str, Any]:
    """File a unique submission: the facility's name makes the text different."""
    for before, after in changes.items():
        text = text.replace(before, after)
    unique = text.replace("Example Casino", f"Casino {uuid.uuid4().hex[:8]}")
    filed: dict[str, Any] = administrator.call("POST", "/api/submissions", {"text": unique})
    return filed


def user(administrator: Client, name: str) -> dict[str, Any]:
    return next(each for each in administrator.call("GET", "/api/users") if each["name"] == name)


# users


def test_a_one_time_password_has_to_be_changed_and_is_told_once(administrator: Client, served: Served) -> None:
    name = new_name("Vera")
    made = administrator.call("POST", "/api/users", {"name": name, "role": "surveillance"})
    assert user(administrator, name) == {
        "name": name, "role": "surveillance", "enabled": True, "must_change": True, "locked_until": 0, "last_login": 0,
        "locked_from": [],
    }  # fmt: skip
    client = served.client()
    assert client.login(name, made["password"]).must_change is True
    assert refusal(client.call, "GET", "/api/surveillance/tables").status == 403
    client.change_password(made["password"], OWN)
    assert len(client.call("GET", "/api/surveillance/tables")) >= 7
    assert f"administrator: added the user {name} as surveillance" in audit(administrator)
    assert made["password"] not in served.log.read_text()
    assert OWN not in served.log.read_text()


def test_a_user_whose_role_changes_has_to_log_in_again(administrator: Client, served: Served) -> None:
    name, client = add(administrator, served, "surveillance")
    assert administrator.call("POST", f"/api/users/{name}/role", {"role": "dealer"})["role"] == "dealer"
    assert client.me().role == "anyone"
    client.login(name, OWN)
    assert refusal(client.call, "GET", "/api/surveillance/tables").status == 403


def test_who_is_disabled_is_out_at_once(administrator: Client, served: Served) -> None:
    name, client = add(administrator, served, "floorperson")
    assert administrator.call("POST", f"/api/users/{name}/disable")["enabled"] is False
    assert client.me().role == "anyone"
    assert refusal(served.client().login, name, OWN).status == 403
    assert administrator.call("POST", f"/api/users/{name}/enable")["enabled"] is True
    assert client.login(name, OWN).role == "floorperson"


def test_three_failures_lock_and_the_administrator_unlocks(administrator: Client, served: Served) -> None:
    name, _ = add(administrator, served, "dealer")
    for _ in range(3):
        assert refusal(served.client().login, name, "not that phrase").status == 403
    assert refusal(served.client().login, name, OWN).status == 403
    assert user(administrator, name)["locked_until"] > time.time() * 1000
    assert user(administrator, name)["locked_from"] == ["127.0.0.1"]
    assert administrator.call("POST", f"/api/users/{name}/unlock")["locked_until"] == 0
    assert served.client().login(name, OWN).role == "dealer"


def test_a_reset_ends_the_old_password(administrator: Client, served: Served) -> None:
    name, client = add(administrator, served, "dealer")
    made = administrator.call("POST", f"/api/users/{name}/reset")
    assert made["name"] == name
    assert client.me().role == "anyone"
    assert refusal(served.client().login, name, OWN).status == 403
    assert served.client().login(name, made["password"]).must_change is True


def test_an_administrator_sees_a_table_as_anybody_does(administrator: Client) -> None:
    seen = administrator.seen(TABLE)
    assert (seen.view.viewer, seen.view.accounts) == ("public", None)
    assert "not allowed" in refusal(administrator.do, TABLE, "no more bets").kind


def test_the_last_administrator_stays(administrator: Client) -> None:
    for deed, body in (("disable", None), ("role", {"role": "dealer"})):
        found = refusal(administrator.call, "POST", f"/api/users/administrator/{deed}", body)
        assert found.status == 409
        assert "last administrator" in found.reason


@pytest.mark.parametrize(
    "body",
    [{"name": "x", "role": "king"}, {"name": "", "role": "dealer"}, {"name": "y"}, {"name": "z", "role": "dealer", "admin": True}],
)
def test_a_malformed_user_is_refused(administrator: Client, body: dict[str, Any]) -> None:
    assert refusal(administrator.call, "POST", "/api/users", body).status == 400


ROUTES = [
    ("GET", "/api/users"), ("POST", "/api/users"), ("POST", "/api/users/administrator/role"), ("POST", "/api/users/administrator/reset"),
    ("POST", "/api/users/administrator/disable"), ("POST", "/api/users/administrator/enable"), ("POST", "/api/users/administrator/unlock"),
    ("GET", "/api/submissions"), ("POST", "/api/submissions"), ("GET", "/api/submissions/00000000"),
    ("GET", "/api/submissions/00000000/text"), ("POST", "/api/submissions/00000000/approve"),
    ("POST", "/api/submissions/00000000/withdraw"), ("GET", "/api/submissions/00000000/difference/00000001"),
    ("GET", "/api/submissions/00000000/print/sign"), ("GET", "/api/standings"), ("POST", "/api/openings"),
    ("POST", f"/api/tables/{TABLE}/standing"), ("GET", "/api/meters"), ("GET", "/api/audit"), ("GET", "/api/backup"),
    ("GET", "/administrator/users"), ("GET", "/administrator/submissions"), ("GET", "/administrator/compare"),
    ("GET", "/administrator/tables"), ("GET", "/administrator/audit"), ("GET", "/administrator/backup"),
]  # fmt: skip


def test_only_the_administrator_may_use_these_routes(administrator: Client, served: Served) -> None:
    guest, (_, watcher) = served.guest(new_name()), add(administrator, served, "surveillance")
    (_, floorperson), nobody = add(administrator, served, "floorperson"), served.client()
    for method, path in ROUTES:
        for who, status in ((guest, 403), (watcher, 403), (floorperson, 403), (nobody, 401)):
            assert refusal(who.call, method, path, {} if method == "POST" else None).status == status, (method, path)


# submissions


def test_a_submission_with_errors_is_kept_with_its_findings_and_cannot_be_approved(
    administrator: Client, example_649a: str
) -> None:
    filed = file(administrator, example_649a, **{'"Pair Plus Wager" = "A"': '"Pair Plus Wager" = "Z"'})
    assert filed["offer"] == ""
    first = filed["findings"][0]
    assert (first["severity"], first["cite"]) == ("error", "649a.12(d)")
    found = refusal(administrator.call, "POST", f"/api/submissions/{filed['id']}/approve", {"effective": TODAY.isoformat()})
    assert (found.status, found.cite) == (409, "649a.12(d)")
    assert refusal(administrator.call, "GET", f"/api/submissions/{filed['id']}/print/sign").cite == "649a.12(d)"


def test_a_byte_order_mark_is_not_part_of_a_submission(administrator: Client, example_649a: str) -> None:
    marked, plain = (administrator.call("POST", "/api/submissions", {"text": mark + example_649a}) for mark in ("\ufeff", ""))
    assert marked["offer"]
    assert marked["id"] == plain["id"]


def test_malformed_toml_is_a_finding(administrator: Client) -> None:
    filed = administrator.call("POST", "/api/submissions", {"text": f"game = [[[ {uuid.uuid4()}"})
    assert "is not TOML" in filed["findings"][0]["found"]
    assert refusal(administrator.call, "POST", f"/api/submissions/{filed['id']}/approve", {"effective": "2026-01-01"}).status == 409


def test_a_submission_is_bounded(administrator: Client, served: Served) -> None:
    found = refusal(administrator.call, "POST", "/api/submissions", {"text": "#" * (64 * 1024 + 1)})
    assert (found.status, found.kind) == (413, "too large")
    assert refusal(administrator.call, "POST", "/api/submissions", {"text": "#" * 300_000}).status == 413
    assert refusal(administrator.call, "POST", "/api/submissions", {"text": ""}).status == 400


def test_the_person_who_files_does_not_approve(administrator: Client, second: tuple[str, Client], example_649a: str) -> None:
    (name, other), text = second, example_649a.replace("Example Casino", f"Casino {uuid.uuid4().hex[:8]}")
    id = administrator.call("POST", "/api/submissions", {"text": text})["id"]
    found = refusal(administrator.call, "POST", f"/api/submissions/{id}/approve", {"effective": TODAY.isoformat()})
    assert (found.status, found.kind) == (403, "not allowed")
    assert found.reason == f"The submission {id} was filed by administrator, who cannot also approve it."
    assert found.accepted == "approval by another administrator, under their own login"
    assert other.call("POST", f"/api/submissions/{id}/approve", {"effective": TODAY.isoformat()})["approved_by"] == name
    lines = audit(administrator)
    assert f"{name}: approved the submission {id}, in effect from {TODAY}" in lines
    assert any(line.startswith(f"administrator: filed the submission {id}") for line in lines)
    again = other.call("POST", f"/api/submissions/{id}/withdraw", {"why": "a wrong facility"})
    assert again["status"] == "withdrawn"
    assert other.call("POST", "/api/submissions", {"text": text})["by"] == name
    assert refusal(other.call, "POST", f"/api/submissions/{id}/approve", {"effective": TODAY.isoformat()}).status == 403


def test_the_example_filings_name_no_person_as_filer_or_approver(administrator: Client) -> None:
    opened = next(each for each in administrator.call("GET", "/api/submissions") if TABLE in each["tables"])
    assert (opened["by"], opened["approved_by"]) == ("Croupier examples", "demo floor")


def test_a_withdrawn_filing_opens_no_table(administrator: Client, second: tuple[str, Client], example_649a: str) -> None:
    filed = file(administrator, example_649a)
    id = filed["id"]
    wish = {"table": f"T{uuid.uuid4().hex[:8]}", "filing": id}
    key = {"Idempotency-Key": str(uuid.uuid4())}
    assert "not approved" in refusal(administrator.call, "POST", "/api/openings", wish, key).reason
    approved = second[1].call("POST", f"/api/submissions/{id}/approve", {"effective": TODAY.isoformat()})
    assert (approved["status"], approved["in_effect"], approved["approved_by"]) == ("approved", True, second[0])
    administrator.call("POST", f"/api/submissions/{id}/withdraw", {"why": "a wrong facility"})
    assert "withdrawn" in refusal(administrator.call, "POST", "/api/openings", wish, key).reason
    assert refusal(administrator.call, "POST", f"/api/submissions/{id}/approve", {"effective": TODAY.isoformat()}).status == 409
    assert f"administrator: withdrew the submission {id}: a wrong facility" in audit(administrator)


def test_a_withdrawn_filing_opens_no_table_again(
    administrator: Client, second: tuple[str, Client], served: Served, example_649a: str
) -> None:
    id, table = file(administrator, example_649a, **{"maximum = 500": "maximum = 700"})["id"], f"T{uuid.uuid4().hex[:8]}"
    second[1].call("POST", f"/api/submissions/{id}/approve", {"effective": TODAY.isoformat()})
    wish = {"table": table, "filing": id, "dealer": "person"}
    administrator.call("POST", "/api/openings", wish, {"Idempotency-Key": str(uuid.uuid4())})
    _, floorperson = add(administrator, served, "floorperson")

    def reopen() -> Any:
        return floorperson.call("POST", f"/api/tables/{table}/open", {"opener": 0}, {"Idempotency-Key": str(uuid.uuid4())})

    floorperson.do(table, "close table")
    reopen()
    administrator.call("POST", f"/api/submissions/{id}/withdraw", {"why": "a wrong paytable"})
    floorperson.do(table, "close table")
    assert "withdrawn" in refusal(reopen).reason


def test_a_filing_is_not_in_effect_before_its_day(administrator: Client, second: tuple[str, Client], example_649a: str) -> None:
    id = file(administrator, example_649a)["id"]
    tomorrow = (TODAY + timedelta(days=2)).isoformat()
    assert second[1].call("POST", f"/api/submissions/{id}/approve", {"effective": tomorrow})["in_effect"] is False
    wish = {"table": f"T{uuid.uuid4().hex[:8]}", "filing": id}
    found = refusal(administrator.call, "POST", "/api/openings", wish, {"Idempotency-Key": str(uuid.uuid4())})
    assert tomorrow in found.reason


def test_a_table_is_opened_from_a_new_submission_and_played(
    administrator: Client, second: tuple[str, Client], served: Served, example_649a: str
) -> None:
    linked = {"Three-Card Progressive Payout Wager": f"house {uuid.uuid4().hex[:8]}"}
    filed = f"linked = {{ {json.dumps(next(iter(linked)))} = {json.dumps(next(iter(linked.values())))} }}"
    id = file(administrator, example_649a, **{"minimum = 5 ": f"{filed}\nminimum = 10 "})["id"]
    second[1].call("POST", f"/api/submissions/{id}/approve", {"effective": TODAY.isoformat()})
    table, key = f"T-{uuid.uuid4().hex[:8]}", {"Idempotency-Key": str(uuid.uuid4())}
    wish = {"table": table, "filing": id, "opener": 5_000_000, "practice": True, "betting_seconds": 0}
    reply = administrator.call("POST", "/api/openings", wish, key)
    assert (reply["table"], reply["version"]) == (table, 1)
    assert administrator.call("POST", "/api/openings", wish, key) == reply
    guest = served.guest(new_name())
    sit(guest, table, 3)
    assert guest.seen(table).view.limits.minimum == 1000
    assert guest.seen(table).view.decision_seconds == 90
    play_three_card_poker(guest, 3, table)
    meter = next(each for each in administrator.call("GET", "/api/meters") if each["tables"] == [table] and each["shared"])
    assert (meter["meter"], meter["wager"], meter["amount"], meter["rate"]) == (*linked.values(), *linked, 100_000, "14.00%")
    assert any(f"opened the table under the submission {id}" in line for line in audit(administrator, 100))
    stood = administrator.call("POST", f"/api/tables/{table}/standing", {"dealer": "person", "betting_seconds": 45})
    assert (stood["standing"]["dealer"], stood["standing"]["betting_seconds"], stood["rounds"]) == ("person", 45, 1)
    assert served.client().seen(table).standing.dealer == "person"


@pytest.mark.parametrize("table", ["", "no/slash", "..", "a b", "x" * 41, "Ünder"])
def test_a_table_has_a_name_for_an_address(administrator: Client, table: str) -> None:
    filing = administrator.call("GET", "/api/submissions")[0]["id"]
    wish = {"table": table, "filing": filing}
    assert refusal(administrator.call, "POST", "/api/openings", wish, {"Idempotency-Key": str(uuid.uuid4())}).status == 400


def test_a_name_that_looks_the_same_is_refused(administrator: Client) -> None:
    filing = next(each["id"] for each in administrator.call("GET", "/api/submissions") if each["in_effect"])
    wish = {"table": TABLE.upper(), "filing": filing}
    assert refusal(administrator.call, "POST", "/api/openings", wish, {"Idempotency-Key": str(uuid.uuid4())}).status == 409


def test_what_changes_between_two_submissions(administrator: Client, example_649a: str) -> None:
    one = file(administrator, example_649a)
    other = file(
        administrator, example_649a, **{'"Pair Plus Wager" = "A"': '"Pair Plus Wager" = "C"', "maximum = 500": "maximum = 1000"}
    )
    found = administrator.call("GET", f"/api/submissions/{one['id']}/difference/{other['id']}")
    assert any(change["after"] == "$1,000" or "1,000" in change["after"] for change in found["choices"])
    # 649a.12(d): a straight flush pays 35 to 1 in table A and 40 to 1 in C, three-of-a-kind 25 and 30, a flush 4 and 3
    payouts = {change["what"].rpartition(": ")[2]: (change["before"], change["after"]) for change in found["payouts"]}
    assert payouts == {
        "Straight flush": ("35 to 1", "40 to 1"), "Three-of-a-kind": ("25 to 1", "30 to 1"), "Flush": ("4 to 1", "3 to 1"),
    }  # fmt: skip
    assert {change["cite"] for change in found["payouts"]} == {"649a.12(d)"}
    guide = next(each for each in administrator.call("GET", "/api/submissions") if each["game"] == "641a")
    assert refusal(administrator.call, "GET", f"/api/submissions/{one['id']}/difference/{guide['id']}").cite == "601a.2"


# paper


def printed(client: Client, path: str, seconds: float = 120.0) -> httpx.Response:
    def made() -> httpx.Response | None:
        answer = client._http.get(path, timeout=60)
        assert answer.status_code in (200, 202), answer.text
        return answer if answer.status_code == 200 else None

    found: httpx.Response = until(made, seconds)
    return found


@pytest.mark.thorough
def test_documents_are_printed(administrator: Client, example_649a: str) -> None:
    id = file(administrator, example_649a)["id"]
    felt = printed(administrator, f"/api/submissions/{id}/print/layout?format=svg")
    assert felt.headers["content-type"] == "image/svg+xml"
    assert felt.headers["content-disposition"] == f'attachment; filename="{id}-three-card-poker-layout.svg"'
    assert b"THREE CARD POKER" in felt.content
    form = printed(administrator, f"/api/submissions/{id}/print/submission?format=pdf")
    assert form.content.startswith(b"%PDF")
    sign = printed(administrator, f"/api/submissions/{id}/print/sign?format=png")
    if sign.headers["content-type"] == "application/zip":
        assert all(name.endswith(".png") for name in zipfile.ZipFile(io.BytesIO(sign.content)).namelist())
    else:
        assert sign.content.startswith(b"\x89PNG")
    assert any(f"printed the layout of the submission {id} as svg" in line for line in audit(administrator))
    for path in ("sign?format=exe", "secrets?format=pdf"):
        assert refusal(administrator.call, "GET", f"/api/submissions/{id}/print/{path}").status in (400, 404)


def test_the_server_opens_no_file_that_a_submission_names(administrator: Client, example_649a: str) -> None:
    text = example_649a.replace("Example Casino", f"Casino {uuid.uuid4().hex}") + '\n[printed]\nlogo = "/etc/passwd"\n'
    id = administrator.call("POST", "/api/submissions", {"text": text})["id"]
    assert "logo" in refusal(administrator.call, "GET", f"/api/submissions/{id}/print/layout?format=svg").reason


# the audit


def test_the_audit_is_read_page_by_page(administrator: Client) -> None:
    first = administrator.call("GET", "/api/audit?limit=5")
    assert len(first["lines"]) == 5
    second = administrator._http.get("/api/audit", params={"limit": 5, "before": first["older"]}).json()
    numbers = [(line["stream"], line["number"]) for page in (first, second) for line in page["lines"]]
    assert len(set(numbers)) == 10
    assert refusal(administrator.call, "GET", "/api/audit?before=nowhere").status == 400


def test_every_page_opens(administrator: Client) -> None:
    filing = administrator.call("GET", "/api/submissions")[0]["id"]
    for path in ("", "/users", "/submissions", f"/submissions/{filing}", "/compare", "/tables", "/audit", "/backup"):
        answer = administrator._http.get(f"/administrator{path}", headers={"Accept": "text/html"})
        assert answer.status_code == 200, path
        assert "<script>" not in answer.text
        assert " style=" not in answer.text


# backup and restore


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[Served, Path]]:
    """A separate floor on which one round was played."""
    path = tmp_path / "house.db"
    with serving(str(path), tmp_path) as server:
        guest = server.guest("Ann")
        sit(guest, TABLE, 3)
        play_three_card_poker(guest, 3)
        yield server, path


def copy_of(client: Client) -> bytes:
    answer = client._http.get("/api/backup", timeout=60)
    assert answer.status_code == 200
    assert answer.headers["content-length"] == str(len(answer.content))
    return answer.content


def standings(client: Client) -> dict[str, int]:
    return {each["table"]: each["version"] for each in client.call("GET", "/api/standings")}


def house_key(database: Path) -> Path:
    return database.with_name(f"{database.name}.house.key")


def restore(copy: Path, database: Path, names: tuple[str, str], passwords: tuple[str, str]) -> None:
    """Run `croupier restore` with what two people would type."""
    command = ["restore", str(copy), "--database", str(database), "--administrator", names[0], "--second", names[1]]
    done = CliRunner().invoke(app, command, input="\n".join(passwords) + "\n")
    assert done.exit_code == 0, done.output


@pytest.mark.thorough
def test_a_copy_is_restored_into_another_floor(house: tuple[Served, Path], tmp_path: Path) -> None:
    server, database = house
    administrator = server.administrator()
    until(lambda: server.client().seen(TABLE).view.phase == "betting")
    name, _ = add(administrator, server, "surveillance")
    before, copy = standings(administrator), tmp_path / "copy.db"
    copy.write_bytes(copy_of(administrator))
    assert not list(tmp_path.glob(".house.db-backup*"))  # unlinked before the first byte is sent
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    with serving(str(folder / "new.db"), folder) as other:
        theirs = other.administrator("another long phrase")
        assert standings(theirs) != before
    restore(copy, folder / "new.db", ("administrator", name), ("correct horse battery", OWN))
    with pytest.raises(AssertionError, match="house key"):
        start(str(folder / "new.db"), folder)
    theirs_too, own = (house_key(path).read_text() for path in (database, folder / "new.db"))
    house_key(folder / "new.db").write_text(theirs_too + own)
    with serving(str(folder / "new.db"), folder) as again:
        assert again.password == "", "the copy has its own administrator"
        restored = again.client()
        restored.login("administrator", "correct horse battery")
        after = standings(restored)
        assert after.keys() == before.keys()
        assert all(after[table] >= version for table, version in before.items())
        (line,) = (line for line in audit(restored) if "restored this ledger" in line)
        assert line.startswith(f"administrator: restored this ledger together with {name}, instead of the one")
        assert again.client().seen(TABLE).view.seats[3].player == "Ann"
    (kept,) = (each for each in folder.glob("new.db.before-*") if "sessions" not in each.name)
    assert sqlite3.connect(kept).execute("SELECT count(*) FROM entries WHERE stream = 'people'").fetchone()[0] >= 2


def test_the_page_says_how_to_restore(administrator: Client) -> None:
    page = administrator._http.get("/administrator/backup", headers={"Accept": "text/html"}).text
    assert "croupier restore BACKUP --database floor.db" in page
