"""Helper processes of a server: they run behind everything else, and end with it, even when it is killed.

Run as a script, this gives itself a lower priority, asks the kernel for a signal at the death of its parent, and becomes the
command that it was given. A child does this to itself, since code between fork and exec is not safe in a process with threads.
"""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing import parent_process
from threading import Thread

_PR_SET_PDEATHSIG = 1
NICE = 10


def command(*arguments: str, nice: int = NICE) -> list[str]:
    """The command line of a helper: Python with these arguments."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(nice), sys.executable, *arguments]


def croupier(*arguments: str, nice: int = NICE) -> list[str]:
    """The command line of `croupier` with these arguments, as a helper."""
    return command("-m", "croupier", *arguments, nice=nice)


def end_with_supervisor() -> None:
    """Exit as soon as the process that started this worker is gone. Without it the worker would hold the port."""
    if parent := parent_process():

        def wait() -> None:
            parent.join()
            os._exit(1)

        Thread(target=wait, name="supervisor", daemon=True).start()


def main(parent: str, nice: str, *arguments: str) -> None:
    os.nice(int(nice))
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == int(parent):  # else it died before it was watched
        os.execv(arguments[0], arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
