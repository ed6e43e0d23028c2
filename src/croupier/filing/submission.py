"""A Rules Submission as text: TOML in, findings and the Offer out. Described rounds are read by the same reader."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from typing import Any

from croupier.filing.check import check
from croupier.filing.finding import SUBMISSION, Checked, Finding, Severity

MARK = "\ufeff"  # which some editors put before the first character of a text
MOST_BYTES = 64 * 1024
MOST_DOTS = 50  # in a line that is no comment: the reader of TOML takes minutes over a name of thousands of parts
MOST_BITS = 64  # of a whole number, as TOML itself has it


class Unreadable(ValueError):
    """The text is not TOML, or TOML that nobody writes by hand."""


def read_toml(text: str) -> dict[str, Any]:
    """The data of a text that anybody may have written, in a bounded time. Numbers are read as decimals, never as floats.

    >>> read_toml("minimum = 2.50")
    {'minimum': Decimal('2.50')}
    >>> read_toml("wagers = " + "[" * 5000)
    Traceback (most recent call last):
    croupier.filing.submission.Unreadable: is not TOML: it is nested too deeply
    """
    text = text.removeprefix(MARK)
    if len(text.encode(errors="replace")) > MOST_BYTES:
        raise Unreadable(f"has more than {MOST_BYTES // 1024} KiB")
    if any(line.count(".") > MOST_DOTS for line in text.split("\n") if not line.lstrip().startswith("#")):
        raise Unreadable(f"has a line of more than {MOST_DOTS} dots")
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as problem:
        raise Unreadable(f"is not TOML: {problem}") from None
    except RecursionError:
        raise Unreadable("is not TOML: it is nested too deeply") from None
    except (ValueError, ArithmeticError):  # Python's own bounds on a number, which the reader of TOML lets through
        raise Unreadable("has a number of too many digits") from None
    if _has_long_number(data):
        raise Unreadable("has a number of too many digits")
    return data


def _has_long_number(data: dict[str, Any]) -> bool:
    found: list[Any] = [data]
    while found:
        match found.pop():
            case dict() as table:
                found.extend(table.values())
            case list() as values:
                found.extend(values)
            case int() as number if number.bit_length() > MOST_BITS:
                return True
    return False


def read_submission(text: str, *, opened: bool = False) -> Checked:
    """Check a submission's text; what cannot be read is a finding like any other. `opened`: a table was opened under it."""
    try:
        return check(read_toml(text), opened=opened)
    except Unreadable as problem:
        return Checked((Finding(Severity.ERROR, SUBMISSION, "submission", str(problem)),), None)
