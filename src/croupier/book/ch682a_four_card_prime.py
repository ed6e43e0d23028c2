"""58 Pa. Code Chapter 682a. Four Card Prime.   Read it alongside the regulation: same sections, same order."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.book import common, poker
from croupier.cards import ACE
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status
from croupier.law.fact import (
    COMMUNITY,
    DEALER,
    FOLDED,
    HIGHER,
    LOWER,
    PLAYER,
    Compared,
    Comparison,
    Depending,
    Holds,
    Named,
    Position,
)
from croupier.law.layout import Subject
from croupier.law.procedure import RACK, Act, Deal
from croupier.law.ranking import NOTHING, Hand
from croupier.law.settlement import Lines, collect, forfeit, give_back, on_terms, pay, pay_bonus
from croupier.law.wager import fold, multiples
from croupier.money import to

chapter = Chapter("682a", "Four Card Prime", (Edition("2019-05-04", "49 Pa.B. 2227", Status.CODIFIED),), law="58 Pa. Code")

# § 682a.1  Definitions

chapter.define({
    "Ante Wager": "the wager made before the deal that competes with the dealer's hand",
    "Raise Wager": "a wager of one, two or three times the Ante to stay in against the dealer",
    "Prime Wager": "an optional wager made before the deal that pays by a posted paytable",
    "Aces Bonus Wager": "an optional wager made before the deal that pays by a posted paytable",
    "All-Six Bonus Wager": "an optional wager made before the deal that pays by a posted paytable",
    "Win Bonus": "an extra payout on the Ante for a three-of-a-kind or better that beats the dealer",
    "Bad Beat Bonus": "a payout on the Ante for a three-of-a-kind or better that the dealer beats",
})

# § 682a.2  The table

common.table(chapter, 6)
ANTE_AREA = chapter.area("Ante Wager", cite="2(b)(2)")
RAISE_AREA = chapter.area("Raise Wager", cite="2(b)(2)")
PRIME_AREA = chapter.area("Prime Wager", cite="2(b)(3)")
ACES_BONUS_AREA = chapter.area("Aces Bonus Wager", cite="2(b)(3)")
ALL_SIX_AREA = chapter.area("All-Six Bonus Wager", cite="2(b)(3)")
chapter.area("Dealer's cards", cite="10(b)", cards=DEALER)
chapter.area("All-Six Bonus card", cite="8(c)", cards=COMMUNITY)
chapter.inscription("the payout odds of every wager offered, or a sign that lists them", cite="2(b)(4)", about=Subject.ODDS)
chapter.inscription("the payout limit, if there is one, or a sign that states it", cite="2(b)(5)", about=Subject.LIMIT)
common.boxes_and_rack(chapter, boxes="2(c)", rack="2(d)")

# § 682a.3 to .5  Decks; opening; shuffle and cut

common.decks(chapter)

# § 682a.6  Rankings

FOUR_CARD = chapter.ranking("Four-card hand", cite="6(b), 6(a), 6(b)(1)-(7), 6(c)", size=4, compared=True, hands=poker.hands(4))

ACES_BONUS_ROWS = (  # no full house, and four-of-a-kind above the royal flush
    Hand("Four aces", poker.of_a_kind(4, ACE)),
    Hand("Four-of-a-kind", poker.of_a_kind(4)),
    Hand("Royal flush", poker.royal()),
    Hand("Straight flush", poker.straight_flush),
    Hand("Three aces", poker.of_a_kind(3, ACE)),
    Hand("Three-of-a-kind", poker.of_a_kind(3)),
    Hand("Flush", poker.flush),
    Hand("Straight", poker.straight),
    Hand("Two pair", poker.two_pairs),
    Hand("Two aces", poker.of_a_kind(2, ACE)),
)
ACES_FIVE = chapter.ranking("Aces Bonus hand", cite="6(d), 6(d)(1)-(10)", size=5, hands=ACES_BONUS_ROWS,
    note="A royal flush, straight flush, flush or straight takes five cards.")
ACES_FOUR = chapter.ranking("Aces Bonus hand of four cards", cite="6(d), 6(d)(1)-(10)", size=4, hands=ACES_BONUS_ROWS,
    note="A royal flush, straight flush, flush or straight takes four cards.")
ACES_READING = chapter.reading(
    "aces bonus hands", cite="6(d), 6(d)(3)-(4), 6(d)(7)-(8)",
    question="How many cards make a straight, flush, straight flush or royal flush for the Aces Bonus?",
    alternatives={"five cards": "five, as 6(d) says", "four cards": "four, as in 6(b)"},
    because="the text defines them with five cards",
    concerns="Aces Bonus Wager",
    cautions={"five cards": "it makes the Aces Bonus far worse than the other wagers; with four cards it is on a par with them"},
    sound="four cards",
)

ALL_SIX_HANDS = chapter.ranking("All-Six hand", cite="6(e), 6(e)(1), 6(e)(1)-(8)", size=5, hands=(
    Hand("Six-card royal flush—diamonds", poker.royal("d"), size=6, otherwise="Royal flush"),
    Hand("Six-card royal flush—hearts, spades or clubs", poker.royal("h", "s", "c"), size=6, otherwise="Royal flush"),
    *poker.hands(5, down_to="Three-of-a-kind"),
))

# § 682a.7  Wagers

common.wagering(chapter, later="the Raise Wager of 11(b)")
ALONE = common.optional_wagers_reading(chapter, "7(d)(2)-(4), 8(c)")

ANTE = chapter.wager("Ante Wager", cite="7(d)(1)", area=ANTE_AREA, required=True)
RAISE = chapter.wager("Raise Wager", cite="7(d)(1), 11(b)", area=RAISE_AREA, made_by_decision=True)
PRIME = chapter.wager(
    "Prime Wager", cite="7(d)(2)", area=PRIME_AREA, optional=True, survives_fold="11(b)", needs=[ANTE], alone=ALONE)
ACES_BONUS = chapter.wager("Aces Bonus Wager", cite="7(d)(3)", area=ACES_BONUS_AREA, optional=True, survives_fold="11(b)",
    needs=[ANTE], alone=ALONE)
ALL_SIX = chapter.wager("All-Six Bonus Wager", cite="7(d)(4)", area=ALL_SIX_AREA, optional=True, survives_fold="11(b)",
    needs=[ANTE], alone=ALONE)
chapter.adjacent_boxes("7(e)", chosen_by_submission=True)

# § 682a.8 to .10  Dealing by manual shoe, from the hand, by automated shoe

BY_ONES = (
    Deal(1, COMMUNITY, when=(ALL_SIX,)),  # the All-Six Bonus card first
    *(Deal(1, PLAYER), Deal(1, DEALER)) * 5,
    Deal(1, DEALER),
)
BY_STACKS = (
    Deal(5, PLAYER),
    Deal(5, DEALER),
    Deal(1, COMMUNITY, when=(ALL_SIX,)),  # the All-Six Bonus card from the top of one more stack of five
    Deal(1, DEALER),
    Deal(3, RACK, when=(ALL_SIX,)),
    Deal(4, RACK, unless=(ALL_SIX,)),
)
common.dealing(chapter, entitled=[ANTE], shoe=BY_ONES, automated=BY_STACKS)

# § 682a.11  Completion of the round

common.examining(chapter, cards="five")
chapter.decision("Raise Wager", cite="11(b)", asked_of=ANTE, knows="their five cards",
    choices=[*multiples("raise", RAISE, 1, 2, 3, cite="11(b)"), fold("11(b)")])
chapter.stage("11(c)", Act.COLLECT)
chapter.announces(DEALER, FOUR_CARD, cite="11(d)")
chapter.stage("11(d), 11(d)(1)", Act.SETTLE)
chapter.stage("11(f)", Act.CLEAR)

TIE = chapter.reading(
    "tie and the win bonus", cite="1, 11(d)(2)(i)", question="Does a tie earn the Win Bonus?",
    alternatives={"earned": "yes; a hand equal to the dealer's earns it too", "not earned": "no; only a higher hand earns it"},
    because=".11 is the operative procedure and pays the bonus on a tie; .1 refers to a higher hand",
)
FOR_ONE = chapter.reading(
    "win bonus for one", cite="12(b)", question="Does the Win Bonus's “25 for 1” include a stake?",
    alternatives={"on top": "25 times the Ante on top of its even money", "stake counted in": "24 times the Ante, because the 25 includes the stake"},
    because="the bonus has no stake of its own to include",
)

HOLDS = Holds(FOUR_CARD)
ACES_HOLDS = Depending(ACES_READING, {"five cards": Holds(ACES_FIVE), "four cards": Holds(ACES_FOUR)})
SIX_HOLDS = Holds(ALL_SIX_HANDS, (PLAYER, COMMUNITY))


@chapter.settles(
    ANTE, RAISE, cite="11(d)(2), 12(a)", hand=HOLDS,
    asks={"folded": FOLDED, "compared": Compared(FOUR_CARD), "holds": HOLDS, "tie": TIE, "for_one": FOR_ONE},
)
def ante_and_raise(folded: bool, compared: Comparison, holds: str, tie: str, for_one: str) -> Iterator[Lines]:
    if folded:
        yield forfeit(ANTE, cite="11(b)")
    elif compared is not LOWER:  # (i)
        yield pay(ANTE, RAISE, at=to(1), cite="12(a)")
        if compared is HIGHER or tie == TIE["earned"]:
            yield on_terms(pay_bonus(WIN_BONUS, holds, on=ANTE), stake_counted_in=for_one == FOR_ONE["stake counted in"])
    elif holds in BAD_BEAT.rows:  # (ii)(B)
        yield give_back(ANTE, cite="11(d)(2)(ii)(B)")
        yield collect(RAISE, cite="11(d)(2)(ii)(B)")
        yield pay_bonus(BAD_BEAT, holds, on=ANTE)
    else:  # (ii)(A)
        yield collect(ANTE, RAISE, cite="11(d)(2)(ii)(A)")


chapter.principle(
    "11(d)(2)(i), 11(d)(2)(ii), 11(d)(2)(ii)(A)-(B)", "the Ante and Raise are settled by comparing the hands", kept_by="ante_and_raise")

PRIME_ROWS = ("All five the same color", "Four of the same color", NOTHING)


def colors_alike(position: Position) -> str:
    red = sum(card.is_red for card in position.at(PLAYER))
    return {5: PRIME_ROWS[0], 4: PRIME_ROWS[1]}.get(max(red, 5 - red), NOTHING)


COLORS = Named("colors of the player's cards", PRIME_ROWS, colors_alike)

common.settled_by_table(chapter, PRIME, COLORS, cite="11(e), 11(e)(1), 11(e)(1)(i)-(ii)", lost="11(e)(1)(i)")
common.settled_by_table(chapter, ACES_BONUS, ACES_HOLDS, cite="11(e)(2), 11(e)(2)(i)-(ii)", lost="11(e)(2)(i)")
common.settled_by_table(chapter, ALL_SIX, SIX_HOLDS, cite="11(e)(3), 11(e)(3)(i)-(ii)", lost="11(e)(3)(i)")

# § 682a.12  Payout odds; Bad Beat Bonus; payout limitation

WIN_BONUS = chapter.paytable("Win Bonus", """
    Four-of-a-kind    25 for 1
    Straight flush    20 for 1
    Three-of-a-kind   2 for 1
""", cite="12(b)", hands=FOUR_CARD)

BAD_BEAT = chapter.paytable("Bad Beat Bonus", """
    A  B  C  D
    Four-of-a-kind    25 to 1  50 to 1  100 to 1  100 to 1
    Straight flush    20 to 1  40 to 1  50 to 1   50 to 1
    Three-of-a-kind   2 to 1   5 to 1   5 to 1    10 to 1
""", cite="12(c)", hands=FOUR_CARD)

chapter.paytable("Prime Wager", """
    A  B
    All five the same color   6 to 1  5 to 1
    Four of the same color    1 to 1  1 to 1
""", cite="12(d)", hands=PRIME_ROWS)

chapter.paytable("Aces Bonus Wager", """
    A  B  C  D  E  F  G  H
    Four aces         500 to 1  500 to 1  500 to 1  500 to 1  500 to 1  50 to 1  50 to 1  50 to 1
    Four-of-a-kind    100 to 1  100 to 1  100 to 1  100 to 1  100 to 1  50 to 1  50 to 1  50 to 1
    Royal flush       50 to 1   40 to 1   50 to 1   50 to 1   50 to 1   30 to 1  30 to 1  40 to 1
    Straight flush    30 to 1   30 to 1   40 to 1   30 to 1   20 to 1   30 to 1  30 to 1  40 to 1
    Three aces        20 to 1   15 to 1   25 to 1   20 to 1   15 to 1   7 to 1   9 to 1   8 to 1
    Three-of-a-kind   10 to 1   10 to 1   10 to 1   10 to 1   10 to 1   7 to 1   9 to 1   8 to 1
    Flush             5 to 1    5 to 1    5 to 1    5 to 1    5 to 1    6 to 1   6 to 1   5 to 1
    Straight          4 to 1    4 to 1    3 to 1    3 to 1    3 to 1    5 to 1   4 to 1   4 to 1
    Two pair          2 to 1    2 to 1    2 to 1    2 to 1    2 to 1    2 to 1   2 to 1   3 to 1
    Two aces          1 to 1    1 to 1    1 to 1    1 to 1    1 to 1    1 to 1   1 to 1   1 to 1
""", cite="12(e)", hands=ACES_FIVE)

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
""", cite="12(f)", hands=ALL_SIX_HANDS)

common.limit(chapter, "12(g)", covers=[ACES_BONUS, ALL_SIX], never=frozenset((ALL_SIX.name, row) for row in ALL_SIX_TABLE.rows[:2]))

# § 682a.13  Irregularities

common.irregularities(chapter)
SOME_RAISED = chapter.reading(
    "exposed among the raises", cite="13(d)", question="A dealer's card is exposed when only some players have raised or folded. Are the hands void?",
    alternatives={"void": "yes, until the last player has decided", "not void": "no, only before the first Raise Wager"},
    because="13(d) returns Raise Wagers too, so some may have been made; players who have yet to decide would know the card",
)
common.exposed(chapter, DEALER, "before the Raise Wagers of 11(b)", before=Act.COLLECT, until_first=(SOME_RAISED, "not void"),
    settled=[PRIME, ACES_BONUS, ALL_SIX], settled_under="11(e)")
