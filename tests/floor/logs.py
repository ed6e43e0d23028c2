"""Logs to verify and to tamper with: rounds actually played, copied and changed in memory."""

from __future__ import annotations

import asyncio
from functools import cache
from random import Random
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from croupier.floor.dealer.automatic_dealer import PracticeStaff
from croupier.floor.house.house import House, open_table
from croupier.floor.house.shuffle import Seeded
from croupier.ledger import Entry, MemoryRecorder, follow, genesis
from croupier.ledger.signatures.checkpoint import sign_and_save
from croupier.ledger.signatures.signer import KeySigner
from croupier.money import dollars
from tests.floor.play import Clock, Evening, open_and_play, submission

KEY = KeySigner(Ed25519PrivateKey.from_private_bytes(bytes(32)))
PUBLIC = KEY.public_key


@cache
def played(game: str, rounds: int = 8, seed: int = 7, method: str = "manual shoe") -> MemoryRecorder:
    """A table's evening. Shared between tests: tamper with a `copy`."""
    recorder = MemoryRecorder()
    asyncio.run(open_and_play(recorder, game, rounds, seed, method=method).close())
    return recorder


@cache
def linked(seed: int = 1, rounds: int = 4) -> MemoryRecorder:
    """Three tables that share their meters, with their steps interleaved, and a checkpoint at the end."""
    recorder = MemoryRecorder()
    asyncio.run(_floor(recorder, seed, rounds))
    sign_and_save(recorder, KEY, 1)
    return recorder


async def _floor(recorder: MemoryRecorder, seed: int, rounds: int) -> None:
    house, die = House(recorder, Clock(), snapshot_every=60), Random(seed)
    tables = []
    for number in (1, 2, 3):
        shared = '"Five Card Hand Bonus Wager" = "big", "5 of 6 Progressive Payout Wager" = "small"'
        await open_table(house, f"T{number}", submission("649a", linked=shared), dollars(100_000), person="Flora")
        dealer = PracticeStaff(Seeded(10 * seed + number), by_card=number == 2)
        evening = Evening(house, f"T{number}", Random(10 * seed + number), dealer, mishaps=True)
        await evening.arrive()
        tables.append(evening)
    while playing := [each for each in tables if each.state.rounds < rounds or each.state.round]:
        await die.choice(playing).step()
    await house.close()


def copy(recorder: MemoryRecorder) -> MemoryRecorder:
    made = MemoryRecorder()
    made._streams = {stream: list(entries) for stream, entries in recorder._streams.items()}
    made._replies, made._snapshots = dict(recorder._replies), dict(recorder._snapshots)
    made._checkpoints = list(recorder._checkpoints)
    return made


def entries(recorder: MemoryRecorder, stream: str) -> list[Entry]:
    return recorder._streams[stream]


def rehash(recorder: MemoryRecorder, stream: str) -> None:
    """Recompute all hashes, as a forger with write access to the database would."""
    previous, made = genesis(stream), list[Entry]()
    for version, entry in enumerate(entries(recorder, stream), 1):
        made.append(follow(stream, version, previous, entry.body, entry.sealed))
        previous = made[-1].hash
    recorder._streams[stream] = made


def rewrite(recorder: MemoryRecorder, stream: str, version: int, body: dict[str, Any]) -> None:
    """Replace the body of an entry and recompute the hashes. Discard the snapshots and checkpoints, which would reveal it."""
    found = entries(recorder, stream)
    found[version - 1] = replace(found[version - 1], body=msgspec.json.encode(body, order="sorted"))
    rehash(recorder, stream)
    recorder._snapshots.clear()
    recorder._checkpoints.clear()


def body(recorder: MemoryRecorder, stream: str, version: int) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(entries(recorder, stream)[version - 1].body)
    return decoded


def versions(recorder: MemoryRecorder, stream: str, event: str) -> list[int]:
    """Versions at which an event of this name occurs."""
    name = b'"event":"%b"' % event.encode()
    return [entry.version for entry in entries(recorder, stream) if name in entry.body]
