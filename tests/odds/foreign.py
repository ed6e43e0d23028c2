"""The start of a chapter that is not in the book, and its Offer."""

from __future__ import annotations

from croupier.book import common
from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.filing.template import example_choices
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status


def begun() -> Chapter:
    chapter = Chapter("990a", "Foreign Game", (Edition("2026-01-01", "a test", Status.PROPOSED),))
    common.table(chapter, 6)
    common.decks(chapter)
    common.wagering(chapter)
    chapter.adjacent_boxes("7(f)", chosen_by_submission=False)
    common.irregularities(chapter)
    return chapter


def offered(chapter: Chapter) -> Offer:
    return check(example_choices(chapter.edition()), rules=chapter.edition()).offer_or_refuse()
