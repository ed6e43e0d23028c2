"""A real browser for the tests: the machine's Chromium, or one installed on demand. `make test` runs this first."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache

# Prefer the headless shell, as Playwright does: a test takes little more than half the CPU time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
GIVEN = "CROUPIER_TEST_BROWSER"


class NoBrowser(Exception):
    """There is no browser to test with, and none could be installed. Do not skip the tests: untested means broken."""


@cache
def browser_path() -> str:
    """Path of a Chromium executable."""
    found = _look() or _installed() or _downloaded()
    if not found:
        raise NoBrowser(f"No Chromium is on this machine and none could be installed: install one, or name its program in {GIVEN}.")
    return found


def _look() -> str:
    return os.environ.get(GIVEN) or next(filter(None, map(shutil.which, NAMES)), "")


def _installed() -> str:
    """Install from the system's packages."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return ""
    install = "apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends fonts-dejavu-core"
    either = f"({install} chromium-headless-shell || {install} chromium)"
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(f"{either} || (apt-get update && {either})", shell=True, capture_output=True, check=False, env=env)
    return _look()


def _downloaded() -> str:
    """Let Playwright download one, where it can."""
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], capture_output=True, check=False, timeout=600)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        path = play.chromium.executable_path
    return path if os.path.exists(path) else ""


if __name__ == "__main__":
    try:
        print(f"Browser tests use {browser_path()}.")
    except NoBrowser as problem:
        sys.exit(str(problem))
