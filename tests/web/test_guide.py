"""What a guided round says: derived from the chapter, built in or not, and consistent with the table."""

from __future__ import annotations

import pytest

from croupier.filing.template import example_submission as example
from croupier.law.procedure import Act, Stage
from croupier.odds.analysis import full_offer
from croupier.table.state import offer_of
from croupier.web.api.learning import Guide, guide_of
from tests.examples import GAMES, chapter_of
from tests.web.playing import new_name, sit, until
from tests.web.serving import Served


def guide(game: str) -> Guide:
    return guide_of(offer_of(example(chapter_of(game).edition())))


@pytest.mark.parametrize("game", GAMES)
def test_every_stage_and_every_wager_is_explained_under_its_clause(game: str) -> None:
    rules = chapter_of(game).edition()
    told = guide_of(full_offer(rules, {}, {}))
    assert [(each.act, each.cite) for each in told.stages] == [(each.act.value, str(each.cite)) for each in rules.of(Stage)]
    for each in (*told.wagers, *told.stages, *told.wins):
        assert each.words.endswith(".")
        assert each.cite.startswith(f"{rules.number}.")
    before = [wager for wager in rules.wagers.values() if not wager.made_by_decision]
    assert {each.wager for each in told.wagers} == {wager.group or wager.key for wager in before}
    assert any(each.needed for each in told.wagers)
    assert told.wins


def test_649a_says_what_a_player_must_know() -> None:
    told = guide("649a")
    ante = told.wagers[0]
    assert (ante.wager, ante.name, ante.needed) == ("Ante Wager", "Ante", True)
    assert ante.words == "This bet gets you cards. Amount: $5 to $500. You lose it if you fold."
    assert not any(each.needed for each in told.wagers[1:])
    assert ("The dealer has less than queen high: Ante wins 1 to 1, Play is returned.", "649a.11(c)(3)(i)") in [
        (each.words, each.cite) for each in told.wins
    ]


@pytest.mark.parametrize(("form", "needed"), [("7(e)(2)", ["Ante"]), ("7(e)(3)", ["Ante", "Pair Plus"])])
def test_649a_7_e_a_version_says_which_wagers_are_needed(form: str, needed: list[str]) -> None:
    told = guide_of(full_offer(chapter_of("649a").edition(), {}, {}, form))
    assert [each.name for each in told.wagers if each.needed] == needed
    assert all(each.words.startswith("Without it you are not dealt in.") for each in told.wagers if each.needed)


def test_643a_three_bets_are_one_wager() -> None:
    first = guide("643a").wagers[0]
    assert first.wager == "Let It Ride Poker Wager"
    assert "3 equal bets: Bet Number 1, Bet Number 2 and Bet Number 3" in first.words


def test_680a_says_how_to_set_a_hand() -> None:
    setting = next(each for each in guide("680a").stages if each.act == Act.SET.value)
    assert "three cards that total 10, 20 or 30" in setting.words
    assert [each.cite for each in setting.also] == ["680a.6(a)", "680a.11(b)", "680a.6(b)"]


def test_the_guide_names_the_wagers_as_the_table_takes_them(served: Served) -> None:
    """A required wager is one that the table proposes first."""
    client, table = served.guest(new_name()), "ultimate-texas-hold-em-poker"
    free = next(n for n in range(1, 7) if n not in client.seen(table).view.seats)
    sit(client, table, free)
    try:
        until(lambda: client.seen(table).view.phase == "betting")
        proposed = [each.command["wager"] for each in client.seen(table).can if each.do == "place wager" and each.primary]
        told = client.call("GET", f"/api/tables/{table}/guide")["wagers"]
        assert proposed
        assert set(proposed) <= {each["wager"] for each in told if each["needed"]}
    finally:
        client.do(table, "leave", seat=free)
