"""A real browser on a real floor. A page that logs a console error or violates its content security policy fails its test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page

from tests.browser.felt_harness import chromium
from tests.examples import thorough
from tests.web.serving import Served, serving

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PATIENCE = 60_000  # milliseconds, for a busy machine
VIOLATIONS = (
    "addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))"
)

LEAVE = """async () => {
  const { command, get } = await import('/static/js/shared/api.js');
  const { name, role } = await get('/api/me');
  if (role !== 'guest') return;
  for (const { table, players } of await get('/api/tables')) {
    const seat = Number(Object.keys(players).find((each) => players[each] === name));
    if (seat) await command(table, { do: 'leave', seat }).catch(() => {});
  }
}"""

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One floor for the browsers: seven practice tables and an automatic dealer that does not pause."""
    folder = tmp_path_factory.mktemp("floor")
    with serving(str(folder / "floor.db"), folder) as server:
        yield server


@pytest.fixture(scope="package")  # its event loop must be gone before other tests start one
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def allowed() -> list[str]:
    """Console messages that a test expects, as patterns: a refused command logs one."""
    return []


@pytest.fixture
def open_page(browser: Browser, served: Served, allowed: list[str]) -> Iterator[OpenPage]:
    """Open a page as a separate person with separate cookies: open_page(viewport=PHONE, has_touch=True)."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(**options: Any) -> Page:
        context = browser.new_context(base_url=served.address, **{"viewport": LAPTOP, **options})
        context.add_init_script(VIOLATIONS)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda problem: complaints.append(str(problem)))
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            _leave(page)
        context.close()
    unexpected = [said for said in complaints if not any(re.search(pattern, said) for pattern in allowed)]
    assert not unexpected, unexpected


def _leave(page: Page) -> None:
    """Leave the table, so that the next test does not wait for this player."""
    with suppress(Error):
        page.evaluate(LEAVE)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A laptop."""
    return open_page()


@pytest.fixture(params=thorough(["laptop", "phone"], unless=["phone"]))
def seat(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """Both: a player's page must work on either."""
    return open_page(viewport=PHONE, has_touch=True, is_mobile=True) if request.param == "phone" else open_page()


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    """A phone with touch."""
    return open_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
