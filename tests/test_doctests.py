"""Runs the examples in docstrings. They are collected here so that no test worker has to search every module for them."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
FILES = sorted(file.relative_to(SOURCE) for file in SOURCE.rglob("*.py") if ">>> " in file.read_text())
MODULES = [".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in FILES]


@pytest.mark.parametrize("module", MODULES)
def test_examples(module: str) -> None:
    found = doctest.testmod(import_module(module))
    assert found.attempted
    assert not found.failed
