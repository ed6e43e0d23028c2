"""A server and its house key: created at the first start, refused if it is missing, different, or readable by others."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.playing import ante, asked, play_three_card_poker, sit, until
from tests.web.serving import QUIET, serving

TABLE = "three-card-poker"


def refused(database: Path, *options: str) -> str:
    """The output of a server that refuses to start."""
    command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--database", str(database), *options]
    env = {**os.environ, **QUIET}
    ended = subprocess.run(command, capture_output=True, text=True, env=env, cwd=database.parent, timeout=120, check=False)
    assert ended.returncode == 2, ended.stdout
    assert "Traceback" not in ended.stderr
    return ended.stderr


@pytest.mark.thorough
def test_a_server_makes_its_key_and_refuses_to_go_on_without_it(tmp_path: Path) -> None:
    database = tmp_path / "floor.db"
    key = tmp_path / "floor.db.house.key"
    with serving(str(database), tmp_path) as server:
        guest = server.guest("Ann")
        sit(guest, TABLE, 3)
        play_three_card_poker(guest, 3)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    kept = key.read_text()
    key.chmod(0o644)
    assert "mode 0644" in refused(database)
    key.chmod(0o600)
    key.unlink()
    said = refused(database)
    assert "There is no house key in" in said
    assert "--new-house-key" in said
    assert not key.exists()
    key.write_text("ab" * 32)
    key.chmod(0o600)
    assert "holds another house key" in refused(database)
    key.write_text(kept)
    with serving(str(database), tmp_path) as server:
        assert until(lambda: server.client().seen(TABLE).view.phase == "betting")


@pytest.mark.thorough
def test_a_practice_table_plays_on_after_the_key_is_lost(tmp_path: Path) -> None:
    database = tmp_path / "floor.db"
    with serving(str(database), tmp_path) as server:
        server.administrator()
        guest = server.guest("Ann")
        sit(guest, TABLE, 3)
        ante(guest, TABLE, 3)
        guest.ready(TABLE)
        asked(guest, TABLE, 3)
        server.stop()
    (tmp_path / "floor.db.house.key").unlink()
    with serving(str(database), tmp_path, "--new-house-key") as server:
        administrator = server.administrator()
        until(lambda: server.client().seen(TABLE).view.phase == "betting")
        assert server.client().seen(TABLE).view.seats[3].chips == 100_000, "the wager of the void round is returned"
        lines = [line["what"] for line in administrator.call("GET", "/api/audit")["lines"]]
        assert any("undealt orders are lost" in line for line in lines), lines
        guest = server.guest("Bob")
        sit(guest, TABLE, 4)
        play_three_card_poker(guest, 4)
    command = [sys.executable, "-m", "croupier", "verify", str(database)]
    verified = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert "whose house key was lost, as the log records" in verified.stdout
    assert "Damaged" not in verified.stdout
