"""Procedure: the table and its layout, the decks, the steps of opening, shuffle, deal and round, and what can go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

from croupier.cards import Card, Cards
from croupier.law.cite import Cite, Rule
from croupier.law.fact import Fact, Place, Position
from croupier.law.reading import Alternative, Reading, in_force
from croupier.law.wager import Decision, Wager
from croupier.money import Kind, Odds


@dataclass(frozen=True, kw_only=True)
class Definition(Rule):
    """A term of section .1, in words of our own."""

    term: str
    meaning: str


@dataclass(frozen=True, kw_only=True)
class Table(Rule):
    """The betting positions of section .2."""

    seats: int


@dataclass(frozen=True, kw_only=True)
class Area(Rule):
    """A place on the layout: one for each player, or one for the table; some only where a wager is offered."""

    name: str
    each_player: bool
    where: tuple[str, ...] = ()  # present only if one of the wagers of these names is offered
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Inscription(Rule):
    """What the layout, or a sign at the table, must say. `words` where the code prescribes them, else what they advise of."""

    advises: str
    words: str = ""


@dataclass(frozen=True, kw_only=True)
class Equipment(Rule):
    """What a table must have, always or where one of these wagers is offered."""

    name: str
    requires: str
    where: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Decks(Rule):
    """The cards of section .3: their number, jokers, cover cards, and how long they may be used; how deep they are cut (.5(d))."""

    cards: int
    jokers: int
    cover_cards: int
    hours_by_hand: int
    hours_by_shoe: int
    least_cut: int  # cards above the cover card


class Actor(Enum):
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    PLAYER = "player"
    DEVICE = "device"
    CERTIFICATE_HOLDER = "certificate holder"


@dataclass(frozen=True, kw_only=True)
class Step(Rule):
    """A step of a procedure, as a dealer's checklist names it."""

    who: Actor
    does: str
    when: str = ""


class Face(Enum):
    DOWN = "face down"
    UP = "face up"


RACK = "discard rack"


@dataclass(frozen=True)
class Deal:
    """So many cards to a place, one after another. `when` asks for a wager: of this player inside Each, of anybody outside it."""

    count: int
    to: Place | str
    face: Face = Face.DOWN
    when: tuple[Wager, ...] = ()
    unless: tuple[Wager, ...] = ()
    slot: int = 0  # which place of several, where they are not filled from left to right
    clause: str = ""  # where another clause than that of the dealing says it


@dataclass(frozen=True)
class Each:
    """For each player who has made the entitling wager, from the dealer's left, clockwise."""

    steps: tuple[Deal, ...]


@dataclass(frozen=True)
class Repeat:
    times: int
    steps: tuple[Deal | Each, ...]


Script = tuple[Deal | Each | Repeat, ...]


class Method(Enum):
    """The dealing methods of sections .8 to .10."""

    MANUAL_SHOE = "manual shoe"
    HAND = "hand"
    AUTOMATED_SHOE = "automated shoe"
    CONTINUOUS_SHOE = "continuous shoe"  # an automated shoe that reshuffles, where the chapter lets it deal otherwise


@dataclass(frozen=True, kw_only=True)
class Dealing(Rule):
    """How the cards are dealt by one method: to whom, and card by card. `later` has the cards that are dealt in section .11."""

    method: Method
    entitled: tuple[Wager, ...]  # one of these gets a player his cards
    script: Script
    stub_counted_every: int
    needs_shuffler: bool = False
    later: str = ""


@dataclass(frozen=True)
class Delivery:
    """One card on its way: where it goes, to which seat, which side up."""

    to: Place | str
    seat: int
    face: Face
    slot: int
    clause: str = ""


def deliveries(script: Script, seats: Mapping[int, frozenset[str]]) -> Iterator[Delivery]:
    """The cards of a script in order, for these seats and the keys of the wagers that each has made."""
    placed = frozenset(key for keys in seats.values() for key in keys)
    for step in script:
        match step:
            case Repeat(times, steps):
                for _ in range(times):
                    yield from deliveries(steps, seats)
            case Each(steps):
                for seat in sorted(seats):
                    for deal in steps:
                        yield from _cards(deal, seat, seats[seat])
            case Deal():
                yield from _cards(step, 0, placed)


def _cards(deal: Deal, seat: int, placed: frozenset[str]) -> Iterator[Delivery]:
    wanted = not deal.when or any(wager.key in placed for wager in deal.when)
    unwanted = any(wager.key in placed for wager in deal.unless)
    if wanted and not unwanted:
        for _ in range(deal.count):
            yield Delivery(deal.to, 0 if deal.to == RACK else seat, deal.face, deal.slot, deal.clause)


class Act(Enum):
    EXAMINE = "players examine their cards"
    ASK = "the dealer asks for a decision"
    SET = "players set their hands"
    COLLECT = "forfeited wagers and cards are collected"
    BURN = "the next card is burned"
    DEAL = "community cards are dealt"
    TURN = "a card is turned face up"
    REVEAL = "the dealer's cards are turned face up"
    SETTLE = "each player's wagers are settled, from the dealer's right"
    CLEAR = "the cards go to the discard rack so that each hand can be reconstructed"


@dataclass(frozen=True, kw_only=True)
class Stage(Rule):
    """A stage of the completion of a round (section .11), in order."""

    act: Act
    decision: Decision | None = None
    cards: int = 0
    place: Place | None = None


class Fate(Enum):
    """What becomes of the cards after an irregularity."""

    CARD_DISCARDED = "the card goes to the discard rack and play goes on"
    CARD_USED = "the card is used as the next card"
    RESHUFFLED = "the cards are reshuffled"
    RESHUFFLED_WITH_DEALT = "the cards leave the device and are reshuffled with those already dealt"
    DECK_REMOVED = "the deck is removed from the table"
    NONE = "nothing"


class Moment(Enum):
    """When an irregularity can be raised at a table."""

    SHUFFLE = "shuffle"
    DEAL = "deal"
    HANDS = "deal of the hands"
    BOARD = "deal after the hands"  # the community cards of a later stage
    STUB = "stub count"
    ROUND = "round"  # from the first card on, until `before`
    ANY = "any time"


class Device(Enum):
    SHUFFLER = "automated card shuffling device"
    SHOE = "automated dealing shoe"


@dataclass(frozen=True, kw_only=True)
class Irregularity(Rule):
    """Something that went wrong: what is void, what is returned, what is still settled, what becomes of the cards.

    `returned` and `settled` list wagers; with `void` and neither, every wager is returned. `during` tells a person when,
    `moment` and `before` (an act of the round) tell the table; `exposes` names the cards that became known by it, and
    `device` the device that failed. `kept` are wagers that a reading settles instead of returning them; read as `until_first`,
    the time is over once the first wager of a decision is made.
    """

    name: str
    during: str
    void: bool
    moment: Moment
    before: Act | None = None
    exposes: Place | None = None
    device: Device | None = None
    returned: tuple[Wager, ...] = ()
    settled: tuple[Wager, ...] = ()
    settled_under: str = ""
    cards: Fate = Fate.NONE
    then: str = ""
    kept: tuple[Alternative, tuple[Wager, ...]] | None = None
    until_first: Alternative | None = None

    def under(self, readings: Mapping[str, str]) -> Irregularity:
        """The rule as a submission reads it."""
        if self.kept is None or not in_force(self.kept[0], readings):
            return self
        _, kept = self.kept
        return replace(self, returned=tuple(w for w in self.returned if w not in kept), settled=(*self.settled, *kept), kept=None)

    @property
    def returns_everything(self) -> bool:
        return self.void and not self.settled


@dataclass(frozen=True, kw_only=True)
class Voiding(Rule):
    """Where the text leaves room in a void round: wagers that were settled, forfeited or abandoned before it was void."""

    stands: Alternative  # what is settled stands
    forfeited_lost: Alternative | None  # what folding lost stays lost
    abandoned_back: Alternative  # who left gets the wagers back

    def takes_back(self, readings: Mapping[str, str]) -> bool:
        return not in_force(self.stands, readings)

    def returns_forfeited(self, readings: Mapping[str, str]) -> bool:
        return self.forfeited_lost is None or not in_force(self.forfeited_lost, readings)

    def returns_abandoned(self, readings: Mapping[str, str]) -> bool:
        return in_force(self.abandoned_back, readings)


@dataclass(frozen=True, kw_only=True)
class Validation(Rule):
    """Wins of a wager that a floorperson validates before they are paid: all, or from these odds on and any share of the meter.

    A share of the meter of at least `not_from_inventory` is paid neither from the table inventory nor to a game account, and
    the hand stays on the table until the papers are done.
    """

    wager: Wager
    least: Odds | None
    not_from_inventory: Fraction

    def covers(self, odds: Odds) -> bool:
        return self.least is None or odds.kind is Kind.METER or odds.amount >= self.least.amount


@dataclass(frozen=True, kw_only=True)
class Setting(Rule):
    """Players set their five cards into two hands: which three-card hands the code lets them set, and in words.

    Of a card nothing matters but the values that it may have. `unless` is the alternative of a reading that allows any setting,
    `unset` the reading by which a hand counts that nobody has set in time.
    The wager `of` is settled by the set hands: the two other cards are revealed for it only beside three that `reveal` them.
    """

    words: str
    of: Wager
    reveals: Callable[[Cards], bool] = field(compare=False)
    values: Callable[[Card], tuple[int, ...]] = field(compare=False)
    allows: Callable[[Cards, Cards], bool] = field(compare=False)
    unless: Alternative
    unset: Reading
    told: tuple[tuple[str, str], ...] = ()  # what a player must know to set a hand: clause and words

    @property
    def otherwise(self) -> str:
        """What the code says of a hand that is set in another way."""
        reading, alternative = self.unless
        return reading.alternatives[alternative]

    def may_be(self, five: Cards, three: Cards, readings: Mapping[str, str]) -> bool:
        return in_force(self.unless, readings) or self.allows(five, three)


@dataclass(frozen=True, kw_only=True)
class Announcement(Rule):
    """How a hand is called once all of its cards lie face up: what it is, and what follows from a fact that the code asks of it.

    `cards` is how many there are with those of the `shared` places, so that a hand is not called before the last of them, unless
    what lies face up is `enough`.
    """

    whose: Place
    shared: tuple[Place, ...]
    cards: int
    hand: Callable[[Position], str] = field(compare=False)
    asks: Fact | None = field(default=None, compare=False)
    enough: Callable[[Position], bool] | None = field(default=None, compare=False)
    yes: str = ""
    no: str = ""

    def of(self, position: Position) -> str:
        """The words for the cards that lie face up; none while some do not."""
        enough = self.enough is not None and self.enough(position)
        if len(position.at(self.whose, *self.shared)) != self.cards and not enough:
            return ""
        follows = (self.yes if self.asks.of(position) else self.no) if self.asks else ""
        return ", ".join(filter(None, [self.hand(position), follows]))


@dataclass(frozen=True, kw_only=True)
class AdjacentBoxes(Rule):
    """On how many positions a player may wager: a number that the submission names, or one only."""

    chosen_by_submission: bool


@dataclass(frozen=True, kw_only=True)
class Reshuffler(Rule):
    """The device that reshuffles by itself (.5(g)); in some texts it must count the cards too."""

    counts: bool


@dataclass(frozen=True, kw_only=True)
class IdleSpread(Rule):
    """The cards of an open table without gaming activity are spread until a first player has seen them (.5(f)).

    Then they are washed and stacked under `wash`. Where a device shuffles and the text has clauses for `device`, they are only
    stacked, and a deck that the device has stored securely is dealt without being spread and reshuffled, unless a player asks.
    """

    wash: tuple[Cite, ...]
    device: tuple[Cite, ...] = ()


@dataclass(frozen=True, kw_only=True)
class NotModelled(Rule):
    """A clause that stands in no code and no step, and why."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class Principle(Rule):
    """A clause that the whole model obeys rather than one declaration: what it asks, and where it is kept."""

    says: str
    kept_by: str
