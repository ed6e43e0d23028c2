"""Paper is true: every payout of the Offer is on it, every figure is the chapter's or a count's, and printing twice gives the same bytes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path

import pypdfium2
import pytest

from croupier import book
from croupier.book import poker
from croupier.cards import JACK, deck
from croupier.filing.check import check
from croupier.filing.offer import ADDED_ROWS, Offer
from croupier.filing.template import example_choices
from croupier.law.paytable import Envy, Paytable
from croupier.law.ranking import Hand, Ranking, shape_of
from croupier.money import percent, show_money
from croupier.odds.prices import prices
from croupier.odds.report import best_play, code_hash, report
from croupier.odds.solvers.main_game import main_settlement
from croupier.printed.content.example_hands import example_hand, rankings
from croupier.printed.content.filed_choices import priced_choices
from croupier.printed.content.outcomes import situations
from croupier.printed.content.payouts import schedules
from croupier.printed.documents import strategy_card
from croupier.printed.documents.guide import _rankings
from croupier.printed.documents.mathematics import _counts, mathematics
from croupier.printed.drawing.look import HOUSE
from croupier.printed.output.document import DataTable, Document, Pays, Paytables, PrintedFiling, Ranked, document, filing
from croupier.printed.output.page import page as page_of
from croupier.printed.output.typeset import typeset
from croupier.printed.press import DOCUMENTS, bind_guide, print_document
from tests.examples import some_games, started
from tests.printed.filings import GAMES, bare, offer
from tests.printed.odds import KINDS, counted, kept, known_odds  # noqa: F401  (a fixture)

pytestmark = pytest.mark.usefixtures("known_odds")


@cache
def filed(game: str) -> PrintedFiling:
    return filing(check(example_choices(offer(game).rules)), HOUSE)


def words_of(pdf: bytes) -> list[str]:
    """The words of each page, with whitespace collapsed."""
    pages = pypdfium2.PdfDocument(pdf)
    return [" ".join(page.get_textpage().get_text_range().split()) for page in pages]


def paytables_of(each: Offer) -> list[tuple[Paytable, dict[str, str]]]:
    """The tables that apply to what is offered, with the rows they pay, straight from the chapter."""
    found = []
    envy = {table.name: rule for rule in each.rules.of(Envy) for table in rule.schedules.values()}
    settled = {
        line.table.name
        for settlement in each.rules.settlements
        if each.offers(settlement.wager)
        for _, lines in settlement.every_case()
        for line in lines
        if line.table
    }
    for name, table in each.tables.items():
        column = each.column(name)
        amount = each.progressives[envy[name].wager.name].amount if name in envy and each.offers(envy[name].wager) else 0
        if name in settled or (amount and envy[name].schedules[amount] is table):
            found.append((table, {row: str(odds) for row, odds in column.items() if table.pays(column, row)}))
    return found


@some_games
@pytest.mark.parametrize("kind", ["sign", "guide"])
def test_every_payout_of_the_offer_is_found_in_the_text_of_the_pdf(kind: str, game: str) -> None:
    words = " ".join(words_of(print_document(kind, filed(game))[f"{filed(game).name}-{kind}.pdf"]))
    for table, rows in paytables_of(offer(game)):
        at = words.find(str(table.cite))
        assert at >= 0, table.name
        for row, odds in rows.items():
            assert f"{row} {odds}" in words, f"{table.name}: {row}"


@some_games
def test_every_row_on_the_sign_is_a_row_of_the_chapter_and_none_is_missing(game: str) -> None:
    told = {(each.table, row): odds for each in schedules(offer(game)) if each.table for row, odds in each.rows}
    law = {(table.name, row): odds for table, rows in paytables_of(offer(game)) for row, odds in rows.items()}
    assert told == law


def test_odds_outside_the_tables_are_stated_with_their_condition() -> None:
    rows = {row: odds for each in schedules(offer("680a")) if not each.table for row, odds in each.rows}
    assert rows == {"Ante Wager, with any other Point Count": "1 to 1", "Ante Wager, with a Point Count of 5": "1 to 2"}
    conditions = {each.condition for each in schedules(offer("679a")) if each.title == "Pair Bonus Wager"}
    assert conditions == {"if the fourth card is a 2", "if the fourth card is not a 2"}


def test_a_reading_that_pays_a_row_otherwise_is_on_the_sign() -> None:
    raw = example_choices(offer("680a").rules)
    read = check(raw | {"readings": raw["readings"] | {"two pair": "9 to 1"}}).offer_or_refuse()
    bonus = next(each for each in schedules(read) if each.title == "Bonus Wager")
    assert bonus.rows[-1] == ("Two pair", "9 to 1") and len(bonus.rows) == 10


def test_a_row_that_the_submission_adds_is_on_the_sign() -> None:
    raw = example_choices(offer("649a").rules) | {"mini_royal": {"Pair Plus Wager": 50}}
    pair_plus = next(each for each in schedules(check(raw).offer_or_refuse()) if each.title == "Pair Plus Wager")
    assert pair_plus.rows[0] == ("Mini-royal flush", "50 to 1")


def test_what_is_not_offered_is_not_printed() -> None:
    told = {each.title for each in schedules(bare("649a"))}
    assert told == {"Ante Wager and Play Wager", "Ante Bonus", "Pair Plus Wager"}


# Figures


FIGURE = re.compile(r"\$[\d,]+(?:\.\d\d)?|(?<![.\w])\d[\d,]* (?:to|for) \d+|\d+% of meter")


def allowed(each: Offer) -> set[str]:
    """Every amount and every odds that the Offer or its chapter states."""
    found = {show_money(amount) for amount in (each.minimum, each.maximum, each.payout_limit or 0)}
    found |= {show_money(sum_) for terms in each.progressives.values() for sum_ in (terms.amount, terms.seed, terms.reseed)}
    found |= {odds for each_ in schedules(each) for _, odds in each_.rows}
    found |= {words for wager in each.rules.wagers.values() if wager.amounts for words in FIGURE.findall(wager.amounts.words)}
    return found


@some_games
@pytest.mark.parametrize("kind", ["sign", "guide", "submission"])
def test_every_sum_and_every_odds_on_paper_is_the_offers(kind: str, game: str) -> None:
    words = " ".join(words_of(print_document(kind, filed(game))[f"{filed(game).name}-{kind}.pdf"]))
    strangers = set(FIGURE.findall(words)) - allowed(offer(game))
    assert not strangers


@some_games
def test_the_guide_states_the_counted_edge_of_every_wager(game: str) -> None:
    words = " ".join(words_of(print_document("guide", filed(game))[f"{filed(game).name}-guide.pdf"]))
    for entry in prices(offer(game)).wagers:
        assert percent(entry["edge"]) in words, entry["wager"]


@some_games
def test_the_mathematics_report_has_every_count_and_the_edge_as_a_fraction(game: str) -> None:
    words = " ".join(words_of(print_document("mathematics", filed(game))[f"{filed(game).name}-mathematics.pdf"]))
    for entry in prices(offer(game)).wagers:
        assert f"{entry['combinations']:,}" in words
        edge = Fraction(entry["edge"])
        assert f"{percent(edge)} {percent(1 - edge)} {percent(edge / Fraction(entry['wagered']))}" in words  # edge, return, risk
        assert entry["edge"] in words
        for outcome in entry["outcomes"]:
            assert f"{outcome['count']:,}" in words
    assert offer(game).hash in words and code_hash()[:40] in words
    assert "agrees" in words and "differs" not in words


@some_games
def test_the_mathematics_report_states_the_choices_that_its_figures_assume(game: str) -> None:
    assumed = next(block for block in mathematics(filed(game)).blocks if isinstance(block, DataTable) and block.head[0] == "Choice")
    assert assumed.rows == priced_choices(offer(game))


def test_649a_version_added_row_and_draws_are_among_the_choices_of_a_price() -> None:
    more = {"form": "7(e)(2)", ADDED_ROWS: {"Pair Plus Wager": 60}, "system": {"magic_card": 7, "lucky": 5}}
    rows = priced_choices(check(example_choices(offer("649a").rules) | more).offer_or_refuse())
    assert rows[0] == (
        "Version of the game",
        "a Pair Plus Wager only with an Ante Wager of at least half as much",
        "649a.7(e)(2)",
    )
    assert ("Pair Plus Wager, mini-royal flush added", "60 to 1", "649a.12(g)(2)") in rows
    assert [row[:2] for row in rows[-2:]] == [
        ("Draw of a magic card", "in one round of 7"),
        ("Draw of a lucky position", "in one round of 5"),
    ]


@pytest.mark.parametrize(("letter", "marked"), [("A", []), ("F", ["Two pair*", "Pair of aces*"])])
def test_641a_12_c_the_mathematics_report_marks_reconstructed_rows(letter: str, marked: list[str]) -> None:
    """These rows are damaged in the text. Sign and guide, which players read, state only what is paid."""
    raw = example_choices(offer("641a").rules)
    each = check(raw | {"paytables": {**raw["paytables"], "Aces Up Wager": letter}}).offer_or_refuse()
    entry = next(price for price in prices(offer("641a")).wagers if price["wager"] == "Aces Up Wager")
    table = _counts(each, entry)
    assert [row[0] for row in table.rows if row[0].endswith("*")] == marked
    assert ("was reconstructed" in table.note) == bool(marked)
    assert not any("*" in row for schedule in schedules(each) for row, _ in schedule.rows)


@some_games
def test_counts_of_a_report_add_up_to_its_edge(game: str) -> None:
    for entry in prices(offer(game)).wagers:
        if not entry["meter"]:
            net = sum(Fraction(each["net"]) * each["count"] for each in entry["outcomes"]) / entry["combinations"]
            assert -net == Fraction(entry["edge"])


def test_the_draws_of_the_system_count_in_the_edge_that_is_printed() -> None:
    words = " ".join(words_of(print_document("guide", filed("649a"))["three-card-poker-guide.pdf"]))
    assert "Five Card Hand Bonus on the player's hand 9.8766%" in words  # 60.84% less 1.923077 / 5 and 0.625 / 5


@some_games
def test_the_strategy_card_is_one_page_with_every_word_and_the_edge(game: str) -> None:
    (page,) = words_of(print_document("strategy", filed(game))[f"{filed(game).name}-strategy.pdf"])
    best = kept()[game]["strategy"]
    assert percent(best["edge"]) in page
    for line in best["words"]:
        assert re.sub(r"\W", "", line)[1:] in re.sub(r"\W", "", page)  # a hyphen at the end of a line is lost


@some_games
def test_the_form_has_every_choice_with_its_clause(game: str) -> None:
    words = " ".join(words_of(print_document("submission", filed(game))[f"{filed(game).name}-submission.pdf"]))
    each = offer(game)
    for name, letter in each.letters.items():
        assert f"{name} {letter} of" in words
    for name in each.wagers:
        assert name in words
    for reading in each.rules.readings.values():
        assert f"{each.reading(reading)}: " in words
    assert each.hash in words and each.rounding in words


# Hands and outcomes


@some_games
def test_every_hand_that_is_paid_or_compared_has_an_example_that_the_ranker_agrees_to(game: str) -> None:
    shown = rankings(offer(game), schedules(offer(game)))
    assert shown
    for ranking, hands in shown:
        for hand in hands:
            assert ranking.row(example_hand(ranking, hand, offer(game).rules.decks.jokers)) == hand.name


def test_a_ranking_is_shown_with_all_the_rows_that_are_paid_unless_another_has_them_in_the_same_order() -> None:
    aces = next(each for each in rankings(offer("682a"), schedules(offer("682a"))) if "Aces Bonus" in each[0].name)
    assert [hand.name for hand in aces[1]] == [
        "Four aces", "Four-of-a-kind", "Royal flush", "Straight flush", "Three aces", "Three-of-a-kind", "Flush", "Straight", "Two pair",
        "Two aces",
    ]  # fmt: skip
    assert [aces[0].clause_of(hand) for hand in aces[1]] == [f"6(d)({n})" for n in range(1, 11)]
    names = [ranking.name for ranking, _ in rankings(offer("679a"), schedules(offer("679a")))]
    assert names == ["Three-card hand", "All-Six hand"]  # the Play Wager's and the Pair Bonus's rows repeat the first


def test_a_row_that_is_added_below_the_royals_of_a_suit_has_an_example_too() -> None:
    raw = example_choices(offer("649a").rules) | {"mini_royal": {"Ante Bonus": 5}, "wagers": []}
    added = check(raw).offer_or_refuse()
    rows = {hand.name: example_hand(ranking, hand, 0) for ranking, hands in rankings(added, schedules(added)) for hand in hands}
    assert [str(card) for card in rows["Mini-royal flush"]] == ["As", "Ks", "Qs"]


@pytest.mark.parametrize(
    ("size", "jokers", "word"),
    [
        (3, 0, poker.of_a_kind(2, at_least=JACK)),  # no hand on the list has such a pair
        (3, 1, lambda shape: shape.ranks == (9, 4, 0)),
        (2, 0, poker.of_a_kind(2)),  # there is no list for two cards
        (5, 0, lambda shape: set(shape.ranks) <= {2, 3, 4}),
        (4, 0, lambda shape: shape.suit == "c" and shape.ranks[0] == 9),
    ],
)
def test_a_row_with_a_custom_word_has_an_example(size: int, jokers: int, word: poker.Word) -> None:
    own = Hand("Own", word)
    ranking = Ranking("X", "Own hand", size, [Hand("Three-of-a-kind", poker.of_a_kind(3)), own], cite="6(a)")
    held = example_hand(ranking, own, jokers)
    assert len(set(held)) == size and set(held) <= set(deck(jokers))
    assert word(shape_of(held)) and max(shape_of(held).counts) < 3


def test_a_guide_prints_a_row_that_no_hand_fills_without_an_example(tmp_path: Path) -> None:
    text = started(tmp_path).read_text()
    changed = text.replace('Hand("Flush", poker.flush)', 'Hand("Flush", poker.flush), Hand("Miracle", lambda shape: False)')
    assert changed != text
    file = tmp_path / "miracle.py"
    file.write_text(changed)
    each = filing(check(example_choices(book.find(file).edition())), HOUSE)
    [heading, name, ranked] = _rankings(each, schedules(each.offer))
    assert isinstance(ranked, Ranked)
    assert [row for drawing, row, _ in ranked.rows if not drawing] == ["Miracle"]
    printed = document(each, "report", "Hands", "", [heading, name, ranked])
    assert "Flush RP.6(a) Miracle RP.6(a) Pair RP.6(a)" in words_of(typeset(printed)[0])[0]
    assert "<span></span><strong>Miracle</strong>" in page_of(printed)


@pytest.mark.parametrize("edition", [rules for game in GAMES for rules in offer(game).rules.chapter.editions], ids=str)
def test_every_row_of_every_edition_has_an_example(edition: object) -> None:
    chapters = [chapter for chapter in book.chapters() if edition in chapter.editions]
    for chapter in chapters:
        rules = chapter.edition(edition.name)  # type: ignore[attr-defined]
        for ranking in rules.of(Ranking):
            for hand in ranking.hands:
                if not hand.only or rules.edition in hand.only:
                    assert example_hand(ranking, hand, rules.decks.jokers)


def test_who_wins_is_as_the_chapter_settles_it() -> None:
    def rows(game: str) -> dict[str, tuple[str, ...]]:
        return {row[0]: row[1:] for row in situations(offer(game), main_settlement(offer(game).rules)).rows}

    assert rows("649a")["The dealer has less than queen high"] == ("wins 1 to 1", "is returned", "Ante Bonus")
    assert rows("653a")["The dealer has less than a pair; your hand is equal"] == ("is returned", "pushes", "pushes", "–")
    assert rows("679a")["The dealer has queen high or better; your hand is higher or equal"][0] == "wins 1 to 1"
    assert rows("680a")["Only your hand qualifies"][0] == "wins 1 to 2 with a Point Count of 5; otherwise wins 1 to 1"
    assert rows("682a")["You fold"] == ("is lost", "–", "–")


# Every page


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_every_page_carries_hash_edition_date_and_number_and_twice_is_the_same(kind: str) -> None:
    one = replace(filed("649a"), look=replace(HOUSE, dated=date(2026, 3, 1)))
    (pdf,) = print_document(kind, one).values()
    pages = words_of(pdf)
    for n, page in enumerate(pages, 1):
        assert one.offer.hash in page and one.offer.hash[:12] in page
        assert "edition 2019-11-02" in page and "dated 2026-03-01" in page and f"page {n} of {len(pages)}" in page
    assert print_document(kind, one) == print_document(kind, one)


def test_a_bound_guide_has_contents_and_each_game_under_its_own_hash() -> None:
    (pdf,) = bind_guide([filed("649a"), filed("680a"), filed("643a")]).values()
    first, *rest = words_of(pdf)
    assert all(offer(game).rules.title in first for game in ("649a", "680a", "643a"))
    for game in ("649a", "680a", "643a"):
        mine = [page for page in rest if offer(game).hash in page]
        assert mine and all(other == game or offer(other).hash not in page for page in mine for other in GAMES)


def test_warnings_are_on_every_document() -> None:
    raw = example_choices(offer("682a").rules)
    warned = filing(check(raw | {"readings": raw["readings"] | {"aces bonus hands": "five cards"}}), HOUSE)
    assert warned.notices
    for kind in ("layout", "sign", "submission"):
        (pdf,) = print_document(kind, warned).values()
        pages = words_of(pdf)
        assert "Filed with warnings" in " ".join(pages) and "far worse than the other wagers" in " ".join(pages)
        assert all("filed with 1 warning" in page for page in pages)


def sizes(pdf: bytes) -> set[float]:
    """The type sizes in a PDF, in points."""
    found = set()
    for page in pypdfium2.PdfDocument(pdf):
        for thing in page.get_objects():
            if thing.type == pypdfium2.raw.FPDF_PAGEOBJ_TEXT:
                size = pypdfium2.raw.c_float()
                pypdfium2.raw.FPDFTextObj_GetFontSize(thing.raw, size)
                found.add(round(size.value * abs(thing.get_matrix().a), 1))
    return found


@some_games
def test_the_odds_on_a_sign_are_set_in_28_points(game: str) -> None:
    blocks = [block for block in DOCUMENTS["sign"](filed(game)).blocks if isinstance(block, Pays)]
    assert blocks
    (pdf,) = print_document("sign", filed(game)).values()
    assert 28.0 in sizes(pdf)


@some_games
def test_nothing_is_cut_off_or_runs_out_of_the_page(game: str) -> None:
    for kind in DOCUMENTS:
        (pdf,) = print_document(kind, filed(game)).values()
        for page in pypdfium2.PdfDocument(pdf):
            wide, high = page.get_size()
            text = page.get_textpage()
            boxes = [text.get_charbox(n) for n in range(text.count_chars())]
            assert all(
                left >= -0.5 and bottom >= -0.5 and right <= wide + 0.5 and top <= high + 0.5 for left, bottom, right, top in boxes
            )


@some_games
def test_a_web_page_has_the_same_payouts_and_fetches_nothing(game: str) -> None:
    for kind in DOCUMENTS:
        (page,) = print_document(kind, filed(game), "html").values()
        text = page.decode()
        assert "<script" not in text and not re.search(r'(?:src|href)="(?!#|data:)', text) and offer(game).hash in text
    sign = print_document("sign", filed(game), "html")[f"{filed(game).name}-sign.html"].decode()
    for _, rows in paytables_of(offer(game)):
        assert all(f"<td>{odds}</td>" in sign for odds in rows.values())


def test_pictures_of_every_page_and_the_felt_itself_as_svg() -> None:
    assert all(data.startswith(b"\x89PNG") for data in print_document("sign", filed("649a"), "png").values())
    pages = print_document("guide", filed("649a"), "svg")
    assert [*pages] == [f"three-card-poker-guide-{n}.svg" for n in range(1, len(pages) + 1)]
    (felt,) = print_document("layout", filed("649a"), "svg").values()
    assert b'data-area="Ante Wager"' in felt


def test_tables_have_a_cell_under_every_head() -> None:
    for game in GAMES:
        for kind, make in DOCUMENTS.items():
            document: Document = make(filed(game))
            for block in document.blocks:
                if isinstance(block, DataTable):
                    assert block.rows and all(len(row) == len(block.head) for row in block.rows), (game, kind)
                if isinstance(block, Paytables):
                    assert all(block.columns)


@some_games
@pytest.mark.parametrize("kind", ["guide", "mathematics", "submission"])
def test_no_column_of_words_is_squeezed_by_another(kind: str, game: str) -> None:
    """Columns of sentences share the width. A column that got only what another left was once set one word per line."""
    for block in DOCUMENTS[kind](filed(game)).blocks:
        if isinstance(block, DataTable) and len(block.head) > 2:
            long = {n for row in block.rows for n, cell in enumerate(row) if len(cell) > 60}
            assert long <= block.wide or len(long) == 1, (block.head, long)


def test_the_form_of_649a_takes_three_pages() -> None:
    """With its fifteen readings. It used to take five."""
    assert len(pypdfium2.PdfDocument(typeset(DOCUMENTS["submission"](filed("649a")))[0])) <= 3


@some_games
def test_the_strategy_card_names_no_other_way_that_costs_nothing(game: str) -> None:
    card = str(DOCUMENTS["strategy"](filed(game)).blocks)
    for each in best_play(offer(game))["simplified"]:
        assert (f"{each['name']} {percent(each['edge'])}" in card) == (Fraction(each["cost"]) > 0)


@pytest.mark.parametrize(
    ("cost", "subtitle", "first"),
    [
        (0, "Best play · house edge 2.0000% of the Ante", "Paragraph"),
        (Fraction(1, 250), "In words · house edge 2.4000% of the Ante (best play: 2.0000%)", "Paragraph"),
        (Fraction(1, 20), "In words · house edge 7.0000% of the Ante (best play: 2.0000%)", "Notice"),
    ],
)
def test_the_strategy_card_puts_no_edge_above_words_that_do_not_reach_it(
    cost: Fraction, subtitle: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = [{"name": "these words to the letter", "edge": str(Fraction(1, 50) + cost), "cost": str(cost)}]
    found = {"edge": "1/50", "words": ["always play."], "simplified": ways}
    monkeypatch.setattr(strategy_card, "best_play", lambda _: found)
    card = strategy_card.strategy_card(filed("649a"))
    assert (card.subtitle, type(card.blocks[0]).__name__) == (subtitle, first)
    assert ("No short rule is close to best play" in str(card.blocks)) == (first == "Notice")
    assert len(typeset(card)) == 1


def test_published_figures_of_all_letters_are_not_compared_with_one() -> None:
    """679a: the Board published the least and the most of all letters. A filing offers one."""
    three = offer("679a").rules
    assert any("the most: published 5.83%, and the text gives it" in line for line in report(three)["published"])
    filing_of_one = check(example_choices(three) | {"facility": "Counted afresh"}).offer_or_refuse()
    assert prices(filing_of_one).published == ["Prime Wager: published 3.62%, and the text gives it"]


def test_typst_needs_neither_network_nor_system_fonts() -> None:
    pages = typeset(DOCUMENTS["sign"](filed("649a")))
    fonts = set(re.findall(rb"/FontName /[A-Z]{6}\+([\w-]+)", pages[0]))
    assert not fonts or all(name.startswith(b"SourceSansPro") for name in fonts)


# The kept odds


@pytest.mark.parametrize("game", ["643a", "679a", "680a"])
def test_the_kept_odds_are_what_is_counted(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert report(offer(game).rules, offer(game)) == kept()[game][""]


@pytest.mark.slow
@some_games
def test_all_kept_odds_are_what_is_counted(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert set(kept()[game]) == set(KINDS)
    assert json.loads(json.dumps(counted(game))) == kept()[game]
