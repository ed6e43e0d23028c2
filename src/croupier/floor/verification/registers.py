"""Checks registers: every event is read, opened and folded, and what it refers to in other streams has to exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from croupier.floor.house.house import stream_of
from croupier.floor.registers.audit import Noted
from croupier.floor.registers.filings import Filings
from croupier.floor.registers.house_key import HouseKeySet
from croupier.floor.registers.people import ROLES, People
from croupier.floor.registers.register import Register, RegisterEvent
from croupier.floor.registers.table_settings import StandingSet
from croupier.floor.verification.problems import CheckFailed
from croupier.ledger import Entry, Source
from croupier.ledger.verification import Damage


@dataclass
class References:
    """What registers refer to in other streams, each with the first place that does."""

    reached: dict[str, tuple[int, str]] = field(default_factory=dict)  # by the stream of a table: the highest version
    filings: dict[str, str] = field(default_factory=dict)
    filed: set[str] = field(default_factory=set)  # streams of tables that are run under a filing
    users: dict[str, str] = field(default_factory=dict)

    def take(self, event: RegisterEvent, place: str) -> None:
        match event:
            case StandingSet(standing=settings):
                self._reach(stream_of(settings.table), 1, place)
                if settings.filing:
                    self.filings.setdefault(settings.filing, place)
                    self.filed.add(stream_of(settings.table))
            case Noted():
                if event.table:
                    self._reach(stream_of(event.table), event.version, place)
                if event.role in ROLES:
                    self.users.setdefault(event.by, place)
            case HouseKeySet(lost=lost):
                for stream, versions in lost.items():
                    self._reach(stream, max(versions), place)

    def _reach(self, stream: str, version: int, place: str) -> None:
        if version > self.reached.get(stream, (0, ""))[0]:
            self.reached[stream] = version, place


def follow_register(register: Register[Any], refs: References, entry: Entry, *, withheld: bool) -> None:
    """Fold the next entry of a register. A transcript may withhold what is sealed."""
    try:
        event: RegisterEvent = register.take(entry, withheld=withheld)
    except (ValueError, LookupError) as problem:
        raise CheckFailed(f"it does not belong there: {problem}") from None
    refs.take(event, f"{register.stream}, version {entry.version}")


def missing_references(refs: References, registers: Mapping[str, Register[Any]], source: Source) -> Iterator[Damage]:
    """What a register refers to and no other stream has: events of tables, submissions, users.

    Reads the heads of the source again, because a log in use may have grown since its registers were read.
    """
    filed, people = filed_texts(registers), cast(People, registers[People.stream])
    for stream, (version, place) in sorted(refs.reached.items()):
        if (last := source.head(stream)[0]) < version:
            yield Damage(stream, last + 1, f"it is missing; {place} refers to version {version}")
    lacking = [(Filings.stream, f"{place} names the submission {id}") for id, place in refs.filings.items() if id not in filed]
    lacking += [(People.stream, f"{place} names the user {name}") for name, place in refs.users.items() if not people.user(name)]
    for stream, why in lacking:
        followed = registers[stream].version
        if source.head(stream)[0] == followed:  # otherwise it is damaged further up, or has grown
            yield Damage(stream, followed + 1, f"it is missing; {why}")


def filed_texts(registers: Mapping[str, Register[Any]]) -> dict[str, str]:
    """The text of every submission that was ever filed, by id."""
    return cast(Filings, registers[Filings.stream]).texts()
