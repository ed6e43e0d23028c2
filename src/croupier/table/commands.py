"""Commands: what people at a table want to do. Each says who may do it and what the log calls it once done."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec


class Role(StrEnum):
    PLAYER = "player"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    SURVEILLANCE = "surveillance"
    DEVICE = "device"  # the table game system, which locks and draws


PLAYER, DEALER, FLOOR, DEVICE = Role.PLAYER, Role.DEALER, Role.FLOORPERSON, Role.DEVICE

MOST_CENTS = 10**15
Amount = Annotated[int, msgspec.Meta(gt=0, le=MOST_CENTS)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=99)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


def name_in_words(name: str) -> str:
    """A command's name in words.

    >>> name_in_words("PlaceWager")
    'place wager'
    """
    return re.sub(r"(?<!^)([A-Z])", r" \1", name).lower()


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag=name_in_words, omit_defaults=True):
    by: ClassVar[tuple[Role, ...]] = (DEALER,)
    done: ClassVar[str] = ""

    @classmethod
    def name(cls) -> str:
        """The name used for its functions, as in verify_place_wager."""
        return name_in_words(cls.__name__).replace(" ", "_")

    def public(self) -> Command:
        """The command without its secrets, which the event only commits to."""
        return self


class AtSeat(Command, frozen=True, kw_only=True):
    """A command at one seat, or at the box in front of it."""

    seat: SeatNumber


class SealedDeck(msgspec.Struct, frozen=True):
    """The order of a deck from the top down, and the secret that salts its commitments."""

    order: tuple[str, ...]
    secret: str


# The table and its money


class OpenTable(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "table opened"
    table: Name
    submission: str  # the Rules Submission as filed
    offer: str  # the hash of its Offer
    opener: Annotated[int, msgspec.Meta(ge=0, le=MOST_CENTS)]  # value of the chips in the table inventory container
    linked: dict[str, str] = {}  # the meter that each progressive wager feeds, if not the table's own
    decision_seconds: Annotated[int, msgspec.Meta(ge=0, le=86_400)] = 0  # only in logs from before it was part of the filing


class CloseTable(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "table closed"


class PostLimits(Command, frozen=True, kw_only=True):
    """Post the table's minimum and maximum, within the filed ones."""

    by, done = (FLOOR,), "limits posted"
    minimum: Amount
    maximum: Amount


class Fill(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "table inventory filled"
    amount: Amount


class Credit(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "chips credited to the cage"
    amount: Amount


class CollectDrop(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "drop box collected"


class CollectTips(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "tip box collected"


class Sit(AtSeat, frozen=True, kw_only=True):
    by, done = (PLAYER, FLOOR), "player seated"
    player: Name


class BuyIn(AtSeat, frozen=True, kw_only=True):
    by, done = (PLAYER, DEALER), "chips bought"
    amount: Amount


class FundGameAccount(AtSeat, frozen=True, kw_only=True):
    by, done = (PLAYER,), "game account funded"
    amount: Amount


class Tip(AtSeat, frozen=True, kw_only=True):
    by, done = (PLAYER,), "tip given"
    amount: Amount


class Leave(AtSeat, frozen=True, kw_only=True):
    """A player leaves or is removed. The table game system frees a seat that has no money, or one whose player has not acted
    since `away_since`: the house keeps their chips for them until they sit down again."""

    by, done = (PLAYER, FLOOR, DEVICE), "player left"
    away_since: Annotated[int, msgspec.Meta(ge=0)] = 0  # milliseconds


# § .3 to .5: decks, opening, shuffle and cut


class ReceiveDecks(Command, frozen=True, kw_only=True):
    """Receive decks: plain, or preinspected and preshuffled under 603a.16(u) or (v) with their orders sealed."""

    by, done = (DEALER, FLOOR), "decks received"
    decks: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=2)]
    preshuffled: bool = False
    sealed: tuple[SealedDeck, ...] = ()

    def public(self) -> Command:
        return msgspec.structs.replace(self, sealed=())


class InspectDecks(Command, frozen=True, kw_only=True):
    done = "decks inspected"
    defects: str = ""


class VerifyInspection(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "inspection verified"


class SpreadDecks(Command, frozen=True, kw_only=True):
    """Spread the cards: face up at opening (.4(b)); face down at an idle table unless a player asks (.5(f))."""

    done = "cards spread"
    face_up: bool = False


class ViewDecks(AtSeat, frozen=True, kw_only=True):
    by, done = (PLAYER, DEALER), "cards viewed"


class RequestSpread(AtSeat, frozen=True, kw_only=True):
    """A player at an idle table asks to see a deck face up (.5(f)): one spread face down, or one stored in the device."""

    by, done = (PLAYER, DEALER), "spread requested"
    deck: Name


class WashDecks(Command, frozen=True, kw_only=True):
    done = "cards washed and stacked"


class StackDecks(Command, frozen=True, kw_only=True):
    """Stack the cards of an idle table for the shuffling device, without washing them (.5(f)(2) in the 2011 editions)."""

    done = "cards stacked"


class ShuffleDeck(Command, frozen=True, kw_only=True):
    by, done = (DEALER, DEVICE), "cards shuffled"
    deck: Name
    sealed: SealedDeck | None = None

    def public(self) -> Command:
        return msgspec.structs.replace(self, sealed=None)


class CutDeck(Command, frozen=True, kw_only=True):
    done = "cards cut"
    deck: Name
    depth: Annotated[int, msgspec.Meta(ge=1, le=60)]  # cards above the cover card


class OrderRecut(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "recut ordered"
    deck: Name
    why: Name


class OrderShuffle(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "shuffle ordered"
    deck: Name


class RemoveDecks(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "decks removed"


class UseMethod(Command, frozen=True, kw_only=True):
    """Switch to another method of dealing or shuffling, once a device is covered or marked out of order (.13)."""

    by, done = (FLOOR,), "method changed"
    method: Name
    shuffler: bool


class ReturnDevice(Command, frozen=True, kw_only=True):
    by, done = (FLOOR,), "device back in service"
    device: Name


# § .7 to .10: wagers and the deal


class PlaceWager(AtSeat, frozen=True, kw_only=True):
    by, done = (PLAYER,), "wager placed"
    wager: Name
    amount: Amount
    cash: bool = False  # spoken, with cash: .7(a) refuses it


class TakeBackWager(AtSeat, frozen=True, kw_only=True):
    by, done = (PLAYER,), "wager taken back"
    wager: Name


class ReturnWagers(AtSeat, frozen=True, kw_only=True):
    """The dealer returns invalid wagers before announcing “no more bets”."""

    done = "wagers given back"


class NoMoreBets(Command, frozen=True, kw_only=True):
    done = "no more bets"
    collected: dict[str, int] = {}  # chips counted for each wager collected before the deal, in cents


class DealCards(Command, frozen=True, kw_only=True):
    done = "cards dealt"
    count: Annotated[int, msgspec.Meta(ge=1, le=60)] = 1


class CountStub(Command, frozen=True, kw_only=True):
    done = "stub counted"
    counted: Annotated[int, msgspec.Meta(ge=0, le=99)]
    misdealt: bool = False


# § .11: completion of the round


class Decide(AtSeat, frozen=True, kw_only=True):
    by, done = (PLAYER,), "decision made"
    choice: Name


class SetHand(AtSeat, frozen=True, kw_only=True):
    """Which of the five cards, counted from 1 in the order dealt, are set as the three-card hand."""

    by, done = (PLAYER,), "hand set"
    cards: tuple[SeatNumber, SeatNumber, SeatNumber]


class LapseDecision(AtSeat, frozen=True, kw_only=True):
    """The filed time for a decision has run out: the player gets the choice that the chapter declares for silence."""

    by, done = (DEALER, FLOOR, DEVICE), "decision lapsed"


class CollectForfeited(Command, frozen=True, kw_only=True):
    done = "forfeited wagers collected"


class BurnCard(Command, frozen=True, kw_only=True):
    done = "card burned"


class DealCommunity(Command, frozen=True, kw_only=True):
    done = "community cards dealt"


class TurnCard(Command, frozen=True, kw_only=True):
    done = "community card turned"


class DrawBonus(Command, frozen=True, kw_only=True):
    by, done = (DEVICE,), "bonus drawn"
    magic_card: str = ""
    lucky: str = ""  # a seat, or “dealer”


class RevealDealer(Command, frozen=True, kw_only=True):
    done = "dealer's cards revealed"


class TurnHand(AtSeat, frozen=True, kw_only=True):
    """Turn over the cards that a box's next wager depends on: first the player's own hand, then what its other wagers need.

    Community cards and a fourth card are turned over for wagers that depend on them, other hands for an Envy Bonus.
    """

    done = "hand turned"


class ValidateProgressive(AtSeat, frozen=True, kw_only=True):
    by, done = (FLOOR,), "progressive validated"
    wager: Name


class SettleSeat(AtSeat, frozen=True, kw_only=True):
    done = "wagers settled"


class CompletePapers(AtSeat, frozen=True, kw_only=True):
    by, done = (FLOOR,), "papers completed"


class ClearCards(Command, frozen=True, kw_only=True):
    done = "cards cleared"


# § .13 Irregularities


class RaiseIrregularity(Command, frozen=True, kw_only=True):
    """`cards` are the positions, from 1, of the cards seen at the exposed place; `device` names what is out of order."""

    by, done = (DEALER, FLOOR), "irregularity"
    irregularity: Name
    cards: tuple[SeatNumber, ...] = ()
    device: str = ""
    deck: str = ""


# commands that need a round and its cards
PLAYED = (
    DealCards, CountStub, Decide, SetHand, LapseDecision, CollectForfeited, BurnCard, DealCommunity, TurnCard, DrawBonus,
    RevealDealer, TurnHand, ValidateProgressive, SettleSeat, ClearCards,
)  # fmt: skip

# msgspec reads the union of all commands; to a type checker it is their base class.
if TYPE_CHECKING:
    AnyCommand = Command
else:
    AnyCommand = reduce(or_, (kind for kind in [*globals().values()] if getattr(kind, "done", "")))
