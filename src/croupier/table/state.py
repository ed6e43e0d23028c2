"""The state of one table: plain data, derived only from the events."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property, lru_cache

import msgspec

from croupier.cards import Cards, deck
from croupier.filing.offer import Offer
from croupier.filing.submission import read_submission
from croupier.law.chapter import Rules
from croupier.law.cite import Cite
from croupier.law.fact import Place
from croupier.law.procedure import Dealing, Stage
from croupier.money import Cents
from croupier.table.accounts import Move
from croupier.wire import WagerLine

CARDS = {str(card): card for card in deck(jokers=1)}


class Phase(StrEnum):
    CLOSED = "closed"
    OPENING = "opening"  # the decks are not ready: before the first round, or while spread at an idle table
    BETTING = "betting"
    DEALING = "dealing"
    COMPLETING = "completing"  # the stages of .11


class Condition(StrEnum):
    """How far a deck has come from the door to the shoe."""

    RECEIVED = "received"
    INSPECTED = "inspected"
    VERIFIED = "verified"
    SPREAD = "spread"
    VIEWED = "viewed"
    STACKED = "stacked"  # to be shuffled
    SHUFFLED = "shuffled"  # to be cut
    READY = "ready"
    IN_PLAY = "in play"
    RECUT = "to be cut again"  # in play, but no card has been dealt yet (.5(e))


class Idle(StrEnum):
    """The state of a deck at an idle table (.5(f)), until it is shuffled or dealt again."""

    NO = ""
    DOWN = "spread face down"
    UP = "spread face up"
    STORED = "stored in the device"  # need not be spread (.5(f)(2))
    ASKED = "to be spread face up"  # at a player's request


class Deck(msgspec.Struct):
    """If the order is sealed and no available key opens it, `order` holds empty cards and `secret` is empty."""

    name: str
    received: int  # milliseconds
    condition: Condition = Condition.RECEIVED
    commitment: str = ""
    order: list[str] = []
    leaves: list[str] = []
    secret: str = ""
    top: int = 0  # position of the top card after the cut
    used: int = 0
    was_cut: bool = False
    uncounted: int = 0  # rounds since the stub was last counted
    idle: Idle = Idle.NO

    def position(self, ahead: int = 0) -> int:
        """The position, in the shuffled order, of the card this many past the next one."""
        return (self.top + self.used + ahead) % len(self.order)

    @property
    def left(self) -> int:
        return len(self.order) - self.used

    @property
    def lies_idle(self) -> bool:
        """Whether it is spread at an idle table and not yet stacked again, or about to be spread."""
        spread = self.idle in (Idle.DOWN, Idle.UP) and self.condition in (Condition.SPREAD, Condition.VIEWED)
        return spread or self.idle is Idle.ASKED

    @property
    def is_to_come(self) -> bool:
        """Whether cards may still be dealt from its order."""
        return self.condition in (Condition.SHUFFLED, Condition.READY, Condition.IN_PLAY, Condition.RECUT)

    @property
    def is_sealed(self) -> bool:
        """Whether cards may still be dealt from its order but no available key opens it."""
        return not self.secret and self.is_to_come


class Held(msgspec.Struct, gc=False):
    """A card on the table: its position in its deck, and whether it is face up. `card` is empty if its order is sealed."""

    position: int
    card: str
    up: bool = False
    slot: int = 0  # which of several places, if they are not filled from left to right


class BoxResult(msgspec.Struct):
    """What came of the wagers of a box so far, and the home seat of its player."""

    seat: int
    lines: list[WagerLine] = []


class Part(msgspec.Struct):
    """What has been settled at a box so far, by wager key, and the transfers made, since a void round may undo them."""

    wagers: list[str] = []
    moves: list[Move] = []  # of its lines
    reseeded: dict[str, Cents] = {}  # what restarted the meters it won, from the cage and from the reserve
    released: dict[str, Cents] = {}
    reseeds: list[str] = []  # meters it won that restart after the round


class Round(msgspec.Struct):
    number: int
    deck: int  # which of the table's decks
    placed: dict[int, list[str]] = {}  # keys of the wagers made before the deal, by box: they decide who gets which cards
    stakes: dict[int, dict[str, Cents]] = {}  # what remains to be settled, by box and wager key
    hands: dict[int, list[Held]] = {}
    fourths: dict[int, list[Held]] = {}
    dealer: list[Held] = []
    community: list[Held] = []
    rack: list[Held] = []
    dealt: int = 0  # deliveries made
    stage: int = 0  # which stage of .11 is next
    asked: list[int] = []  # the stage and the box that must answer now
    asked_at: int = 0  # when it was asked, in milliseconds
    decided: dict[int, list[str]] = {}
    folded: list[int] = []
    forfeited: dict[int, list[str]] = {}  # keys of the wagers lost by folding, once collected
    gone: list[int] = []  # boxes whose player left mid-round
    sets: dict[int, list[int]] = {}
    magic_card: str = ""
    lucky: str = ""
    drawn: bool = False
    found_face_up: int = 0
    stub_counted: bool = False
    void: str = ""  # the irregularity that voided the hands
    validated: list[str] = []  # "seat wager's key"
    parts: dict[int, Part] = {}  # what has been settled, by box
    settled: list[int] = []  # boxes that are fully settled
    away: list[int] = []  # settled boxes whose player has left since
    papers: list[int] = []  # boxes whose hand stays until the paperwork is done
    jackpots: dict[str, Cents] = {}
    reseeds: dict[str, Cents] = {}

    def racked(self) -> set[int]:
        """Positions of the cards in the discard rack. A folded hand is there but still remembered as its box's."""
        return {held.position for held in self.rack}

    def cards_at(self, place: Place, seat: int) -> list[Held]:
        if place in (Place.PLAYER, Place.FOURTH):
            return (self.hands if place is Place.PLAYER else self.fourths).get(seat, [])
        return self.dealer if place is Place.DEALER else self.community


class State(msgspec.Struct, dict=True):
    """`dict=True` lets cached values be attached; they are not part of the state."""

    table: str = ""
    submission: str = ""
    offer_hash: str = ""
    linked: dict[str, str] = {}
    decision_seconds: int = 0  # the posted time limit for a decision; 0 for none
    limits: tuple[Cents, Cents] | None = None  # the posted minimum and maximum, if they differ from the filed ones
    version: int = 0
    time: int = 0
    phase: Phase = Phase.CLOSED
    players: dict[int, str] = {}  # by seat
    unpaid: dict[int, int] = {}  # seats without money, and since when, in milliseconds
    away: dict[int, int] = {}  # when the player of each seat last acted or had a wager on the table, in milliseconds
    boxes: dict[int, int] = {}  # own seat of the player who is wagering on a box this round
    stakes: dict[int, dict[str, Cents]] = {}  # wagers placed for the next round
    accounts: dict[str, Cents] = {}
    decks: list[Deck] = []
    last_deck: int = -1
    method: str = ""
    shuffler: bool = False
    out_of_order: list[str] = []
    active: int = 0  # time of the last gaming activity (.5(f)), in milliseconds
    idlers: list[int] = []  # seats that were occupied when the idle table's cards were spread
    rounds: int = 0
    uncounted: int = 0  # rounds of play since the stub of any deck was last counted
    round: Round | None = None
    results: dict[int, BoxResult] = {}  # by box, of this round or, until the next begins, of the last

    # Read from the submission once, since every command needs them, and again when the table opens with another one.

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

    @property
    def dealing(self) -> Dealing:
        return dealing_of(self.rules, self.method)

    @property
    def electronic_clause(self) -> Cite:
        """The clause of the wagers that are placed through a game account, if there are any."""
        return next((wager.cite for wager in self.rules.wagers.values() if wager.electronic), self.rules.cite("7"))

    @property
    def reshuffles(self) -> bool:
        """Whether an approved device reshuffles automatically: no cut, recut or idle spread (.5(g)). Devices must be as filed."""
        filed = self.offer.devices
        as_filed = self.method == filed.method.value and self.shuffler == filed.shuffler
        return filed.reshuffles and as_filed and not self.out_of_order

    @property
    def counts_cards(self) -> bool:
        """Whether a device counts the deck at each shuffle, so that the stub need not be counted."""
        return self.offer.devices.counts_cards and (self.shuffler or self.reshuffles)

    def next_deck(self) -> int:
        """Two decks alternate (.3(b)(3)) while a device shuffles; without one the game is played with one deck (.3(a))."""
        if not (self.shuffler or self.reshuffles):
            return max(self.last_deck, 0)
        return (self.last_deck + 1) % len(self.decks) if self.decks else 0

    @property
    def lies_idle(self) -> bool:
        """Whether cards of an idle table are spread, or about to be."""
        return any(deck.lies_idle for deck in self.decks)

    def balance(self, account: str) -> Cents:
        return self.accounts.get(account, 0)


@lru_cache(maxsize=256)
def offer_of(submission: str) -> Offer:
    """The Offer of a submission's text. The table may have opened with it before some readings existed."""
    return read_submission(submission, opened=True).offer_or_refuse()


def dealing_of(rules: Rules, method: str) -> Dealing:
    return next(dealing for dealing in rules.of(Dealing) if dealing.method.value == method)


def cards_of(held: list[Held]) -> Cards:
    return tuple(CARDS[each.card] for each in held if each.card)
