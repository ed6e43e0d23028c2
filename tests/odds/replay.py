"""Replays the rounds of a simulation in plain Python: the same deals and decisions, settled by the readable chapter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from croupier.book.ch680a_saigon_5_card import NOT_QUALIFIED, point_counts, qualifies, settings
from croupier.cards import JOKER, Card, Cards
from croupier.filing.offer import Offer
from croupier.filing.pricing import SeenHand, price_line, symbolic_lines
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Place, Position
from croupier.money import dollars
from croupier.odds.kernels import random_rounds as dealing
from croupier.odds.kernels.card_sets import card
from croupier.odds.simulation import players
from croupier.odds.solvers.main_game import main_settlement

UNIT = 200  # cents, so that half a unit is whole cents


def nets(offer: Offer, player: players.Player, seed: int, chunk: int, rounds: int) -> Iterator[list[list[Fraction]]]:
    """The net of each simulated wager at each seat in each round, in units of its stake."""
    state = np.uint64(dealing.start_of(np.uint64(seed), np.uint64(chunk)))
    deck = np.arange(53 if offer.rules.decks.jokers else 52)
    seats, own, dealer, community, fourth = player.layout
    count = seats * (own + fourth) + dealer + community
    for _ in range(rounds):
        state = np.uint64(dealing.deal(state, deck, count))
        positions = [_decided(offer, player, _dealt(deck, player.layout, seat)) for seat in range(seats)]
        yield [[net(offer, position, wager.key) for wager in player.wagers] for position in positions]


def net(offer: Offer, position: Position, key: str) -> Fraction:
    """One wager, or all wagers of the main game, as the chapter settles them. A meter stands at its seed for one dollar."""
    rules, main = offer.rules, main_settlement(offer.rules)
    if key == main.wager.key:
        unit, stakes = UNIT, {wager.key: UNIT for wager in main.settles if not wager.made_by_decision}
        for decision, word in zip(rules.decisions, position.decided, strict=False):
            choice = next(each for each in decision.choices if each.word == word)
            if choice.makes:
                stakes[choice.makes[0].key] = int(choice.makes[1] * UNIT)
    else:
        unit, stakes = dollars(1), {key: dollars(1)}
    seen = SeenHand(replace(position, readings=offer.readings))
    total = 0
    for _, line in symbolic_lines(offer, seen, stakes):
        meter = offer.seed(line.wager.name, dollars(1), again=False) if line.wager.name in offer.meters else 0
        paid = price_line(offer, line, stakes[line.wager.key], meter, "")
        total += paid.net if paid else 0
    return Fraction(total, unit)


def _dealt(deck: Any, layout: dealing.Layout, seat: int) -> dict[Place, Cards]:
    """The cards in front of a seat."""

    def cards(start: int, count: int) -> Cards:
        return tuple(_card(int(n)) for n in deck[start : start + count])

    dealer = layout.seats * layout.player
    community = dealer + layout.dealer
    return {
        PLAYER: cards(seat * layout.player, layout.player),
        DEALER: cards(dealer, layout.dealer),
        COMMUNITY: cards(community, layout.community),
        FOURTH: cards(community + layout.community + seat, layout.fourth),
    }


def _card(number: int) -> Card:
    return JOKER if number == 52 else card(number)


def _numbers(cards: Cards) -> list[int]:
    return [52 if each == JOKER else 4 * (each.rank - 2) + "cdhs".index(each.suit) for each in cards]


def _decided(offer: Offer, player: players.Player, cards: dict[Place, Cards]) -> Position:
    """What a player with these cards says or sets: the ending that the simulation reaches."""
    laid = np.array([[each for place in (PLAYER, DEALER, COMMUNITY, FOURTH) for each in _numbers(cards[place])]], dtype=np.uint8)
    endings = np.empty(1, dtype=np.int64)
    replace(player, layout=player.layout._replace(seats=1)).answer(laid, endings)
    said, known = player.answers.endings[int(endings[0])]
    if known:
        mine, _ = known.values()
        return Position(cards, set_aside=_set(cards[PLAYER], mine))
    return Position(cards, decided=tuple(choice.word for choice in said), folded=any(choice.folds for choice in said))


def _set(five: Cards, point: int) -> Cards:
    """Three cards that make the Point Count the simulation sets. None for a hand that cannot qualify."""
    three = next((three for three, two in settings(five) if qualifies(three) and max(point_counts(two)) == point), ())
    assert three or point == NOT_QUALIFIED
    return three
