"""Odds are worked out beside the server; what goes wrong there is told with its reason."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from croupier.web.edges import _odds


def worked_out_by(script: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said of odds where a script takes the place of croupier."""
    program = folder / "program"
    program.write_text(f"#!{sys.executable}\nimport os, sys\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    with pytest.raises(ValueError) as problem:
        asyncio.run(_odds("679a", "2016-04-01", ""))
    return str(problem.value)


def test_a_process_that_ends_without_a_word_is_told_by_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worked_out_by("sys.exit(3)", tmp_path, monkeypatch) == "it ended with 3 and said nothing"


def test_a_stop_from_the_keyboard_does_not_reach_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert int(worked_out_by("sys.exit(str(os.getsid(0)))", tmp_path, monkeypatch)) != os.getsid(0)
