"""Protecting browsers in transit: HTTPS only, a warning without it, and sessions that other users of the machine cannot read."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from croupier.web.app import create_app
from croupier.web.security.sessions import Session, Sessions
from croupier.web.settings import Settings

pytestmark = pytest.mark.thorough

HSTS = "strict-transport-security"


@pytest.mark.parametrize("secure", ["yes", ""])
def test_behind_https_every_answer_keeps_the_browser_there(tmp_path: Path, secure: str) -> None:
    async def ask() -> list[str]:
        app = create_app(Settings(database=str(tmp_path / "floor.db"), odds="no", secure=secure))
        async with app.lifespan(), httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            answers = [
                await client.get(path) for path in ("/", "/static/css/house.css", "/nothing", "/static/nothing", "/api/users")
            ]
            answers.append(await client.get("/", headers={"Host": "elsewhere"}))
            return [answer.headers.get(HSTS, "") for answer in answers]

    assert asyncio.run(ask()) == (["max-age=31536000"] if secure else [""]) * 6


@pytest.mark.parametrize(
    ("options", "warned"),
    [
        (["--host", "203.0.113.9"], True),
        (["--host", "203.0.113.9", "--https"], False),
        (["--host", "127.0.0.1", "--port", "1"], False),
    ],
)
def test_without_https_it_warns_where_others_can_listen_in(tmp_path: Path, options: list[str], warned: bool) -> None:
    """The ledger's folder does not exist, so the server warns and then does not start."""
    command = [sys.executable, "-m", "croupier", "serve", "--no-demo", *options]
    environment = {**os.environ, "CROUPIER_DATABASE": str(tmp_path / "no" / "floor.db")}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert ("Warning: 203.0.113.9" in done.stderr) is warned


def test_sessions_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        (tmp_path / "old.db-sessions").touch(0o644)
        for name in ("new.db", "old.db"):
            sessions = Sessions(str(tmp_path / name))
            asyncio.run(sessions.begin(Session("Ann")))
            files = list(tmp_path.glob(f"{name}-sessions*"))
            assert len(files) == 3, files
            assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
            sessions.close()
    finally:
        os.umask(before)
