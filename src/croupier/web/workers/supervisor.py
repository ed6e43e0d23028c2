"""uvicorn's supervisor of several server processes, with patience for workers that cannot start."""

from __future__ import annotations

import logging
import socket
from time import monotonic

from uvicorn import Config
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

log = logging.getLogger("croupier.web")
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 4.0  # seconds before a worker that could not start is restarted
GIVE_UP_AFTER = 120.0  # seconds without a serving worker


class Supervisor(Multiprocess):
    """Restarts a worker that dies: at once if it has served, otherwise after a growing pause.

    uvicorn shuts down the whole server, with exit code 0, when one worker cannot start. A database that is down while a worker
    starts must not stop the workers that serve.
    """

    def __init__(self, config: Config, sockets: list[socket.socket], give_up_after: float = GIVE_UP_AFTER) -> None:
        super().__init__(config, sockets)
        self.gave_up = ""  # why, for the operator
        self._give_up_after = give_up_after
        self._served_at = monotonic()  # when a worker was last seen serving
        self._have_served: set[Process] = set()
        self._pauses: dict[int, tuple[float, float | None]] = {}  # by a worker's place: seconds, and until when

    def keep_subprocess_alive(self) -> None:
        for place, process in enumerate(self.processes):
            if self.should_exit.is_set():
                return
            if not process.process.is_alive():
                self._replace(place, process)
            elif not process.ping(self.config.timeout_worker_healthcheck):
                process.kill()  # it hangs; the next check replaces it
            elif process.is_ready(self.config.timeout_worker_healthcheck):
                self._served_at = monotonic()
                self._have_served.add(process)
                self._pauses.pop(place, None)
        if monotonic() - self._served_at > self._give_up_after:
            self.gave_up = (
                f"No worker could start for {self._give_up_after:.0f} seconds; the lines above say why. The server is stopping."
            )
            self.should_exit.set()

    def _replace(self, place: int, process: Process) -> None:
        pause, until = self._pauses.get(place, (0.0, None))
        if process not in self._have_served and until is None:
            pause = min(2 * pause, LONGEST_PAUSE) if pause else FIRST_PAUSE
            self._pauses[place] = (pause, monotonic() + pause)
            reason = f"exit code {process.exitcode}; restarting in {pause:g} s"
            log.warning("a worker could not start", extra={"reason": reason})
        elif until is None or monotonic() >= until:
            self._have_served.discard(process)
            process.join()
            self._pauses[place] = (pause, None)
            self.processes[place] = Process(self.config, self.sockets)
            self.processes[place].start()
