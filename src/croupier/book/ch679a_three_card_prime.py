"""58 Pa. Code Chapter 679a. Three Card Prime.   Read it alongside the regulation: same sections, same order."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.book import common, poker
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status
from croupier.law.fact import DEALER, FOLDED, FOURTH, LOWER, PLAYER, Compared, Comparison, DealerHas, Holds, Named, Position
from croupier.law.layout import Subject
from croupier.law.procedure import RACK, Act, Deal
from croupier.law.ranking import NOTHING, Hand
from croupier.law.settlement import Lines, collect, forfeit, give_back, pay, pay_bonus, pay_by
from croupier.law.wager import fold, multiples
from croupier.money import to

E2015 = Edition("2015-12-12", "45 Pa.B. 6992", Status.PROPOSED)
# the text leaves its effective date blank; this date is our own label
E2016 = Edition("2016-04-01", "final-form rulemaking 125-195", Status.FINAL_FORM)
chapter = Chapter("679a", "Three Card Prime", (E2015, E2016), law="58 Pa. Code")

# § 679a.1  Definitions

chapter.define({
    "Ante Wager": "the wager made before the deal that competes with the dealer's hand",
    "Play Wager": "an additional wager, made after seeing the hand, to stay in against the dealer",
    "Prime Wager": "an optional wager made before the deal that pays by a posted paytable",
    "Pair Bonus Wager": "an optional wager made before the deal that pays by a posted paytable",
    "All-Six Bonus Wager": "an optional wager made before the deal that pays by a posted paytable",
    "Hand": "the three cards of a player or the dealer",
    "Qualify": "the dealer's hand is queen high or better",
})
chapter.define({
    "Bad Beat Bonus": "a payout on the Play Wager when the dealer beats a straight or better, or a flush or better, depending on the table"
}, only=E2016)

# § 679a.2  The table

common.table(chapter, 6)
ANTE_AREA = chapter.area("Ante Wager", cite="2(b)(2)")
PLAY_AREA = chapter.area("Play Wager", cite="2(b)(2)")
chapter.area("Third betting area", cite="2(b)(2)",
    note="the proposal calls for three areas but names two wagers; the final form has two", only=E2015)
PRIME_AREA = chapter.area("Prime Wager", cite="2(b)(3)")
PAIR_BONUS_AREA = chapter.area("Pair Bonus Wager", cite="2(b)(3)")
chapter.area("Player's fourth card", cite="8(c)", cards=FOURTH)
ALL_SIX_AREA = chapter.area("All-Six Bonus Wager", cite="2(b)(3)")
chapter.area("Dealer's cards", cite="10(b)", cards=DEALER)
chapter.inscription("the payout odds of every wager offered, or a sign that lists them", cite="2(b)(4)", about=Subject.ODDS)
chapter.inscription("when the dealer qualifies", cite="2(b)(4)", words="Dealer Qualifies with a Queen or Ante Pushes and Play Wins")
chapter.inscription("what a tie does", cite="2(b)(4)", words="Player wins ties.")
chapter.inscription("the payout limit, if there is one, or a sign that states it", cite="2(b)(5)", about=Subject.LIMIT)
common.boxes_and_rack(chapter, boxes="2(c)", rack="2(d)")

# § 679a.3 to .5  Decks; opening; shuffle and cut

common.decks(chapter)

# § 679a.6  Rankings

THREE_CARD = chapter.ranking("Three-card hand", cite="6(b), 6(a), 6(b)(1)-(6), 6(c)", size=3, compared=True,
    hands=(Hand("Mini-royal", poker.royal()), *poker.hands(3)))
PAIR_BONUS_HANDS = chapter.ranking(
    "Pair Bonus hand", cite="12(e), 12(f)", size=3, hands=(Hand("Mini-royal flush", poker.royal()), *poker.hands(3)))
PLAY_HANDS = chapter.ranking("Play Wager hand", cite="12(b)", size=3, hands=(
    Hand("Mini-royal flush", poker.royal()), *poker.hands(3, down_to="Straight"), Hand("Flush or lower", lambda _: True),
))
BAD_BEAT_HANDS = chapter.ranking("Bad Beat hand", cite="12(c)", size=3, hands=poker.hands(3, down_to="Flush"))  # no hand beats a mini-royal

ALL_SIX_HANDS = chapter.ranking("All-Six hand", cite="6(d), 6(d)(1), 6(d)(1)-(8)", size=5, hands=(
    Hand("Six-card royal flush—diamonds", poker.royal("d"), size=6, otherwise="Royal flush"),
    Hand("Six-card royal flush—hearts, spades or clubs", poker.royal("h", "s", "c"), size=6, otherwise="Royal flush"),
    *poker.hands(5, down_to="Three-of-a-kind"),
))

# § 679a.7  Wagers

common.wagering(chapter, later="the Play Wager of 11(b)")
ALONE = common.optional_wagers_reading(chapter, "7(d)(2)-(4), 8(c)")

ANTE = chapter.wager("Ante Wager", cite="7(d)(1)", area=ANTE_AREA, required=True)
PLAY = chapter.wager("Play Wager", cite="7(d)(1), 11(b)", area=PLAY_AREA, made_by_decision=True)
PRIME = chapter.wager(
    "Prime Wager", cite="7(d)(2)", area=PRIME_AREA, optional=True, survives_fold="11(b)", needs=[ANTE], alone=ALONE)
PAIR_BONUS = chapter.wager("Pair Bonus Wager", cite="7(d)(3)", area=PAIR_BONUS_AREA, optional=True, survives_fold="11(b)",
    needs=[ANTE], alone=ALONE)
ALL_SIX = chapter.wager("All-Six Bonus Wager", cite="7(d)(4)", area=ALL_SIX_AREA, optional=True, survives_fold="11(b)",
    needs=[ANTE], alone=ALONE)
chapter.adjacent_boxes("7(e)", chosen_by_submission=True)

# § 679a.8 to .10  Dealing by manual shoe, from the hand, by automated shoe

FOURTH_CARDS = (Deal(1, FOURTH, when=(PAIR_BONUS,)),)
BY_ONES = (Deal(1, PLAYER), Deal(1, DEALER)) * 3 + FOURTH_CARDS
BY_STACKS = (
    Deal(3, PLAYER), Deal(3, DEALER),
    Deal(1, FOURTH, when=(PAIR_BONUS,), clause="10(c)"),  # from the stub, once it is out of the automated shoe
)
FOUR_TO_EVERYONE = (  # the top card of a stack is the fourth card, or goes to the rack
    (Deal(1, FOURTH, when=(PAIR_BONUS,)), Deal(1, RACK, unless=(PAIR_BONUS,)), Deal(3, PLAYER)),
    Deal(1, RACK),
    Deal(3, DEALER),
)
common.dealing(chapter, entitled=[ANTE], shoe=BY_ONES, automated=BY_STACKS, continuous=("10(g), 10(g)(1)-(2)", FOUR_TO_EVERYONE))

# § 679a.11  Completion of the round

common.examining(chapter, cards="three")
chapter.decision("Play Wager", cite="11(b)", asked_of=ANTE, knows="their three cards",
    choices=[*multiples("play", PLAY, 1, cite="11(b)"), fold("11(b)")])
chapter.stage("11(c)", Act.COLLECT)
QUALIFIES = DealerHas(THREE_CARD, "Queen high")
chapter.announces(DEALER, THREE_CARD, cite="11(c)", asks=QUALIFIES, yes="qualifies", no="does not qualify")
chapter.stage("11(c), 11(c)(1)-(2)", Act.SETTLE)
chapter.stage("11(e)", Act.CLEAR)

UNQUALIFIED = chapter.reading(
    "play without a qualified dealer", cite="11(c)(3)(i), 12(a), 12(b)", question="At what odds is the Play Wager paid when the dealer does not qualify?",
    alternatives={"1 to 1": "at 1 to 1, as 12(a) says", "by the 12(b) table": "by the table for a dealer who qualifies"},
    because="the text controls; the hold that the Board published for the Bad Beat tables matches only the other reading",
)
BAD_BEAT_PLAY = chapter.reading(
    "bad beat play", cite="11(c)(3)(iv), 12(c)", question="What happens to the Play Wager on a bad beat?",
    alternatives={"stays": "the player keeps it, and the bonus is paid on top", "collected": "it is collected like the Ante"},
    because="the clause collects only the Ante",
)

HOLDS = Holds(THREE_CARD)
PLAY_HOLDS, BAD_BEAT_HOLDS, PAIR_HOLDS = Holds(PLAY_HANDS), Holds(BAD_BEAT_HANDS), Holds(PAIR_BONUS_HANDS)
SIX_HOLDS = Holds(ALL_SIX_HANDS, (PLAYER, DEALER))


@chapter.settles(
    ANTE, PLAY, cite="11(c)(3), 12(a), 12(b)", hand=HOLDS,
    asks={
        "folded": FOLDED, "qualifies": QUALIFIES, "compared": Compared(THREE_CARD), "holds": PLAY_HOLDS,
        "beaten": BAD_BEAT_HOLDS, "unqualified": UNQUALIFIED, "bad_beat": BAD_BEAT_PLAY,
    },
)
def ante_and_play(
    folded: bool, qualifies: bool, compared: Comparison, holds: str, beaten: str, unqualified: str, bad_beat: str
) -> Iterator[Lines]:
    if folded:
        yield forfeit(ANTE, cite="11(b)")
    elif not qualifies:  # (3)(i)
        yield give_back(ANTE, cite="11(c)(3)(i)")
        by_table = unqualified == UNQUALIFIED["by the 12(b) table"]
        yield pay_by(PLAY_TABLE, holds, on=PLAY) if by_table else pay(PLAY, at=to(1), cite="12(a)")
    elif compared is not LOWER:  # (3)(ii)
        yield pay(ANTE, at=to(1), cite="12(a)")
        yield pay_by(PLAY_TABLE, holds, on=PLAY)
    else:  # (3)(iii) and (iv): the selected table says which bad beats are paid
        yield collect(ANTE, by=(BAD_BEAT, beaten), cite="11(c)(3)(iv)", lost="11(c)(3)(iii)")
        settled = give_back if bad_beat == BAD_BEAT_PLAY["stays"] else collect
        yield settled(PLAY, by=(BAD_BEAT, beaten), cite="11(c)(3)(iv)", lost="11(c)(3)(iii)")
        yield pay_bonus(BAD_BEAT, beaten, on=PLAY)


chapter.principle(
    "11(c)(3)(i)-(iv)", "the Ante and Play are settled by the dealer's hand, the comparison and the Bad Beat table", kept_by="ante_and_play")

PRIME_ROWS = ("Same color player and dealer hand", "Same color player hand", NOTHING)


def colors_alike(position: Position) -> str:
    mine, theirs = ({card.is_red for card in position.at(place)} for place in (PLAYER, DEALER))
    if len(mine) > 1:
        return NOTHING
    return PRIME_ROWS[0] if mine == theirs else PRIME_ROWS[1]


COLORS = Named("colors of the hands", PRIME_ROWS, colors_alike)
FOURTH_IS_TWO = Named("fourth card is a 2", (True, False), lambda position: position.at(FOURTH)[0].rank == 2)

common.settled_by_table(chapter, PRIME, COLORS, cite="11(d), 11(d)(1), 11(d)(1)(i)-(ii)", lost="11(d)(1)(i)")


@chapter.settles(
    PAIR_BONUS, cite="11(d)(2), 11(d)(2)(i)-(ii), 11(d)(2)(ii)(A)-(B)",
    asks={"holds": PAIR_HOLDS, "fourth_is_two": FOURTH_IS_TWO}, hand=PAIR_HOLDS
)
def pair_bonus(holds: str, fourth_is_two: bool) -> Iterator[Lines]:
    if holds == NOTHING:  # (i): the fourth card stays face down
        yield collect(PAIR_BONUS, cite="11(d)(2)(i)")
    else:  # (ii)
        yield pay_by(PAIR_BONUS_WITH_TWO if fourth_is_two else PAIR_BONUS_TABLE, holds, on=PAIR_BONUS)


common.settled_by_table(chapter, ALL_SIX, SIX_HOLDS, cite="11(d)(3), 11(d)(3)(i)-(ii)", lost="11(d)(3)(i)")

# § 679a.12  Payout odds; Bad Beat Bonus

PLAY_TABLE = chapter.paytable("Play Wager", """
    Mini-royal flush   10 to 1
    Straight flush     6 to 1
    Three-of-a-kind    5 to 1
    Straight           2 to 1
    Flush or lower     1 to 1
""", cite="12(b)", hands=PLAY_HANDS)

chapter.paytable("Bad Beat Bonus", """
    A  B
    Straight flush    12 to 1  6 to 1
    Three-of-a-kind   10 to 1  5 to 1
    Straight          4 to 1   2 to 1
""", cite="12(c)", hands=BAD_BEAT_HANDS, only=E2015)

BAD_BEAT = chapter.paytable("Bad Beat Bonus", """
    A  B  C  D
    Straight flush    12 to 1  12 to 1  6 to 1  6 to 1
    Three-of-a-kind   10 to 1  10 to 1  5 to 1  5 to 1
    Straight          4 to 1   4 to 1   2 to 1  2 to 1
    Flush             -        1 to 1   -       1 to 1
""", cite="12(c)", hands=BAD_BEAT_HANDS, only=E2016)

chapter.paytable("Prime Wager", """
    Same color player and dealer hand   4 to 1
    Same color player hand              3 to 1
""", cite="12(d)", hands=PRIME_ROWS)

PAIR_BONUS_TABLE = chapter.paytable("Pair Bonus Wager, fourth card not a 2", """
    Mini-royal flush   50 to 1
    Straight flush     40 to 1
    Three-of-a-kind    30 to 1
    Straight           6 to 1
    Flush              3 to 1
    Pair               1 to 1
""", cite="12(e)", hands=PAIR_BONUS_HANDS)

PAIR_BONUS_WITH_TWO = chapter.paytable("Pair Bonus Wager", """
    A  B  C  D
    Mini-royal flush   100 to 1  75 to 1  75 to 1  75 to 1
    Straight flush     80 to 1   60 to 1  50 to 1  50 to 1
    Three-of-a-kind    60 to 1   45 to 1  40 to 1  40 to 1
    Straight           12 to 1   10 to 1  8 to 1   8 to 1
    Flush              6 to 1    5 to 1   4 to 1   4 to 1
    Pair               1 to 1    2 to 1   2 to 1   1 to 1
""", cite="12(f)", hands=PAIR_BONUS_HANDS)

ALL_SIX_TABLE = chapter.paytable("All-Six Bonus Wager", """
    A  B  C  D  E
    Six-card royal flush—diamonds                  -           -           -           -           200,000 to 1
    Six-card royal flush—hearts, spades or clubs   -           -           -           -           20,000 to 1
    Royal flush       1,000 to 1  1,000 to 1  1,000 to 1  1,000 to 1  1,000 to 1
    Straight flush    200 to 1    200 to 1    200 to 1    200 to 1    200 to 1
    Four-of-a-kind    50 to 1     50 to 1     100 to 1    100 to 1    50 to 1
    Full house        25 to 1     25 to 1     20 to 1     20 to 1     20 to 1
    Flush             20 to 1     15 to 1     15 to 1     15 to 1     15 to 1
    Straight          10 to 1     10 to 1     9 to 1      10 to 1     10 to 1
    Three-of-a-kind   5 to 1      5 to 1      8 to 1      7 to 1      5 to 1
""", cite="12(g)", hands=ALL_SIX_HANDS)

common.limit(chapter, "12(h)", covers=[ANTE, PLAY, BAD_BEAT, PRIME, PAIR_BONUS, ALL_SIX],
    never=frozenset((ALL_SIX.name, row) for row in ALL_SIX_TABLE.rows[:2]))

BOARD = "the Board's preamble to 125-195"
TABLE_12_B = ("play without a qualified dealer", "by the 12(b) table")
for letter, percent in (("B", "2.28%"), ("C", "3.03%"), ("D", "2.41%")):
    chapter.published("Ante Wager", percent, cite="12(c)", source=BOARD, letter=letter, reading=TABLE_12_B, only=E2016)
chapter.published("Ante Wager", "2.9%", cite="12(c)", source="45 Pa.B. 6992", letter="A", reading=TABLE_12_B, only=E2015)
chapter.published("Ante Wager", "3.03%", cite="12(c)", source="45 Pa.B. 6992", letter="B", reading=TABLE_12_B, only=E2015)
chapter.published("Prime Wager", "3.62%", cite="12(d)", source=BOARD)
chapter.published("Pair Bonus Wager", "3.18%", cite="12(f)", source=BOARD, bound="least")
chapter.published("Pair Bonus Wager", "5.83%", cite="12(f)", source=BOARD, bound="most")
chapter.published("All-Six Bonus Wager", "6.74%", cite="12(g)", source=BOARD, bound="least")
chapter.published("All-Six Bonus Wager", "18.10%", cite="12(g)", source=BOARD, bound="most")

# § 679a.13  Irregularities

common.irregularities(chapter)
common.exposed(chapter, DEALER, settled=[PRIME, PAIR_BONUS, ALL_SIX], settled_under="11(d)")
