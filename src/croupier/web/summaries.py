"""The floor at a glance: a summary of each table, and what of it has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from functools import lru_cache

import msgspec

from croupier.filing.offer import Offer
from croupier.floor.premises import Premises
from croupier.money import Cents, percent
from croupier.odds.prices import Price, edge_of, edge_with, stake_of, wager_name
from croupier.table.state import offer_of
from croupier.web.edges import Edges
from croupier.web.seeing import Seeing
from croupier.wire import PayRow, PaySchedule, TableSummary, WagerSummary

EVERY = 1.0  # seconds between two looks at the floor
KEEP_ALIVE = 15
NOT_COUNTED = "not counted"


class Summaries:
    def __init__(self, premises: Premises, seeing: Seeing, edges: Edges) -> None:
        self.premises, self.seeing, self.edges = premises, seeing, edges
        self._stopping = asyncio.Event()

    def all(self) -> list[TableSummary]:
        return [self.of(table) for table in self.premises.standings if table not in self.premises.damaged]

    def of(self, table: str) -> TableSummary:
        state, standing = self.premises.house.table(table).state, self.premises.standings.get(table)
        assert standing is not None
        offer, rules = state.offer, state.rules
        self.edges.want(state.submission)
        (low, high), meters = state.posted, self.seeing.meters(state)
        return TableSummary(
            table=table,
            title=rules.title,
            game=rules.number,
            edition=rules.edition.name,
            offer=state.offer_hash,
            phase=state.phase.value,
            minimum=low,
            maximum=high,
            seats=rules.seats,
            players=dict(state.players),
            rounds=state.rounds,
            dealer=standing.dealer,
            practice=standing.practice,
            decision_seconds=state.decision_seconds,
            wagers=tuple(wagers(offer, self._edges(offer, meters))),
            paytables=schedules(state.submission),
            meters=meters,
        )

    def _edges(self, offer: Offer, meters: Mapping[str, Cents]) -> dict[str, str]:
        """By the wager, stated as everywhere; of a progressive with the meter as it stands."""
        found = self.edges.of(offer)
        if found is None:
            return {}
        told = {each["wager"]: _told(each, meters.get(each["wager"]), found.at_most(each)) for each in reversed(found.wagers)}
        not_counted = {s.of.group or s.of.name for s in offer.rules.settlements if wager_name(s.of) in found.not_counted}
        return told | dict.fromkeys(not_counted, NOT_COUNTED)

    def stop(self) -> None:
        self._stopping.set()

    async def stream(self) -> AsyncIterator[bytes]:
        """The whole floor first, then what changes, at most once a second."""
        before: dict[str, TableSummary] = {}
        quiet = 0
        while not self._stopping.is_set():
            now = {each.table: each for each in self.all()}
            changed = [each for name, each in now.items() if before.get(name) != each]
            if changed:
                yield b"event: tables\ndata: %s\n\n" % msgspec.json.encode(changed)
            elif quiet >= KEEP_ALIVE:
                yield b": still here\n\n"
            quiet = 0 if changed or quiet >= KEEP_ALIVE else quiet + 1
            before = now
            try:
                await asyncio.wait_for(self._stopping.wait(), EVERY)
            except TimeoutError:
                continue


def _told(price: Price, meter: Cents | None, at_most: Price | None) -> str:
    edge = edge_of(price) if meter is None or not price["meter"] else percent(edge_with(price, meter))
    fixed = price.get("stake") and not price["meter"]  # of a progressive the amount is filed, and stands beside it
    told = f"{edge} {stake_of(price)}" if fixed else edge
    return f"{told}, {edge_of(at_most)} {stake_of(at_most)}" if at_most else told


def wagers(offer: Offer, edges: dict[str, str]) -> list[WagerSummary]:
    """What can be bet on, as it is priced: a main game is one, with the wagers that are settled together."""
    made: dict[str, WagerSummary] = {}
    for settlement in offer.rules.settlements:
        of = settlement.of
        name = of.group or of.name
        if offer.offers(of) and name not in made:
            others = dict.fromkeys(w.name for w in settlement.settles if w.name != of.name and not of.group)
            amounts = of.amounts.words if of.amounts else ""
            made[name] = WagerSummary(name, str(of.cite), of.optional, amounts, edges.get(name, ""), tuple(others))
    return list(made.values())


@lru_cache(maxsize=256)
def schedules(submission: str) -> tuple[PaySchedule, ...]:
    offer = offer_of(submission)
    made = []
    for name, table in offer.tables.items():
        rows = tuple(PayRow(hand, str(odds)) for hand, odds in offer.column(name).items())
        made.append(PaySchedule(name, offer.letter(table) if table.lettered else "", str(table.cite), rows))
    return tuple(made)
