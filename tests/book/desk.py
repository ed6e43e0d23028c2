"""A dispute desk for the chapter tests: describe a round and get its lines, or ask for a rule by its clause."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypeVar

import pytest

from croupier import book
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal, Rule
from croupier.law.procedure import Irregularity
from croupier.money import dollars
from croupier.table.case import read_case
from croupier.table.settlement import Settled

R = TypeVar("R", bound=Rule)


def rules(game: str, edition: str = "") -> Rules:
    return book.find(game).edition(edition)


def seat(cards: str, decision: str = "", set_aside: str = "", **wagers: Any) -> dict[str, Any]:
    """A seat, with wagers by keyword in dollars: “ante” for the Ante Wager and so on."""
    data: dict[str, Any] = {"cards": cards, "wagers": {NAMES[name]: amount for name, amount in wagers.items()}}
    return data | ({"decision": decision} if decision else {}) | ({"set": set_aside} if set_aside else {})


NAMES = {
    "ante": "Ante Wager", "blind": "Blind Wager", "pair_plus": "Pair Plus Wager", "aces_up": "Aces Up Wager", "trips": "Trips Wager",
    "three_card": "Three-Card Progressive Payout Wager", "progressive": "Progressive Payout Wager", "six_card": "Six Card Bonus Wager",
    "five_card": "Five-Card Progressive Payout Wager", "hand_bonus": "Five Card Hand Bonus Wager", "of_six": "5 of 6 Progressive Payout Wager",
    "prime": "Prime Wager", "pair_bonus": "Pair Bonus Wager", "all_six": "All-Six Bonus Wager", "aces_bonus": "Aces Bonus Wager", "bonus": "Bonus Wager",
    "bet1": "Bet Number 1", "bet2": "Bet Number 2", "bet3": "Bet Number 3", "bets": "Let It Ride Poker Wager",
    "ride_bonus": "Let It Ride Bonus Wager", "three_bonus": "Three Card Bonus Wager", "play": "Play Wager", "raise_": "Raise Wager",
}  # fmt: skip


class Lines:
    """The settled round, for assertions: `lines["Ante Wager"]` is (outcome, pays, returns) of the only or first seat, in cents."""

    def __init__(self, settled: Settled) -> None:
        self.settled = settled

    def of(self, number: int, wager: str, side: str = "") -> tuple[str, int, int]:
        found = next(s for s in self.settled.seats if s.seat == number)
        lines = [line for line in found.lines if line.wager == wager and line.side == side]
        assert lines, f"no line {wager} for seat {number}"
        return lines[0].outcome.value, sum(line.pays for line in lines), sum(line.returns for line in lines)

    def __getitem__(self, wager: str) -> tuple[str, int, int]:
        return self.of(self.settled.seats[0].seat, wager)

    def __contains__(self, wager: str) -> bool:
        return any(line.wager == wager for line in self.settled.seats[0].lines)

    def clause(self, wager: str, number: int = 0) -> str:
        found = next(s for s in self.settled.seats if s.seat == (number or self.settled.seats[0].seat))
        return next(str(line.cite) for line in found.lines if line.wager == wager)

    def net(self, number: int = 0) -> int:
        return next(s.net for s in self.settled.seats if s.seat == (number or self.settled.seats[0].seat))

    def meter(self, wager: str) -> int:
        return self.settled.meters[wager].after

    @property
    def order(self) -> list[int]:
        return [s.seat for s in self.settled.seats]


def case(game: str, *seats: dict[str, Any], dealer: str = "", community: str = "", **more: Any) -> dict[str, Any]:
    """A case as a file would describe it, with seats numbered from 1. `more`: edition, offer, meters, system."""
    raw: dict[str, Any] = {"game": game, "seats": {str(number): each for number, each in enumerate(seats, 1)}}
    raw |= {"dealer": {"cards": dealer}} if dealer else {}
    raw |= {"community": {"cards": community}} if community else {}
    raw["meters"] = {name: {"amount": Decimal(str(amount))} for name, amount in more.pop("meters", {}).items()}
    return raw | more


def settle(game: str, *seats: dict[str, Any], **more: Any) -> Lines:
    return Lines(read_case(case(game, *seats, **more)).settle())


def refused(game: str, *seats: dict[str, Any], **more: Any) -> str:
    """The clause under which a described round is refused."""
    with pytest.raises(Refusal) as refusal:
        read_case(case(game, *seats, **more)).settle()
    assert refusal.value.said
    return refusal.value.cite


def declared(kind: type[R], game: str, clause: str, edition: str = "") -> list[R]:
    """The declarations of a kind that cite a clause."""
    return [rule for rule in rules(game, edition).of(kind) if clause in {cite.clause for cite in rule.cites}]


def irregularity(game: str, clause: str, word: str = "", edition: str = "") -> Irregularity:
    found = [each for each in declared(Irregularity, game, clause, edition) if word in each.name]
    assert len(found) == 1, f"{game}.{clause}: {[each.name for each in found]}"
    return found[0]


def usd(amount: int | str) -> int:
    return dollars(amount if isinstance(amount, int) else Decimal(amount))
