"""The house's clock: set from the wall clock when a server starts, then driven by a monotonic clock.

It times decisions, wagers and idle tables, and dates the log. A step of the wall clock affects neither. It is never behind the
newest time in the log, so that servers with different wall clocks agree.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import msgspec

from croupier.ledger import Source
from croupier.ledger.signatures.checkpoint import newest_checkpoint

STEP = 1000  # milliseconds: a smaller difference is a gradual adjustment, not a step
_BOOT = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # Linux: also counts while the machine sleeps


def now_in_milliseconds() -> int:
    return time.time_ns() // 1_000_000


def _ticks() -> int:
    return time.clock_gettime_ns(_BOOT) // 1_000_000


class Clock:
    """The time in milliseconds since 1970. It never runs backward and never jumps, except forward to the log's newest time."""

    def __init__(self, wall: Callable[[], int] = now_in_milliseconds, ticks: Callable[[], int] = _ticks) -> None:
        self._wall, self._ticks = wall, ticks
        self._set_to = wall() - ticks()
        self._known = 0  # the last reported difference of the wall clock

    def __call__(self) -> int:
        return self._set_to + self._ticks()

    def reach(self, at: int) -> None:
        """Move forward to a time in the log, if it is later."""
        self._set_to = max(self._set_to, at - self._ticks())

    @property
    def behind(self) -> int:
        """How many milliseconds this clock is behind the wall clock; negative if it is ahead."""
        return self._wall() - self()

    def stepped(self) -> str:
        """A sentence for the audit if the wall clock has stepped since the last one; else empty."""
        behind = self.behind
        if abs(behind - self._known) < STEP:
            return ""
        self._known = behind
        if abs(behind) < STEP:
            return "found the wall clock and the log’s time in agreement again"
        off, where = timedelta(seconds=round(abs(behind) / 1000)), "ahead of" if behind > 0 else "behind"
        rest = "Restart the server to set it by the wall clock." if behind > 0 else "It does not run back."
        return f"found the wall clock {off} {where} the log’s time, which goes on as before. {rest}"


class _Dated(msgspec.Struct):
    at: int = 0


def newest_time(source: Source) -> int:
    """The newest time in a log; 0 for an empty one."""
    signed = newest_checkpoint(source)
    times = [signed.content.at if signed else 0]
    for stream, (version, _) in source.heads().items():
        times += [_time_of(entry.body) for entry in source.read(stream, version - 1, 1)]
    return max(times)


def _time_of(body: bytes) -> int:
    try:
        return msgspec.json.decode(body, type=_Dated).at
    except (msgspec.MsgspecError, RecursionError):  # a damaged entry is reported by whoever reads its stream
        return 0
