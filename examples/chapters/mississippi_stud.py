"""Mississippi Stud: an example of a chapter outside the book, not law.   docs/add-a-chapter.md builds it step by step.

An ante, two cards to each player, three community cards. At each of three streets a player folds or bets one to three times the
ante; then the next community card is turned. Every bet is paid by the same table. The dealer has no hand.

    croupier show ./mississippi_stud.py
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.book import common, poker
from croupier.cards import JACK
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status
from croupier.law.fact import COMMUNITY, FOLDED, PLAYER, Holds
from croupier.law.layout import Subject
from croupier.law.procedure import RACK, Act, Deal
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, forfeit, pay_by
from croupier.law.wager import Wager, fold, multiples

chapter = Chapter("MS", "Mississippi Stud", (Edition("2026-11-17", "an example", Status.EXAMPLE),))

# § 1  Definitions

chapter.define(
    {
        "Community card": "a card that counts in every player's hand",
        "Hand": "the player's two cards and the three community cards",
        "Street": "a card that is about to be seen: the third, fourth or fifth of a hand",
        "Round of play": "from the placing of antes to the settlement of all bets",
    }
)

# § 2  The table: every wager has its area

common.table(chapter, 6)
ANTE_AREA = chapter.area("Ante Wager", cite="2(b)(2)")
THIRD_AREA = chapter.area("3rd Street Wager", cite="2(b)(2)")
FOURTH_AREA = chapter.area("4th Street Wager", cite="2(b)(2)")
FIFTH_AREA = chapter.area("5th Street Wager", cite="2(b)(2)")
chapter.area("Player's cards", cite="2(b)(3)", cards=PLAYER)
chapter.area("Community cards", cite="2(b)(4)", cards=COMMUNITY, note="in front of the table inventory container")
chapter.inscription("the payout odds of every wager, or a sign with them", cite="2(b)(5)", about=Subject.ODDS)
common.boxes_and_rack(chapter, boxes="2(c)", rack="2(d)")

# § 3 to 5  Decks; opening; shuffle and cut

common.decks(chapter)

# § 6  Rankings: the names of hands, and the rows that are paid

FIVE_CARD = chapter.ranking("Five-card hand", cite="6(a)", size=5, compared=True, hands=poker.hands(5))
PAID_HANDS = chapter.ranking("Mississippi Stud hand", cite="6(b)", size=5, hands=(
    *poker.hands(5, down_to="Two pairs"), Hand("Jacks or better", poker.of_a_kind(2, at_least=JACK)), Hand("Pair of sixes to tens", poker.of_a_kind(2, at_least=6)),
))

# § 7  Wagers: the ante before the deal, the others by decisions

common.wagering(chapter, later="the bets of 11(b), (d) and (f)")

ANTE = chapter.wager("Ante Wager", cite="7(d)", area=ANTE_AREA, required=True)
THIRD = chapter.wager("3rd Street Wager", cite="7(e)", area=THIRD_AREA, made_by_decision=True)
FOURTH = chapter.wager("4th Street Wager", cite="7(e)", area=FOURTH_AREA, made_by_decision=True)
FIFTH = chapter.wager("5th Street Wager", cite="7(e)", area=FIFTH_AREA, made_by_decision=True)
chapter.adjacent_boxes("7(f)", chosen_by_submission=False)

# § 8 to 10  Dealing by manual shoe, from the hand, by automated shoe: everything face down

BY_ONES = (Deal(1, PLAYER), Deal(1, PLAYER), Deal(3, COMMUNITY))
BY_STACKS = (
    Deal(2, PLAYER),
    Deal(2, COMMUNITY),  # two stacks of two: the last card goes unseen
    Deal(1, COMMUNITY),
    Deal(1, RACK),
)
common.dealing(chapter, entitled=[ANTE], shoe=BY_ONES, automated=BY_STACKS)

# § 11  Completion of the round: a decision, then a card, three times

common.examining(chapter, cards="two")


def street(wager: Wager, clause: str, then: str, knows: str, *, last: bool = False) -> None:
    """Fold, or bet one to three times the ante and go on; then a card is turned."""
    choices = [*multiples("bet", wager, 1, 2, 3, cite=clause, goes_on=not last), fold(clause)]
    chapter.decision(wager.name, cite=clause, asked_of=ANTE, knows=knows, choices=choices)
    chapter.stage(clause, Act.COLLECT)
    chapter.stage(then, Act.TURN, cards=1)


street(THIRD, "11(b)", "11(c)", "their two cards")
street(FOURTH, "11(d)", "11(e)", "their two cards and the first community card")
street(FIFTH, "11(f)", "11(g)", "their two cards and two community cards", last=True)
chapter.stage("11(h)", Act.SETTLE)
chapter.stage("11(i)", Act.CLEAR)

HOLDS, PAID = Holds(FIVE_CARD, (PLAYER, COMMUNITY)), Holds(PAID_HANDS, (PLAYER, COMMUNITY))


@chapter.settles(ANTE, THIRD, FOURTH, FIFTH, cite="11(h), 12(a)", asks={"folded": FOLDED, "holds": PAID}, hand=HOLDS)
def bets(folded: bool, holds: str) -> Iterator[Lines]:
    for bet in (ANTE, THIRD, FOURTH, FIFTH):
        yield forfeit(bet, cite="11(b)") if folded else pay_by(PAYS, holds, on=bet)


# § 12  Payout odds

PAYS = chapter.paytable("Mississippi Stud", """
    Royal flush             500 to 1
    Straight flush          100 to 1
    Four-of-a-kind          40 to 1
    Full house              10 to 1
    Flush                   6 to 1
    Straight                4 to 1
    Three-of-a-kind         3 to 1
    Two pairs               2 to 1
    Jacks or better         1 to 1
    Pair of sixes to tens   push
""", cite="12(a)", hands=PAID_HANDS)

chapter.published("Ante Wager", "4.9149%", cite="12(a)", source="published elsewhere for the same rules")

# § 13  Irregularities

common.irregularities(chapter, counted="A player or the community")
common.exposed(chapter, COMMUNITY, "before it is turned under 11(c), (e) or (g)", before=Act.SETTLE)
