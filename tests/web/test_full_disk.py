"""A disk that really fills up under a server, and then has room again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.web.playing import ante, new_name, play_three_card_poker, sit, until
from tests.web.serving import serving

pytestmark = pytest.mark.thorough

TABLE = "three-card-poker"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 32 MB in memory."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", disk], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no file system can be mounted here: {made.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)


def fill(file: Path, leave: int = 0) -> None:
    """Fill the disk, leaving this many bytes."""
    with file.open("ab", buffering=0) as filler:
        room = os.statvfs(file)
        try:
            os.posix_fallocate(filler.fileno(), 0, room.f_bavail * room.f_frsize - leave)
        except OSError:  # something else wrote at the same time
            fill(file, leave)


def test_a_full_disk_makes_the_server_say_so_until_there_is_room(small_disk: Path, tmp_path: Path) -> None:
    filler = small_disk / "filler"
    with serving(str(small_disk / "floor.db"), tmp_path) as server:
        guest = server.guest(new_name())
        sit(guest, TABLE, 1)
        play_three_card_poker(guest, 1)
        ante(guest, TABLE, 1)
        with httpx.Client(base_url=server.address, cookies=guest._http.cookies, timeout=20) as raw:
            assert raw.get("/ready").status_code == 200
            fill(filler)
            tip = {"json": {"do": "tip", "seat": 1, "amount": 1}, "headers": {"x-csrftoken": raw.cookies["csrftoken"]}}
            kept = []
            for number in range(2000):  # SQLite first uses up the space its write-ahead log already has
                tip["headers"]["Idempotency-Key"] = f"one-tip-{number}"
                answer = raw.post(f"/api/tables/{TABLE}/commands", **tip)
                if answer.status_code != 200:
                    break
                kept.append(answer.json()["version"])
            assert answer.status_code == 503, answer.text
            assert answer.headers["Retry-After"] == "1"
            assert "Nothing was changed" in answer.json()["error"]["reason"]
            ready = until(lambda: (said := raw.get("/ready")).status_code == 503 and said)
            assert ready.headers["Retry-After"] == "1"
            assert "its disk is full" in ready.json()["error"]["reason"]
            assert raw.get("/health").status_code == 200
            assert raw.get(f"/api/tables/{TABLE}").status_code == 200  # watching still works
            filler.unlink()
            assert raw.post(f"/api/tables/{TABLE}/commands", **tip).status_code == 200
            until(lambda: raw.get("/ready").status_code == 200)
            assert kept == sorted(set(kept))
        guest.ready(TABLE)
        until(lambda: (view := guest.seen(TABLE).view).round and 1 in view.round.asked)
        guest.do(TABLE, "decide", seat=1, choice="play")
        until(lambda: guest.seen(TABLE).view.rounds == 2)
        assert "Traceback" not in server.log.read_text()


def test_a_nearly_full_disk_is_reported_before_anything_is_refused(small_disk: Path, tmp_path: Path) -> None:
    with serving(str(small_disk / "floor.db"), tmp_path) as server:
        guest = server.guest(new_name())
        fill(small_disk / "filler", leave=2 << 20)
        until(lambda: httpx.get(f"{server.address}/ready", timeout=20).status_code == 503)
        sit(guest, TABLE, 1)
        (small_disk / "filler").unlink()
        until(lambda: httpx.get(f"{server.address}/ready", timeout=20).status_code == 200)
