"""A floor signs what it writes: when it opens, while it writes, and when it closes. With several processes, one signs at a time."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from threading import Thread

import pytest

from croupier.floor.clock import now_in_milliseconds
from croupier.floor.house.checkpoints import Checkpoints, Signing
from croupier.floor.premises import Premises
from croupier.floor.registers.audit import Audit
from croupier.floor.verification.verify import verify
from croupier.ledger import MemoryRecorder, NotRecorded, Recorder, open_recorder
from croupier.ledger.signatures.checkpoint import newest_checkpoint, open_checkpoint, sign_and_save
from croupier.ledger.signatures.signer import KeySigner
from croupier.ledger.verification import read_checkpoints
from tests.floor.logs import KEY, PUBLIC
from tests.recorders.server import new_database


def whys(recorder: Recorder) -> list[str]:
    return [open_checkpoint(each).why for each in recorder.checkpoints()]


def note(recorder: Recorder) -> None:
    Audit(recorder).note("the house", "", "did something")


async def comes(recorder: Recorder, count: int) -> None:
    async with asyncio.timeout(20):
        while len(whys(recorder)) < count:
            await asyncio.sleep(0.005)


def test_a_floor_signs_when_it_opens_while_it_writes_and_when_it_closes() -> None:
    async def scene() -> MemoryRecorder:
        recorder = MemoryRecorder()
        checkpoints = Checkpoints(recorder, Signing(KEY, seconds=0.02), now_in_milliseconds)
        await checkpoints.open()
        note(recorder)
        await comes(recorder, 2)
        await asyncio.sleep(0.2)  # ten intervals in which nothing is written
        assert whys(recorder) == ["start", "minute"]
        note(recorder)
        await comes(recorder, 3)
        await checkpoints.close()
        assert checkpoints.last == open_checkpoint(list(recorder.checkpoints())[-1]).at
        return recorder

    recorder = asyncio.run(scene())
    assert whys(recorder) == ["start", "minute", "minute", "close"]
    assert verify(recorder, [PUBLIC]).sound


def test_premises_leave_nothing_unsigned(tmp_path: Path) -> None:
    path = str(tmp_path / "floor.db")

    async def scene() -> None:
        premises = Premises(path, signing=Signing(KEY))
        await premises.start()
        await premises.open_demo()
        await premises.stop()

    asyncio.run(scene())
    report = verify(path, [PUBLIC])
    assert report.sound, report
    assert report.signed == report.events > 20


class FlakySigner(KeySigner):
    """A signer that fails some of the time."""

    fails = False

    def sign(self, message: bytes) -> bytes:
        if self.fails:
            raise NotRecorded("Not today.")
        return super().sign(message)


def test_a_signer_that_fails_is_tried_again_and_the_tables_go_on(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        recorder, signer = MemoryRecorder(), FlakySigner(KEY._key)
        checkpoints = Checkpoints(recorder, Signing(signer, seconds=0.01), now_in_milliseconds)
        await checkpoints.open()
        signer.fails = True
        note(recorder)
        async with asyncio.timeout(20):
            while "not signed" not in caplog.messages:
                await asyncio.sleep(0.005)
        signer.fails = False
        await comes(recorder, 2)
        await checkpoints.close()

    with caplog.at_level(logging.ERROR):
        asyncio.run(scene())


def test_a_floor_does_not_open_where_it_cannot_sign(tmp_path: Path) -> None:
    async def scene() -> None:
        signer = FlakySigner(KEY._key)
        signer.fails = True
        await Checkpoints(MemoryRecorder(), Signing(signer), now_in_milliseconds).open()

    with pytest.raises(NotRecorded, match="Not today"):
        asyncio.run(scene())


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
def test_processes_that_sign_at_the_same_time_make_one_chain(place: str, tmp_path: Path) -> None:
    url = str(tmp_path / "floor.db") if place == "sqlite" else new_database()
    recorders = [open_recorder(url) for _ in range(3)]

    def work(recorder: Recorder) -> None:
        for _ in range(4):
            sign_and_save(recorder, KEY, now_in_milliseconds())

    threads = [Thread(target=work, args=(recorder,)) for recorder in recorders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    signed = read_checkpoints(recorders[0], [PUBLIC])
    assert (signed.damage, signed.count) == (None, 12)
    for recorder in recorders:
        recorder.close()


def test_of_several_processes_one_signs_and_none_closes_the_floor_for_the_others() -> None:
    url = new_database()

    async def scene() -> list[str]:
        recorders = [open_recorder(url) for _ in range(2)]
        processes = [Checkpoints(each, Signing(KEY, seconds=0.3), now_in_milliseconds) for each in recorders]
        for process in processes:
            await process.open()
        assert whys(recorders[0]) == ["start"]
        note(recorders[0])
        await comes(recorders[1], 2)
        note(recorders[1])
        for process in processes:
            await process.close()
        found = newest_checkpoint(recorders[0])
        assert found
        assert found.heads["audit"][0] == 2
        made = whys(recorders[0])
        for recorder in recorders:
            recorder.close()
        return made

    made = asyncio.run(scene())
    assert made[0] == "start"
    assert "close" not in made
    assert len(made) <= 4
