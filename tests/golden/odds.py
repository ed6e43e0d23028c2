"""The exact fractions of every entry, kept as files. `python -m tests.golden.odds` rewrites them. Explain any change in the changelog."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from croupier.law.chapter import Rules
from croupier.odds.report import report
from tests.examples import GAMES, chapter_of

FOLDER = Path(__file__).parent


def editions() -> list[Rules]:
    """Editions of the book and of the examples outside it, whatever other chapters a test has registered."""
    return [chapter.edition(edition.name) for chapter in map(chapter_of, GAMES) for edition in chapter.editions]


def path(rules: Rules) -> Path:
    return FOLDER / f"odds-{rules.number}-{rules.edition}.json"


def fractions(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The golden part of an entry: what it describes, and its exact figures."""
    keys = (
        "wager",
        "on",
        "paytables",
        "readings",
        "stake",
        "edge",
        "wagered",
        "edge_percent",
        "risk_percent",
        "hit_frequency",
        "combinations",
        "meter",
    )
    return [{key: entry[key] for key in keys if key in entry} for entry in data["entries"]]


def main() -> None:
    for rules in editions():
        data = report(rules)
        lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in fractions(data))
        path(rules).write_text(f'{{"published": {json.dumps(data["published"], ensure_ascii=False)},\n"entries": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
