"""The night shift's actions as plain data: orders in steps, and scripts of steps that can be run again."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import msgspec

from croupier.table.commands import AnyCommand
from croupier.wire import Reply

VERSION = 1  # of scripts


class Fault(StrEnum):
    FULL = "disk full"  # nothing is written, and the recorder says so
    LOST = "connection lost before the write"
    LOST_AFTER = "connection lost after the write"


class Then(StrEnum):
    """What else happens to the house in a step."""

    NOTHING = ""
    CRASH = "crash before the replies"  # the orders are carried out; nobody hears of it
    RESTART = "restart"
    RESTART_BARE = "restart without snapshots"
    KILL = "kill -9 of the writer"  # while it is at work


class Order(msgspec.Struct, frozen=True):
    """A command on its way to a table."""

    table: str
    by: str
    key: str
    command: AnyCommand
    person: str = ""  # who has the role; a player's name is the seat's


class WriterAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to an order: a reply, a refusal, or that nothing was written."""

    key: str
    reply: Reply | None = None
    refusal: str = ""
    failed: str = ""


class ScriptStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """Orders that arrive together, at one moment of the simulated clock."""

    at: int
    orders: tuple[Order, ...]
    faults: dict[str, Fault] = {}  # by the key of an order
    then: Then = Then.NOTHING


class ScriptHeading(msgspec.Struct, frozen=True):
    """The first line of a script."""

    version: int = VERSION
    seed: int = 0
    store: str = "memory"
    finding: str = ""


class ShiftScript(msgspec.Struct, frozen=True):
    heading: ScriptHeading
    steps: tuple[ScriptStep, ...]


class NotAScript(ValueError):
    """Raised for a file that is not a shift script."""


_encode = msgspec.json.Encoder().encode


def write_script(script: ShiftScript) -> str:
    """A line for the heading and one for each step."""
    return "".join(_encode(part).decode() + "\n" for part in (script.heading, *script.steps))


def read_script(path: Path) -> ShiftScript:
    try:
        first, *rest = [line for line in path.read_text().splitlines() if line.strip()]
        heading = msgspec.json.decode(first, type=ScriptHeading)
        if heading.version != VERSION or not rest:
            raise ValueError(f"it has version {heading.version} and {len(rest)} steps")
        return ShiftScript(heading, tuple(msgspec.json.decode(line, type=ScriptStep) for line in rest))
    except (OSError, ValueError) as problem:
        raise NotAScript(f"{path} is not a shift script: {problem}") from problem
