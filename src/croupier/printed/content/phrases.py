"""Figures and phrases shared by the documents."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from croupier.filing.offer import Offer
from croupier.law.fact import Has
from croupier.law.procedure import Definition
from croupier.law.ranking import or_better
from croupier.law.wager import Choice, Decision, Wager
from croupier.money import show_money
from croupier.odds.prices import Prices, limited
from croupier.odds.strategy.vocabulary import NUMBERS
from croupier.table.rules.stakes import limits_of


def one_in(count: int, total: int) -> str:
    """How rare something is, to three significant figures.

    >>> one_in(48, 22100), one_in(1, 3), one_in(1, 2_598_960)
    ('1 in 460', '1 in 3.00', '1 in 2,600,000')
    """
    rare = Fraction(total, count)
    if rare < 100:
        return f"1 in {float(rare):.{2 if rare < 10 else 1}f}"
    digits = len(str(int(rare))) - 3
    return f"1 in {round(int(rare), -digits):,}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """
    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    found = list(words)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {last} {found[-1]}" if found else ""


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def capitalized(words: str) -> str:
    """Capitalize the first letter, as at the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def sentence(words: str) -> str:
    return f"{capitalized(words)}."


def with_a(words: str) -> str:
    """Words with “a” or “an” before them."""
    return f"an {words}" if words[0] in "aeiouAEIOU" else f"a {words}"


def short(name: str) -> str:
    """A wager's name as used at the table.

    >>> short("Pair Plus Wager")
    'Pair Plus'
    """
    return name.removesuffix(" Wager")


def amount_words(offer: Offer, wager: Wager) -> str:
    """How much a wager may be: the code's own sums, the multiples of a decision, or the posted limits."""
    if terms := offer.progressives.get(wager.name):
        return show_money(terms.amount)
    if wager.made_by_decision:
        asked = dict.fromkeys(decision for decision in offer.rules.decisions if _times(decision, wager))
        return ", ".join(multiple_words(offer, decision, wager).removeprefix("of ") for decision in asked)
    if wager.amounts:
        return wager.amounts.words
    low, high = limits_of(offer, wager, (offer.minimum, offer.maximum))
    return f"{show_money(low)} to {show_money(high)}" if low else f"up to {show_money(high)}"


def multiple_words(offer: Offer, decision: Decision, wager: Wager) -> str:
    """How much a decision lets a player wager: “equal to the Ante”, “of 1, 2 or 3 times the Ante”."""
    times, base = _times(decision, wager), f"the {short(decision.base.name)}"
    between = decision.between
    if between and offer.reading(between.reading[0]) == between.reading[1]:
        return f"of any amount from {between.low} to {between.high} times {base}"
    return f"equal to {base}" if times == [1] else f"of {listed(map(str, sorted(times)), 'or')} times {base}"


def at_least(row: str) -> str:
    """The lowest hand that a rule asks for, in words.

    >>> at_least("Pair of aces"), at_least("Queen high"), at_least("Jacks or better"), at_least("Three-of-a-kind")
    ('a pair of aces or better', 'queen high or better', 'jacks or better', 'three-of-a-kind or better')
    """
    return or_better(a_hand(row))


def a_hand(row: str) -> str:
    """A row of a ranking with the article that it takes, if any: “a pair”, but “two pairs” and “king high”."""
    words = row.lower()
    first = words.partition(" ")[0]
    bare = first.endswith("s") or first.partition("-")[0] in NUMBERS or words.endswith(" high")
    return words if bare else with_a(words)


def conditions(decision: Decision) -> list[str]:
    """Which hand a player needs for a choice that not every hand may make, a sentence for each such hand."""
    by_hand: dict[Has, list[Choice]] = {}
    for choice in decision.choices:
        if choice.holding:
            by_hand.setdefault(choice.holding, []).append(choice)
    return [f"You may {_choice_words(decision, choices)} only with {at_least(hand.least)}." for hand, choices in by_hand.items()]


def _choice_words(decision: Decision, choices: list[Choice]) -> str:
    times = sorted(choice.makes[1] for choice in choices if choice.makes)
    bets = [f"bet {listed(map(str, times), 'or')} times the {short(decision.base.name)}"] if times else []
    return listed([*bets, *(choice.word for choice in choices if not choice.makes)], "or")


def _times(decision: Decision, wager: Wager) -> list[int | Fraction]:
    return [choice.makes[1] for choice in decision.choices if choice.makes and choice.makes[0] is wager]


def payout_limit(offer: Offer) -> str:
    """What the payout limit is for, which wagers it covers, and what it does not touch."""
    limit = offer.rules.limit
    assert limit is not None and offer.payout_limit
    wagers = {wager.name for wager in offer.rules.wagers.values()}
    here = [wager.name for wager in offered(offer)]
    covers = [short(name) for name in limit.names if name in here or name not in wagers]
    others = [short(name) for name in here if name not in limit.names]
    words = f"The payout limit is {show_money(offer.payout_limit)} per {limit.unit(offer.readings)} and covers {listed(covers)}"
    words += f", but not {listed(others, 'or')}." if others else "."
    whole = [row for name, row in sorted(limit.never) if name in here and row in offer.column(name)]
    return words + (f" Paid in full regardless of the limit: {listed(whole)}." if whole else "")


def payout_limit_note(offer: Offer, prices: Prices) -> str:
    """Note on prices that leave out the payout limit."""
    names = listed(dict.fromkeys(short(price["wager"]) for price in limited(offer, prices)))
    return f"House edges are before the payout limit, which reduces the highest payouts of {names} at high wagers." if names else ""


def offered(offer: Offer) -> list[Wager]:
    """The wagers of an Offer, one of each name."""
    return list({wager.name: wager for wager in offer.rules.wagers.values() if offer.offers(wager)}.values())


def definitions(offer: Offer) -> list[Definition]:
    """The terms of the game and of the optional wagers that are offered."""
    absent = {wager.name for wager in offer.rules.of(Wager) if not offer.offers(wager)}
    return [each for each in offer.rules.of(Definition) if absent.isdisjoint((each.term, each.wager))]


def lone_player_note(offer: Offer) -> str:
    """Note that draws are priced for a player alone, where their chance depends on who else plays."""
    facts = (fact for settlement in offer.rules.settlements for fact in settlement.drawn.values())
    return ", for a player alone at the table" if any(offer.reads(fact.wagered_only) for fact in facts) else ""
