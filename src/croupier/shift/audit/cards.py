"""The auditor's cards: every card comes from its place in a deck, once, and is the one that the deck was committed to."""

from __future__ import annotations

import json
from base64 import b64decode
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b, sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from croupier.shift.audit.finding import Hands, Plain, Signs, need, needed

# The steps of a new deck until it is spread, and of one that was spread at an idle table until it is shuffled again.
RECEIVED, INSPECTED, VERIFIED = "received", "inspected", "verified"
SPREAD, SEEN, STACKED = "spread", "seen", "stacked"
STEPS = {  # from which step to which an event takes the decks that are there
    "decks inspected": (RECEIVED, INSPECTED),
    "inspection verified": (INSPECTED, VERIFIED),
    "cards viewed": (SPREAD, SEEN),
    "cards washed and stacked": (SEEN, STACKED),
    "cards stacked": (SEEN, STACKED),
}
RACK = "discard rack"
SHUFFLER = "automated card shuffling device"


@dataclass(frozen=True)
class SealedPart:
    """What is stored next to an event but not hashed, and the orders that the house says are sealed in it."""

    stream: str = ""
    version: int = 0
    sealed: Plain = field(default_factory=dict)
    orders: Sequence[Plain] = ()

    def opened(self, n: int, key: str) -> Plain | None:
        """A sealed order, opened with the key that the log publishes for it and nothing else."""
        order = self.sealed["orders"][n]
        wrapped = b64decode(order["key"])
        about = f"order\n{self.sealed['house']}\n{self.stream}\n{self.version}\n{n}\n".encode() + wrapped
        try:
            plain: Plain = json.loads(ChaCha20Poly1305(b64decode(key)).decrypt(bytes(12), b64decode(order["order"]), about))
        except InvalidTag:
            return None
        return plain


@dataclass
class AuditedDeck:
    """A shuffled deck: its cards from the top down as they were sealed, and where those that were dealt lie now."""

    order: Sequence[str]
    leaves: Sequence[str]
    salts: Sequence[str]
    published: bool = False  # anybody can open its order
    top: int = 0
    lies: dict[int, str] = field(default_factory=dict)
    dealt: dict[int, tuple[str, int]] = field(default_factory=dict)  # to which place, and to which slot of it
    shown: set[int] = field(default_factory=set)

    def next(self) -> int:
        return (self.top + len(self.lies)) % len(self.order)


def audited_deck(order: Sequence[str], secret: str) -> AuditedDeck:
    """A deck, its salts and leaves computed again from the secret."""
    key = bytes.fromhex(secret)
    salts = [blake2b(place.to_bytes(2, "big"), key=key, digest_size=16).digest() for place in range(len(order))]
    leaves = [sha256(salt + card.encode()).hexdigest() for salt, card in zip(salts, order, strict=True)]
    return AuditedDeck(order, leaves, [salt.hex() for salt in salts])


@dataclass
class AuditedCards:
    """The decks of one table."""

    signs: Signs = field(init=False)  # from the opening of the table on
    decks: dict[str, AuditedDeck] = field(default_factory=dict)
    in_play: AuditedDeck | None = None
    steps: dict[str, str] = field(default_factory=dict)  # how far a new deck, or one spread at an idle table, has come
    asked: set[str] = field(default_factory=set)  # decks that a player wants to see spread
    requested: set[str] = field(default_factory=set)  # those, and decks spread on request that are yet to be shuffled
    shuffler: bool = False  # the device is at work
    counts: Counter[str] = field(default_factory=Counter)
    stored: int = 0  # decks of the idle table that may have stayed in the device, to be dealt as they are
    # by version and number of the order
    sealed: dict[tuple[int, int], tuple[SealedPart, AuditedDeck]] = field(default_factory=dict)

    def post(self, event: Plain, part: SealedPart) -> None:
        command = event["command"]
        self._prepared(event, command)
        match event["event"]:
            case "decks received" if command.get("preshuffled"):
                self._shuffled(command["decks"], event, part)
            case "cards shuffled":
                self._shuffled([command["deck"]], event, part)
            case "cards cut":
                deck = self.decks[command["deck"]]
                need(not deck.lies, "cards", "a deck is cut after a card was dealt from it")
                deck.top = (deck.top + command["depth"]) % len(deck.order)
            case "no more bets":
                self.in_play = None
            case "stub counted":
                deck = needed(self.in_play, "cards", "a stub is counted before the deal")
                event["wrong"] = command["counted"] != len(deck.order) - len(deck.lies)
        for shown in event["then"].get("cards", ()):
            self._shown(shown)
        self._published(part)
        if event["event"] == "cards cleared" and self.in_play:
            left = [place for place in self.in_play.lies.values() if place != RACK]
            need(not left, "cards", f"{len(left)} cards are not in the discard rack after the round")
            need(self.in_play.published, "cards", "the order of a deck stays sealed after the round")

    def _prepared(self, event: Plain, command: Plain) -> None:
        """Follow a new deck to its first spread, and one that was spread at an idle table: seen by a player, stacked, shuffled
        again. No wager before that. Several decks may be at different steps."""
        match event["event"]:
            case "decks received" if not command.get("preshuffled"):
                self.steps |= dict.fromkeys(command["decks"], RECEIVED)
            case "decks inspected" if command.get("defects"):
                self._gone(*self._at(RECEIVED))
            case name if name in STEPS:
                before, after = STEPS[name]
                self.steps |= dict.fromkeys(self._at(before), after)
            case "table opened":
                self._gone(*self.decks, *self.steps, *self.requested)
                self.shuffler, self.stored = self.signs.shuffler, 0
            case "decks removed":
                self._gone(*self.decks, *self.steps, *self.requested)
            case "irregularity" if command["irregularity"] in self.signs.broken:
                self.shuffler = self.shuffler and command["device"] != SHUFFLER
            case "irregularity" if command["irregularity"] in self.signs.removed:
                self._gone(command["deck"])
            case "method changed":
                self.shuffler = command["shuffler"]
            case "cards spread":
                self._spread()
            case "spread requested":
                self.asked.add(command["deck"])
                self.requested.add(command["deck"])
            case "wager placed":
                lying = self._at(SPREAD, SEEN)
                need(not lying, "cards", f"a wager is placed while the {', '.join(lying)} deck lies spread")

    def _spread(self) -> None:
        """Verified new decks for their first player, a deck that a player asked for, or all that an idle table has."""
        if verified := self._at(VERIFIED):
            for name in verified:
                del self.steps[name]
            return
        self.steps |= {name: SPREAD for name in self.decks if name in self.asked or not self.asked}
        if not self.asked:
            self.stored = int(self.signs.stores_deck and self.shuffler)
            self.counts["idle tables spread"] += 1
        self.asked.clear()

    def _at(self, *steps: str) -> list[str]:
        return [name for name, reached in self.steps.items() if reached in steps]

    def _gone(self, *names: str) -> None:
        """Forget decks that have left the table."""
        for name in names:
            self.decks.pop(name, None)
            self.steps.pop(name, None)
        for some in (self.asked, self.requested):
            some.difference_update(names)

    def _shuffled(self, names: Sequence[str], event: Plain, part: SealedPart) -> None:
        """Check that the order has every card once, matches the public commitment, and is not revealed by the log."""
        need(len(part.sealed.get("orders", ())) == len(names), "cards", "the order of a deck is not sealed")
        need("decks" not in part.sealed, "cards", "the order of a deck stands in the log")
        for n, (name, commitment, sealed) in enumerate(zip(names, event["then"]["decks"], part.orders, strict=True)):
            order = sealed["order"]
            need(len(set(order)) == len(order) == self.signs.cards, "cards", f"{len(set(order))} cards in the {name} deck")
            before = self.decks.get(name)
            lies = self.steps.pop(name, "") in (SPREAD, SEEN)
            need(not lies or self.stored, "cards", f"the {name} deck is shuffled before a player has seen it spread")
            self.stored -= lies
            self.asked.discard(name)
            self.requested.discard(name)
            need(before is None or before.published, "cards", f"the {name} deck is shuffled again and its order stays sealed")
            deck = self.decks[name] = audited_deck(order, sealed["secret"])
            self.sealed[part.version, n] = part, deck
            held = sha256("".join(deck.leaves).encode()).hexdigest() == commitment
            need(held, "cards", f"the {name} deck is not what its commitment says")

    def _published(self, part: SealedPart) -> None:
        """Check that a published key opens the order that was dealt."""
        for each in part.sealed.get("keys", ()):
            before, deck = self.sealed.pop((each["version"], each["deck"]))
            opened = before.opened(each["deck"], each["key"])
            need(opened == before.orders[each["deck"]], "cards", "the key that is published does not open the order that was dealt")
            deck.published = True

    def _shown(self, shown: Plain) -> None:
        place, leaf = shown["position"], shown.get("leaf", "")
        deck = self.in_play = self.in_play or self._deck_with(place, leaf)
        if place in deck.lies:
            at = _where(shown)
            need(at in (deck.lies[place], RACK), "cards", f"card {place} lies at {deck.lies[place]}, not at {at}")
        else:
            need(not deck.published, "cards", f"card {place} is dealt from a deck whose order everybody can open")
            need(place == deck.next(), "cards", f"card {place} is dealt where card {deck.next()} is next")
            need(leaf, "cards", f"card {place} is dealt without its commitment")
            deck.dealt[place] = _where(shown), shown.get("slot", 0)
        deck.lies[place] = _where(shown)
        need(leaf in ("", deck.leaves[place]), "cards", f"card {place} has another commitment than at the shuffle")
        if card := shown.get("card"):
            deck.shown.add(place)
            need(card == deck.order[place], "cards", f"card {place} is {deck.order[place]}, and is shown as {card}")
            opened = shown["salt"] == deck.salts[place] and bool(leaf)
            need(opened, "cards", f"card {place} is shown with a salt that does not open its commitment")

    def hands(self, box: int) -> Hands:
        """The cards that a box can make a hand of, by the place they were dealt to."""
        assert self.in_play is not None
        found: dict[str, list[tuple[int, str]]] = {}
        for place, (where, slot) in self.in_play.dealt.items():
            at, _, whose = where.rpartition(" ")
            if whose in (str(box), "0"):
                found.setdefault(at, []).append((slot, self.in_play.order[place]))
        return {at: tuple(card for _, card in sorted(cards, key=lambda each: each[0])) for at, cards in found.items()}

    def face_up(self, box: int) -> bool:
        """Whether a card of the box's own has been turned over."""
        assert self.in_play is not None
        own = [place for place, (where, _) in self.in_play.dealt.items() if where.endswith(f" {box}")]
        return any(place in self.in_play.shown for place in own)

    def _deck_with(self, place: int, leaf: str) -> AuditedDeck:
        """The deck that a first card came from: its commitment was made before the wagers were closed."""
        found = [(name, deck) for name, deck in self.decks.items() if not deck.lies and deck.leaves[place] == leaf]
        need(len(found) == 1, "cards", f"a card comes from {len(found)} decks that lie ready")
        ((name, deck),) = found
        idle = self.steps.pop(name, "")
        excused = self.stored and name not in self.requested and idle == STACKED
        need(not idle or excused, "cards", "a card comes from a deck that was not shuffled since the table was idle")
        if idle:
            self.stored = 0
            self.counts["stored decks dealt"] += 1
        return deck


def _where(shown: Plain) -> str:
    return RACK if shown["at"] == RACK else f"{shown['at']} {shown.get('seat', 0)}"
