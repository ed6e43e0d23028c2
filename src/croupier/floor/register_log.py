"""The log of a register as verification reads it: every event read, opened and folded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.floor.audit import Audit
from croupier.floor.filings import Filings
from croupier.floor.people import People
from croupier.floor.registry import Registry
from croupier.floor.standing import Floor
from croupier.floor.wrong import Wrong
from croupier.ledger import Entry, MemoryRecorder

REGISTERS: Mapping[str, type[People | Filings | Floor | Audit]] = {each.stream: each for each in (People, Filings, Floor, Audit)}


class RegisterLog:
    """Follows one register. A transcript may withhold what is sealed."""

    def __init__(self, stream: str, *, withheld: bool = False) -> None:
        self._kept = REGISTERS[stream](MemoryRecorder())  # a register of its own, to which nothing is written
        self._withheld = withheld

    def follow(self, entry: Entry) -> None:
        try:
            if isinstance(self._kept, Registry):
                registry: Registry[Any] = self._kept
                registry.take(entry, withheld=self._withheld)
            else:
                self._kept.form.open(entry)
        except (ValueError, LookupError) as problem:
            raise Wrong(f"it does not belong there: {problem}") from None
