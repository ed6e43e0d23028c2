"""Proofs about chapters and odds alone, marked `proof`. A proof that passed runs again only when something it depends on changes.

Where the environment sets CI, and with --all-proofs, every proof runs. The summary says how many did not.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("law", "book", "filing", "odds")  # what a proof may import, plus the modules next to them
TESTS = ("examples", "tests/odds", "tests/golden", "tests/properties", "tests/sharing.py")  # what it may import from the tests
PASSED = "croupier/proofs"  # in pytest's cache: the state in which each proof passed


@cache
def state() -> str:
    """Hash of everything a proof depends on."""
    source = ROOT / "src" / "croupier"
    places = [*source.glob("*.py"), *(source / each for each in PACKAGES), *(ROOT / each for each in TESTS)]
    files = {file for place in places for file in ([place] if place.is_file() else place.rglob("*"))}
    digest = hashlib.sha256(f"{sys.version} {version('numpy')} {version('numba')}".encode())
    for file in sorted(file for file in files if file.suffix in (".py", ".json")):
        digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-proofs", action="store_true", help="run the proofs whose code is unchanged as well")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Proofs(config))


class Proofs:
    """Which proofs have passed, in this run and before."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.cache = getattr(config, "cache", None)  # without pytest's cache every proof runs
        self.now: set[str] = set()

    @property
    def before(self) -> dict[str, str]:
        found: dict[str, str] = self.cache.get(PASSED, {}) if self.cache else {}
        return found

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if os.environ.get("CI") or self.config.getoption("--all-proofs"):
            return
        passed = self.before
        for item in items:
            if item.get_closest_marker("proof") and passed.get(item.nodeid) == state():
                item.add_marker(pytest.mark.skip(reason="passed before with the same code"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if "proof" in report.keywords and report.when == "call" and report.passed:
            self.now.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        if self.now and self.cache and not hasattr(self.config, "workerinput"):  # workers report to the controller
            self.cache.set(PASSED, self.before | dict.fromkeys(self.now, state()))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        left_out = [each for each in terminalreporter.stats.get("skipped", []) if "proof" in each.keywords]
        if left_out:
            terminalreporter.write_line(
                f"{len(left_out)} proofs not run: they passed before with the same code ({state()[:12]}). --all-proofs runs them.",
                yellow=True,
            )
