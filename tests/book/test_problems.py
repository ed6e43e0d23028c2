"""`croupier chapter check`: finds what is missing or contradictory in a chapter file, with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier import book
from croupier.book.chapter_file import run_file
from croupier.cli.main import app
from croupier.law.chapter import Chapter
from croupier.law.fact import Position
from croupier.law.paytable import Paytable
from croupier.law.problems import problems
from tests.examples import FOLDER, started


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize("chapter", book.chapters(), ids=lambda chapter: chapter.number)
def test_no_chapter_of_the_book_has_a_problem(chapter: Chapter) -> None:
    assert problems(chapter, thorough=True) == []


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.stem)
def test_no_example_has_a_problem(file: Path) -> None:
    told = run("chapter", "check", str(file))
    assert (told.exit_code, told.stdout) == (0, f"{file.name}: nothing is missing or contradictory.\n")


def test_a_new_chapter_is_one_that_can_be_filed(tmp_path: Path) -> None:
    file = tmp_path / "river_poker.py"
    assert run("chapter", "new", "River Poker", "-o", str(file)).stdout == f"{file}\n"
    assert run("chapter", "check", str(file)).exit_code == 0
    filed = tmp_path / "filing.toml"
    filed.write_text(run("new", str(file)).stdout)
    assert run("check", str(filed)).exit_code == 0
    assert book.find("river-poker").number == "RP"
    again = run("chapter", "new", "River Poker", "-o", str(file))
    assert (again.exit_code, "File exists" in again.stderr) == (2, True)


@pytest.mark.parametrize("title", ["", "!", "A\nB", 'Quote" Poker', "{title}"])
def test_a_title_that_is_not_a_name_is_refused(title: str, tmp_path: Path) -> None:
    told = run("chapter", "new", title, "-o", str(tmp_path / "x.py"))
    assert told.exit_code == 2 and not (tmp_path / "x.py").exists()


@pytest.mark.parametrize("title", [book.find("649a").title, book.find("649a").title.lower()])
def test_a_title_that_is_taken_is_refused_at_once(title: str, tmp_path: Path) -> None:
    told = run("chapter", "new", title, "-o", str(tmp_path / "x.py"))
    assert told.exit_code == 2 and not (tmp_path / "x.py").exists()
    assert told.stderr.startswith(f"“{title}” is already taken by chapter 649a, Three Card Poker. Choose another title.")


#: A change to the starter chapter, the message, and the text of the line it names.
WRONG = {
    "no table": ('common.table(chapter, 7)', "", "no table is declared; write common.table(chapter, …)", "chapter = Chapter("),
    "no irregularities": ("common.irregularities(chapter)", "", "no rule for void rounds is declared", "chapter = Chapter("),
    "no stage settles": (
        'chapter.stage("11(c)", Act.SETTLE)',
        "",
        "no stage says “each player's wagers are settled, from the dealer's right”",
        "chapter = Chapter(",
    ),
    "a wager without an area": (
        ", area=PLAY_AREA",
        "",
        'the Play Wager has no area on the layout; write area=chapter.area("Play Wager", cite=…)',
        "PLAY = chapter.wager(",
    ),
    "a decision without a choice": (
        '[*multiples("play", PLAY, 1, cite="11(b)"), fold("11(b)")]',
        "[]",
        "the decision on the Play Wager has no choice",
        "chapter.decision(",
    ),
    "a decision that is asked twice": (
        'chapter.stage("11(b)", Act.COLLECT)',
        'chapter.stage("11(b)", Act.COLLECT)\nchapter.stage("11(b)", Act.ASK, decision=chapter.edition().decisions[0])',
        "the decision on the Play Wager is asked twice; write chapter.decision alone: it is a stage",
        "chapter.decision(",
    ),
    "a stage that asks for nothing": (
        'chapter.stage("11(b)", Act.COLLECT)',
        'chapter.stage("11(b)", Act.COLLECT)\nchapter.stage("11(b)", Act.ASK)',
        "the stage under ",
        'chapter.stage("11(b)", Act.ASK)',
    ),
    "a wager that nobody makes": (
        'multiples("play", PLAY, 1, cite="11(b)")',
        'multiples("play", ANTE, 1, cite="11(b)")',
        "no decision makes the Play Wager",
        "PLAY = chapter.wager(",
    ),
    "a fold that nobody collects": (
        'chapter.stage("11(b)", Act.COLLECT)',
        "",
        "no stage collects what folding on the Play Wager loses",
        "chapter.decision(",
    ),
    "cards that are revealed twice": (
        'chapter.stage("11(c)", Act.SETTLE)',
        'chapter.stage("11(c)", Act.REVEAL)\nchapter.stage("11(c)", Act.SETTLE)',
        "more than one stage says “the dealer's cards are turned face up”; write chapter.announces(DEALER, …) alone: it is a stage",
        "chapter = Chapter(",
    ),
    "an unreachable row": (
        'Hand("Straight flush", poker.straight_flush),\n    Hand("Three',
        'Hand("Pairs", poker.of_a_kind(2)),\n    Hand("Three',
        "no hand fills the row “Three-of-a-kind” of the Three-card hand",
        "THREE_CARD = chapter.ranking(",
    ),
    "a word that raises": (
        'Hand("Flush", poker.flush)',
        'Hand("Flush", lambda shape: shape.colour)',
        "the Three-card hand fails: AttributeError 'Shape' object has no attribute 'colour'",
        '    Hand("Flush"',
    ),
    "dealer's cards without an area": (
        'chapter.area("Dealer\'s cards", cite="2(b)(3)", cards=DEALER)',
        "",
        "the dealer's cards have no area on the layout; write chapter.area(…, cards=DEALER)",
        "common.dealing(",
    ),
    "a dealer's hand without a name": (
        'chapter.announces(DEALER, THREE_CARD, cite="11(c)")  # and reveals it',
        "",
        "nothing says what the dealer's hand is called; write chapter.announces(DEALER, …)",
        "common.dealing(",
    ),
    "a ranking that is not compared": (
        " compared=True,",
        "",
        "the Three-card hand is compared with the dealer's; write compared=True",
        "THREE_CARD = chapter.ranking(",
    ),
    "a negative multiple": (
        'multiples("play", PLAY, 1,',
        'multiples("play", PLAY, -1,',
        "“play” makes a wager of -1 times the Ante Wager; write a whole number from 1 to 1,000",
        "chapter.decision(",
    ),
    "negative odds": ("at=to(1), cite", "at=to(-1), cite", "fails: odds of -1 are below 0", "        yield pay(ANTE, PLAY, at"),
    "no edition": ('(Edition("2026-01-01", "an example", Status.EXAMPLE),)', "()", "no edition is declared", "chapter = Chapter("),
    "odds as text": ("at=to(1), cite", "at='1 to 1', cite", "fails: '1 to 1' is not odds, such as to(1)", "        yield pay(ANTE, PLAY, at"),
    "odds of no whole number": ("at=to(1), cite", "at=to(1.5), cite", "fails: “1.5 to 1” is not odds", "        yield pay(ANTE, PLAY, at"),
    "half a multiple": ("PLAY, 1, cite", "PLAY, 0.5, cite", "makes a wager of 0.5 times the Ante Wager; write a whole", "chapter.decision("),
    "a huge multiple": ("PLAY, 1, cite", "PLAY, 1001, cite", "1001 times the Ante Wager; write a whole number", "chapter.decision("),
    "two areas of one name": ('area("Play Wager"', 'area("Ante Wager"', "2 areas are called Ante Wager; write another name", "PLAY_AREA = "),
    "terms of no wager": (
        "common.irregularities(chapter)",
        'common.irregularities(chapter)\nchapter.define({"Envy": "a sum"}, wager="Ant Wager")',
        "“Envy” is defined for the Ant Wager, which is not a wager; write Ante Wager or Play Wager",
        'chapter.define({"Envy"',
    ),
    "a figure of no wager": (
        "common.irregularities(chapter)",
        'common.irregularities(chapter)\nchapter.published("Ant Wager", "5.2%", cite="12(a)", source="a test")',
        "a figure is published for the Ant Wager, which is not a wager; write Ante Wager or Play Wager",
        "chapter.published(",
    ),
    "a joker that is compared": (
        "common.decks(chapter)",
        "common.decks(chapter, jokers=1)",
        "the Three-card hand compares hands by rank, and the joker in the deck has none; write common.decks(chapter), or functions",
        "THREE_CARD = chapter.ranking(",
    ),
    "a joker that nothing explains": (
        "common.decks(chapter)",
        "common.decks(chapter, jokers=1)\nchapter.ranking('Side hand', cite='6(b)', size=3, hands=poker.hands(3))",
        "the deck has a joker, and the Side hand does not say what it counts as; write note=…",
        "chapter.ranking('Side hand'",
    ),
    "a deal of no card": ("Deal(1, DEALER)", "Deal(1, DEALER), Deal(0, DEALER)", "has a step of less than one card", "common.dealing("),
    "cards that are no number": ("Deal(3, PLAYER)", 'Deal("3", PLAYER)', "the check of the chapter fails: TypeError", "chapter = Chapter("),
    "a wager without a line": (
        "yield collect(ANTE, PLAY,",
        "yield collect(ANTE,",
        "the Play Wager has no line where player folded: False, player's hand against the dealer's: Comparison.LOWER",
        "@chapter.settles(",
    ),
    "two lines for a wager": ("yield push(ANTE, PLAY,", "yield push(ANTE, ANTE, PLAY,", "the Ante Wager has 2 lines", "@chapter.settles("),
    "a wager that nothing settles": ("@chapter.settles(ANTE, PLAY,", "@chapter.settles(ANTE,", "no settlement settles the Play Wager", "PLAY = "),
    "a settlement that fails": ("at=to(1), cite", "at=too(1), cite", "NameError name 'too' is not defined", "        yield pay(ANTE, PLAY, at"),
    "a clause that is none": ('cite="11(c)(2)"', 'cite="eleven"', "“eleven” is not a clause", "@chapter.settles("),
    "too few cards": ("size=3,", "size=4,", "the Three-card hand takes 4 cards, and 3 are dealt", "@chapter.settles("),
    "too many cards": ("Deal(3, PLAYER)", "Deal(10**12, PLAYER)", "cards are dealt to 7 seats from 52", "common.dealing("),
    "other cards by another method": ("(Deal(3, PLAYER), Deal(3", "(Deal(2, PLAYER), Deal(3", "gives different player's cards", "common.dealing("),
}  # fmt: skip


#: A change to the starter chapter that makes it unreadable, and the message about that line.
UNREADABLE = {
    "an empty title": ('"River Poker", (', '"", (', "“” is not the title of a chapter"),
    "a title of two lines": ('"River Poker", (', r'"River\nPoker", (', "which is one line and not empty"),
    "a number that is a path": ('Chapter("RP"', 'Chapter("../x y"', "“../x y” is not the number of a chapter"),
    "a date that is none": ('Edition("2026-01-01"', 'Edition("2026-13-45"', "“2026-13-45” is not the date of an edition, such as 2026-01-31"),
    "a date that is a number": ('Edition("2026-01-01"', "Edition(2026", "“2026” is not the date of an edition"),
    "an edition alone": ("Status.EXAMPLE),))", "Status.EXAMPLE)))", "the editions of a chapter are a tuple, even of one"),
    "a clause that is a number": ('"Ante Wager", cite="7(d)"', '"Ante Wager", cite=7', "the clause 7 of chapter RP is not text"),
    "a hand of no cards": ("size=3,", "size=0,", "the Three-card hand has 0 cards; it needs 1 or more"),
}  # fmt: skip


@pytest.mark.parametrize("why", UNREADABLE)
def test_an_impossible_value_is_refused_with_its_line(why: str, tmp_path: Path) -> None:
    old, new, sentence = UNREADABLE[why]
    text = started(tmp_path).read_text()
    assert text.count(old) == 1, text.count(old)
    file = tmp_path / "wrong.py"
    file.write_text(text.replace(old, new))
    line = text[: text.index(old)].count("\n") + 1
    told = run("chapter", "check", str(file))
    assert (told.exit_code, told.stdout) == (2, "")
    assert sentence in " ".join(told.stderr.split()) and f"(wrong.py, line {line})" in told.stderr


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ("paytable('T', '', cite='12(b)', hands=THREE_CARD)", "the table has no rows"),
        ("paytable('T', 'A  B', cite='12(b)', hands=THREE_CARD)", "the table has no rows"),
        ("paytable('T', 'Pair  5 to 0', cite='12(b)', hands=THREE_CARD)", "“5 to 0” is not odds"),
        ("paytable('T', f'Pair  {10**30} to 1', cite='12(b)', hands=THREE_CARD)", "are above 1,000,000"),
        ("published('Ante Wager', 5.224, cite='12(a)', source='a test')", "5.224 is not a published figure, such as “2.185%”"),
        ("published('Ante Wager', 'abc', cite='12(a)', source='a test')", "'abc' is not a published figure"),
    ],
)
def test_an_impossible_figure_is_refused_with_its_line(declared: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(f"{started(tmp_path).read_text()}chapter.{declared}\n")
    told = run("chapter", "check", str(file))
    assert (told.exit_code, told.stdout) == (2, "")
    assert sentence in " ".join(told.stderr.split()) and f"line {len(file.read_text().splitlines())})" in told.stderr


def test_a_row_that_no_hand_of_its_size_fills_is_not_blamed_on_the_rows_above(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(started(tmp_path).read_text().replace("size=3,", "size=2,"))
    told = run("chapter", "check", str(file))
    assert "no hand of 2 cards fills the row “Three-of-a-kind” of the Three-card hand.\n" in told.stdout


@pytest.mark.parametrize("why", WRONG)
def test_a_problem_is_found_with_its_line(why: str, tmp_path: Path) -> None:
    old, new, sentence, line = WRONG[why]
    text = started(tmp_path).read_text()
    assert text.count(old) == 1, text.count(old)
    file = tmp_path / "wrong.py"
    file.write_text(text.replace(old, new))
    number = next(n for n, each in enumerate(file.read_text().splitlines(), 1) if each.startswith(line))
    told = run("chapter", "check", str(file))
    assert told.exit_code == 1
    assert any(each.startswith(f"wrong.py, line {number}: ") and sentence in each for each in told.stdout.splitlines()), told.stdout
    plain = json.loads(run("chapter", "check", str(file), "--json").stdout)
    assert f"wrong.py, line {number}" in {each["where"] for each in plain}


@pytest.mark.parametrize("why", [why for why in WRONG if why not in ("an unreachable row", "a word that raises")])
def test_a_chapter_with_a_problem_is_not_dealt(why: str, tmp_path: Path) -> None:
    old, new, _, _ = WRONG[why]
    file = tmp_path / "wrong.py"
    file.write_text(started(tmp_path).read_text().replace(old, new))
    told = run("show", str(file))
    assert (told.exit_code, told.stdout) == (2, "")
    assert "the chapter cannot be used" in told.stderr and "wrong.py, line " in told.stderr


def test_asks_that_do_not_fit_the_function_are_refused_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(started(tmp_path).read_text().replace("def ante_and_play(folded: bool, compared", "def ante_and_play(compared"))
    told = run("chapter", "check", str(file))
    assert told.exit_code == 2
    assert "must take folded, compared, in this order" in told.stderr and "wrong.py, line " in told.stderr


@pytest.mark.parametrize(
    ("declared", "lacks"),
    [
        ('chapter.meter(ANTE, cite="12(b)", exact=True, per_dollar=False, seed={"A": 100})', "'later'"),
        ('chapter.limit(cite="12(b)", covers=[ANTE])', "'with_stakes' and 'best_wager'"),
        ('chapter.envy("Envy", ANTE, Holds(THREE_CARD), {}, cite="12(b)")', "'unseen' and 'from_meter'"),
    ],
)
def test_a_rule_without_its_reading_is_refused_with_the_line(declared: str, lacks: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(f"{started(tmp_path).read_text()}{declared}\n")
    told = run("chapter", "check", str(file))
    assert told.exit_code == 2
    assert lacks in told.stderr
    assert f"line {len(file.read_text().splitlines())})" in told.stderr


@pytest.mark.parametrize(
    ("alternative", "sentence"),
    [
        ("(stakes, 'sometimes')", "“sometimes” is not an alternative of “payout limit”; write on top of stakes or with stakes"),
        ("(elsewhere, 'yes')", "Limit names the reading “elsewhere”, which this chapter lacks"),
    ],
)
def test_a_limit_names_a_reading_of_its_chapter_and_an_alternative_of_it(alternative: str, sentence: str, tmp_path: Path) -> None:
    declared = f"""
from croupier.law.reading import Reading
elsewhere = Reading("X", "elsewhere", "Which?", {{"yes": "yes"}}, "a test", cite="12(b)")
stakes = chapter.reading("payout limit", cite="12(b)", question="Which?", because="a test",
    alternatives={{"on top of stakes": "one", "with stakes": "the other"}})
chapter.limit(cite="12(b)", covers=[ANTE], with_stakes={alternative}, best_wager=(stakes, 'with stakes'))
"""
    file = tmp_path / "wrong.py"
    file.write_text(started(tmp_path).read_text() + declared)
    told = run("chapter", "check", str(file))
    line = len(file.read_text().splitlines())
    assert (told.exit_code, told.stdout) == (1, f"wrong.py, line {line}: {sentence}.\n")


WHICH = """
from croupier.law.fact import Depending, Drawn
WHICH = chapter.reading("which", cite="11(b)", question="Which?", because="a test", alternatives={"one": "one", "other": "other"})
"""
LACKS = "the reading “which” has no alternative “another”, only “one” and “other”"
NOT_OF = "“another” is not an alternative of “which”; write one or other"
ASKED = '"folded": FOLDED, '


def with_a_reading(tmp_path: Path, *changes: tuple[str, str]) -> Result:
    """What the check says about the starter chapter with one more reading and some texts changed."""
    text = started(tmp_path).read_text().replace("\n# § 11 ", f"{WHICH}\n# § 11 ")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file = tmp_path / "changed.py"
    file.write_text(text)
    return run("chapter", "check", str(file))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("common.examining", 'ANOTHER = WHICH["another"]\ncommon.examining', LACKS),
        ("    elif compared is HIGHER:", '    elif compared is HIGHER and WHICH["another"]:', LACKS),
        ('fold("11(b)")])', 'fold("11(b)")], unless=((WHICH, "another"), fold("11(b)")))', NOT_OF),
        ("hand=Holds(THREE_CARD)", 'hand=Depending(WHICH, {"one": Holds(THREE_CARD), "another": Holds(THREE_CARD)})', NOT_OF),
        (ASKED, '"folded": Drawn("drawn", (True, False), bool, (WHICH,), "drawn", (WHICH, "another")), ', NOT_OF),
    ],
    ids=["as the file is read", "as a settlement is tried", "in a decision", "in a fact that depends on it", "in a draw"],
)
def test_an_alternative_that_a_reading_lacks_is_refused_with_the_line(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    told = with_a_reading(tmp_path, (old, new))
    assert told.exit_code and sentence in told.output and "changed.py, line " in told.output


def test_a_settlement_may_ask_a_reading_and_one_fact(tmp_path: Path) -> None:
    told = with_a_reading(
        tmp_path,
        (ASKED, '"which": WHICH, '),
        ("folded: bool, ", "which: str, "),
        ("    if folded:", '    if which == WHICH["other"]:'),
    )
    assert (told.exit_code, told.stdout) == (0, "changed.py: nothing is missing or contradictory.\n")


def refused_example(tmp_path: Path, old: str, new: str, name: str = "crazy_4_poker.py") -> Result:
    """What the check says about an example with one text changed."""
    text = (FOLDER / name).read_text()
    assert text.count(old) == 1
    file = tmp_path / "wrong.py"
    file.write_text(text.replace(old, new))
    return run("chapter", "check", str(file))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("Act.TURN, cards=1)", "Act.TURN)", "does not say how many community cards to turn"),
        (
            ', cards=COMMUNITY, note="in front of the table inventory container")',
            ")",
            "the community cards have no area on the layout; write chapter.area(…, cards=COMMUNITY)",
        ),
    ],
)
def test_community_cards_that_cannot_be_placed_are_found(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    told = refused_example(tmp_path, old, new, "mississippi_stud.py")
    assert told.exit_code == 1
    assert sentence in " ".join(told.stdout.split())


@pytest.mark.parametrize(
    ("first", "sentence"),
    [
        (2, "the Mississippi Stud hand takes 5 cards, and 4 are dealt"),
        (4, "counts the first 4 of 3 community cards; write first=3 or fewer"),
        (-1, "counts the first -1 of 3 community cards; write first=3 or fewer"),
    ],
)
def test_the_first_community_cards_are_some_of_those_dealt(first: int, sentence: str, tmp_path: Path) -> None:
    old = "Holds(PAID_HANDS, (PLAYER, COMMUNITY))"
    told = refused_example(tmp_path, old, f"{old[:-1]}, first={first})", "mississippi_stud.py")
    assert told.exit_code == 1 and sentence in " ".join(told.stdout.split())


@pytest.mark.parametrize("seats", [0, -1, 11])
def test_a_table_of_too_few_or_too_many_seats_is_refused(seats: int, tmp_path: Path) -> None:
    told = refused_example(tmp_path, "common.table(chapter, 7)", f"common.table(chapter, {seats})")
    assert told.exit_code == 2
    assert f"a table has 1 to 10 seats, not {seats}" in told.stderr and "wrong.py, line " in told.stderr


def test_a_row_that_a_paytable_has_twice_is_refused_with_its_name(tmp_path: Path) -> None:
    told = refused_example(
        tmp_path, "    Straight          1 to 1\n", "    Straight          1 to 1\n    Straight          5 to 1\n"
    )
    assert (told.exit_code, told.stdout) == (2, "")
    assert "C4 Super Bonus Wager: the row “Straight” appears more than once" in " ".join(told.stderr.split())
    assert "wrong.py, line " in told.stderr


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            'holding=(RAISING_HANDS, "Pair of aces")',
            'holding=(RAISING_HANDS, "Pair of kings")',
            "“Pair of kings” is not a hand of Raising hand",
        ),
        (
            'DealerHas(FOUR_CARD, "King high")',
            'DealerHas(FOUR_CARD, "Emperor high")',
            "“Emperor high” is not a hand of Four-card hand",
        ),
        ('DealerHas(FOUR_CARD, "King high")', 'DealerHas(FOUR_CARD, "King")', "“King” is not a hand of Four-card hand"),
    ],
)
def test_a_least_hand_that_the_ranking_lacks_is_refused(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    told = refused_example(tmp_path, old, new)
    assert (told.exit_code, told.stdout) == (2, "")
    assert sentence in told.stderr and "wrong.py, line " in told.stderr


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            '{"holds": QUEENS_UP_HOLDS}',
            '{"holds": "Queens Up"}',
            "the settlement under 11(e), 12(c) asks 'Queens Up', which is not a fact",
        ),
        ("hand=QUEENS_UP_HOLDS", 'hand="Queens Up"', "the settlement under 11(e), 12(c) asks 'Queens Up', which is not a fact"),
        (
            'Hand("Pair of aces", poker.of_a_kind(2, ACE))',
            'Hand("Pair of aces", None)',
            "the row “Pair of aces” needs a function of a shape, not None",
        ),
    ],
)
def test_a_value_of_another_kind_is_refused(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    told = refused_example(tmp_path, old, new)
    assert (told.exit_code, told.stdout) == (2, "")
    assert sentence in told.stderr and "wrong.py, line " in told.stderr


#: A change to an example, the messages, and the start of the line that each names.
WRONG_ROWS = {
    "rows of another ranking": (
        ("Holds(SUPER_BONUS_HANDS), Holds(QUEENS_UP_HANDS)", "Holds(SUPER_BONUS_HANDS), Holds(RAISING_HANDS)"),
        {
            "the Queens Up Wager table cannot pay “Pair of aces”, which is not one of its hands": "@chapter.settles(QUEENS_UP",
            "no case pays the row “Queens or better” of the Queens Up Wager table": "QUEENS_UP_TABLE = ",
        },
    ),
    "a table that nothing pays by": (
        ("yield pay_by(QUEENS_UP_TABLE, holds, on=QUEENS_UP)", "yield pay(QUEENS_UP, at=to(1), cite='12(c)')"),
        {"no settlement pays by the Queens Up Wager table; write pay_by(…)": "QUEENS_UP_TABLE = "},
    ),
    "a row of more cards than are dealt": (
        ("poker.of_a_kind(4, ACE))", "poker.of_a_kind(4, ACE), size=6)"),
        {"no hand fills the row “Four aces” of the Super Bonus hand: it takes 6 cards, and 5 are dealt": "@chapter.settles("},
    ),
    "a choice that needs cards which nobody has seen": (
        ('cite="6(d)", size=4', 'cite="6(d)", size=6'),
        {"the Raising hand takes 6 cards, and 5 are seen at the decision on the Play Wager": "chapter.decision("},
    ),
}


@pytest.mark.parametrize("why", WRONG_ROWS)
def test_a_row_that_cannot_be_paid_or_filled_is_found_with_its_line(why: str, tmp_path: Path) -> None:
    change, sentences = WRONG_ROWS[why]
    told = refused_example(tmp_path, *change)
    lines = (tmp_path / "wrong.py").read_text().splitlines()
    assert told.exit_code == 1
    for sentence, start in sentences.items():
        line = next(n for n, each in enumerate(lines, 1) if each.startswith(start))
        assert f"wrong.py, line {line}: {sentence}" in told.stdout
    assert len(told.stdout.splitlines()) == len(sentences)


def test_a_settlement_may_ask_what_was_said(tmp_path: Path) -> None:
    text = started(tmp_path).read_text()
    for old, new in {
        'chapter.decision("Play Wager"': 'SAID = chapter.decision("Play Wager"',
        'asks={"folded": FOLDED, ': 'asks={"answer": SAID, "folded": FOLDED, ',
        "def ante_and_play(folded: bool": "def ante_and_play(answer: str, folded: bool",
    }.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    file = tmp_path / "asks.py"
    file.write_text(text)
    told = run("chapter", "check", str(file))
    assert (told.exit_code, told.stdout) == (0, "asks.py: nothing is missing or contradictory.\n")
    decision = run_file(file).edition().decisions[0]
    assert (decision.values, decision.of(Position({}, decided=("fold",)))) == (("play", "fold"), "fold")


def test_a_wager_that_a_table_settles_needs_a_table_of_its_name(tmp_path: Path) -> None:
    text = Path(book.find("643a").file).read_text()
    file = tmp_path / "renamed.py"
    file.write_text(text.replace('chapter.paytable("Three Card Bonus Wager"', 'chapter.paytable("Three Card Bonus"'))
    found = [str(each) for each in problems(run_file(file))]
    assert any("the Three Card Bonus Wager needs a paytable of its name" in each for each in found)


def test_one_hand_of_a_paytable_without_its_comma() -> None:
    """Then `hands` is a text and not a tuple, and each of its letters a hand."""
    with pytest.raises(ValueError, match="no hand can make win"):
        Paytable("T1", "Bonus", "win  1 to 1", "win", cite="12(a)")  # type: ignore[arg-type]
