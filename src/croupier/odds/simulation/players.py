"""Players of the simulation: how they answer, and how every wager that they make is settled, as tables for the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.filing.offer import Offer
from croupier.law.cite import Refusal
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, Drawn, Fact
from croupier.law.forfeits import ANSWERED
from croupier.law.settlement import Settlement
from croupier.law.wager import Choice
from croupier.odds.counters import counter
from croupier.odds.kernels.random_rounds import Layout, WagerTables, answer_always, deal_rounds, settle_wager, start_of
from croupier.odds.solvers import enumerator, side_wagers
from croupier.odds.solvers.fact_tables import Tables, columns_of
from croupier.odds.solvers.main_game import NotCounted, main_name, main_settlement
from croupier.odds.solvers.shapes import GameShape, cards_at, facts_of, game_shape, verify_main_stakes
from croupier.odds.solvers.solution import Outcomes, SimulatedAnswers, Worth, answer_to, asked, main_worth, scaled, unit_of, worth

BLOCK = 1 << 14  # rounds that are dealt, answered and settled at once
NOT_KNOWN = 1_000_000  # rounds for an interval if the rarity of payouts is unknown


@dataclass(frozen=True)
class SimulatedWager:
    """A wager that is played: how its results are scaled to integers, the exact mean, and how many rounds an interval needs."""

    name: str
    key: str
    scale: int
    exact: Fraction | None  # none where the game cannot be counted
    needs: int


@dataclass(frozen=True)
class Exact:
    """What is known exactly about a wager: its mean, and how many rounds make a mean about normal."""

    mean: Fraction | None = None
    needs: int = NOT_KNOWN


@dataclass
class Player:
    """Everything that the kernels need to play a game."""

    wagers: list[SimulatedWager]
    layout: Layout
    cards: int  # of the deck
    answers: SimulatedAnswers
    settled: list[WagerTables]  # wager by wager

    def play(self, seed: int, chunk: int, rounds: int) -> NDArray[Any]:
        """For each wager the sum and the sum of squares over seats and rounds, and the sum of squares of the rounds' totals."""
        sums, deck = np.zeros((len(self.wagers), 3), dtype=np.int64), np.arange(self.cards)
        state = start_of(np.uint64(seed), np.uint64(chunk))
        for first in range(0, rounds, BLOCK):
            rows = min(BLOCK, rounds - first) * self.layout.seats
            laid, endings = np.empty((rows, self.layout.before_a_seat), dtype=np.uint8), np.empty(rows, dtype=np.int64)
            state = deal_rounds(np.uint64(state), deck, self.layout, laid)
            self.answer(laid, endings)
            for total, settled in zip(sums, self.settled, strict=True):
                settle_wager(total, self.layout.seats, settled, laid, endings)
        return sums.astype(object)

    def answer(self, laid: NDArray[np.uint8], endings: NDArray[np.int64]) -> None:
        """Find the ending that each seat reaches with its cards."""
        self.answers.kernel(laid, endings, self.layout, *self.answers.tables)


def player(offer: Offer, strategy: str, seats: int) -> Player:
    """The player of a game at this many seats, with every wager that the Offer offers."""
    return _best(offer, seats) if strategy == "best" else _first_choice(offer, strategy, seats)


def _best(offer: Offer, seats: int) -> Player:
    found, layout = counter(offer.rules), layout_of(offer, seats)
    solved = found.solve(offer)
    exact = {main_settlement(offer.rules): Exact(-solved.edge, rounds_needed(solved.outcomes))}
    for settlement in sides_of(offer):
        exact[settlement] = _side(offer, settlement, side_wagers.count(offer, settlement, lambda: solved))
    return _player(offer, layout, found.answers(offer, solved, layout), exact)


def _first_choice(offer: Offer, strategy: str, seats: int) -> Player:
    """A player who answers each decision with its first choice that needs no hand. It can play what takes too long to solve."""
    choices = _first_choices(game_shape(offer.rules))
    exact = {main_settlement(offer.rules): _always(offer, strategy, choices)}
    for settlement in sides_of(offer):
        counted = side_wagers.count_answered(offer, settlement, lambda fact: answer_to(fact, choices))
        exact[settlement] = _side(offer, settlement, counted)
    return _player(offer, layout_of(offer, seats), SimulatedAnswers(answer_always, (0,), [(choices, {})]), exact)


def _first_choices(shape: GameShape) -> tuple[Choice, ...]:
    choices = tuple[Choice, ...]()
    for street in shape.streets:
        if all(choice.goes_on for choice in choices):
            choices += (next(choice for choice in street.decision.choices if not choice.holding),)
    return choices


def _always(offer: Offer, strategy: str, choices: tuple[Choice, ...]) -> Exact:
    """What is known about the main game with these answers; nothing if it takes too long to solve."""
    try:
        found = counter(offer.rules)
    except NotCounted:
        if not enumerator.serves(game_shape(offer.rules)):
            raise
        verify_main_stakes(offer.rules, main_settlement(offer.rules))
        return Exact()
    if found.worth_always is None:
        raise Refusal(f"“{strategy}” is not a strategy for this game", offer.rules.cite("11"), "best")
    solved = found.solve(offer)
    return Exact(found.worth_always(offer, solved, choices), rounds_needed(solved.outcomes))


def rounds_needed(outcomes: Outcomes) -> int:
    """How many rounds make a mean about normal: 25 times the squared skewness (Cochran's rule), at least 30."""
    deals, mean = outcomes.deals, float(outcomes.mean())
    parts = [(float(net) - mean, count / deals) for (_, net, *_), count in outcomes.counts.items()]
    square, cube = (sum(share * apart**power for apart, share in parts) for power in (2, 3))
    return max(30, round(25 * cube**2 / square**3)) if square else 30


def sides_of(offer: Offer) -> list[Settlement]:
    """The settlements of the side wagers that an Offer offers."""
    return [each for each in offer.rules.settlements if each is not main_settlement(offer.rules) and offer.offers(each.wager)]


def layout_of(offer: Offer, seats: int) -> Layout:
    """The cards that are dealt when the main game and every side wager is made."""
    at = [cards_at(offer.rules, each) for each in (main_settlement(offer.rules), *sides_of(offer))]
    return Layout(seats, *(max(cards.get(place, 0) for cards in at) for place in (PLAYER, DEALER, COMMUNITY, FOURTH)))


def _side(offer: Offer, settlement: Settlement, counted: side_wagers.Counted) -> Exact:
    outcomes = Outcomes()
    for known, count in counted:
        outcomes.add(_worth(offer, settlement, (), known), count)
    return Exact(outcomes.mean(), rounds_needed(outcomes))


def _player(offer: Offer, layout: Layout, answers: SimulatedAnswers, exact: Mapping[Settlement, Exact]) -> Player:
    wagers, settled = list[SimulatedWager](), list[WagerTables]()
    for settlement, known in exact.items():
        tables = _tables(offer, settlement, answers)
        nets, scale = scaled(_nets(offer, settlement, tables, answers))
        columns, sizes = columns_of(tables.batches, layout), [batch.count for batch in tables.batches]
        worths = np.array(nets, dtype=np.int64).reshape(len(answers.endings), -1)
        settled.append(WagerTables(np.array(columns, dtype=np.int64), np.array(sizes, dtype=np.int64), tables.compiled(), worths))
        wagers.append(SimulatedWager(_name(offer, settlement), settlement.wager.key, scale, known.mean, known.needs))
    return Player(wagers, layout, offer.rules.decks.cards, answers, settled)


def _tables(offer: Offer, settlement: Settlement, answers: SimulatedAnswers) -> Tables:
    """The facts that a settlement asks, apart from answers, draws and those that the ending says."""
    _, known = answers.endings[0]
    facts = [fact for fact in facts_of(settlement) if not isinstance(fact, (*ANSWERED, Drawn)) and fact not in known]
    at, jokers = cards_at(offer.rules, settlement), offer.rules.decks.jokers
    return Tables(settlement, facts, at, offer.readings, simulates=jokers)


def _name(offer: Offer, settlement: Settlement) -> str:
    if settlement is main_settlement(offer.rules):
        return main_name(offer.rules)
    side = f" ({settlement.wager.side}'s hand)" if settlement.wager.side else ""
    drawn = any(offer.draws.get(fact.key) for fact in settlement.drawn.values())  # in the price, but not played here
    return settlement.wager.name + side + (", without draws" if drawn else "")


def _nets(offer: Offer, settlement: Settlement, tables: Tables, answers: SimulatedAnswers) -> list[Fraction]:
    """The net of one unit at each ending, for each combination of the values of the facts that are looked at."""
    is_main, listed, found = settlement is main_settlement(offer.rules), list[Fraction](), dict[Any, list[Fraction]]()
    answered = [fact for fact in settlement.asks if isinstance(fact, ANSWERED)]
    for ending, known in answers.endings:
        cases = ({**known, **case} for case in tables.cases())
        if is_main:
            listed += [main_worth(offer, ending, case).net for case in cases]
            continue
        key = tuple(answer_to(fact, ending) for fact in answered)  # few endings differ for a side wager
        if key not in found:
            found[key] = [_worth(offer, settlement, ending, case).net for case in cases]
        listed += found[key]
    return listed


def _worth(offer: Offer, settlement: Settlement, choices: tuple[Choice, ...], known: Mapping[Fact, Any]) -> Worth:
    """A side wager of one unit, with its meter at the seed. The system's draws are priced apart: here it draws nothing."""
    unit, stakes = unit_of(offer, settlement.wager), {settlement.wager.key: Fraction(1)}
    undrawn: dict[Fact, Any] = {fact: False for fact in settlement.asks if isinstance(fact, Drawn)}
    found = worth(offer, settlement, asked(settlement, offer, undrawn | dict(known), choices), stakes, unit=unit)
    seed = offer.seed(settlement.wager.name, unit, again=False) if found.meter else 0
    return Worth(found.net + found.meter * Fraction(seed, unit))
