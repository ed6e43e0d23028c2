"""A program error is answered without its traceback, and recorded in the audit log at most once a minute."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from litestar import get
from litestar.datastructures import State
from litestar.testing import create_test_client

from croupier.floor import premises as rooms
from croupier.floor.premises import Premises
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.significant_events import SignificantEvent, significant_events
from croupier.web.errors import HANDLERS
from tests.floor.test_pit import until


def test_it_is_answered_in_a_sentence_and_noted() -> None:
    @get("/api/broken", sync_to_thread=False)
    def broken() -> None:
        raise ZeroDivisionError("a secret of the house")

    noted: list[str] = []
    state = State({"settings": SimpleNamespace(https=False), "premises": SimpleNamespace(note_error=noted.append)})
    with create_test_client(broken, exception_handlers=HANDLERS, state=state, raise_server_exceptions=False) as client:
        answer = client.get("/api/broken")
    assert (answer.status_code, answer.json()["error"]["kind"]) == (500, "fault")
    assert "secret" not in answer.text
    assert noted == ["ZeroDivisionError at /api/broken"]


def test_the_audit_has_one_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def errors(premises: Premises) -> list[str]:
        return [each.what.removeprefix("met an error of the program: ") for each in found(premises) if "met an error" in each.what]

    def found(premises: Premises) -> list[SignificantEvent]:
        return list(significant_events(Records(premises.recorder)))

    async def main() -> None:
        premises = Premises(str(tmp_path / "floor.db"))
        await premises.start()
        for number in range(5):
            premises.note_error(f"E{number}")
        await until(lambda: errors(premises) == ["E0"])
        premises.note_error("E5")
        monkeypatch.setattr(rooms, "SECONDS_BETWEEN_ERRORS", 0.0)
        assert premises._error_noted is not None
        premises._error_noted.cancel()
        await asyncio.wait([premises._error_noted])
        premises.note_error("E6")
        await until(lambda: errors(premises) == ["E0", "E6"])
        await premises.stop()

    assert rooms.SECONDS_BETWEEN_ERRORS == 60
    asyncio.run(main())
