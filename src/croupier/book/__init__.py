"""The book: seven chapters of 58 Pa. Code, one module each."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from croupier.law.chapter import Chapter
from croupier.law.cite import Refusal

MODULES = {
    "641a": "ch641a_four_card_poker",
    "643a": "ch643a_let_it_ride_poker",
    "649a": "ch649a_three_card_poker",
    "653a": "ch653a_ultimate_texas_hold_em_poker",
    "679a": "ch679a_three_card_prime",
    "680a": "ch680a_saigon_5_card",
    "682a": "ch682a_four_card_prime",
}


@cache
def chapter(number: str) -> Chapter:
    """A chapter by its number."""
    found: Chapter = import_module(f"croupier.book.{MODULES[number]}").chapter
    return found


def chapters() -> tuple[Chapter, ...]:
    return tuple(chapter(number) for number in MODULES)


def find(game: str) -> Chapter:
    """A chapter by its number or the game's name in kebab-case.

    >>> find("three-card-poker").number, find("649a").title
    ('649a', 'Three Card Poker')
    """
    word = game.strip().lower().replace(" ", "-").replace("'", "")
    if word.rstrip("a") + "a" in MODULES:
        return chapter(word.rstrip("a") + "a")
    for found in chapters():
        if word in (found.slug, found.slug.removesuffix("-poker")):
            return found
    known = ", ".join(f"{number} ({chapter(number).slug})" for number in MODULES)
    raise Refusal(f"“{game}” is no game of the book", "58 Pa. Code Part VII, Subpart K", known)
