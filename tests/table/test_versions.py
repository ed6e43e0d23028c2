"""A log of an older version opens. One of a newer version is refused with a clear message."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.ledger.canonical import canonical
from croupier.table import events
from croupier.table.engine import COMMANDS
from croupier.table.events import NotAnEvent, read_event, write_event
from croupier.table.fold import apply
from croupier.table.state import State
from tests.table.pit import STAYS, find, opened


def older(body: bytes) -> bytes:
    """The event as an imaginary earlier version would have written it: “who” for “by”, and wagers in whole dollars."""
    data: dict[str, Any] = msgspec.json.decode(body)
    data["who"] = data.pop("by")
    if data["command"]["do"] == "place wager":
        data["command"]["dollars"] = data["command"].pop("amount") // 100
    return canonical(data)


def lifted(data: dict[str, Any]) -> dict[str, Any]:
    data = dict(data, by=data["who"])
    del data["who"]
    command = dict(data["command"])
    if command["do"] == "place wager":
        command["amount"] = command.pop("dollars") * 100
    return data | {"command": command}


def test_a_log_of_an_older_version_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, pair_plus=5).lock()
    pit.finish(STAYS)
    log = [(older(write_event(event)), sealed) for event, sealed in zip(pit.events, pit.secrets, strict=True)]
    with pytest.raises(NotAnEvent):
        read_event(log[0][0])
    newer = events.VERSION + 1
    monkeypatch.setattr(events, "VERSION", newer)
    monkeypatch.setattr(events, "UPCASTERS", {newer - 1: lifted})
    table = State()
    for body, sealed in log:
        event = read_event(body)
        assert event.v == newer
        apply(table, event, sealed)
    assert msgspec.json.encode(table) == pit.bytes()


def test_an_event_of_version_1_names_no_person() -> None:
    """Version 1 recorded only the role. The rest of the event stays as it was written."""
    event = opened(find("649a"), "automated shoe", 1).tip(by="player:1", seat=1, amount=100)
    data = msgspec.json.decode(write_event(event))
    assert data.pop("person") == "Player 1"
    assert read_event(canonical(data | {"v": 1})) == msgspec.structs.replace(event, person="")


def test_upcasters_go_one_step_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    body = canonical({"v": 1, "path": []})
    monkeypatch.setattr(events, "VERSION", 4)
    monkeypatch.setattr(events, "UPCASTERS", {n: (lambda data, n=n: data | {"path": [*data["path"], n]}) for n in (1, 2, 3)})
    assert events.upgrade(msgspec.json.decode(body)) == {"v": 4, "path": [1, 2, 3]}


def test_an_event_of_a_newer_version_is_refused_with_a_sentence() -> None:
    body = write_event(opened(find("649a")).events[0]).replace(b'"v":3}', b'"v":4}')
    with pytest.raises(NotAnEvent, match="an event of version 4; this Croupier reads up to 3"):
        read_event(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b'"v"',
        b"null",
        b'{"v":"x"}',
        b'{"v":0}',
        b'{"v":-1}',
        b'{"v":1}',
        b"\xff",
        b'{"at":1,"by":"dealer","v":1}',
    ],
)
def test_data_that_is_not_an_event_is_refused(body: bytes) -> None:
    with pytest.raises(NotAnEvent):
        read_event(body)


def test_an_event_with_a_strange_command_or_amount_is_refused() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    body = write_event(pit.tip(by="player:1", seat=1, amount=100))
    assert read_event(body).event == "tip given"
    for old, new in ((b'"do":"tip"', b'"do":"steal"'), (b'"amount":100', b'"amount":-100'), (b'"amount":100', b'"amount":1.5')):
        assert old in body
        with pytest.raises(NotAnEvent):
            read_event(body.replace(old, new))


def test_every_command_has_its_three_forms_and_its_event_its_name() -> None:
    pit = opened(find("649a"))
    names = {kind.done for kind in COMMANDS.values()}
    assert len(names) == len(COMMANDS)
    for name in COMMANDS:
        assert callable(getattr(pit, name))
        assert callable(getattr(pit, f"can_{name}"))
        assert callable(getattr(pit, f"verify_{name}"))
    with pytest.raises(AttributeError):
        pit.rob_the_bank  # noqa: B018
