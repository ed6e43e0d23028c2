"""What a fold loses, and what silence does once time runs out, from the chapter under the filed readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from croupier.filing.offer import Offer
from croupier.law.forfeits import forfeits
from croupier.law.paytable import Envy
from croupier.law.procedure import Setting
from croupier.law.wager import Choice, Decision, never_answered
from croupier.printed.content.phrases import listed, plural, short


@dataclass(frozen=True)
class Folding:
    """The names of the wagers that are lost and of those that stay in play, and the clauses by which they are lost."""

    lost: tuple[str, ...]
    kept: tuple[str, ...]
    clauses: tuple[str, ...]


def folding(offer: Offer) -> Folding | None:
    """What a fold does; None if no player can fold."""
    folds = [choice for decision in offer.rules.decisions for choice in decision.choices if choice.folds]
    return _by(offer, folds[-1:]) if folds else None


def _by(offer: Offer, taken: Sequence[Choice]) -> Folding:
    found, wagers = forfeits(offer.rules, taken, offer.readings), offer.rules.wagers

    def names(keys: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(wagers[key].name for key in keys if offer.offers(wagers[key])))

    clauses = dict.fromkeys(clause for key, clause in found.lost.items() if offer.offers(wagers[key]))
    return Folding(names(found.lost), names(found.kept), tuple(f"{offer.rules.number}.{clause}" for clause in clauses))


def fold_words(offer: Offer) -> tuple[str, str]:
    """What a fold does, in a sentence or two, with the clauses; nothing where no player can fold."""
    found = folding(offer)
    return (f"If you fold, {_loses(offer, found)}", ", ".join(found.clauses)) if found else ("", "")


def _loses(offer: Offer, folding: Folding) -> str:
    words = [f"you lose your {listed(map(short, folding.lost))}."]
    if folding.kept:
        names, several = listed(map(short, folding.kept)), len(folding.kept) > 1
        words.append(f"Your {names} {'stay' if several else 'stays'} in play and {'are' if several else 'is'} settled.")
    if envies := [envy.name for envy in offer.rules.of(Envy) if envy.wager.name in folding.lost and offer.offers(envy.wager)]:
        words.append(f"You can still receive the {listed(envies)}.")
    return " ".join(words)


def time_words(offer: Offer) -> tuple[str, str]:
    """How long a player may take and what follows from silence, with the clauses; nothing without a time limit or a decision."""
    if not offer.decision_seconds:
        return "", ""
    limit = plural(offer.decision_seconds, "second")
    if setting := next(iter(offer.rules.of(Setting)), None):
        counts = setting.unset.alternatives[offer.reading(setting.unset)]
        return f"You have {limit} to set your hand. If you do not, your hand counts by {counts}.", str(setting.cite)
    taken = never_answered(offer.rules.decisions, offer.readings)
    if not taken:
        return "", ""
    found = _by(offer, taken)
    steps = list(dict.fromkeys(_step(offer, *each) for each in zip(offer.rules.decisions, taken, strict=False)))
    if taken[-1].folds:
        steps[-1] = f"{'at the last decision ' if len(steps) > 1 else ''}{_loses(offer, found)}".removesuffix(".")
    clauses = dict.fromkeys([*(f"{offer.rules.number}.{choice.clause}" for choice in taken), *found.clauses])
    return f"You have {limit} for each decision. If you do not answer, {'; '.join(steps)}.", ", ".join(clauses)


def _step(offer: Offer, decision: Decision, choice: Choice) -> str:
    """What silence does at one decision."""
    reading = decision.reading
    return reading.alternatives[offer.reading(reading)].replace("the player", "you") if reading else f"you {choice.word}"
