"""Invariants of a table after every event: money, cards, the log."""

from __future__ import annotations

import msgspec

from croupier.ledger.canonical import is_canonical
from croupier.table.accounts import layout, meter, must_not_be_overdrawn, reserve
from croupier.table.events import Sealed, read_event, read_sealed, write_event, write_sealed
from croupier.table.fold import apply
from croupier.table.rules.irregularities import withdrawn
from croupier.table.state import Held, Round, State
from tests.table.pit import Pit


def money_holds(table: State) -> None:
    assert sum(table.accounts.values()) == 0
    for account, cents in table.accounts.items():
        assert cents >= 0 or not must_not_be_overdrawn(account), f"{account}: {cents}"
    boxes = {int(account.split()[1]) for account in table.accounts if account.endswith("layout")}
    for box in boxes | set(table.stakes) | set(table.round.stakes if table.round else ()):
        assert table.balance(layout(box)) == lying(table, box), f"box {box}"


def lying(table: State, box: int) -> int:
    """Stakes on the layout of a box, without those collected before the deal, forfeited, withdrawn, settled or abandoned."""
    current = table.round
    if current is None:
        return sum(table.stakes.get(box, {}).values())
    if box in current.settled or box in current.gone:
        return 0
    away = set(current.forfeited.get(box, ())) | withdrawn(table, current, box)
    away |= set(current.parts[box].wagers) if box in current.parts else set()
    wagers = table.rules.wagers
    return sum(
        stake
        for key, stake in current.stakes.get(box, {}).items()
        if key not in away and not wagers[key].collected and not wagers[key].electronic
    )


def meters_hold(pit: Pit) -> None:
    """What a meter shows beyond its seed matches the accounts of its only table."""
    for wager, shown in pit.meters.items():
        seed = pit.state.offer.progressives[wager].seed
        assert shown.amount - seed == pit.state.balance(meter(wager)), wager
        assert shown.reserve == pit.state.balance(reserve(wager)), wager


def cards_hold(table: State) -> None:
    """No card is in two places and none is lost: those on the table, in the rack and in the stub make up the deck."""
    assert len({deck.name for deck in table.decks}) == len(table.decks)
    if table.round is None:
        return
    deck = table.decks[table.round.deck]
    positions = [held.position for held in on_table(table.round)] + [held.position for held in table.round.rack]
    assert len(positions) == len(set(positions)) == deck.used
    assert len(positions) + deck.left == table.rules.decks.cards
    assert set(positions) == {(deck.top + n) % len(deck.order) for n in range(deck.used)}
    for held in (*on_table(table.round), *table.round.rack):
        assert deck.order[held.position] == held.card


def on_table(current: Round) -> list[Held]:
    racked = current.racked()
    piles = [*current.hands.values(), *current.fourths.values(), current.dealer, current.community]
    return [held for pile in piles for held in pile if held.position not in racked]


def log_holds(pit: Pit) -> None:
    """The log, read back from its bytes and replayed from the start, gives the live state to the byte."""
    again = State()
    for event, sealed in zip(pit.events, pit.secrets, strict=True):
        body = write_event(event)
        assert is_canonical(body)
        assert read_event(body) == event
        apply(again, read_event(body), read_sealed(write_sealed(Sealed(sealed))).decks)
    assert msgspec.json.encode(again) == pit.bytes()
