"""Random rounds of every game: cards from one deck by the chapter's own script, with stakes and decisions the chapter allows."""

from __future__ import annotations

from random import Random
from typing import Any

from croupier.cards import deck, show
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER
from croupier.law.procedure import Act, Dealing, Stage, deliveries


def random_case(rules: Rules, random: Random, seats: int = 3, *, letters: bool = True) -> dict[str, Any]:
    """A described round in which every seat makes every wager the edition offers."""
    cards = list(deck(rules.decks.jokers))
    random.shuffle(cards)
    keys = frozenset(rules.wagers)
    dealt: dict[tuple[Any, int], list[Any]] = {}
    for step in deliveries(rules.of(Dealing)[0].script, dict.fromkeys(range(1, seats + 1), keys)):
        dealt.setdefault((step.to, step.seat), []).append(cards.pop())
    for stage in rules.of(Stage):
        if stage.act is Act.DEAL and stage.place:
            dealt.setdefault((stage.place, 0), []).extend(cards.pop() for _ in range(stage.cards))
    text = {where: show(tuple(hand)) for where, hand in dealt.items()}
    raw: dict[str, Any] = {"game": rules.number, "edition": rules.edition.name, "seats": {}, "offer": {}}
    if letters:
        tables = (table for table in rules.paytables().values() if table.lettered and "$" not in table.name)
        raw["offer"]["paytables"] = {table.name: random.choice(table.letters) for table in tables}
    for place, name in ((DEALER, "dealer"), (COMMUNITY, "community")):
        if (place, 0) in text:
            raw[name] = {"cards": text[place, 0]}
    for seat in range(1, seats + 1):
        fourth = f" / {text[FOURTH, seat]}" if (FOURTH, seat) in text else ""
        raw["seats"][str(seat)] = {"cards": text[PLAYER, seat] + fourth, "wagers": stakes(rules, random)}
        if rules.decisions:
            raw["seats"][str(seat)]["decision"] = decision(rules, random)
    if any(wager.electronic for wager in rules.wagers.values()):
        raw["system"] = {"magic_card": str(random.choice(deck())), "lucky": random.choice([*range(1, seats + 1), "dealer"])}
    return raw


def stakes(rules: Rules, random: Random) -> dict[str, Any]:
    """Every wager: linked ones equal, progressives of $1 or $5, others from $5 to $100."""
    base, made = random.randint(1, 20) * 5, {}
    for wager in rules.wagers.values():
        if wager.made_by_decision:
            continue
        if wager.amounts and wager.amounts.words.startswith("$"):
            amount = random.choice([1, 5]) if "or" in wager.amounts.words else 1
        else:
            amount = base if wager.required else random.randint(1, 20) * 5
        if wager.side:
            made.setdefault(wager.name, {})[wager.side] = random.choice([1, 2, 5])
        else:
            made[wager.name] = amount
    return made


def decision(rules: Rules, random: Random) -> str:
    words = []
    for asked in rules.decisions:
        choice = random.choice([choice for choice in asked.choices if choice.holding is None])  # whatever the cards are
        words.append(choice.word)
        if not choice.goes_on:
            break
    return " ".join(words)
