"""The rule sheet shows every block of the paperwork: headings, sentences, lists, tables, hands and what they pay."""

from __future__ import annotations

import httpx
import pytest

from croupier import book
from croupier.filing.template import example_submission
from croupier.printed.output.document import DataTable, Figure, Heading, Items, Notice, Paragraph, Paytables, Ranked
from croupier.web.pages.rule_sheet import blocks
from tests.examples import GAMES, NAMED, rules_of
from tests.web.serving import Served


@pytest.mark.parametrize("slug", [chapter.slug for chapter in book.chapters()])
def test_every_table_is_on_the_page_with_its_rows(served: Served, slug: str) -> None:
    page = httpx.get(f"{served.address}/tables/{slug}/rules").text
    tables = [block for block in blocks(example_submission(book.find(slug).edition())) if isinstance(block, DataTable)]
    assert len(tables) >= 2
    assert page.count('<table class="data cards">') == len(tables)
    for table in tables:
        for row in table.rows:
            assert str(row[0])[:12].split("&")[0].split("'")[0] in page


NOT_LAW = "Questions that the text leaves open, and how this table answers them."  # an introduction


@pytest.mark.parametrize("game", GAMES)
def test_every_section_is_on_it(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(book.FILES_VARIABLE, NAMED)
    text = " ".join(str(block) for block in blocks(example_submission(rules_of(game))))
    assert {f"{game}.{section}" for section in (1, 2, 3, 4, 5, 6, 7, 11, 12, 13)} <= {
        word.strip("'(),").partition("(")[0] for word in text.replace("'", " ").split()
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_leads_to_a_clause(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clause is on the sentence, in its row, or at the head of its section."""
    monkeypatch.setenv(book.FILES_VARIABLE, NAMED)
    rules = rules_of(game)
    under, without = "", list[str]()
    for block in blocks(example_submission(rules)):
        match block:
            case Heading():
                under = block.cite
            case Paragraph() if block.text != NOT_LAW:
                without += [] if block.cite else [block.text]
            case Items():
                without += [text for text, cite in block.items if not cite]
            case DataTable() if "Clause" in block.head:
                without += [row[0] for row in block.rows if not row[block.head.index("Clause")]]
            case DataTable():
                without += [] if under else [block.head[0]]
            case Ranked():
                without += [name for _, name, cite in block.rows if not cite]
            case Paytables():
                without += [each.title for column in block.columns for each in column if not each.cite]
            case Notice() | Paragraph() | Figure():
                pass
    assert not without


@pytest.mark.parametrize("slug", [chapter.slug for chapter in book.chapters()])
def test_a_picture_shows_where_each_wager_lies(served: Served, slug: str) -> None:
    found = [block for block in blocks(example_submission(book.find(slug).edition())) if isinstance(block, Figure)]
    assert len(found) == 1
    page = httpx.get(f"{served.address}/tables/{slug}/rules").text
    assert found[0].svg in page
    assert "one position</title>" in found[0].svg


def test_649a_who_wins_is_told_under_the_clauses_that_settle_it() -> None:
    table = next(
        block
        for block in blocks(example_submission(book.find("649a").edition()))
        if isinstance(block, DataTable) and block.head[0] == "Situation"
    )
    clauses = {row[0]: row[-1] for row in table.rows}
    assert clauses == {
        "You fold": "649a.11(b)",
        "The dealer has queen high or better; your hand is higher": "649a.12(a)",
        "The dealer has queen high or better; your hand is equal": "649a.11(c)(3)(ii)(C)",
        "The dealer has queen high or better; your hand is lower": "649a.11(c)(3)(ii)(A)",
        "The dealer has less than queen high": "649a.11(c)(3)(i)",
    }
