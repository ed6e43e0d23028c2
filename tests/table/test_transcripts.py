"""Golden transcripts: every dealing method and every irregularity of every edition, event by event."""

from __future__ import annotations

import pytest

from tests.golden.transcripts import FOLDER, wanted, written

AGAIN = "python -m tests.golden.transcripts"


def test_no_transcript_is_missing_and_none_is_left_over() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(wanted()), AGAIN


@pytest.mark.parametrize("file", sorted(wanted()))
def test_the_round_matches_its_transcript(file: str) -> None:
    assert written(*wanted()[file]) == (FOLDER / file).read_text(), AGAIN
