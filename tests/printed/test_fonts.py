"""The typeface, drawn by several threads at once: a server draws felts and chips in threads."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from croupier.printed.drawing import fonts

TEXT = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


@pytest.fixture
def _switching() -> Iterator[None]:
    """Make threads switch as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.thorough
@pytest.mark.usefixtures("_switching")
def test_several_threads_draw_the_same_as_one() -> None:
    alone = fonts.text_outline(TEXT, 10)
    with ThreadPoolExecutor(8) as threads:
        for _ in range(20):
            fonts.face.cache_clear()  # so that nothing of the file has been read yet
            fonts.text_outline.cache_clear()
            assert set(threads.map(lambda _: fonts.text_outline(TEXT, 10), range(8))) == {alone}
