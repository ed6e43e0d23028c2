"""Progressive wagers: what they add to the meters, who validates a win, where it is paid from, how a meter restarts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.law.procedure import Act
from croupier.table import commands as say
from croupier.table.events import Event
from croupier.table.meters import MeterState
from croupier.table.state import Phase
from croupier.wire import WagerLine
from tests.table.pit import FOLDS, STAYS, Pit, by_seat, find, opened, refused

FIVE, HAND, THREE, OF_SIX = (
    "Five-Card Progressive Payout Wager",
    "Five Card Hand Bonus Wager",
    "Three-Card Progressive Payout Wager",
    "5 of 6 Progressive Payout Wager",
)
PAYOUT = "Progressive Payout Wager"


def settlements(pit: Pit) -> list[Event]:
    return [event for event in pit.events if event.event == "wagers settled"]


def line(pit: Pit, seat: int, wager: str, on: str = "") -> WagerLine:
    lines = (each for event in settlements(pit) if event.command.seat == seat for each in event.then.lines)  # type: ignore[union-attr]
    return next(each for each in lines if each.wager == wager and each.on == on)


def moves(event: Event) -> list[tuple[str, str, int]]:
    return [(move.source, move.target, move.cents) for move in event.then.moves]


# what wagers add


def test_641a_12_d_3_parts_of_a_cent_are_kept() -> None:
    pit = opened(
        find("641a"),
        "automated shoe",
        1,
        progressives={PAYOUT: {"amount": 1, "rate": "14.55%", "reserve": "0%", "seed": 5000, "reseed": 5000}},
    )
    shown = []
    for _ in range(20):
        pit.ready().bet(1, ante=10, progressive=1).lock()
        shown.append(pit.meters[PAYOUT].amount - 5_000_00)
        pit.finish(FOLDS)
    assert shown == [int(Fraction(1455, 100) * n) for n in range(1, 21)]
    assert shown[-1] == 291  # twenty times 14.55 cents, to the cent
    assert pit.meters[PAYOUT].rest == "0"
    assert pit.state.balance(f"meter of the {PAYOUT}") == 291


def test_649a_12_i_4_a_reserve_next_to_the_meter() -> None:
    """21 % to the meter and 8 % to the reserve, from the wagers on both hands."""
    pit = opened(find("649a"), "automated shoe", 1, 2)
    for seat in (1, 2):
        pit.bet(seat, ante=10, on_player=1, on_dealer=1)
    event = pit.lock()
    assert pit.meters[HAND] == MeterState(10_000_00 + 84, 32)
    assert ("table inventory", f"meter of the {HAND}", 84) in moves(event)
    assert ("table inventory", f"reserve of the {HAND}", 32) in moves(event)


def test_641a_12_d_3_a_void_round_takes_its_part_back_whatever_came_between() -> None:
    """Another table on a linked meter adds to it in between. The fractions of a cent still come out even."""
    terms = {"amount": 1, "rate": "14.55%", "reserve": "0%", "seed": 5000, "reseed": 5000}
    pit = opened(find("641a"), "automated shoe", 1, progressives={PAYOUT: terms})
    pit.bet(1, ante=10, progressive=1).lock()
    assert pit.meters[PAYOUT] == MeterState(5_000_14, 0, "11/20")
    pit.meters[PAYOUT] = MeterState(5_000_29, 0, "1/10")  # the other table's wager
    pit.deal_cards(by="dealer")
    pit.raise_irregularity(by="dealer", irregularity="More than one card face up")
    assert pit.meters[PAYOUT] == MeterState(5_000_14, 0, "11/20")
    assert pit.state.balance("seat 1 chips") == 10_000_00
    assert pit.state.balance(f"meter of the {PAYOUT}") == -1  # the cent that the other table's wager completed


# who validates, where it is paid from


@pytest.mark.parametrize(
    ("number", "clause", "hand", "dealer", "community"),
    [
        ("641a", "11(c)(5)(iii)", "As Ah Ad Ac 2d", "5c 7d 9h Js Kc Qd", ""),
        ("653a", "11(j)(3)", "As Ks", "2c 3c", "Qs Js Ts 4d 6h"),
    ],
)
def test_11_a_whole_meter_is_validated_and_not_paid_from_the_table_inventory(
    number: str, clause: str, hand: str, dealer: str, community: str
) -> None:
    pit = opened(find(number), "automated shoe", 1)
    pit.bet(1, ante=10, **({"blind": 10} if number == "653a" else {})).bet(1, progressive=1)
    pit.stack({1: hand}, dealer=dealer, community=community).lock()
    pit.until(Act.SETTLE, STAYS)
    shown = pit.meters[PAYOUT].amount
    refused(pit.verify_validate_progressive(by="floorperson", seat=1, wager=PAYOUT), str(pit.state.stages[-2].cite), "face down")
    pit.turn_hand(by="dealer", seat=1)
    refused(pit.verify_settle_seat(by="dealer", seat=1), f"{number}.{clause}", "floorperson")
    refused(pit.verify_validate_progressive(by="dealer", seat=1, wager=PAYOUT), f"{number}.{clause}", "floorperson")
    refused(pit.verify_validate_progressive(by="floorperson", seat=1, wager="Ante Wager"), f"{number}.{clause}", PAYOUT)
    pit.validate_progressive(by="floorperson", seat=1, wager=PAYOUT)
    refused(pit.verify_validate_progressive(by="floorperson", seat=1, wager=PAYOUT), f"{number}.{clause}")
    event = pit.settle_seat(by="dealer", seat=1)
    assert (f"jackpot of the {PAYOUT}", "cage", shown) in moves(event)
    assert not any(source == "table inventory" and cents >= shown for source, _, cents in moves(event))
    assert pit.meters[PAYOUT].amount == pit.state.offer.progressives[PAYOUT].reseed
    refused(pit.verify_clear_cards(by="dealer"), str(pit.state.stages[-1].cite), "paperwork for box 1")
    papers = {"11(c)(5)(iii)": "11(c)(5)(iv)", "11(j)(3)": "11(j)(4)"}[clause]  # the hand stays until they are completed
    refused(pit.verify_complete_papers(by="dealer", seat=1), f"{number}.{papers}", "floorperson")
    pit.complete_papers(by="floorperson", seat=1)
    refused(pit.verify_complete_papers(by="floorperson", seat=1), f"{number}.{papers}", "no paperwork")
    pit.clear_cards(by="dealer")


def test_649a_11_c_5_a_fixed_win_is_validated_and_paid_from_the_table_inventory() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, three_card=1).stack({1: "Ah Kh Qh"}, dealer="2c 4d 6h").lock()
    pit.finish(STAYS)
    assert "progressive validated" in [event.event for event in pit.events]
    assert "papers completed" not in [event.event for event in pit.events]
    assert line(pit, 1, THREE).pays == 500_00


@pytest.mark.parametrize(("stake", "papers"), [("five_card", True), ("on_player", True), ("of_six", False)])
def test_649a_11_c_7_to_9_a_part_of_the_meter_is_not_paid_from_the_table_inventory_either(stake: str, papers: bool) -> None:
    """Five cards 7-8-9-T-J of spades win 10 % of two meters. The six cards with the dealer's win nothing from the third."""
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10).bet(1, **{stake: 1})
    pit.stack({1: "9s 8s 7s"}, dealer="2c 4d 6h", community="Ts Js").lock()
    pit.finish(STAYS)
    assert ("papers completed" in [event.event for event in pit.events]) is papers


def test_649a_11_c_8_ii_a_small_win_of_the_hand_bonus_needs_no_floorperson() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, on_player=1).stack({1: "2s 4s 9s"}, dealer="2c 4d 6h", community="Ts Js").lock()
    pit.finish(STAYS)
    assert "progressive validated" not in [event.event for event in pit.events]
    assert line(pit, 1, HAND, "player").pays == 50_00
    assert ("table inventory", "seat 1 game account", 50_00) in moves(settlements(pit)[-1])


def test_649a_11_c_8_ii_500_for_1_does() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, on_player=1).stack({1: "9s 9h 9d"}, dealer="2c 4d 6h", community="9c Js").lock()
    pit.until(Act.SETTLE, STAYS)
    pit.turn_hand(by="dealer", seat=1)
    pit.settle_seat(by="dealer", seat=1)
    pit.turn_hand(by="dealer", seat=1)  # the community cards
    refused(pit.verify_settle_seat(by="dealer", seat=1), "649a.11(c)(8)(ii)")
    pit.finish()


def test_641a_11_c_5_a_losing_or_folded_progressive_is_not_validated() -> None:
    pit = opened(find("641a"), "automated shoe", 1)
    pit.bet(1, ante=10, progressive=1, aces_up=5).stack({1: "As Ah Ad Ac 2d"}, dealer="5c 7d 9h Js Kc Qd").lock()
    pit.finish(FOLDS)
    assert "progressive validated" not in [event.event for event in pit.events]
    assert pit.meters[PAYOUT].amount == 5_000_00 + 15


# at the player's turn


@pytest.mark.parametrize(("reading", "second"), [("at once", 1_000_00), ("after the round", 0)])
def test_649a_12_h_4_what_the_meter_shows_at_the_players_turn(reading: str, second: int) -> None:
    """Seat 2 is paid first and takes everything. Seat 1 gets 10 % of what is left."""
    pit = opened(find("649a"), "automated shoe", 1, 2, readings={"reseed": reading})
    for seat in (1, 2):
        pit.bet(seat, ante=10, five_card=1)
    pit.stack({1: "9s 8s 7s", 2: "As Ks Qs"}, dealer="2c 4d 6h", community="Ts Js").lock()
    shown = pit.meters[FIVE].amount
    assert shown == 10_000_00 + 42
    pit.finish(STAYS)
    assert line(pit, 2, FIVE).pays == shown
    assert line(pit, 1, FIVE).pays == second
    assert pit.meters[FIVE].amount == 10_000_00 - second
    assert pit.state.balance(f"jackpot of the {FIVE}") == 0


def test_649a_12_h_4_a_meter_that_another_table_draws_from_between_two_turns() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2)
    for seat in (1, 2):
        pit.bet(seat, ante=10, five_card=1)
    pit.stack({1: "9s 8s 7s", 2: "Qs Ks 9c"}, dealer="2c 4d 6h", community="Ts Js").lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    pit.meters[FIVE] = MeterState(20_000_00)
    pit.finish()
    assert line(pit, 1, FIVE).pays == 2_000_00


def test_649a_12_h_a_meter_read_to_start_after_the_round_starts_though_the_last_player_leaves() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2, readings={"reseed": "after the round"})
    for seat in (1, 2):
        pit.bet(seat, ante=10, five_card=1)
    pit.stack({1: "2d 4s 6c", 2: "As Ks Qs"}, dealer="2c 4d 6h", community="Ts Js").lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    assert pit.meters[FIVE].amount == 0
    pit.leave(by="player:1", seat=1)
    pit.finish()
    assert pit.meters[FIVE].amount == 10_000_00


def test_649a_12_i_2_a_jackpot_on_the_dealers_hand_is_divided() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2, 3)
    for seat in (1, 2, 3):
        pit.bet(seat, ante=10, on_dealer=1)
    pit.stack({}, dealer="As Ks Qs", community="Ts Js").lock()
    shown = pit.meters[HAND].amount
    assert shown == 10_000_00 + 63
    pit.finish(STAYS)
    assert [line(pit, seat, HAND, "dealer").pays for seat in (3, 2, 1)] == [shown // 3] * 3
    assert pit.meters[HAND].amount == shown % 3  # it restarts at zero; odd cents stay
    assert pit.state.balance(f"jackpot of the {HAND}") == 0
    assert line(pit, 3, HAND, "dealer").cite == "649a.12(i)(2)"


def test_649a_12_i_2_the_part_of_a_winner_who_leaves_goes_back_to_the_meter() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2)
    for seat in (1, 2):
        pit.bet(seat, ante=10, on_dealer=1)
    pit.stack({}, dealer="As Ks Qs", community="Ts Js").lock()
    shown = pit.meters[HAND].amount
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    pit.leave(by="player:1", seat=1)
    pit.finish()
    assert line(pit, 2, HAND, "dealer").pays == shown // 2
    assert pit.meters[HAND].amount == shown - shown // 2
    assert pit.state.balance(f"jackpot of the {HAND}") == 0


# envy


@pytest.mark.parametrize(("stake", "suit", "bonus"), [(1, "s", 100), (1, "h", 25), (5, "s", 500), (5, "h", 125)])
def test_649a_11_c_5_v_envy_by_the_amount_of_the_envious(stake: int, suit: str, bonus: int) -> None:
    terms = {"amount": stake, "rate": "14%", "reserve": "0%", "seed": 1000 * stake, "reseed": 1000 * stake}
    pit = opened(find("649a"), "automated shoe", 1, 2, 3, progressives={THREE: terms})
    for seat in (1, 2):
        pit.bet(seat, ante=10, three_card=stake)
    pit.bet(3, ante=10).stack({2: f"A{suit} K{suit} Q{suit}"}, dealer="2c 4d 6h").lock()
    pit.finish(STAYS)
    assert line(pit, 1, "Three-Card Envy Bonus").pays == bonus * 100
    for seat in (2, 3):  # not for your own hand, and not without the wager
        event = next(each for each in settlements(pit) if each.command.seat == seat)  # type: ignore[union-attr]
        assert "Three-Card Envy Bonus" not in {each.wager for each in event.then.lines}


def test_649a_11_c_5_v_two_hands_two_bonuses() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2, 3)
    for seat in (1, 2, 3):
        pit.bet(seat, ante=10, three_card=1)
    pit.stack({1: "As Ks Qs", 2: "Ah Kh Qh"}, dealer="2c 4d 6h").lock()
    pit.finish(STAYS)
    paid = {each.command.seat: [x.pays for x in each.then.lines if "Envy" in x.wager] for each in settlements(pit)}  # type: ignore[union-attr]
    assert paid == {3: [25_00, 100_00], 2: [100_00], 1: [25_00]}


# the bonus that the system draws


def test_649a_1_magic_card_and_lucky_bonus() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2)
    refused(pit.verify_draw_bonus(by="device", lucky="1"), "649a.7(d)(7)", "does not draw")
    pit.bet(1, ante=10, on_player=1).bet(2, ante=10).stack({1: "2s 4s 9h"}, dealer="2c 4d 6h", community="Tc Js").lock()
    refused(pit.verify_draw_bonus(by="dealer", lucky="1"), "649a.1", "device")
    refused(pit.verify_draw_bonus(by="device"), "649a.7(d)(7)", "no draw is named")
    refused(pit.verify_draw_bonus(by="device", lucky="8"), "649a.7(d)(7)", "lucky position")
    refused(pit.verify_draw_bonus(by="device", magic_card="Jk"), "649a.7(d)(7)", "one of the 52 cards")
    pit.draw_bonus(by="device", magic_card="9h", lucky="1")
    refused(pit.verify_draw_bonus(by="device", lucky="1"), "649a.7(d)(7)", "one draw per round")
    pit.finish(STAYS)
    assert line(pit, 1, "Magic Card Bonus", "player").pays == 20_00
    assert line(pit, 1, "Lucky Bonus", "player").pays == 5_00
    assert pit.state.balance("seat 1 game account") == 1_000_00 - 1_00 + 25_00  # 11(c)(8)(iii): credited to the game account


def test_649a_1_the_lucky_position_is_one_of_the_table_empty_or_not() -> None:
    """“The position that is randomly selected” is one of seven or the dealer. Whether anyone plays there does not matter."""
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, on_player=1).stack({}, dealer="2c 4d 6h").lock()
    assert all(pit.can_draw_bonus(by="device", lucky=str(position)) for position in (*range(1, 8), "dealer"))
    pit.draw_bonus(by="device", lucky="3")
    pit.finish(STAYS)
    assert not [x for each in settlements(pit) for x in each.then.lines if x.wager == "Lucky Bonus"]


def test_649a_1_read_otherwise_the_lucky_position_has_a_wager() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2, readings={"lucky position": "with a wager"})
    pit.bet(2, ante=10, on_player=1).lock()
    assert [each for each in (*range(1, 8), "dealer") if pit.can_draw_bonus(by="device", lucky=str(each))] == [2, "dealer"]
    refused(pit.verify_draw_bonus(by="device", lucky="1"), "649a.7(d)(7)", "lucky position")


def test_649a_the_system_draws_only_what_the_submission_names_and_for_whom() -> None:
    pit = opened(find("649a"), "automated shoe", 1, system={"magic_card": 0, "lucky": 5})
    pit.bet(1, ante=10, on_player=1).lock()
    refused(pit.verify_draw_bonus(by="device", magic_card="9h"), "649a.7(d)(7)", "no magic card")
    other = opened(find("649a"), "automated shoe", 1)
    other.bet(1, ante=10).lock()
    refused(other.verify_draw_bonus(by="device", lucky="1"), "649a.7(d)(7)", "nobody")


def test_649a_a_draw_after_the_first_settlement_is_too_late() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2)
    pit.bet(1, ante=10, on_player=1).bet(2, ante=10, on_player=1).lock()
    pit.play_until(lambda table: bool(table.round and table.round.settled), STAYS)
    refused(pit.verify_draw_bonus(by="device", lucky="1"), "649a.7(d)(7)")


def test_a_draw_between_collection_and_settlement_counts() -> None:
    """The settlement is recomputed once the system has drawn."""
    pit = opened(find("649a"), "automated shoe", 1, 2)
    pit.bet(1, ante=10, on_player=1).bet(2, ante=10, on_player=1).stack({}, dealer="2c 4d 6h").lock()
    pit.until(Act.REVEAL, by_seat(s1=FOLDS, s2=STAYS))
    pit.do(say.DrawBonus(lucky="2"), "device")
    pit.finish()
    assert pit.state.phase is Phase.BETTING
    assert line(pit, 2, "Lucky Bonus", "player").pays == 5_00


@pytest.mark.parametrize(("reading", "amount", "reserve"), [("kept apart", 0, 50_08), ("starts the meter again", 50_08, 0)])
def test_649a_12_i_4_what_the_reserve_is_for(reading: str, amount: int, reserve: int) -> None:
    """A royal flush wins the whole meter. Its reserve held $50 and gets 8 % of the winning dollar: 8 cents."""
    pit = opened(find("649a"), "automated shoe", 1, readings={"reserve": reading})
    pit.meters[HAND] = MeterState(12_000_00, 50_00)
    pit.bet(1, ante=10, on_player=1).stack({1: "As Ks Qs"}, community="Js Ts", dealer="2d 3c 5h").lock()
    pit.finish(STAYS)
    assert line(pit, 1, HAND, "player").pays == 12_000_21  # the meter already has 21 % of the winning dollar
    assert (pit.meters[HAND].amount, pit.meters[HAND].reserve) == (amount, reserve)
    assert sum(pit.state.balance(f"{what} of the {HAND}") for what in ("meter", "reserve")) == 21 + 8 - 12_000_21


def test_649a_12_i_4_a_void_round_takes_no_more_from_a_reserve_than_it_holds() -> None:
    """Another table has won the meter and emptied the reserve. Later wagers cover what the void round could not take back."""
    pit = opened(find("649a"), "automated shoe", 1, readings={"reserve": "starts the meter again"})
    pit.bet(1, ante=10, on_player=1).lock()
    pit.meters[HAND] = MeterState(8, 0)  # including the 8 cents of this round's dollar
    pit.until(Act.ASK)
    pit.raise_irregularity(by="dealer", irregularity="Dealer's card exposed")
    assert pit.meters[HAND].reserve == 0
    pit.ready().bet(1, ante=10, on_player=1).lock()
    assert pit.meters[HAND].reserve == 0  # 8 cents were still owed
    pit.finish(STAYS).ready().bet(1, ante=10, on_player=1).lock()
    assert pit.meters[HAND].reserve == 8
