"""Section .13: when each irregularity can be raised, what is void, what is returned, what is still settled, what happens to the deck."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.law.chapter import Rules
from croupier.law.procedure import Act, Dealing, Device
from croupier.table.meters import MeterState
from croupier.table.rules.decks import SHOES
from croupier.table.state import Condition, Phase
from tests.table.pit import (
    BOOK_METHODS,
    EDITIONS,
    FOLDS,
    METHODS,
    OF_THE_BOOK,
    SOME_METHODS,
    STAYS,
    Pit,
    by_seat,
    find,
    irregularities,
    opened,
    refused,
)

every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
SHOE = Device.SHOE.value
every_method = pytest.mark.parametrize(("rules", "dealing"), METHODS.values(), ids=METHODS)
by_the_book = pytest.mark.parametrize(
    ("rules", "dealing"),
    [pytest.param(*BOOK_METHODS[key], id=key, marks=() if key in SOME_METHODS else pytest.mark.thorough) for key in BOOK_METHODS],
)
EXPOSED = "Dealer's card exposed"


def test_649a_13_d_wagers_that_went_to_the_inventory_need_its_chips_to_go_back() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    pit.until(Act.REVEAL, by_seat(s1=FOLDS, s2=STAYS))
    pit.credit(by="floorperson", amount=pit.state.balance("table inventory"))
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,)), "649a.13(d)", "after a fill")
    pit.fill(by="floorperson", amount=1_000_00)
    pit.raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,))
    assert pit.state.balance("seat 1 chips") == pit.state.balance("seat 2 chips") == 9_000_00
    assert pit.state.balance("seat 1 game account") == pit.state.balance("seat 2 game account") == 1_000_00


@pytest.mark.parametrize("number", ["641a", "649a", "679a"])
def test_13_d_until_the_dealer_has_revealed_their_cards(number: str) -> None:
    """“Prior to the dealer revealing his cards in accordance with .11(c)”: this includes the moment when that comes next."""
    pit = opened(find(number), "automated shoe", 1)
    pit.bet(1, ante=10).lock()
    pit.until(Act.REVEAL, STAYS)
    assert pit.can_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,))
    pit.step()
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=EXPOSED), f"{number}.13(d)", "cannot be raised now")


def test_653a_13_d_not_after_each_player_has_folded_or_made_a_play_wager() -> None:
    """Two players who raise before the Flop have nothing more to decide. A dealer's card exposed after that changes nothing."""
    pit = opened(find("653a"), "automated shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    pit.until(Act.ASK)
    pit.answer(STAYS)
    assert pit.can_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,))
    pit.answer(STAYS)
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,)), "653a.13(d)")


# Every irregularity at every moment of a round, written out by hand from the texts of .13 and .5(b).
#
# A moment is one of: betting, locked (“no more bets”, no card dealt), deal, then the stage of .11 that is next, with
# “paying” for the settlement once a box is settled.

ONE, MORE, DRAWN = "One card face up", "More than one card face up", "Card drawn in error, unexposed"
MORE_BEFORE, MORE_AFTER = f"{MORE} before everyone has two cards", f"{MORE} after everyone has two cards"
COMMUNITY_EXPOSED, SHOE_JAMS, SHUFFLER_JAMS = "Community card exposed", "Automated shoe jams", "Shuffling device jams"
COUNTS_WRONG, OUT = "Device counts a wrong number of cards", "Device out of order"
DEALING = {"locked", "deal"}
WRONG_NUMBER = {
    "643a": "A player or the community dealt a wrong number of cards",
    "653a": "A player, the dealer or the community dealt a wrong number of cards",
}
LATER = {"ask", "set", "collect", "burn", "board", "turn", "reveal", "settle", "paying", "clear"}  # 13(c) names no time
EXPOSED_UNTIL = {  # the stages of .11 at which 13(d) still applies
    "641a": {"ask", "collect", "reveal"},  # prior to the dealer revealing his cards
    "649a": {"ask", "collect", "reveal"},
    "679a": {"ask", "collect", "reveal"},
    "682a": {"ask"},  # prior to the players placing their Raise Wagers
    "653a": {"ask", "burn", "board"},  # prior to each player having either folded or placed a Play Wager
    "643a": {"ask", "turn"},  # prior to the dealer revealing the community cards
}
STILL_SETTLED = {  # by 13(d), and in 653a by 13(a) for the board
    "679a": {"Prime Wager", "Pair Bonus Wager", "All-Six Bonus Wager"},
    "682a": {"Prime Wager", "Aces Bonus Wager", "All-Six Bonus Wager"},
    "653a": {"Trips Wager"},
}
NAMES_OF_STAGES = {
    Act.ASK: "ask", Act.SET: "set", Act.COLLECT: "collect", Act.BURN: "burn", Act.DEAL: "board", Act.TURN: "turn",
    Act.REVEAL: "reveal", Act.SETTLE: "settle", Act.CLEAR: "clear",
}  # fmt: skip


def moment(pit: Pit) -> str:
    current = pit.state.round
    if current is None:
        return "betting"
    if pit.state.phase is Phase.DEALING:
        return "deal" if current.dealt else "locked"
    name = NAMES_OF_STAGES[pit.state.stages[current.stage].act]
    return "paying" if name == "settle" and current.parts else name


def clauses(number: str) -> dict[str, str]:
    """Irregularity by clause: 680a has no exposed card, and its devices come a letter earlier."""
    first = "d" if number == "680a" else "e"
    e, f, g = (f"13({chr(ord(first) + n)})" for n in range(3))
    wrong = WRONG_NUMBER.get(number, "A player or the dealer dealt a wrong number of cards")
    known = {COUNTS_WRONG: "5(b)", ONE: "13(a)", DRAWN: "13(b)", wrong: "13(c)", SHUFFLER_JAMS: e, SHOE_JAMS: f, OUT: g}
    known |= {MORE_BEFORE: "13(a)", MORE_AFTER: "13(a)"} if number == "653a" else {MORE: "13(a)"}
    if number == "643a":
        known[COMMUNITY_EXPOSED] = "13(d)"
    elif number != "680a":
        known[EXPOSED] = "13(d)"
    return known


def can_happen(pit: Pit, name: str, method: str) -> bool:
    """Whether the text lets it happen now, in a round with every wager in which seat 1 folds and seat 2 stays."""
    number, now, current = pit.state.rules.number, moment(pit), pit.state.round
    dealing = DEALING | ({"burn", "board"} if method != "continuous shoe" else set())  # in 653a; the others have no board
    automatic = method in ("automated shoe", "continuous shoe")
    lying = current and (current.dealer if name == EXPOSED else current.community)
    idle = any(deck.condition is not Condition.IN_PLAY for deck in pit.state.decks)
    known = {
        MORE_BEFORE: now in DEALING,
        MORE_AFTER: now in dealing - DEALING,
        EXPOSED: bool(lying) and now in EXPOSED_UNTIL.get(number, set()) | {"deal"},
        COMMUNITY_EXPOSED: bool(lying) and now in EXPOSED_UNTIL.get(number, set()) | {"deal"},
        SHOE_JAMS: automatic and now in DEALING,
        COUNTS_WRONG: method != "manual shoe" and idle,
        SHUFFLER_JAMS: method != "manual shoe" and idle,
        OUT: automatic and now not in DEALING,
    }
    known |= dict.fromkeys((ONE, MORE, DRAWN), now in dealing)
    return known.get(name, now in LATER | {"deal"})  # a wrong number of cards


def wish(pit: Pit, name: str) -> dict[str, Any]:
    idle = next((deck.name for deck in pit.state.decks if deck.condition is not Condition.IN_PLAY), pit.state.decks[0].name)
    return (
        {"irregularity": name}
        | ({"device": SHOE} if name == OUT else {})
        | ({"deck": idle} if name in (COUNTS_WRONG, SHUFFLER_JAMS) else {})
    )


def test_13_the_irregularities_are_these() -> None:
    for rules in OF_THE_BOOK.values():
        found = {each.name: each.cite.clause for each in irregularities(rules) if not each.name.startswith("Stub")}
        assert found == clauses(rules.number), rules.number


@by_the_book
def test_13_each_irregularity_can_be_raised_when_it_can_happen_and_only_then(rules: Rules, dealing: Dealing) -> None:
    method, known = dealing.method.value, clauses(rules.number)
    pit = opened(rules, method, 1, 2)
    pit.bet_everything(1).bet_everything(2)
    granted: dict[str, set[str]] = {name: set() for name in known}

    def verify() -> None:
        before = pit.bytes()
        for name, clause in known.items():
            for by in ("dealer", "floorperson"):
                problem = pit.verify_raise_irregularity(by=by, **wish(pit, name))
                if not can_happen(pit, name, method):
                    cite = (
                        clauses(rules.number)[SHOE_JAMS] if name == OUT and moment(pit) in DEALING and method in SHOES else clause
                    )
                    refused(problem, f"{rules.number}.{cite}")
                else:
                    assert problem is None, (name, moment(pit), problem)
                    granted[name].add(moment(pit))
        for by in ("player:1", "surveillance", "device"):
            refused(pit.verify_raise_irregularity(by=by, irregularity=ONE), f"{rules.number}.13")
        assert pit.bytes() == before

    verify()
    pit.lock()
    while pit.state.round is not None:
        verify()
        pit.step(by_seat(s1=FOLDS, s2=STAYS))
    verify()
    possible = {name for name, moments in granted.items() if moments}
    assert {ONE, DRAWN} <= possible
    assert (SHOE_JAMS in possible) == (method in SHOES)


def all_back(pit: Pit, before: dict[str, int], meters: dict[str, MeterState]) -> None:
    """Every cent is where it was before the wagers, including collected progressives and forfeited wagers."""
    assert {account: cents for account, cents in pit.state.accounts.items() if cents} == before
    assert pit.meters == meters
    assert pit.state.round is None
    assert pit.state.phase is Phase.BETTING
    assert not pit.state.boxes


@by_the_book
def test_13_what_is_void_what_is_returned_what_is_settled_what_happens_to_the_deck(rules: Rules, dealing: Dealing) -> None:
    """Every irregularity at every moment at which it can happen, played to the end of the round."""
    method, known = dealing.method.value, clauses(rules.number)
    pit = opened(rules, method, 1, 2)
    before, meters = dict(pit.state.accounts), dict(pit.meters)
    pit.bet_everything(1).bet_everything(2).lock()
    while pit.state.round is not None:
        for name in known:
            if can_happen(pit, name, method) and name not in (OUT, COUNTS_WRONG, SHUFFLER_JAMS):
                _play_out(pit.fork(), name, before, meters)
        pit.step(by_seat(s1=FOLDS, s2=STAYS))


def _play_out(pit: Pit, name: str, before: dict[str, int], meters: dict[str, MeterState]) -> None:
    number = pit.state.rules.number
    assert pit.state.round is not None
    deck = pit.state.decks[pit.state.round.deck]
    decks, used, dealt = len(pit.state.decks), deck.used, pit.state.round.dealt
    event = pit.raise_irregularity(by="dealer", **wish(pit, name))
    assert event.then.cites == (f"{number}.{clauses(number)[name]}",)
    if name in (ONE, DRAWN):  # play continues: the card is thrown out, or used
        assert deck.used == used + (name == ONE)
        assert [(shown.at, bool(shown.card)) for shown in event.then.cards] == ([("discard rack", True)] if name == ONE else [])
        assert pit.state.round.dealt == dealt
        pit.finish(STAYS)
        assert {shown.position for each in pit.events[1:] if each.event == "cards dealt" for shown in each.then.cards}.isdisjoint(
            shown.position for shown in event.then.cards
        )
    elif name in (EXPOSED, MORE_AFTER) and number in STILL_SETTLED:
        _still_settled(pit, number, before, meters)
    else:
        all_back(pit, before, meters)
    assert len(pit.state.decks) == decks  # no deck is removed for it
    assert deck.condition is Condition.STACKED  # it is reshuffled


def _still_settled(pit: Pit, number: str, before: dict[str, int], meters: dict[str, MeterState]) -> None:
    """All hands are void and other stakes are returned at once. Wagers that 13 names are settled with all cards dealt and no decisions asked."""
    table = pit.state
    survivors = STILL_SETTLED[number]
    assert pit.meters == meters
    for seat in (1, 2):
        lying = 10_00 * len(survivors)
        assert table.balance(f"seat {seat} layout") == lying
        assert table.balance(f"seat {seat} chips") == before[f"seat {seat} chips"] - lying
    pit.finish(lambda box, decision: pytest.fail("a void hand decides nothing"))
    events = [event for event in pit.events if event.event == "wagers settled"]
    assert list(dict.fromkeys(event.command.seat for event in events)) == [2, 1]  # type: ignore[union-attr]
    for seat in (2, 1):
        lines = [line for event in events if event.command.seat == seat for line in event.then.lines]  # type: ignore[union-attr]
        assert {line.wager for line in lines} == survivors
        won = sum(line.pays + line.returns - line.stake for line in lines)
        assert table.balance(f"seat {seat} chips") == before[f"seat {seat} chips"] + won
    assert pit.meters == meters


@pytest.mark.parametrize("number", sorted(STILL_SETTLED))
def test_13_d_with_nothing_left_to_settle_the_round_is_over(number: str) -> None:
    pit = opened(find(number), "automated shoe", 1)
    before = dict(pit.state.accounts)
    pit.bet(1, ante=10, **({"blind": 10} if number == "653a" else {})).lock()
    pit.until(Act.ASK)
    pit.raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(1,))
    all_back(pit, before, dict(pit.meters))


def test_653a_13_d_the_community_cards_are_dealt_for_the_trips() -> None:
    pit = opened(find("653a"), "manual shoe", 1, 2)
    pit.bet(1, ante=10, blind=10, trips=5).bet(2, ante=10, blind=10)
    pit.stack({1: "9s 9h"}, dealer="2c 4d", community="9d Ks 7h 6c 3s").lock()
    pit.until(Act.ASK)
    pit.raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(2,))
    assert pit.state.balance("seat 2 chips") == 10_000_00
    pit.finish()
    told = [event.event for event in pit.events]
    assert told.count("community cards dealt") == 2
    settled = [event for event in pit.events if event.event == "wagers settled"]
    assert [(line.wager, line.hand, line.pays, line.cite) for line in settled[0].then.lines] == [
        ("Trips Wager", "Three-of-a-kind", 15_00, "653a.12(c)")]  # fmt: skip
    assert len(settled) == 1


@pytest.mark.parametrize("found_before", [0, 1])
def test_653a_13_a_cards_found_face_up_at_the_board_are_not_used(found_before: int) -> None:
    """They go to the rack, and so does any card found later while the board is completed for the Trips."""
    pit = opened(find("653a"), "manual shoe", 1)
    pit.bet(1, ante=10, blind=10, trips=5).lock()
    for _ in range(found_before):
        pit.raise_irregularity(by="dealer", irregularity=ONE)
    pit.until(Act.BURN, STAYS)
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=MORE_BEFORE), "653a.13(a)")
    event = pit.raise_irregularity(by="dealer", irregularity=MORE_AFTER)
    assert [shown.at for shown in event.then.cards] == ["discard rack"] * (2 - found_before)
    found = {shown.position for shown in event.then.cards}
    third = pit.raise_irregularity(by="dealer", irregularity=ONE)
    found |= {shown.position for shown in third.then.cards}
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=MORE_AFTER), "653a.13(a)")
    pit.until(Act.CLEAR)
    assert pit.state.round is not None
    assert found.isdisjoint(held.position for held in pit.state.round.community)
    assert len(pit.state.round.community) == 5
    pit.finish()


@every_edition
def test_13_a_a_second_card_face_up_is_more_than_one(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    pit.bet_everything(1).lock()
    pit.raise_irregularity(by="dealer", irregularity=ONE)
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=ONE), f"{rules.number}.13(a)", MORE)
    pit.raise_irregularity(by="dealer", irregularity=MORE_BEFORE if rules.number == "653a" else MORE)
    assert pit.state.round is None


@every_edition
def test_13_a_the_card_found_face_up_is_shown_and_out_of_the_round(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    pit.bet_everything(1).lock()
    pit.deal_cards(by="dealer", count=2)
    deck = pit.state.decks[0]
    coming = deck.order[deck.position()]
    event = pit.raise_irregularity(by="dealer", irregularity=ONE)
    assert event.then.cards[0].card == coming
    pit.until(Act.CLEAR, STAYS)
    current = pit.state.round
    assert current is not None
    assert coming not in {held.card for held in (*current.hands[1], *current.dealer, *current.community)}
    assert [held.card for held in current.rack if held.up] == [coming]


@pytest.mark.parametrize("number", ["641a", "649a", "653a", "679a", "682a"])
def test_13_d_the_exposed_cards_are_recorded(number: str) -> None:
    pit = opened(find(number), "manual shoe", 1)
    pit.bet(1, ante=10, **({"blind": 10} if number == "653a" else {})).lock()
    pit.until(Act.ASK)
    assert pit.state.round is not None
    second = pit.state.round.dealer[1].card
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(9,)), f"{number}.13(d)", "face-down cards")
    if number == "641a":  # the sixth card is face up anyway
        refused(pit.verify_raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(6,)), "641a.13(d)", "1, 2, 3, 4, 5")
    event = pit.raise_irregularity(by="dealer", irregularity=EXPOSED, cards=(2,))
    assert [shown.card for shown in event.then.cards] == [second]


def test_643a_13_d_a_community_card_already_turned_is_not_exposed_again() -> None:
    pit = opened(find("643a"), "manual shoe", 1)
    pit.bet(1, bets=10).lock()
    pit.until(Act.ASK, nth=2)
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=COMMUNITY_EXPOSED, cards=(1,)), "643a.13(d)", "Allowed: 2")
    pit.raise_irregularity(by="dealer", irregularity=COMMUNITY_EXPOSED, cards=(2,))
    assert pit.state.balance("seat 1 chips") == 10_000_00


def test_643a_13_d_a_bet_withdrawn_earlier_is_returned_once() -> None:
    pit = opened(find("643a"), "manual shoe", 1)
    pit.bet(1, bets=10, ride_bonus=1, three_bonus=5).lock()
    pit.until(Act.ASK)
    pit.answer(FOLDS)
    pit.raise_irregularity(by="dealer", irregularity=COMMUNITY_EXPOSED)
    assert pit.state.balance("seat 1 chips") == 10_000_00


@every_edition
def test_13_no_irregularity_that_the_chapter_does_not_know(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    refused(pit.verify_raise_irregularity(by="dealer", irregularity="Earthquake"), f"{rules.number}.13", "not an irregularity")
    stub = "Stub count wrong, cards misdealt"
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=stub), f"{rules.number}.13", "not an irregularity")


@every_edition
def test_7_b_what_a_gone_player_abandoned_does_not_come_back(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    pit.deal_cards(by="dealer", count=2)
    outside = pit.state.balance("players' own money")
    pit.leave(by="player:1", seat=1)
    outside = pit.state.balance("players' own money")
    pit.raise_irregularity(by="dealer", irregularity=MORE_BEFORE if rules.number == "653a" else MORE)
    assert pit.state.balance("players' own money") == outside
    assert pit.state.balance("seat 1 chips") == 0
    assert pit.state.balance("seat 2 chips") + pit.state.balance("seat 2 game account") == 10_000_00
