"""Cases as a dealer could write them: cards and stakes in, settlement lines out. Expected values were worked out by hand from the text."""

from __future__ import annotations

import tomllib
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from croupier import book
from croupier.law.cite import Refusal
from croupier.money import dollars
from croupier.table.case import read_case

FOLDER = Path(__file__).parent / "cases"


def load(path: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = tomllib.loads(path.read_text(), parse_float=Decimal)["case"]
    return cases


CASES = [pytest.param(case, id=f"{path.stem}: {case['title']}") for path in sorted(FOLDER.glob("*.toml")) for case in load(path)]


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    raw = {key: value for key, value in case.items() if key not in ("cite", "expect", "refused")}
    if "refused" in case:
        with pytest.raises(Refusal) as refusal:
            read_case(raw)
        assert refusal.value.cite == case["refused"]
        return
    settled = read_case(raw).settle()
    expected = dict(case["expect"])
    assert {name: settled.meters[name].after for name in expected.pop("meters", {})} == {
        name: dollars(amount) for name, amount in case["expect"].get("meters", {}).items()
    }
    assert [seat.seat for seat in settled.seats] == sorted(map(int, expected), reverse=True)
    for seat in settled.seats:
        lines: dict[str, list[Any]] = {}
        for line in seat.lines:
            key = f"{line.wager}: {line.side}" if line.side and line.stake else line.wager
            outcome, pays, returns = lines.get(key, (line.outcome.value, 0, 0))
            lines[key] = [outcome, pays + line.pays, returns + line.returns]
        wanted = dict(expected[str(seat.seat)])
        assert seat.net == dollars(wanted.pop("net"))
        assert lines == {name: [outcome, dollars(pays), dollars(returns)] for name, (outcome, pays, returns) in wanted.items()}


def test_every_chapter_has_twenty_cases_and_no_title_twice() -> None:
    for chapter in book.chapters():
        cases = load(FOLDER / f"{chapter.number}.toml")
        assert len(cases) >= 20
        assert not [title for title, times in Counter(case["title"] for case in cases).items() if times > 1]


def test_every_edition_has_cases() -> None:
    for chapter in book.chapters():
        named = {case.get("edition", chapter.newest.name) for case in load(FOLDER / f"{chapter.number}.toml")}
        assert named >= {edition.name for edition in chapter.editions}
