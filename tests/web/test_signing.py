"""A server signs its ledger with a key of its own, and does not start with a key that others can read."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

from croupier.ledger.signer import signer_of
from tests.web.playing import new_name, play_three_card_poker, sit, until
from tests.web.serving import serving

TABLE = "three-card-poker"


def croupier(*args: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "croupier", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})})


def verdict(database: str, key: str) -> str:
    return str(json.loads(croupier("verify", database, "--key", key, "--json").stdout)["verdict"])


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


def test_a_server_does_not_sign_with_another_key_than_the_one_before(tmp_path: Path) -> None:
    with serving(str(tmp_path / "floor.db"), tmp_path):
        pass
    told = croupier(
        "serve", "--port", 0, "--database", tmp_path / "floor.db", env={"CROUPIER_SIGNING_KEY": str(tmp_path / "other")}
    )
    assert told.returncode == 2
    assert "has to sign this ledger" in told.stderr
