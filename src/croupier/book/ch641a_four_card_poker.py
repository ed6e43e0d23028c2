"""58 Pa. Code Chapter 641a. Four Card Poker.   Read it alongside the regulation: same sections, same order."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.book import common, poker
from croupier.cards import ACE
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status
from croupier.law.fact import DEALER, FOLDED, LOWER, PLAYER, Compared, Comparison, Holds
from croupier.law.layout import Subject
from croupier.law.procedure import RACK, Act, Deal
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, collect, forfeit, pay, pay_bonus
from croupier.law.wager import fold, multiples, one_of
from croupier.money import dollars, to

E2011 = Edition("2011-06-14", "proposed rulemaking 125-152", Status.PROPOSED)
chapter = Chapter("641a", "Four Card Poker", (E2011,), law="58 Pa. Code")

# § 641a.1  Definitions

chapter.define({
    "Aces Up Wager": "a wager made before the deal that pays by a posted paytable, regardless of the dealer's hand",
    "Hand": "the four-card hand of a player or the dealer",
    "Play Wager": "an additional wager, made after seeing the hand, to stay in against the dealer",
    "Round of play": "from placing wagers to settling them",
})
chapter.define({
    "Envy Bonus": "a fixed sum paid to a progressive player when another player holds a qualifying hand",
    "Envy Bonus Qualifying Hand": "a four-of-a-kind, or a straight flush if the schedule has one",
    "Progressive Payout Hand": "a three-of-a-kind or better",
}, wager="Progressive Payout Wager")

# § 641a.2  The table

common.table(chapter, 7)
ANTE_AREA = chapter.area("Ante Wager", cite="2(b)(2)")
PLAY_AREA = chapter.area("Play Wager", cite="2(b)(2)")
ACES_UP_AREA = chapter.area("Aces Up Wager", cite="2(b)(2)")
PROGRESSIVE_AREA = chapter.area("Progressive Payout Wager", cite="2(b)(3)")
chapter.area("Dealer's cards", cite="10(b)", cards=DEALER)
chapter.inscription("the payout odds or amounts of every wager offered, or a sign that lists them", cite="2(b)(4)", about=Subject.ODDS)
SYSTEM = common.wagering_device(chapter, "2(c)", system="Progressive table game system")
common.boxes_and_rack(chapter, boxes="2(d)", rack="2(e)")

# § 641a.3 to .5  Decks; opening; shuffle and cut

common.decks(chapter, long_idle=E2011)

# § 641a.6  Rankings

FOUR_CARD = chapter.ranking("Four-card hand", cite="6(b), 6(a), 6(b)(1)-(7), 6(c)", size=4, compared=True, hands=poker.hands(4))
ACES_UP_HANDS = chapter.ranking("Aces Up hand", cite="12(c)", size=4, hands=(
    *poker.hands(4, down_to="Straight"), Hand("Two pair", poker.two_pairs), Hand("Pair of aces", poker.of_a_kind(2, ACE)),
))
PROGRESSIVE_HANDS = chapter.ranking(
    "Progressive hand", cite="12(d)(1)", size=4, hands=(Hand("Four aces", poker.of_a_kind(4, ACE)), *poker.hands(4, down_to="Three-of-a-kind")))

# § 641a.7  Wagers

common.wagering(chapter, later="the Play Wager of 11(b)")

ANTE = chapter.wager("Ante Wager", cite="7(d)(1), 7(d)(3)", area=ANTE_AREA)
PLAY = chapter.wager("Play Wager", cite="7(d)(1), 11(b)", area=PLAY_AREA, made_by_decision=True)
ACES_UP = chapter.wager("Aces Up Wager", cite="7(d)(2)-(3)", area=ACES_UP_AREA, survives_fold="11(b)(1)")
PROGRESSIVE = chapter.wager("Progressive Payout Wager", cite="7(d)(4)", area=PROGRESSIVE_AREA, system=SYSTEM, optional=True,
    amounts=one_of(dollars(1), dollars(5), cite="12(d)(5)"), needs=[ANTE, ACES_UP])
chapter.adjacent_boxes("7(e)", chosen_by_submission=True)

# § 641a.8 to .10  Dealing by manual shoe, from the hand, by automated shoe

BY_ONES = (
    *(Deal(1, PLAYER), Deal(1, DEALER)) * 5,
    Deal(1, DEALER, up=True),  # the dealer's fifth and sixth cards are dealt in a row
)
BY_STACKS = (
    Deal(5, PLAYER),
    Deal(5, DEALER),
    Deal(4, RACK),  # one more stack of five: its bottom card is the up card, the others are discarded unseen
    Deal(1, DEALER, up=True),
)
common.dealing(chapter, entitled=[ANTE, ACES_UP], shoe=BY_ONES, automated=BY_STACKS, on_device="Progressive Payout Wagers")

# § 641a.11  Completion of the round

common.examining(chapter, cards="five")
PLAY_AMOUNTS = chapter.reading(
    "play amounts", cite="7(d)(1), 11(b)", question="May a Play Wager be an amount between the multiples of the Ante?",
    alternatives={"whole multiples": "one, two or three times the Ante", "any amount": "any amount from one to three times the Ante"},
    because="the clauses give the limits, one and three times the Ante, but no steps in between; the game is dealt with whole multiples, and "
        "no amount in between is worth more on average than the better of the two limits",
)
TIMED_OUT, AS_A_FOLD = common.ante_alone(chapter, "11(b), 11(b)(2)", forfeits="11(b)(2)")
chapter.decision("Play Wager", cite="11(b), 7(d)(1)", asked_of=ANTE, knows="their five cards and the dealer's up card",
    choices=[*multiples("play", PLAY, 1, 2, 3, cite="11(b)"), fold("11(b)")],
    unanswered=TIMED_OUT, unless=AS_A_FOLD, any_amount=(PLAY_AMOUNTS, "any amount"))
chapter.stage("11(c)", Act.COLLECT)
chapter.announces(DEALER, FOUR_CARD, cite="11(c)")
chapter.stage("11(c), 11(c)(1)-(2)", Act.SETTLE)
chapter.stage("11(d)", Act.CLEAR)

ANTE_BONUS_READING = common.ante_bonus_reading(chapter, "11(c)(3)(ii), 12(b)",
    because="12(b) pays it whether or not the hand outranks the dealer's; 11(c)(3)(ii) mentions it for a winning hand, and nothing denies "
        "it otherwise")
RESEED_LATER, UNSEEN_ENVY, ENVY_FROM_METER, OWN_ENVY = common.progressive_readings(
    chapter, reseed="12(d)(4)", envy="12(d)(5)", folded_cards="11(c)", own_hand="11(c)(5)(v)")
ENVY_SCHEDULE = chapter.reading(
    "envy schedule", cite="12(d)(5), 12(d)(1), 1", question="Does the Envy Bonus schedule follow the letter of the progressive paytable?",
    alternatives={"selected apart": "no; either schedule may be filed with either paytable", "by the letter": "yes; schedule A with paytable A, B with B"},
    because="the clause lets the certificate holder select one of the schedules and does not tie it to the paytable of (d)(1); the only hint "
        "of a tie is that their headings mention paytables A and B",
    needed_by="progressives",
)

HOLDS, ACES_UP_HOLDS, PROGRESSIVE_HOLDS = Holds(FOUR_CARD), Holds(ACES_UP_HANDS), Holds(PROGRESSIVE_HANDS)


@chapter.settles(
    ANTE, PLAY, cite="11(c)(3), 11(c)(3)(i)-(ii), 12(a), 12(b)", hand=HOLDS,
    asks={"folded": FOLDED, "compared": Compared(FOUR_CARD), "holds": HOLDS, "bonus": ANTE_BONUS_READING},
)
def ante_and_play(folded: bool, compared: Comparison, holds: str, bonus: str) -> Iterator[Lines]:
    if folded:
        yield forfeit(ANTE, cite="11(b)")
        return
    if compared is LOWER:  # (3)(i)
        yield collect(ANTE, PLAY, cite="11(c)(3)(i)")
    else:  # (3)(ii)
        yield pay(ANTE, PLAY, at=to(1), cite="12(a)")
    if compared is not LOWER or bonus == ANTE_BONUS_READING["any outcome"]:
        yield pay_bonus(ANTE_BONUS, holds, on=ANTE)


common.settled_by_table(chapter, ACES_UP, ACES_UP_HOLDS, cite="11(c)(4), 11(b)(1), 12(c)")
common.settled_by_table(chapter, PROGRESSIVE, PROGRESSIVE_HOLDS, cite="11(c)(5), 11(b)(2), 12(d)(1)", forfeited="11(b)(2)")

common.progressive_payment(chapter, "11(c)(5)", PROGRESSIVE)

# § 641a.12  Payout odds; Envy Bonus; rate of progression

ANTE_BONUS = chapter.paytable("Ante Bonus", """
    Four-of-a-kind    25 to 1
    Straight flush    20 to 1
    Three-of-a-kind   2 to 1
""", cite="12(b)", hands=FOUR_CARD)

# Cells marked * are missing from the scan and were reconstructed from other publications of the same tables.
ACES_UP_TABLE = chapter.paytable("Aces Up Wager", """
    A  B  C  D  E  F
    Four-of-a-kind    50 to 1  50 to 1  50 to 1  50 to 1  50 to 1  50 to 1
    Straight flush    30 to 1  30 to 1  40 to 1  40 to 1  30 to 1  40 to 1
    Three-of-a-kind   9 to 1   7 to 1   8 to 1   8 to 1   8 to 1   7 to 1
    Flush             6 to 1   6 to 1   5 to 1   6 to 1   6 to 1   5 to 1
    Straight          4 to 1   5 to 1   4 to 1   4 to 1   4 to 1   4 to 1
    Two pair          2 to 1   2 to 1   3 to 1   2 to 1*  2 to 1*  3 to 1*
    Pair of aces      1 to 1   1 to 1   1 to 1   1 to 1*  1 to 1*  1 to 1*
""", cite="12(c)", hands=ACES_UP_HANDS)

chapter.paytable("Progressive Payout Wager", """
    A  B
    Four aces         100% of meter  100% of meter
    Four-of-a-kind    300 for 1      300 for 1
    Straight flush    100 for 1      100 for 1
    Three-of-a-kind   9 for 1        15 for 1
""", cite="12(d)(1)", hands=PROGRESSIVE_HANDS)
chapter.principle("12(d)(2)", "only the highest hand formed is paid", kept_by="a hand makes only one row, the highest")
chapter.meter(PROGRESSIVE, cite="12(d)(3)", seed={"A": dollars(5000), "B": dollars(1000)}, exact=False, per_dollar=False, later=RESEED_LATER)
chapter.principle("12(d)(4)", "a winner is paid what the meter shows at their turn", kept_by="table.settlement, seat by seat")

chapter.envy("Envy Bonus", cite="12(d)(5), 11(c)(5)(v), 11(b)(2)", wager=PROGRESSIVE, hand=PROGRESSIVE_HOLDS,
    unseen=UNSEEN_ENVY, from_meter=ENVY_FROM_METER, own=OWN_ENVY, follows=(ENVY_SCHEDULE, "by the letter"), schedules={
    dollars(1): chapter.paytable("Envy Bonus, $1", """
        A  B
        Four aces        $100  $100
        Four-of-a-kind   $10   $25
        Straight flush   $5    N/A
    """, cite="12(d)(5)", hands=PROGRESSIVE_HANDS),
    dollars(5): chapter.paytable("Envy Bonus, $5", """
        A  B
        Four aces        $500  $500
        Four-of-a-kind   $50   $125
        Straight flush   $25   N/A
    """, cite="12(d)(5)", hands=PROGRESSIVE_HANDS),
})

chapter.published("Ante Wager", "2.79%", cite="12(b)", source="published elsewhere for the same rules")
chapter.published("Ante Wager", "1.30%", cite="12(b)", source="published elsewhere for the same rules", of="risk")

# § 641a.13  Irregularities

common.irregularities(chapter)
common.exposed(chapter, DEALER, then="this does not apply to the sixth card, which is dealt face up under 8(d)")
