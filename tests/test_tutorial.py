"""The chapter tutorial: its steps produce the example file, and the output it shows is the real output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples import MISSISSIPPI_STUD

TUTORIAL = Path(__file__).parents[1] / "docs" / "add-a-chapter.md"
BLOCK = re.compile(r"^```(python|console|toml)\n(.*?)^```$", re.M | re.S)


def shown(command: str, folder: Path) -> str:
    """What a command prints in the folder of the tutorial."""
    line = re.sub(r"\bcroupier (?=[a-z])", f"{sys.executable} -m croupier ", command)
    done = subprocess.run(line, shell=True, cwd=folder, env=dict(os.environ), capture_output=True, text=True, check=False)
    return "\n".join(text.rstrip() for text in (done.stdout + done.stderr).rstrip("\n").splitlines()).rstrip()


@pytest.mark.thorough
def test_every_step_of_the_tutorial_shows_the_real_output(tmp_path: Path) -> None:
    steps, built = list(BLOCK.findall(TUTORIAL.read_text())), list[str]()
    for kind, text in steps:
        if kind == "python":
            built.append(text)
            (tmp_path / "mississippi_stud.py").write_text("\n".join(built))
        elif kind == "toml" and text.startswith("game"):
            (tmp_path / "round.toml").write_text(text)
        elif kind == "console":
            for command, told in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
                assert shown(command, tmp_path) == told.rstrip("\n"), command
    assert len(built) == 8
    assert "\n".join(built).split() == MISSISSIPPI_STUD.read_text().split()
