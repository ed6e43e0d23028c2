"""schemathesis against /schema: whatever is sent, no answer is our fault."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.web.playing import new_name
from tests.web.serving import Served

EXAMPLES = os.environ.get("CROUPIER_SCHEMA_EXAMPLES", "10")


def fuzz(served: Served, cookies: dict[str, str], folder: Path) -> None:
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    done = subprocess.run(
        [
            str(Path(sys.executable).with_name("schemathesis")), "run", f"{served.address}/schema",
            "--checks", "not_a_server_error", "--max-examples", EXAMPLES, "--exclude-path-regex", "(live|restore)$",
            "--phases", "examples,coverage,fuzzing", "--header", f"Cookie: {cookie}", "--header", f"x-csrftoken: {cookies['csrftoken']}",
            "--seed", "649", "--no-color", "--generation-database", "none",
        ],
        capture_output=True, text=True, timeout=600, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "Test cases:" in done.stdout or "passed" in done.stdout, done.stdout[-2000:]


def test_no_answer_to_a_guest_is_a_fault(served: Served, tmp_path: Path) -> None:
    guest = served.guest(new_name("Schema"))
    fuzz(served, dict(guest._http.cookies), tmp_path)


def test_no_answer_to_the_administrator_is_a_fault(tmp_path: Path) -> None:
    from tests.web.serving import serving

    with serving(str(tmp_path / "floor.db"), tmp_path) as own:
        fuzz(own, dict(own.administrator()._http.cookies), tmp_path)
