"""A round in words for patrons: when each wager is made, and what happens at each stage."""

from __future__ import annotations

from dataclasses import replace

from croupier.filing.offer import Offer
from croupier.law import plain_data
from croupier.law.procedure import Act, Deal, Dealing, Setting, Stage
from croupier.law.wager import Choice, Decision, Wager
from croupier.printed.content.fold_terms import folding
from croupier.printed.content.phrases import capitalized, conditions, listed, multiple_words, offered, sentence, short, with_a


def wager_words(offer: Offer, wager: Wager) -> str:
    """When a wager can be made, and what happens to it on a fold."""
    required = is_required(offer, wager)
    parts = ["required to play" if required else ""]
    if wager.made_by_decision:
        parts.append("made after you have seen your cards")
    if needs := _needs(offer, wager):
        parts.append(f"only with {needs}")
    if wager.electronic:
        parts.append("placed on the screen at your position, on your own hand or the dealer's")
    if wager.collected:
        parts.append("collected before the deal")
    if (at_fold := folding(offer)) and wager.name in (*at_fold.lost, *at_fold.kept):
        parts.append("lost if you fold" if wager.name in at_fold.lost else "stays in play if you fold")
    if not (required or wager.made_by_decision or needs):
        parts[0] = "optional, made before the deal"
    return capitalized("; ".join(filter(None, parts)))


def _needs(offer: Offer, wager: Wager) -> str:
    """What else must be wagered with a wager. A version of the game may require more than the wager itself does."""
    ways = ways_in(offer)
    if offer.version and not wager.made_by_decision and not any(wager in way for way in ways):
        return ways_in_words(offer)
    return listed((with_article(each.key) for each in wager.needs), "or") if wager.lacks({}, offer.readings) else ""


def dealing_of(offer: Offer) -> Dealing:
    return next(each for each in offer.rules.of(Dealing) if each.method is offer.devices.method)


def ways_in(offer: Offer) -> list[tuple[Wager, ...]]:
    """The ways to be dealt cards, each a set of wagers made together, under the filed version and readings."""
    dealing, here = dealing_of(offer), offered(offer)
    required = tuple(wager for wager in here if wager.required)
    entitled = tuple(wager for wager in dealing.entitled if offer.offers(wager))
    alone: list[tuple[Wager, ...]] = [
        (wager,) for wager in entitled if not offer.version or offer.version.allows({wager.key: offer.minimum})
    ]
    ways = [required] if required else alone or [entitled]
    others = [(wager,) for wager in here if wager.optional] if offer.reads(dealing.alone) else []
    return [*ways, *others]


def is_required(offer: Offer, wager: Wager) -> bool:
    """Whether nobody is dealt cards without this wager."""
    return all(wager in way for way in ways_in(offer))


def ways_in_words(offer: Offer) -> str:
    return listed((listed(with_article(wager.name) for wager in way) for way in ways_in(offer)), "or")


def with_article(key: str) -> str:
    """A wager's name as used at the table, with its article.

    >>> with_article("Ante Wager"), with_article("Bet Number 1")
    ('an Ante', 'Bet Number 1')
    """
    full = key.partition(":")[0]
    name = short(full)
    return name if name == full else with_a(name)


def script_words(offer: Offer, dealing: Dealing) -> str:
    """The order in which the cards are dealt, to those who have the wagers that are offered."""
    script = (_dealt_here(offer, step) for step in dealing.script)
    words = "; ".join(plain_data.script_lines(tuple(filter(None, script))))
    return words.replace("[", "").replace("]", "")


def _dealt_here(offer: Offer, step: Deal | tuple[Deal, ...]) -> Deal | tuple[Deal, ...]:
    """A step of a script without the wagers that are not offered; nothing if it is for them alone."""
    if isinstance(step, tuple):
        return tuple(deal for each in step for deal in [_dealt_here(offer, each)] if isinstance(deal, Deal))
    when, unless = (tuple(filter(offer.offers, wagers)) for wagers in (step.when, step.unless))
    return replace(step, when=when, unless=unless) if when or not step.when else ()


STAGES = {
    Act.TURN: "a community card is turned face up",
    Act.EXAMINE: "you look at your cards",
    Act.REVEAL: "the dealer's cards are revealed",
    Act.COLLECT: "the wagers and cards of players who folded are collected",
}


def stage_words(offer: Offer, stage: Stage) -> str:
    """What happens at a stage, in a sentence."""
    if stage.decision:
        return asked_words(offer, stage.decision)
    words = STAGES.get(stage.act, stage.act.value)
    if stage.act is Act.DEAL:
        words = f"{stage.cards} community cards are dealt face up"
    elif stage.act is Act.SET:
        setting = offer.rules.of(Setting)[0]
        words = f"you set your cards into two hands: {setting.words}, and the others as the showdown hand"
    return sentence(words)


def asked_words(offer: Offer, decision: Decision) -> str:
    """What a decision lets a player do, in a sentence."""
    knows = decision.knows.replace("their ", "your ")
    made = {choice.makes[0].name: choice.makes[0] for choice in decision.choices if choice.makes}
    options = [f"make a {name} {multiple_words(offer, decision, wager)}" for name, wager in made.items()]
    options += [_choice(decision, choice) for choice in decision.choices if not choice.makes]
    return " ".join([f"After seeing {knows}, you {listed(options, 'or')}.", *conditions(decision)])


def _choice(decision: Decision, choice: Choice) -> str:
    if choice.withdraws:
        return f"take {choice.withdraws.name} back"
    if choice.folds:
        return "fold and give up your hand"
    return choice.phrase.format(decision.name) or choice.word
