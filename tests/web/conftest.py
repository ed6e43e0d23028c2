from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.recorders.server import Cluster, new_database
from tests.web.serving import Served, serving


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One shared floor for tests that need nothing special: seven tables and an automatic dealer that does not pause."""
    folder = tmp_path_factory.mktemp("floor")
    with serving(str(folder / "floor.db"), folder) as server:
        yield server


@pytest.fixture
def postgres_url() -> str:
    """A real PostgreSQL, in a separate schema."""
    return new_database()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that a test can stop, freeze or kill."""
    made = Cluster()
    made.start()
    yield made
    made.remove()
