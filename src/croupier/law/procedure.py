"""Procedure: the decks, opening, shuffling, dealing and playing step by step, and what can go wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import combinations

from croupier.cards import Card, Cards, deck
from croupier.law.cite import Cite, ClauseFirst, Rule
from croupier.law.fact import COMMUNITY, Fact, Place, Position
from croupier.law.ranking import Ranking
from croupier.law.reading import Alternative, Reading, in_force
from croupier.law.wager import Decision, Wager
from croupier.money import Kind, Odds


@dataclass(frozen=True, eq=False)
class Definition(Rule):
    """A term defined in section .1, in our own words."""

    term: str
    meaning: str
    wager: str = ""  # the name of the optional wager that the term is about


@dataclass(frozen=True, eq=False)
class Decks(Rule):
    """The cards of section .3: jokers, cover cards, how long they may be used, and how deep they are cut (.5(d))."""

    jokers: int
    cover_cards: int
    hours_by_hand: int
    hours_by_shoe: int
    least_cut: int  # cards above the cover card

    def complete(self) -> None:
        if self.jokers not in (0, 1):
            raise ValueError(f"{self.cite.chapter}: a deck has at most one joker")

    @property
    def cards(self) -> int:
        return len(deck(self.jokers))


class Actor(Enum):
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    PLAYER = "player"
    DEVICE = "device"
    CERTIFICATE_HOLDER = "certificate holder"


class NamedStep(Enum):
    """A step that code refers to by name."""

    NO_MORE_BETS = "no more bets"
    COUNT_STUB = "count the stub"


@dataclass(frozen=True, eq=False)
class Step(ClauseFirst):
    """A step of a procedure, as it reads on a dealer's checklist."""

    who: Actor
    does: str
    when: str = ""
    task: NamedStep | None = None


RACK = "discard rack"


@dataclass(frozen=True)
class Deal:
    """Deal `count` cards to a place, one by one: a player's place for each player in turn, clockwise from the dealer's left.

    `when` requires a wager: the player's own for a card that each player gets, anyone's for one of the table.
    """

    count: int
    to: Place | str
    up: bool = False  # face up
    when: tuple[Wager, ...] = ()
    unless: tuple[Wager, ...] = ()
    slot: int = 0  # which of several places, if they are not filled from left to right
    clause: str = ""  # if a clause other than the dealing's says so


Script = tuple[Deal | tuple[Deal, ...], ...]  # deals in parentheses go to one player before the next gets theirs


def to_each_player(step: Deal | tuple[Deal, ...]) -> tuple[Deal, ...]:
    """What one player gets in a step of a script before the next player does; nothing if the cards go to the table."""
    if isinstance(step, tuple):
        return step
    return (step,) if isinstance(step.to, Place) and step.to.each_player else ()


def deals_of(script: Script) -> Iterator[Deal]:
    """Every deal of a script, in order."""
    for step in script:
        yield from step if isinstance(step, tuple) else (step,)


class Method(Enum):
    """The dealing methods of sections .8 to .10."""

    MANUAL_SHOE = "manual shoe"
    HAND = "hand"
    AUTOMATED_SHOE = "automated shoe"
    CONTINUOUS_SHOE = "continuous shoe"  # an automated shoe that reshuffles, if the chapter has it deal differently


@dataclass(frozen=True, eq=False)
class Dealing(Rule):
    """How cards are dealt under one method: to whom, and card by card. `later` lists the cards dealt in section .11."""

    method: Method
    entitled: Sequence[Wager]  # a player with one of these gets cards
    script: Script
    stub_counted_every: int = 5
    needs_shuffler: bool = False
    later: str = ""
    alone: Alternative | None = None  # under which any wager entitles a player to cards


@dataclass(frozen=True)
class Delivery:
    """One card to deal: where it goes, to which seat, and face up or down."""

    to: Place | str
    seat: int
    up: bool
    slot: int
    clause: str = ""


def deliveries(script: Script, seats: Mapping[int, frozenset[str]]) -> Iterator[Delivery]:
    """A script's cards in order, for these seats and the keys of the wagers each has made."""
    placed = frozenset(key for keys in seats.values() for key in keys)
    for step in script:
        if own := to_each_player(step):
            for seat in sorted(seats):
                for deal in own:
                    yield from _cards(deal, seat, seats[seat])
        elif isinstance(step, Deal):
            yield from _cards(step, 0, placed)


def _cards(deal: Deal, seat: int, placed: frozenset[str]) -> Iterator[Delivery]:
    wanted = not deal.when or any(wager.key in placed for wager in deal.when)
    unwanted = any(wager.key in placed for wager in deal.unless)
    if wanted and not unwanted:
        for _ in range(deal.count):
            yield Delivery(deal.to, 0 if deal.to == RACK else seat, deal.up, deal.slot, deal.clause)


def dealt(script: Script, seats: int = 1) -> Counter[Place | str]:
    """How many cards a script deals to each place, with every wager made."""
    found = Counter[Place | str]()
    for step in script:
        times = seats if to_each_player(step) else 1
        for deal in deals_of((step,)):
            if not deal.unless:
                found[deal.to] += times * deal.count
    return found


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


@dataclass(frozen=True, eq=False)
class Stage(ClauseFirst):
    """A stage in the completion of a round (section .11); stages are declared in order."""

    act: Act
    decision: Decision | None = None
    cards: int = 0  # that are dealt or turned
    place: Place | None = None  # of these cards, by default the community's

    def complete(self) -> None:
        if self.act in (Act.DEAL, Act.TURN) and not self.place:
            self.__dict__["place"] = COMMUNITY


class Fate(Enum):
    """What happens to the cards after an irregularity."""

    CARD_DISCARDED = "the card goes to the discard rack and play continues"
    CARD_USED = "the card is used as the next card"
    RESHUFFLED = "the cards are reshuffled"
    RESHUFFLED_WITH_DEALT = "the cards are removed from the device and reshuffled with those already dealt"
    DECK_REMOVED = "the deck is removed from the table"
    NONE = "nothing"


class Moment(Enum):
    """When an irregularity can be raised at a table."""

    SHUFFLE = "shuffle"
    DEAL = "deal"
    HANDS = "deal of the hands"
    BOARD = "deal after the hands"  # the community cards of a later stage
    STUB = "stub count"
    ROUND = "round"  # from the first card until `before`
    ANY = "any time"


BEFORE_DECISIONS = frozenset({Moment.SHUFFLE, Moment.DEAL, Moment.HANDS})


class Device(Enum):
    SHUFFLER = "automated card shuffling device"
    SHOE = "automated dealing shoe"


@dataclass(frozen=True, eq=False)
class Irregularity(Rule):
    """An irregularity: what is void, what is returned, what is still settled, and what happens to the cards.

    `returned` and `settled` list wagers; if the round is `void` and both are empty, every wager is returned. `during` says when
    in words; `moment` and `before` (an act of the round) are what the table checks. `exposes` names the cards it made known, and
    `device` the device that failed. `kept` lists wagers that a reading settles instead of returning. Under `until_first`, it can
    no longer be raised once the first wager of a decision has been made.
    """

    name: str
    moment: Moment
    cards: Fate
    _: KW_ONLY
    void: bool = False
    during: str = ""  # by default the moment
    before: Act | None = None
    exposes: Place | None = None
    device: Device | None = None
    returned: Sequence[Wager] = ()
    settled: Sequence[Wager] = ()
    settled_under: str = ""
    then: str = ""
    kept: tuple[Alternative, tuple[Wager, ...]] | None = None
    until_first: Alternative | None = None

    def complete(self) -> None:
        self.__dict__["during"] = self.during or ("deal" if self.moment in (Moment.HANDS, Moment.BOARD) else self.moment.value)

    def under(self, readings: Mapping[str, str]) -> Irregularity:
        """The rule under a submission's readings."""
        alternative, kept = self.kept or (None, ())
        if not in_force(alternative, readings):
            return self
        read = copy(self)
        changed = {"returned": tuple(w for w in self.returned if w not in kept), "settled": (*self.settled, *kept), "kept": None}
        read.__dict__.update(changed)
        return read

    @property
    def returns_everything(self) -> bool:
        return self.void and not self.settled


@dataclass(frozen=True, eq=False)
class Voiding(Rule):
    """What the text leaves open about a void round: wagers settled, forfeited or abandoned before it became void."""

    stands: Alternative  # settled wagers stand
    forfeited_lost: Alternative | None  # wagers lost by folding stay lost
    abandoned_back: Alternative  # a player who left gets their wagers back

    def beside(self, rule: Irregularity, readings: Mapping[str, str]) -> list[str]:
        """What happens to wagers that were lost, paid or collected before the round became void, in words."""
        found = []
        if rule.void and rule.moment not in BEFORE_DECISIONS and in_force(self.forfeited_lost, readings):
            found.append("wagers lost by folding stay lost")
        if rule.void and rule.moment is Moment.ROUND and rule.before is None:  # it may be found after a wager was settled
            stand = in_force(self.stands, readings)
            found.append("wagers already settled stand" if stand else "what was already paid is taken back")
        return found


@dataclass(frozen=True, eq=False)
class Validation(Rule):
    """Wins that a floorperson validates before they are paid: all, or those at these odds or higher and any share of the meter.

    A share of the meter of at least `not_from_inventory` is not paid from the table inventory or to a game account, and
    the hand stays on the table until the paperwork is done.
    """

    wager: Wager
    least: int = 0  # for 1
    not_from_inventory: Fraction = field(kw_only=True)

    def covers(self, odds: Odds) -> bool:
        return odds.kind is Kind.METER or odds.amount >= self.least


@dataclass(frozen=True, eq=False)
class Setting(ClauseFirst):
    """Players set their five cards into two hands, at a stage of the round whose clause is the last one cited.

    Says which three-card hands they may set, as a function and in words.

    Only the values that a card can have matter. `unless` is the alternative that allows any setting; `unset` is the reading
    that says how a hand counts if the player did not set it in time.
    The wager `of` is settled by the set hands. For it, the other two cards are revealed only if the three satisfy `reveals`.
    """

    words: str
    of: Wager
    reveals: Callable[[Cards], bool]
    values: Callable[[Card], tuple[int, ...]]
    allows: Callable[[Cards, Cards], bool]
    unless: Alternative
    unset: Reading
    notes: Sequence[tuple[str, str]] = ()  # what a player needs to know to set a hand: clause and words

    @property
    def otherwise(self) -> str:
        """What the code says about a hand set any other way."""
        reading, alternative = self.unless
        return reading.alternatives[alternative]

    def succeeds(self, five: Cards) -> bool:
        """Whether some three of these five cards satisfy `reveals`."""
        return any(map(self.reveals, combinations(five, 3)))

    def may_be(self, five: Cards, three: Cards, readings: Mapping[str, str]) -> bool:
        return in_force(self.unless, readings) or self.allows(five, three)


@dataclass(frozen=True, eq=False)
class Announcement(Rule):
    """What a hand is called once all its cards are face up: its rank, and what follows from a fact about it.

    That of the dealer is also the stage of the round that reveals the dealer's cards.

    A hand is not called before its last card is up, here or at a `shared` place, unless the face-up cards are `enough`.
    """

    whose: Place
    hand: Ranking | Callable[[Position], str]  # a ranking that compares hands, or the chapter's own words
    _: KW_ONLY
    shared: tuple[Place, ...] = ()
    asks: Fact | None = None
    enough: Callable[[Position], bool] | None = None
    yes: str = ""
    no: str = ""
    made: Callable[[Position], Cards] | None = None  # the cards that make it, where the hand is called in the chapter's own words

    def of(self, position: Position, cards: int) -> str:
        """What a hand of this many cards is called; empty while some are face down."""
        enough = self.enough is not None and self.enough(position)
        held = position.at(self.whose, *self.shared)
        if len(held) != cards and not enough:
            return ""
        called = self.hand.call(held) if isinstance(self.hand, Ranking) else self.hand(position)
        follows = (self.yes if self.asks.of(position) else self.no) if self.asks else ""
        return ", ".join(filter(None, [called, follows]))

    def made_of(self, position: Position) -> Cards:
        """The cards that make the hand as it is called."""
        if isinstance(self.hand, Ranking):
            return self.hand.made_of(position.at(self.whose, *self.shared))
        return self.made(position) if self.made else ()


@dataclass(frozen=True, eq=False)
class AdjacentBoxes(ClauseFirst):
    """How many positions a player may wager on: a number that the submission names, or just one."""

    chosen_by_submission: bool


@dataclass(frozen=True, eq=False)
class Reshuffler(ClauseFirst):
    """A device that reshuffles automatically (.5(g)). Some editions also require it to count the cards."""

    counts: bool


@dataclass(frozen=True, eq=False)
class IdleSpread(ClauseFirst):
    """At an open table with no gaming activity, the cards are spread until the first player has seen them (.5(f)).

    Then they are washed and stacked under `wash`. If a device shuffles and the text has clauses for `device`, they are only
    stacked, and a deck stored securely in the device is dealt without being spread and reshuffled unless a player asks.
    """

    wash: tuple[Cite, ...]
    device: tuple[Cite, ...] = ()


@dataclass(frozen=True, eq=False)
class NotModeled(ClauseFirst):
    """A clause that no code or step covers, and why."""

    reason: str


@dataclass(frozen=True, eq=False)
class Principle(ClauseFirst):
    """A clause that the model as a whole obeys, rather than one declaration: what it requires, and what ensures it."""

    says: str
    kept_by: str
