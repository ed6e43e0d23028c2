"""What paper tells a patron besides the odds, compared with the text: limits, folds, meters, the cards that count, what a bonus is paid on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from croupier import book
from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.filing.template import example_choices, example_submission
from croupier.law.fact import DEALER
from croupier.law.procedure import Definition
from croupier.odds.prices import limited, prices
from croupier.odds.solvers.main_game import main_settlement
from croupier.printed.content.fold_terms import fold_words, folding, time_words
from croupier.printed.content.outcomes import situations
from croupier.printed.content.payouts import how_paid, schedules
from croupier.printed.content.phrases import payout_limit
from croupier.printed.documents.guide import exceptions, guide, played, readings_filed
from croupier.printed.documents.sign import meter_note, pays, sign
from croupier.printed.drawing.look import HOUSE
from croupier.printed.output.document import (
    Block,
    DataTable,
    Document,
    Heading,
    Items,
    Paragraph,
    Pays,
    Paytables,
    PrintedFiling,
    filing,
)
from croupier.web.pages.rule_sheet import blocks
from tests.printed.filings import GAMES, offer
from tests.printed.odds import known_odds  # noqa: F401  (a fixture)

pytestmark = pytest.mark.usefixtures("known_odds")
EDITIONS = [(chapter.number, edition.name) for chapter in book.chapters() for edition in chapter.editions]


def filed(game: str, edition: str = "", **changes: Any) -> Offer:
    return check(example_choices(book.find(game).edition(edition)) | changes).offer_or_refuse()


def read_as(game: str, **readings: str) -> Offer:
    """The example with other readings. An underscore stands for a space."""
    raw = example_choices(book.find(game).edition())
    named = {name.replace("_", " "): alternative for name, alternative in readings.items()}
    return check(raw | {"readings": {**raw.get("readings", {}), **named}}).offer_or_refuse()


def note_of(each: Offer, title: str) -> str:
    return next(schedule.note for schedule in schedules(each) if schedule.title == title)


def texts(document: Document) -> str:
    parts = []
    for block in document.blocks:
        match block:
            case Paragraph(text=text):
                parts.append(text)
            case Items(items=items):
                parts += [text for text, _ in items]
            case DataTable(rows=rows):
                parts += [cell for row in rows for cell in row]
            case Pays(note=note):
                parts.append(note)
    return "\n".join(parts)


LOWERED = {
    "643a": ["Let It Ride Poker"],
    "653a": ["Ante"],
    "679a": ["All-Six Bonus"],
    "680a": ["Bonus"],
    "682a": ["Aces Bonus", "All-Six Bonus"],
}


FORFEITS = ("641a", "649a", "653a", "679a", "682a")


def fates(each: Offer) -> dict[str, str]:
    """The consequences of each irregularity, by clause, as the guide and the rule sheet state them."""
    rows = [
        row
        for block in exceptions(PrintedFiling(each, (), (), HOUSE))
        if isinstance(block, DataTable)
        for row in block.rows
        if len(row) == 3
    ]
    return {clause: words for _, words, clause in rows}


@pytest.mark.parametrize("game", GAMES)
def test_13_c_paper_says_what_happens_to_payments(game: str) -> None:
    for reading, words in (("taken back", "what was already paid is taken back"), ("stands", "wagers already settled stand")):
        found = fates(read_as(game, late_finding=reading))
        assert words in found[f"{game}.13(c)"]
        assert [clause for clause, fate in found.items() if words in fate] == [f"{game}.13(c)"]  # all others are found earlier


@pytest.mark.parametrize("game", FORFEITS)
def test_13_c_paper_says_what_happens_to_a_fold_in_a_void_round(game: str) -> None:
    words, clauses = "wagers lost by folding stay lost", {f"{game}.13(c)", f"{game}.13(d)"}
    lost = fates(read_as(game, forfeited_in_a_void_round="stays lost"))
    assert clauses <= {clause for clause, fate in lost.items() if words in fate}
    assert not any(words in fate for fate in fates(read_as(game)).values())


@pytest.mark.parametrize(("reading", "words"), [("stays lost", "gets nothing back"), ("goes back", "gets their wagers back too")])
def test_7_b_paper_says_what_a_player_who_left_gets_back(reading: str, words: str) -> None:
    blocks_of = exceptions(PrintedFiling(read_as("649a", abandoned_in_a_void_round=reading), (), (), HOUSE))
    assert any(isinstance(block, DataTable) and words in block.note for block in blocks_of)


@pytest.mark.parametrize("game", GAMES)
def test_the_guide_names_the_wagers_whose_payouts_the_limit_lowers(game: str) -> None:
    """At $500: 3 bets at 1,000 to 1, a Blind at 500 to 1, 1,000 to 1, 5,000 to 1, 500 to 1. The limit is $50,000."""
    assert [price["wager"].removesuffix(" Wager") for price in limited(offer(game), prices(offer(game)))] == LOWERED.get(game, [])
    cost = next(
        block
        for block in guide([filing(check(example_choices(offer(game).rules)), HOUSE)]).blocks
        if isinstance(block, DataTable) and "House edge" in block.head
    )
    assert ("before the payout limit" in cost.note) == (game in LOWERED)


def test_a_limit_above_every_payout_lowers_none() -> None:
    high = filed("679a", payout_limit=10_000_000)
    assert limited(high, prices(offer("679a"))) == []


def test_680a_6_c_sign_and_guide_say_what_the_joker_is_on_the_bonus() -> None:
    assert "The joker is an ace, or the card that completes" in note_of(offer("680a"), "Bonus Wager")
    assert "The joker is an ace" not in texts(guide([filing(check(example_choices(offer("680a").rules) | {"wagers": []}), HOUSE)]))


def test_680a_12_b_the_exception_stands_before_the_rule() -> None:
    ante = next(each for each in schedules(offer("680a")) if each.title == "Ante Wager")
    assert [odds for _, odds in ante.rows] == ["1 to 2", "1 to 1"]


def test_643a_11_f_the_guide_says_which_hands_lose() -> None:
    told = texts(guide([filing(check(example_choices(offer("643a").rules)), HOUSE)]))
    assert "The paytable pays pair - tens or better; a wager with a lower hand loses." in told
    for game in (each for each in GAMES if offer(each).rules.dealt[DEALER]):  # there the dealer's hand decides
        assert "a wager with a lower hand loses" not in texts(guide([filing(check(example_choices(offer(game).rules)), HOUSE)]))


def test_the_guide_says_which_hand_a_choice_needs() -> None:
    told = texts(guide([filing(check(example_choices(offer("C4").rules)), HOUSE)]))
    assert "You may bet 2 or 3 times the Ante only with a pair of aces or better." in told
    assert "only with" not in texts(guide([filing(check(example_choices(offer("MS").rules)), HOUSE)]))


def test_the_guide_says_which_hands_push_and_which_lose_by_their_table() -> None:
    told = texts(guide([filing(check(example_choices(offer("MS").rules)), HOUSE)]))
    assert "pays jacks or better; a pair of sixes to tens pushes; a wager with a lower hand loses." in told
    rows = {row[0]: row[1:] for row in situations(offer("C4"), main_settlement(offer("C4").rules)).rows}
    assert rows["The dealer has king high or better; your hand is lower"][1] == (
        "paid by its table with four aces, four-of-a-kind, straight flush, three-of-a-kind, flush or straight; otherwise loses"
    )


def test_a_table_that_pays_several_wagers_is_headed_with_their_names() -> None:
    assert [pays(offer("MS"), each).title for each in schedules(offer("MS"))] == ["Ante, 3rd Street, 4th Street and 5th Street"]


def test_680a_a_bonus_wager_without_an_ante_is_optional() -> None:
    """Under this reading, nothing is said about an Ante. Its guide once failed to print."""
    alone = filing(
        check(
            example_choices(book.find("680a").edition())
            | {"readings": {**example_choices(book.find("680a").edition())["readings"], "optional wagers": "alone"}}
        ),
        HOUSE,
    )
    wagers = next(block for block in guide([alone]).blocks if isinstance(block, DataTable))
    assert [row[1] for row in wagers.rows if row[0] == "Bonus"] == ["Optional, made before the deal"]


# which wagers get a player cards


@pytest.mark.parametrize(
    ("form", "words", "clause", "ante", "pair_plus", "others"),
    [
        ("", "an Ante or a Pair Plus", "7(d)(1)", "Optional, made", "Optional, made", "Only with an Ante or a Pair Plus;"),
        ("7(e)(1)", "an Ante", "7(e)(1)", "Required to play;", "Only with an Ante;", "Only with an Ante;"),
        ("7(e)(2)", "an Ante", "7(e)(2)", "Required to play;", "Only with an Ante;", "Only with an Ante;"),
        ("7(e)(3)", "an Ante and a Pair Plus", "7(e)(3)", "Required", "Required", "Only with an Ante and a Pair Plus;"),
    ],
)
def test_649a_7_e_guide_and_rule_sheet_say_what_the_filed_version_requires(
    form: str, words: str, clause: str, ante: str, pair_plus: str, others: str
) -> None:
    """7(e) applies notwithstanding 7(d)(1)-(3)."""
    rules = book.find("649a").edition()
    raw = example_choices(rules) | ({"form": form} if form else {})
    blocks_of = list(played(filing(check(raw), HOUSE)))
    assert Paragraph(f"To be dealt in, place {words}.", f"649a.{clause}") in blocks_of
    wagers = next(block for block in blocks_of if isinstance(block, DataTable))
    found = {row[0]: row[1] for row in wagers.rows}
    assert found["Ante"].startswith(ante) and found["Pair Plus"].startswith(pair_plus)
    assert all(found[name].startswith(others) for name in ("Six Card Bonus", "5 of 6 Progressive Payout"))
    sheet = blocks(example_submission(rules).replace(f'# form = "{form}"', f'form = "{form}"'))
    versions = [cite for block in sheet if isinstance(block, Items) for _, cite in block.items if "7(e)" in cite]
    assert versions == ([f"649a.{form}"] if form else [])


@pytest.mark.parametrize("game", ["679a", "680a", "682a"])
def test_7_d_1_a_wager_that_may_be_made_alone_gets_cards(game: str) -> None:
    for reading, others in (("need an Ante", 0), ("alone", len(offer(game).wagers))):
        each = PrintedFiling(read_as(game, optional_wagers=reading), (), (), HOUSE)
        words = next(block.text for block in played(each) if isinstance(block, Paragraph) and "To be dealt in" in block.text)
        assert words.startswith("To be dealt in, place an Ante")
        assert words.count(",") + words.count(" or ") - 1 == others
        wagers = next(block for block in played(each) if isinstance(block, DataTable))
        assert wagers.rows[0][1].startswith("Optional, made before the deal" if others else "Required to play")


@pytest.mark.parametrize(("letter", "told"), [("A", []), ("F", ["two pair and pair of aces of the Aces Up Wager, paytable F."])])
def test_641a_12_c_the_rule_sheet_says_which_rows_are_reconstructed(letter: str, told: list[str]) -> None:
    text = example_submission(book.find("641a").edition()).replace('"Aces Up Wager" = "A"', f'"Aces Up Wager" = "{letter}"')
    found = [block.text for block in blocks(text) if isinstance(block, Paragraph) and "reconstructed" in block.text]
    assert found == [f"Missing from the text and reconstructed: {words}" for words in told]


# only what is offered


def test_every_term_of_a_wager_names_one_of_the_chapter() -> None:
    for game, edition in EDITIONS:
        rules = book.find(game).edition(edition)
        optional = {wager.name for wager in rules.wagers.values() if wager.optional}
        assert {each.wager for each in rules.of(Definition)} <= {"", *optional}


FIVE_CARD_WAGERS = ("Five Card Hand Bonus Wager", "Five-Card Progressive Payout Wager")


@pytest.mark.parametrize("names", [(), FIVE_CARD_WAGERS[:1], FIVE_CARD_WAGERS[1:], FIVE_CARD_WAGERS])
def test_649a_paper_names_only_the_wagers_that_are_offered(names: tuple[str, ...]) -> None:
    each = PrintedFiling(filed("649a", wagers=list(names)), (), (), HOUSE)
    words = texts(replace(sign(each), blocks=[*played(each), *exceptions(each)]))
    dealt = " or ".join(f"a {name}" for name in names)
    assert ("2 cards face down to the community-card area" in words) == bool(names)
    assert not names or f"if any player has {dealt}." in words
    assert ("Magic Card Bonus" in words) == (FIVE_CARD_WAGERS[0] in names)
    assert ("Five-Card Envy Bonus Qualifying Hand" in words) == (FIVE_CARD_WAGERS[1] in names)
    assert "Three-Card Envy" not in words and "5 of 6" not in words


@pytest.mark.parametrize("offered", [True, False])
def test_680a_the_rule_sheet_says_nothing_of_a_wager_that_is_not_offered(offered: bool) -> None:
    """2(b)(4), and the definition of 1"""
    text = example_submission(book.find("680a").edition()).replace(
        'wagers = ["Bonus Wager"]', f"wagers = {['Bonus Wager'] if offered else []}"
    )
    points = [words for block in blocks(text) if isinstance(block, Items) for words, _ in block.items]
    assert any(words.startswith("Bonus Wager:") for words in points) == offered
    assert ("The layout has an area “Bonus Wager” for each player." in points) == offered


# the payout limit


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (
            "643a",
            "$50,000 per hand and covers Bet Number 1, Bet Number 2 and Bet Number 3, but not Let It Ride Bonus or Three Card Bonus.",
        ),
        ("653a", "$50,000 per hand and covers Ante, Blind, Play and Trips, but not Progressive Payout."),
        ("679a", "per player per round and covers Ante, Play, Bad Beat Bonus, Prime, Pair Bonus and All-Six Bonus."),
        ("680a", "$50,000 per player per round and covers Ante and Bonus."),
        ("682a", "$50,000 per player per round and covers Aces Bonus and All-Six Bonus, but not Ante, Raise or Prime."),
    ],
)
def test_the_payout_limit_says_its_unit_and_its_wagers(game: str, words: str) -> None:
    """643a.12(d) and 653a.12(e) limit a single hand. 679a.12(h), 680a.12(d) and 682a.12(g) limit a player's round of play."""
    limited = filed(game, payout_limit=50_000)
    assert payout_limit(limited).endswith(words)
    paper = filing(check(example_choices(limited.rules) | {"payout_limit": 50_000}), HOUSE)
    assert words in texts(sign(paper))


@pytest.mark.parametrize(("game", "clause"), [("679a", "12(h)"), ("682a", "12(g)")])
def test_a_six_card_royal_of_table_e_is_outside_the_limit(game: str, clause: str) -> None:
    raw = example_choices(book.find(game).edition()) | {"payout_limit": 200_000}
    words = payout_limit(check(raw | {"paytables": {**raw["paytables"], "All-Six Bonus Wager": "E"}}).offer_or_refuse())
    assert "Paid in full regardless of the limit: Six-card royal flush—diamonds" in words, clause
    assert "in full" not in payout_limit(check(raw).offer_or_refuse())


# folds


def test_649a_11_b_what_a_fold_loses() -> None:
    """(b)(1) the Pair Plus, (b)(2) the three- and five-card progressives but not their envy, (b)(3) neither of the others."""
    words, clauses = fold_words(offer("649a"))
    assert words == (
        "If you fold, you lose your Ante, Pair Plus, Three-Card Progressive Payout and Five-Card Progressive Payout. "
        "Your Six Card Bonus, Five Card Hand Bonus and 5 of 6 Progressive Payout stay in play and are settled. "
        "You can still receive the Three-Card Envy Bonus and Five-Card Envy Bonus."
    )
    assert clauses == "649a.11(b), 649a.11(b)(1), 649a.11(b)(2)"


def test_641a_11_b_1_aces_up_survives() -> None:
    words, _ = fold_words(offer("641a"))
    assert "lose your Ante and Progressive Payout. Your Aces Up stays in play and is settled. You can still" in words


def test_653a_11_f_2_the_progressive_follows_the_filed_reading() -> None:
    alive, lost = folding(offer("653a")), folding(read_as("653a", folded_progressive="forfeited"))
    assert alive and alive.lost == ("Ante Wager", "Blind Wager") and alive.kept == ("Trips Wager", "Progressive Payout Wager")
    assert lost and lost.lost == ("Ante Wager", "Blind Wager", "Progressive Payout Wager") and lost.kept == ("Trips Wager",)


@pytest.mark.parametrize("game", ["643a", "680a"])
def test_where_no_one_can_fold_nothing_is_said_about_it(game: str) -> None:
    assert fold_words(offer(game)) == ("", "")


@pytest.mark.parametrize("game", GAMES)
def test_guide_and_rule_sheet_say_what_a_fold_loses(game: str) -> None:
    words, _ = fold_words(offer(game))
    paper = guide([filing(check(example_choices(offer(game).rules)), HOUSE)])
    assert words in texts(paper)
    assert words in texts(replace(paper, blocks=blocks(example_submission(offer(game).rules))))


# the time for a decision

LOSES = {
    "641a": "you lose your Ante. Your Aces Up and Progressive Payout stay in play and are settled.",
    "643a": "the bet rides.",
    "653a": "you check; at the last decision you lose your Ante and Blind. Your Trips and Progressive Payout stay in play and are settled.",
    "679a": "you lose your Ante. Your Prime, Pair Bonus and All-Six Bonus stay in play and are settled.",
    "682a": "you lose your Ante. Your Prime, Aces Bonus and All-Six Bonus stay in play and are settled.",
}


@pytest.mark.parametrize("game", LOSES)
def test_what_silence_loses_and_what_it_does_not(game: str) -> None:
    assert time_words(offer(game))[0] == f"You have 90 seconds for each decision. If you do not answer, {LOSES[game]}"


def test_what_silence_loses_follows_the_filed_reading() -> None:
    """649a.11(b)(1) and (2), 643a.11(b)(2) and (d)(2), 680a.11(b)(1)"""
    words, clauses = time_words(read_as("649a", time_runs_out="as a fold"))
    assert words.endswith(fold_words(offer("649a"))[0].removeprefix("If you fold, "))
    assert clauses == "649a.11(b), 649a.11(b)(1), 649a.11(b)(2)"
    assert "Your Pair Plus, Three-Card Progressive Payout, " in time_words(offer("649a"))[0]
    back, clauses = time_words(read_as("643a", time_runs_out="withdrawn"))
    assert back.endswith("If you do not answer, the bet is returned to you.")
    assert clauses == "643a.11(b)(2), 643a.11(d)(2)"
    assert (
        "You have 90 seconds to set your hand. If you do not, your hand counts by the qualifying setting with the highest Point Count"
        in (time_words(offer("680a"))[0])
    )
    assert "the lowest Point Count" in time_words(read_as("680a", time_runs_out="lowest point count"))[0]


@pytest.mark.parametrize("game", GAMES)
def test_sign_guide_and_rule_sheet_state_the_time_and_what_silence_does(game: str) -> None:
    words, _ = time_words(offer(game))
    each = filing(check(example_choices(offer(game).rules)), HOUSE)
    paper = guide([each])
    for printed in (paper, sign(each), replace(paper, blocks=blocks(example_submission(offer(game).rules)))):
        assert words in texts(printed)
    assert time_words(filed(game, decisions={"seconds": 0})) == ("", "")


# meters


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_a_meter_starts_again_at_its_reseed(game: str, edition: str) -> None:
    each = filed(game, edition)
    for name, terms in each.progressives.items():
        assert f"restarts at ${terms.reseed // 100:,}." in meter_note(each, name)


def test_649a_12_i_4_the_hand_bonus_meter_starts_again_at_nothing() -> None:
    note = meter_note(offer("649a"), "Five Card Hand Bonus Wager")
    assert (
        "21% of it goes to the meter and 8% to a reserve. The meter starts at $10,000. After it is won in full, it restarts at $0."
        in note
    )

    released = read_as("649a", reserve="starts the meter again")
    assert meter_note(released, "Five Card Hand Bonus Wager").endswith("restarts at $0 plus the reserve.")


@pytest.mark.parametrize("game", ["641a", "649a", "653a"])
def test_a_meter_that_restarts_after_the_round_says_so(game: str) -> None:
    """641a.12(d)(4), 649a.12(e)(4), 653a.12(d)(4)"""
    each = read_as(game, reseed="after the round")
    assert all(meter_note(each, name).endswith(" once the round is over.") for name in each.progressives)


def test_649a_12_i_3_a_magic_card_says_whether_the_wager_is_returned() -> None:
    paid = "Paid whether or not the Five Card Hand Bonus itself wins"
    for reading, words in (("stays", f"{paid}."), ("goes back", f"{paid}; your wager is returned if it does not.")):
        notes = [each.note for each in schedules(read_as("649a", magic_and_lucky_stake=reading)) if each.title.startswith("Magic")]
        assert notes == [words]


@pytest.mark.parametrize(("reading", "until"), [("void", ""), ("not void", " before the first Raise Wager")])
def test_682a_13_d_paper_says_until_when_an_exposed_card_voids_the_hands(reading: str, until: str) -> None:
    each = PrintedFiling(read_as("682a", exposed_among_the_raises=reading), (), (), HOUSE)
    events = [row[0] for block in exceptions(each) if isinstance(block, DataTable) for row in block.rows]
    assert f"Dealer's card exposed{until}" in events


# cards that count, and what a bonus is paid on top of


def test_653a_the_progressive_says_that_it_counts_the_flop_alone() -> None:
    assert note_of(offer("653a"), "Progressive Payout Wager") == "Based on your two cards and the Flop."
    assert note_of(read_as("653a", progressive_hand="best five of seven"), "Progressive Payout Wager") == ""  # the main game's hand


@pytest.mark.parametrize(
    ("game", "title", "words"),
    [
        ("649a", "Six Card Bonus Wager", "Based on the best five of your three cards and the dealer's three."),
        ("649a", "Five-Card Progressive Payout Wager", "Based on your three cards and the two community cards."),
        ("649a", "Five Card Hand Bonus Wager", "Based on the three cards of the hand you wager on and the two community cards."),
        ("643a", "Three Card Bonus Wager", "Based on your three cards."),
        ("682a", "All-Six Bonus Wager", "Based on the best five of your five cards and the All-Six Bonus card."),
        ("641a", "Aces Up Wager", ""),
        ("682a", "Prime Wager", ""),
    ],
)
def test_a_side_wager_says_which_cards_count(game: str, title: str, words: str) -> None:
    assert note_of(offer(game), title) == words


def test_643a_12_b_a_fixed_amount_is_for_a_wager_of_one_dollar() -> None:
    note = note_of(offer("643a"), "Let It Ride Bonus Wager")
    assert note == "The wager is $1. Pays a fixed amount; your wager is not returned."


@pytest.mark.parametrize("number", ["four", "five"])
def test_682a_6_d_the_sign_says_how_many_cards_make_a_straight_or_a_flush(number: str) -> None:
    note = note_of(read_as("682a", aces_bonus_hands=f"{number} cards"), "Aces Bonus Wager")
    assert note.endswith(f"A royal flush, straight flush, flush or straight takes {number} cards.")


def test_649a_12_f_e_a_super_royal_takes_all_six_cards() -> None:
    raw = example_choices(book.find("649a").edition())
    letters = {**raw["paytables"], "Six Card Bonus Wager": "E"}
    for reading, returned in (("goes back", "returned"), ("stays", "not returned")):
        readings = {**raw["readings"], "super royal stake": reading}
        each = check(raw | {"paytables": letters, "readings": readings}).offer_or_refuse()
        assert note_of(each, "Six Card Bonus Wager") == (
            "Based on the best five of your three cards and the dealer's three. A Super Royal uses all six. "
            f"A Super Royal pays a fixed amount, whatever the wager; your wager is {returned}."
        )


@pytest.mark.parametrize(("letter", "sizes"), [("A", "5"), ("E", "5 or 6")])
def test_649a_6_d_8_the_hands_are_headed_with_their_numbers_of_cards(letter: str, sizes: str) -> None:
    raw = example_choices(book.find("649a").edition())
    letters = {name: each for name, each in raw["paytables"].items() if "Progressive" not in name} | {
        "Six Card Bonus Wager": letter
    }
    wagers = ["Six Card Bonus Wager"]
    each = check({key: raw[key] for key in raw if key not in ("progressives", "system")} | {"wagers": wagers, "paytables": letters})
    heads = [block.text for block in played(filing(each, HOUSE)) if isinstance(block, Heading)]
    assert f"Six Card Bonus hand ({sizes} cards)" in heads


def test_682a_12_b_the_win_bonus_is_on_top() -> None:
    assert note_of(offer("682a"), "Win Bonus") == "Paid in addition to the Ante's own 1 to 1."
    assert "“for 1”" not in how_paid(schedules(offer("682a")))  # nothing else here is paid “for 1”
    counted = read_as("682a", win_bonus_for_one="stake counted in")
    assert note_of(counted, "Win Bonus") == "Paid in addition to the Ante's own 1 to 1, including the Ante once."


def test_bonuses_say_what_happens_to_their_wager() -> None:
    """679a.11(c)(3)(iv), 682a.11(d)(2)(ii)(B), 641a.12(b)."""
    assert note_of(offer("679a"), "Bad Beat Bonus") == "Paid in addition to the Play, which is returned."
    assert note_of(offer("682a"), "Bad Beat Bonus") == "Paid in addition to the Ante, which is returned."
    assert note_of(offer("641a"), "Ante Bonus") == "Paid whether or not the Ante itself wins, unless you fold."


def test_643a_8_b_a_collected_dollar_does_not_go_back() -> None:
    assert "your wager is not returned" in note_of(offer("643a"), "Let It Ride Bonus Wager")


def test_680a_6_the_guide_explains_the_point_count() -> None:
    told = texts(guide([filing(check(example_choices(offer("680a").rules)), HOUSE)]))
    for words in ("the joker 3, 6 or 9", "An ace and a 4 count 5; a 10 and a jack count 10.", "your Point Count is higher"):
        assert words in told


# what several players divide, and readings that are filed


def flat(blocks_of: Iterable[Block]) -> Iterator[Block]:
    for block in blocks_of:
        yield from (each for column in block.columns for each in column) if isinstance(block, Paytables) else [block]


AT_TURN = "taken from what the meter shows at"


@pytest.mark.parametrize(
    ("jackpot", "boxes", "words"),
    [
        ("one sum", "the player", "divided equally among the players who wagered on it."),
        ("one sum", "each box", "divided equally among all wagers on it."),
        (
            "each at his turn",
            "the player",
            f"{AT_TURN} each player's turn and divided by the number of players who wagered on it.",
        ),
        ("each at his turn", "each box", f"{AT_TURN} each wager's turn and divided by the number of wagers on it."),
    ],
)
def test_649a_12_i_2_sign_and_guide_say_how_a_dealers_jackpot_is_divided(jackpot: str, boxes: str, words: str) -> None:
    words = f"A share of the meter on the dealer's hand is {words}"
    readings = {"dealer-hand_jackpot": jackpot, "jackpot_of_several_boxes": boxes}
    each = PrintedFiling(read_as("649a", **readings), (), (), HOUSE)
    for blocks_of in (sign(each).blocks, played(each)):
        assert any(isinstance(block, Pays) and words in block.note for block in flat(blocks_of))


def test_649a_12_i_2_nothing_else_is_divided() -> None:
    shared = {schedule.title for game in GAMES for schedule in schedules(read_as(game)) if schedule.shared}
    assert shared == {"Five Card Hand Bonus Wager"}


@pytest.mark.parametrize(("reading", "whom"), [("the player", "player"), ("each box", "box")])
def test_649a_11_c_5_v_the_envy_bonus_says_to_whom(reading: str, whom: str) -> None:
    conditions = {schedule.condition for schedule in schedules(read_as("649a", envy_of_several_boxes=reading))}
    assert f"to each other {whom} with the $1 wager" in conditions


@pytest.mark.parametrize("game", GAMES)
def test_the_guide_states_every_reading_that_is_not_the_default(game: str) -> None:
    rules = book.find(game).edition()
    for reading in rules.readings.values():
        for alternative in reading.alternatives:
            each = read_as(game, **{reading.name.replace(" ", "_"): alternative})
            rows = [row for block in readings_filed(each) if isinstance(block, DataTable) for row in block.rows]
            stated = [answer for question, answer, _ in rows if question == reading.question]
            assert len(stated) == (alternative != reading.default)
            assert all(answer[1:-1] == reading.alternatives[alternative][1:] for answer in stated)
