"""What a solution is, and what a combination of facts is worth in units of the stake, priced by the chapter alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import Any, TypeVar

from numpy.typing import NDArray

from croupier.cards import Cards
from croupier.filing.offer import Offer
from croupier.filing.pricing import resolve, returns_of
from croupier.law.fact import EQUAL, HIGHER, LOWER, Compared, Comparison, DealerHas, Fact, Folded, Holds, Named, Place
from croupier.law.reading import Reading
from croupier.law.settlement import Outcome, Settlement
from croupier.law.wager import Choice, Decision, Wager
from croupier.money import Cents, Kind, dollars
from croupier.odds.kernels.card_sets import Deck
from croupier.odds.solvers.main_game import main_settlement

Folds = Iterable[tuple[str, bool, int]]  # the row, whether the hand is folded, and how many deals
COMPARED = (LOWER, EQUAL, HIGHER)  # as the kernels number them
DOLLAR = dollars(1)  # the unit where no filing names a stake


@dataclass(frozen=True)
class Worth:
    """What a settlement is worth in units: net of the stakes, share of the meter, money at risk."""

    net: Fraction
    meter: Fraction = Fraction(0)
    wagered: Fraction = Fraction(0)
    label: str = ""
    odds: str = ""  # as the paytable prints them, if there is only one line


def worth(
    offer: Offer, settlement: Settlement, values: Iterable[Any], stakes: Mapping[str, Fraction], unit: Cents = DOLLAR
) -> Worth:
    """What these facts are worth, in exact units of `unit` cents, which matters where a table pays fixed sums."""
    net = meter = wagered = Fraction(0)
    words, printed = [], []
    for line in settlement.lines(*values):
        stake = stakes.get(line.wager.key, Fraction(0))
        resolved = resolve(offer, line) if stake else None
        if resolved is None:
            continue
        outcome, odds, _, row = resolved
        if outcome is Outcome.WIN and odds is not None:
            match odds.kind:
                case Kind.METER:
                    meter += odds.amount
                case Kind.DOLLARS:
                    net += odds.amount / unit
                case _:
                    net += odds.amount * stake - (stake if line.stake_counted_in else 0)
        net += returns_of(line, outcome, odds, stake)
        printed.append(str(odds) if odds else outcome.value)
        if not line.bonus:
            net -= stake
            wagered += stake
        words.append(f"{line.bonus or line.wager.name} {outcome.value}" + (f" ({row})" if row and outcome is Outcome.WIN else ""))
    return Worth(net, meter, wagered, ", ".join(words), printed[0] if len(printed) == 1 else "")


@dataclass
class Outcomes:
    """Exact counts of deals by label and worth."""

    counts: dict[tuple[str, Fraction, Fraction, Fraction, str], int] = field(default_factory=dict)

    def add(self, worth: Worth, count: int, label: str = "") -> None:
        if count:
            key = (label or worth.label, worth.net, worth.meter, worth.wagered, worth.odds)
            self.counts[key] = self.counts.get(key, 0) + count

    @property
    def deals(self) -> int:
        return sum(self.counts.values())

    def mean(self, *, part: int = 1) -> Fraction:
        """The mean of the net (1), the meter's share (2) or the money at risk (3)."""
        total = sum((Fraction(key[part]) * count for key, count in self.counts.items()), Fraction(0))
        return total / self.deals

    @property
    def hits(self) -> Fraction:
        """How often the player comes out ahead, a share of the meter included."""
        return Fraction(sum(count for key, count in self.counts.items() if key[1] > 0 or key[2]), self.deals)


@dataclass(frozen=True)
class Solved:
    """Best play of a main game under an Offer and its outcomes. Each solver's subclass adds what it knows of each state."""

    outcomes: Outcomes
    best: NDArray[Any]  # the best choice in each state of knowledge, by its number among the choices

    @property
    def edge(self) -> Fraction:
        return -self.outcomes.mean()

    def folds(self, way: Holds, at: Mapping[Place, int], rows: Callable[[], dict[str, int]], deck: Deck) -> Folds | None:
        """How often each row is held by hands that fold or not, if this solution can tell; `rows` counts all hands."""
        return None


@dataclass(frozen=True)
class Advice:
    """A choice and what it is worth on average, in units of the Ante or of one bet."""

    choice: str
    value: Fraction
    cards: Cards = ()  # that are set as a hand, if the choice is how to set them


@dataclass(frozen=True)
class SimulatedAnswers:
    """How simulated players answer: a kernel that finds endings, its tables, and the answers and known facts at each ending."""

    kernel: Callable[..., None]
    tables: tuple[object, ...]
    endings: Sequence[tuple[tuple[Choice, ...], Mapping[Fact, Any]]]


S = TypeVar("S", bound=Solved)
_KEPT: dict[str, Solved] = {}  # by the Offer's hash, since questions about the same Offer usually follow


def cached_solution(offer: Offer, kind: type[S], solve: Callable[[Offer], S]) -> S:
    """The solved game, computed on the first question and kept for the next."""
    found = _KEPT.get(offer.hash)
    if not isinstance(found, kind):
        _KEPT.clear()
        found = _KEPT[offer.hash] = solve(offer)
    return found


def unit_of(offer: Offer, wager: Wager) -> Cents:
    """The stake that is priced: the lowest filed one, or a dollar."""
    return offer.stakes(wager)[0] or DOLLAR


def unit_stakes(settlement: Settlement, taken: Iterable[tuple[Decision, Choice]] = ()) -> dict[str, Fraction]:
    """One unit on each wager of the main game that is placed before the deal, and what the choices make."""
    stakes = {wager.key: Fraction(1) for wager in settlement.settles if not wager.made_by_decision}
    for decision, choice in taken:
        if choice.makes:
            stakes[choice.makes[0].key] = Fraction(choice.makes[1]) * stakes[decision.base.key]
    return stakes


def asked(settlement: Settlement, offer: Offer, known: Mapping[Fact, Any], taken: Sequence[Choice] = ()) -> list[Any]:
    """The values of a settlement's facts in order: readings from the Offer, answers from the choices taken, the rest as known."""
    values = list[Any]()
    for fact in settlement.asks:
        if isinstance(fact, Reading):
            values.append(offer.readings.get(fact.name, fact.default))
        elif fact in known:
            values.append(known[fact])
        else:
            values.append(answer_to(fact, taken))
    return values


def answer_to(fact: Fact, choices: Sequence[Choice]) -> Any:
    """The value of a fact that depends on the answers alone."""
    match fact:
        case Folded():
            return any(choice.folds for choice in choices)
        case Decision():
            return choices[fact.ordinal].word
    raise KeyError(fact.name)


def main_worth(offer: Offer, choices: Sequence[Choice], known: Mapping[Fact, Any]) -> Worth:
    """What a main game is worth after these answers. A bet that was withdrawn was not at risk."""
    rules, main = offer.rules, main_settlement(offer.rules)
    stakes = unit_stakes(main, zip(rules.decisions, choices, strict=False))
    back = sum((stakes[choice.withdraws.key] for choice in choices if choice.withdraws), Fraction(0))
    found = worth(offer, main, asked(main, offer, known, choices), stakes)
    return replace(found, wagered=found.wagered - back, odds="")


def versus(settlement: Settlement, reaches: bool, compared: Comparison) -> dict[Fact, Any]:
    """The values of the settlement's facts about the dealer's hand."""
    found: dict[Fact, Any] = {}
    for fact in settlement.asks:
        if isinstance(fact, Compared):
            found[fact] = compared
        elif isinstance(fact, DealerHas):
            found[fact] = reaches
    return found


def holds_asked(settlement: Settlement) -> list[Holds]:
    return [fact for fact in settlement.asks if isinstance(fact, Holds)]


def named_asked(settlement: Settlement) -> list[Named]:
    return [fact for fact in settlement.asks if isinstance(fact, Named)]


def scaled(values: Iterable[Fraction]) -> tuple[list[int], int]:
    """Fractions as integers over their least common denominator."""
    listed = list(values)
    scale = lcm(*(value.denominator for value in listed)) if listed else 1
    return [int(value * scale) for value in listed], scale
