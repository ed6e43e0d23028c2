"""The exact value of each choice for the cards in hand."""

from __future__ import annotations

from croupier.cards import Cards, deck, show
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Compared, Holds
from croupier.law.procedure import Dealing
from croupier.odds.counters import counter
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.solvers.shapes import game_shape
from croupier.odds.solvers.solution import Advice

__all__ = ["Advice", "advise", "assumes", "called"]


def advise(offer: Offer, held: Cards, up: Cards = (), board: Cards = ()) -> list[Advice]:
    """The choices that the player has now, the best first."""
    found = counter(offer.rules)
    _verify(offer.rules, held, up, board)
    return sorted(found.advise(offer, held, up, board), key=lambda each: -each.value)


def _verify(rules: Rules, held: Cards, up: Cards, board: Cards) -> None:
    dealing = rules.of(Dealing)[0]
    shape = game_shape(rules)
    if not (shape.streets or shape.sets):
        raise Refusal("this game asks for no decision", rules.cite("11"), "a game with a decision")
    size = shape.cards[PLAYER]
    ups, boards = ([street.seen.get(place, 0) for street in shape.streets] or [0] for place in (DEALER, COMMUNITY))
    if len(held) != size:
        raise Refusal(_counted(held, "card", "in hand"), dealing.cite, f"{size} cards")
    if len(up) not in ups:
        accepted = "no up card in this game" if not any(ups) else "the dealer's up card" if {*ups} == {1} else _either(ups)
        raise Refusal(_counted(up, "up card"), dealing.cite, accepted)
    if len(board) not in boards:
        accepted = _either(boards) if {*boards} != {0} else "no community cards in this game"
        raise Refusal(_counted(board, "card", "on the board"), rules.cite("11"), accepted)
    if (len(up), len(board)) not in zip(ups, boards, strict=True):
        raise Refusal(_counted((*up, *board), "card", "on the table"), rules.cite("11"), "the cards shown at a decision")
    _verify_deck(rules, (*held, *up, *board))


def _verify_deck(rules: Rules, seen: Cards) -> None:
    """Refuse a card that occurs twice, or a joker in a game without one."""
    for at, card in enumerate(seen):
        if card not in deck(rules.decks.jokers):
            raise Refusal("there is no joker in this game", rules.cite("3(a)"), f"a deck of {rules.decks.cards} cards")
        if card in seen[:at]:
            raise Refusal(f"{card} is on the table twice", rules.cite("3(a)"), f"one deck of {rules.decks.cards} cards")


def _either(counts: list[int]) -> str:
    return " or ".join(map(str, dict.fromkeys(counts)))


def _counted(cards: Cards, *words: str) -> str:
    """How many cards there are, and which.

    >>> from croupier.cards import cards
    >>> _counted(cards("7d"), "up card"), _counted((), "card", "in hand")
    ('1 up card (7d)', 'no card in hand')
    """
    noun, *where = words
    many = f"{len(cards) or 'no'} {noun}{'s' if len(cards) > 1 else ''}"
    return " ".join([many, *where]) + (f" ({show(cards)})" if cards else "")


def assumes(offer: Offer, held: Cards, up: Cards, board: Cards) -> str:
    """The earlier decisions that the values assume, where the cards do not show them."""
    before = counter(offer.rules).before(offer, held, up, board)
    if not before:
        return ""
    earlier = ", ".join(f"{decision.name}: {choice.word}" for decision, choice in zip(offer.rules.decisions, before, strict=False))
    alike = "" if any(choice.makes for choice in before) else " alike"
    return f"with best play before ({earlier}); another choice then would change all these values{alike}"


def called(rules: Rules, seen: Cards) -> str:
    """The hand as a dealer would call it, by the ranking of the main game; empty while it has too few cards or no ranking.

    >>> from croupier.book import find
    >>> from croupier.cards import cards
    >>> called(find("649a").edition(), cards("9s 9h 4d")), called(find("643a").edition(), cards("9s 9h 4d"))
    ('pair of 9s', '')
    """
    asks = main_settlement(rules).asks
    ranking = next((fact.ranking for kind in (Compared, Holds) for fact in asks if isinstance(fact, kind)), None)
    return ranking.call(seen) if ranking and len(seen) >= ranking.size else ""
