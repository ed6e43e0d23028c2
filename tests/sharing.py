"""Slow work is done once per run, by the first test worker that needs it. The others read the result."""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

RUN = "CROUPIER_TEST_RUN"  # folder of this run, inherited by the test workers


def run_folder() -> Path:
    if RUN not in os.environ:
        os.environ[RUN] = tempfile.mkdtemp(prefix="croupier-run-")
        atexit.register(_remove, os.environ[RUN], os.getpid())
    return Path(os.environ[RUN])


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # a forked child leaves it alone
        shutil.rmtree(folder, ignore_errors=True)


def once(name: str, asked: Any, work: Callable[[], Any]) -> Any:
    """The result of the work, cached by its inputs. They must include everything the work depends on besides the code."""
    place = run_folder() / f"{name}-{hashlib.sha256(pickle.dumps(asked)).hexdigest()}"
    with alone(place.name):
        if not place.exists():
            found = work()
            place.write_bytes(pickle.dumps(found))
            return found
        return pickle.loads(place.read_bytes())


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Exclude all other test workers of this run."""
    with (run_folder() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
