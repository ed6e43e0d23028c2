"""58 Pa. Code Chapter 643a. Let It Ride Poker.   Read it alongside the regulation: same sections, same order."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.book import common, poker
from croupier.cards import TEN
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status
from croupier.law.fact import COMMUNITY, PLAYER, Holds
from croupier.law.layout import Subject
from croupier.law.procedure import RACK, Act, Deal
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, give_back, pay_by
from croupier.law.wager import Choice, Wager, one_of
from croupier.money import dollars

E2011 = Edition("2011-06-14", "proposed rulemaking 125-152", Status.PROPOSED)
chapter = Chapter("643a", "Let It Ride Poker", (E2011,), law="58 Pa. Code")

# § 643a.1  Definitions

chapter.define({
    "Community card": "a card that counts in every player's hand",
    "Hand": "the player's three cards and the two community cards",
    "Let It Ride": "to leave in place a bet that may be withdrawn",
    "Round of play": "from placing wagers to settling them",
})

# § 643a.2  The table

common.table(chapter, 7)
BET_1_AREA = chapter.area("Bet Number 1", cite="2(b)(2)")
BET_2_AREA = chapter.area("Bet Number 2", cite="2(b)(2)")
BET_3_AREA = chapter.area("Bet Number 3", cite="2(b)(2)")
chapter.area("Player's cards", cite="2(b)(3)", cards=PLAYER)
chapter.area("Community cards", cite="2(b)(4)", cards=COMMUNITY, note="in front of the table inventory container")
BONUS_AREA = chapter.area("Let It Ride Bonus Wager", cite="2(b)(5)")
THREE_CARD_BONUS_AREA = chapter.area("Three Card Bonus Wager", cite="2(b)(6)")
chapter.inscription("the payout odds or amounts of every wager offered, or a sign that lists them", cite="2(b)(7)", about=Subject.ODDS)
chapter.inscription("the payout limit per hand, or that a posted limit applies, or a sign that says so", cite="2(b)(8)", about=Subject.LIMIT)
SYSTEM = common.wagering_device(chapter, "2(c)", system="Table game system")
common.boxes_and_rack(chapter, boxes="2(d)", rack="2(e)")

# § 643a.3 to .5  Decks; opening; shuffle and cut

common.decks(chapter, long_idle=E2011)

# § 643a.6  Rankings

FIVE_CARD = chapter.ranking("Five-card hand", cite="6(b), 6(a), 6(b)(1)-(9)", size=5, compared=True, hands=poker.hands(5))
PAID_HANDS = chapter.ranking("Let It Ride hand", cite="12(a), 12(b)", size=5, hands=(
    *poker.hands(5, down_to="Three-of-a-kind"), Hand("Two pair", poker.two_pairs), Hand("Pair - Tens or better", poker.of_a_kind(2, at_least=TEN)),
))
THREE_CARD_HANDS = chapter.ranking("Three Card Bonus hand", cite="6(c), 6(c)(1)-(6)", size=3,
    hands=(Hand("Mini-royal", poker.royal()), *poker.hands(3)))

# § 643a.7  Wagers

common.wagering(chapter, later="the bets withdrawn under 11(b) and (d)")

BET_1 = chapter.wager("Bet Number 1", cite="7(d)", area=BET_1_AREA, group="Let It Ride Poker Wager", required=True)
BET_2 = chapter.wager("Bet Number 2", cite="7(d)", area=BET_2_AREA, group="Let It Ride Poker Wager", required=True, equals=BET_1)
BET_3 = chapter.wager("Bet Number 3", cite="7(d)", area=BET_3_AREA, group="Let It Ride Poker Wager", required=True, equals=BET_1)
# 12(b) pays fixed dollar amounts, for a wager of one dollar
BONUS = chapter.wager("Let It Ride Bonus Wager", cite="7(e)", area=BONUS_AREA, system=SYSTEM, optional=True,
    amounts=one_of(dollars(1), cite="12(b)"), needs=[BET_1])
THREE_CARD_BONUS = chapter.wager("Three Card Bonus Wager", cite="7(f)", area=THREE_CARD_BONUS_AREA, optional=True, needs=[BET_1])
chapter.principle("7(g)", "neither bonus wager affects any other wager", kept_by="each has its own settlement")
chapter.adjacent_boxes("7(h)", chosen_by_submission=True)

# § 643a.8 to .10  Dealing by manual shoe, from the hand, by automated shoe

BY_ONES = (  # (1) to (5)
    Deal(1, PLAYER), Deal(1, COMMUNITY, slot=1),
    Deal(1, PLAYER), Deal(1, COMMUNITY, slot=2),
    Deal(1, PLAYER),
)
BY_STACKS = (
    Deal(3, PLAYER),
    Deal(1, COMMUNITY, slot=2),  # a stack of three, the top card to the dealer's right
    Deal(1, COMMUNITY, slot=1),
    Deal(1, RACK),  # the bottom card, to the dealer's left, is discarded unseen
)
common.dealing(chapter, entitled=[BET_1], shoe=BY_ONES, automated=BY_STACKS, on_device="Let It Ride Bonus Wagers")
chapter.principle("8(d)(1)-(5), 9(b)(1)-(5)", "the order of the cards, one by one", kept_by="BY_ONES")

# § 643a.11  Completion of the round

common.examining(chapter, cards="three")
chapter.step("11(a)(3)", common.PLAYER, "places their cards face down after the second decision and does not touch them again")


TIME_RUNS_OUT = chapter.reading(
    "time runs out", cite="1, 11(b), 11(b)(2), 11(d), 11(d)(2)", question="What happens to a bet when the time to withdraw it runs out?",
    alternatives={"rides": "the bet rides", "withdrawn": "the bet is returned to the player"},
    because="under .1 a player who does not withdraw a bet lets it ride, and 11(b)(2) and (d)(2) return it to a player who chooses to withdraw",
    needed_by="decisions",
)


def ride(clause: str) -> Choice:
    return Choice("ride", clause, goes_on=True, phrase="let {} ride")


def withdraw(bet: Wager, clause: str) -> Choice:
    return Choice("withdraw", clause, withdraws=bet, goes_on=True)


FIRST = chapter.decision("Bet Number 1", cite="11(b), 11(b)(1)-(2)", asked_of=BET_1, knows="their three cards",
    choices=[ride("11(b)(1)"), withdraw(BET_1, "11(b)(2)")],
    unanswered=ride("1"), unless=((TIME_RUNS_OUT, "withdrawn"), withdraw(BET_1, "11(b)(2)")))
chapter.stage("11(c)", Act.TURN, cards=1)
SECOND = chapter.decision("Bet Number 2", cite="11(d), 11(d)(1)-(2)", asked_of=BET_1, knows="their three cards and the first community card",
    choices=[ride("11(d)(1)"), withdraw(BET_2, "11(d)(2)")],
    unanswered=ride("1"), unless=((TIME_RUNS_OUT, "withdrawn"), withdraw(BET_2, "11(d)(2)")))
chapter.stage("11(e)", Act.TURN, cards=1)
chapter.stage("11(f), 11(f)(1)-(2)", Act.SETTLE)
chapter.stage("11(g)", Act.CLEAR)

HOLDS, PAID = Holds(FIVE_CARD, (PLAYER, COMMUNITY)), Holds(PAID_HANDS, (PLAYER, COMMUNITY))
THREE_HOLDS = Holds(THREE_CARD_HANDS)


@chapter.settles(BET_1, BET_2, BET_3, cite="11(f)(3), 12(a)", asks={"first": FIRST, "second": SECOND, "holds": PAID}, hand=HOLDS)
def bets(first: str, second: str, holds: str) -> Iterator[Lines]:
    yield give_back(BET_1, cite="11(b)(2)") if first == "withdraw" else pay_by(BETS_TABLE, holds, on=BET_1)
    yield give_back(BET_2, cite="11(d)(2)") if second == "withdraw" else pay_by(BETS_TABLE, holds, on=BET_2)
    yield pay_by(BETS_TABLE, holds, on=BET_3)


@chapter.settles(BONUS, cite="11(f)(3), 12(b)", asks={"holds": PAID}, hand=HOLDS)
def let_it_ride_bonus(holds: str) -> Iterator[Lines]:
    yield pay_by(BONUS_TABLE, holds, on=BONUS)


common.settled_by_table(chapter, THREE_CARD_BONUS, THREE_HOLDS, cite="11(f)(3), 12(c)")

# § 643a.12  Payout odds; payout limitation

BETS_TABLE = chapter.paytable("Let It Ride Poker Wager", """
    A  B
    Royal flush             1,000 to 1  500 to 1
    Straight flush          200 to 1    200 to 1
    Four-of-a-kind          50 to 1     50 to 1
    Full house              11 to 1     11 to 1
    Flush                   8 to 1      8 to 1
    Straight                5 to 1      5 to 1
    Three-of-a-kind         3 to 1      3 to 1
    Two pair                2 to 1      2 to 1
    Pair - Tens or better   1 to 1      1 to 1
""", cite="12(a)", hands=PAID_HANDS)

BONUS_TABLE = chapter.paytable("Let It Ride Bonus Wager", """
    A  B  C
    Royal flush             $25,000  $20,000  $20,000
    Straight flush          $2,500   $2,000   $2,000
    Four-of-a-kind          $400     $200     $100
    Full house              $200     $75      $75
    Flush                   $50      $50      $50
    Straight                $25      $25      $25
    Three-of-a-kind         $5       $5       $9
    Two pair                $0       $4       $6
    Pair - Tens or better   $0       $1       $0
""", cite="12(b)", hands=PAID_HANDS)

# Cells marked * are missing from the scan and were reconstructed from other publications of the same tables.
THREE_CARD_TABLE = chapter.paytable("Three Card Bonus Wager", """
    A  B  C  D  E  F
    Mini-royal        40 to 1  40 to 1  40 to 1  50 to 1  50 to 1  50 to 1
    Straight flush    40 to 1  40 to 1  40 to 1  40 to 1  40 to 1  40 to 1
    Three-of-a-kind   30 to 1  30 to 1  30 to 1  30 to 1  30 to 1  30 to 1
    Straight          6 to 1   5 to 1   6 to 1   6 to 1*  5 to 1*  6 to 1*
    Flush             4 to 1   4 to 1   3 to 1   4 to 1*  4 to 1*  3 to 1*
    Pair              1 to 1   1 to 1   1 to 1   1 to 1*  1 to 1*  1 to 1*
""", cite="12(c)", hands=THREE_CARD_HANDS)

common.limit(chapter, "12(d)", per_hand=True, covers=[BET_1, BET_2, BET_3])

for letter, percent in (("A", "3.506%"), ("B", "3.737%")):
    chapter.published("Let It Ride Poker Wager", percent, cite="12(a)", source="published elsewhere for the same rules", letter=letter)

# § 643a.13  Irregularities

common.irregularities(chapter, counted="A player or the community")
common.exposed(chapter, COMMUNITY, "before it is revealed under 11(c) or (e)", before=Act.SETTLE)
