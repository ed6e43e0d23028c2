"""Disputes: a round described in TOML, verified and settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from croupier import book
from croupier.cards import JOKER, Card, Cards, NotACard, cards, show
from croupier.filing.check import KEYS, check
from croupier.filing.finding import cents_of
from croupier.filing.offer import Offer
from croupier.filing.pricing import Paid
from croupier.law.chapter import Rules
from croupier.law.cite import Cite, Refusal
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER, TIMED_OUT, Place, Position
from croupier.law.layout import Area
from croupier.law.paytable import Meter
from croupier.law.procedure import Act, AdjacentBoxes, Dealing, Setting, Stage, deliveries
from croupier.law.wager import Answer, Choice, read_decisions, the
from croupier.money import Cents
from croupier.table.events import line_of
from croupier.table.rules.stakes import stake_made, verify_boxes, verify_stakes, wagers_named
from croupier.table.settlement import MeterReading, SeatRound, SeatSettled, Settled, Settling

PLAYERS = "player's "  # before the name of a place
SEAT = {"player", "cards", "wagers", "decision", "set"}
TOP = {"game", "edition", "offer", "system", "meters", "dealer", "community", "seats", "title"}


@dataclass(frozen=True)
class Case:
    """A described round, ready to settle."""

    offer: Offer
    seats: Mapping[int, SeatRound]
    meters: Mapping[str, Cents]
    reserves: Mapping[str, Cents]

    @property
    def dealers_hand(self) -> str:
        """What the dealer's hand is called; empty if the dealer has none."""
        return self._announced(DEALER, next(iter(self.seats)))

    def hand_of(self, seat: int) -> str:
        """What a player's hand is called, if the chapter has a name for it apart from its settlement."""
        return self._announced(PLAYER, seat)

    def _announced(self, whose: Place, seat: int) -> str:
        position = replace(self.seats[seat].position, readings=self.offer.readings)
        return self.offer.rules.announced(whose, position)

    def settle(self) -> Settled:
        """Settle the round. Meters not given are at their seed, with empty reserves."""
        settling = Settling(self.offer, self.seats, dict(self.meters), dict(self.reserves))
        before = dict(settling.meters)
        settled = tuple(settling.settle(seat) for seat in settling.order)
        settling.finish()
        return Settled(settled, {name: MeterReading(amount, settling.meters[name]) for name, amount in before.items()})

    def as_data(self, result: Settled) -> dict[str, Any]:
        """The settled round as plain data. Amounts are cents."""
        return {
            "game": self.offer.rules.number,
            "edition": self.offer.rules.edition.name,
            "dealer_hand": self.dealers_hand,
            "settled": [self._seat_data(seat) for seat in result.seats],
            "meters": {name: {"before": meter.before, "after": meter.after} for name, meter in result.meters.items()},
        }

    def _seat_data(self, seat: SeatSettled) -> dict[str, Any]:
        """One seat, with `player` if the case says whose it is, and `hand` if players set hands in this game."""
        optional = {"player": self.seats[seat.seat].player, "hand": self.hand_of(seat.seat)}
        lines = [_line_data(line) for line in seat.lines]
        return {"seat": seat.seat, "lines": lines, "net": seat.net} | {name: words for name, words in optional.items() if words}


def _line_data(paid: Paid) -> dict[str, Any]:
    """One line. `on` is the hand it was placed on, for a wager that can be placed on either of two."""
    line = line_of(paid)
    data = {name: getattr(line, name) for name in ("wager", "hand", "outcome", "stake", "pays", "returns")}
    data |= {"odds": line.odds or None, "from": line.source or None, "cite": line.cite}
    return data | ({"on": line.on} if line.on else {})


def read_case(raw: Mapping[str, Any], offer: Offer | None = None) -> Case:
    """Verify a described round; a refusal names the clause. If an Offer is given, it replaces the case's own choices."""
    game = raw.get("game", "")
    if not isinstance(game, str) or not game:
        raise Refusal("“game” is missing", book.ANY_GAME, ", ".join(book.MODULES))
    chapter = book.find(game)
    filed_edition = offer.rules.edition.name if offer and offer.rules.chapter is chapter else ""
    rules = chapter.edition(str(raw.get("edition", filed_edition)))
    if offer and (rules.number, rules.edition) != (offer.rules.number, offer.rules.edition):
        filed = f"{offer.rules.number}, {offer.rules.edition}"
        found = f"the case is for {rules.number}, {rules.edition}, the submission for {filed}"
        raise Refusal(found, "601a.2", f"a case for {filed}")
    if offer and "offer" in raw:
        raise Refusal("the case has its own choices in addition to the submission", "601a.2", "no [offer]")
    if "title" in raw and not isinstance(raw["title"], str):
        raise Refusal("“title” is not text", rules.cite("11"), "a sentence")
    if unknown := sorted(set(raw) - TOP):
        raise Refusal(f"“{unknown[0]}” is not a key of a case", rules.cite("11"), ", ".join(sorted(TOP)))
    reader = _CaseReader(rules, raw, filed=offer is not None)
    return reader.case(offer or reader.own_choices())


@dataclass
class _CaseReader:
    rules: Rules
    raw: Mapping[str, Any]
    filed: bool  # settled under a submission, which names everything

    def need(self, condition: object, said: str, clause: str, accepted: str = "") -> None:
        if not condition:
            raise Refusal(said, self.rules.cite(clause), accepted)

    def table(self, key: str, raw: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """A table of the case, or of a part of it; empty if it is not there."""
        value = (self.raw if raw is None else raw).get(key, {})
        self.need(isinstance(value, Mapping), f"“{key}” is not a table of names and values", "11", f"[{key}]")
        return value  # type: ignore[no-any-return]

    def cards(self, text: object, whose: str) -> Cards:
        if not isinstance(text, str):
            raise Refusal(f"{whose}: the cards are missing or are not text", self.rules.cite("3(a)"), "cards such as “As Td 9c”")
        try:
            return cards(text)
        except NotACard as wrong:
            raise Refusal(f"{whose}: {wrong}", self.rules.cite("3(a)")) from None

    def own_choices(self) -> Offer:
        """The Offer of a case without a submission. The optional wagers made at its seats count as offered."""
        chosen, known = self.table("offer"), [key for key in KEYS if key not in ("game", "edition", "system")]
        seats = [seat for seat in self.table("seats").values() if isinstance(seat, Mapping)]
        names = {name for seat in seats for name in self.table("wagers", seat)}
        used = sorted({wager.name for wager in self.rules.wagers.values() if wager.optional and wager.name in names})
        if unknown := sorted(set(chosen) - set(known)):
            raise Refusal(f"offer: “{unknown[0]}” is not a choice of a case", "601a.2", ", ".join(known))
        return check({"wagers": used, **chosen}, rules=self.rules, case=True).offer_or_refuse()

    def case(self, offer: Offer) -> Case:
        seats = dict(self._seats())
        players = self._players(offer, seats)
        stakes = {seat: self._stakes(offer, seat, raw) for seat, raw in seats.items()}
        shared = {DEALER: self._shared("dealer"), COMMUNITY: self._shared("community")}
        held = {seat: self._held(seat, raw) for seat, raw in seats.items()}
        self._verify_card_counts(stakes, shared, held)
        of_seats = {f"seat {seat}": hands[PLAYER] + hands[FOURTH] for seat, hands in held.items()}
        self._verify_no_duplicates({"dealer": shared[DEALER], "community": shared[COMMUNITY]} | of_seats)
        system = self._system(offer, seats)
        rounds = {}
        for seat, raw in seats.items():
            answers = self._decisions(offer, seat, raw, stakes[seat])
            choices = tuple(answer.choice for answer in answers)
            self._verify_holdings(seat, choices, shared | held[seat])
            decided = zip(self.rules.decisions, choices, strict=False)
            made = filter(None, (stake_made(stakes[seat], decision, choice) for decision, choice in decided))
            position = Position(
                cards=shared | held[seat],
                seat=seat,
                decided=tuple(choice.word for choice in choices),
                folded=any(choice.folds for choice in choices),
                set_aside=self._setting(offer, seat, raw, held[seat][PLAYER]),
                **system,
            )
            rounds[seat] = SeatRound(position, stakes[seat] | dict(made), players[seat], tuple(answer.words for answer in answers))
        return Case(offer, rounds, self._meters(), self._meters("reserve"))

    # seats and stakes

    def _seats(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        seats = self.table("seats")
        self.need(seats, "no seats are described", "7(b)", "at least one [seats.N]")
        for name, raw in seats.items():
            known = name in map(str, range(1, self.rules.seats + 1))
            self.need(known, f"there is no seat “{name}”", "2(a)", f"seats 1 to {self.rules.seats}")
            if not isinstance(raw, Mapping) or (unknown := sorted(set(raw) - SEAT)):
                found = f"“{unknown[0]}” is not a key of a seat" if isinstance(raw, Mapping) else "not a table of names and values"
                raise Refusal(f"seat {name}: {found}", self.rules.cite("7(b)"), ", ".join(sorted(SEAT)))
            yield int(name), raw

    def _players(self, offer: Offer, seats: Mapping[int, Mapping[str, Any]]) -> dict[int, str]:
        """Who plays which seats, if the case says so. A player's seats must be adjacent and within the number allowed."""
        names: dict[int, str] = {}
        for seat, raw in seats.items():
            name = raw.get("player", "")
            right = isinstance(name, str) and (name.strip() or "player" not in raw)
            self.need(right, f"seat {seat}: “player” is not a name", "7(b)", "a name, the same at all of the player's seats")
            names[seat] = name.strip()
        counted = self.filed or "adjacent_boxes" in self.table("offer")
        several = self.rules.of(AdjacentBoxes)[0].chosen_by_submission
        for name in set(names.values()) - {""}:
            try:
                mine = [seat for seat in seats if names[seat] == name]
                verify_boxes(self.rules, mine, self.rules.seats if several and not counted else offer.adjacent_boxes)
            except Refusal as refusal:
                raise refusal.at(name) from None
        return names

    def _stakes(self, offer: Offer, seat: int, raw: Mapping[str, Any]) -> dict[str, Cents]:
        stakes: dict[str, Cents] = {}
        for name, value in self.table("wagers", raw).items():
            for key, amount in self._wagers_by_name(seat, name, value):
                self.need(key not in stakes, f"seat {seat}: {the(key)} is named twice", "7(d)", "each wager once")
                stakes[key] = cents_of(amount)
                found = f"seat {seat}: “{amount}” is not a valid amount for {the(name)}"
                self.need(stakes[key] > 0, found, "7(a)", "dollars and whole cents, more than $0, as a number without quotes")
        choices = self.table("offer")  # without a submission, only the limits that the case names apply
        least = offer.minimum if self.filed or "minimum" in choices else 0
        most = offer.maximum if self.filed or "maximum" in choices else 0
        verify_stakes(offer, seat, stakes, (least, most))
        return stakes

    def _wagers_by_name(self, seat: int, name: str, value: object) -> Iterator[tuple[str, object]]:
        """The wagers that a name in a case refers to: one, one on each side, or several that the code names as a group."""
        sides = {wager.side: wager for wager in self.rules.wagers.values() if wager.name == name and wager.side}
        if sides and isinstance(value, Mapping) and value and set(value) <= set(sides):
            yield from ((sides[side].key, amount) for side, amount in value.items())
        elif sides:
            ways = " or ".join(f"{{ {side} = … }}" for side in sides)
            raise Refusal(f"seat {seat}: {the(name)} must be placed on a hand", next(iter(sides.values())).cite, ways)
        else:
            wagers = wagers_named(self.rules, seat, name)
            self.need(
                not isinstance(value, Mapping), f"seat {seat}: {the(name)} must be a single amount", "7(a)", "an amount in dollars"
            )
            yield from ((wager.key, value) for wager in wagers)

    # cards

    def _shared(self, whose: str) -> Cards:
        raw = self.table(whose)
        self.need(set(raw) <= {"cards"}, f"{whose}: only “cards” can be given here", "8", "cards")
        return self.cards(raw.get("cards", ""), whose)

    def _held(self, seat: int, raw: Mapping[str, Any]) -> dict[Place, Cards]:
        text = raw.get("cards")
        own, _, fourth = text.partition("/") if isinstance(text, str) else (text, "", "")
        return {PLAYER: self.cards(own, f"seat {seat}"), FOURTH: self.cards(fourth, f"seat {seat}")}

    def _verify_card_counts(
        self, stakes: Mapping[int, Mapping[str, Cents]], shared: Mapping[Place, Cards], held: Mapping[int, Mapping[Place, Cards]]
    ) -> None:
        """Every place must have the cards that the dealing script gives it. Places used only for a wager may have them anyway."""
        dealing = self.rules.of(Dealing)[0]
        placed = {seat: frozenset(keys) for seat, keys in stakes.items()}
        everything = {seat: frozenset(self.rules.wagers) for seat in stakes}
        needed, full = (Counter((d.to, d.seat) for d in deliveries(dealing.script, seats)) for seats in (placed, everything))
        clauses: dict[Place, Cite] = {}
        for stage in self.rules.of(Stage):
            if stage.act is Act.DEAL and stage.place:
                clauses.setdefault(stage.place, stage.cite)
                needed[(stage.place, 0)] += stage.cards
                full[(stage.place, 0)] += stage.cards
        found = {(place, 0): hand for place, hand in shared.items()}
        found |= {(place, seat): hand for seat, hands in held.items() for place, hand in hands.items()}
        for where, hand in found.items():
            if len(hand) not in (needed[where], full[where]):
                raise self._miscounted(where, hand, needed[where], full[where], clauses)

    def _miscounted(self, where: tuple[Place, int], hand: Cards, needed: int, full: int, clauses: Mapping[Place, Cite]) -> Refusal:
        (place, seat), due = where, needed or full
        whose = f"seat {seat}'s {place.value.removeprefix(PLAYERS)}" if seat else f"the {self._place_name(place)}"
        missing = "is missing" if due == 1 else "are missing"
        wrong = f"{whose}: {len(hand)} instead of {due} ({show(hand)})" if hand else f"{whose} {missing}"
        accepted = " or ".join(f"{n} card{'s' * (n > 1)}" if n else "none" for n in sorted({needed, full}))
        accepted += " under [community]" if place is COMMUNITY else ""
        return Refusal(wrong, clauses.get(place, self.rules.of(Dealing)[0].cite), accepted)

    def _place_name(self, place: Place) -> str:
        """What a place for cards is called: usually by what it is, sometimes only by the name of its area on the layout."""
        name = next((area.name for area in self.rules.of(Area) if area.cards is place), place.value)
        return place.value if place.value in name.lower() else name

    def _verify_no_duplicates(self, hands: Mapping[str, Cards]) -> None:
        deck, seen = self.rules.decks, dict[Card, str]()
        for whose, held in hands.items():
            for card in held:
                a_card = card != JOKER or deck.jokers
                self.need(a_card, f"{whose}: there is no joker in this game", "3(a)", f"a deck of {deck.cards} cards")
                twice = whose if seen.get(card) == whose else f"{seen.get(card)} and {whose}"
                self.need(card not in seen, f"{card} is on the table twice: {twice}", "3(a)", f"one deck of {deck.cards} cards")
                seen[card] = whose

    # decisions, settings, the system and the meters

    def _decisions(self, offer: Offer, seat: int, raw: Mapping[str, Any], stakes: Mapping[str, Cents]) -> tuple[Answer, ...]:
        asked = tuple(decision for decision in self.rules.decisions if stakes.get(decision.asked_of.key))
        text = raw.get("decision", "")
        if not asked:
            found = f"seat {seat}: this player has no decision to make, but the case says “{text}”"
            self.need("decision" not in raw, found, "11", "no decision")
            return ()
        if not isinstance(text, str) or not text:
            words = " or ".join(f"“{choice.word}”" for choice in asked[0].choices)
            raise Refusal(f"seat {seat}: the decision is missing", asked[0].cite, words)
        if self.filed and TIMED_OUT in text and not offer.decision_seconds:
            raise Refusal(f"seat {seat}: no time limit for decisions is filed", "601a.2", "the player's own decision")
        try:
            return read_decisions(text, asked, offer.readings)
        except Refusal as refusal:
            raise refusal.at(f"seat {seat}") from None

    def _verify_holdings(self, seat: int, choices: tuple[Choice, ...], cards: Mapping[Place, Cards]) -> None:
        """A choice that asks for a hand is of the cards that lay face up by then."""
        for decision, choice in zip(self.rules.decisions, choices, strict=False):
            seen = Position({**cards, COMMUNITY: cards[COMMUNITY][: self.rules.turned_before(decision)]})
            if choice.holding and not choice.holding.of(seen):
                raise Refusal(f"seat {seat}: “{choice.word}” needs {choice.holding.name}", self.rules.cite(choice.clause))

    def _setting(self, offer: Offer, seat: int, raw: Mapping[str, Any], five: Cards) -> Cards:
        if "set" not in raw:
            return ()
        self.need(self.rules.of(Setting), f"seat {seat}: players do not set hands in this game", "11", "no “set”")
        setting, three = self.rules.of(Setting)[0], self.cards(raw["set"], f"seat {seat}")
        if len(three) != 3 or len(set(three)) != 3 or not set(three) <= set(five):
            found = f"seat {seat}: {show(three)} is not a three-card hand from {show(five)}"
            raise Refusal(found, setting.cite, "three of the five cards")
        if not setting.may_be(five, three, offer.readings):
            found = f"seat {seat}: setting {show(three)} does not qualify, but another setting of the hand does"
            raise Refusal(found, setting.cite, setting.words)
        return three

    def _system(self, offer: Offer, seats: Iterable[int]) -> dict[str, Any]:
        raw, draws, found = self.table("system"), self.rules.draws, dict[str, Any]()
        self.need(draws or not raw, "no wager in this edition uses a table game system", "2", "no [system]")
        positions = self.rules.positions_drawn(seats, offer.readings)
        for key, value in sorted(raw.items()):
            self.need(key in draws, f"system: “{key}” is not something the system draws", "1", ", ".join(draws))
            if draws[key].of_position:
                known = value in positions and not isinstance(value, bool)
                self.need(known, f"system: “{value}” is not a {draws[key].called}", "1", ", ".join(map(str, positions)))
                found["drawn_position"] = value
            else:
                drawn = self.cards(value, "system")
                self.need(len(drawn) == 1 and drawn[0] != JOKER, f"system: only one {draws[key].called} is drawn", "1", "one card")
                found["drawn_card"] = drawn[0]
            self.need(offer.draws.get(key, 1), f"system: no {key} is drawn under this submission", "1", f"no {key}")
        return found

    def _meters(self, key: str = "amount") -> dict[str, Cents]:
        """The amount that each described meter shows, or that its reserve holds."""
        meters, known = {}, dict.fromkeys(meter.wager.name for meter in self.rules.of(Meter))
        for name, raw in self.table("meters").items():
            self.need(name in known, f"the {name} has no meter", "12", ", ".join(known) or "none in this edition")
            right = isinstance(raw, Mapping) and {"amount"} <= set(raw) <= {"amount", "reserve"}
            meters[name] = cents_of(raw.get(key, 0)) if right else -1
            accepted = "amount = dollars and whole cents, and the same for reserve if it holds anything"
            self.need(meters[name] >= 0, f"the meter of the {name} has no valid amount", "12", accepted)
        return meters
