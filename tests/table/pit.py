"""A table for tests: opened with any edition and devices, with a clock and shuffles that the test controls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
import pytest

from croupier import book
from croupier.cards import deck as full_deck
from croupier.filing.template import example_choices
from croupier.floor.dealer.automatic_dealer import Action, PracticeStaff
from croupier.floor.house.shuffle import Seeded
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER
from croupier.law.procedure import Act, Dealing, Irregularity, Reshuffler, Setting, deliveries
from croupier.law.wager import Decision
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.commands import Command, SealedDeck
from croupier.table.engine import Table, secrets_of
from croupier.table.events import Event
from croupier.table.meters import MeterState
from croupier.table.rules.round_play import pending
from croupier.table.state import Condition, Phase, State, cards_of, offer_of
from tests.book.desk import NAMES
from tests.examples import editions

SECOND, HOUR = 1000, 3_600_000
SECRET = "5e" * 32

Choose = Callable[[int, Decision], str]


def name(rules: Rules) -> str:
    return f"{rules.number}-{rules.edition}"


EDITIONS = {name(rules): rules for rules in editions()}
OF_THE_BOOK = {key: rules for key, rules in EDITIONS.items() if rules.chapter.law}  # those with figures that the tests know
METHODS = {f"{name(rules)}-{dealing.method.value}": (rules, dealing) for rules in editions() for dealing in rules.of(Dealing)}
BOOK_METHODS = {key: method for key, method in METHODS.items() if method[0].chapter.law}
every_method = pytest.mark.parametrize(("rules", "dealing"), METHODS.values(), ids=METHODS)


#: For tests that take about a second for each method: `make test` tries these, CI all.
SOME_METHODS = (
    "643a-2011-06-14-hand",
    "649a-2019-11-02-manual shoe",
    "653a-2011-06-14-continuous shoe",
    "680a-2015-12-12-automated shoe",
)
some_methods = pytest.mark.parametrize(
    ("rules", "dealing"),
    [pytest.param(*METHODS[key], id=key, marks=() if key in SOME_METHODS else pytest.mark.thorough) for key in METHODS],
)


def find(number: str) -> Rules:
    return book.find(number).edition("")


def devices(method: str, **more: Any) -> dict[str, Any]:
    """Devices for a dealing method: a shuffler wherever the code has one, and then two decks."""
    continuous = method == "continuous shoe"
    usual = {
        "method": method,
        "shuffler": method != "manual shoe" and not continuous,
        "counts_cards": method != "manual shoe",
        "reshuffles": continuous,
        "decks": 1 if method == "manual shoe" or continuous else 2,
    }
    return usual | more


def must_count(rules: Rules, method: str) -> bool:
    """Whether a device that reshuffles must also count the cards, as some texts require (.5(g))."""
    return method == "continuous shoe" and rules.of(Reshuffler)[0].counts


def toml(data: Mapping[str, Any]) -> str:
    return "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


@lru_cache(maxsize=512)
def _submission(number: str, edition: str, changes: str) -> str:
    data = example_choices(book.find(number).edition(edition))
    for key, value in json.loads(changes).items():
        if value is None:
            data.pop(key, None)
        else:
            merged = data.get(key, {}) | value if isinstance(value, dict) else value
            data[key] = {name: each for name, each in merged.items() if each is not None} if isinstance(merged, dict) else merged
    return toml(data)


def submission(rules: Rules, method: str = "automated shoe", dealing: Mapping[str, Any] | None = None, **changes: Any) -> str:
    """The example submission with other devices and choices. A mapping is merged with the example's; None removes the choice."""
    changes["dealing"] = devices(method, **(dealing or {})) | ({"counts_cards": True} if must_count(rules, method) else {})
    return _submission(rules.number, rules.edition.name, json.dumps(changes))


class Pit(Table):
    """A table with a dealer who does whatever is next, players who do as they are told, and a stacked deck on request."""

    def __init__(
        self,
        rules: Rules,
        method: str = "automated shoe",
        *,
        seed: int = 7,
        opener: int = 10**9,
        decision_seconds: int = 0,
        **changes: Any,
    ) -> None:
        self.now = SECOND
        self.secrets: list[tuple[SealedDeck, ...]] = []  # what each event only commits to
        self.random = Random(seed)
        self.staff = PracticeStaff(Seeded(seed), by_card=True)
        super().__init__(clock=lambda: self.now)
        text = submission(rules, method, **{"decisions": {"seconds": decision_seconds}} | changes)
        offer = offer_of(text)
        self.meters |= {wager: MeterState(terms.seed) for wager, terms in offer.progressives.items()}
        opened = {"table": "T1", "submission": text, "offer": offer.hash, "opener": opener}
        self.open_table(by="floorperson", **opened, linked=dict(offer.linked))

    def do(self, command: Command, by: str) -> Event:
        event = super().do(command, by)
        self.secrets.append(secrets_of(command))
        self.now = max(self.now, self.state.time) + SECOND
        return event

    def fork(self) -> Pit:
        """Another table in the same state, with a separate log from here on."""
        other = object.__new__(Pit)
        Table.__init__(other, clock=lambda: other.now)
        other.now, other.random, other.staff = self.now, Random(1), PracticeStaff(Seeded(1), by_card=True)
        other.meters, other.secrets = dict(self.meters), []
        other.state = msgspec.json.decode(msgspec.json.encode(self.state), type=State)
        return other

    def bytes(self) -> bytes:
        return msgspec.json.encode(self.state)

    # people

    def seat(self, *seats: int, chips: int = 10_000_00) -> Pit:
        for seat in seats:
            self.sit(by=f"player:{seat}", seat=seat, player=f"Player {seat}")
            self.buy_in(by=f"player:{seat}", seat=seat, amount=chips)
            if any(wager.electronic and self.state.offer.offers(wager) for wager in self.state.rules.wagers.values()):
                self.fund_game_account(by=f"player:{seat}", seat=seat, amount=chips // 10)
        return self

    def bet(self, seat: int, box: int = 0, **wagers: int) -> Pit:
        """Place wagers by the short names of tests.book.desk, in dollars."""
        for short, amount in wagers.items():
            key = _KEYS.get(short) or NAMES[short]
            self.place_wager(by=f"player:{seat}", seat=box or seat, wager=key, amount=dollars(amount))
        return self

    def bet_everything(self, seat: int, box: int = 0, ante: int = 10) -> Pit:
        """Place every wager that the edition and the submission have."""
        done = set()
        for wager in self.state.rules.wagers.values():
            group = wager.group or wager.key
            if wager.made_by_decision or not self.state.offer.offers(wager) or group in done:
                continue
            done.add(group)
            self.place_wager(by=f"player:{seat}", seat=box or seat, wager=group, amount=self.amount(wager.name, ante))
        return self

    def amount(self, wager: str, ante: int) -> int:
        terms, known = self.state.offer.progressives.get(wager), self.state.rules.wagers.get(wager)
        if terms:
            return terms.amount
        return dollars(1) if known and known.amounts and known.amounts.fixed else dollars(ante)

    # the staff

    def step(self, choose: Choose | None = None) -> Event | None:
        """The next thing to do, done by whoever has to do it. None when the table waits for wagers."""
        if action := self.staff.next(self.state, self.now):
            return self.do(action[1], action[0])
        return self.answer(choose) if self.state.phase is Phase.COMPLETING else None

    def answer(self, choose: Choose | None = None) -> Event:
        action = self.next_action(choose)
        return self.do(action[1], action[0])

    def next_action(self, choose: Choose | None = None) -> Action:
        """What the player whose turn it is says."""
        table, current = self.state, self.state.round
        assert current is not None
        stage, box = table.stages[current.stage], pending(table, current)[0]
        by = f"player:{table.boxes[box]}"
        if stage.act is Act.SET:
            return by, say.SetHand(seat=box, cards=self._setting(box))
        assert stage.decision is not None
        said = choose(box, stage.decision) if choose else self.random.choice(self._answers(by, box, stage.decision))
        return by, say.Decide(seat=box, choice=said)

    def _answers(self, by: str, box: int, decision: Decision) -> list[str]:
        """Words of the choices that the player's hand allows."""
        words = [choice.word for choice in decision.choices if choice.holding is None]
        holding = [choice.word for choice in decision.choices if choice.holding]
        return words + [word for word in holding if self.can(say.Decide(seat=box, choice=word), by)]

    def _setting(self, box: int) -> tuple[int, int, int]:
        assert self.state.round is not None
        rule, held = self.state.rules.of(Setting)[0], self.state.round.hands[box]
        five = cards_of(held)
        ways = [(a, b, c) for a in range(1, 6) for b in range(a + 1, 6) for c in range(b + 1, 6)]
        return next(way for way in ways if rule.allows(five, tuple(five[n - 1] for n in way)))

    def ready(self) -> Pit:
        """Do everything up to the next wagers."""
        while self.state.phase in (Phase.OPENING, Phase.BETTING) and self.step():
            pass
        return self

    def lock(self) -> Event:
        by, command = self.staff.no_more_bets(self.state)
        return self.do(command, by)

    def play_until(self, done: Callable[[State], bool], choose: Choose | None = None) -> Pit:
        while self.state.round is not None and not done(self.state):
            self.step(choose)
        return self

    def until(self, act: Act, choose: Choose | None = None, nth: int = 1) -> Pit:
        """Play until the nth stage of an act is next."""
        stages = [number for number, stage in enumerate(self.state.stages) if stage.act is act]
        return self.play_until(lambda table: stage_of(table) >= stages[nth - 1], choose)

    def finish(self, choose: Choose | None = None) -> Pit:
        return self.play_until(lambda _: False, choose)

    def last(self, count: int = 1) -> list[Event]:
        return self.events[-count:]

    def round_of(self, *seats: int, choose: Choose | None = None) -> Pit:
        """Play a whole round in which these seats make every wager."""
        self.ready()
        for seat in seats:
            self.bet_everything(seat)
        self.lock()
        return self.finish(choose)

    # the stacked deck

    def stack(
        self, hands: Mapping[int, str], dealer: str = "", community: str = "", fourths: Mapping[int, str] | None = None
    ) -> Pit:
        """Shuffle the next deck again, on the floorperson's order, so that the current wagers get these hands."""
        deck = self.state.decks[self.state.next_deck()]
        if deck.condition in (Condition.SHUFFLED, Condition.READY):
            self.order_shuffle(by="floorperson", deck=deck.name)
        wanted = list(self._order(hands, dealer, community, fourths or {}))
        cut = 0 if self.state.shuffler or self.state.reshuffles else 10
        order = wanted[-cut:] + wanted[:-cut] if cut else wanted
        self.do(say.ShuffleDeck(deck=deck.name, sealed=SealedDeck(tuple(order), SECRET)), "dealer")
        if cut:
            self.cut_deck(by="dealer", deck=deck.name, depth=cut)
        return self

    def _order(self, hands: Mapping[int, str], dealer: str, community: str, fourths: Mapping[int, str]) -> Iterator[str]:
        table = self.state
        piles = {(PLAYER, seat): text.split() for seat, text in hands.items()}
        piles |= {(FOURTH, seat): text.split() for seat, text in fourths.items()}
        piles |= {(DEALER, 0): dealer.split(), (COMMUNITY, 0): community.split()}
        named = {card for pile in piles.values() for card in pile}
        others = [str(card) for card in full_deck(table.rules.decks.jokers) if str(card) not in named]
        self.random.shuffle(others)
        places: list[Any] = [
            (d.to, d.seat) for d in deliveries(table.dealing.script, {b: frozenset(s) for b, s in table.stakes.items()})
        ]
        if not any(place == (COMMUNITY, 0) for place in places):
            for stage in table.stages:
                places += [None] if stage.act is Act.BURN else [(COMMUNITY, 0)] * stage.cards if stage.act is Act.DEAL else []
        for place in places:
            yield piles[place].pop(0) if piles.get(place) else others.pop()
        yield from (card for pile in piles.values() for card in pile)
        yield from others


_KEYS = {"on_player": "Five Card Hand Bonus Wager: player", "on_dealer": "Five Card Hand Bonus Wager: dealer"}


def stage_of(table: State) -> int:
    """The stage of .11 that is next; negative during the deal."""
    assert table.round is not None
    return table.round.stage if table.phase is Phase.COMPLETING else -1


def always(*words: str) -> Choose:
    """The first of these words that is a choice in the decision."""

    def choose(box: int, decision: Decision) -> str:
        return next(word for word in words if any(word == choice.word for choice in decision.choices))

    return choose


def STAYS(box: int, decision: Decision) -> str:
    """The first choice that keeps a hand in."""
    return next(choice.word for choice in decision.choices if not choice.folds and not choice.withdraws)


def FOLDS(box: int, decision: Decision) -> str:
    """The choice that costs the least."""
    return next(choice.word for choice in reversed(decision.choices) if not choice.makes)


def by_seat(**said: Choose) -> Choose:
    """One choice for each box, as in by_seat(s1=STAYS, s2=FOLDS)."""
    return lambda box, decision: said[f"s{box}"](box, decision)


def refused(problem: Refusal | None, cite: str, *words: str) -> None:
    """Expect a refusal under this clause whose sentence contains these words."""
    assert problem is not None, f"granted; a refusal under {cite} was expected"
    assert problem.cite == cite, f"{problem}; expected {cite}"
    for word in words:
        assert word in str(problem), f"“{word}” is not in: {problem}"


def irregularities(rules: Rules) -> list[Irregularity]:
    return list(rules.of(Irregularity))


def opened(rules: Rules, method: str = "automated shoe", *seats: int, **changes: Any) -> Pit:
    """A table that waits for wagers, with these seats taken."""
    pit = Pit(rules, method, **changes).seat(*(seats or (1,)))
    return pit.ready()
