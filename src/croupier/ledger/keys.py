"""Files that only their owner can read: keys, and the ledger itself."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from croupier.ledger.recorder import Unreadable


def private_file(path: str | Path, make: Callable[[], bytes]) -> bytes:
    """The content of a file that only its owner can read. If there is no file, it is created with what `make` returns."""
    path = Path(path)
    if not path.exists():
        _create(path, make())
    return read_private(path)


def read_private(path: str | Path) -> bytes:
    """The content of a private file; Unreadable if it is missing or if others can read or write it."""
    try:
        with Path(path).open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if mode & 0o077:
                raise Unreadable(
                    f"The key file {path} is open to others (mode {mode:04o}). "
                    "Replace the key if others may have seen it; otherwise set the mode to 0600."
                )
            return file.read()
    except OSError as problem:
        raise Unreadable(f"The key file {path} cannot be read: {problem.strerror}.") from problem


def create_private(path: str | Path) -> None:
    """Create an empty file of mode 0600, unless the file exists."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _create(path: Path, content: bytes) -> None:
    """Write a temporary file and link it: a second process finds the whole file of the first and never overwrites it."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600
    except OSError as problem:
        raise Unreadable(f"The key file {path} cannot be created: {problem.strerror}.") from problem
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(temporary)
