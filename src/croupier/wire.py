"""The types that the API sends: the server encodes these and `croupier.client` decodes them. Imports nothing but msgspec.

A field may be added here at any time. Give it a default, so that a newer client still reads an older floor. In a type with
`omit_defaults`, a field that has its default is left out of the JSON.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Cents = Annotated[int, Meta(description="In cents.")]
Milliseconds = Annotated[int, Meta(description="In milliseconds since 1970.")]
Citation = Annotated[str, Meta(description="A clause: the chapter, its section and the paragraphs.")]
Card = Annotated[str, Meta(description="Rank and suit, such as Qs or Td; empty for a card whose face you may not see.")]
Viewpoint = Annotated[str, Meta(description="“player:3”, “dealer”, “floorperson”, “surveillance”, “device” or “public”.")]
Dealer = Literal["automatic", "person"]
MOST_SECONDS = 3600
Seconds = Annotated[int, Meta(ge=0, le=MOST_SECONDS, description="In seconds; 0 means no limit.")]

Value = str | int | bool | list[int | str] | dict[str, int | str]
Command = Annotated[
    dict[str, Value], Meta(description="A command as it is sent: `do` is its name; fill in the fields that `asks` names.")
]


# refusals


class Problem(Struct, frozen=True):
    """Why a request was refused. `kind` is for programs, `reason` for people; a refusal by a rule has `cite` and `accepted`."""

    kind: Annotated[
        str,
        Meta(
            description="“malformed”, “login”, “not allowed”, “unknown”, “refused”, “too large”, “locked”, “too many”, "
            "“unavailable” or “fault”."
        ),
    ]
    reason: str
    cite: Annotated[str | None, Meta(description="The clause behind the refusal.")] = None
    accepted: Annotated[str | None, Meta(description="What would be accepted instead.")] = None


class Failure(Struct, frozen=True):
    """The body of every refusal."""

    error: Problem


# people


class Me(Struct, frozen=True):
    """Who you are here. `role` is “guest” for a player, “anyone” before a name is chosen."""

    name: str
    role: str
    locked: bool = False
    must_change: bool = False


class Admitted(Me, frozen=True):
    """You as a guest. `code` is your recovery code, sent only once: it brings you back to your seat if the floor no longer knows
    your browser. It is empty if your current code stays valid."""

    code: str = ""


class HandedBack(Struct, frozen=True):
    """A one-time code for the player of a seat, sent to the floorperson only once."""

    player: str
    seat: int
    code: str
    until: Milliseconds


# what a viewpoint sees of a table


class Limits(Struct, frozen=True):
    """The posted minimum and maximum."""

    minimum: Cents
    maximum: Cents


class DeckView(Struct, frozen=True):
    """A deck: its condition, from “received” to “in play”, the commitment to its order, and how many cards are left."""

    name: str
    condition: str
    commitment: str
    left: int
    idle: Annotated[
        str,
        Meta(
            description="Its state at an idle table: “spread face down”, “spread face up”, “stored in the device” or “to be"
            " spread face up”; empty otherwise."
        ),
    ] = ""


class SeatView(Struct, frozen=True):
    """A player and their money at the table."""

    player: str
    chips: Cents
    game_account: Cents


class StageView(Struct, frozen=True):
    """The stage of the procedure that the round has reached."""

    act: str
    cite: Citation


class BoxView(Struct, frozen=True):
    """A betting box of the round: `seat` is its player's seat, `fourth` the card dealt separately, if the game has one."""

    seat: int
    wagers: Annotated[dict[str, Cents], Meta(description="Still in play: not taken back, forfeited, abandoned or settled.")]
    cards: tuple[Card, ...]
    fourth: tuple[Card, ...]
    decided: tuple[str, ...]
    folded: bool
    left: bool
    set: Annotated[tuple[int, ...], Meta(description="Which of the five cards are set as the hand, counted from 1.")]
    hand: Annotated[str, Meta(description="The hand in words, once it is face up.")]
    settled: bool
    made: Annotated[tuple[Card, ...], Meta(description="The cards that make the hand, once all are face up.")] = ()


class RoundView(Struct, frozen=True):
    """The current round. `boxes` is by box number."""

    number: int
    stage: StageView | None
    boxes: dict[int, BoxView]
    dealer: tuple[Card, ...]
    dealer_hand: Annotated[str, Meta(description="The dealer's hand in words, once it is face up.")]
    community: tuple[Card, ...]
    discarded: Annotated[int, Meta(description="Cards in the discard rack.")]
    found_face_up: Annotated[int, Meta(description="Cards found face up in the deck.")]
    magic_card: Card
    lucky: Annotated[str, Meta(description="The position that was drawn: a box, or “dealer”.")]
    void: Annotated[str, Meta(description="The irregularity that voided all hands.")]
    asked: Annotated[tuple[int, ...], Meta(description="The box that has to decide now, if any.")]
    asked_at: Milliseconds | None
    to_settle: Annotated[tuple[int, ...], Meta(description="The box that is settled next, if any.")]
    to_validate: Annotated[tuple[str, ...], Meta(description="Wagers of that box that a floorperson must validate first.")]
    papers: Annotated[tuple[int, ...], Meta(description="Boxes whose cards stay out until their paperwork is done.")]
    stub_due: Annotated[bool, Meta(description="The stub must be counted before settlement.")]
    dealer_made: Annotated[tuple[Card, ...], Meta(description="The cards that make the dealer's hand, once it has a name.")] = ()


class ResultView(Struct, frozen=True):
    """The results of a box's wagers so far, including those lost by folding; `seat` is its player's seat."""

    seat: int
    lines: tuple[WagerLine, ...]


class View(Struct, frozen=True, omit_defaults=True):
    """A table as one viewpoint may see it. `round` is present during a round, `accounts` only for staff."""

    table: str
    viewer: Viewpoint = field(name="for")
    version: Annotated[int, Meta(description="The number of the table's newest event.")]
    phase: Annotated[str, Meta(description="“closed”, “opening”, “betting”, “dealing” or “completing”.")]
    game: str
    edition: str
    offer: Annotated[str, Meta(description="The hash of the Offer.")]
    limits: Limits
    decision_seconds: Annotated[int, Meta(description="The time limit for a decision; 0 means none.")]
    rounds: Annotated[int, Meta(description="How many have begun, including the current one.")]
    method: str
    out_of_order: tuple[str, ...]
    decks: tuple[DeckView, ...]
    seats: Annotated[dict[int, SeatView], Meta(description="By seat number; free seats are omitted.")]
    wagers: Annotated[dict[int, dict[str, Cents]], Meta(description="Placed for the next round, by box and wager.")]
    round: RoundView | None = None
    accounts: dict[str, Cents] | None = None
    results: Annotated[
        dict[int, ResultView], Meta(description="By box, for this round or, until the next one begins, the last one.")
    ] = {}
    players: Annotated[
        dict[int, int], Meta(description="By box with wagers for the next round: the seat of its player, who may sit next to it.")
    ] = {}


class Ask(Struct, frozen=True, omit_defaults=True):
    """A field to fill in. `only` lists the allowed amounts or numbers; `now` is its current value.

    An amount is bet `times` over if the game has several equal wagers; to play the hand, the player needs it `keep` times more.
    """

    name: str
    kind: Annotated[
        str, Meta(description="“money”, “number”, “words”, “one of”, “some of”, “yes or no”, “counted”, “shuffle” or “shuffles”.")
    ]
    least: int | None = None
    most: int | None = None
    only: tuple[int, ...] = ()
    now: int | None = None
    of: tuple[str, ...] = ()
    words: str = ""
    times: int = 1
    keep: int = 0


class TableChoice(Struct, frozen=True):
    """A command that is allowed now. Send `command` with the fields of `asks` filled in; `primary` is the expected one.

    `warns` is a question to ask the person before sending it.
    """

    do: str
    words: str
    cite: Citation
    command: Command
    asks: tuple[Ask, ...] = ()
    primary: bool = False
    warns: str = ""


class Standing(Struct, frozen=True):
    """How one table is run."""

    table: str
    filing: str = ""
    dealer: Dealer = "automatic"
    practice: bool = False
    betting_seconds: Seconds = 20


class Seen(Struct, frozen=True):
    """A table as you see it: the view, your choices, the meters, and the clocks."""

    view: View
    can: list[TableChoice]
    meters: Annotated[dict[str, Cents], Meta(description="By the wager that is paid from the meter.")]
    deadline: Annotated[Milliseconds | None, Meta(description="When the current decision times out, in milliseconds.")]
    betting_until: Annotated[Milliseconds | None, Meta(description="When wagers close, in milliseconds, if known.")]
    standing: Standing | None
    waits_for: Annotated[str, Meta(description="What the table is waiting for if it needs a floorperson; otherwise empty.")] = ""
    seat_until: Annotated[
        Milliseconds | None, Meta(description="When your seat is freed unless you act: buy in, if you have no money at the table.")
    ] = None
    kept: Annotated[
        Cents,
        Meta(description="The chips the house is holding for you because your seat was freed. `sit` returns them."),
    ] = 0
    keep: Annotated[Cents, Meta(description="The chips you need to play the hands you have wagered on.")] = 0
    lapse: Annotated[
        str, Meta(description="What happens to your hand if you do not answer in time; empty if nothing is asked.")
    ] = ""
    aim: Annotated[str, Meta(description="What to aim for when you set your hand; empty if you have none to set.")] = ""
    ready: Annotated[tuple[int, ...], Meta(description="Seats that the dealer does not wait for.")] = ()
    not_dealt: Annotated[
        Problem | None,
        Meta(description="Why your wagers, as placed, would be returned instead of dealt in; `null` if they are not."),
    ] = None


class Reply(Struct, frozen=True):
    """The answer to a command that was executed: its place in the log."""

    table: str
    version: int
    event: str
    at: Milliseconds


class Ready(Struct, frozen=True):
    """The seat that has made its wagers."""

    seat: int


# what happened


class LoggedEvent(Struct, frozen=True):
    """An event of a table in words; `version` is its number."""

    version: int
    at: Milliseconds
    by: Viewpoint
    person: Annotated[str, Meta(description="Who acted; only staff see the names of staff.")]
    event: str
    says: str
    cites: tuple[Citation, ...]


class MovedCard(Struct, frozen=True):
    """A card that moved or was turned, and to where."""

    at: str
    seat: int
    slot: int
    card: Card


class WagerLine(Struct, frozen=True, omit_defaults=True, gc=False):
    """One line of a settlement, as the player saw it. The player gets `pays` and `returns`."""

    wager: str
    hand: str
    outcome: Annotated[str, Meta(description="“win”, “lose”, “push”, “forfeit” or “return”.")]
    stake: Cents
    pays: Cents
    returns: Cents
    cite: Citation
    odds: str = ""
    source: Annotated[str, Meta(description="The account that pays it.")] = ""
    on: Annotated[str, Meta(description="The hand it is placed on, if the wager can be placed on several.")] = ""


class LiveEvent(LoggedEvent, frozen=True, omit_defaults=True):
    """An event of a table, live. The newest event has `seen`: the table as you see it after the event."""

    cards: tuple[MovedCard, ...]
    lines: tuple[WagerLine, ...]
    seat: Annotated[int, Meta(description="The seat or box it is about, or 0.")]
    seen: Seen | None = None


class LiveView(Struct, frozen=True):
    """The table when the stream begins, and when something changes without an event: a clock, or who is ready."""

    version: int
    seen: Seen


class EventMessage(Struct, frozen=True, tag_field="event", tag="event"):
    """A server-sent event of a table's live view: an event of the table."""

    id: Annotated[int, Meta(description="The number of the table's event; send it as `Last-Event-ID` to resume after it.")]
    data: LiveEvent


class SeenMessage(Struct, frozen=True, tag_field="event", tag="seen"):
    """A server-sent event of a table's live view: the table as it is."""

    id: int
    data: LiveView


# the floor


class PayRow(Struct, frozen=True):
    hand: str
    pays: str


class PaySchedule(Struct, frozen=True):
    """What a wager pays, as the sign of the filing has it. `letter` is empty if the regulation has only one paytable."""

    name: str
    letter: str
    cite: Citation
    rows: tuple[PayRow, ...]
    condition: Annotated[str, Meta(description="When, or to whom, it is paid; otherwise empty.")] = ""


class WagerSummary(Struct, frozen=True):
    """A wager that the table offers."""

    name: str
    cite: Citation
    optional: bool
    amounts: Annotated[str, Meta(description="What it may be, such as “$5” or “$1 to $50”; empty for the table's limits.")]
    edge: Annotated[
        str,
        Meta(
            description="The house edge as a share of the main game's first wager or of the wager, such as “3.3730%”, with the"
            " stake where it matters (“18.0981% at $5, 19.3624% at $500”); “not counted”, or empty until known."
        ),
    ] = ""
    together_with: Annotated[tuple[str, ...], Meta(description="Wagers that are settled with it and are part of its edge.")] = ()
    short_edge: Annotated[str, Meta(description="The same with two decimals, such as “3.37%”.")] = ""


class TableBrief(Struct, frozen=True):
    """What every list of tables says about a table."""

    table: str
    title: str
    game: str
    phase: str
    seats: int
    players: dict[int, str]
    practice: bool
    idle: bool  # its cards are spread until a player looks at them


class TableSummary(TableBrief, frozen=True):
    """A table of the floor at a glance."""

    edition: str
    offer: str
    minimum: Cents
    maximum: Cents
    rounds: int
    dealer: Dealer
    decision_seconds: int
    wagers: tuple[WagerSummary, ...]
    paytables: tuple[PaySchedule, ...]
    meters: dict[str, Cents]
    name: Annotated[str, Meta(description="Its name among several tables of one game; empty if it is named after the game.")] = ""


class TablesMessage(Struct, frozen=True, tag_field="event", tag="tables"):
    """A server-sent event of the floor: all tables at first, then those that have changed."""

    data: list[TableSummary]


# a player's own hands


class ValuedChoice(Struct, frozen=True):
    """A choice that the player had, and what it was worth on average."""

    choice: str
    cents: Annotated[str, Meta(description="In cents, as an exact fraction such as “-15250/2303”.")]
    shown: Annotated[str, Meta(description="Rounded for people: “-$0.0662”, “+$1.20”.")]


class HandDecision(Struct, frozen=True):
    """A decision of one of your hands. `cost` is how much less your choice was worth than the best one; 0 for best play."""

    box: int
    asked: str
    cite: Citation
    said: str
    by_clock: Annotated[bool, Meta(description="Your time ran out, so the chapter's default was used.")]
    best: Annotated[str, Meta(description="The best choice; empty if it is not known.")] = ""
    cost: Annotated[str, Meta(description="In cents, as an exact fraction; empty if it is not known.")] = ""
    shown: Annotated[str, Meta(description="The cost rounded for people, such as “$0.0662”.")] = ""
    choices: Annotated[
        tuple[ValuedChoice, ...], Meta(description="Best first; last what a timeout was worth, if it was no choice.")
    ] = ()
    left_out: Annotated[tuple[str, ...], Meta(description="Wagers that a later fold would lose; the values leave them out.")] = ()
    problem: Annotated[str, Meta(description="Why the decision has no price.")] = ""
    pending: Annotated[bool, Meta(description="It is being computed; ask again.")] = False


class HandBox(Struct, frozen=True):
    """One of your boxes in a round: your cards, what you bet and decided, and the results."""

    box: int
    cards: tuple[Card, ...]
    fourth: tuple[Card, ...]
    set: Annotated[tuple[int, ...], Meta(description="Which of the cards you set as the hand, counted from 1.")]
    hand: Annotated[str, Meta(description="The hand in words, if it was turned.")]
    folded: bool
    wagers: Annotated[dict[str, Cents], Meta(description="At the start of the round.")]
    decisions: tuple[HandDecision, ...]
    lines: tuple[WagerLine, ...]


class PlayerHand(Struct, frozen=True):
    """One round that you played, with the cards that you saw."""

    table: str
    title: str
    game: str
    edition: str
    number: int
    at: Milliseconds
    ended: Milliseconds
    seat: int
    boxes: tuple[HandBox, ...]
    dealer: tuple[Card, ...]
    dealer_hand: str
    community: tuple[Card, ...]
    void: str
    wagered: Cents
    net: Cents
    cost: Annotated[str, Meta(description="Of all its decisions that have a price, in cents, as an exact fraction.")] = "0"
    shown: Annotated[str, Meta(description="The cost rounded for people.")] = ""
    shared: Annotated[bool, Meta(description="A link to its replay exists.")] = False


class HandPage(Struct, frozen=True):
    """Your rounds, newest first. `cursor` requests the next page; it is empty on the last."""

    hands: tuple[PlayerHand, ...]
    cursor: str = ""
    pending: Annotated[bool, Meta(description="Some decisions are still being computed; ask again.")] = False


class WagerFigures(Struct, frozen=True):
    """Your result on one wager. `expected` is null if none of your bets on it has an expectation, or not yet."""

    game: str
    wager: str
    bets: int
    wagered: Cents
    net: Cents
    counted: Annotated[Cents, Meta(description="The net of the bets that have an expectation.")] = 0
    expected: Annotated[str | None, Meta(description="Of these bets, in cents, as an exact fraction.")] = None
    expected_shown: Annotated[str, Meta(description="The expectation rounded for people, such as “-$1.20”.")] = ""
    difference_shown: Annotated[str, Meta(description="`counted` minus `expected`, rounded for people.")] = ""
    note: Annotated[str, Meta(description="Why there is no expectation, or why some bets have none.")] = ""


class FiguresPoint(Struct, frozen=True):
    """Your totals after a number of rounds: net and expectation in cents, and one standard deviation."""

    rounds: int
    net: Cents
    expected: int
    deviation: int


class Figures(Struct, frozen=True):
    """Your rounds against their expectation under best play."""

    rounds: int
    void: int
    wagered: Cents
    net: Cents
    counted: Annotated[Cents, Meta(description="The net of the wagers that have an expectation.")]
    expected: Annotated[str, Meta(description="Of these wagers, in cents, as an exact fraction.")]
    expected_shown: Annotated[str, Meta(description="The expectation rounded for people, such as “-$1.20”.")]
    difference_shown: Annotated[str, Meta(description="`counted` minus `expected`, rounded for people.")]
    deviation: Annotated[int, Meta(description="One standard deviation at most, in cents.")]
    wagers: tuple[WagerFigures, ...]
    points: tuple[FiguresPoint, ...]
    assumed: tuple[str, ...]
    pending: Annotated[bool, Meta(description="Odds are still being computed; ask again.")] = False


class HandReplay(Struct, frozen=True):
    """A round event by event, each with what its player saw after it; other players are not named."""

    table: str
    title: str
    number: int
    at: Milliseconds
    seat: int
    felt: Annotated[str, Meta(description="The layout as seen from the seat, as SVG.")]
    frames: tuple[HandFrame, ...]


class HandFrame(Struct, frozen=True):
    """One event of a round, and the table after it."""

    version: int
    at: Milliseconds
    says: str
    cites: tuple[Citation, ...]
    lines: tuple[WagerLine, ...]
    view: View


class SharedHand(Struct, frozen=True):
    """The address of a shared replay. It is sent only once: the floor keeps only a hash."""

    path: str
