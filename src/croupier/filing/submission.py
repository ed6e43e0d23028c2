"""A Rules Submission as text: TOML in, findings and the Offer out."""

from __future__ import annotations

import tomllib
from decimal import Decimal

from croupier.filing.check import check
from croupier.filing.finding import SUBMISSION, Checked, Finding, Severity

MARK = "\ufeff"  # which some editors put before the first character of a text
MOST_DOTS = 50  # in a line that is no comment: the reader of TOML takes minutes over a name of thousands of parts


def read_submission(text: str) -> Checked:
    """Check a submission's text; what is no TOML is a finding like any other. Numbers are read as decimals, never as floats.

    >>> read_submission("wagers = " + "[" * 5000).errors[0].found
    'is not TOML: it is nested too deeply'
    """
    text = text.removeprefix(MARK)
    if any(line.count(".") > MOST_DOTS for line in text.split("\n") if not line.lstrip().startswith("#")):
        return _unreadable(f"has a line of more than {MOST_DOTS} dots")
    try:
        return check(tomllib.loads(text, parse_float=Decimal))
    except tomllib.TOMLDecodeError as problem:
        return _unreadable(f"is not TOML: {problem}")
    except RecursionError:
        return _unreadable("is not TOML: it is nested too deeply")
    except ValueError:  # Python's own bound on the digits of a number, which the reader of TOML lets through
        return _unreadable("has a number of too many digits")


def _unreadable(found: str) -> Checked:
    return Checked((Finding(Severity.ERROR, SUBMISSION, "submission", found),), None)
