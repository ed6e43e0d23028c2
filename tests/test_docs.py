"""The docs are true: generated pages are up to date, every command and key is documented, and links work."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import shlex
import subprocess
import sys
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
from typer.main import get_group

from croupier import book
from croupier.cli.main import app
from croupier.filing.check import KEYS
from croupier.law.fact import DEALER, Compared, DealerHas, Depending, Drawn, Has, Holds, Named
from croupier.money import percent
from croupier.table.case import TOP, read_case

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def test_every_key_of_a_submission_is_documented() -> None:
    page = (DOCS / "filing.md").read_text()
    terms = ("amount", "rate", "reserve", "seed", "reseed", "method", "shuffler", "counts_cards", "decks", "seconds", "lucky")
    for key in (*KEYS, *terms):
        assert re.search(rf"`\[?{key}\b", page), key


def test_a_case_says_how_many_cards_the_dealer_has_in_each_game() -> None:
    words = (DOCS / "settle.md").read_text().partition("[dealer]")[2].partition("[community]")[0]
    for chapter in map(book.chapter, book.MODULES):
        number = chapter.edition().dealt[DEALER]
        assert re.search(rf"{chapter.number}[^(]*\({number}\b" if number else f"none in {chapter.number}", words), chapter.number


def test_house_edges_are_rounded_once_from_their_fractions() -> None:
    rows = [
        line.split(" | ") for line in (DOCS / "house-edges.md").read_text().splitlines() if re.search(r" \| -?\d+/\d+ \|$", line)
    ]
    assert len(rows) > 150
    for *_, edge, _, exact in rows:
        assert f"{edge}%" == percent(exact.removesuffix(" |")), exact


def test_every_picture_is_shown_on_a_page() -> None:
    pages = "".join(page.read_text() for page in (ROOT / "README.md", *DOCS.glob("*.md")))
    assert not [picture.name for picture in DOCS.glob("*/*.png") if f"{picture.parent.name}/{picture.name})" not in pages]


def test_generated_pages_are_fresh() -> None:
    done = subprocess.run([sys.executable, str(DOCS / "generate.py"), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_command_has_a_heading() -> None:
    headings = set(re.findall(r"^## croupier (\S+)$", (DOCS / "command-line.md").read_text(), re.M))
    assert headings == set(get_group(app).commands)


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


def test_every_test_that_the_security_page_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (DOCS / "security.md").read_text())
    assert len(named) > 40
    for file, name in named:
        assert (ROOT / file).exists(), file
        assert not name or re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(), re.M), f"{file}::{name}"


def test_links_lead_to_files() -> None:
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_transcripts_of_the_readme_are_what_the_program_prints(tmp_path: Path) -> None:
    (tmp_path / "src").symlink_to(ROOT / "src")
    for block in re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(), re.S):
        for command, shown in re.findall(r"^\$ croupier ([^\n]*)\n(.*?)(?=^\$|\Z)", block, re.S | re.M):
            arguments, _, into = command.partition(" > ")
            done = [sys.executable, "-m", "croupier", *shlex.split(arguments)]
            printed = subprocess.run(done, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
            if into:
                (tmp_path / into).write_text(printed)
            lines = {" ".join(line.split()) for line in printed.splitlines()}
            for line in (" ".join(each.split()) for each in shown.splitlines()):
                assert not line.strip("─ ") or line in lines, line


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "README.md").read_text()
    assert [page.name for page in DOCS.glob("*.md") if f"({page.name})" not in index and page.name != "README.md"] == []
    decisions = (DOCS / "adr" / "README.md").read_text()
    assert [page.name for page in (DOCS / "adr").glob("0*.md") if f"({page.name})" not in decisions] == []


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
        ("11(c)(5)(ii)", "words"),  # the system's light
    ],
)
def test_status_distinguishes_clauses_that_run_are_checked_or_are_words(clause: str, way: str) -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec and spec.loader
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.kept(book.find("641a").edition())[clause] == way


def test_every_word_of_the_chapters_is_in_the_vocabulary() -> None:
    page = " ".join(re.findall(r"`([^`]*)`", (DOCS / "vocabulary.md").read_text()))
    known = set(re.findall(r"[A-Za-z_]+", page))
    for file in CHAPTERS:
        assert words_of(ast.parse(file.read_text())) <= known, file.name


CHAPTERS = (*sorted((ROOT / "src/croupier/book").glob("ch[0-9]*.py")), *sorted((ROOT / "examples/chapters").glob("*.py")))


def test_every_parameter_that_a_chapter_uses_has_an_example_in_the_vocabulary() -> None:
    shown = set[str]()
    for code in re.findall(r"```python\n(.*?)```", (DOCS / "vocabulary.md").read_text(), re.S):
        shown |= parameters_of(ast.parse(code))
    words = set().union(*(words_of(ast.parse(file.read_text())) for file in CHAPTERS))
    for file in CHAPTERS:
        used = {each for each in parameters_of(ast.parse(file.read_text())) if each.partition("(")[0] in words}
        assert used <= shown, (file.name, sorted(used - shown))


@pytest.mark.parametrize("kind", [Holds, Compared, DealerHas, Has, Named, Drawn, Depending], ids=lambda kind: kind.__name__)
def test_the_vocabulary_has_every_parameter_of_a_fact(kind: type) -> None:
    page = (DOCS / "vocabulary.md").read_text()
    assert f"| `{kind.__name__}({', '.join(inspect.signature(kind).parameters)})` |" in page


def parameters_of(tree: ast.Module) -> set[str]:
    """The named parameters of calls, such as “wager(optional=)”: in the chapter, the shared sections and their imports."""
    found = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="chapter" | "poker" | "common"), attr=name), keywords=given):
                found |= {f"{name}({each.arg}=)" for each in given}
            case ast.Call(func=ast.Name(id=name), keywords=given):
                found |= {f"{name}({each.arg}=)" for each in given}
    return found


def words_of(tree: ast.Module) -> set[str]:
    """What a chapter imports from the vocabulary, and what it uses of the chapter and the shared sections."""
    found = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.startswith(("croupier.law", "croupier.money")):
                found |= {each.name for each in names}
            case ast.Attribute(value=ast.Name(id="chapter" | "poker" | "common" | "Act" | "Fate" | "Moment"), attr=word):
                found.add(word)
    return found
