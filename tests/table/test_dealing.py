"""Sections .8 to .10: “no more bets”, the deal in the code's order, the count of the stub."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.law.chapter import Rules
from croupier.law.procedure import Act, Dealing, Device
from croupier.table.rules.wagers import stub_is_due
from croupier.table.state import Phase
from tests.table.pit import (
    BOOK_METHODS,
    EDITIONS,
    OF_THE_BOOK,
    STAYS,
    Pit,
    every_method,
    find,
    must_count,
    opened,
    refused,
)

of_the_book = pytest.mark.parametrize("rules", OF_THE_BOOK.values(), ids=OF_THE_BOOK)
every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
by_the_book = pytest.mark.parametrize(("rules", "dealing"), BOOK_METHODS.values(), ids=BOOK_METHODS)
SHUFFLER = Device.SHUFFLER.value

# The clause that asks for the count, and the one that says what a wrong count means, by method. In the chapters that
# collect progressive wagers, 8(b) and (c) are two subsections, in the others one. The stub comes a letter earlier there.
COUNTED = {"hand": "9(d)", "automated shoe": "10(d)", "continuous shoe": "10(d)"}
WRONG = {"hand": "9(f)", "automated shoe": "10(f)", "continuous shoe": "10(f)"}
SHORT = {"679a", "680a", "682a"}


def counted(rules: Rules, method: str) -> str:
    return f"{rules.number}.{COUNTED.get(method) or ('8(e)' if rules.number in SHORT else '8(f)')}"


def wrong(rules: Rules, method: str) -> str:
    return f"{rules.number}.{WRONG.get(method) or ('8(g)' if rules.number in SHORT else '8(h)')}"


def uncounting(rules: Rules, method: str, *seats: int, **more: int) -> Pit:
    return opened(rules, method, *seats, dealing={"counts_cards": False, **more})


def due(pit: Pit) -> bool:
    assert pit.state.round is not None
    return stub_is_due(pit.state, pit.state.round)


# the deal as the texts describe it, by hand, for two players at seats 2 and 4 who make every wager

ONES = {
    "641a": "2 4 D 2 4 D 2 4 D 2 4 D 2 4 D D+",
    "643a": "2 4 C 2 4 C 2 4",
    "649a-2011-06-14": "2 4 D 2 4 D 2 4 D",
    "649a-2019-11-02": "2 4 D 2 4 D 2 4 D C C",
    "653a": "2 4 D 2 4 D",
    "679a": "2 4 D 2 4 D 2 4 D F2 F4",
    "680a": "2 4 D 2 4 D 2 4 D 2 4 D 2 4 D",
    "682a": "C 2 4 D 2 4 D 2 4 D 2 4 D 2 4 D D",
}
STACKS = {
    "641a": "2 2 2 2 2 4 4 4 4 4 D D D D D R R R R D+",
    "643a": "2 2 2 4 4 4 C C R",
    "649a-2011-06-14": "2 2 2 4 4 4 D D D",
    "649a-2019-11-02": "2 2 2 4 4 4 D D D C C",
    "653a": "2 2 4 4 D D",
    "679a": "2 2 2 4 4 4 D D D F2 F4",
    "680a": "2 2 2 2 2 4 4 4 4 4 D D D D D",
    "682a": "2 2 2 2 2 4 4 4 4 4 D D D D D C D R R R",
}
CONTINUOUS = {"653a": "C C C C C 2 2 4 4 D D", "679a": "F2 2 2 2 F4 4 4 4 R D D D"}


def told(pit: Pit) -> Iterator[str]:
    letters = {"dealer's cards": "D", "community cards": "C", "discard rack": "R"}
    for event in pit.events:
        if event.event == "cards dealt":
            for shown in event.then.cards:
                place = letters.get(shown.at) or ("F" if "fourth" in shown.at else "") + str(shown.seat)
                yield place + ("+" if shown.card else "")


@by_the_book
def test_8_9_10_the_deal_card_by_card(rules: Rules, dealing: Dealing) -> None:
    table = {"automated shoe": STACKS, "continuous shoe": CONTINUOUS}.get(dealing.method.value, ONES)
    text = table.get(rules.number) or table[f"{rules.number}-{rules.edition}"]
    pit = opened(rules, dealing.method.value, 4, 2)
    pit.bet_everything(4).bet_everything(2).lock()
    pit.play_until(lambda table: table.phase is not Phase.DEALING)
    assert " ".join(told(pit)) == text


@every_method
def test_8_9_10_no_card_more_than_the_code_deals(rules: Rules, dealing: Dealing) -> None:
    pit = opened(rules, dealing.method.value, 1)
    refused(pit.verify_deal_cards(by="dealer"), str(dealing.cite), "betting is open")
    pit.bet_everything(1).lock()
    refused(pit.verify_deal_cards(by="dealer", count=60), str(dealing.cite), "left to deal")
    pit.play_until(lambda table: table.phase is not Phase.DEALING)
    refused(pit.verify_deal_cards(by="dealer"), str(dealing.cite), "a round is in progress")


def test_649a_8_d_two_more_cards_only_for_a_five_card_wager() -> None:
    pit = opened(find("649a"), "manual shoe", 1)
    pit.bet(1, ante=10, pair_plus=10, six_card=5).lock()
    pit.finish(STAYS)
    assert " ".join(told(pit)) == "1 D 1 D 1 D"


def test_682a_8_c_an_all_six_card_only_for_its_wager() -> None:
    pit = opened(find("682a"), "automated shoe", 1)
    pit.bet(1, ante=10).lock()
    pit.finish(STAYS)
    assert " ".join(told(pit)) == "1 1 1 1 1 D D D D D D R R R R"


def test_679a_10_g_2_the_top_card_of_a_player_without_a_pair_bonus_goes_to_the_rack() -> None:
    pit = opened(find("679a"), "continuous shoe", 1)
    pit.bet(1, ante=10).lock()
    pit.finish(STAYS)
    assert " ".join(told(pit)) == "R 1 1 1 R D D D"


# “no more bets”


@every_method
def test_8_9_10_the_chips_collected_equal_the_wagers_that_the_system_accepted(rules: Rules, dealing: Dealing) -> None:
    clause = {8: "8(b)", 9: "9(a)(3)", 10: "10(a)(2)"}[dealing.cite.section]
    pit = opened(rules, dealing.method.value, 1, 2)
    pit.bet_everything(1).bet_everything(2)
    right = pit.staff.no_more_bets(pit.state)[1].collected  # type: ignore[attr-defined]
    if not right:
        refused(pit.verify_no_more_bets(by="dealer", collected={"Bonus Wager": 100}), f"{rules.number}.{clause}")
        return
    for name in right:
        for cents in (0, right[name] - 100, right[name] + 100):
            refused(pit.verify_no_more_bets(by="dealer", collected=right | {name: cents}), f"{rules.number}.{clause}")
    event = pit.no_more_bets(by="dealer", collected=right)
    assert f"{rules.number}.{clause}" in event.then.cites
    gathered = sum(move.cents for move in event.then.moves if move.target == "table inventory" and "layout" in move.source)
    electronic = 400 if rules.edition.name == "2019-11-02" else 0  # two Five Card Hand Bonus Wagers of $1 from each player
    assert gathered == sum(right.values()) + electronic


@every_edition
def test_8_b_not_before_someone_wagers(rules: Rules) -> None:
    refused(opened(rules, "manual shoe", 1).verify_no_more_bets(by="dealer"), f"{rules.number}.7(b)")


# the stub


@by_the_book
def test_8_9_10_the_stub_is_counted_every_five_rounds(rules: Rules, dealing: Dealing) -> None:
    method = dealing.method.value
    pit = uncounting(rules, method, 1, decks=1)
    for number in range(1, 11):
        pit.ready().bet_everything(1).lock()
        pit.until(Act.SETTLE, STAYS)
        assert due(pit) == (number % 5 == 0 and not must_count(rules, method)), number
        if due(pit):
            refused(pit.verify_turn_hand(by="dealer", seat=1), counted(rules, method), "counted")
            refused(pit.verify_settle_seat(by="dealer", seat=1), counted(rules, method), "counted")
        pit.finish(STAYS)
    counts = [event for event in pit.events if event.event == "stub counted"]
    assert [event.then.cites for event in counts] == [(counted(rules, method),)] * (0 if must_count(rules, method) else 2)


@every_edition
@pytest.mark.parametrize("method", ["hand", "automated shoe"])
def test_9_10_with_two_decks_a_stub_is_still_counted_every_five_rounds_of_play(rules: Rules, method: str) -> None:
    """The clause counts rounds of play, not the rounds of one deck."""
    pit = uncounting(rules, method, 1)
    when = []
    for number in range(1, 16):
        pit.round_of(1, choose=STAYS)
        if any(event.event == "stub counted" for event in pit.events):
            when.append(number)
            pit.events.clear()
    assert when == [5, 10, 15]


@every_method
def test_8_9_10_a_device_that_counts_spares_the_count(rules: Rules, dealing: Dealing) -> None:
    if dealing.method.value == "manual shoe":
        pit = opened(rules, "manual shoe", 1, dealing={"shuffler": True, "counts_cards": True})
    else:
        pit = opened(rules, dealing.method.value, 1)
    for _ in range(7):
        pit.round_of(1)
    assert "stub counted" not in [event.event for event in pit.events]


def test_649a_10_d_the_count_begins_when_the_device_that_counts_fails() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    for _ in range(6):
        pit.round_of(1)
    pit.raise_irregularity(by="dealer", irregularity="Device out of order", device=SHUFFLER)
    for _ in range(5):
        pit.round_of(1)
    assert [event.event for event in pit.events].count("stub counted") == 1


@every_method
def test_8_9_10_an_early_count_restarts_the_five_rounds(rules: Rules, dealing: Dealing) -> None:
    pit = uncounting(rules, dealing.method.value, 1, decks=1)
    pit.round_of(1).round_of(1).ready().bet_everything(1).lock()
    pit.until(Act.SETTLE, STAYS)
    assert pit.state.round is not None
    pit.count_stub(by="dealer", counted=pit.state.decks[pit.state.round.deck].left)
    pit.finish(STAYS)
    for number in range(1, 6):
        pit.ready().bet_everything(1).lock()
        pit.until(Act.SETTLE, STAYS)
        assert due(pit) == (number == 5 and not must_count(rules, dealing.method.value))
        pit.finish(STAYS)


@by_the_book
@pytest.mark.parametrize("misdealt", [True, False])
def test_8_9_10_a_wrong_count_makes_all_hands_void(rules: Rules, dealing: Dealing, misdealt: bool) -> None:
    """Misdealt: the cards stay. Not misdealt: the entire deck is removed."""
    method = dealing.method.value
    pit = uncounting(rules, method, 1, 2)
    before = dict(pit.state.accounts)
    meters = dict(pit.meters)
    pit.bet_everything(1).bet_everything(2).lock()
    pit.until(Act.SETTLE, STAYS)
    assert pit.state.round is not None
    deck = pit.state.decks[pit.state.round.deck]
    event = pit.count_stub(by="dealer", counted=deck.left - 1, misdealt=misdealt)
    assert event.then.cites == (wrong(rules, method),)
    assert pit.state.phase is Phase.BETTING
    assert {account: cents for account, cents in pit.state.accounts.items() if cents} == before
    assert pit.meters == meters
    assert (deck in pit.state.decks) is misdealt


def test_653a_8_e_there_is_no_stub_before_the_last_community_card() -> None:
    pit = uncounting(find("653a"), "manual shoe", 1)
    pit.bet(1, ante=10, blind=10).lock()
    pit.until(Act.BURN, STAYS, nth=2)
    refused(pit.verify_count_stub(by="dealer", counted=40), "653a.8(f)", "not been dealt yet")
    pit.until(Act.REVEAL, STAYS)
    pit.count_stub(by="dealer", counted=52 - 4 - 2 - 5)


@of_the_book
def test_8_a_count_comes_before_the_first_settlement(rules: Rules) -> None:
    pit = uncounting(rules, "manual shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2)
    refused(pit.verify_count_stub(by="dealer", counted=40), counted(rules, "manual shoe"))
    pit.lock()
    refused(pit.verify_count_stub(by="dealer", counted=40), counted(rules, "manual shoe"))
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    refused(pit.verify_count_stub(by="dealer", counted=40), counted(rules, "manual shoe"), "being settled")
