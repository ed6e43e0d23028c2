"""Pictures of the pages of surveillance and the administrator, for the documentation and for a person's eyes.

A floor with some rounds played is needed: pictures(browser, address, folder, logins) as each role, on a laptop and on a phone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
MOST = 200_000  # bytes of a picture

PAGES: Mapping[str, Mapping[str, str]] = {
    "surveillance": {
        "surveillance": "/surveillance",
        "surveillance-table": "/surveillance/tables/{table}",
        "surveillance-replay": "/surveillance/tables/{table}/rounds/{number}",
        "surveillance-search": "/surveillance/search",
        "surveillance-hold": "/surveillance/hold",
    },
    "administrator": {
        "administrator-users": "/administrator/users",
        "administrator-submissions": "/administrator/submissions",
        "administrator-submission": "/administrator/submissions/{filing}",
        "administrator-compare": "/administrator/compare?one={filing}&other={other}",
        "administrator-tables": "/administrator/tables",
        "administrator-audit": "/administrator/audit",
        "administrator-backup": "/administrator/backup",
    },
}


def log_in(page: Page, name: str, password: str) -> None:
    """By the API, with the page's own cookies."""
    page.request.get("/api/me")
    token = next(each["value"] for each in page.context.cookies() if each["name"] == "csrftoken")
    answer = page.request.post("/api/login", data={"name": name, "password": password}, headers={"x-csrftoken": token})
    assert answer.ok, answer.text()


def settle(page: Page) -> None:
    """Until the page says what it has to say. Live views keep a connection open, so the network is never idle."""
    expect(page.locator(".loading")).to_have_count(0, timeout=20_000)
    page.wait_for_timeout(400)


def pictures(
    browser: Browser,
    address: str,
    folder: Path,
    logins: Mapping[str, tuple[str, str]],
    *,
    schemes: tuple[str, ...] = ("light",),
    sizes: tuple[tuple[str, dict[str, int]], ...] = (("", LAPTOP), ("-phone", PHONE)),
    only: str = "",
    whole: bool = False,
    **places: object,
) -> Iterator[Path]:
    """Each page of each role whose login is given."""
    folder.mkdir(parents=True, exist_ok=True)
    for role, (name, password) in logins.items():
        for scheme in schemes:
            for ending, size in sizes:
                context = browser.new_context(base_url=address, viewport=size, color_scheme=scheme, reduced_motion="reduce")
                page = context.new_page()
                log_in(page, name, password)
                for title, path in PAGES[role].items():
                    if only not in title:
                        continue
                    page.goto(path.format(**places))
                    settle(page)
                    file = folder / f"{title}{ending}{'-dark' if scheme == 'dark' else ''}.png"
                    page.screenshot(path=file, full_page=whole)
                    yield file
                context.close()
