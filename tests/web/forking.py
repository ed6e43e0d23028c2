"""Run `croupier` in processes forked from one that has already imported it, so the test servers pay for the imports once.

Each runs the command starting with the first line of `main`, in a separate session, folder and environment. What a fresh interpreter
does before that is tested in tests/test_cli.py, tests/web/test_place.py and tests/web/test_chaos.py.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

IMPORTED = ("croupier.cli.main", "croupier.web.startup", "litestar.plugins.pydantic", "uvloop")
_one = threading.Lock()


def quick_passwords() -> None:
    """Hash passwords with cheap parameters. The real ones take 0.2 s per login. tests/floor/test_people.py tests both."""
    passwords = import_module("croupier.floor.registers.passwords")
    passwords.PasswordHasher = partial(passwords.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)  # type: ignore[attr-defined]


class Forked:
    """A process, with the methods of `subprocess.Popen` that the tests use."""

    def __init__(self, arguments: list[str], folder: Path, environment: dict[str, str], stem: Path, files: int = 0) -> None:
        self._exit = stem.with_suffix(".exit")
        wanted = {"arguments": arguments, "folder": str(folder), "environment": environment, "stem": str(stem), "files": files}
        with _one:
            parent = _parent()
            assert parent.stdin is not None
            assert parent.stdout is not None
            print(json.dumps(wanted), file=parent.stdin, flush=True)
            self.pid = int(parent.stdout.readline())

    def poll(self) -> int | None:
        return int(self._exit.read_text()) if self._exit.exists() else None

    def wait(self, seconds: float) -> int:
        until = time.monotonic() + seconds
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired("croupier", seconds)
            time.sleep(0.01)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@cache
def _parent() -> subprocess.Popen[str]:
    """The process to fork from, one per test worker. It exits with its worker, and its children exit with it."""
    command = [sys.executable, "-m", "tests.web.forking"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])


def _fork_on_request() -> dict[str, Any]:
    """Return the request in the child that carries it out. The parent stays here and records how its children exit."""
    for name in IMPORTED:
        with suppress(ImportError):  # pydantic is installed only if another package of the tests needs it
            import_module(name)
    quick_passwords()
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.set_wakeup_fd(wake)
    children: dict[int, Path] = {}
    while True:
        ready, _, _ = select.select([sys.stdin, awake], [], [])
        if awake in ready:
            os.read(awake, 4096)
            _reap(children)
        if sys.stdin in ready:
            line = sys.stdin.readline()
            if not line:
                for pid in children:
                    os.kill(pid, signal.SIGTERM)
                sys.exit()
            wanted: dict[str, Any] = json.loads(line)
            if (pid := os.fork()) == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                os.close(awake)
                os.close(wake)
                return wanted
            children[pid] = Path(wanted["stem"]).with_suffix(".exit")
            print(pid, flush=True)


def _reap(children: dict[int, Path]) -> None:
    for pid, file in list(children.items()):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            del children[pid]
            whole = file.with_suffix(".part")
            with suppress(FileNotFoundError):  # its folder is gone, so no test is waiting
                whole.write_text(str(os.waitstatus_to_exitcode(status)))
                whole.rename(file)


def _become(wanted: dict[str, Any]) -> None:
    """Set up what a shell would have set up."""
    os.setsid()
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    if wanted["files"]:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted["files"], wanted["files"]))
    written = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    places = {0: (os.devnull, os.O_RDONLY), 1: (f"{wanted['stem']}.out", written), 2: (f"{wanted['stem']}.log", written)}
    for number, (name, flags) in places.items():
        opened = os.open(name, flags, 0o644)
        os.dup2(opened, number)
        os.close(opened)
    sys.argv = ["croupier", *wanted["arguments"]]
    sys.modules["__main__"].__spec__ = find_spec("croupier.__main__")  # its own children read this


if __name__ == "__main__":
    _become(_fork_on_request())
    from croupier.cli import main

    main()
