"""Every test of a recorder runs on each of the three."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from croupier.ledger import Recorder, open_recorder

KINDS = ["memory", "sqlite"]


@pytest.fixture(params=KINDS[1:])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place on disk for a ledger."""
    return f"sqlite:///{tmp_path / 'ledger.db'}"


@pytest.fixture(params=KINDS)
def recorder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Recorder]:
    opened = open_recorder("memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'ledger.db'}")
    yield opened
    opened.close()


Opener = Callable[[str], Recorder]
