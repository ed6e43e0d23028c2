"""How each table of the floor is run: under which filing, who deals, for practice or play, and how long wagers stay open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from croupier import wire
from croupier.floor.registers.register import HouseRefusal, Plain, Register, RegisterEvent
from croupier.ledger import Entry
from croupier.wire import MOST_SECONDS

VERSION = 2
LONGEST = 100  # characters of a table's name: a meter's stream holds it beside a wager's


class TableSettings(wire.Standing, frozen=True, forbid_unknown_fields=True):
    """How one table is run, as it is logged."""

    @property
    def practice_floorperson(self) -> bool:
        """Whether a practice floorperson acts here: only where the automatic dealer deals for practice."""
        return self.practice and self.dealer == "automatic"

    def __str__(self) -> str:
        filing = f"submission {self.filing}" if self.filing else "no submission"
        dealer = "the automatic dealer" if self.dealer == "automatic" else "a dealer"
        time = f"{self.betting_seconds:,} s" if self.betting_seconds else "no limit"
        return f"{filing}, {dealer}, {'for practice' if self.practice else 'for play'}, {time} for wagers"


class StandingSet(RegisterEvent, frozen=True, kw_only=True, tag="standing set"):
    standing: TableSettings

    def says(self) -> str:
        return f"set how table {self.standing.table} is run: {self.standing}"


def _as_filed(data: Plain) -> Plain:
    """Version 1 kept the time for decisions and the linked meters here; since then they are keys of the filing."""
    standing = {key: value for key, value in data["standing"].items() if key not in ("decision_seconds", "linked")}
    return data | {"standing": standing}


class Floor(Register[StandingSet]):
    """The stream that records how tables are run."""

    stream = "floor"
    events, newest, upcasters = StandingSet, VERSION, {1: _as_filed}

    def _begin(self) -> None:
        self._settings: dict[str, TableSettings] = {}

    def change_settings(self, table: str, *, by: str, **changes: object) -> TableSettings:
        """Change the given fields. One that is None stays as it is."""

        def decide() -> Sequence[StandingSet]:
            before = self._settings.get(table)
            changed = _changed(before or TableSettings(table), {key: value for key, value in changes.items() if value is not None})
            return [] if changed == before else [StandingSet(v=VERSION, at=self.clock(), by=by, standing=changed)]

        if not (0 < len(table) <= LONGEST and table.isprintable()):
            raise HouseRefusal("the table has no printable name", f"1 to {LONGEST} printable characters")
        with self._lock:
            self._write(decide)
            return self._settings[table]

    def all(self) -> dict[str, TableSettings]:
        """The settings of every table, by name."""
        with self._current():
            return dict(sorted(self._settings.items()))

    def _fold(self, event: StandingSet, entry: Entry) -> None:
        self._settings[event.standing.table] = event.standing


def _changed(before: TableSettings, changes: Mapping[str, object]) -> TableSettings:
    try:
        return msgspec.convert(msgspec.to_builtins(before) | changes, TableSettings)
    except msgspec.ValidationError as problem:
        accepted = f'dealer "automatic" or "person", seconds from 0 to {MOST_SECONDS:,}'
        raise HouseRefusal(f"these table settings are not valid: {problem}", accepted) from None
