"""The automatic dealer: what the dealer of a table does next, with the same commands that people use.

It is only a dealer: what the text assigns to a floorperson waits for one. At practice tables there is also a practice
floorperson, who has that name in the log.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.cards import deck as full_deck
from croupier.filing.pricing import TABLE_INVENTORY
from croupier.floor.house.shuffle import RandomSource, operating_system, random_below, secret, shuffled
from croupier.floor.registers.names import AUTOMATIC_DEALER, PRACTICE_FLOORPERSON, TABLE_GAME_SYSTEM
from croupier.law.procedure import Act
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.choices.staff import ACTS, blocking_task
from croupier.table.commands import Command, SealedDeck
from croupier.table.rules.decks import first_to_look, is_idle, stacks_only
from croupier.table.rules.round_play import face_down, lapses_at, pending, to_settle
from croupier.table.rules.wagers import collected, deal_script, stub_is_due
from croupier.table.state import Condition, Deck, Idle, Phase, Round, State

Action = tuple[str, Command]  # who acts, and what they do
# The names in the log of actors that are not people.
PERSONS = {"dealer": AUTOMATIC_DEALER, "floorperson": PRACTICE_FLOORPERSON, "device": TABLE_GAME_SYSTEM}
DECK_NAMES = ("red", "blue")
LOW, FILL = dollars(5_000), dollars(50_000)  # a tray below the first amount is filled with the second
_STEPS: dict[Condition, Command] = {
    Condition.RECEIVED: say.InspectDecks(),
    Condition.VERIFIED: say.SpreadDecks(face_up=True),
    Condition.VIEWED: say.WashDecks(),
}


@dataclass
class AutomaticDealer:
    """Waits whenever it is the players' turn. `by_card` deals one card per command, as a person does."""

    source: RandomSource = operating_system
    by_card: bool = False

    def next(self, table: State, at: int) -> Action | None:
        """What to do now; None while it is the turn of players or a floorperson."""
        command = None if blocking_task(table, at) else self._next(table, at)
        return ("dealer", command) if command else None

    def _next(self, table: State, at: int) -> Command | None:
        match table.phase:
            case Phase.CLOSED:
                return None
            case Phase.OPENING | Phase.BETTING:
                return self._prepare(table, at)
            case Phase.DEALING:
                assert table.round is not None
                deck = table.decks[table.round.deck]
                if deck.condition is Condition.RECUT:
                    return self._cut(table, deck)
                left = len(deal_script(table, table.round)) - table.round.dealt
                return say.DealCards(count=1 if self.by_card else left)
            case Phase.COMPLETING:
                assert table.round is not None
                return self._complete(table, table.round, at)

    def no_more_bets(self, table: State) -> Action:
        """Close the wagers, and count the chips of those that are collected."""
        return "dealer", say.NoMoreBets(collected=collected(table))

    def seal(self, table: State) -> SealedDeck:
        """Shuffle: every order of the deck is equally likely, with a fresh secret."""
        order = shuffled([str(card) for card in full_deck(table.rules.decks.jokers)], self.source)
        return SealedDeck(tuple(order), secret(self.source).hex())

    def _prepare(self, table: State, at: int) -> Command | None:
        missing = table.offer.devices.decks - len(table.decks)
        if missing:
            names = [name for name in DECK_NAMES if name not in {deck.name for deck in table.decks}]
            return say.ReceiveDecks(decks=tuple(names[:missing]))
        if any(deck.idle is Idle.ASKED for deck in table.decks):
            return say.SpreadDecks(face_up=True)
        for deck in table.decks:
            if action := self._ready(table, deck):
                return action
        return say.SpreadDecks() if is_idle(table, at) else None

    def _ready(self, table: State, deck: Deck) -> Command | None:
        if deck.condition is Condition.VIEWED and stacks_only(table, deck):
            return say.StackDecks()
        if step := _STEPS.get(deck.condition):
            return step
        match deck.condition:
            case Condition.SPREAD:
                seat = first_to_look(table, deck)
                return say.ViewDecks(seat=seat) if seat else None
            case Condition.STACKED:
                return say.ShuffleDeck(deck=deck.name, sealed=self.seal(table))
            case Condition.SHUFFLED:
                return self._cut(table, deck)
        return None

    def _cut(self, table: State, deck: Deck) -> Command:
        least = table.rules.decks.least_cut
        depth = least + random_below(len(deck.order) - 2 * least, self.source)
        return say.CutDeck(deck=deck.name, depth=depth)

    def _complete(self, table: State, current: Round, at: int) -> Command | None:
        act = table.stages[current.stage].act
        if act in (Act.ASK, Act.SET):
            assert pending(table, current)
            over = lapses_at(table, current)  # None at a table without a limit
            lapsed = over is not None and max(at, table.time) >= over
            return say.LapseDecision(seat=current.asked[1]) if lapsed else None
        if act is Act.SETTLE:
            return self._settle(table, current)
        return ACTS[act][0]

    def _settle(self, table: State, current: Round) -> Command:
        if stub_is_due(table, current):
            return say.CountStub(counted=table.decks[current.deck].left)
        box = to_settle(current)[0]
        if face_down(table, current, box):
            return say.TurnHand(seat=box)
        return say.SettleSeat(seat=box)


@dataclass
class PracticeStaff(AutomaticDealer):
    """The automatic dealer with a practice floorperson, for tables that run unattended: practice and tests."""

    def next(self, table: State, at: int) -> Action | None:
        if due := blocking_task(table, at):
            return "floorperson", due.command
        if table.phase in (Phase.OPENING, Phase.BETTING) and 0 < table.balance(TABLE_INVENTORY) < LOW:
            return "floorperson", say.Fill(amount=FILL)
        return super().next(table, at)
