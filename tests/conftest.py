"""Tests read what the command line prints on a wide terminal. Programs that they start run the code under test."""

import os
import sys
from pathlib import Path

import pytest

from tests.proofs import pytest_addoption, pytest_configure  # noqa: F401  (hooks)
from tests.sharing import run_folder

SOURCE = str(Path(__file__).parents[1] / "src")
os.environ["COLUMNS"] = "160"
# An installed copy of another checkout has other code, and so finds none of the prices that a test has kept for it.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [SOURCE, os.environ.get("PYTHONPATH")]))
# Each of the hundred servers that tests start would compile the house again, and each test process the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
run_folder()  # before xdist starts its workers, which share it


@pytest.fixture(autouse=True)
def _no_chapter_outside_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chapter file that one test names is not there in the next."""
    monkeypatch.setenv("CROUPIER_BOOK", "")


collect_ignore = ["bench.py"]  # needs packages that only the benchmark installs
