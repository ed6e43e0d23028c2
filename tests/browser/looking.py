"""Accessibility and layout checks: what someone who cannot see the page or use a mouse would find wrong with it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def findings(page: Page, worst: tuple[str, ...] = ("serious", "critical")) -> list[str]:
    """Serious and critical findings of axe on the current page, without transitions: it would judge a color that is changing."""
    calm = page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    page.emulate_media(reduced_motion="reduce")
    found = Axe().run(page).response["violations"]
    page.emulate_media(reduced_motion="reduce" if calm else "no-preference")
    return [
        f"{each['impact']}: {each['id']}: {each['help']} at {[node['target'] for node in each['nodes']][:4]}"
        for each in found
        if each["impact"] in worst
    ]


def overflows(page: Page) -> bool:
    """Whether the page is wider than its window and scrolls sideways."""
    wide: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")
    return wide
