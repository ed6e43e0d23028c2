"""The posted limits: within those filed, between rounds, never against a wager on the layout."""

from __future__ import annotations

import pytest

from croupier.floor.surveillance.narration import sentence
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.views import view
from croupier.wire import Limits
from tests.table.holding import log_holds
from tests.table.pit import Pit, find, opened, refused

FILED = "601a.2"  # the Rules Submission, which files the minimum and the maximum


def post(pit: Pit, low: int, high: int) -> Pit:
    pit.post_limits(by="floorperson", minimum=dollars(low), maximum=dollars(high))
    return pit


def test_as_filed_until_others_are_posted() -> None:
    pit = opened(find("649a"))
    assert view(pit.state, "public").limits == Limits(500, 50_000)
    post(pit, 25, 100)
    assert view(pit.state, "player:1").limits == Limits(2_500, 10_000)
    assert sentence(pit.events[-1], pit.state.rules) == "Posted limits: $25 to $100."


def test_wagers_are_checked_against_the_posted_limits() -> None:
    pit = post(opened(find("649a")), 25, 100)
    for amount, allowed in ((2_499, False), (2_500, True), (10_000, True), (10_001, False)):
        problem = pit.verify_place_wager(by="player:1", seat=1, wager="Ante Wager", amount=amount)
        if allowed:
            assert problem is None
        else:
            refused(problem, FILED, "outside the posted limits", "$25 to $100")
    post(pit, 5, 500)
    assert pit.can_place_wager(by="player:1", seat=1, wager="Ante Wager", amount=500)


def test_a_side_wager_is_checked_against_the_posted_limits() -> None:
    pit = opened(find("649a")).bet(1, ante=10)
    for amount, allowed in ((1, False), (499, False), (500, True), (50_000, True), (50_001, False)):
        problem = pit.verify_place_wager(by="player:1", seat=1, wager="Six Card Bonus Wager", amount=amount)
        if allowed:
            assert problem is None
        else:
            refused(problem, FILED, "outside the posted limits", "$5 to $500")


@pytest.mark.parametrize(("low", "high"), [(4, 100), (5, 501), (500, 5), (501, 501), (4, 501)])
def test_only_within_the_limits_filed(low: int, high: int) -> None:
    pit = opened(find("649a"))
    command = say.PostLimits(minimum=dollars(low), maximum=dollars(high))
    refused(pit.verify(command, "floorperson"), FILED)


def test_not_against_a_wager_already_placed() -> None:
    pit = opened(find("649a")).bet(1, ante=10)
    refused(pit.verify_post_limits(by="floorperson", minimum=2_500, maximum=10_000), FILED, "seat 1", "$10 on the Ante Wager")
    refused(pit.verify_post_limits(by="floorperson", minimum=500, maximum=900), FILED, "seat 1")
    assert pit.can_post_limits(by="floorperson", minimum=1_000, maximum=1_000)


def test_a_wager_that_has_no_posted_limits_or_its_own_does_not_stand_against_others() -> None:
    own = {"Three Card Bonus Wager": {"minimum": 1, "maximum": 25}}
    pit = opened(find("643a"), wager_limits=own)
    pit.bet(1, bets=50).place_wager(by="player:1", seat=1, wager="Three Card Bonus Wager", amount=100)
    post(pit, 25, 100)
    assert pit.can_place_wager(by="player:1", seat=1, wager="Three Card Bonus Wager", amount=100)
    refused(pit.verify_place_wager(by="player:1", seat=1, wager="Three Card Bonus Wager", amount=2_600), FILED, "$1 to $25")


def test_only_between_rounds_and_only_by_a_floorperson() -> None:
    pit = opened(find("649a")).bet(1, ante=10)
    refused(
        pit.verify_post_limits(by="dealer", minimum=500, maximum=900), "601a.2", "“post limits” is not a command for the dealer"
    )
    pit.lock()
    refused(pit.verify_post_limits(by="floorperson", minimum=500, maximum=50_000), FILED, "the cards are being dealt")
    pit.finish()
    assert pit.can_post_limits(by="floorperson", minimum=500, maximum=900)
    fresh = Pit(find("649a"))
    assert fresh.can_post_limits(by="floorperson", minimum=500, maximum=900)


def test_a_reopened_table_has_the_limits_filed() -> None:
    pit = post(Pit(find("649a")), 25, 100)
    opening = pit.events[0].command
    assert isinstance(opening, say.OpenTable)
    pit.close_table(by="floorperson")
    pit.do(opening, "floorperson")
    assert view(pit.state, "public").limits == Limits(500, 50_000)
    log_holds(pit)
