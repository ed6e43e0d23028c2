"""Every recorder test runs on each of the three."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.ledger import Recorder, open_recorder
from tests.recorders.server import new_database

ON_DISK = ["sqlite", "postgres"]


def place(kind: str, folder: Path) -> str:
    """The address of an empty ledger."""
    return {"memory": lambda: "memory:", "sqlite": lambda: f"sqlite:///{folder / 'ledger.db'}", "postgres": new_database}[kind]()


@pytest.fixture(params=ON_DISK)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return place(request.param, tmp_path)


@pytest.fixture(params=["memory", *ON_DISK])
def recorder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Recorder]:
    opened = open_recorder(place(request.param, tmp_path))
    yield opened
    opened.close()
