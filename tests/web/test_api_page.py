"""docs/api.md is true: its examples match what is sent, its program prints what the page says, and no field or kind is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from croupier import wire
from croupier.table.commands import AnyCommand
from croupier.table.state import Phase
from croupier.web.errors import KINDS
from croupier.web.schema import WHEN
from tests.web.playing import new_name
from tests.web.serving import Served

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
EXAMPLES = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
SENT = (AnyCommand, wire.Reply, wire.Seen, wire.LiveEvent, wire.Failure)  # types of the examples, in order
TOLD = (
    wire.View, wire.RoundView, wire.BoxView, wire.SeatView, wire.DeckView, wire.StageView, wire.Limits, wire.Seen, wire.TableChoice, wire.Ask,
    wire.Standing, wire.LiveEvent, wire.MovedCard, wire.WagerLine, wire.LiveView, wire.Problem,
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(SENT)))
def test_an_example_is_exactly_what_its_type_sends(number: int) -> None:
    """No field is missing, and none is unknown to the type."""
    assert len(EXAMPLES) == len(SENT)
    read = msgspec.json.decode(EXAMPLES[number], type=SENT[number])
    assert json.loads(msgspec.json.encode(read)) == json.loads(EXAMPLES[number])


def test_the_example_of_a_view_is_of_a_demo_table(served: Served) -> None:
    """The parts that do not change during play match what the server sends for that table."""
    page = msgspec.json.decode(EXAMPLES[2], type=wire.Seen)
    seen = served.client().seen(page.view.table)
    fixed = ("table", "game", "edition", "offer", "limits", "decision_seconds", "method", "out_of_order")
    assert {name: getattr(page.view, name) for name in fixed} == {name: getattr(seen.view, name) for name in fixed}
    assert [deck.name for deck in page.view.decks] == [deck.name for deck in seen.view.decks]
    assert page.meters.keys() == seen.meters.keys()
    assert page.standing == seen.standing


@pytest.mark.parametrize("kind", TOLD)
def test_every_field_is_on_the_page(kind: type[msgspec.Struct]) -> None:
    known = set(re.findall(r"`(\w+)`", PAGE)) | set(re.findall(r'"(\w+)":', PAGE))
    assert set(kind.__struct_encode_fields__) <= known


def test_every_phase_and_every_refusal_is_on_the_page() -> None:
    assert all(f"`{phase}`" in PAGE for phase in Phase)
    rows = {int(status): kind for status, kind in re.findall(r"^\| (\d{3}) \| ([\w ]+) \|", PAGE, re.MULTILINE)}
    assert rows == KINDS | {500: "fault"}
    assert WHEN.keys() == rows.keys() - {405}


def test_the_program_prints_what_it_says(served: Served, tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert code
    program = tmp_path / "program.py"
    program.write_text(code[1])
    done = subprocess.run(
        [sys.executable, str(program), served.address, new_name("Ada")], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    refused = json.loads(EXAMPLES[-1])["error"]
    assert f"{refused['reason']} {refused['cite']}" in done.stdout  # the refusal in the example was really sent
    assert done.stdout.splitlines() == re.findall(r"^ +# (.*)$", code[1], re.MULTILINE)


def test_the_client_needs_nothing_else_of_croupier() -> None:
    code = "import sys, croupier.client; print(sorted(each for each in sys.modules if each.split('.')[0] in ('croupier', 'numpy', 'litestar')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "['croupier', 'croupier.client', 'croupier.wire']"
