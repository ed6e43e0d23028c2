"""The processes of a server, as the kernel lists them (Linux)."""

from __future__ import annotations

import os
from pathlib import Path


def children(pid: int) -> dict[int, str]:
    """Child processes of this one, with their command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid:
                found[int(folder.name)] = folder.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (OSError, ValueError):  # it has just exited
            continue
    return found


def workers(supervisor: int) -> list[int]:
    """Server processes of a supervisor, oldest first."""
    return sorted(pid for pid, line in children(supervisor).items() if "spawn_main" in line)


def is_alive(pid: int) -> bool:
    """Whether the process is running: a zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(pid: int, number: int) -> None:
    """Send a signal to a process this test started, unless it is already gone."""
    if is_alive(pid):
        os.kill(pid, number)
