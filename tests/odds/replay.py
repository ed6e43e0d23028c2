"""The rounds of a simulation again, in plain Python: the same deals and decisions, settled by the readable chapter."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from croupier.book.ch680a_saigon_5_card import NOT_QUALIFIED, point_counts, qualifies, settings
from croupier.cards import Card
from croupier.filing.offer import Offer
from croupier.filing.pricing import priced
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Position
from croupier.odds import playing
from croupier.odds.deals import CHOOSE, canonical, card, index_of
from croupier.odds.solved import main_settlement

UNIT = 200  # cents: halves and thirds of nothing smaller than a cent


def _moved(each: int, goes: int) -> int:
    return (each & ~3) | (goes >> (4 * (each & 3)) & 3)


def nets(offer: Offer, player: playing.Player, seed: int, chunk: int, rounds: int) -> Iterator[list[Fraction]]:
    """The net of each simulated wager in each round, in units of its stake."""
    state = np.uint64(playing.start_of(np.uint64(seed), np.uint64(chunk)))
    deck = np.arange(53 if offer.rules.decks.jokers else 52)
    for _ in range(rounds):
        position, state = _round(offer, player, state, deck)
        yield [net(offer, position, wager.name) for wager in player.wagers]


def net(offer: Offer, position: Position, name: str) -> Fraction:
    """One wager of UNIT cents, or all wagers of the main game, as the chapter settles them."""
    rules, main = offer.rules, main_settlement(offer.rules)
    if name in (main.of.name, main.of.group):
        stakes = {wager.key: UNIT for wager in main.settles if not wager.made_by_decision}
        for decision, word in zip(rules.decisions, position.decided, strict=False):
            choice = next(each for each in decision.choices if each.word == word)
            if choice.makes:
                stakes[choice.makes[0].key] = int(choice.makes[1] * UNIT)
    else:
        stakes = {name: 100} if name == "Let It Ride Bonus Wager" else {name: UNIT}
    unit = 100 if name == "Let It Ride Bonus Wager" else UNIT
    return Fraction(sum(paid.net for paid in priced(offer, position, stakes)), unit)


def _round(offer: Offer, player: playing.Player, state: Any, deck: Any) -> tuple[Position, Any]:
    number, tables = offer.rules.number, player.tables
    choices = [decision.choices for decision in offer.rules.decisions]
    if number == "653a":
        return _hold_em(tables, state, deck, choices)
    if number == "643a":
        class_of, first, second = tables[:3]
        state = np.uint64(playing.deal(state, deck, 5))
        at, goes = canonical(deck[:3], CHOOSE)
        one = int(first[class_of[at]])
        two = int(second[one, class_of[at], _moved(int(deck[3]), goes)])
        held = tuple(card(int(n)) for n in deck[:5])
        return Position({PLAYER: held[:3], COMMUNITY: held[3:]}, decided=(choices[0][one].word, choices[1][two].word)), state
    if number == "680a":
        return _saigon(offer, tables, state, deck)
    size, dealer_size, ups, class_of, best = tables[:5]
    state = np.uint64(playing.deal(state, deck, size + dealer_size))
    mine, theirs = np.sort(deck[:size]), deck[size : size + dealer_size]
    _, goes = canonical(mine, CHOOSE)
    up = _moved(int(theirs[-1]), goes) if ups > 1 else 0
    choice = choices[0][int(best[class_of[index_of(mine, CHOOSE)] * ups + up])]
    cards = {PLAYER: tuple(card(int(n)) for n in mine), DEALER: tuple(card(int(n)) for n in theirs)}
    return Position(cards, decided=(choice.word,), folded=choice.folds), state


def _hold_em(tables: Any, state: Any, deck: Any, choices: Any) -> tuple[Position, Any]:
    at_once, after_flop, hole_class, flop_class, flop_suits, moved = tables[:6]
    river, board_class = tables[-2:]
    state = np.uint64(playing.deal(state, deck, 9))
    pair, flop, board = np.sort(deck[:2]), np.sort(deck[4:7]), np.sort(deck[4:9])
    at, h = int(index_of(flop, CHOOSE)), int(index_of(pair, CHOOSE))
    now = int(at_once[hole_class[h]])
    if now < 2:
        words: tuple[str, ...] = (choices[0][now].word,)
    elif after_flop[flop_class[at], moved[flop_suits[at], h]]:
        words = ("check", "play")
    else:
        words = ("check", "check", "play" if playing.plays_river(board, pair, river, board_class, CHOOSE) else "fold")
    held = tuple(card(int(n)) for n in deck[:9])
    cards = {PLAYER: held[:2], DEALER: held[2:4], COMMUNITY: held[4:]}
    return Position(cards, decided=words, folded=words[-1] == "fold"), state


def _saigon(offer: Offer, tables: Any, state: Any, deck: Any) -> tuple[Position, Any]:
    kind_of, index, keys, mine = tables[:4]
    state = np.uint64(playing.deal(state, deck, 10))
    cards_by_number: list[Card] = [each for alike in _alike(offer) for each in alike]
    five, dealer = tuple(cards_by_number[int(n)] for n in deck[:5]), tuple(cards_by_number[int(n)] for n in deck[5:10])
    point = int(mine[np.searchsorted(keys, sum(int(index[kind_of[int(n)]]) for n in deck[:5]))])
    three = next((three for three, two in settings(five) if qualifies(three) and max(point_counts(two)) == point), ())
    assert three or point == NOT_QUALIFIED
    return Position({PLAYER: five, DEALER: dealer}, set_aside=three), state


def _alike(offer: Offer) -> list[list[Card]]:
    from croupier.odds.saigon import kinds

    return kinds(offer.rules)
