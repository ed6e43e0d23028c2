"""The tests of this folder run on the examples too, which are chapters outside the book."""

import os

import pytest

from croupier import book
from tests.examples import FILES


@pytest.fixture(autouse=True)
def _with_the_examples(_no_chapter_outside_the_book: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(book.FILES, os.pathsep.join(map(str, FILES)))
