"""The program's own files and their fingerprint, to compare with that of the program that was examined.

It covers Croupier's files: not Python, the libraries, chapter files outside the book or the operating system.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import croupier

ROOT = Path(croupier.__file__).parent


def files(root: Path = ROOT) -> list[tuple[str, str]]:
    """The hash and the path of every file, by path, except compiled bytecode."""
    paths = (path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    names = {path.relative_to(root).as_posix(): path for path in paths}
    return [(sha256(names[name].read_bytes()).hexdigest(), name) for name in sorted(names)]


def fingerprint(listed: list[tuple[str, str]] | None = None) -> str:
    """The SHA-256 of the list of files, written as sha256sum writes it."""
    lines = (f"{digest}  {name}\n" for digest, name in (files() if listed is None else listed))
    return sha256("".join(lines).encode()).hexdigest()
