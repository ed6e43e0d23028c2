"""Games of unusual shapes: without a decision, or with hands of one card or of very many kinds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier import book
from croupier.book import common, poker
from croupier.cards import cards
from croupier.cli.main import app
from croupier.filing.check import check
from croupier.filing.template import example_choices, example_submission
from croupier.law.chapter import Chapter
from croupier.law.cite import Refusal
from croupier.law.fact import DEALER, FOLDED, HIGHER, LOWER, PLAYER, Compared, Comparison, Holds
from croupier.law.procedure import Act, Deal
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, collect, forfeit, pay, pay_by, push
from croupier.law.wager import fold, multiples
from croupier.money import to
from croupier.odds import analyze
from croupier.odds.advice import advise
from croupier.odds.best_play import strategy
from croupier.odds.prices import prices
from croupier.odds.simulation.rounds import simulate
from croupier.odds.solvers.main_game import NotCounted
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
    """If one is filed anyway, nothing is printed about it."""
    chapter = without_decisions()
    rules = chapter.edition()
    assert "decisions" not in example_choices(rules) and "[decisions]" not in example_submission(rules)
    filed = example_choices(rules) | {"decisions": {"seconds": 90}}
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


def high_card(mine: int, theirs: int, size: int) -> Chapter:
    """This many cards against that many, compared by their ranks alone."""
    chapter = begun()
    ranking = chapter.ranking("Hand", cite="6(a)", size=size, compared=True, hands=())
    ante = chapter.wager("Ante Wager", cite="7(d)", required=True)
    play = chapter.wager("Play Wager", cite="7(d)", made_by_decision=True)
    script = (Deal(mine, PLAYER), Deal(theirs, DEALER))
    common.dealing(chapter, entitled=[ante], shoe=script, automated=script)
    choices = [*multiples("play", play, 1, cite="11(b)"), fold("11(b)")]
    chapter.decision("Play Wager", cite="11(b)", asked_of=ante, knows="their cards", choices=choices)
    for act in (Act.COLLECT, Act.REVEAL, Act.SETTLE, Act.CLEAR):
        chapter.stage("11(c)", act)

    @chapter.settles(ante, play, cite="11(c)", asks={"folded": FOLDED, "compared": Compared(ranking)}, hand=Holds(ranking))
    def main(folded: bool, compared: Comparison) -> Iterator[Lines]:
        if folded:
            yield forfeit(ante, cite="11(b)")
        elif compared is LOWER:
            yield collect(ante, play, cite="11(c)")
        elif compared is HIGHER:
            yield pay(ante, play, at=to(1), cite="12(a)")
        else:
            yield push(ante, play, cite="11(c)")

    return chapter


def best_value(wins: int, losses: int, of: int) -> Fraction:
    return max(Fraction(2 * (wins - losses), of), Fraction(-1))


def test_one_card_against_one_is_dealt_out() -> None:
    """A card beats four of each lower rank and loses to four of each higher one, out of 51."""
    offer = offered(high_card(1, 1, 1))
    expected = sum(best_value(4 * lower, 4 * (12 - lower), 51) for lower in range(13)) / 13
    (ante,) = prices(offer, fresh=True).wagers
    assert Fraction(ante["edge"]) == -expected == Fraction(-29, 221)
    assert [(each.choice, each.value) for each in advise(offer, cards("As"))] == [("play", Fraction(96, 51)), ("fold", -1)]
    assert strategy(offer).words
    assert len(simulate(offer, 1000, 7)) == 1


def test_three_cards_against_one_are_dealt_out() -> None:
    """The highest of three cards counts."""
    told = {each.choice: each.value for each in advise(offered(high_card(3, 1, 1)), cards("3s 3h 2c"))}
    # 3 twos are lower, 2 threes equal and 44 cards higher
    assert told == {"play": Fraction(2 * (3 - 44), 49), "fold": -1}


@pytest.mark.parametrize("how", ["best", "always play"])
def test_hands_of_more_kinds_than_a_table_holds_are_refused(how: str) -> None:
    offer = offered(high_card(7, 7, 7))
    sentence = r"a comparison of [\d,]+ kinds of hands \(“Hand”\)"
    seven = cards("As Kd Qs Js 9s 8h 2c")
    for ask in (
        lambda: analyze(offer),
        lambda: strategy(offer),
        lambda: advise(offer, seven),
        lambda: simulate(offer, 1000, 7, strategy=how),
    ):
        with pytest.raises(NotCounted, match=sentence):
            ask()
