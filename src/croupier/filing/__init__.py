"""Rules Submissions: read one, and get its findings and its Offer."""

from croupier.filing.finding import Checked, Finding, Severity
from croupier.filing.offer import Offer
from croupier.filing.submission import read_submission
from croupier.filing.template import example_submission

__all__ = ["Checked", "Finding", "Offer", "Severity", "example_submission", "read_submission"]
