"""Double entry: every settlement line as transfers between named accounts. What one account loses, another gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from croupier.filing.offer import Offer
from croupier.filing.pricing import METER, TABLE_INVENTORY, Paid
from croupier.law.paytable import Envy
from croupier.law.procedure import Validation
from croupier.law.wager import Wager
from croupier.money import Cents

DROP_BOX, TIP_BOX, CAGE, OUTSIDE = "drop box", "tip box", "cage", "players' own money"


class Move(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A transfer of cents from one account to another."""

    source: str
    target: str
    cents: Cents


def layout(seat: int) -> str:
    return f"seat {seat} layout"


def chips(seat: int) -> str:
    return f"seat {seat} chips"


def game_account(seat: int) -> str:
    return f"seat {seat} game account"


def kept_for(player: str) -> str:
    """Chips that the house keeps for a player whose seat was freed. The quotes end the name: it may end like another account."""
    return f"kept for “{player}”"


def purse(wager: Wager | None, seat: int) -> str:
    """Where a player's stake on a wager comes from and returns to."""
    return game_account(seat) if wager and wager.electronic else chips(seat)


def meter(wager: str) -> str:
    return f"meter of the {wager}"


def reserve(wager: str) -> str:
    return f"reserve of the {wager}"


def jackpot(wager: str) -> str:
    """Money drawn from a meter and held until each winner's turn."""
    return f"jackpot of the {wager}"


def must_not_be_overdrawn(account: str) -> bool:
    """An account of chips at the table. The cage, the meters and players' own money are kept elsewhere and only balanced here."""
    return account in (TABLE_INVENTORY, DROP_BOX, TIP_BOX) or account.startswith(("seat ", "jackpot ", "kept "))


def moves(offer: Offer, seat: int, home: int, lines: Iterable[Paid]) -> Iterator[Move]:
    """The transfers for one seat's lines: stakes lost and returned, and payouts. `home` is the seat of the player on this box."""
    for line in lines:
        wager = _wager_of(offer, line)
        # a stake collected before the deal is already in the table inventory; all others are on the layout
        held = TABLE_INVENTORY if not line.stake or (wager and wager.system) else layout(seat)
        if line.returns:
            yield Move(held, purse(wager, home), line.returns)
        if held != TABLE_INVENTORY and line.stake > line.returns:
            yield Move(held, TABLE_INVENTORY, line.stake - line.returns)
        if line.pays:
            yield from _payment(offer, purse(wager, home), line)


def _wager_of(offer: Offer, line: Paid) -> Wager | None:
    """The wager of a line. A bonus on a hand that was wagered on belongs to that wager and is paid to the same account."""
    wagers = offer.rules.wagers.values()
    return next((w for w in wagers if w.side == line.side and (w.name == line.wager or line.side)), None)


def _payment(offer: Offer, to: str, line: Paid) -> Iterator[Move]:
    """A share of the meter goes through the table inventory, or is paid at the cage if the code says so.

    Under one reading, an Envy Bonus is paid from the meter of its progressive wager.
    """
    if line.source == METER:
        name = next((envy.wager.name for envy in offer.rules.of(Envy) if envy.name == line.wager), line.wager)
        if not_from_inventory(offer, line):
            yield Move(jackpot(name), CAGE, line.pays)
            return
        yield Move(jackpot(name), TABLE_INVENTORY, line.pays)
    yield Move(TABLE_INVENTORY, to, line.pays)


def not_from_inventory(offer: Offer, line: Paid) -> bool:
    """Is this a meter payout that must not come from the table inventory or a game account?"""
    rule = next((r for r in offer.rules.of(Validation) if r.wager.name == line.wager and r.wager.side == line.side), None)
    return bool(rule and line.pays and line.source == METER and line.odds and line.odds.amount >= rule.not_from_inventory)


def balances(moves: Iterable[Move]) -> Counter[str]:
    """The change in each account. The changes sum to zero."""
    change: Counter[str] = Counter()
    for move in moves:
        change[move.source] -= move.cents
        change[move.target] += move.cents
    return change
