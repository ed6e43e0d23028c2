"""Chapters with shapes that no counter supports: refused everywhere with a sentence that names the shape, and never priced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from inspect import Parameter, Signature
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from pypdfium2 import PdfDocument
from typer.testing import CliRunner

from croupier import book
from croupier.book import common, poker
from croupier.cards import Card, cards
from croupier.cli.main import app
from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.filing.template import example_choices
from croupier.law.chapter import Chapter
from croupier.law.fact import DEALER, FOLDED, HIGHER, LOWER, PLAYER, Compared, DealerHas, Has, Holds, Named, Position
from croupier.law.procedure import Act, Deal
from croupier.law.ranking import Hand, Ranking
from croupier.law.settlement import Lines, Settlement, collect, forfeit, pay, pay_by, push
from croupier.law.wager import Choice, Wager, fold, multiples
from croupier.money import to
from croupier.odds import analyze, report
from croupier.odds.advice import advise
from croupier.odds.best_play import strategy
from croupier.odds.counters import counter
from croupier.odds.kernels.card_sets import hand
from croupier.odds.kernels.random_rounds import state_key
from croupier.odds.prices import Prices, prices
from croupier.odds.return_warnings import cautions
from croupier.odds.simulation import players
from croupier.odds.simulation.rounds import simulate
from croupier.odds.solvers import enumerator, side_wagers
from croupier.odds.solvers.main_game import NotCounted
from croupier.printed.content.phrases import short
from croupier.printed.documents.guide import _cost
from croupier.printed.documents.mathematics import mathematics
from croupier.printed.drawing.look import HOUSE
from croupier.printed.output.document import DataTable, filing
from croupier.printed.press import DOCUMENTS
from croupier.web.live.floor_summary import Summaries
from croupier.web.pages.rule_sheet import costs
from croupier.web.workers.odds_worker import Edges
from tests.examples import thorough
from tests.odds import slow
from tests.odds.foreign import begun, offered
from tests.table.pit import toml

HANDS = (
    Hand("Straight flush", poker.straight_flush),
    Hand("Three-of-a-kind", poker.of_a_kind(3)),
    Hand("Pair", poker.of_a_kind(2)),
)
OWN_ACE = ("an ace of one's own", lambda position: position.at(PLAYER)[0].rank == 14)
LAST_RED = ("a red last card", lambda position: position.at(PLAYER)[-1].is_red)
SAME_CARD = (
    "a card that the dealer's pairs",
    lambda position: bool({c.rank for c in position.at(PLAYER)} & {c.rank for c in position.at(DEALER)}),
)
BY_SEAT = ("the first seat", lambda position: position.seat == 1)
ONE_SUIT = ("one suit", lambda position: len({card.suit for card in position.at(PLAYER)}) == 1)
ACE_OF_SPADES = ("the ace of spades", lambda position: Card(14, "s") in position.at(PLAYER))
TWO_REDS = ("two red cards", lambda position: sum(card.is_red for card in position.at(PLAYER)) == 2)


def against_a_dealer(name: str, sees: Callable[[Position], Any]) -> Chapter:
    """Three cards against three, and a side wager that depends on this fact."""
    chapter = begun()
    ranking = chapter.ranking("Hand", cite="6(a)", size=3, compared=True, hands=HANDS)
    ante = chapter.wager("Ante Wager", cite="7(d)", required=True)
    play = chapter.wager("Play Wager", cite="7(d)", made_by_decision=True)
    side = chapter.wager("Side Wager", cite="7(e)", optional=True, needs=[ante])
    script = (Deal(3, PLAYER), Deal(3, DEALER))
    common.dealing(chapter, entitled=[ante], shoe=script, automated=script)
    choices = [*multiples("play", play, 1, cite="11(b)"), fold("11(b)")]
    silent = choices[-1]
    chapter.decision("Play Wager", cite="11(b)", asked_of=ante, knows="three cards", choices=choices, unanswered=silent)
    for act in (Act.COLLECT, Act.REVEAL, Act.SETTLE, Act.CLEAR):
        chapter.stage("11(c)", act)

    holds = Holds(ranking)

    @chapter.settles(ante, play, cite="11(c)", asks={"folded": FOLDED, "compared": Compared(ranking), "_": holds}, hand=holds)
    def main(folded: bool, compared: Any, _: str) -> Iterator[Lines]:
        if folded:
            yield forfeit(ante, cite="11(b)")
        elif compared is LOWER:
            yield collect(ante, play, cite="11(c)")
        elif compared is HIGHER:
            yield pay(ante, play, at=to(1), cite="12(a)")
        else:
            yield push(ante, play, cite="11(c)")

    fact = Named(name, (True, False), sees)

    @chapter.settles(side, cite="11(d)", asks={"seen": fact})
    def beside(seen: bool) -> Iterator[Lines]:
        yield pay(side, at=to(1), cite="12(b)") if seen else collect(side, cite="11(d)")

    return chapter


def without_a_dealer(*, equal: bool = False) -> Chapter:
    """Three cards, no one to beat, and two bets to withdraw one after the other with nothing shown in between."""
    chapter = begun()
    ranking = chapter.ranking("Hand", cite="6(a)", size=3, hands=(Hand("Pair", poker.of_a_kind(2)),))
    first = chapter.wager("Bet One", cite="7(d)", group="Bets", required=True)
    second, third = (
        chapter.wager(f"Bet {n}", cite="7(d)", group="Bets", required=True, equals=first if equal else None)
        for n in ("Two", "Three")
    )
    script = (Deal(3, PLAYER),)
    common.dealing(chapter, entitled=[first], shoe=script, automated=script)
    said = []
    for bet in (first, second):
        choices = [Choice("ride", "11(b)", goes_on=True), Choice("withdraw", "11(b)", withdraws=bet, goes_on=True)]
        silent = choices[0]
        said.append(
            chapter.decision(bet.name, cite="11(b)", asked_of=first, knows="three cards", choices=choices, unanswered=silent)
        )
    chapter.stage("11(c)", Act.SETTLE)
    chapter.stage("11(d)", Act.CLEAR)
    holds = Holds(ranking)
    table = chapter.paytable("Bets", "Pair   2 to 1\n", cite="12(a)", hands=ranking)

    @chapter.settles(first, second, third, cite="11(c)", asks={"one": said[0], "two": said[1], "row": holds}, hand=holds)
    def bets(one: str, two: str, row: str) -> Iterator[Lines]:
        for word, bet in ((one, first), (two, second), ("ride", third)):
            if word == "ride":
                yield pay_by(table, row, on=bet)

    return chapter


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))


def shelved(chapter: Chapter, monkeypatch: pytest.MonkeyPatch) -> None:
    """The foreign chapter, added to the book."""
    monkeypatch.setattr(book, "_installed", lambda: (chapter,))


FOREIGN = {
    "ranks on both sides": (SAME_CARD, "“a card that the dealer's pairs” looks at the ranks of 6 cards"),
    "a seat": (BY_SEAT, "“the first seat” looks at the seat"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_side_wager_that_sees_too_much_is_refused_everywhere(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (called, sees), sentence = FOREIGN[name]
    chapter = against_a_dealer(called, sees)
    shelved(chapter, monkeypatch)
    offer = offered(chapter)
    with pytest.raises(NotCounted, match=sentence):
        analyze(offer)
    with pytest.raises(NotCounted, match=sentence):
        simulate(offer, 1000, 7)
    found = prices(offer)
    assert sentence in found.not_counted["Side Wager"]
    assert [price["wager"] for price in found.wagers] == ["Ante Wager"]
    assert [(finding.about, sentence in finding.found) for finding in cautions(offer) if "Side" in finding.about] == [
        ("Side Wager", True)
    ]
    assert on_pages_and_paper(offer, found)["Side"] == "not counted"
    assert sentence in dict(costs(found))["Side Wager"]
    file = tmp_path / "filing.toml"
    file.write_text(toml(example_choices(chapter.edition())))
    for command in (
        ["odds", "990a"],
        ["odds", "990a", "--submission", str(file), "--json"],
        ["simulate", "990a", "--rounds", "1000"],
    ):
        ran = CliRunner().invoke(app, command)
        assert ran.exit_code == 2
        assert sentence in " ".join(ran.stderr.split())
    checked = CliRunner().invoke(app, ["check", str(file), "--odds"])
    assert checked.exit_code == 0  # only a warning
    assert sentence in " ".join(checked.stdout.split())


def together(*names: str) -> tuple[Offer, Settlement]:
    """Three cards against three, and a wager that depends on several facts at once."""
    chapter = against_a_dealer(*TWO_REDS)
    ranking = next(rule for rule in chapter.rules if isinstance(rule, Ranking))
    facts = {
        "row": Holds(ranking),
        "theirs": Holds(ranking, (DEALER,)),
        "how": Compared(ranking),
        "reaches": DealerHas(ranking, "Ace high"),
        "has": Has(ranking, "Pair"),
        "reds": Named(TWO_REDS[0], (True, False), TWO_REDS[1]),
        "folded": FOLDED,
    }
    ante = next(rule for rule in chapter.rules if isinstance(rule, Wager) and rule.required)
    other = chapter.wager("Other Wager", cite="7(e)", optional=True, needs=[ante])

    def settle(*values: Any) -> Iterator[Lines]:
        yield collect(other, cite="11(d)")

    settle.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names])  # type: ignore[attr-defined]
    settlement = chapter.settles(other, cite="11(d)", asks={name: facts[name] for name in names})(settle)
    return offered(chapter), settlement


@pytest.mark.parametrize(
    "names",
    thorough(
        [
            ("row", "how"),
            ("row", "reds"),
            ("theirs", "row", "reaches"),
            ("how",),
            ("has", "reds", "how"),
            ("folded", "how", "theirs"),
        ],
        unless=[("row", "reds"), ("folded", "how", "theirs")],
    ),
    ids=", ".join,
)
def test_facts_that_are_asked_together_are_dealt_out(names: tuple[str, ...]) -> None:
    """They match every deal of a small deck, with folds by best play of the main game."""
    (offer, settlement), deck = together(*names), slow.deck_of(2, 3, 14)
    solved = counter(offer.rules).solve(offer, deck)
    counted = side_wagers.count(offer, settlement, lambda: solved, deck)
    slowly: Counter[Any] = Counter()
    for end in slow.against_dealer(offer, hand(deck)):
        mine = end.cards[PLAYER]
        for theirs in combinations([card for card in hand(deck) if card not in mine], 3):
            position = Position({PLAYER: mine, DEALER: theirs}, folded=end.folded)
            slowly[tuple(fact.of(position) for fact in settlement.asks)] += 1
    found = {tuple(values[fact] for fact in settlement.asks): ways for values, ways in counted if ways}
    assert {each: Fraction(ways, sum(found.values())) for each, ways in found.items()} == {
        each: Fraction(ways, slowly.total()) for each, ways in slowly.items()
    }


@pytest.mark.thorough
def test_a_game_that_is_dealt_out_is_simulated() -> None:
    """The solution has an answer for every state of random rounds, and the mean is near the exact one."""
    offer = offered(without_a_dealer(equal=True))
    player = players.player(offer, "best", 2)
    (found,) = simulate(offer, 20_000, 7, seats=2)
    assert found.agrees
    dealt, answered = player.answers.tables
    scratch, chance = np.zeros(16, dtype=np.int64), Random(7)
    for _ in range(100):
        three = np.array([sorted(chance.sample(range(52), 3)), [0] * 3], dtype=np.int64)
        key = state_key(1, three, dealt, answered, scratch)
        at = int(np.searchsorted(answered.keys, key))
        assert answered.keys[at] == key
        has_pair = len({each // 4 for each in three[0]}) < 3
        assert {*answered.picks[at].tolist()} == {0 if has_pair else 1}


def test_a_long_count_says_how_long_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are 1,755 hands of three cards that differ by more than their suits."""
    shelved(without_a_dealer(equal=True), monkeypatch)
    monkeypatch.setattr(enumerator, "LONG_SECONDS", 0)
    ran = CliRunner().invoke(app, ["odds", "990a"])
    assert ran.exit_code == 0, ran.output
    assert "About 1,755 deals, about a minute." in ran.stderr


def on_pages_and_paper(offer: Offer, found: Prices) -> dict[str, str]:
    """What the guide, the mathematics report and the floor say. All three say the same."""
    guide = next(block for block in _cost(offer) if isinstance(block, DataTable))
    told = {str(row[0]): str(row[1]) for row in guide.rows}
    edges = Edges(enabled=False)
    edges._known[offer.hash] = found
    floor = Summaries(None, edges)._edges(offer, {})  # type: ignore[arg-type]
    assert {short(wager): edge for wager, edge in floor.items()} == told
    return told


ONE_CARD = "cards: the ace of spades is among three of 52"
SEEN = {
    "colors: C(26, 2) × 26 = 8,450 of C(52, 3) = 22,100 hands win, so 1 - 2 × 8,450 / 22,100": (TWO_REDS, "4/17"),
    "a rank: one of 13": (OWN_ACE, "11/13"),
    "a color in its order: every other": (LAST_RED, "0/1"),
    "suits: C(13, 3) × 4 of 22,100": (ONE_SUIT, "381/425"),
    ONE_CARD: (ACE_OF_SPADES, "23/26"),
}


@pytest.mark.parametrize("name", thorough(SEEN, unless=SEEN.keys() - {ONE_CARD}))
def test_a_fact_is_counted_by_what_it_sees(name: str) -> None:
    fact, edge = SEEN[name]
    offer = offered(against_a_dealer(*fact))
    side = next(price for price in prices(offer, fresh=True).wagers if price["wager"] == "Side Wager")
    assert side["edge"] == edge
    assert not prices(offer).not_counted


def test_a_game_of_bets_of_any_amounts_is_refused_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chapter = without_a_dealer()
    shelved(chapter, monkeypatch)
    offer, sentence = offered(chapter), "“Bet Two” need not equal “Bet One”"
    ways: list[Callable[[], Any]] = [
        lambda: analyze(offer),
        lambda: strategy(offer),
        lambda: advise(offer, cards("As Ks Qs")),
        lambda: simulate(offer, 1000, 7),
    ]
    for ask in ways:
        with pytest.raises(NotCounted, match=sentence):
            ask()
    found = prices(offer)
    assert found.wagers == []
    assert sentence in found.not_counted["Bets"]
    assert on_pages_and_paper(offer, found) == {"Bets": "not counted"}
    file = tmp_path / "filing.toml"
    file.write_text(toml(example_choices(chapter.edition())))
    for command in (["odds", "990a"], ["strategy", "990a"], ["advise", "990a", "--cards", "As Ks Qs"]):
        ran = CliRunner().invoke(app, command)
        assert (ran.exit_code, sentence in " ".join(ran.stderr.split())) == (2, True)


def test_a_game_with_two_decisions_and_no_dealer_is_dealt_out() -> None:
    """With a pair or better, three bets win 2 to 1. Otherwise two are withdrawn. C(13, 3) × 4^3 = 18,304 of 22,100 hands have no pair."""
    offer = offered(without_a_dealer(equal=True))
    (bets,) = prices(offer, fresh=True).wagers
    assert Fraction(bets["edge"]) == -Fraction(6 * (22_100 - 18_304) - 18_304, 22_100)
    told = advise(offer, cards("As Ad Qs"))
    assert [(each.choice, each.value) for each in told] == [("Bet One: ride", 6), ("Bet One: withdraw", 4)]
    best = strategy(offer)
    assert best.words == tuple(f"Bet {n}: ride with a pair or better; otherwise withdraw." for n in ("One", "Two"))
    exactly, always = best.simplified
    assert (exactly.name, exactly.cost) == ("these words to the letter", 0)
    assert (always.name, always.edge) == ("always withdraw", 1 - Fraction(3 * (22_100 - 18_304), 22_100))


@pytest.mark.parametrize("chapter", [against_a_dealer(*BY_SEAT), without_a_dealer()], ids=["side", "main"])
def test_every_document_of_a_foreign_chapter_is_printed(chapter: Chapter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This includes a chapter that declares no card area, no boxes and no inscription."""
    shelved(chapter, monkeypatch)
    monkeypatch.setattr(report, "ROUNDS", 1000)
    file = tmp_path / "filing.toml"
    file.write_text(toml(example_choices(chapter.edition())))
    ran = CliRunner().invoke(app, ["print", "all", str(file), "-o", str(tmp_path)])
    assert ran.exit_code == 0, ran.output
    documents = {path.stem.removeprefix("foreign-game-"): path for path in tmp_path.glob("*.pdf")}
    assert {*documents} == {*DOCUMENTS}
    told = {name: text_of(path) for name, path in documents.items()}
    assert "not counted" in told["guide"] and "edge not counted" in told["mathematics"]


def text_of(pdf: Path) -> str:
    return " ".join(" ".join(page.get_textpage().get_text_bounded() for page in PdfDocument(pdf)).split())


@pytest.mark.parametrize("chapter", [against_a_dealer(*BY_SEAT), without_a_dealer()], ids=["side", "main"])
def test_the_mathematics_report_says_what_is_not_counted(chapter: Chapter, monkeypatch: pytest.MonkeyPatch) -> None:
    shelved(chapter, monkeypatch)
    filed = filing(check(example_choices(chapter.edition()), rules=chapter.edition()), HOUSE)
    assert "edge not counted" in str(mathematics(filed).blocks)
