"""A Rules Submission as text: TOML in, findings and an Offer out. Described rounds use the same parser."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from typing import Any

from croupier.filing.check import check
from croupier.filing.finding import SUBMISSION, Checked, Finding, Severity

MARK = "\ufeff"  # byte order mark, which some editors write at the start of a file
MOST_BYTES = 64 * 1024
MOST_DOTS = 50  # in a line that is not a comment: tomllib takes minutes to parse a key with thousands of parts
MOST_BITS = 64  # of an integer, as in the TOML specification


class NotToml(ValueError):
    """The text is not TOML, or not TOML that anyone would write by hand."""


def read_toml(text: str) -> dict[str, Any]:
    """Parse untrusted TOML in bounded time. Numbers become decimals, never floats.

    >>> read_toml("minimum = 2.50")
    {'minimum': Decimal('2.50')}
    >>> read_toml("wagers = " + "[" * 5000)
    Traceback (most recent call last):
    croupier.filing.submission.NotToml: is not TOML: it is nested too deeply
    """
    text = text.removeprefix(MARK)
    if len(text.encode(errors="replace")) > MOST_BYTES:
        raise NotToml(f"is larger than {MOST_BYTES // 1024} KiB")
    if any(line.count(".") > MOST_DOTS for line in text.split("\n") if not line.lstrip().startswith("#")):
        raise NotToml(f"has a line with more than {MOST_DOTS} dots")
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as problem:
        raise NotToml(f"is not TOML: {problem}") from None
    except RecursionError:
        raise NotToml("is not TOML: it is nested too deeply") from None
    except (ValueError, ArithmeticError):  # Python's own limits on numbers, which tomllib does not catch
        raise NotToml("has a number with too many digits") from None
    if _has_long_number(data):
        raise NotToml("has a number with too many digits")
    return data


def _has_long_number(data: dict[str, Any]) -> bool:
    """Without recursion: dotted keys in arrays nest deeper than Python calls."""
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
    """Check a submission's text. If it cannot be parsed, that is a finding too. `opened`: a table has already opened with it."""
    try:
        return check(read_toml(text), opened=opened)
    except NotToml as problem:
        return Checked((Finding(Severity.ERROR, SUBMISSION, "submission", str(problem)),), None)
