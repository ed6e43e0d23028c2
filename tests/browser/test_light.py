"""How many bytes a first visit to a table takes, and whether the felt uses the typeface it was measured in."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Page

from croupier import book
from croupier.filing.template import example_submission
from croupier.printed.drawing.fonts import width
from croupier.web.live.table_view import felt
from tests.browser.conftest import OpenPage
from tests.examples import thorough

BUDGET = 120_000  # bytes, including headers
MEASURE = """async (characters) => {
  await document.fonts.load('600 100px "Source Sans Pro"', characters);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = '600 1000px "Source Sans Pro", monospace';
  return Object.fromEntries([...characters].map((each) => [each, pen.measureText(each).width / 1000]));
}"""


SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50 * 1024, "uploadThroughput": 50 * 1024}  # in a casino's basement


def first_visit(page: Page, path: str, network: dict[str, Any] | None = None) -> tuple[dict[str, int], float]:
    """Bytes of every answer by address, and seconds until the table is drawn and a seat can be taken."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    if network:
        session.send("Network.emulateNetworkConditions", network)
    asked: dict[str, str] = {}
    weights: dict[str, int] = {}
    session.on("Network.responseReceived", lambda event: asked.update({event["requestId"]: event["response"]["url"]}))
    session.on(
        "Network.loadingFinished",
        lambda event: weights.update({asked.get(event["requestId"], "?"): int(event["encodedDataLength"])}),
    )
    begun = time.perf_counter()
    page.goto(path, wait_until="commit")
    page.get_by_role("button", name="Sit down").wait_for()
    taken = time.perf_counter() - begun
    page.locator("#link[data-link=live]").wait_for()
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready")
    return weights, taken


@pytest.mark.parametrize("slug", thorough([chapter.slug for chapter in book.chapters()], unless=["three-card-poker"]))
def test_a_table_is_light(open_page: OpenPage, slug: str) -> None:
    weights, _ = first_visit(open_page(), f"/tables/{slug}")
    assert any("pages/player/seat.js" in each for each in weights)
    assert any("felt.woff2" in each for each in weights)
    assert sum(weights.values()) < BUDGET, weights


def test_inscriptions_are_set_in_the_face_that_they_were_measured_in(open_page: OpenPage, submissions: list[str]) -> None:
    page = open_page()
    page.goto("/")
    drawn = "".join(sorted({character for text in submissions for character in felt(text, 0) if character.isprintable()}))
    found = page.evaluate(MEASURE, drawn)
    assert found == pytest.approx({each: width(each) for each in drawn}, abs=0.002)


@pytest.fixture
def submissions() -> list[str]:
    return [
        example_submission(rules)
        for chapter in book.chapters()
        for rules in map(chapter.edition, (each.name for each in chapter.editions))
    ]
