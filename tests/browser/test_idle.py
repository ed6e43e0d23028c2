"""An idle staff page locks, for every role, and unlocks with the password."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.looking import findings
from tests.web.serving import Served, serving
from tests.web.staffing import PASSWORD, hire

pytestmark = pytest.mark.thorough

PAGES = {
    "dealer": "/dealer/three-card-poker",
    "floorperson": "/floorperson",
    "surveillance": "/surveillance",
    "administrator": "/administrator/audit",
}
SECONDS = 12  # until a page locks: less than the five minutes of a real floor, more than a login takes here


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor whose screens lock after a short time."""
    folder = tmp_path_factory.mktemp("idle")
    database = str(folder / "floor.db")
    with serving(database, folder, env={"CROUPIER_IDLE": str(SECONDS)}) as server:
        for role in PAGES:
            hire(server, f"{role} Ida", role)
        yield server


def test_every_page_of_staff_locks_by_itself_and_opens_with_the_form(open_page: OpenPage, allowed: list[str]) -> None:
    allowed.append("423")
    pages = {role: open_page() for role in PAGES}
    for role, page in pages.items():
        page.goto(f"/login?next={PAGES[role]}")
        page.fill("#name", f"{role} Ida")
        page.fill("#password", PASSWORD)
        page.click("#form-login button.primary")
        expect(page.locator("#me")).to_contain_text(role)
    for page in pages.values():
        expect(page.locator("dialog.lock")).to_be_visible(timeout=(SECONDS + 30) * 1000)
        assert not findings(page)
    for role, page in pages.items():
        page.fill("#lock-password", PASSWORD)
        page.click("dialog.lock button.primary")
        expect(page.locator("dialog.lock")).to_have_count(0)
        expect(page).to_have_url(f"{page.url.split('/', 3)[0]}//{page.url.split('/', 3)[2]}{PAGES[role]}")


def test_a_page_in_use_stays_open(open_page: OpenPage, allowed: list[str]) -> None:
    page = open_page()
    page.goto("/login?next=/surveillance")
    page.fill("#name", "surveillance Ida")
    page.fill("#password", PASSWORD)
    page.click("#form-login button.primary")
    expect(page.locator("#me")).to_contain_text("surveillance")
    for step in range(SECONDS + 10):
        page.mouse.move(100 + step, 200)
        page.wait_for_timeout(1000)
    expect(page.locator("dialog.lock")).to_have_count(0)
