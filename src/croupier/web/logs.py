"""Structured logs: one JSON object per line, with the table and the command if there is one. Never a card, never a secret."""

from __future__ import annotations

import json
import logging
from collections import Counter
from datetime import UTC, datetime

FIELDS = (
    "table", "command", "version", "reason", "path", "game", "status", "milliseconds", "method", "who", "address", "times",
    "public_key",
)  # fmt: skip
door = logging.getLogger("croupier.door")
LOG_EVERY = 10.0  # seconds between two lines of the same kind


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def configure() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    handler.addFilter(_is_not_logged_yet)
    for name in ("croupier", "uvicorn"):
        root = logging.getLogger(name)
        root.handlers[:] = [handler]
        root.propagate = False
    logging.getLogger("croupier").setLevel(logging.INFO)


class CannotStart(Exception):
    """The application cannot start, for a reason that is in the log. uvicorn would add a traceback."""


def _is_not_logged_yet(record: logging.LogRecord) -> bool:
    return CannotStart.__name__ not in str(record.msg)


class ThrottledLog:
    """Logs each kind of trouble now and then, with a count, so that a flood does not fill the log."""

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._logged_at: dict[str, float] = {}

    def note(self, what: str, address: str, now: float) -> None:
        self._count[what] += 1
        if now - self._logged_at.get(what, -LOG_EVERY) >= LOG_EVERY:
            door.warning(what, extra={"address": address, "times": self._count.pop(what)})
            self._logged_at[what] = now
