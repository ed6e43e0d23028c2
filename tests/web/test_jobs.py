"""Jobs that outlast a request: started once, kept, and retried if they failed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from litestar import Litestar, get
from litestar.testing import TestClient

from croupier.floor.processes.child_process import ChildFailed
from croupier.web.errors import HANDLERS
from croupier.web.workers.jobs import Jobs


def counting(log: list[str], result: str, seconds: float = 0.0) -> Callable[[], Coroutine[Any, Any, str]]:
    async def work() -> str:
        log.append(result)
        await asyncio.sleep(seconds)
        if result == "failed":
            raise ChildFailed(result)
        return result

    return work


def test_one_task_serves_all_who_ask_and_its_result_is_kept() -> None:
    async def ask() -> tuple[list[str | None], list[str]]:
        jobs, log = Jobs[str, str](2), list[str]()
        slow = counting(log, "slow", 0.05)
        found = [await jobs.ask("a", slow, 0.001), *await asyncio.gather(jobs.ask("a", slow, 5), jobs.ask("a", slow, 5))]
        for key in "bc":
            await jobs.ask(key, counting(log, key), 5)
        await jobs.ask("c", counting(log, "again"), 5)
        await jobs.ask("a", slow, 5)  # only the newest two are kept
        await jobs.stop()
        return found, log

    found, log = asyncio.run(ask())
    assert found == [None, "slow", "slow"]
    assert log == ["slow", "b", "c", "slow"]


def test_what_failed_is_tried_again() -> None:
    async def ask() -> list[str]:
        jobs, log = Jobs[str, str](2), list[str]()
        for _ in range(2):
            with pytest.raises(ChildFailed):
                await jobs.ask("a", counting(log, "failed"), 5)
        await jobs.stop()
        return log

    assert asyncio.run(ask()) == ["failed", "failed"]


def test_a_child_process_that_fails_is_answered_503_without_its_message() -> None:
    @get("/")
    async def ask() -> None:
        raise ChildFailed("it ended with exit code -9")

    with TestClient(Litestar([ask], exception_handlers=HANDLERS)) as client:
        answer = client.get("/")
    assert answer.status_code == 503
    assert answer.json()["error"]["kind"] == "unavailable"
    assert "exit code" not in answer.text
