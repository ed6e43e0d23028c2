"""Section .5(f): a table that is open but idle, with its cards spread until the first player has seen them.

The text does not say how long gaming activity must have stopped, so the time is filed (`[dealing] idle_seconds`). It runs from
the last act of play, no matter who is seated: what counts is whether anyone plays.
"""

from __future__ import annotations

from croupier.law.cite import Cite, Refusal
from croupier.law.procedure import IdleSpread
from croupier.table import commands as say
from croupier.table.commands import Command, RequestSpread, StackDecks
from croupier.table.events import Consequences
from croupier.table.rules.context import Desk, decides, granted, need, need_deck, need_phase, need_seated
from croupier.table.state import Condition, Deck, Idle, Phase, State

IDLE_CONDITIONS = (Condition.STACKED, Condition.SHUFFLED, Condition.READY)
# Gaming activity between rounds. During a round, everything counts.
ACTIVITY: frozenset[type[Command]] = frozenset({
    say.OpenTable, say.Sit, say.BuyIn, say.FundGameAccount, say.ViewDecks, say.RequestSpread, say.WashDecks, say.StackDecks,
    say.ShuffleDeck, say.CutDeck, say.PlaceWager, say.TakeBackWager, say.ReturnWagers,
})  # fmt: skip


def idle_rule(table: State) -> IdleSpread:
    return table.rules.of(IdleSpread)[0]


def idles_at(table: State) -> int | None:
    """When the cards must be spread unless someone plays, in milliseconds; None if they need not be."""
    if table.phase is not Phase.BETTING or not lies_unused(table) or table.reshuffles:
        return None
    return table.active + 1000 * table.offer.devices.idle_seconds


def lies_unused(table: State) -> bool:
    """Whether every deck is at rest between rounds and no wager is placed."""
    return bool(table.decks) and all(deck.condition in IDLE_CONDITIONS for deck in table.decks) and not table.stakes


def is_idle(table: State, at: int) -> bool:
    """Whether it is time to spread the cards."""
    over = idles_at(table)
    return over is not None and max(at, table.time) >= over


def stored_deck(table: State) -> Deck | None:
    """The deck that stays in the shuffling device while the other is spread, if edition and submission allow it (.5(f)(2)).

    The device holds the deck it has shuffled. If it has shuffled both, the next one is already in the shoe.
    """
    if not (idle_rule(table).device and table.offer.devices.stores_deck and table.shuffler and len(table.decks) == 2):
        return None
    ready = [deck for deck in table.decks if deck.condition is Condition.READY and not deck.was_cut]
    if len(ready) == 2:
        ready.remove(table.decks[table.next_deck()])
    return ready[0] if ready else None


def stacks_only(table: State, deck: Deck) -> bool:
    """Whether a deck spread at the idle table goes into the shuffling device without being washed."""
    return bool(deck.idle and idle_rule(table).device and table.shuffler)


def first_to_look(table: State, deck: Deck) -> int | None:
    """The seat of the first player to arrive at a spread deck. Players who were already seated do not count."""
    return next((seat for seat in table.players if not (deck.idle and seat in table.idlers)), None)


def need_betting(table: State, cite: Cite | str) -> None:
    """Require that wagers are open. At a table that was idle, the refusal cites the clause that keeps them closed."""
    idle = (deck for deck in table.decks if deck.idle not in (Idle.NO, Idle.STORED))
    if table.phase is Phase.OPENING and (deck := next(idle, None)):
        accepted = "once a player has looked at the cards and they have been shuffled"
        raise Refusal(f"the table was idle: the {deck.name} deck is {deck.condition}", idle_rule(table).cite, accepted)
    need_phase(table, Phase.BETTING, cite=cite)


@decides(StackDecks, "5(f)")
def stack_decks(table: State, command: StackDecks, desk: Desk) -> Consequences:
    rule = idle_rule(table)
    need(rule.device and table.shuffler, "cards must be washed unless a shuffling device takes them", rule.wash[0], "washing them")
    viewed = any(stacks_only(table, deck) and deck.condition is Condition.VIEWED for deck in table.decks)
    need(viewed, "no player has looked at the spread cards of the idle table", rule.cite, "after a player has")
    return granted(*rule.device)


@decides(RequestSpread, "5(f)")
def request_spread(table: State, command: RequestSpread, desk: Desk) -> Consequences:
    rule = idle_rule(table)
    need_seated(table, desk, command.seat)
    need_phase(table, Phase.OPENING, Phase.BETTING, cite=rule.cite)
    deck = need_deck(table, command.deck)
    if deck.idle is Idle.STORED and deck.condition is Condition.READY:
        need(not table.stakes, "there are wagers on the layout", rule.device[0], "before the first wager")
        return granted(*rule.device)
    face_down = deck.idle is Idle.DOWN and deck.condition is Condition.SPREAD
    accepted = "a deck spread face down at an idle table, or one stored in the device"
    need(face_down, f"the {deck.name} deck is {deck.idle or deck.condition}", rule.cite, accepted)
    return granted(rule.cite)
