"""Programs may import what docs/python.md lists. Nothing else is promised."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "python.md").read_text()
ROWS = re.findall(r"^\| `(croupier\.\w+)` \| \S+ \| (.+) \|$", PAGE, re.M)


def test_the_page_lists_the_packages() -> None:
    assert [package for package, _ in ROWS] == [
        f"croupier.{name}" for name in ("cards", "book", "filing", "table", "odds", "client")
    ]


@pytest.mark.parametrize(("package", "names"), ROWS)
def test_a_package_has_the_names_of_the_page(package: str, names: str) -> None:
    module = import_module(package)
    assert sorted(re.findall(r"`(\w+)`", names)) == sorted(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
