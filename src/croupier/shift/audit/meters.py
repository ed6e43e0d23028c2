"""The auditor's meters: what a meter shows follows from everything wagered on it, drawn from it and put back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from croupier.shift.audit.finding import Plain, need


@dataclass
class AuditedMeter:
    stream: str
    terms: Plain = field(default_factory=dict)  # from its first entry on
    moved: Counter[str] = field(default_factory=Counter)  # wagered, drawn, reseeded, released: the sums of all moves
    started: Counter[str] = field(default_factory=Counter)  # by table: what a win of its present round started it again with

    def post(self, entry: Plain) -> None:
        if not self.terms:
            need("terms" in entry, "meters", f"{self.stream} does not begin with its terms")
            self.terms = entry["terms"]
        before, move = self.due()[0], entry.get("move", {})
        self.moved.update(move)
        if "wagered" in move:
            self._need_from_cage(entry.get("table", ""), before, move)
        elif "move" in entry:
            self.started[entry.get("table", "")] += move.get("reseeded", 0)
        shows = entry["meter"]["amount"], entry["meter"]["reserve"]
        need(shows == self.due(), "meters", f"{self.stream} shows {shows}, where {self.due()} is due")
        need(self.due()[0] >= 0, "meters", f"{self.stream} shows less than nothing")

    def _need_from_cage(self, table: str, before: int, move: Plain) -> None:
        """Returned wagers never bring a meter below zero, or from above to below its seed: the cage covers the difference.

        A round voided after a win returns what restarted the meter, unless the winner has left with the payout.
        """
        start = min(self.terms["seed"], self.terms["reseed"])
        least, cage, started = start if before >= start else 0, move.get("reseeded", 0), self.started.pop(table, 0)
        due = set()
        for again in (0, -started):
            shows = before + move.get("contributed", 0) - move.get("drawn", 0) + move.get("released", 0) + again
            due.add(again + (max(0, least - shows) if move["wagered"] < 0 else 0))
        need(cage in due, "meters", f"{self.stream} gets {cage} from the cage with wagers, where {due} is due")

    def due(self) -> tuple[int, int]:
        rate, reserve, moved = Fraction(self.terms["rate"]), Fraction(self.terms["reserve"]), self.moved
        amount = self.terms["seed"] + floor(moved["wagered"] * rate) - moved["drawn"] + moved["reseeded"] + moved["released"]
        return amount, max(0, floor(moved["wagered"] * reserve) - moved["released"])
