"""Exact outcomes for a player who never answers, where a reading decides what silence means."""

from __future__ import annotations

from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.forfeits import ANSWERED, cases, silent_position
from croupier.law.procedure import Setting
from croupier.law.settlement import Settlement
from croupier.law.wager import never_answered
from croupier.odds.counters import counter
from croupier.odds.solvers import hand_setting
from croupier.odds.solvers.main_game import NotCounted, main_settlement
from croupier.odds.solvers.side_wagers import Counted, count_answered
from croupier.odds.solvers.solution import Outcomes, main_worth, unit_stakes, worth


def depends_on_answers(rules: Rules, settlement: Settlement) -> bool:
    """Whether a player's answers, or their silence, affect a settlement."""
    decided = any(isinstance(fact, ANSWERED) for fact in settlement.asks)
    return decided or (bool(rules.of(Setting)) and settlement is main_settlement(rules))


def main_outcomes(offer: Offer) -> Outcomes:
    """The outcomes of the main game."""
    counter(offer.rules)  # refuses what cannot be counted
    if offer.rules.of(Setting):
        return hand_setting.solve(offer, is_set=False).outcomes
    return _given_up(offer) if silent_position(offer.rules, offer.readings).folded else _riding(offer)


def _given_up(offer: Offer) -> Outcomes:
    """A forfeited hand loses the same amount whatever the cards; every case of the settlement is checked."""
    settlement = main_settlement(offer.rules)
    stakes = unit_stakes(settlement)
    found = {worth(offer, settlement, case, stakes) for case in cases(settlement, silent_position(offer.rules, offer.readings))}
    if len(found) > 1:
        raise NotCounted(settlement, "the cost of not answering depends on the cards", "a hand that is given up")
    outcomes = Outcomes()
    outcomes.add(found.pop(), 1)
    return outcomes


def _riding(offer: Offer) -> Outcomes:
    """Bets that ride, or are withdrawn, whatever the cards."""
    settlement, outcomes = main_settlement(offer.rules), Outcomes()
    taken = never_answered(offer.rules.decisions, offer.readings)
    for values, count in side_counts(offer, settlement):
        row = next((value for value in values.values() if isinstance(value, str)), "")
        outcomes.add(main_worth(offer, taken, values), count, row)
    return outcomes


def side_counts(offer: Offer, settlement: Settlement) -> Counted:
    """The deals by the facts that a wager asks, if the hand is given up or kept whatever its cards."""
    silent = silent_position(offer.rules, offer.readings)
    return count_answered(offer, settlement, lambda fact: fact.of(silent))
