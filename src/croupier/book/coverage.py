"""Coverage: every clause of every edition runs, is checked, is a sentence shown to people, or is listed as not modeled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from croupier.law.chapter import Rules
from croupier.law.layout import Area, Equipment, Inscription, TableSeats
from croupier.law.procedure import AdjacentBoxes, Decks, Definition, NotModelled, Step
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
    not_modelled: frozenset[str]
    strange: frozenset[str]  # cited, but in no outline

    @property
    def missing(self) -> tuple[str, ...]:
        kept = self.by_code | self.by_check | self.by_words | self.not_modelled
        return tuple(clause for clause in self.clauses if not self._kept(clause, kept))

    def _kept(self, clause: str, kept: frozenset[str]) -> bool:
        children = list(self._children(clause))
        return clause in kept or (bool(children) and all(self._kept(child, kept) for child in children))

    def _children(self, clause: str) -> Iterator[str]:
        return (each for each in self.clauses if each.startswith(clause + "(") and each.count("(") == clause.count("(") + 1)


def coverage(rules: Rules) -> Coverage:
    clauses = outline(rules)
    code, checks, words, left_out = set[str](), set[str](), set[str](), set[str]()
    for rule in rules.everything:
        match rule:
            case NotModelled():
                kept = left_out
            case _ if isinstance(rule, CHECKED):
                kept = checks
            case _ if isinstance(rule, SHOWN):
                kept = words
            case _:
                kept = code
        kept.update(cite.clause for cite in rule.cites)
    cited = code | checks | words | left_out
    return Coverage(
        clauses=clauses,
        by_code=frozenset(code),
        by_check=frozenset(checks - code),
        by_words=frozenset(words - checks - code),
        not_modelled=frozenset(left_out),
        strange=frozenset(cited - set(clauses)),
    )
