"""Findings, and the reader of plain data that reports them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any

from croupier.filing.offer import Offer
from croupier.law.cite import Cite, Refusal, one_line
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


@dataclass
class Reader:
    """Reads plain data by name. Anything invalid becomes a finding, never an exception."""

    raw: Mapping[str, Any]
    findings: list[Finding] = field(default_factory=list, kw_only=True)

    # findings

    def _find(self, severity: Severity, cite: Cite | str, about: str, found: str, accepted: str = "") -> None:
        self.findings.append(Finding(severity, str(cite), about, found, accepted))

    def error(self, cite: Cite | str, about: str, found: str, accepted: str = "") -> None:
        self._find(Severity.ERROR, cite, about, found, accepted)

    def warn(self, cite: Cite | str, about: str, found: str, accepted: str = "") -> None:
        self._find(Severity.WARNING, cite, about, found, accepted)

    def note(self, cite: Cite | str, about: str, found: str, accepted: str = "") -> None:
        self._find(Severity.NOTE, cite, about, found, accepted)

    # reading plain data

    def _word(self, key: str, default: str = "") -> str:
        """A choice by name. Anything else (a number, a list, a date) is returned as text, which matches no name."""
        return str(self.raw.get(key, default))

    def _mapping(self, key: str) -> Mapping[str, Any]:
        value = self.raw.get(key, {})
        if not isinstance(value, Mapping):
            self.error(SUBMISSION, key, f"“{value}” is not a table of names and values", f"[{key}]")
            return {}
        return value

    def _amount(self, about: str, value: object, cite: Cite | str) -> Cents | None:
        if (cents := cents_of(value)) >= 0:
            return cents
        found = "is missing" if value is None else f"“{value}” is not an amount"
        self.error(cite, about, found, "dollars and whole cents, not negative")
        return None

    def _percent(self, about: str, value: object, cite: Cite | str) -> Fraction | None:
        if isinstance(value, str) and (match := re.fullmatch(r"(\d+(?:\.\d+)?)\s*%", value.strip())):
            return Fraction(Decimal(match[1])) / 100
        found = "is missing" if value is None else f"“{value}” is not a rate"
        self.error(cite, about, found, 'a percentage such as "14%"')
        return None
