"""Section .11: which cards are exposed, and when. A card is turned for the first wager that depends on it, and for no other."""

from __future__ import annotations

import pytest

from croupier.law.procedure import Act
from croupier.table.events import Event
from croupier.table.views import view
from tests.table.pit import FOLDS, STAYS, Pit, by_seat, find, opened, refused

COMMUNITY, FOURTH = "community cards", "player's fourth card"


def told(event: Event) -> str:
    """What a settlement event did: the places that were turned, or the wagers that were settled, with the box."""
    box = event.command.seat  # type: ignore[union-attr]
    if event.event == "hand turned":
        return f"{box} turns " + ", ".join(sorted({f"{shown.at} {shown.seat}".removesuffix(" 0") for shown in event.then.cards}))
    return f"{box} settles " + ", ".join(dict.fromkeys(f"{line.wager} {line.on}".strip() for line in event.then.lines))


def settlement(pit: Pit) -> list[str]:
    return [told(event) for event in pit.events if event.event in ("hand turned", "wagers settled")]


def seen(pit: Pit, place: str) -> list[str]:
    return [shown.card for event in pit.events for shown in event.then.cards if shown.at == place and shown.card]


def test_649a_11_c_7_the_community_cards_are_exposed_after_the_players_other_wagers() -> None:
    """Box 2 has no wager on them. Box 1's Ante, Play, Pair Plus and Six Card Bonus are settled first, (3) to (6)."""
    pit = opened(find("649a"), "automated shoe", 1, 2)
    pit.bet(2, ante=10).bet(1, ante=10, pair_plus=5, six_card=5, of_six=1, five_card=1)
    pit.stack({1: "9s 8h 2d", 2: "Ks 3d 4c"}, dealer="Qh 7d 5c", community="Tc Jd").lock()
    pit.until(Act.SETTLE, STAYS)
    before = len(pit.events)
    pit.until(Act.CLEAR)
    assert settlement(pit) == [
        "2 turns player's cards 2",
        "2 settles Ante Wager, Play Wager",
        "1 turns player's cards 1",
        "1 settles Ante Wager, Play Wager, Pair Plus Wager, Six Card Bonus Wager",
        "1 turns community cards",
        "1 settles Five-Card Progressive Payout Wager, 5 of 6 Progressive Payout Wager",
    ]
    assert [event.then.partly for event in pit.events[before:] if event.event == "wagers settled"] == [False, True, False]


def test_649a_11_c_8_the_hand_bonus_waits_for_them_too() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, on_dealer=1).stack({1: "9s 8h 2d"}, dealer="Qh 7d 5c", community="Tc Jd").lock()
    pit.until(Act.SETTLE, STAYS)
    pit.turn_hand(by="dealer", seat=1)
    assert view(pit.state, "player:1").round.community == ("", "")
    pit.settle_seat(by="dealer", seat=1)
    assert list(view(pit.state, "dealer").round.boxes[1].wagers) == ["Five Card Hand Bonus Wager: dealer"]
    assert not view(pit.state, "dealer").round.boxes[1].settled
    refused(pit.verify_settle_seat(by="dealer", seat=1), "649a.11(c)", "face down: the community cards")
    refused(pit.verify_clear_cards(by="dealer"), "649a.11(c)")
    refused(pit.verify_draw_bonus(by="device", lucky="1"), "649a.7(d)(7)")
    pit.turn_hand(by="dealer", seat=1)
    assert view(pit.state, "player:1").round.community == ("Tc", "Jd")
    pit.settle_seat(by="dealer", seat=1)
    assert pit.state.round is not None
    assert pit.state.round.settled == [1]


def test_649a_11_b_2_a_folded_progressive_exposes_nothing() -> None:
    """The wager is forfeited and there is no other hand to envy, so the cards go to the rack unseen."""
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, five_card=1).lock()
    pit.until(Act.CLEAR, FOLDS)
    assert view(pit.state, "public").round.community == ("", "")
    pit.finish()
    assert not seen(pit, COMMUNITY)
    assert [shown.at for shown in pit.events[-1].then.cards][-2:] == ["discard rack"] * 2


def test_649a_11_b_2_an_envious_fold_exposes_them_for_the_others_hand() -> None:
    """Eligibility for the Envy Bonus outlives the wager. Box 1's hand is turned for it, then the community cards."""
    pit = opened(find("649a"), "automated shoe", 1, 2)
    pit.bet(2, ante=10, five_card=1).bet(1, ante=10)
    pit.stack({1: "9s 8s 7s", 2: "Ks 3d 4c"}, dealer="Qh 7d 5c", community="Ts Js").lock()
    pit.until(Act.SETTLE, by_seat(s1=STAYS, s2=FOLDS))
    pit.until(Act.CLEAR)
    assert settlement(pit) == [
        "2 turns community cards, player's cards 1",
        "2 settles Five-Card Envy Bonus",
        "1 settles Ante Wager, Play Wager, Ante Bonus",
    ]
    assert pit.events[-2].then.lines[0].pays == 300_00  # 7-8-9-10-J of spades: a straight flush, $300 on a $1 wager


def test_641a_11_c_5_the_other_hands_are_turned_for_the_envy_bonus_only() -> None:
    """Each hand at its player's turn (11(c)(1)). The others when a Progressive with its Envy Bonus is settled (11(c)(5)(v))."""
    pit = opened(find("641a"), "automated shoe", 1, 2)
    pit.bet(2, ante=10, progressive=1).bet(1, ante=10).lock()
    pit.until(Act.SETTLE, STAYS)
    pit.until(Act.CLEAR)
    turns = [each for each in settlement(pit) if " turns " in each]
    assert turns == ["2 turns player's cards 2", "2 turns player's cards 1"]


@pytest.mark.parametrize(
    ("hand", "turns"),
    [("Ks 9d 4c", False), ("Ks Kd 4c", True), ("9s 8s 7s", True)],
    ids=["no pair", "a pair", "better"],
)
def test_679a_11_d_2_the_fourth_card_is_revealed_only_for_a_pair_or_better(hand: str, turns: bool) -> None:
    pit = opened(find("679a"), "manual shoe", 1)
    pit.bet(1, ante=10, prime=5, pair_bonus=5, all_six=5)
    pit.stack({1: hand}, dealer="Qh 7d 5c", fourths={1: "2h"}).lock()
    pit.until(Act.CLEAR, STAYS)
    assert view(pit.state, "public").round.boxes[1].fourth == (("2h",) if turns else ("",))
    assert seen(pit, FOURTH) == (["2h"] if turns else [])
    bonus = next(line for event in pit.events for line in event.then.lines if line.wager == "Pair Bonus Wager")
    assert bonus.cite == ("679a.12(f)" if turns else "679a.11(d)(2)(i)")
    last = "Pair Bonus Wager, All-Six Bonus Wager"
    if turns:
        assert settlement(pit)[-3:] == [settlement(pit)[1], "1 turns player's fourth card 1", f"1 settles {last}"]
    else:
        assert settlement(pit)[-1].endswith(f"Prime Wager, {last}")
    pit.finish()
    assert pit.state.round is None


def test_679a_12_h_the_limit_of_the_round_counts_what_was_paid_before_the_fourth_card() -> None:
    """$50,000 limit. $1,000 each on Play, Prime and Pair Bonus with a straight flush all red, like the dealer's hand.

    The dealer plays with an ace high and loses: Ante 1 to 1 = $1,000, Play 6 to 1 = $6,000, Prime 4 to 1 = $4,000. Of the
    Pair Bonus, 80 to 1 with a 2 by table A = $80,000, only $39,000 is left.
    """
    pit = opened(find("679a"), "manual shoe", 1, paytables={"Pair Bonus Wager": "A"}, payout_limit=50_000, maximum=1_000)
    pit.buy_in(by="player:1", seat=1, amount=1_000_000)
    pit.bet(1, ante=1000, prime=1000, pair_bonus=1000)
    pit.stack({1: "9h 8h 7h"}, dealer="Ah Jd 5d", fourths={1: "2s"}).lock()
    pit.until(Act.CLEAR, STAYS)
    paid = {line.wager: line.pays for event in pit.events for line in event.then.lines}
    assert paid == {"Ante Wager": 100_000, "Play Wager": 600_000, "Prime Wager": 400_000, "Pair Bonus Wager": 3_900_000}


UNQUALIFIED = "2c 2d 2h 2s Ac"  # 2 + 2 + 2, or 2 + 2 + 1


@pytest.mark.parametrize(
    ("dealer", "outcome", "clause"),
    [("Kc Qd Th 4s 5c", "lose", "680a.11(d)(2)(i)"), ("Ah Ks 3d Ts 3c", "return", "680a.11(d)(1)(i)")],
)
def test_680a_11_d_a_showdown_hand_next_to_three_cards_that_do_not_qualify_is_not_revealed(
    dealer: str, outcome: str, clause: str
) -> None:
    pit = opened(find("680a"), "automated shoe", 1)
    pit.bet(1, ante=10).stack({1: UNQUALIFIED}, dealer=dealer).lock()
    pit.until(Act.SET)
    pit.set_hand(by="player:1", seat=1, cards=(2, 3, 5))
    pit.until(Act.SETTLE)
    refused(pit.verify_settle_seat(by="dealer", seat=1), "680a.11(d)", "face down: the hand of box 1")
    pit.turn_hand(by="dealer", seat=1)
    assert view(pit.state, "public").round.boxes[1].cards == ("", "2d", "2h", "", "Ac")
    assert view(pit.state, "public").round.boxes[1].hand == "does not qualify"
    (line,) = pit.settle_seat(by="dealer", seat=1).then.lines
    assert (line.outcome, line.cite, line.hand) == (outcome, clause, "Does not qualify")
    pit.finish()
    assert set(seen(pit, "player's cards")) == {"2d", "2h", "Ac"}


def test_680a_11_e_the_bonus_reveals_it() -> None:
    """(d) settles the Ante by the three-card hand. (e) needs all five cards."""
    pit = opened(find("680a"), "automated shoe", 1)
    pit.bet(1, ante=10, bonus=5).stack({1: UNQUALIFIED}, dealer="Kc Qd Th 4s 5c").lock()
    pit.until(Act.SET)
    pit.set_hand(by="player:1", seat=1, cards=(1, 2, 3))
    pit.finish()
    assert settlement(pit) == [
        "1 turns player's cards 1",
        "1 settles Ante Wager",
        "1 turns player's cards 1",
        "1 settles Bonus Wager",
    ]
    assert [len(event.then.cards) for event in pit.events if event.event == "hand turned"] == [3, 2]


def test_680a_11_d_a_qualifying_hand_and_an_unset_hand_are_turned_whole() -> None:
    for seconds in (0, 30):
        pit = opened(find("680a"), "automated shoe", 1, decision_seconds=seconds)
        pit.bet(1, ante=10).stack({1: "Jk 7d Ts 2h 4s" if not seconds else UNQUALIFIED}, dealer="Kc Qd Th 4d 5c").lock()
        pit.until(Act.SET)
        if seconds:
            pit.now += 31_000
            pit.lapse_decision(by="dealer", seat=1)
        pit.finish()
        assert settlement(pit) == ["1 turns player's cards 1", "1 settles Ante Wager"]
        assert len(seen(pit, "player's cards")) == 5


def test_682a_11_e_3_the_all_six_card_is_exposed_when_that_wager_is_settled() -> None:
    pit = opened(find("682a"), "manual shoe", 1, 2)
    pit.bet(2, ante=10, prime=5, aces_bonus=5).bet(1, ante=10, aces_bonus=5, all_six=5).lock()
    pit.until(Act.SETTLE, STAYS)
    pit.until(Act.CLEAR)
    told_so = settlement(pit)
    assert told_so[0] == "2 turns player's cards 2"
    assert told_so[1].startswith("2 settles Ante Wager")
    assert told_so[1].endswith("Aces Bonus Wager")
    assert told_so[2] == "1 turns player's cards 1"
    assert told_so[3].endswith("Aces Bonus Wager")
    assert told_so[4:] == ["1 turns community cards", "1 settles All-Six Bonus Wager"]


def test_682a_11_e_3_a_box_that_left_exposes_nothing() -> None:
    """The All-Six card is on the table, but no remaining player has bet on it."""
    pit = opened(find("682a"), "manual shoe", 1, 2)
    pit.bet(2, ante=10, all_six=5).bet(1, ante=10).lock()
    pit.until(Act.SETTLE, STAYS)
    pit.leave(by="player:2", seat=2)
    pit.finish()
    assert not seen(pit, COMMUNITY)


def test_7_b_a_player_who_leaves_between_two_parts_keeps_what_was_paid_and_abandons_the_rest() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, on_player=1).stack({1: "Ks Kh 2d"}, dealer="Qh 7d 5c", community="Tc Jd").lock()
    pit.until(Act.SETTLE, STAYS)
    pit.turn_hand(by="dealer", seat=1)
    pit.settle_seat(by="dealer", seat=1)
    had = pit.state.balance("seat 1 chips")
    event = pit.leave(by="player:1", seat=1)
    assert had == 9_000_00 + 20_00  # bought $10,000, $1,000 to the game account; Ante and Play won $10 each
    assert ("seat 1 chips", "players' own money", had) in {(m.source, m.target, m.cents) for m in event.then.moves}
    pit.finish()
    assert not seen(pit, COMMUNITY)
    assert pit.state.round is None
