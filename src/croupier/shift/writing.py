"""The writing process: steps come in by the line, answers go out by the line, until the pipe is closed or somebody kills it."""

from __future__ import annotations

import asyncio
import sys

import msgspec

from croupier.shift.auditing.finding import Finding
from croupier.shift.orders import Answer, Order, Step
from croupier.shift.writers import InProcess

_step = msgspec.json.Decoder(Step).decode
_encode = msgspec.json.Encoder().encode


async def _answer(writer: InProcess, order: Order) -> Answer:
    try:
        return await writer.execute(order)
    except Finding as finding:
        return Answer(order.key, failed=f"house: {finding.said}")


def main(url: str, *, bare: bool) -> None:
    writer = InProcess(url)
    writer.faults.without_snapshots = bare
    with asyncio.Runner() as runner:
        for line in sys.stdin.buffer:
            step = _step(line)
            writer.at(step.at)
            answers = runner.run(_all(writer, step))
            sys.stdout.buffer.write(_encode(answers) + b"\n")
            sys.stdout.buffer.flush()
        runner.run(writer.close())


async def _all(writer: InProcess, step: Step) -> list[Answer]:
    return list(await asyncio.gather(*(_answer(writer, order) for order in step.orders)))


if __name__ == "__main__":
    main(sys.argv[1], bare="bare" in sys.argv[2:])
