"""The tutorial's bot, run exactly as the page prints it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.playing import new_name
from tests.web.serving import Served

PAGE = Path(__file__).parents[2] / "docs" / "tutorial-bot.md"


@pytest.mark.thorough
def test_the_bot_of_the_tutorial_plays(served: Served, tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert code
    bot = tmp_path / "bot.py"
    bot.write_text(code[1])
    done = subprocess.run(
        [sys.executable, str(bot), served.address, "3", new_name("Bot")], capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"^round \d+ .* (play|fold)$", done.stdout, re.MULTILINE)) == 3
    assert "After 3 rounds: $" in done.stdout
