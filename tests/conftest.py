"""Tests read the output of the command line on a wide terminal. Programs they start run the code under test."""

import os
import sys
from functools import cache
from pathlib import Path

import hypothesis
import pytest
import typer.testing

from tests.sharing import run_folder
from tests.web.forking import quick_passwords

SOURCE = str(Path(__file__).parents[1] / "src")
os.environ["COLUMNS"] = "160"
# An installed copy of another checkout has different code, and so finds none of the prices a test has cached for it.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [SOURCE, os.environ.get("PYTHONPATH")]))
# Otherwise each of the hundred servers that tests start would compile the package again, and each worker the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# A busy machine takes long for one example now and then. No test asserts a time.
hypothesis.settings.register_profile("croupier", deadline=None)
hypothesis.settings.load_profile("croupier")
quick_passwords()
# The runner builds the command line again for every command, which takes longer than most commands.
typer.testing._get_command = cache(typer.testing._get_command)
run_folder()  # before xdist starts its workers, which share it


@pytest.fixture(autouse=True)
def _no_chapter_outside_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget chapter files that a test has named, so that the next test does not see them."""
    monkeypatch.setenv("CROUPIER_BOOK", "")


collect_ignore = ["bench.py"]  # needs packages that only the benchmark installs
