"""The rounds of a simulation again, in plain Python: the same deals and decisions, settled by the readable chapter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from croupier.book.ch680a_saigon_5_card import NOT_QUALIFIED, point_counts, qualifies, settings
from croupier.cards import JOKER, Card, Cards
from croupier.filing.offer import Offer
from croupier.filing.pricing import SeenHand, price, symbolic
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Place, Position
from croupier.money import dollars
from croupier.odds.kernels import random_rounds as dealing
from croupier.odds.kernels.card_sets import CHOOSE, canonical, card, index_of
from croupier.odds.simulation import players
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.shapes import endings, shape_of
from tests.odds.games import answers_by_streets

UNIT = 200  # cents: halves and thirds of nothing smaller than a cent


def nets(offer: Offer, player: players.Player, seed: int, chunk: int, rounds: int) -> Iterator[list[list[Fraction]]]:
    """The net of each simulated wager at each seat in each round, in units of its stake."""
    state = np.uint64(dealing.start_of(np.uint64(seed), np.uint64(chunk)))
    deck = np.arange(53 if offer.rules.decks.jokers else 52)
    for _ in range(rounds):
        state = np.uint64(dealing.deal(state, deck, player.layout.cards))
        positions = [_decided(offer, player, _dealt(deck, player.layout, seat)) for seat in range(player.layout.seats)]
        yield [[net(offer, position, wager.key) for wager in player.wagers] for position in positions]


def net(offer: Offer, position: Position, key: str) -> Fraction:
    """One wager, or all wagers of the main game, as the chapter settles them; a meter stands at its seed for one dollar."""
    rules, main = offer.rules, main_settlement(offer.rules)
    if key == main.of.key:
        unit, stakes = UNIT, {wager.key: UNIT for wager in main.settles if not wager.made_by_decision}
        for decision, word in zip(rules.decisions, position.decided, strict=False):
            choice = next(each for each in decision.choices if each.word == word)
            if choice.makes:
                stakes[choice.makes[0].key] = int(choice.makes[1] * UNIT)
    else:
        unit, stakes = dollars(1), {key: dollars(1)}
    seen = SeenHand(replace(position, readings=offer.readings))
    total = 0
    for _, line in symbolic(offer, seen, stakes):
        meter = offer.seed(line.wager.name, dollars(1), again=False) if line.wager.name in offer.meters else 0
        paid = price(offer, line, stakes[line.wager.key], meter, "")
        total += paid.net if paid else 0
    return Fraction(total, unit)


def _dealt(deck: Any, layout: dealing.Layout, seat: int) -> dict[Place, Cards]:
    """The cards that lie before a seat."""

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


def _numbers(cards: Cards) -> Any:
    return np.array([4 * (each.rank - 2) + "cdhs".index(each.suit) for each in cards], dtype=np.int64)


def _moved(each: Any, goes: int) -> int:
    return (int(each) & ~3) | (goes >> (4 * (int(each) & 3)) & 3)


def _decided(offer: Offer, player: players.Player, cards: dict[Place, Cards]) -> Position:
    """What a player with these cards says, looked up in the tables of the simulation."""
    number, tables = offer.rules.number, player.tables
    if number == "680a":
        return Position(cards, set_aside=_set(tables, cards[PLAYER]))
    mine = np.sort(_numbers(cards[PLAYER]))
    choices = [[choice.word for choice in decision.choices] for decision in offer.rules.decisions]
    if number == "653a":
        words = _hold_em(tables, mine, _numbers(cards[COMMUNITY]), choices)
        return Position(cards, decided=words, folded=words[-1] == "fold")
    if player.kernel is dealing.play_boards:
        words = _boards(tables[0], mine, _numbers(cards[COMMUNITY]), offer)
        return Position(cards, decided=words, folded=words[-1] == "fold")
    if answers_by_streets(player):
        words = _by_streets(tables, mine, _numbers(cards[COMMUNITY]), choices)
        return Position(cards, decided=words, folded=words[-1] == "fold")
    _, goes = canonical(mine, CHOOSE)
    ups, class_of, best = tables[:3]
    up = _moved(_numbers(cards[DEALER])[-1], goes) if ups > 1 else 0
    word = choices[0][int(best[class_of[index_of(mine, CHOOSE)] * ups + up])]
    return Position(cards, decided=(word,), folded=word == "fold")


def _by_streets(tables: Any, mine: Any, community: Any, choices: Any) -> tuple[str, ...]:
    sizes, starts, class_of, bests, best, then = tables[:6]
    node, words = 0, list[str]()
    while node >= 0:
        seen = np.sort(np.concatenate([mine, community[: sizes[node] - len(mine)]]))
        choice = int(best[bests[node] + class_of[starts[node] + index_of(seen, CHOOSE)]])
        words.append(choices[len(words)][choice])
        node = int(then[node, choice])
    return tuple(words)


def _hold_em(tables: Any, pair: Any, community: Any, choices: Any) -> tuple[str, ...]:
    at_once, after_flop, hole_class, flop_class, flop_suits, moved = tables[:6]
    river, board_class = tables[-2:]
    at, h = int(index_of(np.sort(community[:3]), CHOOSE)), int(index_of(pair, CHOOSE))
    now = int(at_once[hole_class[h]])
    if now < 2:
        return (choices[0][now],)
    if after_flop[flop_class[at], moved[flop_suits[at], h]]:
        return ("check", "play")
    return ("check", "check", "play" if dealing.plays_river(np.sort(community), pair, river, board_class, CHOOSE) else "fold")


def _boards(answers: dealing.OnBoard, pair: Any, community: Any, offer: Offer) -> tuple[str, ...]:
    boards = [canonical(community[:size], CHOOSE) for size in answers.sizes]
    at = [answers.classes[start + index] for start, (index, _) in zip(answers.begins, boards, strict=False)]
    goes = np.array([goes for _, goes in boards], dtype=np.int64)
    ending = dealing.ending_of(pair, np.array(at, dtype=np.int64), goes, answers, CHOOSE)
    return tuple(choice.word for choice in list(endings(shape_of(offer.rules)))[ending])


def _set(tables: Any, five: Cards) -> Cards:
    """The three cards that make the Point Count which the simulation sets; none of a hand that cannot qualify."""
    kind_of, index, keys, mine = tables[:4]
    key = sum(int(index[kind_of[52 if each == JOKER else int(_numbers((each,))[0])]]) for each in five)
    point = int(mine[np.searchsorted(keys, key)])
    three = next((three for three, two in settings(five) if qualifies(three) and max(point_counts(two)) == point), ())
    assert three or point == NOT_QUALIFIED
    return three
