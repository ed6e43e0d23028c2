"""Section .11: decisions from the dealer's left, the reveal, the settlement from the dealer's right, the cards to the rack."""

from __future__ import annotations

from itertools import chain

import pytest

from croupier.law.chapter import Rules
from croupier.law.paytable import Envy
from croupier.law.procedure import Act, Dealing, Stage
from croupier.table import commands as say
from croupier.table.views import view
from tests.table.pit import EDITIONS, FOLDS, OF_THE_BOOK, STAYS, Pit, by_seat, find, opened, refused

every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
of_the_book = pytest.mark.parametrize("rules", OF_THE_BOOK.values(), ids=OF_THE_BOOK)


@pytest.mark.parametrize("number", ["641a", "649a", "679a", "682a", "653a"])
def test_11_c_the_cards_of_a_folded_hand_go_to_the_rack_once(number: str) -> None:
    rules = find(number)
    pit = opened(rules, "automated shoe", 1, 2)
    required = {"ante": 10} | ({"blind": 10} if number == "653a" else {})
    pit.bet(1, **required).bet(2, **required).lock()
    pit.until(Act.REVEAL, by_seat(s1=FOLDS, s2=STAYS))
    assert pit.state.round is not None
    folded = {held.position for held in pit.state.round.hands[1]}
    assert view(pit.state, "public").round.boxes[1].cards == ()
    before = len(pit.events)
    pit.finish()
    racked = [shown.position for event in pit.events[before:] for shown in event.then.cards if shown.at == "discard rack"]
    assert len(racked) == len(set(racked))
    assert not folded & set(racked)


@pytest.mark.parametrize("method", ["manual shoe", "hand", "automated shoe", "continuous shoe"])
def test_679a_11_d_2_the_fourth_card_is_hidden_until_the_dealer_reveals_it(method: str) -> None:
    """10(g)(1) says it plainly: face down on the layout until it is revealed by the dealer."""
    pit = opened(find("679a"), method, 1)
    pit.bet(1, ante=10, pair_bonus=5).stack({1: "Ks Kd 4c"}).lock()
    pit.until(Act.ASK)
    mine = view(pit.state, "player:1").round.boxes[1]
    assert all(mine.cards)
    assert mine.fourth == ("",)
    pit.until(Act.CLEAR, STAYS)
    assert all(view(pit.state, "public").round.boxes[1].fourth)


def asked(pit: Pit) -> list[int]:
    return [event.command.seat for event in pit.events if event.event in ("decision made", "hand set")]  # type: ignore[union-attr]


def settled(pit: Pit) -> list[int]:
    return [event.command.seat for event in pit.events if event.event == "wagers settled"]  # type: ignore[union-attr]


ASKS = {"641a": "11(b)", "643a": "11(b)", "649a": "11(b)", "653a": "11(b)", "679a": "11(b)", "682a": "11(b)"}
SETTLES = {"641a": "11(c)", "643a": "11(f)", "649a": "11(c)", "653a": "11(h)", "679a": "11(c)", "680a": "11(d)", "682a": "11(d)"}
CLEARS = {"641a": "11(d)", "643a": "11(g)", "649a": "11(d)", "653a": "11(k)", "679a": "11(e)", "680a": "11(f)", "682a": "11(f)"}


@of_the_book
def test_11_b_from_the_dealers_left_one_after_another(rules: Rules) -> None:
    if rules.number == "680a":
        pytest.skip("players set their hands in any order")
    pit = opened(rules, "automated shoe", 5, 1, 3)
    for seat in (5, 1, 3):
        pit.bet_everything(seat)
    pit.lock()
    pit.until(Act.ASK)
    word = rules.decisions[0].choices[0].word
    cite = f"{rules.number}.{ASKS[rules.number]}"
    for turn, others in ((1, (3, 5)), (3, (5,)), (5, ())):
        for other in others:
            refused(pit.verify_decide(by=f"player:{other}", seat=other, choice=word), cite, f"box {turn}'s turn")
        refused(pit.verify_decide(by=f"player:{turn}", seat=turn, choice="surrender"), cite, "surrender")
        refused(pit.verify_decide(by="player:1", seat=6, choice=word), f"{rules.number}.11(a)(1)")
        for other in {1, 3, 5} - {turn}:
            refused(pit.verify_decide(by=f"player:{other}", seat=turn, choice=word), f"{rules.number}.11(a)(1)", "own hand")
        refused(pit.verify_decide(by="dealer", seat=turn, choice=word), cite, "player")
        pit.decide(by=f"player:{turn}", seat=turn, choice=word)
    assert asked(pit) == [1, 3, 5]


def test_680a_11_b_hands_are_set_in_any_order_each_once() -> None:
    pit = opened(find("680a"), "automated shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2)
    pit.stack({1: "Ts Js Qs 2d 3d", 2: "Tc 9c Ac 4d 5h"}, dealer="2c 2h 2s 7c 8c").lock()
    pit.until(Act.SET)
    refused(pit.verify_reveal_dealer(by="dealer"), "680a.11(b)")
    refused(pit.verify_set_hand(by="player:1", seat=1, cards=(1, 2, 4)), "680a.11(b)(1)", "10, 20 or 30")
    refused(pit.verify_set_hand(by="player:1", seat=1, cards=(1, 1, 2)), "680a.11(b)(1)", "three different numbers")
    refused(pit.verify_set_hand(by="player:1", seat=1, cards=(1, 2, 6)), "680a.11(b)(1)", "three different numbers")
    refused(pit.verify_set_hand(by="player:1", seat=2, cards=(1, 2, 3)), "680a.11(a)(1)")
    pit.set_hand(by="player:2", seat=2, cards=(1, 2, 3))  # 10 + 9 + 1
    refused(pit.verify_set_hand(by="player:2", seat=2, cards=(1, 2, 3)), "680a.11(b)(1)", "each hand once")
    pit.set_hand(by="player:1", seat=1, cards=(1, 2, 3))
    pit.finish()


@every_edition
def test_11_every_act_in_its_order(rules: Rules) -> None:
    """At each step of a whole round, the acts of other stages are refused under the clause of the next stage."""
    pit = opened(rules, "manual shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    acts = {
        Act.COLLECT: "collect_forfeited",
        Act.BURN: "burn_card",
        Act.DEAL: "deal_community",
        Act.TURN: "turn_card",
        Act.REVEAL: "reveal_dealer",
        Act.CLEAR: "clear_cards",
    }
    seen = []
    while pit.state.round is not None:
        stage = pit.state.stages[pit.state.round.stage] if pit.state.round.dealt and pit.state.phase.value == "completing" else None
        for act, command in acts.items():
            if stage is None or act is not stage.act:
                problem = getattr(pit, f"verify_{command}")(by="dealer")
                assert problem is not None, (stage, command)
                assert stage is None or problem.cite == str(stage.cite)
        if stage and (not seen or seen[-1] is not stage):
            seen.append(stage)
        pit.step(by_seat(s1=FOLDS, s2=STAYS))
    declared = [stage for stage in rules.of(Stage) if stage.act is not Act.EXAMINE]
    assert seen == [stage for stage in declared if stage in seen]
    assert {stage.act for stage in declared} == {stage.act for stage in seen}


@of_the_book
def test_11_settlement_from_the_dealers_right_each_hand_turned_first(rules: Rules) -> None:
    pit = opened(rules, "automated shoe", 1, 3, 5)
    for seat in (1, 3, 5):
        pit.bet_everything(seat)
    pit.lock()
    pit.until(Act.SETTLE, STAYS)
    cite = f"{rules.number}.{SETTLES[rules.number]}"
    for turn in (5, 3, 1):
        for other in {1, 3, 5} - {turn}:
            for what in ("turn_hand", "settle_seat"):
                refused(getattr(pit, f"verify_{what}")(by="dealer", seat=other), cite, f"box {turn}")
        refused(pit.verify_clear_cards(by="dealer"), cite)
        if turn == 5 or not rules.of(Envy):  # for an Envy Bonus of box 5 the other hands were turned
            refused(pit.verify_settle_seat(by="dealer", seat=turn), cite, "face down")
            pit.turn_hand(by="dealer", seat=turn)
        refused(pit.verify_turn_hand(by="dealer", seat=turn), cite, "no face-down card")
        pit.play_until(lambda table, turn=turn: turn in table.round.settled)  # type: ignore[misc,union-attr]
    assert list(dict.fromkeys(settled(pit))) == [5, 3, 1]
    assert pit.events[-1].then.cites[0] == cite


@of_the_book
def test_11_the_cards_go_to_the_rack_hand_by_hand(rules: Rules) -> None:
    """Counterclockwise, each hand together, the dealer's and the community cards last: every hand can be reconstructed."""
    pit = opened(rules, "automated shoe", 1, 2)
    pit.bet_everything(1).bet_everything(2).lock()
    pit.until(Act.CLEAR, STAYS)
    current = pit.state.round
    assert current is not None
    hands = [[held.position for held in (*current.hands[seat], *current.fourths.get(seat, []))] for seat in (2, 1)]
    rest = [held.position for held in (*current.dealer, *current.community)]
    pit.play_until(lambda _: pit.events[-1].event == "cards cleared")
    event = pit.events[-1]
    assert event.then.cites == (f"{rules.number}.{CLEARS[rules.number]}",)
    assert [shown.position for shown in event.then.cards] == [*chain(*hands, rest)]


@of_the_book
def test_11_a_short_tray_is_filled_before_a_win_is_paid(rules: Rules) -> None:
    for seed in range(1, 30):
        pit = opened(rules, "automated shoe", 1, seed=seed)
        pit.bet_everything(1, ante=100).lock()
        pit.until(Act.SETTLE, STAYS)
        while pit.staff.next(pit.state, pit.now) != ("dealer", say.SettleSeat(seat=1)):
            pit.step()
        if tray := pit.state.balance("table inventory"):
            pit.credit(by="floorperson", amount=tray)
        problem = pit.verify_settle_seat(by="dealer", seat=1)
        if problem is None:
            continue
        refused(problem, f"{rules.number}.{SETTLES[rules.number]}", "after a fill")
        pit.fill(by="floorperson", amount=10**9)
        pit.finish()
        return
    raise AssertionError("nobody won in thirty rounds")


@every_edition
def test_11_the_decision_needs_its_chips(rules: Rules) -> None:
    making = [choice for choice in rules.decisions[0].choices if choice.makes] if rules.decisions else []
    if not making:
        pytest.skip("no decision makes a wager before another card")
    pit = Pit(rules, "automated shoe").seat(1, chips=2_000)
    pit.ready()
    for wager in rules.wagers.values():
        if wager.required or wager is rules.of(Dealing)[0].entitled[0]:
            pit.place_wager(by="player:1", seat=1, wager=wager.key, amount=1_000)
    pit.lock()
    pit.until(Act.ASK)
    if left := pit.state.balance("seat 1 chips"):
        pit.tip(by="player:1", seat=1, amount=left)
    problem = pit.verify_decide(by="player:1", seat=1, choice=making[0].word)
    refused(problem, f"{rules.number}.{making[0].clause}", "up to")
    pit.buy_in(by="player:1", seat=1, amount=100_00)
    pit.decide(by="player:1", seat=1, choice=making[0].word)


def test_641a_11_b_2_a_folded_progressive_keeps_its_envy() -> None:
    """Seat 1 folds and has nothing left. Seat 2 holds four aces, which pays seat 1 an Envy Bonus."""
    pit = opened(find("641a"), "automated shoe", 1, 2)
    pit.bet(1, ante=10, progressive=1).bet(2, ante=10, progressive=1)
    pit.stack({1: "2c 4d 6h 8s Tc", 2: "As Ah Ad Ac 3d"}, dealer="5c 7d 9h Js Kc Qd").lock()
    pit.finish(by_seat(s1=FOLDS, s2=STAYS))
    last = next(event for event in reversed(pit.events) if event.event == "wagers settled")
    assert [(line.wager, line.pays, line.cite) for line in last.then.lines] == [("Envy Bonus", 100_00, "641a.12(d)(5)")]


def test_649a_11_c_the_cards_of_a_folded_hand_stay_for_a_six_card_bonus() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2)
    pit.bet(1, ante=10, six_card=5).bet(2, ante=10).lock()
    pit.until(Act.REVEAL, FOLDS)
    event = pit.events[-1]
    assert event.event == "forfeited wagers collected"
    assert {shown.seat for shown in event.then.cards} == {2}
    assert sorted((line.wager, line.cite) for line in event.then.lines) == [("Ante Wager", "649a.11(b)")] * 2
    assert {line.hand for line in event.then.lines} == {""}  # the log does not reveal a hand that no one has turned
    pit.finish()
    assert settled(pit) == [2, 1]


def test_653a_11_f_2_i_a_folded_hand_lies_under_its_trips() -> None:
    pit = opened(find("653a"), "automated shoe", 1, 2)
    pit.bet(1, ante=10, blind=10, trips=5).bet(2, ante=10, blind=10).lock()
    pit.until(Act.REVEAL, FOLDS)
    event = pit.events[-1]
    assert {shown.seat for shown in event.then.cards} == {2}
    assert sorted((line.wager, line.outcome) for line in event.then.lines) == [
        ("Ante Wager", "forfeit"), ("Ante Wager", "forfeit"), ("Blind Wager", "forfeit"), ("Blind Wager", "forfeit")]  # fmt: skip


def test_643a_11_b_2_a_withdrawn_bet_goes_back_at_once() -> None:
    pit = opened(find("643a"), "automated shoe", 1)
    pit.bet(1, bets=10).lock()
    pit.until(Act.ASK)
    event = pit.decide(by="player:1", seat=1, choice="withdraw")
    assert event.then.cites == ("643a.11(b)(2)",)
    assert [(move.source, move.target, move.cents) for move in event.then.moves] == [("seat 1 layout", "seat 1 chips", 1000)]
    pit.finish(STAYS)
    line = pit.events[-2].then.lines
    assert "Bet Number 1" not in {each.wager for each in line}


def test_682a_12_g_the_payout_limit_caps_what_it_covers() -> None:
    """Aces Bonus F pays four aces 50 to 1: $500 on it would win $25,000. All-Six E pays a royal flush 1,000 to 1."""
    pit = opened(find("682a"), "automated shoe", 1, payout_limit=50_000, paytables={"Aces Bonus Wager": "A"})
    pit.bet(1, ante=10).bet(1, aces_bonus=500)
    pit.stack({1: "As Ah Ad Ac 3d"}, dealer="5c 7d 9h Js Kc Qd").lock()
    pit.finish(STAYS)
    lines = next(event for event in pit.events if event.event == "wagers settled").then.lines
    bonus = next(line for line in lines if line.wager == "Aces Bonus Wager")
    assert (bonus.pays, bonus.returns, bonus.cite) == (50_000_00, 500_00, "682a.12(g)")
