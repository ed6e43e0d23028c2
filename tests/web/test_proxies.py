"""Which proxies may say where a request comes from: the ones that are named, and no others."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.floor.registers.audit import Audit
from croupier.ledger import open_recorder
from tests.web.serving import serving

pytestmark = pytest.mark.thorough

FORWARDED = {"X-Forwarded-For": "198.51.100.4, 203.0.113.7", "X-Real-IP": "198.51.100.9", "Forwarded": "for=198.51.100.8"}


def login_address(address: str, database: str, headers: dict[str, str]) -> str:
    """The address in the audit log for a failed login."""
    with httpx.Client(base_url=address, headers=headers) as http:
        token = http.get("/api/me").cookies["csrftoken"]
        answer = http.post("/api/login", json={"name": "administrator", "password": "wrong"}, headers={"x-csrftoken": token})
        assert answer.status_code == 403
    recorder = open_recorder(database)
    try:
        return next(line.address for line in Audit(recorder).lines(10).lines if "failed to log in" in line.what)
    finally:
        recorder.close()


@pytest.mark.parametrize(
    ("options", "environment", "expected"),
    [
        ([], {}, "127.0.0.1"),
        ([], {"FORWARDED_ALLOW_IPS": "*"}, "127.0.0.1"),  # uvicorn's own setting has no effect
        (["--proxies", "192.0.2.1"], {}, "127.0.0.1"),
        (["--proxies", "127.0.0.1"], {}, "203.0.113.7"),  # what the proxy appended, not what the client made up
        ([], {"CROUPIER_PROXIES": "127.0.0.0/8, 203.0.113.0/24"}, "198.51.100.4"),  # through two proxies
    ],
)
def test_only_named_proxies_are_believed_about_a_forwarded_address(
    tmp_path: Path, options: list[str], environment: dict[str, str], expected: str
) -> None:
    database = str(tmp_path / "floor.db")
    with serving(database, tmp_path, "--no-demo", *options, env=environment) as server:
        assert login_address(server.address, database, FORWARDED) == expected


@pytest.mark.parametrize("names", ["*", "proxy.example", "127.0.0.1/8", "127.0.0.1;10.0.0.1"])
def test_a_proxy_is_named_by_its_address(names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["serve", "--proxies", names])
    assert done.exit_code == 2
    assert "127.0.0.1 or 10.0.0.0/8" in done.output
    assert not list(tmp_path.iterdir())
