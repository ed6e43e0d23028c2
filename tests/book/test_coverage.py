"""Every clause is implemented somewhere, and every subsection of the playing sections has a test named after it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from croupier import book
from croupier.book.coverage import coverage
from croupier.law.chapter import Rules

EDITIONS = [chapter.edition(edition.name) for chapter in book.chapters() for edition in chapter.editions]
each_edition = pytest.mark.parametrize("rules", EDITIONS, ids=lambda rules: f"{rules.number}-{rules.edition}")


@each_edition
def test_every_clause_is_code_a_step_or_on_the_list(rules: Rules) -> None:
    found = coverage(rules)
    assert found.missing == ()
    assert found.unknown == frozenset()


@each_edition
def test_every_subsection_of_the_playing_sections_has_a_test(rules: Rules) -> None:
    tree = ast.parse((Path(__file__).parent / f"test_{rules.number}.py").read_text())
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for clause in coverage(rules).clauses:
        section, _, letter = clause.partition("(")
        if section in ("6", "7", "11", "12", "13") and clause.count("(") == 1:
            prefix = f"test_{rules.number}_{section}_{letter.rstrip(')')}_"
            assert any(name.startswith(prefix) for name in tests), f"no test for {rules.number}.{clause}"
