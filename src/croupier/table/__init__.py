"""One table as a pure state machine, and the settlement of described rounds."""

from croupier.law.cite import Refusal
from croupier.table.case import Case, read_case
from croupier.table.engine import Table, decide
from croupier.table.events import Event
from croupier.table.fold import apply
from croupier.table.state import State
from croupier.table.views import view

__all__ = ["Case", "Event", "Refusal", "State", "Table", "apply", "decide", "read_case", "view"]
