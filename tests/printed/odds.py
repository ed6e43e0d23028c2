"""Odds of the example filings, kept so that paper can be tested without recounting.

`python -m tests.printed.odds` writes them. The nightly tests recount and compare them.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from croupier.odds import report
from tests.printed.filings import GAMES, offer

FILE = Path(__file__).parent / "odds.json.gz"
KINDS = {
    "": lambda o: report.report(o.rules, o),
    "strategy": report.best_play,
    "simulation": report.simulated,
    "spreads": report.spreads,
}


def counted(game: str) -> dict[str, Any]:
    return {kind: work(offer(game)) for kind, work in KINDS.items()}


@cache
def kept() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(gzip.decompress(FILE.read_bytes()))
    return found


@pytest.fixture
def known_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kept odds for the example filings. Any other filing is counted, without the notice about compiling kernels."""
    by_hash = {offer(game).hash: kept()[game] for game in GAMES}
    count = report._cached

    def look_up(kind: str, rules: Any, asked: Any, work: Any, *, fresh: bool = False) -> Any:
        found = by_hash.get(asked.hash if asked else "")
        return found[kind] if found else count(kind, rules, asked, work, fresh=fresh)

    monkeypatch.setattr(report, "_cached", look_up)
    monkeypatch.setattr(report, "is_compiled", lambda: True)


def main() -> None:
    text = json.dumps({game: counted(game) for game in GAMES}, ensure_ascii=False, sort_keys=True)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
