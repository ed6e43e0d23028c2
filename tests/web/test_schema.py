"""schemathesis against /schema: whatever is sent, no answer is a 5xx, and each is one that the schema lists.

A few examples of each route every time; many in the nightly suite, with boundary values for every field.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.playing import new_name
from tests.web.serving import Served, serving

FEW, MANY = 4, 100
FEW_OR_MANY = pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
ENDS_THE_SESSION = (
    "/(session|lock|unlock|password|login|guests|role|disable|reset)$"  # an administrator can end their own session this way too
)
ENDLESS = "/live$"


def fuzz(served: Served, cookies: dict[str, str], folder: Path, examples: int, *options: str) -> None:
    phases = "examples,fuzzing" if examples == FEW else "examples,coverage,fuzzing"
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    done = subprocess.run(
        [
            str(Path(sys.executable).with_name("schemathesis")), "run", f"{served.address}/schema", *options,
            "--checks", CHECKS, "--max-examples", str(examples), "--phases", phases,
            "--header", f"Cookie: {cookie}", "--header", f"x-csrftoken: {cookies['csrftoken']}",
            "--seed", "649", "--no-color", "--generation-database", "none",
        ],
        capture_output=True, text=True, timeout=3600, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "Test cases:" in done.stdout, done.stdout[-2000:]


@pytest.mark.thorough
@FEW_OR_MANY
def test_no_answer_to_a_guest_is_a_fault(served: Served, tmp_path: Path, examples: int) -> None:
    guest = served.guest(new_name("Schema"))
    fuzz(served, dict(guest._http.cookies), tmp_path, examples, "--exclude-path-regex", f"{ENDLESS}|{ENDS_THE_SESSION}")
    assert guest.me().role == "guest"  # still a guest, so every answer above was for a guest


@pytest.mark.thorough
@FEW_OR_MANY
def test_no_answer_to_the_administrator_is_a_fault(tmp_path: Path, examples: int) -> None:
    with serving(str(tmp_path / "floor.db"), tmp_path) as own:
        administrator = own.administrator()
        cookies = dict(administrator._http.cookies)
        fuzz(own, cookies, tmp_path, examples, "--exclude-path-regex", f"{ENDLESS}|{ENDS_THE_SESSION}")
        assert administrator.me().role == "administrator"
        fuzz(own, cookies, tmp_path, examples, "--include-path-regex", ENDS_THE_SESSION)
