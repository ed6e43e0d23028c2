"""What a fold loses and what it does not, asked of the chapter's own settlements under the filed readings."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.filing.offer import Offer
from croupier.law.fact import FOLDED
from croupier.law.paytable import Envy
from croupier.law.settling import Outcome
from croupier.printed.paying import cases
from croupier.printed.words import listed, short


@dataclass(frozen=True)
class Folding:
    """The names of the wagers that a fold loses and of those that stay in play, and the clauses by which it loses them."""

    lost: tuple[str, ...]
    kept: tuple[str, ...]
    clauses: tuple[str, ...]


def folding(offer: Offer) -> Folding | None:
    """None where no player can fold."""
    if not any(choice.folds for decision in offer.rules.decisions for choice in decision.choices):
        return None
    lost: dict[str, str] = {}
    kept: dict[str, None] = {}
    for settlement in offer.rules.settlements:
        if not offer.offers(settlement.of):
            continue
        at = settlement.asks.index(FOLDED) if FOLDED in settlement.asks else None
        folded = [line for case, lines in cases(offer, settlement) if at is None or case[at] for line in lines]
        for wager in settlement.settles:
            outcomes = {line.outcome: line.clause for line in folded if line.wager is wager and not line.bonus}
            if Outcome.FORFEIT in outcomes:
                lost[wager.name] = f"{offer.rules.number}.{outcomes[Outcome.FORFEIT]}"
            elif outcomes and not wager.made_by_decision:
                kept[wager.name] = None
    return Folding(tuple(lost), tuple(kept), tuple(dict.fromkeys(lost.values())))


def fold_words(offer: Offer) -> tuple[str, str]:
    """What a fold does, in a sentence or two, with the clauses; nothing where no player can fold."""
    found = folding(offer)
    if found is None:
        return "", ""
    words = [f"If you fold, you lose your {listed(map(short, found.lost))}."]
    if found.kept:
        names = listed(map(short, found.kept))
        words.append(f"Your {names} {'stay' if len(found.kept) > 1 else 'stays'} in play and {_are(found.kept)} settled.")
    if envies := [envy.name for envy in offer.rules.of(Envy) if envy.wager.name in found.lost and offer.offers(envy.wager)]:
        words.append(f"You can still receive the {listed(envies)}.")
    return " ".join(words), ", ".join(found.clauses)


def _are(names: tuple[str, ...]) -> str:
    return "are" if len(names) > 1 else "is"
