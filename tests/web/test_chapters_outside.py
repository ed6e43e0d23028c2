"""A floor with a chapter from outside the book: it opens a table of that game, and does not start without the chapter."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from croupier import book
from croupier.floor.premises import Premises
from croupier.law.cite import Refusal
from croupier.web.settings import Settings
from croupier.web.startup import first_start
from tests.examples import MISSISSIPPI_STUD


def test_a_floor_needs_the_chapters_of_its_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(book.FILES_VARIABLE, str(MISSISSIPPI_STUD))
    settings = replace(Settings.from_environment(), database=str(tmp_path / "floor.db"), demo="yes")
    assert asyncio.run(first_start(settings))
    assert asyncio.run(tables(settings)) == {chapter.slug for chapter in book.chapters()} >= {"mississippi-stud"}
    monkeypatch.setenv(book.FILES_VARIABLE, "")
    with pytest.raises(Refusal, match=r"table mississippi-stud: “MS” is not a game in the book.*--book"):
        asyncio.run(first_start(settings))


async def tables(settings: Settings) -> set[str]:
    premises = Premises(settings.database, signing=settings.signing(), house_key=settings.house_key)
    try:
        return set(premises.floor.all())
    finally:
        await premises.stop()
