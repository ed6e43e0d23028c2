"""Folds before all cards are dealt or turned: what a fold loses is collected at its street, and the others play on."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier import book
from croupier.filing.check import check
from croupier.filing.template import example_choices
from croupier.law.cite import Refusal
from croupier.law.procedure import Act
from croupier.law.wager import Decision
from croupier.money import dollars
from croupier.table.accounts import chips, layout
from croupier.table.case import read_case
from croupier.table.choices.players import choices
from tests.examples import DEALT_LATER, ONLY_WITH_A_PAIR, mississippi_stud, variant
from tests.table.pit import Pit, opened, refused, toml

METHODS = ("manual shoe", "hand", "automated shoe")
BOUGHT = 10_000_00
#: What each box says on its three streets.
SAID = {1: ("fold",), 2: ("bet 1x", "fold"), 3: ("bet 1x", "bet 3x", "fold"), 4: ("bet 1x", "bet 2x", "bet 3x")}
HANDS = {1: "As Kd", 2: "Qs Jd", 3: "8s 7d", 4: "9s 9d"}


def said(box: int, decision: Decision) -> str:
    street = ("3rd Street Wager", "4th Street Wager", "5th Street Wager").index(decision.name)
    return SAID[box][street]


def dealt(pit: Pit) -> Pit:
    for box in SAID:
        pit.bet(box, ante=10)
    pit.stack(HANDS, community="9h 4c 2c")
    pit.lock()
    return pit


def held(pit: Pit) -> dict[int, int]:
    return {box: (pit.state.balance(chips(box)) - BOUGHT) // 100 for box in SAID}


@pytest.mark.parametrize("method", METHODS)
def test_each_street_collects_its_folds_and_the_others_play_on(method: str) -> None:
    pit = dealt(opened(mississippi_stud(), method, *SAID))
    collected = []
    while pit.state.round is not None:
        event = pit.step(said)
        assert event is not None
        if event.event == "forfeited wagers collected":
            collected.append((sum(line.stake for line in event.then.lines) // 100, {card.seat for card in event.then.cards}))
            assert all(line.hand == "" for line in event.then.lines)
    # the ante; the ante and one bet; the ante, one bet and a bet of three antes
    assert collected == [(10, {1}), (20, {2}), (50, {3})]
    # three nines pay 3 to 1 on 10 + 10 + 20 + 30
    assert held(pit) == {1: -10, 2: -20, 3: -50, 4: 210}


def test_the_layout_of_a_folded_box_is_empty_at_once() -> None:
    pit = dealt(opened(mississippi_stud(), "hand", *SAID)).until(Act.TURN, said)
    assert [pit.state.balance(layout(box)) // 100 for box in SAID] == [0, 20, 20, 20]
    assert pit.state.round is not None and [held.up for held in pit.state.round.community] == [False] * 3


@pytest.mark.parametrize("method", METHODS)
def test_a_fold_before_the_board_is_dealt_ends_nothing_for_the_others(method: str, tmp_path: Path) -> None:
    pit = dealt(opened(variant(tmp_path, "MT", "Mississippi Dealt", DEALT_LATER).edition(), method, *SAID))
    assert pit.state.round is not None and not pit.state.round.community
    pit.finish(said)
    assert held(pit) == {1: -10, 2: -20, 3: -50, 4: 210}


@pytest.mark.parametrize("changes", [{}, DEALT_LATER], ids=["turned", "dealt"])
def test_the_round_ends_when_everyone_folds(changes: dict[str, str], tmp_path: Path) -> None:
    pit = dealt(opened(variant(tmp_path, "MT", "Mississippi Test", changes).edition(), "hand", *SAID))
    pit.finish(lambda box, decision: "fold")
    assert held(pit) == dict.fromkeys(SAID, -10)


def test_a_player_who_folded_and_leaves_loses_nothing_more() -> None:
    pit = dealt(opened(mississippi_stud(), "hand", *SAID)).until(Act.TURN, said)
    pit.leave(by="player:1", seat=1)
    pit.finish(said)
    assert {box: held(pit)[box] for box in (2, 3, 4)} == {2: -20, 3: -50, 4: 210}


@pytest.mark.parametrize(("reading", "first"), [("goes back", 0), ("stays lost", -10)])
def test_a_void_round_returns_what_an_earlier_street_lost_as_it_is_read(reading: str, first: int) -> None:
    readings = {"forfeited in a void round": reading}
    pit = dealt(opened(mississippi_stud(), "hand", *SAID, readings=readings)).until(Act.TURN, said)
    pit.raise_irregularity(by="dealer", irregularity="A player or the community dealt a wrong number of cards")
    assert pit.state.round is None
    assert held(pit) == {1: first, 2: 0, 3: 0, 4: 0}


def test_a_choice_that_needs_a_hand_is_refused_without_it(tmp_path: Path) -> None:
    chapter = variant(tmp_path, "MP", "Mississippi Pairs", ONLY_WITH_A_PAIR)
    pit = dealt(opened(chapter.edition(), "hand", *SAID)).until(Act.ASK)
    offered = [choice.command["choice"] for choice in choices(pit.state, "player:1", pit.now) if choice.do == "decide"]
    assert offered == ["bet", "fold"]
    refused(pit.verify_decide(by="player:1", seat=1, choice="bet 2x"), "MP.11(b)", "needs pair or better", "“bet” or “fold”")
    for box in (1, 2, 3):
        pit.decide(by=f"player:{box}", seat=box, choice="fold")
    pit.decide(by="player:4", seat=4, choice="bet 3x")
    assert pit.state.balance(layout(4)) == dollars(40)


def test_a_described_round_needs_the_hand_too(tmp_path: Path) -> None:
    variant(tmp_path, "MP", "Mississippi Pairs", ONLY_WITH_A_PAIR)
    seat = {"cards": "As Kd", "wagers": {"Ante Wager": 10}, "decision": "bet bet 2x bet"}
    case = {"game": "MP", "community": {"cards": "9h 4c 2c"}, "seats": {"1": seat}}
    with pytest.raises(Refusal, match="seat 1: “bet 2x” needs pair or better"):
        read_case(case)
    case["seats"] = {"1": seat | {"cards": "Ks Kd"}}
    assert read_case(case).settle().seats[0].net == dollars(10 + 10 + 20 + 10)  # a pair of kings pays 1 to 1


def test_an_example_submission_of_the_variants_is_valid(tmp_path: Path) -> None:
    for number, changes in (("MT", DEALT_LATER), ("MP", ONLY_WITH_A_PAIR)):
        rules = variant(tmp_path, number, f"Mississippi {number}", changes).edition()
        assert check(example_choices(rules)).offer is not None and toml(example_choices(rules))
    assert book.find("MP").number == "MP"
