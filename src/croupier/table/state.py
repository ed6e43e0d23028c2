"""The state of one table: plain data, and nothing that the events do not tell."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property, lru_cache

import msgspec

from croupier.cards import Cards, deck
from croupier.filing.offer import Offer
from croupier.filing.submission import read_submission
from croupier.law.chapter import Rules
from croupier.law.fact import Place
from croupier.law.procedure import Dealing, Stage
from croupier.money import Cents
from croupier.table.accounts import Move

CARDS = {str(card): card for card in deck(jokers=1)}


class Phase(StrEnum):
    CLOSED = "closed"
    OPENING = "opening"  # the decks are not ready: before the first round, or spread while the table was idle
    BETTING = "betting"
    DEALING = "dealing"
    COMPLETING = "completing"  # the stages of .11


class Condition(StrEnum):
    """Where a deck is on its way from the door to the shoe."""

    RECEIVED = "received"
    INSPECTED = "inspected"
    VERIFIED = "verified"
    SPREAD = "spread"
    VIEWED = "viewed"
    STACKED = "stacked"  # to be shuffled
    SHUFFLED = "shuffled"  # to be cut
    READY = "ready"
    IN_PLAY = "in play"
    RECUT = "to be cut again"  # in play, but no card is dealt yet (.5(e))


class Idle(StrEnum):
    """What the idle table has made of a deck (.5(f)), until it is shuffled or dealt again."""

    NO = ""
    DOWN = "spread face down"
    UP = "spread face up"
    STORED = "stored in the device"  # need not be spread (.5(f)(2))
    ASKED = "to be spread face up"  # because a player asked


class Deck(msgspec.Struct):
    name: str
    received: int  # milliseconds
    condition: Condition = Condition.RECEIVED
    commitment: str = ""
    order: list[str] = []
    leaves: list[str] = []
    secret: str = ""
    top: int = 0  # the position of the top card, after the cut
    used: int = 0
    was_cut: bool = False
    uncounted: int = 0  # rounds since the stub was last counted
    idle: Idle = Idle.NO

    def position(self, ahead: int = 0) -> int:
        """The position, in the order of the shuffle, of the next card but so many."""
        return (self.top + self.used + ahead) % len(self.order)

    @property
    def left(self) -> int:
        return len(self.order) - self.used

    @property
    def lies_idle(self) -> bool:
        """Spread at an idle table and not yet stacked again, or about to be spread."""
        spread = self.idle in (Idle.DOWN, Idle.UP) and self.condition in (Condition.SPREAD, Condition.VIEWED)
        return spread or self.idle is Idle.ASKED


class Held(msgspec.Struct, gc=False):
    """A card on the table: which of its deck's it is, and whether it lies face up."""

    position: int
    card: str
    up: bool = False
    slot: int = 0  # which place of several, where they are not filled from left to right


class Part(msgspec.Struct):
    """What is settled of a box so far, by the keys of its wagers, and what it moved: a void round may yet undo it."""

    wagers: list[str] = []
    moves: list[Move] = []  # of its lines
    reseeded: dict[str, Cents] = {}  # what started meters again that it won, from the cage and from the reserve
    released: dict[str, Cents] = {}
    reseeds: list[str] = []  # meters that it won and that start again after the round


class Round(msgspec.Struct):
    number: int
    deck: int  # which of the table's decks
    placed: dict[int, list[str]] = {}  # the keys of the wagers before the deal, by box: they decide who gets which cards
    stakes: dict[int, dict[str, Cents]] = {}  # what is still to be settled, by box and the wager's key
    hands: dict[int, list[Held]] = {}
    fourths: dict[int, list[Held]] = {}
    dealer: list[Held] = []
    community: list[Held] = []
    rack: list[Held] = []
    dealt: int = 0  # deliveries made
    stage: int = 0  # which stage of .11 is next
    asked: list[int] = []  # the stage and the box that is to answer now
    asked_at: int = 0  # since when, in milliseconds
    decided: dict[int, list[str]] = {}
    folded: list[int] = []
    forfeited: dict[int, list[str]] = {}  # the keys of the wagers that folding lost, once they are collected
    gone: list[int] = []  # boxes whose player left in mid-round
    sets: dict[int, list[int]] = {}
    magic_card: str = ""
    lucky: str = ""
    drawn: bool = False
    found_face_up: int = 0
    stub_counted: bool = False
    void: str = ""  # the irregularity that made the hands void
    validated: list[str] = []  # "seat wager's key"
    parts: dict[int, Part] = {}  # what is settled, by box
    settled: list[int] = []  # the boxes of which everything is
    away: list[int] = []  # settled boxes whose player has left since
    papers: list[int] = []  # boxes whose hand stays until the papers are done
    jackpots: dict[str, Cents] = {}
    reseeds: dict[str, Cents] = {}

    def racked(self) -> set[int]:
        """The positions of the cards in the discard rack. A folded hand is there and still remembered as its box's."""
        return {held.position for held in self.rack}

    def cards_at(self, place: Place, seat: int) -> list[Held]:
        match place:
            case Place.PLAYER:
                return self.hands.get(seat, [])
            case Place.FOURTH:
                return self.fourths.get(seat, [])
            case Place.DEALER:
                return self.dealer
            case Place.COMMUNITY:
                return self.community
        raise AssertionError(place)


class State(msgspec.Struct, dict=True):
    """`dict=True`: memory of things worked out may hang on it, which is no part of the state."""

    table: str = ""
    submission: str = ""
    offer_hash: str = ""
    linked: dict[str, str] = {}
    decision_seconds: int = 0  # the published time limit for a decision; 0 for none
    limits: tuple[Cents, Cents] | None = None  # the posted minimum and maximum, where they are not those filed
    version: int = 0
    time: int = 0
    phase: Phase = Phase.CLOSED
    players: dict[int, str] = {}  # by seat
    boxes: dict[int, int] = {}  # the home seat of the player who wagers on a box, this round
    stakes: dict[int, dict[str, Cents]] = {}  # wagers laid for the round to come
    accounts: dict[str, Cents] = {}
    decks: list[Deck] = []
    last_deck: int = -1
    method: str = ""
    shuffler: bool = False
    out_of_order: list[str] = []
    active: int = 0  # when there was last gaming activity (.5(f)), in milliseconds
    idlers: list[int] = []  # the seats that were taken when the idle table's cards were spread
    rounds: int = 0
    uncounted: int = 0  # rounds of play since a stub was last counted, of whichever deck
    round: Round | None = None

    # Read from the submission once, since every command asks for them; `forget` when the table is opened with another one.

    @cached_property
    def offer(self) -> Offer:
        return offer_of(self.submission)

    @cached_property
    def rules(self) -> Rules:
        return self.offer.rules

    @property
    def posted(self) -> tuple[Cents, Cents]:
        """The posted minimum and maximum."""
        return self.limits or (self.offer.minimum, self.offer.maximum)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        return self.rules.of(Stage)

    def forget(self) -> None:
        """What was worked out from the submission before."""
        self.__dict__.clear()

    @property
    def dealing(self) -> Dealing:
        return dealing_of(self.rules, self.method)

    @property
    def reshuffles(self) -> bool:
        """An approved device reshuffles by itself: no cut, no recut, no idle spread (.5(g)); only while devices are as filed."""
        filed = self.offer.devices
        as_filed = self.method == filed.method.value and self.shuffler == filed.shuffler
        return filed.reshuffles and as_filed and not self.out_of_order

    @property
    def counts_cards(self) -> bool:
        """A device counts the deck at each shuffle, so the stub need not be counted."""
        return self.offer.devices.counts_cards and (self.shuffler or self.reshuffles)

    def next_deck(self) -> int:
        """Two decks alternate (.3(b)(3)) while a device shuffles; without one the game is played with one deck (.3(a))."""
        if not (self.shuffler or self.reshuffles):
            return max(self.last_deck, 0)
        return (self.last_deck + 1) % len(self.decks) if self.decks else 0

    def balance(self, account: str) -> Cents:
        return self.accounts.get(account, 0)


@lru_cache(maxsize=256)
def offer_of(submission: str) -> Offer:
    """The Offer of a submission's text, under which a table may have been opened before a question was asked."""
    return read_submission(submission, opened=True).offer_or_refuse()


def dealing_of(rules: Rules, method: str) -> Dealing:
    return next(dealing for dealing in rules.of(Dealing) if dealing.method.value == method)


def cards_of(held: list[Held]) -> Cards:
    return tuple(CARDS[each.card] for each in held)
