"""Games of unusual shapes: without a decision, or with hands of one card or of very many kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier import book
from croupier.book import common, poker
from croupier.cards import cards
from croupier.cli.main import app
from croupier.filing.check import check
from croupier.filing.template import example, write
from croupier.law.chapter import Chapter
from croupier.law.cite import Refusal
from croupier.law.fact import PLAYER, Holds
from croupier.law.procedure import Act, Deal
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, pay_by
from croupier.odds.advice import advise
from croupier.printed.content.fold_terms import time_words
from tests.odds.foreign import begun, offered
from tests.table.pit import toml


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))


def run(chapter: Chapter, monkeypatch: pytest.MonkeyPatch, *words: str) -> Result:
    monkeypatch.setattr(book, "_installed", lambda: (chapter,))
    return CliRunner().invoke(app, list(words))


def without_decisions() -> Chapter:
    """Three cards and a paytable."""
    chapter = begun()
    ranking = chapter.ranking("Hand", cite="6(a)", size=3, hands=(Hand("Pair", poker.of_a_kind(2)),))
    ante = chapter.wager("Ante Wager", cite="7(d)", required=True)
    script = (Deal(3, PLAYER),)
    common.dealing(chapter, entitled=[ante], shoe=script, automated=script)
    chapter.stage("11(c)", Act.SETTLE)
    chapter.stage("11(d)", Act.CLEAR)
    holds = Holds(ranking)
    table = chapter.paytable("Ante Wager", "Pair   2 to 1\n", cite="12(a)", hands=ranking)

    @chapter.settles(ante, cite="11(c)", asks={"row": holds}, hand=holds)
    def main(row: str) -> Iterator[Lines]:
        yield pay_by(table, row, on=ante)

    return chapter


def test_a_game_without_decisions_files_no_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If one is filed nevertheless, nothing is printed of it."""
    chapter = without_decisions()
    rules = chapter.edition()
    assert "decisions" not in example(rules) and "[decisions]" not in write(rules)
    filed = example(rules) | {"decisions": {"seconds": 90}}
    assert time_words(check(filed, rules=rules).offer_or_refuse()) == ("", "")
    file = tmp_path / "filing.toml"
    file.write_text(toml(filed))
    ran = run(chapter, monkeypatch, "print", "sign", str(file), "-o", str(tmp_path / "sign.html"))
    assert ran.exit_code == 0, ran.output


def test_a_game_without_decisions_has_no_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    chapter = without_decisions()
    with pytest.raises(Refusal, match="this game asks for no decision"):
        advise(offered(chapter), cards("As Ks Qs"))
    ran = run(chapter, monkeypatch, "simulate", "990a", "--strategy", "always play", "--rounds", "1000")
    assert ran.exit_code == 0, ran.output
    assert "decision" not in ran.stdout
