"""One server per SQLite file, and what happens when the file disappears."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from croupier.client import Refused
from tests.web.playing import new_name, play_three_card_poker, sit
from tests.web.serving import start

pytestmark = pytest.mark.thorough

TABLE = "three-card-poker"


def serve(database: Path, port: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a server that is expected to refuse to start."""
    command = [sys.executable, "-m", "croupier", "serve", "--port", str(port), "--database", str(database)]
    return subprocess.run(command, cwd=database.parent, capture_output=True, text=True, timeout=60, check=False)


def test_a_second_server_on_one_file_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "floor.db"
    server = start(str(database), tmp_path)
    guest = server.guest(new_name())
    (tmp_path / "link.db").symlink_to(database)
    for name in ("floor.db", "link.db"):
        second = serve(tmp_path / name)
        assert second.returncode == 2
        assert "is served by another process" in second.stderr
        assert f"({server.process.pid})" in second.stderr
        assert "Traceback" not in second.stderr
    sit(guest, TABLE, 1)
    play_three_card_poker(guest, 1)  # the first one keeps working
    server.process.kill()  # however it exits, the next one can start
    server.process.wait(10)
    start(str(database), tmp_path).stop()


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_ledger_that_is_taken_away_stops_the_server(how: str, tmp_path: Path) -> None:
    database = tmp_path / "floor.db"
    server = start(str(database), tmp_path)
    guest = server.guest(new_name(), patience=0)
    sit(guest, TABLE, 1)
    database.rename(tmp_path / "elsewhere.db")
    if how == "replaced":
        database.write_bytes(b"")
    with pytest.raises((Refused, httpx.TransportError)) as caught:
        for _ in range(1000):  # until commands are no longer acknowledged
            guest.do(TABLE, "tip", seat=1, amount=1)
    assert not isinstance(caught.value, Refused) or caught.value.status == 503
    assert server.process.wait(20) == 1
    assert "was removed or replaced while it was in use" in server.log.read_text()
    again = serve(database)
    assert again.returncode == 2
    assert "floor.db is missing, but floor.db-sessions shows that a floor was served from it" in again.stderr
    assert not database.exists() or database.read_bytes() == b""
    (tmp_path / "elsewhere.db").rename(database)
    back = start(str(database), tmp_path)
    assert back.client().seen(TABLE).view.seats
    back.stop()


def test_a_witness_shows_that_a_floor_was_served_and_a_refused_start_leaves_nothing(tmp_path: Path) -> None:
    """Removing the ledger and the sessions leaves the witness, so the next start does not create an empty ledger."""
    (tmp_path / "floor.db.witness").write_text("{}\n")
    refused = serve(tmp_path / "floor.db")
    assert refused.returncode == 2
    assert "floor.db is missing, but floor.db.witness shows that a floor was served from it" in refused.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["floor.db.witness"]


def test_a_port_that_is_taken_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    """Otherwise the first start would create the administrator's one-time password without showing it to anyone."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        refused = serve(tmp_path / "floor.db", other.getsockname()[1])
    assert refused.returncode == 2
    assert "Cannot listen on 127.0.0.1:" in refused.stderr
    assert not (tmp_path / "floor.db").exists()
    server = start(str(tmp_path / "floor.db"), tmp_path)
    assert server.password
    server.stop()
