"""What the recorder tests write."""

from __future__ import annotations

from croupier.ledger import Entry, Recorder, Unit, canonical, follow


def chain(recorder: Recorder, stream: str, *values: object, sealed: bytes = b"") -> tuple[Entry, ...]:
    """Entries that follow the head of a stream, one for each value."""
    version, previous = recorder.head(stream)
    entries: list[Entry] = []
    for value in values:
        version += 1
        entries.append(follow(stream, version, previous, canonical(value), sealed))
        previous = entries[-1].hash
    return tuple(entries)


def write(recorder: Recorder, stream: str, *values: object, key: str = "", reply: bytes = b"") -> tuple[Entry, ...]:
    """Append one unit that has to be accepted."""
    entries = chain(recorder, stream, *values)
    assert recorder.append([Unit(entries, key, reply)]) == [None]
    return entries
