"""The laboratory page answers all 34 points, and every test, module, command and route it names exists."""

from __future__ import annotations

import re
from pathlib import Path

from typer.main import get_group

from croupier.cli.main import app

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "controls.md").read_text()
ROWS = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines() if line.startswith("| **")]


def test_all_34_points_are_answered_once() -> None:
    numbers = [int(re.match(r"\*\*(\d+)\*\* ", row[0])[1]) for row in ROWS]  # type: ignore[index]
    assert sorted(numbers) == list(range(1, 35))
    for point, answer, *_ in ROWS:
        assert re.match(r"\*\*(Met|Partly|Not met|Does not apply)(\.\*\*|\*\* (where|for) )", answer), point


def test_the_summary_lists_each_point_under_its_answer() -> None:
    found: dict[str, list[int]] = {}
    for point, answer, *_ in ROWS:
        status, number = re.match(r"\*\*([\w ]+)", answer), re.match(r"\*\*(\d+)", point)
        assert status
        assert number
        found.setdefault(status[1], []).append(int(number[1]))
    told = re.findall(r"^\| (Met|Partly|Not met|Does not apply) \| ([\d, ]+) \|$", PAGE, re.M)
    assert {status: [int(number) for number in numbers.split(", ")] for status, numbers in told} == {
        status: sorted(numbers) for status, numbers in found.items()
    }


def test_what_is_met_says_where_it_is_seen_and_which_test_proves_it() -> None:
    for point, answer, see, tested in ROWS:
        if answer.startswith(("**Met", "**Partly")):
            assert see, point
            assert "`tests/" in tested, point
        if answer.startswith("**Partly.**"):
            assert re.search(r"[Mm]issing|no |not ", answer), f"{point}: what is missing?"


def test_every_test_that_the_page_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
    assert len(named) > 40
    for file, name in named:
        assert (ROOT / file).exists(), file
        assert not name or re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(), re.M), f"{file}::{name}"


def test_every_module_that_the_page_names_exists() -> None:
    named = re.findall(r"`(?!tests/)([a-z_]+/[\w/]+\.py)`", PAGE)
    assert len(named) > 8
    assert [file for file in named if not (ROOT / "src" / "croupier" / file).exists()] == []


def test_every_command_and_route_that_the_page_names_exists() -> None:
    assert set(re.findall(r"`croupier ([\w-]+)", PAGE)) <= set(get_group(app).commands)
    routes = set(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", (ROOT / "docs" / "routes.md").read_text(), re.M))
    named = set(re.findall(r"`(GET|POST|DELETE) ([^`]+)`", PAGE))
    assert len(named) > 5
    assert named <= routes


def test_every_heading_that_the_page_links_to_exists() -> None:
    for page, anchor in re.findall(r"\]\((\w[\w-]*\.md)#([\w-]+)\)", PAGE):
        headings = re.findall(r"^#+ (.*)$", (ROOT / "docs" / page).read_text(), re.M)
        anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert anchor in anchors, f"{page}#{anchor}"
