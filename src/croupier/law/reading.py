"""Readings: questions the text leaves open, the possible answers, which one is the default, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from croupier.law.cite import Rule


@dataclass(frozen=True, eq=False)
class Reading(Rule):
    """A question that the text does not settle. A submission may choose an alternative other than the default.

    `cautions` explain why the checker warns about an alternative.
    """

    name: str
    question: str
    alternatives: Mapping[str, str]
    because: str
    needed_by: str = ""  # the submission key, or the wager, that has no meaning until the question is answered
    concerns: str = ""  # the wager that the cautions are about
    cautions: Mapping[str, str] = field(default_factory=dict)
    sound: str = ""  # the alternative that the example submissions name, if it is not the default

    def complete(self) -> None:
        if not {*self.cautions, *filter(None, [self.sound])} <= set(self.alternatives):
            raise ValueError(f"the reading “{self.name}” refers to an alternative that it does not have")

    def __getitem__(self, alternative: str) -> str:
        """The alternative itself, if the reading has it: what a chapter compares an answer with.

        >>> bonus = Reading("649a", "ante bonus", "Without a win?", {"any outcome": "yes", "only on a win": "no"}, "", cite="12(b)")
        >>> bonus["any outcome"]
        'any outcome'
        >>> bonus["any outcomes"]
        Traceback (most recent call last):
        ValueError: the reading “ante bonus” has no alternative “any outcomes”, only “any outcome” and “only on a win”
        """
        if alternative not in self.alternatives:
            known = " and ".join(f"“{each}”" for each in self.alternatives)
            raise ValueError(f"the reading “{self.name}” has no alternative “{alternative}”, only {known}")
        return alternative

    @cached_property
    def default(self) -> str:
        """The default alternative: the first."""
        return next(iter(self.alternatives))

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(self.alternatives)

    def of(self, position: Any) -> str:
        """The alternative in force. A reading can be passed to a settlement like a fact."""
        return str(position.readings.get(self.name, self.default))


Alternative = tuple[Reading, str]


def in_force(alternative: Alternative | None, readings: Mapping[str, str]) -> bool:
    """Whether this alternative is in force, if the text leaves one open at all."""
    return alternative is not None and readings.get(alternative[0].name, alternative[0].default) == alternative[1]
