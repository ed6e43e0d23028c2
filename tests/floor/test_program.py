"""The program verifies its files: on demand by fingerprint, and every day while a server runs."""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.floor import premises as rooms
from croupier.floor import program
from croupier.floor.premises import Premises
from tests.floor.test_pit import until

runner = CliRunner()


def test_every_file_of_the_program_is_in_it() -> None:
    """The files that git knows, hashed here."""
    listed = subprocess.run(["git", "ls-files", "."], cwd=program.ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    found = {name: digest for digest, name in program.files()}
    for name in filter(None, listed):
        if (program.ROOT / name).exists():
            assert found[name] == hashlib.sha256((program.ROOT / name).read_bytes()).hexdigest()
    assert not any("__pycache__" in name for name in found)


def copied(root: Path) -> Path:
    for name, text in {"a.py": "1", "b/c.py": "2", "b.css": "3", "__pycache__/a.pyc": "4"}.items():
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_text(text)
    return root


CHANGES: dict[str, Callable[[Path], object]] = {
    "a changed byte": lambda root: (root / "b" / "c.py").write_text("5"),
    "a new file": lambda root: (root / "b" / "d.py").write_text(""),
    "a removed file": lambda root: (root / "b.css").unlink(),
    "another name": lambda root: (root / "a.py").rename(root / "e.py"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_changes_the_fingerprint(tmp_path: Path, name: str) -> None:
    before = program.fingerprint(program.files(copied(tmp_path)))
    (tmp_path / "__pycache__" / "a.pyc").write_text("compiled again")
    assert program.fingerprint(program.files(tmp_path)) == before
    CHANGES[name](tmp_path)
    assert program.fingerprint(program.files(tmp_path)) != before


def test_the_fingerprint_is_that_of_the_list_of_files() -> None:
    listed = runner.invoke(app, ["fingerprint", "--files"]).stdout
    made = hashlib.sha256(listed.encode()).hexdigest()
    assert runner.invoke(app, ["fingerprint"]).stdout.strip() == made
    assert runner.invoke(app, ["fingerprint", "--expect", made.upper()]).exit_code == 0
    other = runner.invoke(app, ["fingerprint", "--expect", "ab" * 32])
    assert (other.exit_code, other.stderr.strip()) == (1, f"The program's fingerprint is {made}, not {'ab' * 32}.")


def test_the_audit_has_the_daily_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = "the first"

    async def main() -> None:
        nonlocal now
        premises = Premises(str(tmp_path / "floor.db"))
        await premises.start()
        await until(lambda: "those of the start, fingerprint the first" in premises.audit.lines().lines[0].what)
        now = "the second"
        await until(lambda: "found the program's files changed, fingerprint the second" in premises.audit.lines().lines[0].what)
        await premises.stop()

    assert rooms.SECONDS_BETWEEN_FINGERPRINTS == 24 * 3600
    monkeypatch.setattr(rooms, "SECONDS_BETWEEN_FINGERPRINTS", 0.05)
    monkeypatch.setattr(rooms, "fingerprint", lambda: now)
    asyncio.run(main())


def test_a_file_that_is_gone_is_a_change_and_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> str:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(rooms, "fingerprint", gone)
    assert rooms._fingerprint() == "unknown: No such file or directory"
