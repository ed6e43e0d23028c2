"""58 Pa. Code Chapter 680a. Saigon 5 Card.   Read it alongside the regulation: same sections, same order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, product

from croupier.book import common, poker
from croupier.cards import ACE, JOKER, TEN, Card, Cards, show
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status
from croupier.law.fact import DEALER, PLAYER, Holds, Named, Position
from croupier.law.layout import Subject
from croupier.law.procedure import Act, Deal
from croupier.law.ranking import Hand, Shape
from croupier.law.settlement import Lines, collect, give_back, pay, pay_by, push
from croupier.money import to

E2015 = Edition("2015-12-12", "Pa.B. Doc. No. 15-2174", Status.PROPOSED)
chapter = Chapter("680a", "Saigon 5 Card", (E2015,), law="58 Pa. Code")

# § 680a.1  Definitions

chapter.define({
    "Ante Wager": "the wager made before the deal that competes with the dealer's hand",
    "Bonus Wager": "an optional wager that pays by a posted paytable",
    "Qualify": "three of the five cards total 10, 20 or 30",
    "Showdown hand": "the other two of the five cards",
})

# § 680a.2  The table

common.table(chapter, 6)
ANTE_AREA = chapter.area("Ante Wager", cite="2(b)(2)")
chapter.area("Three-card hand", cite="2(b)(3)", cards=PLAYER, count=3)
chapter.area("Showdown hand", cite="2(b)(3)", cards=PLAYER)
BONUS_AREA = chapter.area("Bonus Wager", cite="2(b)(4)")
chapter.area("Dealer's cards", cite="10(b)", cards=DEALER)
chapter.inscription("the payout odds of every wager offered, or a sign that lists them", cite="2(b)(5)", about=Subject.ODDS)
chapter.inscription("the payout limit, if there is one, or a sign that states it", cite="2(b)(6)", about=Subject.LIMIT)
common.boxes_and_rack(chapter, boxes="2(c)", rack="2(d)")

# § 680a.3 to .5  Decks; opening; shuffle and cut

common.decks(chapter, jokers=1)

# § 680a.6  Rankings


def values(card: Card) -> tuple[int, ...]:
    """(a): the values that a card can have.

    >>> [values(Card.parse(text)) for text in ("9s", "Kd", "Ah", "Jk")]
    [(9,), (10,), (1,), (3, 6, 9)]
    """
    if card == JOKER:
        return (3, 6, 9)
    return (1,) if card.rank == ACE else (min(card.rank, TEN),)


@lru_cache(maxsize=1 << 14)
def totals(hand: Cards) -> frozenset[int]:
    return frozenset(sum(choice) for choice in product(*map(values, hand)))


QUALIFYING = frozenset({10, 20, 30})


def qualifies(three: Cards) -> bool:
    return not totals(three).isdisjoint(QUALIFYING)


def point_counts(two: Cards) -> set[int]:
    """(b): 1 to 10; ten is subtracted from a higher total.

    >>> from croupier.cards import cards
    >>> point_counts(cards("As 4d")), point_counts(cards("Ts Jd"))
    ({5}, {10})
    """
    return {total if total <= 10 else total - 10 for total in totals(two)}


chapter.principle("6(a), 6(a)(1)-(4)", "the value of a card; the joker is 3, 6 or 9", kept_by="values")
chapter.principle("6(b), 6(b)(1)-(2)", "the Point Count of a showdown hand", kept_by="point_counts")

JOKER_RANK = JOKER.rank
ROYAL_RANKS = frozenset(range(TEN, ACE + 1))
RUNS = [frozenset({ACE, 2, 3, 4, 5}), *(frozenset(range(low, low + 5)) for low in range(2, TEN + 1))]


def has_joker(shape: Shape) -> bool:
    return JOKER_RANK in shape.ranks


def with_ace(shape: Shape) -> Shape:
    """The hand with the joker used as an ace, which has no suit."""
    return Shape(tuple(sorted((rank or ACE for rank in shape.ranks), reverse=True)), "") if has_joker(shape) else shape


def straight(shape: Shape) -> bool:
    """Consecutive ranks, or four of a run that the joker completes."""
    if not has_joker(shape):
        return poker.straight(shape)
    others = set(shape.ranks) - {JOKER_RANK}
    return len(others) == 4 and any(others <= run for run in RUNS)


def royal_with_joker(shape: Shape) -> bool:
    others = set(shape.ranks) - {JOKER_RANK}
    return has_joker(shape) and bool(shape.suit) and len(others) == 4 and others <= ROYAL_RANKS


BONUS_HANDS = chapter.ranking("Bonus hand", cite="6(c), 6(c)(1)-(10)", size=5,
    note="The joker is an ace, or the card that completes a royal flush with a joker, a straight flush, a flush or a straight.", hands=[
    Hand("Five aces", lambda shape: poker.of_a_kind(5, ACE)(with_ace(shape))),
    Hand("Royal flush—no joker", poker.royal()),
    Hand("Royal flush—with a joker", royal_with_joker),
    Hand("Straight flush", lambda shape: poker.flush(shape) and straight(shape)),
    Hand("Four-of-a-kind", lambda shape: poker.of_a_kind(4)(with_ace(shape))),
    Hand("Full house", lambda shape: poker.full_house(with_ace(shape))),
    Hand("Flush", poker.flush),
    Hand("Straight", straight),
    Hand("Three-of-a-kind", lambda shape: poker.of_a_kind(3)(with_ace(shape))),
    Hand("Two pair", lambda shape: poker.two_pairs(with_ace(shape))),
])

# § 680a.7  Wagers

common.wagering(chapter)
ALONE = common.optional_wagers_reading(chapter, "7(d)(2), 8(c)")

ANTE = chapter.wager("Ante Wager", cite="7(d)(1)", area=ANTE_AREA, required=True)
BONUS = chapter.wager("Bonus Wager", cite="7(d)(2)", area=BONUS_AREA, optional=True, needs=[ANTE], alone=ALONE)
chapter.adjacent_boxes("7(e)", chosen_by_submission=True)

# § 680a.8 to .10  Dealing by manual shoe, from the hand, by automated shoe (8(d) cites (f) instead of (e), evidently a typo)

BY_ONES = (Deal(1, PLAYER), Deal(1, DEALER)) * 5
BY_STACKS = (Deal(5, PLAYER), Deal(5, DEALER))
common.dealing(chapter, entitled=[ANTE], shoe=BY_ONES, automated=BY_STACKS)

# § 680a.11  Completion of the round

common.examining(chapter, cards="five")

DEALER_SETTING = chapter.reading(
    "dealer's setting", cite="11(c)(1)", question="Which setting does the dealer choose if several qualify?",
    alternatives={"highest point count": "the one with the highest Point Count", "lowest point count": "the one with the lowest, counting a joker low"},
    because="the code has the dealer set three cards that total 10, 20 or 30 but does not say which; a dealer looking for the best hand "
        "does what a player would",
)
UNQUALIFIED_SETTING = chapter.reading(
    "unqualified setting", cite="11(b)(1)", question="What if a player sets a hand that does not qualify, although three of its cards total 10, 20 or 30?",
    alternatives={"refused": "the setting is refused", "accepted": "the hand does not qualify"},
    because="the clause says that the player shall set those three cards",
)
UNSET = chapter.reading(
    "time runs out", cite="11(b), 11(b)(1)", question="Which setting counts if the time to set a hand runs out?",
    alternatives={"highest point count": "the qualifying setting with the highest Point Count",
        "lowest point count": "the qualifying setting with the lowest Point Count, counting a joker low"},
    because="a hand qualifies if any three of its cards total 10, 20 or 30, no matter who sets them; if a joker allows several Point Counts, the "
        "code does not say which, and silence is no reason to choose one that the player would not",
    needed_by="decisions",
)
TWO_PAIR = chapter.reading(
    "two pair", cite="12(c)", question="What does two pair pay on the Bonus Wager?",
    alternatives={"8 to 1": "8 to 1, as the text says", "9 to 1": "9 to 1, which matches the hold that the Board published"},
    because="the text controls",
)

NOT_QUALIFIED = 0


def settings(five: Cards, set_aside: Cards = ()) -> Iterator[tuple[Cards, Cards]]:
    """Each way to set five cards into a three-card hand and a showdown hand; only one if the player has set three aside."""
    threes: Iterable[Cards] = [set_aside] if set_aside else combinations(five, 3)
    for three in threes:
        yield three, tuple(card for card in five if card not in three)


@lru_cache(maxsize=1 << 14)
def counts_of(five: Cards, set_aside: Cards = ()) -> frozenset[int]:
    """The Point Counts of all settings that qualify."""
    return frozenset(count for three, two in settings(five, set_aside) if qualifies(three) for count in point_counts(two))


PLAYERS_LOWEST, DEALERS_LOWEST = UNSET["lowest point count"], DEALER_SETTING["lowest point count"]


def player_points(position: Position) -> int:
    lowest = not position.set_aside and UNSET.of(position) == PLAYERS_LOWEST
    return (min if lowest else max)(counts_of(position.at(PLAYER), position.set_aside), default=NOT_QUALIFIED)


def dealer_points(position: Position) -> int:
    counts = counts_of(position.at(DEALER))
    return (min if DEALER_SETTING.of(position) == DEALERS_LOWEST else max)(counts, default=NOT_QUALIFIED)


def set_as(three: Cards, two: Cards, count: int) -> str:
    """A set hand in words.

    >>> from croupier.cards import cards
    >>> set_as(cards("7s 3d Kh"), cards("5h 4d"), 9)
    '7s 3d Kh (20) and 5h 4d, Point Count 9'
    """
    return f"{show(three)} ({min(totals(three) & QUALIFYING)}) and {show(two)}, Point Count {count}" if count else "does not qualify"


def setting_with(five: Cards, count: int, set_aside: Cards = ()) -> tuple[Cards, Cards]:
    """The first setting that qualifies with this Point Count."""
    found = (each for each in settings(five, set_aside) if qualifies(each[0]) and count in point_counts(each[1]))
    return next(found, ((), five))


def player_announced(position: Position) -> str:
    count = player_points(position)
    return set_as(*setting_with(position.at(PLAYER), count, position.set_aside), count)


def dealers_setting(position: Position) -> tuple[Cards, Cards]:
    return setting_with(position.at(DEALER), dealer_points(position))


def dealer_announced(position: Position) -> str:
    return set_as(*dealers_setting(position), dealer_points(position))


def may_set(five: Cards, three: Cards) -> bool:
    """(b)(1): a hand that can qualify must be set to qualify."""
    return qualifies(three) or not counts_of(five)


def is_decided(position: Position) -> bool:
    """If the three cards do not qualify, they decide the Ante and the other two are not revealed."""
    return bool(position.set_aside) and not qualifies(position.set_aside)


# 11(d)(1)(ii), (2)(ii): the showdown hand is revealed if the three-card hand qualifies
chapter.setting("11(b)(1), 11(b)", "three cards that total 10, 20 or 30", of=ANTE, reveals=qualifies, values=values, allows=may_set, unless=(UNQUALIFIED_SETTING, "accepted"), unset=UNSET, notes=[
    ("6(a)", "An ace counts 1, a card from 2 through 9 its face value, a 10, jack, queen or king 10, and the joker 3, 6 or 9."),
    ("11(b)", "A hand qualifies if three of its five cards total 10, 20 or 30. The other two are the showdown hand."),
    ("6(b)", "The Point Count of a showdown hand is the total of its two cards, less 10 if it is more than 10: "
        "10 is the highest, 1 the lowest. An ace and a 4 count 5; a 10 and a jack count 10."),
])

chapter.announces(PLAYER, player_announced, cite="11(b)", enough=is_decided)
chapter.announces(DEALER, dealer_announced, cite="11(c)", made=lambda position: dealers_setting(position)[0])
chapter.stage("11(d)", Act.SETTLE)
chapter.stage("11(f)", Act.CLEAR)

POINTS = (NOT_QUALIFIED, *range(1, 11))
MINE = Named("player's Point Count", POINTS, player_points, read_by=(UNSET,))
THEIRS = Named("dealer's Point Count", POINTS, dealer_points, read_by=(DEALER_SETTING,))
BONUS_HOLDS = Holds(BONUS_HANDS)


def pay_ante(count: int) -> Lines:
    """12(a) and (b): a Point Count of 5 wins half."""
    return pay(ANTE, at=to(1, 2), cite="12(b)") if count == 5 else pay(ANTE, at=to(1), cite="12(a)")


@chapter.settles(ANTE, cite="11(d), 12(a), 12(b)", asks={"mine": MINE, "theirs": THEIRS}, hand=MINE)
def ante(mine: int, theirs: int) -> Iterator[Lines]:
    if not theirs:  # (1)
        yield pay_ante(mine) if mine else give_back(ANTE, cite="11(d)(1)(i)")
    elif not mine:  # (2)(i)
        yield collect(ANTE, cite="11(d)(2)(i)")
    elif theirs > mine:  # (2)(ii)(A)
        yield collect(ANTE, cite="11(d)(2)(ii)(A)")
    elif theirs < mine:  # (2)(ii)(B)
        yield pay_ante(mine)
    else:  # (2)(ii)(C)
        yield push(ANTE, cite="11(d)(2)(ii)(C)")


chapter.principle("11(b)(1)-(2), 11(c)(1)-(2)", "which three cards qualify", kept_by="player_points, dealer_points, may_set")
chapter.principle("11(d)(1)(i)-(ii), 11(d)(1)(ii)(A)-(B), 11(d)(2)(i)-(ii), 11(d)(2)(ii)(A)-(C)",
    "the Ante is settled by the two Point Counts", kept_by="ante")


@chapter.settles(BONUS, cite="11(e), 11(e)(1)-(2)", asks={"holds": BONUS_HOLDS, "two_pair": TWO_PAIR}, hand=BONUS_HOLDS)
def bonus(holds: str, two_pair: str) -> Iterator[Lines]:
    if holds == "Two pair" and two_pair == TWO_PAIR["9 to 1"]:
        yield pay(BONUS, at=to(9), cite="12(c)")
    else:
        yield pay_by(BONUS_TABLE, holds, on=BONUS, lost="11(e)(1)")


# § 680a.12  Payout odds

BONUS_TABLE = chapter.paytable("Bonus Wager", """
    A
    Five aces                  5,000 to 1
    Royal flush—no joker       1,000 to 1
    Royal flush—with a joker   250 to 1
    Straight flush             100 to 1
    Four-of-a-kind             50 to 1
    Full house                 20 to 1
    Flush                      15 to 1
    Straight                   12 to 1
    Three-of-a-kind            10 to 1
    Two pair                   8 to 1
""", cite="12(c)", hands=BONUS_HANDS)

common.limit(chapter, "12(d)", covers=[ANTE, BONUS])

chapter.published("Bonus Wager", "7.97%", cite="12(c)", source="the Board's preamble, Pa.B. Doc. No. 15-2174", reading=("two pair", TWO_PAIR["9 to 1"]))

# § 680a.13  Irregularities

common.irregularities(chapter, from_device="d")
