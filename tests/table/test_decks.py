"""Sections .3 to .5: how many decks, how old, how they come to the table, how they are shuffled and cut."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.cards import deck as full_deck
from croupier.law.chapter import Rules
from croupier.law.procedure import Device, Method
from croupier.table import commands as say
from croupier.table.commands import SealedDeck
from croupier.table.events import Event
from croupier.table.rules.wagers import deal_script
from croupier.table.state import Condition, Phase
from tests.table.pit import EDITIONS, HOUR, SECRET, STAYS, Pit, find, opened, refused

every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
SHUFFLER, SHOE = Device.SHUFFLER.value, Device.SHOE.value
WRONG_COUNT, JAM, OUT_OF_ORDER = "Device counts a wrong number of cards", "Shuffling device jams", "Device out of order"


def sealed(rules: Rules, secret: str = SECRET) -> SealedDeck:
    return SealedDeck(tuple(map(str, full_deck(rules.decks.jokers))), secret)


def shuffle(pit: Pit, deck: str = "red", by: str = "dealer") -> Event:
    return pit.do(say.ShuffleDeck(deck=deck, sealed=sealed(pit.state.rules)), by)


def conditions(pit: Pit) -> list[str]:
    return [deck.condition.value for deck in pit.state.decks]


def broken(pit: Pit, *devices: str) -> Pit:
    for device in devices:
        pit.raise_irregularity(by="floorperson", irregularity=OUT_OF_ORDER, device=device)
    return pit


def last_clause(rules: Rules) -> str:
    """13(g), or 13(f) where the chapter has no exposed card."""
    return f"{rules.number}.13({'f' if rules.number == '680a' else 'g'})"


# § .3 Decks


@every_edition
def test_3_a_one_deck_without_a_shuffling_device(rules: Rules) -> None:
    pit = Pit(rules, "manual shoe")
    refused(pit.verify_receive_decks(by="dealer", decks=("red", "blue")), f"{rules.number}.3(a)", "1")
    pit.receive_decks(by="dealer", decks=("red",))
    refused(pit.verify_receive_decks(by="dealer", decks=("blue",)), f"{rules.number}.3(a)")
    refused(pit.verify_receive_decks(by="dealer", decks=("red",)), f"{rules.number}.3(b)(1)")


@every_edition
def test_3_a_a_deck_holds_each_card_once(rules: Rules) -> None:
    pit = Pit(rules, "manual shoe").seat(1)
    pit.play_until(lambda _: True)
    while not pit.state.decks or pit.state.decks[0].condition is not Condition.STACKED:
        pit.step()
    whole = sealed(rules)
    short, double = whole.order[1:], (whole.order[1], *whole.order[1:])
    for order in (short, double, (*whole.order, "As")):
        problem = pit.verify(say.ShuffleDeck(deck="red", sealed=SealedDeck(order, SECRET)), "dealer")
        refused(problem, f"{rules.number}.3(a)", f"{52 + rules.decks.jokers} cards")
    assert len(whole.order) == (53 if rules.number == "680a" else 52)


@every_edition
def test_3_b_1_the_backs_of_two_decks_differ(rules: Rules) -> None:
    pit = Pit(rules)
    refused(pit.verify_receive_decks(by="dealer", decks=("red", "red")), f"{rules.number}.3(b)(1)")


@every_edition
def test_3_b_3_two_decks_alternate(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1)
    used = []
    for _ in range(4):
        pit.ready().bet_everything(1).lock()
        assert pit.state.round is not None
        used.append(pit.state.decks[pit.state.round.deck].name)
        pit.finish(STAYS)
    assert used == ["red", "blue", "red", "blue"]


def test_649a_3_b_2_one_deck_is_shuffled_while_the_other_is_in_play() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.round_of(1)
    pit.bet(1, ante=10).lock()
    assert conditions(pit) == ["stacked", "in play"]
    shuffle(pit, "red", by="device")
    assert conditions(pit) == ["ready", "in play"]


@every_edition
def test_3_a_two_decks_become_one_when_the_shuffling_device_fails(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1)
    pit.round_of(1).ready()
    broken(pit, SHUFFLER)
    used = []
    for _ in range(3):
        pit.ready().bet_everything(1).lock()
        assert pit.state.round is not None
        used.append(pit.state.decks[pit.state.round.deck].name)
        pit.finish(STAYS)
    assert used == ["red", "red", "red"]


@every_edition
@pytest.mark.parametrize(
    ("method", "hours", "clause"), [("hand", 4, "3(c)(1)"), ("manual shoe", 8, "3(c)(2)"), ("automated shoe", 8, "3(c)(2)")]
)
def test_3_c_decks_are_changed_in_time(rules: Rules, method: str, hours: int, clause: str) -> None:
    pit = opened(rules, method, 1)
    received = pit.state.decks[0].received
    pit.bet_everything(1)
    collected = pit.staff.no_more_bets(pit.state)[1]
    pit.now = received + hours * HOUR - 1
    assert pit.can(collected, "dealer")
    pit.now = received + hours * HOUR
    refused(pit.verify(collected, "dealer"), f"{rules.number}.{clause}", "new decks")
    pit.ready()
    assert pit.state.decks[0].received >= received + hours * HOUR
    pit.lock()


def test_649a_3_c_a_clock_that_jumps_back_does_not_make_a_deck_younger() -> None:
    pit = opened(find("649a"), "hand", 1)
    received = pit.state.decks[0].received
    pit.bet(1, ante=10)
    pit.now = received + 4 * HOUR
    pit.tip(by="player:1", seat=1, amount=100)  # an event that records how late it is
    pit.now = received + HOUR
    refused(pit.verify_no_more_bets(by="dealer"), "649a.3(c)(1)")
    before = pit.state.time
    assert pit.tip(by="player:1", seat=1, amount=100).at == before


def test_649a_3_c_a_clock_that_jumps_forward_in_a_round_lets_it_end() -> None:
    pit = opened(find("649a"), "hand", 1)
    pit.bet(1, ante=10).lock()
    pit.now += 40 * HOUR
    pit.finish(STAYS)
    assert pit.state.phase is Phase.BETTING


def test_649a_3_c_by_shoe_after_by_hand_counts_eight_hours_from_the_same_arrival() -> None:
    pit = opened(find("649a"), "hand", 1)
    pit.now = pit.state.decks[0].received + 5 * HOUR
    broken(pit, SHUFFLER)
    pit.use_method(by="floorperson", method="manual shoe", shuffler=False)
    pit.bet(1, ante=10)
    pit.lock()


# § .4 Opening


def actions(rules: Rules) -> list[tuple[str, str, str, dict[str, Any]]]:
    """The steps of the opening in order: who, what, and the clause that refuses it out of order."""
    return [
        ("dealer", "inspect_decks", "4(a)", {}),
        ("floorperson", "verify_inspection", "4(a)", {}),
        ("dealer", "spread_decks", "4(b)", {"face_up": True}),
        ("player:1", "view_decks", "4(c)", {"seat": 1}),
        ("dealer", "wash_decks", "4(c)", {}),
        ("dealer", "shuffle_deck", "5(a)", {"deck": "red"}),
        ("dealer", "cut_deck", "5(d)", {"deck": "red", "depth": 20}),
    ]


@every_edition
def test_4_a_to_c_each_step_in_its_order_and_none_before(rules: Rules) -> None:
    pit = Pit(rules, "manual shoe").seat(1)
    refused(pit.verify_inspect_decks(by="dealer"), f"{rules.number}.4(a)")
    event = pit.receive_decks(by="dealer", decks=("red",))
    assert event.then.cites == (f"{rules.number}.4(a)",)
    steps = actions(rules)
    for number, (who, what, clause, fields) in enumerate(steps):
        for by, later, cite, more in steps[number + 1 :]:
            if later == "spread_decks":  # a deck that is neither new nor idle is refused under 5(f)
                cite = "5(f)"  # noqa: PLW2901
            sealing = {"sealed": sealed(rules)} if later == "shuffle_deck" else {}
            refused(getattr(pit, f"verify_{later}")(by=by, **more, **sealing), f"{rules.number}.{cite}")
        if what != "cut_deck":
            problem = pit.verify_place_wager(by="player:1", seat=1, wager=next(iter(rules.wagers)), amount=1000)
            refused(problem, f"{rules.number}.7(c)", "being opened")
        sealing = {"sealed": sealed(rules)} if what == "shuffle_deck" else {}
        done = getattr(pit, what)(by=who, **fields, **sealing)
        assert f"{rules.number}.{clause}" in done.then.cites
    assert pit.state.phase is Phase.BETTING
    assert pit.state.decks[0].condition is Condition.READY


@every_edition
def test_4_a_the_floorperson_verifies_and_the_dealer_inspects(rules: Rules) -> None:
    pit = Pit(rules)
    pit.receive_decks(by="dealer", decks=("red", "blue"))
    refused(pit.verify_inspect_decks(by="floorperson"), f"{rules.number}.4(a)", "dealer")
    pit.inspect_decks(by="dealer")
    refused(pit.verify_verify_inspection(by="dealer"), f"{rules.number}.4(a)", "floorperson")


def test_649a_4_a_a_defective_deck_goes() -> None:
    pit = Pit(find("649a"), "manual shoe")
    pit.receive_decks(by="dealer", decks=("red",))
    pit.inspect_decks(by="dealer", defects="a bent corner")
    assert not pit.state.decks
    pit.receive_decks(by="dealer", decks=("green",))


@every_edition
def test_4_b_a_new_deck_is_spread_face_up(rules: Rules) -> None:
    pit = Pit(rules, "manual shoe")
    pit.receive_decks(by="dealer", decks=("red",))
    pit.inspect_decks(by="dealer")
    pit.verify_inspection(by="floorperson")
    refused(pit.verify_spread_decks(by="dealer"), f"{rules.number}.4(b)", "face up")


@every_edition
def test_4_c_only_a_seated_player_views_the_cards(rules: Rules) -> None:
    pit = Pit(rules, "manual shoe").seat(2)
    pit.receive_decks(by="dealer", decks=("red",))
    for _ in range(3):
        pit.step()
    refused(pit.verify_view_decks(by="player:1", seat=1), f"{rules.number}.7(b)")
    refused(pit.verify_view_decks(by="player:2", seat=1), f"{rules.number}.7(b)")
    refused(pit.verify_wash_decks(by="dealer"), f"{rules.number}.4(c)", "not yet looked")
    assert pit.can_view_decks(by="player:2", seat=2)


@every_edition
def test_4_d_each_of_two_decks_goes_the_whole_way(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1)
    told = [event.event for event in pit.events]
    assert told.count("cards shuffled") == 2
    assert conditions(pit) == ["ready", "ready"]
    assert all(pit.state.decks[n].commitment for n in (0, 1))


@every_edition
def test_4_e_preshuffled_decks_skip_inspection_spread_and_wash_and_are_cut(rules: Rules) -> None:
    pit = Pit(rules, "manual shoe").seat(1)
    refused(pit.verify_receive_decks(by="dealer", decks=("red",), preshuffled=True), f"{rules.number}.4(e)")
    event = pit.do(say.ReceiveDecks(decks=("red",), preshuffled=True, sealed=(sealed(rules),)), "dealer")
    assert event.then.cites == (f"{rules.number}.4(e)",)
    assert len(event.then.decks) == 1
    assert not event.command.sealed  # type: ignore[union-attr]  # the order is sealed, not told
    assert conditions(pit) == ["shuffled"]
    for by, what, clause in (("dealer", "inspect_decks", "4(a)"), ("dealer", "wash_decks", "4(c)")):
        refused(getattr(pit, f"verify_{what}")(by=by), f"{rules.number}.{clause}")
    pit.cut_deck(by="dealer", deck="red", depth=10)
    assert pit.state.phase is Phase.BETTING


@every_edition
def test_4_e_an_order_comes_only_with_preshuffled_decks(rules: Rules) -> None:
    pit = Pit(rules, "manual shoe")
    problem = pit.verify(say.ReceiveDecks(decks=("red",), sealed=(sealed(rules),)), "dealer")
    refused(problem, f"{rules.number}.4(e)")


@pytest.mark.parametrize("number", ["653a", "679a"])
def test_5_g_preshuffled_decks_need_no_cut_in_a_device_that_reshuffles(number: str) -> None:
    """(g) waives the cut of (d), for preshuffled decks too."""
    rules = find(number)
    pit = Pit(rules, "continuous shoe").seat(1)
    pit.do(say.ReceiveDecks(decks=("red",), preshuffled=True, sealed=(sealed(rules),)), "dealer")
    pit.bet_everything(1)
    pit.lock()


# § .5 Shuffle and cut


@every_edition
def test_5_a_after_each_round_the_deck_is_shuffled(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    pit.round_of(1).bet_everything(1)
    refused(pit.verify(pit.staff.no_more_bets(pit.state)[1], "dealer"), f"{rules.number}.5(c)", "stacked")


@every_edition
def test_5_a_on_the_order_of_a_floorperson(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    refused(pit.verify_order_shuffle(by="dealer", deck="red"), f"{rules.number}.5(a)", "floorperson")
    pit.order_shuffle(by="floorperson", deck="red")
    assert conditions(pit) == ["stacked"]
    refused(pit.verify_order_shuffle(by="floorperson", deck="red"), f"{rules.number}.5(a)")
    pit.ready().bet_everything(1).lock()
    refused(pit.verify_order_shuffle(by="floorperson", deck="red"), f"{rules.number}.5(a)", "in play")
    refused(pit.verify_order_shuffle(by="floorperson", deck="green"), f"{rules.number}.3(a)", "green")


def test_649a_5_a_no_device_shuffles_where_none_is_in_use() -> None:
    pit = opened(find("649a"), "manual shoe", 1)
    pit.order_shuffle(by="floorperson", deck="red")
    problem = pit.verify(say.ShuffleDeck(deck="red", sealed=sealed(pit.state.rules)), "device")
    refused(problem, "649a.5(a)", "no shuffling device")


@every_edition
def test_5_b_a_deck_that_the_device_counts_wrong_is_removed(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1)
    event = pit.raise_irregularity(by="dealer", irregularity=WRONG_COUNT, deck="red")
    assert event.then.cites == (f"{rules.number}.5(b)",)
    assert [deck.name for deck in pit.state.decks] == ["blue"]


def test_649a_5_b_a_deck_that_the_device_counts_wrong_goes_while_the_other_is_in_play() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.round_of(1).ready()
    pit.bet(1, ante=10).lock()
    in_play = pit.state.decks[1]
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=WRONG_COUNT, deck="blue"), "649a.5(b)", "in play")
    pit.raise_irregularity(by="dealer", irregularity=WRONG_COUNT, deck="red")
    assert [deck.name for deck in pit.state.decks] == ["blue"]
    assert in_play.condition is Condition.IN_PLAY
    pit.finish(STAYS)
    assert pit.state.phase is Phase.BETTING
    assert pit.state.decks[pit.state.next_deck()].name == "blue"


@every_edition
def test_5_b_only_a_device_that_counts_can_count_wrong(rules: Rules) -> None:
    for method, dealing in (("manual shoe", {}), ("automated shoe", {"counts_cards": False})):
        pit = opened(rules, method, 1, dealing=dealing)
        problem = pit.verify_raise_irregularity(by="dealer", irregularity=WRONG_COUNT, deck="red")
        refused(problem, f"{rules.number}.5(b)")


@every_edition
def test_5_c_1_a_device_shuffle_is_not_cut(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1)
    assert "cards cut" not in [event.event for event in pit.events]
    refused(pit.verify_cut_deck(by="dealer", deck="red", depth=20), f"{rules.number}.5(d)", "ready")


@every_edition
def test_5_c_2_a_shuffle_by_hand_is_cut(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    pit.order_shuffle(by="floorperson", deck="red")
    event = shuffle(pit)
    assert f"{rules.number}.5(c)(2)" in event.then.cites
    pit.bet_everything(1)
    refused(pit.verify(pit.staff.no_more_bets(pit.state)[1], "dealer"), f"{rules.number}.5(c)", "shuffled")
    pit.cut_deck(by="dealer", deck="red", depth=20)
    pit.lock()


@every_edition
def test_5_d_the_cover_card_stands_at_least_ten_cards_from_the_top(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    pit.order_shuffle(by="floorperson", deck="red")
    shuffle(pit)
    deepest = rules.decks.cards - 1
    for depth in (1, 9, deepest + 1):
        refused(pit.verify_cut_deck(by="dealer", deck="red", depth=depth), f"{rules.number}.5(d)", f"10 to {deepest}")
    assert pit.can_cut_deck(by="dealer", deck="red", depth=10)
    assert pit.can_cut_deck(by="dealer", deck="red", depth=deepest)


@every_edition
@pytest.mark.parametrize("depth", [10, 26, 51])
def test_5_d_the_cards_above_the_cover_card_go_to_the_bottom(rules: Rules, depth: int) -> None:
    pit = opened(rules, "manual shoe", 1)
    pit.bet_everything(1)
    pit.order_shuffle(by="floorperson", deck="red")
    shuffle(pit)
    pit.cut_deck(by="dealer", deck="red", depth=depth)
    pit.lock()
    assert pit.state.round is not None
    count = len(deal_script(pit.state, pit.state.round))
    pit.deal_cards(by="dealer", count=count)
    order = sealed(rules).order
    dealt = [shown.position for shown in pit.events[-1].then.cards]
    assert [order[position] for position in dealt] == [order[(depth + n) % len(order)] for n in range(count)]


@every_edition
def test_5_e_recut_before_any_card_is_dealt(rules: Rules) -> None:
    pit = opened(rules, "manual shoe", 1)
    refused(pit.verify_order_recut(by="dealer", deck="red", why="uneven"), f"{rules.number}.5(e)", "floorperson")
    pit.order_recut(by="floorperson", deck="red", why="uneven")
    pit.bet_everything(1)
    refused(pit.verify(pit.staff.no_more_bets(pit.state)[1], "dealer"), f"{rules.number}.5(c)")
    refused(pit.verify_order_recut(by="floorperson", deck="red", why="again"), f"{rules.number}.5(e)")
    pit.cut_deck(by="dealer", deck="red", depth=30)
    pit.lock()
    pit.deal_cards(by="dealer")
    refused(
        pit.verify_order_recut(by="floorperson", deck="red", why="too late"), f"{rules.number}.5(e)", "before any card is dealt"
    )


@every_edition
def test_5_e_recut_also_after_no_more_bets(rules: Rules) -> None:
    """“After the cards have been cut and before any cards have been dealt”: the announcement comes between the two."""
    pit = opened(rules, "manual shoe", 1)
    pit.bet_everything(1).lock()
    top = pit.state.decks[0].top
    pit.order_recut(by="floorperson", deck="red", why="the cover card slipped")
    refused(pit.verify_deal_cards(by="dealer"), f"{rules.number}.5(e)", "cut")
    refused(pit.verify_order_shuffle(by="floorperson", deck="red"), f"{rules.number}.5(a)")
    refused(pit.verify_raise_irregularity(by="dealer", irregularity="One card face up"), f"{rules.number}.13(a)")
    pit.cut_deck(by="dealer", deck="red", depth=11)
    assert pit.state.decks[0].top == (top + 11) % rules.decks.cards
    pit.deal_cards(by="dealer")
    pit.finish(STAYS)


def test_649a_5_e_not_after_a_card_was_found_face_up() -> None:
    pit = opened(find("649a"), "manual shoe", 1)
    pit.bet(1, ante=10).lock()
    pit.raise_irregularity(by="dealer", irregularity="One card face up")
    refused(pit.verify_order_recut(by="floorperson", deck="red", why="late"), "649a.5(e)")


@every_edition
def test_5_e_what_was_not_cut_is_not_recut(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1)
    refused(pit.verify_order_recut(by="floorperson", deck="red", why="no reason"), f"{rules.number}.5(e)")


@pytest.mark.parametrize("number", ["653a", "679a"])
def test_5_g_no_cut_no_recut_no_idle_spread_with_a_device_that_reshuffles(number: str) -> None:
    pit = opened(find(number), "continuous shoe", 1)
    refused(pit.verify_cut_deck(by="dealer", deck="red", depth=20), f"{number}.5(g)")
    refused(pit.verify_order_recut(by="floorperson", deck="red", why="none"), f"{number}.5(g)")
    refused(pit.verify_spread_decks(by="dealer"), f"{number}.5(g)")
    pit.round_of(1).round_of(1)


@every_edition
def test_5_g_a_shoe_that_reshuffles_and_is_out_of_order_is_followed_by_a_cut(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1, dealing={"reshuffles": True, "shuffler": False, "decks": 1})
    broken(pit, SHOE)
    pit.use_method(by="floorperson", method="manual shoe", shuffler=False)
    pit.order_shuffle(by="floorperson", deck="red")
    shuffle(pit)
    assert conditions(pit) == ["shuffled"]
    pit.cut_deck(by="dealer", deck="red", depth=10)
    pit.bet_everything(1).lock()
    pit.finish(STAYS)
    pit.return_device(by="floorperson", device=SHOE)
    pit.ready()
    pit.use_method(by="floorperson", method="automated shoe", shuffler=False)
    pit.round_of(1)


# § .13, the devices


@every_edition
def test_13_jam_of_the_shuffling_device_reshuffles(rules: Rules) -> None:
    clause = f"{rules.number}.13({'d' if rules.number == '680a' else 'e'})"
    pit = opened(rules, "automated shoe", 1)
    assert pit.raise_irregularity(by="dealer", irregularity=JAM, deck="red").then.cites == (clause,)
    assert conditions(pit) == ["stacked", "ready"]
    by_hand = opened(rules, "manual shoe", 1)
    refused(
        by_hand.verify_raise_irregularity(by="dealer", irregularity=JAM, deck="red"), clause, "no “automated card shuffling device”"
    )


@every_edition
def test_13_another_method_only_once_the_device_is_covered(rules: Rules) -> None:
    clause = last_clause(rules)
    pit = opened(rules, "automated shoe", 1)
    refused(pit.verify_use_method(by="floorperson", method="manual shoe", shuffler=True), clause, "as filed")
    broken(pit, SHOE)
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=OUT_OF_ORDER, device=SHOE), clause)
    pit.bet_everything(1)
    refused(pit.verify(pit.staff.no_more_bets(pit.state)[1], "dealer"), clause, "another method")
    refused(pit.verify_use_method(by="floorperson", method="automated shoe", shuffler=True), clause)
    pit.use_method(by="floorperson", method="manual shoe", shuffler=True)
    pit.lock()
    pit.finish(STAYS)
    refused(pit.verify_use_method(by="floorperson", method="automated shoe", shuffler=True), clause)
    pit.return_device(by="floorperson", device=SHOE)
    refused(pit.verify_return_device(by="floorperson", device=SHOE), clause)
    pit.use_method(by="floorperson", method="automated shoe", shuffler=True)
    assert pit.state.method == "automated shoe"


@every_edition
def test_9_a_1_dealing_from_the_hand_needs_the_shuffling_device(rules: Rules) -> None:
    pit = opened(rules, "hand", 1)
    broken(pit, SHUFFLER)
    pit.bet_everything(1)
    refused(pit.verify(pit.staff.no_more_bets(pit.state)[1], "dealer"), f"{rules.number}.9(a)(1)")
    refused(pit.verify_use_method(by="floorperson", method="hand", shuffler=False), f"{rules.number}.9(a)(1)")
    refused(pit.verify_use_method(by="floorperson", method="hand", shuffler=True), last_clause(rules))
    pit.use_method(by="floorperson", method="manual shoe", shuffler=False)
    pit.lock()
    pit.finish(STAYS).ready()
    assert "cards cut" in [event.event for event in pit.last(4)]


@pytest.mark.parametrize("number", ["653a", "679a"])
def test_10_g_the_continuous_shoe_must_reshuffle(number: str) -> None:
    rules = find(number)
    pit = opened(rules, "automated shoe", 1)
    broken(pit, SHUFFLER)
    problem = pit.verify_use_method(by="floorperson", method=Method.CONTINUOUS_SHOE.value, shuffler=False)
    refused(problem, f"{number}.10(g)")
    pit = opened(rules, "continuous shoe", 1)
    broken(pit, SHUFFLER)
    pit.bet_everything(1)
    refused(pit.verify(pit.staff.no_more_bets(pit.state)[1], "dealer"), f"{number}.10(g)")


@every_edition
def test_13_a_shoe_that_fails_in_the_deal_makes_the_round_void_before_it_is_covered(rules: Rules) -> None:
    """13(f) comes first: a shoe that cannot be used has not dealt all cards."""
    jam = f"{rules.number}.13({'e' if rules.number == '680a' else 'f'})"
    pit = opened(rules, "automated shoe", 1)
    pit.bet_everything(1).lock()
    pit.deal_cards(by="dealer")
    refused(pit.verify_raise_irregularity(by="dealer", irregularity=OUT_OF_ORDER, device=SHOE), jam, "Automated shoe jams")
    pit.raise_irregularity(by="dealer", irregularity="Automated shoe jams")
    broken(pit, SHOE)
