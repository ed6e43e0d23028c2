"""The payouts on the floor page are those that were filed and that the table settles by."""

from __future__ import annotations

from croupier import book
from croupier.filing.template import example_submission
from croupier.table.state import offer_of
from croupier.web.live.floor_summary import pay_schedules, wager_summaries

FILED = {chapter: example_submission(book.find(chapter).edition()) for chapter in ("649a", "680a")}


def changed(chapter: str, *changes: tuple[str, str]) -> str:
    text = FILED[chapter]
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def rows(text: str) -> dict[str, list[tuple[str, str]]]:
    return {each.name: [(row.hand, row.pays) for row in each.rows] for each in pay_schedules(text)}


def test_a_reading_that_changes_a_row_is_paid_as_filed() -> None:
    """680a.12(c): two pair pays 8 to 1 in the table and 9 to 1 in the text."""
    assert ("Two pair", "8 to 1") in rows(FILED["680a"])["Bonus Wager"]
    nine = rows(changed("680a", ('"two pair" = "8 to 1"', '"two pair" = "9 to 1"')))["Bonus Wager"]
    assert ("Two pair", "9 to 1") in nine
    assert ("Two pair", "8 to 1") not in nine


def test_only_what_is_offered_is_listed_with_the_amounts_that_are_filed() -> None:
    five = 'amount = 5\nrate = "28%"\nreserve = "0%"\nseed = 50000\nreseed = 50000'
    one = five.replace("= 5\n", "= 1\n").replace("50000", "10000")
    without = ('"Six Card Bonus Wager", ', ""), ('"Six Card Bonus Wager" = "A"', "#")
    fewer = changed("649a", *without, (one, five))
    assert "Six Card Bonus Wager" in rows(FILED["649a"])
    assert "Six Card Bonus Wager" not in rows(fewer)
    amounts = {each.name: each.amounts for each in wager_summaries(offer_of(fewer), {}, {})}
    assert amounts["5 of 6 Progressive Payout Wager"] == "$5"
    assert amounts["Five-Card Progressive Payout Wager"] == "$1"
    envy = {each.name: each.condition for each in pay_schedules(fewer) if "Envy" in each.name}
    assert envy["5 of 6 Envy Bonus"] == "to each other player with the $5 wager"
    assert len(envy) == 3


def test_a_row_that_the_filing_adds_stands_where_the_ranking_has_it() -> None:
    """649a.12(g)(2): a mini-royal ranks above the other hands of the table."""
    text = changed("649a", ("# [mini_royal]", "[mini_royal]"), ('# "Pair Plus Wager" = 40', '"Pair Plus Wager" = 60'))
    assert rows(text)["Pair Plus Wager"][0] == ("Mini-royal flush", "60 to 1")
