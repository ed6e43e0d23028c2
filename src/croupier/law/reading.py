"""Readings: where the text leaves room, the question, the answers, the one chosen and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.law.cite import Rule


@dataclass(frozen=True, kw_only=True)
class Reading(Rule):
    """A question that the text does not settle. A submission may name another alternative than the chosen one.

    `cautions` tells for an alternative why the checker warns when it is in force.
    """

    name: str
    question: str
    alternatives: Mapping[str, str] = field(hash=False)
    chosen: str
    because: str
    needed_by: str = ""  # the key of a submission, or the wager, that means nothing until the question is answered
    concerns: str = ""  # the wager that the cautions speak of
    cautions: Mapping[str, str] = field(default_factory=dict, hash=False)
    sound: str = ""  # the alternative that the project's own example submissions name, where it is not the chosen one

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.chosen not in self.alternatives or not {*self.cautions, *filter(None, [self.sound])} <= set(self.alternatives):
            raise ValueError(f"the reading “{self.name}” chooses what is not among its alternatives")

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(self.alternatives)

    def of(self, position: Any) -> str:
        """The alternative in force: a reading can be asked like a fact."""
        return str(position.readings.get(self.name, self.chosen))


Alternative = tuple[Reading, str]


def in_force(alternative: Alternative, readings: Mapping[str, str]) -> bool:
    """Whether a submission reads the clause this way."""
    reading, name = alternative
    return readings.get(reading.name, reading.chosen) == name
