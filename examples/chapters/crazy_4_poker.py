"""Crazy 4 Poker: an example of a chapter outside the book, not law.

Five cards to each player and to the dealer, of which the best four count. Ante and Super Bonus are equal. A player folds or bets as
much again on the Play Wager, and up to three times as much with a pair of aces or better. The dealer opens with king high.

    croupier odds ./crazy_4_poker.py
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.book import common, poker
from croupier.cards import ACE, QUEEN
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status
from croupier.law.fact import DEALER, FOLDED, HIGHER, LOWER, PLAYER, Compared, Comparison, DealerHas, Holds
from croupier.law.layout import Subject
from croupier.law.procedure import Act, Deal
from croupier.law.ranking import NOTHING, Hand
from croupier.law.settlement import Lines, collect, forfeit, pay, pay_by, push
from croupier.law.wager import fold, multiples
from croupier.money import to

chapter = Chapter("C4", "Crazy 4 Poker", (Edition("2026-11-17", "an example", Status.EXAMPLE),))

# § 1  Definitions

chapter.define(
    {
        "Hand": "the best four of the five cards of a player or the dealer",
        "Open": "to have king high or better, as the dealer must for the Ante to be in play",
        "Play Wager": "a further wager, made after seeing the hand, to stay in against the dealer",
        "Queens Up Wager": "a wager before the deal against a posted paytable, whatever the dealer holds",
        "Round of play": "from the placing of wagers to their settlement",
        "Super Bonus Wager": "a wager equal to the Ante that wins by a paytable and is lost only by a hand that loses",
    }
)

# § 2  The table

common.table(chapter, 7)
ANTE_AREA = chapter.area("Ante Wager", cite="2(b)(2)")
SUPER_BONUS_AREA = chapter.area("Super Bonus Wager", cite="2(b)(2)")
PLAY_AREA = chapter.area("Play Wager", cite="2(b)(2)")
QUEENS_UP_AREA = chapter.area("Queens Up Wager", cite="2(b)(3)")
chapter.area("Dealer's cards", cite="2(b)(4)", cards=DEALER)
chapter.inscription("the payout odds of every wager offered, or a sign with them", cite="2(b)(5)", about=Subject.ODDS)
common.boxes_and_rack(chapter, boxes="2(c)", rack="2(d)")

# § 3 to 5  Decks; opening; shuffle and cut

common.decks(chapter)

# § 6  Rankings: how hands compare, and the rows that are paid

FOUR_CARD = chapter.ranking("Four-card hand", cite="6(a)", size=4, compared=True, hands=poker.hands(4))
SUPER_BONUS_HANDS = chapter.ranking("Super Bonus hand", cite="6(b)", size=4, hands=(Hand("Four aces", poker.of_a_kind(4, ACE)), *poker.hands(4, down_to="Straight")))
QUEENS_UP_HANDS = chapter.ranking("Queens Up hand", cite="6(c)", size=4, hands=(*poker.hands(4, down_to="Two pairs"), Hand("Queens or better", poker.of_a_kind(2, at_least=QUEEN))))
RAISING_HANDS = chapter.ranking("Raising hand", cite="6(d)", size=4, hands=(*poker.hands(4, down_to="Two pairs"), Hand("Pair of aces", poker.of_a_kind(2, ACE))))

# § 7  Wagers

common.wagering(chapter, later="the Play Wager of 11(b)")

ANTE = chapter.wager("Ante Wager", cite="7(d)", area=ANTE_AREA, required=True)
SUPER_BONUS = chapter.wager("Super Bonus Wager", cite="7(d)", area=SUPER_BONUS_AREA, required=True, equals=ANTE)
PLAY = chapter.wager("Play Wager", cite="7(e)", area=PLAY_AREA, made_by_decision=True)
QUEENS_UP = chapter.wager("Queens Up Wager", cite="7(f)", area=QUEENS_UP_AREA, optional=True, needs=[ANTE], survives_fold="11(b)")
chapter.adjacent_boxes("7(g)", chosen_by_submission=False)

# § 8 to 10  Dealing by manual shoe, from the hand, by automated shoe

BY_ONES = (Deal(1, PLAYER), Deal(1, DEALER)) * 5
BY_STACKS = (Deal(5, PLAYER), Deal(5, DEALER))
common.dealing(chapter, entitled=[ANTE], shoe=BY_ONES, automated=BY_STACKS)

# § 11  Completion of the round

common.examining(chapter, cards="five")
chapter.decision("Play Wager", cite="11(b)", asked_of=ANTE, knows="their five cards",
    choices=[
        *multiples("play", PLAY, 1, cite="11(b)"),
        *multiples("play", PLAY, 2, 3, cite="11(b)", holding=(RAISING_HANDS, "Pair of aces")),
        fold("11(b)"),
    ])
chapter.stage("11(c)", Act.COLLECT)
OPENS = DealerHas(FOUR_CARD, "King high")
chapter.announces(DEALER, FOUR_CARD, cite="11(d)", asks=OPENS, yes="opens", no="does not open")
chapter.stage("11(e)", Act.SETTLE)
chapter.stage("11(f)", Act.CLEAR)

HOLDS, SUPER_BONUS_HOLDS, QUEENS_UP_HOLDS = Holds(FOUR_CARD), Holds(SUPER_BONUS_HANDS), Holds(QUEENS_UP_HANDS)


@chapter.settles(
    ANTE,
    SUPER_BONUS,
    PLAY,
    cite="11(e), 12(a)",
    asks={"folded": FOLDED, "opens": OPENS, "compared": Compared(FOUR_CARD), "holds": SUPER_BONUS_HOLDS},
    hand=HOLDS,
)
def ante_and_play(folded: bool, opens: bool, compared: Comparison, holds: str) -> Iterator[Lines]:
    if folded:
        yield forfeit(ANTE, SUPER_BONUS, cite="11(b)")
        return
    if not opens:
        yield push(ANTE, cite="11(e)(1)")
    elif compared is LOWER:
        yield collect(ANTE, cite="11(e)(2)")
    else:
        yield pay(ANTE, at=to(1), cite="12(a)") if compared is HIGHER else push(ANTE, cite="11(e)(3)")
    if compared is LOWER:
        yield collect(PLAY, cite="11(e)(2)")
    else:
        yield pay(PLAY, at=to(1), cite="12(a)") if compared is HIGHER else push(PLAY, cite="11(e)(3)")
    if holds == NOTHING and compared is not LOWER:
        yield push(SUPER_BONUS, cite="11(e)(4)")
    else:
        yield pay_by(SUPER_BONUS_TABLE, holds, on=SUPER_BONUS, lost="11(e)(2)")


@chapter.settles(QUEENS_UP, cite="11(e), 12(c)", asks={"holds": QUEENS_UP_HOLDS}, hand=QUEENS_UP_HOLDS)
def queens_up(holds: str) -> Iterator[Lines]:
    yield pay_by(QUEENS_UP_TABLE, holds, on=QUEENS_UP)


# § 12  Payout odds

SUPER_BONUS_TABLE = chapter.paytable("Super Bonus Wager", """
    Four aces         200 to 1
    Four-of-a-kind    30 to 1
    Straight flush    15 to 1
    Three-of-a-kind   2 to 1
    Flush             3 to 2
    Straight          1 to 1
""", cite="12(b)", hands=SUPER_BONUS_HANDS)

QUEENS_UP_TABLE = chapter.paytable("Queens Up Wager", """
    Four-of-a-kind     50 to 1
    Straight flush     40 to 1
    Three-of-a-kind    8 to 1
    Flush              4 to 1
    Straight           3 to 1
    Two pairs          2 to 1
    Queens or better   1 to 1
""", cite="12(c)", hands=QUEENS_UP_HANDS)

chapter.published("Ante Wager", "3.4189%", cite="12(a)", source="published elsewhere for the same rules")

# § 13  Irregularities

common.irregularities(chapter)
common.exposed(chapter, DEALER)
