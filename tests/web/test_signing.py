"""A server signs its ledger with its key, and does not start with a key that others can read."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from croupier.client import Client, Refused
from croupier.ledger.signatures.signer import signer_of
from tests.floor.test_foreign_writes import second_administrator
from tests.web.playing import new_name, play_three_card_poker, sit, until
from tests.web.serving import serving

TABLE = "three-card-poker"


def croupier(*args: object, env: dict[str, str] | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "croupier", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})}, cwd=cwd)


def verdict(database: str, key: str) -> str:
    return str(json.loads(croupier("verify", database, "--key", key, "--json").stdout)["verdict"])


@pytest.mark.thorough
def test_a_served_ledger_is_signed_within_the_interval_and_whole_when_it_stops(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with serving(str(path), tmp_path, env={"CROUPIER_CHECKPOINT_SECONDS": "0.2"}) as server:
        (out,) = tmp_path.glob("*.out")
        key = re.search(r"It signs with the key ([0-9a-f]{64}) ", out.read_text())
        assert key
        assert key[1] in server.log.read_text()
        guest = server.guest(new_name())
        sit(guest, TABLE, 1)
        play_three_card_poker(guest, 1)
        until(lambda: verdict(str(path), key[1]) == "sound")
    assert verdict(str(path), key[1]) == "sound"
    assert signer_of(str(path)).public_key.hex() == key[1]
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.glob("floor.db*") if "-sessions" not in each.name}
    assert set(modes.values()) == {0o600}, modes


@pytest.mark.thorough
def test_a_server_reports_that_another_program_wrote_to_its_ledger(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with serving(str(path), tmp_path, env={"CROUPIER_CHECKPOINT_SECONDS": "0.2"}) as server:
        second_administrator(str(path))
        answer = until(lambda: (said := httpx.get(f"{server.address}/ready")).status_code == 503 and said)  # checked once a second
        assert "Another program wrote to the ledger: people. Run croupier verify." in answer.text
        until(lambda: "people from version 2 on" in server.log.read_text())
        measured = httpx.get(f"{server.address}/metrics").text
        assert "croupier_foreign_streams 1.0" in measured
    told = croupier("serve", "--port", 0, "--database", path)
    assert told.returncode == 2
    assert "it was written after the ledger was closed and signed" in told.stderr


@pytest.mark.thorough
def test_two_workers_report_that_another_program_wrote_to_their_database(postgres_url: str, tmp_path: Path) -> None:
    with serving(postgres_url, tmp_path, "--workers", "2", env={"CROUPIER_CHECKPOINT_SECONDS": "0.2"}) as server:
        guest = server.guest(new_name())
        sit(guest, TABLE, 1)
        version, password = second_administrator(postgres_url)
        answer = until(lambda: (said := httpx.get(f"{server.address}/ready")).status_code == 503 and said)
        assert "Another program wrote to the ledger: people. Run croupier verify." in answer.text
        for _ in range(6):  # whichever of the two answers
            with Client(server.address, patience=0) as client, pytest.raises(Refused, match="Another program wrote"):
                client.login("Mallory", password)
        play_three_card_poker(guest, 1)  # the tables keep playing
        until(lambda: f"people from version {version} on" in server.log.read_text())
    key = signer_of(str(tmp_path / "croupier")).public_key.hex()
    found = json.loads(croupier("verify", postgres_url, "--key", key, "--json").stdout)
    assert (found["verdict"], found["unsigned"]) == ("unsigned", {"people": version})
    told = croupier("serve", "--port", 0, "--database", postgres_url, cwd=tmp_path)
    assert told.returncode == 2
    assert f"people, version {version}: it is not signed, and no server with this house key wrote it" in told.stderr


@pytest.mark.thorough
def test_two_workers_leave_a_signed_ledger(postgres_url: str, tmp_path: Path) -> None:
    with serving(postgres_url, tmp_path, "--workers", "2") as server:
        guest = server.guest(new_name())
        sit(guest, TABLE, 1)
        play_three_card_poker(guest, 1)
    key = signer_of(str(tmp_path / "croupier")).public_key.hex()
    assert verdict(postgres_url, key) == "sound"


def test_a_server_does_not_start_with_a_key_that_others_can_read(tmp_path: Path) -> None:
    key = tmp_path / "key"
    signer_of("", str(key))
    key.chmod(0o644)
    told = croupier("serve", "--port", 0, "--database", tmp_path / "floor.db", "--signing-key", key)
    assert told.returncode == 2
    assert told.stderr.startswith(f"The ledger cannot be used: The key file {key} is open to others (mode 0644).")
    assert not (tmp_path / "floor.db").exists()


@pytest.mark.thorough
def test_a_server_does_not_start_on_an_older_copy(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with serving(str(path), tmp_path):
        pass
    (tmp_path / "copy.db").write_bytes(path.read_bytes())
    with serving(str(path), tmp_path):
        pass
    path.write_bytes((tmp_path / "copy.db").read_bytes())
    told = croupier("serve", "--port", 0, "--database", path)
    assert told.returncode == 2
    assert told.stderr.startswith("The ledger cannot be used: It is an older or different copy: the witness has a checkpoint of 20")
    assert told.stderr.endswith("an administrator and a second person have to accept it: run croupier restore.\n")
    found = json.loads(croupier("verify", path, "--json").stdout)
    assert found["verdict"] == "damaged"
    assert "the witness has one of" in found["damage"][0]["what"]


@pytest.mark.thorough
def test_a_witness_outside_gets_every_checkpoint(tmp_path: Path) -> None:
    path, kept = tmp_path / "floor.db", tmp_path / "kept"
    script = tmp_path / "keep.py"
    script.write_text(f"import sys; open({str(kept)!r}, 'ab').write(sys.stdin.buffer.read() + b'\\n')")
    with serving(str(path), tmp_path, "--witness", f"command:{sys.executable} {script}"):
        pass
    assert kept.read_bytes() == (tmp_path / "floor.db.witness").read_bytes() != b""
    assert croupier("verify", path, "--witness", kept).returncode == 0


@pytest.mark.thorough
def test_a_server_does_not_sign_with_another_key_than_the_one_before(tmp_path: Path) -> None:
    with serving(str(tmp_path / "floor.db"), tmp_path):
        pass
    told = croupier(
        "serve", "--port", 0, "--database", tmp_path / "floor.db", env={"CROUPIER_SIGNING_KEY": str(tmp_path / "other")}
    )
    assert told.returncode == 2
    assert "must sign this ledger" in told.stderr
