"""Refusals and events cite the clause behind them: who may do what, what is dealt when, what a wager may be."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.procedure import Act
from croupier.table.commands import Role
from croupier.table.engine import COMMANDS
from croupier.table.state import Phase
from tests.table.pit import EDITIONS, STAYS, find, opened

# By the texts: 4(a) has the dealer inspect and the floorperson verify, 4(b) and (c) spread, show and wash, 5(a) has the dealer
# shuffle and a floorperson direct it, 5(d) the dealer cut, 5(e) a floorperson order a recut, 7(b) only seated players wager.
# Every chapter has the same letters there.
SAME_EVERYWHERE: dict[str, tuple[str, dict[str, Any]]] = {
    "inspect_decks": ("4(a)", {}),
    "verify_inspection": ("4(a)", {}),
    "spread_decks": ("4(b)", {}),
    "wash_decks": ("4(c)", {}),
    "view_decks": ("4(c)", {"seat": 1}),
    "shuffle_deck": ("5(a)", {"deck": "red"}),
    "order_shuffle": ("5(a)", {"deck": "red"}),
    "cut_deck": ("5(d)", {"deck": "red", "depth": 20}),
    "order_recut": ("5(e)", {"deck": "red", "why": "the cut was not seen"}),
    "place_wager": ("7(b)", {"seat": 1, "wager": "Ante Wager", "amount": 500}),
}


def refused_for(rules: Rules, command: str, fields: dict[str, Any]) -> set[str]:
    """What each role that may not give a command is told."""
    pit = opened(rules, "automated shoe", 1)
    wrong = [role for role in Role if role not in COMMANDS[command].by]
    assert wrong
    cites = set()
    for role in wrong:
        problem = getattr(pit, f"verify_{command}")(by="player:1" if role is Role.PLAYER else role.value, **fields)
        assert isinstance(problem, Refusal)
        assert f"is not a command for the {role}" in problem.said
        assert problem.accepted == " or ".join(COMMANDS[command].by)
        cites.add(problem.cite)
    return cites


@pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
@pytest.mark.parametrize("command", SAME_EVERYWHERE)
def test_a_role_is_refused_with_the_clause_that_gives_the_act_to_another(rules: Rules, command: str) -> None:
    clause, fields = SAME_EVERYWHERE[command]
    assert refused_for(rules, command, fields) == {f"{rules.number}.{clause}"}


@pytest.mark.parametrize(("number", "clause"), [("641a", "11(c)(5)(iii)"), ("649a", "11(c)(5)(iii)"), ("653a", "11(j)(3)")])
def test_11_a_floorperson_validates(number: str, clause: str) -> None:
    wager = {"649a": "Three-Card Progressive Payout Wager"}.get(number, "Progressive Payout Wager")
    assert refused_for(find(number), "validate_progressive", {"seat": 1, "wager": wager}) == {f"{number}.{clause}"}


def test_649a_10_c_the_community_cards_come_from_the_stub() -> None:
    """10(b) delivers the stacks of three. By 10(c) two community cards are dealt after the stub has left the shoe."""
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10)
    pit.fund_game_account(by="player:1", seat=1, amount=1000)
    pit.place_wager(by="player:1", seat=1, wager="Five Card Hand Bonus Wager: player", amount=100)
    pit.lock()
    while pit.state.phase is Phase.DEALING:
        pit.deal_cards(by="dealer", count=1)
    cited = [(shown.at, event.then.cites) for event in pit.events if event.event == "cards dealt" for shown in event.then.cards]
    assert {cites for at, cites in cited if at == "community cards"} == {("649a.10(c)",)}
    assert {cites for at, cites in cited if at != "community cards"} == {("649a.10(b)",)}


def test_679a_10_c_the_fourth_card_comes_from_the_stub() -> None:
    pit = opened(find("679a"), "automated shoe", 1)
    pit.bet(1, ante=10)
    pit.place_wager(by="player:1", seat=1, wager="Pair Bonus Wager", amount=500)
    pit.lock()
    while pit.state.phase is Phase.DEALING:
        pit.deal_cards(by="dealer", count=1)
    cited = [(shown.at, event.then.cites) for event in pit.events if event.event == "cards dealt" for shown in event.then.cards]
    assert {cites for at, cites in cited if "fourth" in at} == {("679a.10(c)",)}
    assert {cites for at, cites in cited if "fourth" not in at} == {("679a.10(b)",)}


@pytest.mark.parametrize(
    ("method", "clause"), [("manual shoe", "8(e)"), ("hand", "9(c)"), ("automated shoe", "10(c)"), ("continuous shoe", "10(g)")]
)
def test_653a_the_community_cards_cite_the_clause_of_the_method_too(method: str, clause: str) -> None:
    """.11 says when they are dealt. 8(e), 9(c) and 10(c) say from where, and 10(g) lets them be dispensed before the hands."""
    pit = opened(find("653a"), method, 1)
    pit.bet(1, ante=10, blind=10).lock()
    pit.until(Act.COLLECT, STAYS)
    cited = [event.then.cites for event in pit.events if event.event == "community cards dealt"]
    assert cited == [("653a.11(c)", f"653a.{clause}"), ("653a.11(e)", f"653a.{clause}")]


@pytest.mark.parametrize(
    ("wagers", "hand", "dealer", "community", "clauses"),
    [
        ({"three_card": 1}, "As Ks Qs", "7d 3h 2c", "", "(5)(iv)"),
        ({"five_card": 1}, "9s Ts Js", "7d 3h 2c", "Qs Ks", "(7)(iv)"),
        ({"on_player": 1}, "9s Ts Js", "7d 3h 2c", "Qs Ks", "(8)(iii)"),
        ({"of_six": 1}, "As Ks Qs", "Js Ts 2c", "", "(9)(iv)"),
        ({"three_card": 1, "five_card": 1}, "As Ks Qs", "7d 3h 2c", "Js Ts", "(5)(iv) (7)(iv)"),
    ],
)
def test_649a_11_c_papers_cite_the_clause_of_the_wager_that_they_are_for(
    wagers: dict[str, int], hand: str, dealer: str, community: str, clauses: str
) -> None:
    """One set of papers per box, whatever it won."""
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, **wagers).stack({1: hand}, dealer=dealer, community=community).lock()
    pit.finish(STAYS)
    done = [event.then.cites for event in pit.events if event.event == "papers completed"]
    assert done == [tuple(f"649a.11(c){clause}" for clause in clauses.split())]


def test_643a_12_b_the_bonus_is_a_dollar() -> None:
    """7(e) offers the wager and names no amount. 12(b) pays it in dollars, which assumes a wager of $1."""
    pit = opened(find("643a"), "automated shoe", 1)
    pit.place_wager(by="player:1", seat=1, wager="Let It Ride Poker Wager", amount=500)
    problem = pit.verify_place_wager(by="player:1", seat=1, wager="Let It Ride Bonus Wager", amount=200)
    assert isinstance(problem, Refusal)
    assert (problem.cite, problem.accepted) == ("643a.12(b)", "$1")
