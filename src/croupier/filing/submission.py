"""A Rules Submission as text: TOML in, findings and the Offer out."""

from __future__ import annotations

import tomllib
from decimal import Decimal

from croupier.filing.check import check
from croupier.filing.finding import SUBMISSION, Checked, Finding, Severity


def read_submission(text: str) -> Checked:
    """Check a submission's text; what is no TOML is a finding like any other. Numbers are read as decimals, never as floats."""
    try:
        return check(tomllib.loads(text, parse_float=Decimal))
    except tomllib.TOMLDecodeError as problem:
        return Checked((Finding(Severity.ERROR, SUBMISSION, "submission", f"is not TOML: {problem}"),), None)
