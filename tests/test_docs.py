"""The documents are true: generated pages are fresh, every command and key has its place, links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from croupier import book
from croupier.cli.main import app
from croupier.filing.check import KEYS
from croupier.table.case import TOP, read_case

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def test_every_key_of_a_submission_is_documented() -> None:
    page = (DOCS / "filing.md").read_text()
    terms = ("amount", "rate", "reserve", "seed", "reseed", "method", "shuffler", "counts_cards", "decks", "seconds", "lucky")
    for key in (*KEYS, *terms):
        assert re.search(rf"`\[?{key}\b", page), key


def test_generated_pages_are_fresh() -> None:
    done = subprocess.run([sys.executable, str(DOCS / "generate.py"), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_command_has_a_heading() -> None:
    headings = set(re.findall(r"^## croupier (\S+)$", (DOCS / "command-line.md").read_text(), re.M))
    commands = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    assert headings == commands


def test_every_key_of_a_submission_and_of_a_case_is_documented() -> None:
    filing, settle = (DOCS / "filing.md").read_text(), (DOCS / "settle.md").read_text()
    assert all(key in filing for key in KEYS)
    assert all(key in settle for key in TOP)


def test_the_case_in_the_documentation_settles() -> None:
    text = re.search(r"```toml\n(.*?)```", (DOCS / "settle.md").read_text(), re.S)
    assert text
    settled = read_case(tomllib.loads(text[1], parse_float=Decimal)).settle()
    assert settled.seats[0].lines


def test_the_table_in_the_documentation_answers_as_it_says() -> None:
    code = re.search(r"```python\n(.*?)```", (DOCS / "table.md").read_text(), re.S)
    assert code
    printed = subprocess.run([sys.executable, "-c", code[1]], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == re.findall(r"^# (.*)$", code[1], re.M)


def test_links_lead_to_files() -> None:
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_transcript_of_the_readme_is_what_the_program_prints() -> None:
    program = ROOT / "src" / "croupier" / "examples" / "649a.toml"
    printed = subprocess.run(
        [sys.executable, "-m", "croupier", "settle", str(program)], capture_output=True, text=True, check=True
    ).stdout
    lines = {" ".join(line.split()) for line in printed.splitlines()}
    transcript = re.search(r"```console\n\$[^\n]*\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert transcript
    for line in transcript[1].splitlines():
        assert " ".join(line.split()).strip("─ ") == "" or " ".join(line.split()) in lines, line


def test_no_file_names_a_package_registry_or_a_path_of_a_machine() -> None:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    words = re.compile("|".join(["py" + "pi", "index" + "-url", "/" + "root/", "/" + "work/"]))
    for name in names:
        path = ROOT / name
        assert not path.exists() or not words.search(path.read_text(encoding="utf-8", errors="ignore")), name


@pytest.mark.parametrize(
    ("clause", "way"),
    [
        ("12(d)", "run"),  # a paytable
        ("11(c)(3)(i)", "run"),  # a settlement
        ("4(a)", "run"),  # the inspection is an act that the log names
        ("8(d)", "run"),  # the deal
        ("7(d)(2)", "checked"),  # who may make a wager
        ("9(a)(1)", "checked"),  # no deal from the hand without a shuffling device
        ("2(d)", "words"),  # where the boxes hang
        ("9(a)(2)", "words"),  # how the dealer holds the deck
        ("11(c)(5)(ii)", "words"),  # the light of the system
    ],
)
def test_status_tells_apart_what_runs_what_is_checked_and_what_is_words(clause: str, way: str) -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec and spec.loader
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.kept(book.find("641a").edition())[clause] == way
