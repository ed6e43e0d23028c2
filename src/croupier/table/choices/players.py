"""Everything a viewpoint may do now, in a dealer's words. The engine decides; no rule is repeated here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.filing.pricing import TABLE_INVENTORY
from croupier.law.cite import Refusal
from croupier.law.fact import TIMED_OUT
from croupier.law.procedure import Act, Setting
from croupier.law.wager import Choice, Decision, Wager, least_to_play
from croupier.money import Cents, show_money
from croupier.table import commands as say
from croupier.table.accounts import OUTSIDE, chips, game_account, purse
from croupier.table.choices.hand_terms import amounts_in_words, given_up, lost_by
from croupier.table.choices.staff import MONEY, STAFF, WORDS, Menu, free_seats, offer_spread_requests
from croupier.table.commands import MOST_CENTS, Role
from croupier.table.engine import role_and_seat
from croupier.table.events import Consequences
from croupier.table.meters import MeterState
from croupier.table.rules.cage import boxes_abandoned
from croupier.table.rules.round_play import in_play, lapses_at, pending
from croupier.table.rules.stakes import limits_of, stake_made
from croupier.table.rules.wagers import need_box
from croupier.table.state import Condition, Phase, Round, State, cards_of, offer_of
from croupier.wire import Ask, TableChoice

TAKE_BACK = "Take back"


def choices(table: State, by: str, at: int, meters: Mapping[str, MeterState] | None = None) -> list[TableChoice]:
    """What “player:3”, “dealer”, “floorperson” or “public” may do right now, if anything.

    `meters` are the table's meters by wager name. What may be done does not depend on their amounts.
    """
    if not table.submission:
        return []
    given = meters or {}
    unknown = {wager: MeterState(terms.seed) for wager, terms in table.offer.progressives.items() if wager not in given}
    menu = Menu(table, by, at, unknown | dict(given))
    if by == "public":
        for free in free_seats(table):  # anyone may take one under a name
            _sit(menu, free)
        return menu.choices
    role, seat = role_and_seat(by)
    if role is Role.PLAYER:
        _player(menu, seat)
    elif role in STAFF:
        STAFF[role](menu)
    return menu.choices


def _sit(menu: Menu, seat: int) -> None:
    name = Ask("player", WORDS)
    menu.offer(say.Sit(seat=seat, player="a name of one's own"), f"Sit down at seat {seat}", name, by=f"player:{seat}")


def _player(menu: Menu, seat: int) -> None:
    table = menu.table
    if seat not in table.players:
        return _sit(menu, seat)
    if table.round is not None:
        _decisions(menu, table.round, seat)
    if table.phase is Phase.BETTING:
        _wagers(menu, seat)
    if any(deck.condition is Condition.SPREAD for deck in table.decks):
        menu.offer(say.ViewDecks(seat=seat), "Look at the cards", primary=True)
    offer_spread_requests(menu, seat, "Ask")
    _money(menu, seat)
    current, abandoned = table.round, boxes_abandoned(table, seat)
    lost = sum(sum(in_play(table, current, box).values()) for box in abandoned) if current else 0
    menu.offer(say.Leave(seat=seat), lambda then: _leaving(then, lost))
    return None


def _leaving(then: Consequences, lost: Cents) -> str:
    """What the player leaves with, by the moves that leaving would make, and what they lose of their bets."""
    taken = sum(move.cents for move in then.moves if move.target == OUTSIDE)
    return f"Leave the table with {show_money(taken)}" + (f" and lose {show_money(lost)} in play" if lost else "")


# decisions


def _decisions(menu: Menu, current: Round, seat: int) -> None:
    """Hands may be set in any order; decisions are made in turn."""
    table = menu.table
    if not current.asked:
        return
    decision = table.stages[current.stage].decision
    for box in current.asked[1:] if decision else pending(table, current):
        if table.boxes[box] == seat:
            if decision:
                _answers(menu, current, box, decision)
            else:
                _settings(menu, current, box)


def _answers(menu: Menu, current: Round, box: int, decision: Decision) -> None:
    primary = True
    for choice in decision.choices:
        words, warns = _in_words(current, box, decision, choice), ""
        if choice.folds:
            lost = lost_by(menu.table, current, box, choice)
            words, sure = _folding(choice, lost), given_up(menu.table, current, box, lost, menu.meters)
            warns = f"This hand is sure to be paid: {amounts_in_words(sure)}. If you fold, you give that up." if sure else ""
        if menu.offer(say.Decide(seat=box, choice=choice.word), words, primary=primary and not choice.folds, warns=warns):
            primary = False
    if between := decision.between:
        example = f"{between.verb} {between.low}x"
        words = f"“{between.verb} 1.5x”, or any multiple of the {decision.base.name} from {between.low} to {between.high}"
        if between.read(example, menu.table.offer.readings):
            answer = say.Decide(seat=box, choice=example)
            menu.offer(answer, f"{between.verb.capitalize()} another amount", Ask("choice", WORDS, words=words))


def _in_words(current: Round, box: int, decision: Decision, choice: Choice) -> str:
    """“Play $10”, “Play 4× $40”, “Take back $5”, “Check”."""
    if choice.withdraws:
        return f"{TAKE_BACK} {show_money(current.stakes[box][choice.withdraws.key])}"
    try:
        stake = stake_made(current.stakes[box], decision, choice)
    except Refusal:  # not a whole number of cents
        stake = None
    return choice_words(choice) + (f" {show_money(stake[1])}" if stake else "")


def choice_words(choice: Choice) -> str:
    """A choice as its button says it, whatever the stake: “Play”, “Play 4×”, “Take back the bet”, “Let it ride”."""
    if choice.withdraws:
        return f"{TAKE_BACK} the bet"
    return (choice.phrase.format("it") or re.sub(r"(?<=\d)x$", "×", choice.word)).capitalize()


def _folding(choice: Choice, lost: Mapping[str, Cents]) -> str:
    """“Fold, lose Ante $10 and Pair Plus $5”."""
    return choice.word.capitalize() + (f", lose {amounts_in_words(lost)}" if lost else "")


def lapse_words(table: State, seat: int) -> str:
    """What happens to this player's hand if they do not answer in time, as the buttons say it; empty if nothing is asked of them.

    “Fold, lose Ante $10”, “Check”, “Lose Ante $10; other wagers are settled”.
    """
    current = table.round
    if current is None or lapses_at(table, current) is None:
        return ""
    stage = table.stages[current.stage]
    if five := _hand_to_set(table, seat):
        setting = table.rules.of(Setting)[0]
        counts = setting.unset.alternatives[table.offer.readings.get(setting.unset.name, setting.unset.default)]
        return f"Your hand counts as {counts}" if setting.succeeds(five) else setting.otherwise.capitalize()
    box = next((box for box in pending(table, current) if table.boxes[box] == seat), 0)
    if stage.decision is None or box != current.asked[1]:
        return ""
    choice = stage.decision.in_silence(table.offer.readings)
    if not choice.folds:
        return _in_words(current, box, stage.decision, choice)
    lost = lost_by(table, current, box, choice)
    return f"Lose {amounts_in_words(lost)}; other wagers are settled" if choice.word == TIMED_OUT else _folding(choice, lost)


def aim_words(table: State, seat: int) -> str:
    """What to aim for when this player sets a hand, in the words of the chapter; empty if they have none to set."""
    five = _hand_to_set(table, seat)
    if not five:
        return ""
    setting = table.rules.of(Setting)[0]
    if setting.succeeds(five):
        return f"Choose {setting.words}."
    return f"You do not have {setting.words}: {setting.otherwise}. Choose any three."


def _hand_to_set(table: State, seat: int) -> Cards:
    """The cards that this player has to set now: those of their own box before those of an adjacent one."""
    current = table.round
    if current is None or table.stages[current.stage].act is not Act.SET:
        return ()
    boxes = [box for box in pending(table, current) if table.boxes[box] == seat]
    return cards_of(current.hands[seat if seat in boxes else boxes[0]]) if boxes else ()


def _settings(menu: Menu, current: Round, box: int) -> None:
    """Offer every three of the five cards that the chapter lets the player set."""
    five = [held.card for held in current.hands[box]]
    primary = True
    for three in combinations(range(1, len(five) + 1), 3):
        set_ = " ".join(five[n - 1] for n in three)
        rest = " ".join(card for n, card in enumerate(five, 1) if n not in three)
        if menu.offer(say.SetHand(seat=box, cards=three), f"Set {set_}, show {rest}", primary=primary):
            primary = False


# wagers


class WagerItem(NamedTuple):
    """Wagers that are placed together before the deal, by the name players use."""

    word: str
    wagers: tuple[Wager, ...]
    name: str
    fixed: tuple[Cents, ...]  # the allowed amounts; empty if the limits decide
    keep: int  # how many times the amount a player will need to play the hand


@lru_cache(maxsize=256)
def _wager_items(submission: str) -> tuple[WagerItem, ...]:
    """What players may place before the deal under this submission."""
    offer, found = offer_of(submission), dict[str, tuple[Wager, ...]]()
    for wager in offer.rules.wagers.values():
        if not wager.made_by_decision and offer.offers(wager):
            word = wager.group or wager.key
            found[word] = (*found.get(word, ()), wager)
    return tuple(_wager_item(offer, word, wagers) for word, wagers in found.items())


def _wager_item(offer: Offer, word: str, wagers: tuple[Wager, ...]) -> WagerItem:
    wager = wagers[0]
    name = wager.group or wager.name + (f" on the {wager.side}'s hand" if wager.side else "")
    terms = offer.progressives.get(wager.name)
    fixed = (terms.amount,) if terms else wager.amounts.sums if wager.amounts else ()
    return WagerItem(word, wagers, name, fixed, least_to_play(offer.rules.decisions, {each.key: 1 for each in wagers}))


def _wagers(menu: Menu, seat: int) -> None:
    table, items = menu.table, _wager_items(menu.table.submission)
    for box in _boxes(table, seat):
        laid = table.stakes.get(box, {})
        for each in items:
            if ask := _amount(table, seat, laid, each):
                first, there = ask.only[0] if ask.only else ask.least or 0, ask.now
                place = say.PlaceWager(seat=box, wager=each.word, amount=first)
                words = f"{f'Change the {show_money(there)} on' if there else 'Place'} the {each.name}{_on(box, seat)}"
                menu.offer(place, words, ask, primary=box == seat and not there and _is_missed(table, laid, each.wagers[0]))
        for each in items:
            if back := sum(laid.get(wager.key, 0) for wager in each.wagers):
                words = f"Take back {show_money(back)} from the {each.name}{_on(box, seat)}"
                menu.offer(say.TakeBackWager(seat=box, wager=each.word), words)


def _is_missed(table: State, laid: Mapping[str, Cents], wager: Wager) -> bool:
    """Whether the player must make this wager to be dealt cards."""
    entitled = table.dealing.entitled
    return wager.required or (wager is entitled[0] and not any(other.key in laid for other in entitled))


def _on(box: int, seat: int) -> str:
    return f" of box {box}" if box != seat else ""


def _boxes(table: State, seat: int) -> list[int]:
    """The player's own box first, then the adjacent ones they may also wager on."""
    boxes, reach = [seat], table.offer.adjacent_boxes - 1
    for box in (*range(seat - reach, seat), *range(seat + 1, seat + reach + 1)):
        with suppress(Refusal):
            need_box(table, box, seat)
            boxes.append(box)
    return boxes


def _amount(table: State, seat: int, laid: Mapping[str, Cents], item: WagerItem) -> Ask | None:
    """The allowed amounts: within the posted limits or one of a fixed set, and no more than the player has."""
    wagers, only, keep = item.wagers, item.fixed, item.keep
    wager = wagers[0]
    if wager.lacks(laid, table.offer.readings):
        return None
    there = min(laid.get(each.key, 0) for each in wagers)
    affordable = table.balance(purse(wager, seat)) // len(wagers) + there
    low, high = limits_of(table.offer, wager, table.posted)
    least, most = max(1, low), min(high or MOST_CENTS, affordable)
    amounts = wager.amounts if len(wagers) == 1 else None
    if amounts and not only:  # equal to another wager
        only = tuple(sorted({stake for stake in laid.values() if amounts.allows(stake, laid)}))
        if not only:
            return None
    if only:
        words = amounts.words if amounts and not amounts.fixed else " or ".join(map(show_money, only))
        only = tuple(cents for cents in only if least <= cents <= most)
        return Ask("amount", MONEY, only[0], only[-1], only, there, words=words, keep=keep) if only else None
    return Ask("amount", MONEY, least, most, now=there, times=len(wagers), keep=keep) if least <= most else None


# money


def _money(menu: Menu, seat: int) -> None:
    table = menu.table
    held = table.balance(chips(seat))
    tray = min(table.balance(TABLE_INVENTORY), MOST_CENTS)
    menu.offer(say.BuyIn(seat=seat, amount=1), "Buy chips", Ask("amount", MONEY, 1, tray), primary=not held and not table.boxes)
    if not held:
        return
    menu.offer(say.Tip(seat=seat, amount=1), "Tip the dealer", Ask("amount", MONEY, 1, held))
    if any(each.wagers[0].electronic for each in _wager_items(table.submission)):
        ask = Ask("amount", MONEY, 1, held, now=table.balance(game_account(seat)))
        menu.offer(say.FundGameAccount(seat=seat, amount=1), "Move chips to the game account", ask)
