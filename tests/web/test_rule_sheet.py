"""The rule sheet shows every block that the paperwork has: headings, sentences, lists, tables, hands and what they pay."""

from __future__ import annotations

import httpx
import pytest

from croupier import book
from croupier.filing.template import write
from croupier.printed.output.document import DataTable
from croupier.web.pages.rule_sheet import blocks
from tests.web.serving import Served


@pytest.mark.parametrize("slug", [chapter.slug for chapter in book.chapters()])
def test_every_table_is_on_the_page_with_its_rows(served: Served, slug: str) -> None:
    page = httpx.get(f"{served.address}/tables/{slug}/rules").text
    tables = [block for block in blocks(write(book.find(slug).edition())) if isinstance(block, DataTable)]
    assert len(tables) >= 2
    assert page.count('<table class="data cards">') == len(tables)
    for table in tables:
        for row in table.rows:
            assert str(row[0])[:12].split("&")[0].split("'")[0] in page
