"""Coverage: every clause of every text is cited by code, is a step of a procedure, or is listed as not modelled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from croupier.law.chapter import Rules
from croupier.law.procedure import NotModelled, Step


def outline(rules: Rules) -> tuple[str, ...]:
    """The clause numbers of an edition, in the order of the text."""
    name = f"{rules.number}-{rules.edition.name}.txt"
    return tuple(files("croupier.book").joinpath("outline", name).read_text().split())


@dataclass(frozen=True)
class Coverage:
    """Clause numbers by how they are kept; a parent whose children are all kept is kept with them."""

    clauses: tuple[str, ...]
    by_code: frozenset[str]
    by_step: frozenset[str]
    not_modelled: frozenset[str]
    strange: frozenset[str]  # cited, but in no outline

    @property
    def missing(self) -> tuple[str, ...]:
        kept = self.by_code | self.by_step | self.not_modelled
        return tuple(clause for clause in self.clauses if not self._kept(clause, kept))

    def _kept(self, clause: str, kept: frozenset[str]) -> bool:
        children = list(self._children(clause))
        return clause in kept or (bool(children) and all(self._kept(child, kept) for child in children))

    def _children(self, clause: str) -> Iterator[str]:
        return (each for each in self.clauses if each.startswith(clause + "(") and each.count("(") == clause.count("(") + 1)


def coverage(rules: Rules) -> Coverage:
    clauses = outline(rules)
    code: set[str] = set()
    steps: set[str] = set()
    left_out: set[str] = set()
    for rule in rules.everything:
        kept = left_out if isinstance(rule, NotModelled) else steps if isinstance(rule, Step) else code
        kept.update(cite.clause for cite in rule.cites)
    cited = code | steps | left_out
    return Coverage(
        clauses=clauses,
        by_code=frozenset(code),
        by_step=frozenset(steps - code),
        not_modelled=frozenset(left_out),
        strange=frozenset(cited - set(clauses)),
    )
