"""The floor at a glance: a summary of each table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import starmap

from croupier.filing.offer import Offer
from croupier.floor.premises import Premises
from croupier.law.wager import Wager
from croupier.money import Cents, percent
from croupier.odds.names import Price, wager_name
from croupier.odds.prices import Prices, edge_of, edge_with, stake_of
from croupier.printed.content.payouts import schedules
from croupier.printed.content.phrases import amount_words
from croupier.table.state import State, offer_of
from croupier.web.live.table_changes import TableChanges
from croupier.web.live.table_view import brief, own_name
from croupier.web.workers.odds_worker import Edges
from croupier.wire import PayRow, PaySchedule, Standing, TableSummary, WagerSummary

SECONDS_BETWEEN_LOOKS = 1.0  # seconds between two looks at the floor
NOT_COUNTED = "not counted"
Shown = tuple[int, Standing, dict[str, Cents], Prices | None]  # what a summary depends on; the first is the table's version


class Summaries(TableChanges):
    def __init__(self, premises: Premises, edges: Edges) -> None:
        super().__init__(self.all, SECONDS_BETWEEN_LOOKS)
        self.premises, self.edges = premises, edges
        self._made: dict[str, tuple[Shown, TableSummary]] = {}

    def all(self) -> list[TableSummary]:
        return [self.of(table) for table in self.premises.states()]

    def of(self, table: str) -> TableSummary:
        """The summary of a table, made again only when something in it may have changed."""
        state = self.premises.house.table(table).state
        self.edges.want(state.submission)
        meters = {wager: meter.amount for wager, meter in self.premises.house.shown_meters(state).items()}
        shown = state.version, self.premises.table_settings[table], meters, self.edges.of(state.offer)
        if table not in self._made or self._made[table][0] != shown:
            self._made[table] = shown, self._make(state, *shown[1:3])
        return self._made[table][1]

    def _make(self, state: State, settings: Standing, meters: dict[str, Cents]) -> TableSummary:
        offer, rules, (low, high) = state.offer, state.rules, state.posted
        return TableSummary(
            *brief(state, settings),
            edition=rules.edition.name,
            offer=state.offer_hash,
            minimum=low,
            maximum=high,
            rounds=state.rounds,
            dealer=settings.dealer,
            decision_seconds=state.decision_seconds,
            wagers=tuple(wager_summaries(offer, self._edges(offer, meters), self._edges(offer, meters, places=2))),
            paytables=pay_schedules(state.submission),
            meters=meters,
            name=own_name(state),
        )

    def _edges(self, offer: Offer, meters: Mapping[str, Cents], places: int = 4) -> dict[str, str]:
        """The edge of each wager in the usual wording; that of a progressive with its current meter."""
        found = self.edges.of(offer)
        if found is None:
            return {}
        stated = {
            each["wager"]: _stated(each, meters.get(each["wager"]), found.at_most(each), places) for each in reversed(found.wagers)
        }
        not_counted = {s.wager.group or s.wager.name for s in offer.rules.settlements if wager_name(s.wager) in found.not_counted}
        return stated | dict.fromkeys(not_counted, NOT_COUNTED)


def _stated(price: Price, meter: Cents | None, at_most: Price | None, places: int) -> str:
    edge = edge_of(price, places) if meter is None or not price["meter"] else percent(edge_with(price, meter), places)
    fixed = price.get("stake") and not price["meter"]  # a progressive's amount is filed and shown next to it
    stated = f"{edge} {stake_of(price)}" if fixed else edge
    return f"{stated}, {edge_of(at_most, places)} {stake_of(at_most)}" if at_most else stated


def wager_summaries(offer: Offer, edges: dict[str, str], short: dict[str, str]) -> list[WagerSummary]:
    """The offered wagers as they are priced: a main game is one, with all the wagers settled together."""
    made: dict[str, WagerSummary] = {}
    for settlement in offer.rules.settlements:
        of = settlement.wager
        name = of.group or of.name
        if offer.offers(of) and name not in made:
            others = dict.fromkeys(w.name for w in settlement.settles if w.name != of.name and not of.group)
            stated = edges.get(name, ""), tuple(others), short.get(name, "")
            made[name] = WagerSummary(name, str(of.cite), of.optional, _amounts(offer, of), *stated)
    return list(made.values())


@lru_cache(maxsize=256)
def pay_schedules(submission: str) -> tuple[PaySchedule, ...]:
    """What a filed game pays, as its sign has it."""
    offer = offer_of(submission)
    return tuple(
        PaySchedule(each.title, _letter(offer, each.table), each.cite, tuple(starmap(PayRow, each.rows)), each.condition)
        for each in schedules(offer)
    )


def _letter(offer: Offer, name: str) -> str:
    table = offer.tables.get(name)
    return offer.letter(table) if table and table.lettered else ""


def _amounts(offer: Offer, wager: Wager) -> str:
    """The allowed amounts of a wager, if they are not the table's limits."""
    own = wager.amounts or wager.name in offer.progressives or wager.name in offer.wager_limits
    return amount_words(offer, wager) if own else ""
