"""Coverage: every clause of every edition runs, is checked, is a sentence shown to people, or is listed as not modeled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from croupier.law.chapter import Rules
from croupier.law.cite import Rule
from croupier.law.layout import Area, Equipment, Inscription, TableSeats
from croupier.law.procedure import AdjacentBoxes, Decks, Definition, NotModeled, Step
from croupier.law.wager import GameVersion, Wager

#: A filing, a case or a table that does not comply with one of these is refused.
CHECKED = (Wager, GameVersion, AdjacentBoxes, Decks, TableSeats)
#: These are shown on a checklist, drawn on the layout or printed, and people carry them out.
SHOWN = (Step, Area, Inscription, Equipment, Definition)


def outline(rules: Rules) -> tuple[str, ...]:
    """The clause numbers of an edition, in the order of the text."""
    name = f"{rules.number}-{rules.edition.name}.txt"
    return tuple(files("croupier.book").joinpath("outline", name).read_text().split())


@dataclass(frozen=True)
class Coverage:
    """Clause numbers by how they are covered, each listed once, by its strongest coverage. A parent is covered if all its children are."""

    clauses: tuple[str, ...]
    by_code: frozenset[str]  # a rule that runs: it deals, decides, ranks, settles, pays
    by_check: frozenset[str]
    by_words: frozenset[str]
    not_modeled: frozenset[str]
    unknown: frozenset[str]  # cited, but in no outline

    @property
    def missing(self) -> tuple[str, ...]:
        kept = self.by_code | self.by_check | self.by_words | self.not_modeled
        return tuple(clause for clause in self.clauses if not self._kept(clause, kept))

    def _kept(self, clause: str, kept: frozenset[str]) -> bool:
        children = list(self._children(clause))
        return clause in kept or (bool(children) and all(self._kept(child, kept) for child in children))

    def _children(self, clause: str) -> Iterator[str]:
        return (each for each in self.clauses if each.startswith(clause + "(") and each.count("(") == clause.count("(") + 1)


def coverage(rules: Rules) -> Coverage:
    def cited(*kinds: type[Rule]) -> frozenset[str]:
        return frozenset(cite.clause for rule in rules.everything if isinstance(rule, kinds) for cite in rule.cites)

    runs = {type(rule) for rule in rules.everything} - {*CHECKED, *SHOWN, NotModeled}
    code, checks, words, left_out = cited(*runs), cited(*CHECKED), cited(*SHOWN), cited(NotModeled)
    clauses = outline(rules)
    unknown = (code | checks | words | left_out) - set(clauses)
    return Coverage(clauses, code, checks - code, words - checks - code, left_out, unknown)
