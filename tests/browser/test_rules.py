"""Each table's rule sheet in a real browser: no axe findings, nothing too wide, and every link to a clause works."""

from __future__ import annotations

import pytest

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.looking import findings, overflows
from tests.browser.playing import TABLES

pytestmark = pytest.mark.thorough

DEVICES = {
    "desk": {},
    "dark desk": {"color_scheme": "dark"},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
}
LOST = """() => [...document.querySelectorAll('main a[href^="#"]')]
  .map((each) => decodeURIComponent(each.getAttribute('href').slice(1))).filter((each) => !document.getElementById(each))"""


@pytest.mark.parametrize("device", DEVICES)
def test_rule_sheets(device: str, open_page: OpenPage) -> None:
    page = open_page(**DEVICES[device])
    for table in list(TABLES.values())[:: 1 if device == "desk" else 3]:
        page.goto(f"/tables/{table}/rules")
        assert findings(page) == [], table
        assert not overflows(page), table
        assert page.locator('main a[href^="#"]').count() > 5
        assert page.evaluate(LOST) == [], table
