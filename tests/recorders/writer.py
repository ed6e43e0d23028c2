"""A process that writes, for tests that kill it, starve it or make it compete with another."""

from __future__ import annotations

import resource
import sys
from itertools import count

from croupier.ledger import Conflict, NotRecorded, Recorder, Unit, canonical, follow, open_recorder

STREAMS = [f"table/T{number}" for number in range(8)]


def unit(recorder: Recorder, stream: str, value: object, key: str, reply: bytes) -> Unit:
    version, previous = recorder.head(stream)
    return Unit((follow(stream, version + 1, previous, canonical(value)),), key, reply)


def pour(recorder: Recorder) -> None:
    """Write batches forever, and print each unit when it is acknowledged."""
    for number in count():
        units = [unit(recorder, stream, "x" * 300, f"{stream}-{number}", b"%d" % (number + 1)) for stream in STREAMS]
        assert not any(recorder.append(units))
        print("".join(f"{stream} {number + 1} {stream}-{number}\n" for stream in STREAMS), end="", flush=True)


def fill(recorder: Recorder) -> None:
    """Write until the file may not grow anymore."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    for number in count():
        try:
            recorder.append([unit(recorder, STREAMS[1], "x" * 2000, f"k{number}", b"")])
        except NotRecorded:
            break
    assert recorder.reply(f"k{number}") is None
    assert recorder.head(STREAMS[1])[0] == number
    print(number)


def compete(recorder: Recorder, name: str, times: int) -> None:
    """Append values in order to a stream that another process also writes to. Print how often that process was faster.

    Starts on request, so that both write at the same time.
    """
    print("ready", flush=True)
    sys.stdin.readline()
    conflicts = 0
    for number in range(times):
        while isinstance(recorder.append([unit(recorder, STREAMS[1], f"{name}{number}", f"{name}{number}", b"done")])[0], Conflict):
            conflicts += 1
    print(conflicts)


if __name__ == "__main__":
    what, url, *rest = sys.argv[1:]
    opened = open_recorder(url)
    if what == "compete":
        compete(opened, rest[0], int(rest[1]))
    else:
        {"pour": pour, "fill": fill}[what](opened)
    opened.close()
