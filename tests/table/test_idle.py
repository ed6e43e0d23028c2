"""Section .5(f): the cards of an idle table are spread, and what has to happen before they are dealt again.

The texts of 2011 (641a, 643a, 649a, 653a) wash, stack, shuffle and cut without a shuffling device, 5(f)(1). With one,
5(f)(2), they stack the cards and shuffle them in it, and deal the deck that it has kept as it is. The later texts complete 4(c)
and .5 whatever shuffles. 5(g) exempts a device that reshuffles automatically.
"""

from __future__ import annotations

from typing import Any

import pytest

from croupier.filing.submission import read_submission
from croupier.law.chapter import Rules
from croupier.table import commands as say
from croupier.table.choices.checklist import checklist
from croupier.table.choices.players import choices
from croupier.table.fold import apply
from croupier.table.state import Idle, Phase, State
from croupier.table.views import view
from tests.table.pit import EDITIONS, SECOND, STAYS, Pit, find, opened, refused, submission

OF_2011 = {name: rules for name, rules in EDITIONS.items() if rules.edition.name == "2011-06-14"}
LATER = {name: rules for name, rules in EDITIONS.items() if name not in OF_2011}
every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
of_2011 = pytest.mark.parametrize("rules", OF_2011.values(), ids=OF_2011)
later = pytest.mark.parametrize("rules", LATER.values(), ids=LATER)
IDLE = 300 * SECOND  # unless filed otherwise
STORED = {"stores_deck": True}
SHUFFLER = "automated card shuffling device"


def conditions(pit: Pit) -> list[str]:
    return [deck.condition.value for deck in pit.state.decks]


def wish(pit: Pit) -> Any:
    return pit.staff.next(pit.state, pit.now)


def wait(pit: Pit, time: int = IDLE) -> Pit:
    """Let this much time pass without play."""
    pit.now = pit.state.active + time
    return pit


def spread(pit: Pit) -> Pit:
    """Have the automatic dealer spread the cards of the idle table."""
    wait(pit)
    assert wish(pit) == ("dealer", say.SpreadDecks())
    pit.step()
    return pit


def wager_refused(pit: Pit) -> None:
    rules = pit.state.rules
    problem = pit.verify_place_wager(by="player:1", seat=1, wager=next(iter(rules.wagers)), amount=1000)
    refused(problem, f"{rules.number}.5(f)", "the table was idle", "shuffled")
    refused(pit.verify_no_more_bets(by="dealer"), f"{rules.number}.5(f)", "the table was idle")


def test_the_texts_of_2011_are_four() -> None:
    assert [rules.number for rules in OF_2011.values()] == ["641a", "643a", "649a", "653a"]
    assert [rules.number for rules in LATER.values() if rules.chapter.law] == ["649a", "679a", "679a", "680a", "682a"]


# the spread


@every_edition
@pytest.mark.parametrize("method", ["manual shoe", "hand", "automated shoe"])
def test_5_f_the_cards_of_an_idle_table_are_spread(rules: Rules, method: str) -> None:
    pit = opened(rules, method, 1).round_of(1).ready()
    assert wish(wait(pit, IDLE - 1)) is None
    spread(pit)
    assert pit.events[-1].then.cites == (f"{rules.number}.5(f)",)
    assert set(conditions(pit)) == {"spread"}
    assert {deck.idle for deck in pit.state.decks} == {Idle.DOWN}
    assert pit.state.phase is Phase.OPENING
    wager_refused(pit)
    refused(pit.verify_spread_decks(by="dealer"), f"{rules.number}.5(f)", "already")


@every_edition
def test_5_f_the_idle_time_is_filed(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1, dealing={"idle_seconds": 60})
    assert wish(wait(pit, 59_999)) is None
    assert wish(wait(pit, 60_000)) == ("dealer", say.SpreadDecks())


@every_edition
def test_5_f_not_while_there_is_gaming_activity(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    pit.bet_everything(1)
    refused(pit.verify_spread_decks(by="dealer"), f"{rules.number}.5(f)", "not idle")
    assert wish(wait(pit)) is None
    pit.lock()
    refused(pit.verify_spread_decks(by="dealer"), f"{rules.number}.5(f)", "the cards are being dealt")


def test_649a_5_f_a_fill_is_not_gaming_activity_but_a_new_player_is() -> None:
    pit = opened(find("649a"), "manual shoe", 1)
    since = pit.state.active
    pit.fill(by="floorperson", amount=100)
    pit.tip(by="player:1", seat=1, amount=100)
    assert pit.state.active == since
    pit.sit(by="player:4", seat=4, player="Dora")
    assert pit.state.active == pit.state.time > since
    pit.leave(by="player:4", seat=4)
    assert pit.state.active < pit.state.time
    pit.bet(1, ante=10)
    pit.take_back_wager(by="player:1", seat=1, wager="Ante Wager")
    assert pit.state.active == pit.state.time


def test_649a_5_f_an_open_table_without_a_first_player() -> None:
    """Its decks came preshuffled (4(e)), so no one had to look at them."""
    pit = Pit(find("649a"), "manual shoe")
    pit.do(say.ReceiveDecks(decks=("red",), preshuffled=True, sealed=(pit.staff.seal(pit.state),)), "dealer")
    pit.ready()
    assert pit.state.phase is Phase.BETTING
    spread(pit)


@every_edition
def test_5_g_a_device_that_reshuffles_excuses_the_spread(rules: Rules) -> None:
    dealing = {"reshuffles": True, "counts_cards": True, "shuffler": False, "decks": 1}
    pit = opened(rules, "automated shoe", 1, dealing=dealing).round_of(1).ready()
    assert wish(wait(pit, 10 * IDLE)) is None
    refused(pit.verify_spread_decks(by="dealer"), f"{rules.number}.5(g)", "reshuffles automatically")


# the first player to come


@every_edition
def test_5_f_the_dealer_goes_on_when_the_first_player_comes(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1).round_of(1).ready()
    pit.leave(by="player:1", seat=1)
    spread(pit)
    assert wish(wait(pit, 10 * IDLE)) is None
    pit.sit(by="player:3", seat=3, player="Cleo")
    assert wish(pit) == ("dealer", say.ViewDecks(seat=3))
    pit.ready()
    assert (conditions(pit), pit.state.phase) == (["ready"], Phase.BETTING)
    pit.seat(2).round_of(2)


@every_edition
def test_5_f_a_player_who_sat_through_the_idle_time_looks_when_they_play_again(rules: Rules) -> None:
    """No one plays, so there is no gaming activity. The dealer does not shuffle for someone who may have left."""
    pit = opened(rules, "manual shoe", 1, 2).round_of(1).ready()
    spread(pit)
    assert wish(wait(pit, 10 * IDLE)) is None
    pit.view_decks(by="player:2", seat=2)
    pit.ready()
    pit.round_of(1)


def test_649a_5_f_the_new_player_looks_and_not_the_one_who_sat_there() -> None:
    pit = spread(opened(find("649a"), "manual shoe", 1))
    pit.sit(by="player:5", seat=5, player="Cleo")
    assert wish(pit) == ("dealer", say.ViewDecks(seat=5))


def test_649a_5_f_a_seat_that_changes_hands_while_the_cards_are_spread() -> None:
    pit = spread(opened(find("649a"), "manual shoe", 1))
    pit.leave(by="player:1", seat=1)
    pit.sit(by="player:1", seat=1, player="Cleo")
    assert wish(pit) == ("dealer", say.ViewDecks(seat=1))


@every_edition
def test_5_f_face_up_if_a_player_asks(rules: Rules) -> None:
    pit = spread(opened(rules, "manual shoe", 1))
    refused(pit.verify_request_spread(by="player:2", seat=2, deck="red"), f"{rules.number}.7(b)")
    assert pit.request_spread(by="player:1", seat=1, deck="red").then.cites == (f"{rules.number}.5(f)",)
    refused(pit.verify_view_decks(by="player:1", seat=1), f"{rules.number}.5(f)", "face up first")
    refused(pit.verify_spread_decks(by="dealer"), f"{rules.number}.5(f)", "face up")
    assert wish(pit) == ("dealer", say.SpreadDecks(face_up=True))
    assert pit.do(say.SpreadDecks(face_up=True), "dealer").then.cites == (f"{rules.number}.5(f)",)
    assert pit.state.decks[0].idle is Idle.UP
    refused(pit.verify_request_spread(by="player:1", seat=1, deck="red"), f"{rules.number}.5(f)", "face up")
    assert wish(pit) == ("dealer", say.ViewDecks(seat=1))
    pit.ready()
    pit.round_of(1)


# before the cards are dealt again


@of_2011
def test_5_f_1_without_a_device_washed_stacked_shuffled_and_cut(rules: Rules) -> None:
    pit = spread(opened(rules, "manual shoe", 1))
    told = len(pit.events)
    refused(pit.verify_wash_decks(by="dealer"), f"{rules.number}.5(f)(1)", "not yet looked")
    pit.view_decks(by="player:1", seat=1)
    wager_refused(pit)
    refused(pit.verify_stack_decks(by="dealer"), f"{rules.number}.5(f)(1)", "wash")
    assert pit.wash_decks(by="dealer").then.cites == (f"{rules.number}.5(f)(1)",)
    wager_refused(pit)
    pit.ready().round_of(1)
    done = [event.event for event in pit.events[told:]]
    assert done[:4] == ["cards viewed", "cards washed and stacked", "cards shuffled", "cards cut"]


@later
def test_5_f_the_procedures_of_4_c_and_5_are_completed(rules: Rules) -> None:
    pit = spread(opened(rules, "manual shoe", 1))
    told = len(pit.events)
    assert pit.view_decks(by="player:1", seat=1).then.cites == (f"{rules.number}.5(f)",)
    wager_refused(pit)
    assert pit.wash_decks(by="dealer").then.cites == (f"{rules.number}.4(c)", f"{rules.number}.5(f)")
    wager_refused(pit)
    pit.ready().round_of(1)
    done = [event.event for event in pit.events[told:]]
    assert done[:4] == ["cards viewed", "cards washed and stacked", "cards shuffled", "cards cut"]


@later
def test_5_f_washed_for_the_device_too_in_the_later_texts(rules: Rules) -> None:
    pit = spread(opened(rules, "automated shoe", 1))
    before = [deck.commitment for deck in pit.state.decks]
    pit.view_decks(by="player:1", seat=1)
    refused(pit.verify_stack_decks(by="dealer"), f"{rules.number}.4(c)", "wash")
    pit.wash_decks(by="dealer")
    pit.ready()
    assert not set(before) & {deck.commitment for deck in pit.state.decks}
    pit.round_of(1)


@of_2011
def test_5_f_2_stacked_for_the_device_and_not_washed(rules: Rules) -> None:
    """The submission does not file that the device stores a deck, so the deck in it is spread and reshuffled too."""
    pit = spread(opened(rules, "automated shoe", 1))
    before = [deck.commitment for deck in pit.state.decks]
    refused(pit.verify_stack_decks(by="dealer"), f"{rules.number}.5(f)", "no player has looked")
    pit.view_decks(by="player:1", seat=1)
    refused(pit.verify_wash_decks(by="dealer"), f"{rules.number}.5(f)(2)", "stacking them")
    assert wish(pit) == ("dealer", say.StackDecks())
    assert pit.do(say.StackDecks(), "dealer").then.cites == (f"{rules.number}.5(f)(2)",)
    assert conditions(pit) == ["stacked", "stacked"]
    wager_refused(pit)
    pit.ready()
    assert not set(before) & {deck.commitment for deck in pit.state.decks}
    pit.round_of(1)


# the deck in the device


@of_2011
def test_5_f_2_i_and_ii_the_deck_in_the_device_is_dealt_as_it_is(rules: Rules) -> None:
    """Both decks are shuffled: the next one is in the shoe and is spread, and the device holds the other."""
    pit = opened(rules, "automated shoe", 1, dealing=STORED).round_of(1).ready()
    in_shoe = pit.state.next_deck()
    kept = pit.state.decks[1 - in_shoe]
    commitment = kept.commitment
    spread(pit)
    assert pit.events[-1].then.cites == (f"{rules.number}.5(f)", f"{rules.number}.5(f)(2)")
    assert (pit.state.decks[in_shoe].idle, kept.idle) == (Idle.DOWN, Idle.STORED)
    assert (pit.state.decks[in_shoe].condition.value, kept.condition.value) == ("spread", "ready")
    wager_refused(pit)
    pit.view_decks(by="player:1", seat=1)
    wager_refused(pit)
    pit.stack_decks(by="dealer")
    pit.bet_everything(1).lock()
    assert pit.state.round is not None
    assert pit.state.decks[pit.state.round.deck] is kept
    assert kept.commitment == commitment
    pit.finish(STAYS)
    pit.round_of(1)


@of_2011
def test_5_f_2_the_deck_in_the_rack_is_spread_while_the_device_keeps_the_other(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1, dealing=STORED).round_of(1)
    played = pit.state.last_deck
    wait(pit).spread_decks(by="dealer")
    assert [deck.idle for n, deck in enumerate(pit.state.decks) if n == played] == [Idle.DOWN]
    assert [deck.idle for n, deck in enumerate(pit.state.decks) if n != played] == [Idle.STORED]
    assert pit.state.next_deck() != played


@of_2011
def test_5_f_2_unless_a_player_asks(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1, dealing=STORED).round_of(1).ready()
    spread(pit)
    (kept,) = [deck for deck in pit.state.decks if deck.idle is Idle.STORED]
    commitment = kept.commitment
    pit.view_decks(by="player:1", seat=1)
    pit.ready()
    assert pit.state.phase is Phase.BETTING
    pit.bet_everything(1)
    refused(pit.verify_request_spread(by="player:1", seat=1, deck=kept.name), f"{rules.number}.5(f)(2)", "there are wagers")
    pit.return_wagers(by="dealer", seat=1)
    assert pit.request_spread(by="player:1", seat=1, deck=kept.name).then.cites == (f"{rules.number}.5(f)(2)",)
    assert pit.state.phase is Phase.OPENING
    wager_refused(pit)
    assert pit.step() is not None
    assert pit.events[-1].then.cites == (f"{rules.number}.5(f)(2)",)
    assert (kept.idle, kept.condition.value) == (Idle.UP, "spread")
    pit.ready()
    assert kept.commitment != commitment
    pit.round_of(1)


@of_2011
def test_5_f_2_asked_before_the_first_deck_was_stacked(rules: Rules) -> None:
    pit = spread(opened(rules, "automated shoe", 1, dealing=STORED).round_of(1).ready())
    (kept,) = [deck for deck in pit.state.decks if deck.idle is Idle.STORED]
    pit.request_spread(by="player:1", seat=1, deck=kept.name)
    assert wish(pit) == ("dealer", say.SpreadDecks(face_up=True))
    pit.ready()
    assert conditions(pit) == ["ready", "ready"]
    assert [deck.idle for deck in pit.state.decks] == [Idle.NO, Idle.NO]
    pit.round_of(1)


@of_2011
def test_5_f_2_a_deck_that_was_shuffled_by_hand_is_not_the_devices(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1, dealing=STORED)
    pit.raise_irregularity(by="floorperson", irregularity="Device out of order", device=SHUFFLER)
    for deck in ("red", "blue"):
        pit.order_shuffle(by="floorperson", deck=deck)
    pit.ready()
    pit.return_device(by="floorperson", device=SHUFFLER)
    pit.use_method(by="floorperson", method="automated shoe", shuffler=True)
    spread(pit)
    assert [deck.idle for deck in pit.state.decks] == [Idle.DOWN, Idle.DOWN]


@of_2011
def test_5_f_1_a_device_that_failed_after_the_look_shuffles_nothing(rules: Rules) -> None:
    pit = spread(opened(rules, "automated shoe", 1))
    pit.view_decks(by="player:1", seat=1)
    pit.raise_irregularity(by="floorperson", irregularity="Device out of order", device=SHUFFLER)
    assert pit.wash_decks(by="dealer").then.cites == (f"{rules.number}.5(f)(1)",)
    pit.ready().round_of(1)


@later
def test_5_f_no_excuse_for_the_device_in_the_later_texts(rules: Rules) -> None:
    found = read_submission(submission(rules, "automated shoe", dealing=STORED))
    (error,) = [finding for finding in found.findings if finding.severity.value == "error"]
    assert (error.cite, error.about) == (f"{rules.number}.5(f)", "dealing, stores_deck")


@of_2011
@pytest.mark.parametrize("dealing", [{"shuffler": False, "decks": 1, "counts_cards": False}, {"decks": 1}])
def test_5_f_2_i_only_a_device_with_two_decks_stores_one(rules: Rules, dealing: dict[str, Any]) -> None:
    found = read_submission(submission(rules, "automated shoe", dealing=STORED | dealing))
    (error,) = [finding for finding in found.findings if finding.severity.value == "error"]
    assert (error.cite, error.about) == (f"{rules.number}.5(f)(2)", "dealing, stores_deck")


@pytest.mark.parametrize("seconds", [0, 59, 3601, -1, "300", 90.5, True])
def test_601a_2_the_idle_time_is_a_minute_to_an_hour(seconds: Any) -> None:
    found = read_submission(submission(find("649a"), dealing={"idle_seconds": seconds}))
    (error,) = [finding for finding in found.findings if finding.severity.value == "error"]
    assert (error.cite, error.about) == ("649a.5(f)", "dealing, idle_seconds")
    assert "60 to 3,600" in error.accepted


def test_filing_a_default_does_not_change_the_offer() -> None:
    rules = find("649a")
    plain, same, other = (
        read_submission(submission(rules, dealing=dealing)).offer_or_refuse().hash
        for dealing in ({}, {"idle_seconds": 300, "stores_deck": False}, {"idle_seconds": 301})
    )
    assert plain == same != other


# what people are shown


def primary(pit: Pit, by: str) -> list[tuple[str, str]]:
    return [(choice.do, choice.cite) for choice in choices(pit.state, by, pit.now) if choice.primary]


def now(pit: Pit) -> list[tuple[str, str, str]]:
    return [(item.who, item.cite, item.command) for item in checklist(pit.state, pit.now) if item.state == "now"]


@every_edition
def test_5_f_the_dealers_checklist_says_that_the_table_is_idle(rules: Rules) -> None:
    clause = f"{rules.number}.5(f)"
    pit = opened(rules, "manual shoe", 1).round_of(1).ready()
    assert now(wait(pit, IDLE - 1))[0][2] == "place wager"
    assert not primary(pit, "dealer")
    wait(pit)
    assert primary(pit, "dealer") == [("spread decks", clause)]
    assert now(pit) == [("dealer", clause, "spread decks")]
    pit.spread_decks(by="dealer")
    assert now(pit) == [("player", clause, "view decks")]
    assert primary(pit, "player:1") == [("view decks", clause)]
    pit.view_decks(by="dealer", seat=1)
    wash = clause + "(1)" if rules.edition.name == "2011-06-14" else f"{rules.number}.4(c)"
    assert primary(pit, "dealer") == [("wash decks", wash)]
    (item,) = [item for item in checklist(pit.state, pit.now) if item.state == "now"]
    assert (item.command, item.words.partition(",")[0]) == ("wash decks", "washes")


@of_2011
def test_5_f_2_the_dealers_checklist_stacks_for_the_device(rules: Rules) -> None:
    pit = spread(opened(rules, "automated shoe", 1))
    pit.view_decks(by="dealer", seat=1)
    assert now(pit) == [("dealer", f"{rules.number}.5(f)(2)", "stack decks")]


def test_641a_5_f_2_both_sides_may_ask_for_the_deck_from_the_device() -> None:
    pit = spread(opened(find("641a"), "automated shoe", 2, dealing=STORED))
    asked = {
        by: [choice.words for choice in choices(pit.state, by, pit.now) if choice.do == "request spread"]
        for by in ("player:2", "dealer")
    }
    assert asked["player:2"] == ["Ask to see the red deck face up", "Ask to see the blue deck from the device"]
    assert asked["dealer"] == [
        "The player at seat 2 asks to see the red deck face up", "The player at seat 2 asks to see the blue deck from the device",
    ]  # fmt: skip


def test_a_view_says_what_became_of_each_deck() -> None:
    pit = spread(opened(find("641a"), "automated shoe", 2, dealing=STORED))
    for by in ("public", "player:2", "dealer"):
        assert [deck.idle for deck in view(pit.state, by).decks] == ["spread face down", "stored in the device"]


def test_an_idle_table_comes_back_from_its_events() -> None:

    pit = spread(opened(find("641a"), "automated shoe", 1, 2, dealing=STORED).round_of(1).ready())
    pit.request_spread(by="player:2", seat=2, deck=next(deck.name for deck in pit.state.decks if deck.idle is Idle.STORED))
    again = State()
    for event, sealed in zip(pit.events, pit.secrets, strict=True):
        apply(again, event, sealed)
    assert (again.idlers, again.active) == (pit.state.idlers, pit.state.active) != ([], 0)
    assert [deck.idle for deck in again.decks] == [deck.idle for deck in pit.state.decks]
