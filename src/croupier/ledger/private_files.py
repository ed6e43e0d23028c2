"""Files that only their owner can read, such as keys and the ledger, and files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from croupier.ledger.recorders.recorder import Unreadable


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


def replace_private(path: str | Path, content: bytes) -> None:
    """Replace the content of a private file, whole or not at all."""
    _create(Path(path), content, os.replace)


def create_private(path: str | Path) -> None:
    """Create an empty file of mode 0600, unless the file exists."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _create(path: Path, content: bytes, put: Callable[[str, Path], None] = os.link) -> None:
    """Link the whole file: a second process finds the file of the first and never overwrites it."""
    try:
        with suppress(FileExistsError), written_whole(path, put) as file:
            file.write(content)
    except OSError as problem:
        raise Unreadable(f"The key file {path} cannot be created: {problem.strerror}.") from problem


@contextmanager
def written_whole(path: Path, put: Callable[[str, Path], None], mode: int = 0o600) -> Iterator[BinaryIO]:
    """A temporary file that gets its name, by a link or a rename, only when it is complete and on disk."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        put(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)
