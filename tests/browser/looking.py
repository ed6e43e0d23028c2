"""What a person who cannot see a page, or cannot use a mouse, would find wrong with it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def findings(page: Page, worst: tuple[str, ...] = ("serious", "critical")) -> list[str]:
    """The serious and critical findings of axe on the page as it stands, its colors no longer changing."""
    page.evaluate("document.getAnimations().filter((each) => each instanceof CSSTransition).forEach((each) => each.finish())")
    found = Axe().run(page).response["violations"]
    return [
        f"{each['impact']}: {each['id']}: {each['help']} at {[node['target'] for node in each['nodes']][:4]}"
        for each in found
        if each["impact"] in worst
    ]


def overflows(page: Page) -> bool:
    """Whether the page is wider than its window, so that a person has to scroll sideways."""
    wide: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")
    return wide
