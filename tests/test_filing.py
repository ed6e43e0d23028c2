"""The checker: each choice of a submission, what can be wrong with it and under which clause, and the Offer's hash."""

from __future__ import annotations

import copy
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from croupier import book
from croupier.filing.check import Finding, Severity, check
from croupier.filing.submission import read_submission
from croupier.filing.template import example_choices, example_submission
from croupier.table.rules.stakes import limits_of
from croupier.table.state import offer_of
from tests.examples import GAMES, MISSISSIPPI_STUD, _with_the_examples  # noqa: F401  (a fixture)


def submission(game: str, edition: str = "") -> dict[str, Any]:
    return tomllib.loads(example_submission(book.find(game).edition(edition)), parse_float=Decimal)


def changed(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with one value changed. A path is keys separated by slashes, and None removes the key."""
    data = copy.deepcopy(data)
    *parents, key = path.split("/")
    at = data
    for parent in parents:
        at = at.setdefault(parent, {})
    if value is None:
        at.pop(key)
    else:
        at[key] = value
    return data


def errors(data: dict[str, Any]) -> list[Finding]:
    checked = check(data)
    assert (checked.offer is None) == bool(checked.errors)
    return list(checked.errors)


WRONG = [
    ("649a", "game", "chess", "58 Pa. Code Part VII, Subpart K"),
    ("649a", "edition", "1999-01-01", "58 Pa. Code Chapter 649a"),
    ("649a", "facility", "", "601a.2"),
    ("649a", "form", "7(e)(4)", "649a.7"),
    ("641a", "form", "7(e)(1)", "641a.7"),
    ("649a", "wagers", ["Bonus Wager"], "649a.7"),
    ("649a", "wagers", "all", "601a.2"),
    ("649a", "paytables/Pair Plus Wager", "F", "649a.12(d)"),
    ("649a", "paytables/Pair Plus Wager", None, "649a.12(d)"),
    ("649a", "paytables/Five-Card Progressive Payout Wager", "B", "649a.12(h)(1)"),
    ("649a", "paytables/Trips Wager", "A", "649a.12"),
    ("649a", "mini_royal/Ante Bonus", 4, "649a.12(g)(1)"),
    ("649a", "mini_royal/Ante Bonus", -5, "649a.12(g)(1)"),
    ("649a", "mini_royal/Pair Plus Wager", 39, "649a.12(g)(2)"),
    ("649a", "mini_royal/Six Card Bonus Wager", 50, "649a.12(g)"),
    ("649a", "envy", "A", "649a.12"),
    ("641a", "envy", "C", "641a.12(d)(5)"),
    ("641a", "envy", None, "641a.12(d)(5)"),
    ("649a", "progressives/Three-Card Progressive Payout Wager/amount", 2, "649a.12(e)(5)"),
    ("649a", "progressives/Three-Card Progressive Payout Wager/rate", "15%", "649a.12(e)(3)"),
    ("649a", "progressives/Three-Card Progressive Payout Wager/rate", 14, "649a.12(e)(3)"),
    ("649a", "progressives/Three-Card Progressive Payout Wager/seed", 2000, "649a.12(e)(3)"),
    ("649a", "progressives/Five Card Hand Bonus Wager/reserve", "0%", "649a.12(i)(4)"),
    ("649a", "progressives/Five Card Hand Bonus Wager/reseed", 10_000, "649a.12(i)(4)"),
    ("649a", "progressives/Five-Card Progressive Payout Wager", None, "649a.12(h)(3)"),
    ("641a", "progressives/Progressive Payout Wager/seed", 4999, "641a.12(d)(3)"),
    ("641a", "progressives/Progressive Payout Wager/reseed", -1, "641a.12(d)(3)"),
    ("653a", "progressives/Progressive Payout Wager/seed", 9999, "653a.12(d)(3)"),
    ("653a", "progressives/Progressive Payout Wager/rate", "100%", "653a.12(d)(3)"),
    ("649a", "adjacent_boxes", 8, "649a.7(f)"),
    ("649a", "adjacent_boxes", None, "649a.7(f)"),
    ("653a", "adjacent_boxes", 2, "653a.7(e)"),
    ("649a", "minimum", 0, "601a.2"),
    ("649a", "maximum", 1, "601a.2"),
    ("649a", "maximum", None, "601a.2"),
    ("649a", "wager_limits/Pair Plus Wager", {"minimum": 10, "maximum": 5}, "601a.2"),
    ("649a", "wager_limits/Play Wager", {"minimum": 1, "maximum": 5}, "601a.2"),
    ("649a", "wager_limits/Pair Plus Wager", {"minimum": 1, "maximum": 100}, "601a.2"),  # it gets cards by itself
    ("649a", "wager_limits/Pair Plus Wager", {"minimum": 5, "maximum": 501}, "601a.2"),
    ("649a", "wager_limits/Five Card Hand Bonus Wager", {"minimum": 1, "maximum": 5}, "649a.12(i)(4)"),
    ("649a", "linked/Pair Plus Wager", "house", "601a.2"),
    ("649a", "linked/Five-Card Progressive Payout Wager", "", "649a.12(h)(3)"),
    ("649a", "decisions/seconds", -1, "601a.2"),
    ("649a", "decisions/seconds", 3_601, "601a.2"),
    ("649a", "decisions/minutes", 1, "601a.2"),
    ("653a", "readings/payout limit", None, "653a.12(e)"),
    ("653a", "readings/limit floor", None, "653a.12(e)"),
    ("641a", "readings/reseed", None, "641a.12(d)(4)"),
    ("641a", "readings/envy paid from", None, "641a.12(d)(5)"),
    ("641a", "readings/envy schedule", None, "641a.12(d)(5)"),
    ("641a", "readings/envy of several boxes", None, "641a.11(c)(5)(v)"),
    ("649a", "readings/envy of several boxes", None, "649a.11(c)(5)(v)"),
    ("649a", "readings/dealer-hand jackpot", None, "649a.12(i)(2)"),
    ("649a", "readings/jackpot of several boxes", None, "649a.12(i)(2)"),
    ("649a", "readings/reserve", None, "649a.12(i)(4)"),
    ("653a", "readings/progressive hand", None, "653a.1"),
    ("653a", "readings/folded progressive", None, "653a.11(f)(2)"),
    ("653a", "readings/progressive in a void round", None, "653a.13(d)"),
    ("679a", "readings/payout limit of several boxes", None, "679a.12(h)"),
    ("680a", "readings/payout limit of several boxes", None, "680a.12(d)"),
    ("682a", "readings/payout limit of several boxes", None, "682a.12(g)"),
    ("649a", "payout_limit", 50_000, "649a.12"),
    ("641a", "payout_limit", 50_000, "641a.12"),
    ("653a", "payout_limit", 49_999, "653a.12(e)"),
    ("682a", "payout_limit", True, "682a.12(g)"),
    ("649a", "rounding", "as the dealer likes", "649a.12(a)"),
    ("649a", "rounding", None, "601a.2"),
    ("649a", "rounding", "up to the dollar", "649a.12(a)"),
    ("643a", "rounding", "down to the dollar", "643a.12(a)"),
    ("653a", "rounding", "down to the dollar", "653a.12(b)"),  # 3 to 2 on $5 is $7.50
    ("680a", "rounding", "down to the dollar", "680a.12(b)"),  # 1 to 2 on $5 is $2.50
    ("649a", "dealing/method", "by mail", "649a.8"),
    ("649a", "dealing/method", "continuous shoe", "649a.8"),
    ("679a", "dealing/method", "continuous shoe", "679a.10(g)"),
    ("649a", "dealing/decks", 3, "649a.3(a)"),
    ("649a", "dealing/colour", "green", "601a.2"),
    ("649a", "system/magic_card", -1, "649a.7(d)(7)"),
    ("649a", "system/wheel", 1, "649a.7(d)(7)"),
    ("641a", "system/lucky", 1, "641a.2"),
    ("649a", "readings/ante bonus", "sometimes", "649a.11(c)(3)(ii)(B)"),
    ("649a", "readings/weather", "fine", "58 Pa. Code Chapter 649a"),
    ("649a", "colour", "green", "601a.2"),
]


@pytest.mark.parametrize(
    ("game", "path", "value", "clause"), WRONG, ids=[f"{game} {path}={value}" for game, path, value, _ in WRONG]
)
def test_each_wrong_choice_is_an_error_under_its_clause(game: str, path: str, value: Any, clause: str) -> None:
    found = errors(changed(submission(game), path, value))
    assert [finding.cite for finding in found] == [clause]
    assert all(finding.found for finding in found)


def test_what_is_not_a_table_is_reported_once_however_many_choices_are_read_from_it() -> None:
    about = [finding.about for finding in errors(changed(submission("649a"), "paytables", 3))]
    assert about.count("paytables") == 1


def test_two_decks_and_a_count_need_a_shuffling_device() -> None:
    assert [finding.cite for finding in errors(changed(submission("649a"), "dealing/shuffler", False))] == [
        "649a.3(b)",
        "649a.5(b)",
    ]


def test_dealing_from_the_hand_needs_a_shuffling_device() -> None:
    data = changed(
        submission("649a"), "dealing", {"method": "hand", "shuffler": False, "counts_cards": False, "reshuffles": False, "decks": 1}
    )
    assert [finding.cite for finding in errors(data)] == ["649a.9(a)(1)"]


def test_two_wagers_of_a_table_do_not_share_a_meter() -> None:
    data = changed(submission("649a"), "linked/Three-Card Progressive Payout Wager", "house")
    assert errors(data) == []
    assert [finding.cite for finding in errors(changed(data, "linked/5 of 6 Progressive Payout Wager", "house"))] == [
        "649a.12(j)(3)"
    ]


def test_5_g_a_device_that_reshuffles_counts_the_cards_in_the_texts_since_2015() -> None:
    """The texts of 2011 require a device that reshuffles. The later ones require one that reshuffles and counts."""
    for chapter in book.chapters():
        for edition in chapter.editions:
            data = changed(submission(chapter.number, edition.name), "dealing/reshuffles", True)
            assert errors(data) == []
            found = [finding.cite for finding in errors(changed(data, "dealing/counts_cards", False))]
            assert found == ([] if edition.name == "2011-06-14" else [f"{chapter.number}.5(g)"])


@pytest.mark.parametrize(("game", "clause"), [("641a", "11(b)"), ("643a", "1"), ("649a", "11(b)"), ("680a", "11(b)")])
def test_a_time_limit_needs_the_reading_of_what_happens_at_its_end(game: str, clause: str) -> None:
    data = changed(submission(game), "readings/time runs out", None)
    (finding,) = errors(data)
    assert (finding.cite, finding.about) == (f"{game}.{clause}", "readings: time runs out")
    assert finding.accepted == " or ".join(book.find(game).edition().readings["time runs out"].alternatives)
    assert errors(changed(data, "decisions/seconds", 0)) == []


def test_readings_of_what_is_not_offered_need_not_be_named() -> None:
    bare = changed(changed(changed(submission("653a"), "payout_limit", None), "wagers", []), "readings", {})
    assert errors(bare) == []
    three = changed(submission("649a"), "wagers", ["Three-Card Progressive Payout Wager"])
    for reading in ("dealer-hand jackpot", "jackpot of several boxes", "reserve"):  # of the Five Card Hand Bonus
        three = changed(three, f"readings/{reading}", None)
    assert errors(three) == []


def test_a_table_that_was_opened_before_a_question_was_asked_stays_open() -> None:
    """Its log holds a filing that was accepted. Questions added since are answered with the code's defaults."""
    text = example_submission(book.find("682a").edition()).replace('"payout limit of several boxes" = "the player"', "")
    assert [finding.cite for finding in read_submission(text).errors] == ["682a.12(g)"]
    assert offer_of(text).readings["payout limit of several boxes"] == "the player"


def test_linked_meters_are_filed_under_the_clause_that_speaks_of_them() -> None:
    """649a.2(c) and (d) of 2019 let tables be linked. The texts of 2011 describe one table's system only."""
    for game, wager, edition, cite in (
        ("649a", "Five Card Hand Bonus Wager", "2019-11-02", ""),
        ("649a", "Three-Card Progressive Payout Wager", "2019-11-02", ""),
        ("649a", "Progressive Payout Wager", "2011-06-14", "649a.2(c)"),
        ("641a", "Progressive Payout Wager", "2011-06-14", "641a.2(c)"),
        ("653a", "Progressive Payout Wager", "2011-06-14", "653a.2(c)"),
    ):
        found = check(changed(submission(game, edition), f"linked/{wager}", "house")).findings
        warned = [each.cite for each in found if each.severity is Severity.WARNING and each.about.startswith("linked")]
        assert warned == ([cite] if cite else []), (game, edition)


def test_a_side_wager_has_a_lower_minimum_only_if_it_is_filed() -> None:
    half = changed(submission("649a"), "wager_limits/Six Card Bonus Wager", {"minimum": 1})
    assert [str(f) for f in check(half).findings if f.severity is Severity.ERROR] == [
        "wager_limits: Six Card Bonus Wager: needs a minimum and a maximum, and nothing else (601a.2). Allowed: { minimum = 1, maximum = 100 }."
    ]
    data = changed(submission("649a"), "wager_limits/Six Card Bonus Wager", {"minimum": 1, "maximum": 100})
    assert errors(data) == []
    assert [f.found for f in check(data).findings if f.about == "wager_limits: Six Card Bonus Wager"] == [
        "its minimum of $1 is below the table's, $5"
    ]
    offer = check(data).offer_or_refuse()
    limits = {
        name: limits_of(offer, offer.rules.wagers[name], (500, 50_000)) for name in ("Pair Plus Wager", "Six Card Bonus Wager")
    }
    assert limits == {"Pair Plus Wager": (500, 50_000), "Six Card Bonus Wager": (100, 10_000)}
    usual = check(submission("649a")).offer_or_refuse()
    assert limits_of(usual, usual.rules.wagers["Six Card Bonus Wager"], (500, 50_000)) == (500, 50_000)


def test_every_choice_that_the_example_leaves_as_a_comment_is_valid() -> None:
    for number in GAMES:
        text = example_submission(book.find(number).edition())
        for start in ("# wager_limits", "# linked", "# form", "# [mini_royal]"):
            if start in text:
                line = text[text.index(start) :].partition("\n")[0]
                used = text.replace(line, line.removeprefix("# "))
                assert check(tomllib.loads(used, parse_float=Decimal)).errors == (), (number, line)


def test_a_template_says_that_a_figure_is_a_minimum_only_where_the_clause_does() -> None:
    """641a.12(d)(3) and 653a.12(d)(3) leave the rate to the submission; 649a.12(e)(3) of 2011 sets a minimum for it too."""
    chosen = "you choose the rate; seed and reseed are minimums"
    for game, edition, words in (("641a", "", chosen), ("653a", "", chosen), ("649a", "2011-06-14", "the figures are minimums")):
        (line,) = (each for each in example_submission(book.find(game).edition(edition)).splitlines() if "[progressives." in each)
        assert line.endswith(f": {words}"), line


@pytest.mark.parametrize("rate", ["0%", "100%"])
def test_the_rate_of_a_meter_is_more_than_none_and_less_than_all(rate: str) -> None:
    (found,) = errors(changed(submission("641a"), "progressives/Progressive Payout Wager/rate", rate))
    assert str(found).endswith(f"{rate} is not a rate of progression (641a.12(d)(3)). Allowed: more than 0%, and less than 100%.")


def test_a_wager_that_is_listed_twice_is_noted() -> None:
    found = check(changed(submission("649a"), "wagers", [*submission("649a")["wagers"], "Six Card Bonus Wager"]))
    (note,) = (each for each in found.findings if each.about == "wagers: Six Card Bonus Wager")
    assert (note.severity, note.found) == (Severity.NOTE, "is listed more than once")
    assert found.offer_or_refuse().hash == check(submission("649a")).offer_or_refuse().hash


@pytest.mark.parametrize(("seconds", "warned"), [(0, False), (1, True), (4, True), (5, False), (90, False)])
def test_a_very_short_time_to_decide_is_allowed_with_advice(seconds: int, warned: bool) -> None:
    found = check(changed(submission("649a"), "decisions/seconds", seconds))
    advice = [each.severity for each in found.findings if each.about == "decisions, seconds"]
    assert (found.errors, advice) == ((), [Severity.WARNING] * warned)


def test_2011_figures_are_the_least_and_2019_figures_are_fixed() -> None:
    more = changed(submission("649a", "2011-06-14"), "progressives/Progressive Payout Wager/rate", "16%")
    assert errors(more) == []
    less = changed(submission("649a", "2011-06-14"), "progressives/Progressive Payout Wager/rate", "13%")
    assert [finding.cite for finding in errors(less)] == ["649a.12(e)(3)"]
    five = changed(
        submission("649a"),
        "progressives/Three-Card Progressive Payout Wager",
        {"amount": 5, "rate": "14%", "seed": 5000, "reseed": 5000},
    )
    assert errors(five) == []


def test_the_floor_of_a_limit_rises_with_the_minimum() -> None:
    data = changed(changed(submission("653a"), "minimum", 100), "payout_limit", 55_499)
    assert "at least $55,500" in errors(data)[0].accepted
    assert errors(changed(data, "payout_limit", 55_500)) == []


def test_the_floor_of_a_limit_is_found_for_any_chapter(tmp_path: Path) -> None:
    """A royal flush on all four bets: 500 to 1 on $20 and three times $60. A smaller minimum leaves the code's $50,000."""
    limit = 'common.limit(chapter, "12(c)", covers=[ANTE, THIRD, FOURTH, FIFTH])'
    file = tmp_path / "limited_stud.py"
    file.write_text(
        MISSISSIPPI_STUD.read_text().replace("# § 13", f"{limit}\n\n# § 13").replace('"MS", "Miss', '"LS", "Limited Miss')
    )
    data = changed(submission(book.find(file).number), "payout_limit", 50_000)
    assert errors(data) == []
    assert "at least $100,000" in errors(changed(data, "minimum", 20))[0].accepted


def test_a_form_changes_which_ante_bonus_letters_there_are_and_has_no_mini_royal() -> None:
    data = changed(submission("649a"), "form", "7(e)(2)")
    assert errors(data) == []
    assert [finding.cite for finding in errors(changed(data, "mini_royal/Ante Bonus", 5))] == ["649a.12(g)"]


def severities(data: dict[str, Any], severity: Severity) -> list[str]:
    return [finding.cite for finding in check(data).findings if finding.severity is severity]


def test_the_text_readings_that_are_unsound_are_warned_of_where_the_wager_is_offered() -> None:
    uth = changed(submission("653a"), "readings/progressive hand", "best five of seven")
    assert severities(uth, Severity.WARNING) == ["653a.1"]
    assert severities(changed(uth, "wagers", []), Severity.WARNING) == []
    prime = changed(submission("682a"), "readings/aces bonus hands", None)
    assert severities(prime, Severity.WARNING) == ["682a.6(d)"]


def test_reconstructed_rows_an_older_edition_and_a_proposed_text_are_said() -> None:
    assert "641a.12(c)" in severities(changed(submission("641a"), "paytables/Aces Up Wager", "D"), Severity.NOTE)
    assert severities(submission("649a", "2011-06-14"), Severity.WARNING) == ["58 Pa. Code Chapter 649a"]


def test_the_offer_is_frozen_and_named_by_its_hash() -> None:
    first, again = check(submission("649a")).offer, check(submission("649a")).offer
    other = check(changed(submission("649a"), "paytables/Pair Plus Wager", "B")).offer
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.hash == again.hash != other.hash
    assert len(first.hash) == 64
    with pytest.raises(AttributeError):
        first.minimum = 1  # type: ignore[misc]


def test_a_reading_may_be_named_by_its_question() -> None:
    question = book.find("649a").edition().readings["ante bonus"].question
    data = changed(changed(submission("649a"), "readings/ante bonus", None), f"readings/{question}", "only on a win")
    offer = check(data).offer
    assert offer is not None
    assert offer.readings["ante bonus"] == "only on a win"


@pytest.mark.parametrize("number", GAMES)
def test_the_example_reads_back_as_it_was_written(number: str) -> None:
    rules = book.find(number).edition()
    assert submission(number) == example_choices(rules)


def test_641a_12_d_5_an_envy_schedule_is_selected_apart_unless_read_to_follow_the_letter() -> None:
    raw = example_choices(book.find("641a").edition())
    mixed = raw | {"paytables": {**raw["paytables"], "Progressive Payout Wager": "B"}, "envy": "A"}
    terms = {**raw["progressives"]["Progressive Payout Wager"]}
    assert check(mixed | {"progressives": {"Progressive Payout Wager": terms}}).offer is not None
    read = {**raw.get("readings", {}), "envy schedule": "by the letter"}
    refused = check(mixed | {"readings": read})
    assert [(each.cite, each.about) for each in refused.errors] == [("641a.12(d)(5)", "envy")]
    assert check(mixed | {"readings": read, "envy": "B"}).offer is not None
