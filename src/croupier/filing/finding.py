"""Findings of the checker."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from croupier.filing.offer import Offer
from croupier.law.cite import Refusal, one_line
from croupier.money import Cents, NotAnAmount, dollars

SUBMISSION = "601a.2"  # the section on Rules Submissions, cited if the chapter has no clause


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """A finding of the checker: where, what, under which clause, and what is allowed."""

    severity: Severity
    cite: str
    about: str
    found: str
    accepted: str = ""

    def __post_init__(self) -> None:
        for name in ("about", "found", "accepted"):
            object.__setattr__(self, name, one_line(getattr(self, name)))

    def __str__(self) -> str:
        return f"{self.about}: {self.found} ({self.cite})." + (f" Allowed: {self.accepted}." if self.accepted else "")


@dataclass(frozen=True)
class Checked:
    findings: tuple[Finding, ...]
    offer: Offer | None

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)

    def offer_or_refuse(self) -> Offer:
        """The Offer, or the first error as a refusal."""
        if self.offer is None:
            first = self.errors[0]
            raise Refusal(f"{first.about}: {first.found}", first.cite, first.accepted)
        return self.offer


def cents_of(amount: object) -> Cents:
    """A number of dollars in cents; negative if it is not an amount."""
    try:
        return dollars(amount) if isinstance(amount, int | Decimal) else -1
    except NotAnAmount:
        return -1
