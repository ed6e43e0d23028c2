"""An example of each row of a ranking, to draw: a typical hand that the chapter's own ranker puts in that row."""

from __future__ import annotations

from functools import cache

from croupier.cards import JOKER, SUITS, Card, Cards, cards
from croupier.filing.offer import Offer
from croupier.law.fact import Compared, Holds
from croupier.law.ranking import Hand, Ranking, Shape, every_shape, shape_of
from croupier.odds.solvers.shapes import seen_as
from croupier.printed.content.payouts import Schedule

CANDIDATES = [  # from the grandest to the plainest; the ranker, not this list, says what each one is
    "Ad Kd Qd Jd Td 9d", "Ah Kh Qh Jh Th 9h", "As Ah Ad Ac Jk",
    "As Ks Qs Js Ts", "Ah Kh Qh Jh Th", "As Ks Qs Js Jk", "9h 8h 7h 6h 5h", "9s 9h 9d 9c Kh", "As Ah Ad Ac Kh", "Kh Kd Ks 7c 7d",
    "Kd Jd 8d 5d 2d", "Ts 9d 8h 7c 6s", "Qs Qh Qd 8c 4s", "As Ah Ad 8c 4s", "Jh Js 5d 5c Ah", "Th Td 8c 5s 2h", "Ah As 9d 6c 3h",
    "8h 8d Kc 6s 3d", "Ad Jh 8c 5s 3h",
    "9s 9h 9d 9c", "As Ah Ad Ac", "As Ks Qs Js", "9h 8h 7h 6h", "Qs Qh Qd 8c", "As Ah Ad 8c", "Kd Jd 8d 5d", "Ts 9d 8h 7c",
    "Jh Js 5d 5c", "Ah As 9d 6c", "8h 8d Kc 6s", "Ad Jh 8c 5s",
    "As Ks Qs", "Ah Kh Qh", "9h 8h 7h", "Qs Qh Qd", "Ts 9d 8h", "Kd 8d 5d", "8h 8d Kc", "Ad Jh 8c",
]  # fmt: skip


@cache
def _candidates(size: int, jokers: int) -> tuple[Cards, ...]:
    return tuple(held for held in map(cards, CANDIDATES) if len(held) == size and held.count(JOKER) <= jokers)


def example_hand(ranking: Ranking, hand: Hand, jokers: int) -> Cards:
    """A hand that fills this row, or a higher row that otherwise counts as this one; no cards if none does."""
    size = hand.size or ranking.size
    known = _candidates(size, jokers)
    found = next((held for held in known if ranking.row(held) == hand.name), None)
    found = found or next((held for held in known if hand.name in _also(ranking, ranking.row(held))), None)
    every = (_of_shape(each) for each in every_shape(size, jokers))
    return found or next((held for held in every if ranking.row(held) == hand.name), ())


def _of_shape(shape: Shape) -> Cards:
    """Cards of a shape. Equal ranks are adjacent, so cycling through the suits never repeats a card."""
    return tuple(Card(rank, shape.suit or SUITS[n % 4]) if rank else JOKER for n, rank in enumerate(shape.ranks))


def _also(ranking: Ranking, row: str) -> list[str]:
    """What else a hand of this row counts as."""
    otherwise = {hand.name: hand.otherwise for hand in ranking.hands}
    found = []
    while row := otherwise.get(row, ""):
        found.append(row)
    return found


def rankings(offer: Offer, paid: list[Schedule]) -> list[tuple[Ranking, list[Hand]]]:
    """The rankings that the offered wagers use, first the one that compares hands; a paytable's own only with rows it pays.

    One whose rows another shows in the same order is left out.
    """
    asked: dict[Ranking, set[str]] = {}
    for settlement in offer.rules.settlements:
        if not offer.offers(settlement.wager):
            continue
        rows = {row for each in paid if each.wager in {wager.name for wager in settlement.settles} for row, _ in each.rows}
        for fact in settlement.asks:
            way = seen_as(fact, offer.readings)
            if isinstance(way, Holds | Compared):
                asked.setdefault(way.ranking, set()).update(rows)
    shown: list[tuple[Ranking, list[Hand]]] = []
    for ranking, rows in sorted(asked.items(), key=lambda each: not each[0].compared):
        hands = [hand for hand in ranking.hands if ranking.compared or hand.name in rows]
        hands = [hand for hand in hands if not hand.only or offer.rules.edition in hand.only]
        hands = [hand for hand in hands if not _is_any(ranking, hand)]
        if not any(other.size == ranking.size and _repeats(hands, had) for other, had in shown):
            shown.append((ranking, hands))
    return shown


def _repeats(hands: list[Hand], known: list[Hand]) -> bool:
    """Whether a list has all these rows in the same order. The same row may have another name."""
    rest = iter(known)
    return all(any(hand.name == each.name or hand.fills is each.fills for each in rest) for hand in hands)


def _is_any(ranking: Ranking, hand: Hand) -> bool:
    """Whether a row holds all hands that no higher row takes, such as “flush or lower”."""
    known = _candidates(hand.size or ranking.size, 0)
    return bool(known) and all(hand.fills(shape_of(held)) for held in known)
