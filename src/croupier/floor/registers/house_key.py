"""The house key: the file or environment variable that holds it, and the register of which key seals since when."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from croupier.floor.clock import now_in_milliseconds
from croupier.floor.house.vault import KEY_BYTES, Opener, Vault, ephemeral, number_of
from croupier.floor.registers.register import Register, RegisterEvent
from croupier.ledger import Entry, Recorder, Source, Unreadable
from croupier.ledger.private_files import private_file, read_private, replace_private
from croupier.ledger.signatures.signer import file_beside

VERSION = 1
VARIABLE = "env:"  # before the name of an environment variable
IN_MEMORY = "memory:"
ABOUT = "# Croupier's house key. It opens decks that are still to be dealt. Keep a copy apart from the database and its backups.\n"

Lost = Mapping[str, Sequence[int]]  # by stream, the versions that sealed lost orders


class NoHouseKey(Unreadable):
    """The house key is missing or wrong, cannot be read, or can be read by others."""


# where it is kept


def key_place(given: str, database: str) -> str:
    """Where the house key of a database is: the given place, or a file that belongs to the database.

    >>> key_place("", "sqlite:///floor.db"), key_place("env:KEY", "floor.db")
    ('floor.db.house.key', 'env:KEY')
    """
    if given or database == IN_MEMORY:
        return given
    return str(file_beside(database, ".house.key"))


def read_keys(place: str) -> list[bytes]:
    """The keys in a place, the one that seals last; none if there is no file."""
    text = os.environ.get(place.removeprefix(VARIABLE), "") if place.startswith(VARIABLE) else _read(Path(place))
    words = [word for line in text.splitlines() if not line.startswith("#") for word in re.split(r"[\s,]+", line) if word]
    if not all(re.fullmatch(f"[0-9a-fA-F]{{{2 * KEY_BYTES}}}", word) for word in words) or (text.strip() and not words):
        raise NoHouseKey(f"{place} does not hold a house key. A key is {2 * KEY_BYTES} hexadecimal digits.")
    return [bytes.fromhex(word) for word in words]


def _read(path: Path) -> str:
    try:
        return read_private(path).decode() if path.exists() else ""
    except (Unreadable, OSError, UnicodeError) as problem:
        raise NoHouseKey(str(problem)) from problem


def _add_key(place: str, known: Sequence[bytes]) -> bytes:
    """Add a new key to the file, after the ones that it holds."""
    if place.startswith(VARIABLE):
        name = place.removeprefix(VARIABLE)
        raise NoHouseKey(
            f"The environment variable {name} holds no new house key. Put one in it, after the old one if there is one: "
            f"{2 * KEY_BYTES} hexadecimal digits, for example from `openssl rand -hex {KEY_BYTES}`."
        )
    path, key = Path(place), os.urandom(KEY_BYTES)
    text = ABOUT + "".join(f"{each.hex()}\n" for each in (*known, key))
    try:
        if not known:
            private_file(path, text.encode)  # reads another process's key, if that was first
            return read_keys(place)[-1]
        replace_private(path, text.encode())
    except (Unreadable, OSError) as problem:
        raise NoHouseKey(str(problem)) from problem
    return key


# which key seals


class HouseKeySet(RegisterEvent, frozen=True, kw_only=True, tag="house key set"):
    """This key seals from now on. Neither it nor an earlier key opens the orders in `lost`."""

    key: str
    lost: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)

    def says(self) -> str:
        orders = sum(map(len, self.lost.values()))
        return f"set the house key {self.key}" + (f"; {orders} undealt orders are lost with their key" if orders else "")


class HouseKeys(Register[HouseKeySet]):
    """The stream that records which house key seals, by its number. The keys themselves are in no stream."""

    stream = "vault"
    events, newest = HouseKeySet, VERSION

    def _begin(self) -> None:
        self.numbers: list[str] = []  # in the order in which they were set
        self.lost: dict[str, set[int]] = {}

    def now(self) -> str:
        """The number of the key that seals; empty before the first."""
        self.catch_up()
        return self.numbers[-1] if self.numbers else ""

    def set_key(self, before: str, number: str, lost: Lost) -> None:
        """Seal with another key from now on, unless another process has set one first."""

        def decide() -> Sequence[HouseKeySet]:
            if (now := self.now()) != before:
                raise NoHouseKey(f"Another server has just set the house key {now}. Copy its key file, and start again.")
            new = {stream: tuple(sorted({*versions} - self.lost.get(stream, set()))) for stream, versions in lost.items()}
            kept = {stream: versions for stream, versions in new.items() if versions}
            return [HouseKeySet(v=VERSION, at=self.clock(), key=number, lost=kept)]

        self._write(decide)

    def _fold(self, event: HouseKeySet, entry: Entry) -> None:
        self.numbers.append(event.key)
        for stream, versions in event.lost.items():
            self.lost.setdefault(stream, set()).update(versions)


def open_vault(
    given: str,
    database: str,
    recorder: Recorder,
    clock: Callable[[], int] = now_in_milliseconds,
    *,
    new: bool = False,
    before_writing: Callable[[Vault], object] | None = None,
) -> Vault:
    """The vault of a floor, with a first key on its first day.

    `new` sets another key. The keys that are there still open what they sealed; what none of them opens is recorded as lost.
    """
    place = key_place(given, database)
    if not place:
        return ephemeral()
    register, keys = HouseKeys(recorder, clock), read_keys(place)
    now, numbers = register.now(), [number_of(key) for key in keys]
    missing = bool(now) and now not in numbers
    if missing and not new:
        there = f"{place} holds another house key ({', '.join(numbers)})" if keys else f"There is no house key in {place}"
        raise NoHouseKey(
            f"{there}, but the decks of this ledger are sealed with the key {now}. Put that key back. If it is lost, start once"
            " with --new-house-key: the cards that were not dealt are lost with it, rounds that need them are void, and play"
            " continues with new decks."
        )
    if not keys or (new and numbers[-1] == now) or (missing and not place.startswith(VARIABLE)):
        keys.append(_add_key(place, keys))
    vault = Vault(*keys)
    if vault.number != now:
        if before_writing:
            before_writing(vault)
        register.set_key(now, vault.number, unopened_orders(recorder, vault) if missing else {})
    return vault


def reading_vault(given: str, source: str) -> Vault | None:
    """A vault to read a log with: from the given key, or from the one where a server would keep it, if that can be read."""
    try:
        keys = read_keys(key_place(given, source))
    except NoHouseKey:
        if given:
            raise
        return None
    if given and not keys:
        raise NoHouseKey(f"There is no house key in {given}.")
    return Vault(*keys) if keys else None


def unopened_orders(source: Source, vault: Vault | None) -> dict[str, list[int]]:
    """The orders that no key opens, neither the vault's nor one that the log publishes."""
    found: dict[str, list[int]] = {}
    for stream in source.streams():
        opener = Opener(source, stream, vault)
        for entry in source.read(stream) if stream.startswith("table/") else ():
            if b'"orders"' in entry.sealed and None in opener.open(entry).orders:
                found.setdefault(stream, []).append(entry.version)
    return found


def lost_orders(source: Source) -> dict[str, set[int]]:
    """The orders that the log records as lost."""
    register = HouseKeys(source)  # type: ignore[arg-type]  # it is read only
    register.catch_up()
    return register.lost
