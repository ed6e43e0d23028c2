"""58 Pa. Code Chapter 653a. Ultimate Texas Hold 'Em Poker.   Read it alongside the regulation: same sections, same order."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.book import common, poker
from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Status
from croupier.law.fact import COMMUNITY, DEALER, FOLDED, HIGHER, LOWER, PLAYER, Compared, Comparison, DealerHas, Depending, Holds
from croupier.law.layout import Subject
from croupier.law.procedure import Act, Deal
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, collect, forfeit, give_back, pay, pay_by, push
from croupier.law.wager import Choice, Wager, fold, multiples, one_of
from croupier.money import dollars, to

E2011 = Edition("2011-06-14", "proposed rulemaking 125-152", Status.PROPOSED)
chapter = Chapter("653a", "Ultimate Texas Hold 'Em Poker", (E2011,), law="58 Pa. Code")

# § 653a.1  Definitions

chapter.define({
    "Burn": "to put the next card in the discard rack without showing it",
    "Check": "to stay in the round without making a Play Wager yet",
    "Community card": "a card that every player and the dealer may use",
    "Flop": "the first three community cards",
    "Fold": "to leave the round by not making a Play Wager",
    "Hand": "five cards chosen from the player's or dealer's two and the five community cards",
    "Play Wager": "an additional wager, made after seeing the hand, to stay in against the dealer",
    "Round of play": "from placing wagers to settling them",
    "Trips Wager": "a wager made before the deal that pays by a posted paytable, regardless of the dealer's hand",
})
chapter.define({
    "Envy Bonus": "a fixed sum paid to a progressive player when another player holds a qualifying hand",
    "Envy Bonus Qualifying Hand": "a straight flush or better",
    "Progressive Payout Hand": "a three-of-a-kind or better",
}, wager="Progressive Payout Wager")

# § 653a.2  The table

common.table(chapter, 6)
ANTE_AREA = chapter.area("Ante Wager", cite="2(b)(2)", sign="=")
BLIND_AREA = chapter.area("Blind Wager", cite="2(b)(2)", note="to the right of the Ante, with an “=” between them")
PLAY_AREA = chapter.area("Play Wager", cite="2(b)(2)")
TRIPS_AREA = chapter.area("Trips Wager", cite="2(b)(2)")
chapter.area("Community cards", cite="2(b)(3)", cards=COMMUNITY, note="in front of the table inventory container")
chapter.area("Dealer's cards", cite="2(b)(4)", cards=DEALER)
PROGRESSIVE_AREA = chapter.area("Progressive Payout Wager", cite="2(b)(5)")
chapter.inscription("the payout odds or amounts of every wager offered, or a sign that lists them", cite="2(b)(6)", about=Subject.ODDS)
chapter.inscription("that the Ante pushes when the dealer has less than a pair", cite="2(b)(7)", about=Subject.FACT)
chapter.inscription("that the Blind pushes when the winning hand is below a straight", cite="2(b)(7)", about=Subject.FACT)
chapter.inscription("which multiples of the Ante a Play Wager may be", cite="2(b)(7)", about=Subject.MULTIPLES)
chapter.inscription("the payout limit per hand, or that a posted limit applies, or a sign that says so", cite="2(b)(7)", about=Subject.LIMIT)
SYSTEM = common.wagering_device(chapter, "2(c)", system="Progressive table game system")
common.boxes_and_rack(chapter, boxes="2(d)", rack="2(e)")

# § 653a.3 to .5  Decks; opening; shuffle and cut

common.decks(chapter, cover_cards=2, long_idle=E2011)

# § 653a.6  Rankings

FIVE_CARD = chapter.ranking("Five-card hand", cite="6(b), 6(a), 6(b)(1)-(9), 6(c)", size=5, compared=True, hands=poker.hands(5))
BLIND_HANDS = chapter.ranking("Blind hand", cite="12(b)", size=5,
    hands=(*poker.hands(5, down_to="Straight"), Hand("Less than a straight", lambda _: True)))
TRIPS_HANDS = chapter.ranking("Trips hand", cite="12(c), 12(d)(1)", size=5, hands=poker.hands(5, down_to="Three-of-a-kind"))

# § 653a.7  Wagers

common.wagering(chapter, later="the Play Wager of 11(b), (d) or (f)")

ANTE = chapter.wager("Ante Wager", cite="7(d)(1)", area=ANTE_AREA, required=True)
BLIND = chapter.wager("Blind Wager", cite="7(d)(1)", area=BLIND_AREA, required=True, equals=ANTE)
PLAY = chapter.wager("Play Wager", cite="7(d)(1), 11(b), 11(d), 11(f)", area=PLAY_AREA, made_by_decision=True)
TRIPS = chapter.wager("Trips Wager", cite="7(d)(2)", area=TRIPS_AREA, needs=[ANTE], survives_fold="11(f)(2)(i)")
PROGRESSIVE = chapter.wager("Progressive Payout Wager", cite="7(d)(3)", area=PROGRESSIVE_AREA, system=SYSTEM, optional=True,
    amounts=one_of(dollars(1), dollars(5), cite="12(d)(5)"), needs=[ANTE], survives_fold="11(j)")
chapter.adjacent_boxes("7(e)", chosen_by_submission=False)

# § 653a.8 to .10  Dealing by manual shoe, from the hand, by automated shoe: the community cards follow in .11

BY_ONES = (Deal(1, PLAYER), Deal(1, DEALER)) * 2
BY_STACKS = (Deal(2, PLAYER), Deal(2, DEALER))
COMMUNITY_FIRST = (Deal(5, COMMUNITY), *BY_STACKS)
common.dealing(chapter, entitled=[ANTE], shoe=BY_ONES, automated=BY_STACKS, on_device="Progressive Payout Wagers", board=True,
    continuous=("10(g)", COMMUNITY_FIRST))

# § 653a.11  Completion of the round

common.examining(chapter, cards="two")


def check(clause: str) -> Choice:
    return Choice("check", clause, goes_on=True)


# .1: a check waives a Play Wager and stays in; a fold leaves the round by making none. Silence is a check, then finally a fold.
chapter.decision("Play Wager before the Flop", cite="11(b), 11(b)(1)-(2)", asked_of=ANTE, knows="their two cards",
    choices=[*multiples("play", PLAY, 4, 3, cite="11(b)(1)"), check("11(b)(2)")], unanswered=check("1"))
chapter.stage("11(c)", Act.BURN)
chapter.stage("11(c)", Act.DEAL, cards=3)
chapter.decision("Play Wager after the Flop", cite="11(d), 11(d)(1)-(2)", asked_of=ANTE, knows="their two cards and the Flop",
    choices=[*multiples("play", PLAY, 2, cite="11(d)(1)"), check("11(d)(2)")], unanswered=check("1"))
chapter.stage("11(e)", Act.BURN)
chapter.stage("11(e)", Act.DEAL, cards=2)
chapter.decision("last Play Wager", cite="11(f), 11(f)(1)-(2)", asked_of=ANTE, knows="their two cards and all five community cards",
    choices=[*multiples("play", PLAY, 1, cite="11(f)(1)"), fold("11(f)(2)")], unanswered=fold("1"))
chapter.step("11(f)(2)(i)", common.DEALER, "places a folded hand face down under its Trips Wager until that wager is settled")
chapter.stage("11(f)(2), 11(f)(2)(ii)", Act.COLLECT)
DEALER_HAS_PAIR = DealerHas(FIVE_CARD, "Pair", (COMMUNITY,))
chapter.announces(DEALER, FIVE_CARD, cite="11(g)", shared=(COMMUNITY,), asks=DEALER_HAS_PAIR, yes="the Ante plays",
    no="the Ante is returned")
chapter.stage("11(h)", Act.SETTLE)
chapter.stage("11(k)", Act.CLEAR)

PROGRESSIVE_READING = chapter.reading(
    "progressive hand", cite="1, 11(j)", question="Which cards count for the progressive?",
    alternatives={"best five of seven": "the best five of the player's two cards and the five community cards", "hole cards and flop": "the player's two cards and the Flop"},
    because="by definition a Progressive Payout Hand is a player's hand, and a hand is made from the two cards and the five community "
        "cards; nothing in the text stops at the Flop",
    needed_by="progressives",
    concerns="Progressive Payout Wager",
    cautions={"best five of seven": "the wager then pays out several times what it takes in; with the two cards and the Flop it is sound"},
    sound="hole cards and flop",
)
FOLDED_READING = chapter.reading(
    "folded progressive", cite="11(f)(2), 11(f)(2)(ii), 11(j), 11(j)(1), 1", question="Does a folded hand's progressive stay in play?",
    alternatives={
        "alive": "yes; a fold loses only the Ante and the Blind, and the cards stay for the progressive as they do for a Trips Wager",
        "forfeited": "no; it is lost with the Ante and the Blind, and the cards go to the discard rack unless a Trips Wager keeps them",
    },
    because="11(f)(2) collects only the Ante and the Blind, and 11(j) pays a winning progressive regardless of the dealer's hand. On the other "
        "hand, a fold by definition withdraws the player from the round, and 11(f)(2)(ii) sends folded cards without a Trips Wager straight "
        "to the discard rack, where 11(j)(1) cannot verify them; but neither clause takes a wager",
    needed_by="progressives",
)
RESEED_LATER, UNSEEN_ENVY, ENVY_FROM_METER, _ = common.progressive_readings(
    chapter, reseed="12(d)(4)", envy="12(d)(5)", folded_cards="11(f)(2)(ii)")

COMPARED = Compared(FIVE_CARD, (COMMUNITY,))
HOLDS = Holds(FIVE_CARD, (PLAYER, COMMUNITY))
BLIND_HOLDS = Holds(BLIND_HANDS, (PLAYER, COMMUNITY))
TRIPS_HOLDS = Holds(TRIPS_HANDS, (PLAYER, COMMUNITY))
PROGRESSIVE_HOLDS = Depending(PROGRESSIVE_READING, {
    "best five of seven": TRIPS_HOLDS,
    "hole cards and flop": Holds(TRIPS_HANDS, (PLAYER, COMMUNITY), first=3),
})


@chapter.settles(
    ANTE, BLIND, PLAY, cite="11(h), 12(a), 12(b)", hand=HOLDS,
    asks={"folded": FOLDED, "dealer_has_pair": DEALER_HAS_PAIR, "compared": COMPARED, "holds": BLIND_HOLDS},
)
def ante_blind_and_play(folded: bool, dealer_has_pair: bool, compared: Comparison, holds: str) -> Iterator[Lines]:
    if folded:
        yield forfeit(ANTE, BLIND, cite="11(f)(2)")
        return
    if dealer_has_pair:
        yield from compare(ANTE, compared, holds)
    else:  # (1): the Ante is returned; (2) resolves the Blind and Play
        yield give_back(ANTE, cite="11(h)(1)")
    yield from compare(BLIND, compared, holds)
    yield from compare(PLAY, compared, holds)


def compare(wager: Wager, compared: Comparison, holds: str) -> Iterator[Lines]:
    """(h)(2)"""
    if compared is LOWER:  # (i)
        yield collect(wager, cite="11(h)(2)(i)")
    elif compared is HIGHER:  # (ii)
        yield pay_by(BLIND_TABLE, holds, on=BLIND) if wager is BLIND else pay(wager, at=to(1), cite="12(a)")
    else:  # (iii)
        yield push(wager, cite="11(h)(2)(iii)")


chapter.principle(
    "11(h)(1)-(2), 11(h)(2)(i)-(iii)", "the Ante, Blind and Play are settled by the dealer's pair and the comparison", kept_by="ante_blind_and_play")

common.settled_by_table(chapter, TRIPS, TRIPS_HOLDS, cite="11(i), 12(c)")


@chapter.settles(
    PROGRESSIVE, cite="11(j), 12(d)(1)", hand=PROGRESSIVE_HOLDS,
    asks={"folded": FOLDED, "holds": PROGRESSIVE_HOLDS, "after_fold": FOLDED_READING},
)
def progressive(folded: bool, holds: str, after_fold: str) -> Iterator[Lines]:
    lost = folded and after_fold == FOLDED_READING["forfeited"]
    yield forfeit(PROGRESSIVE, cite="11(f)(2)") if lost else pay_by(PROGRESSIVE_TABLE, holds, on=PROGRESSIVE)


common.progressive_payment(chapter, "11(j)", PROGRESSIVE, numbers="(1) (2) (3) (4)")

# § 653a.12  Payout odds; Envy Bonus; rate of progression; payout limitation

BLIND_TABLE = chapter.paytable("Blind Wager", """
    Royal flush            500 to 1
    Straight flush         50 to 1
    Four-of-a-kind         10 to 1
    Full house             3 to 1
    Flush                  3 to 2
    Straight               1 to 1
    Less than a straight   Push
""", cite="12(b)", hands=BLIND_HANDS)

chapter.paytable("Trips Wager", """
    A  B  C  D
    Royal flush       50 to 1  50 to 1  50 to 1  50 to 1
    Straight flush    40 to 1  40 to 1  40 to 1  40 to 1
    Four-of-a-kind    30 to 1  30 to 1  30 to 1  20 to 1
    Full house        9 to 1   8 to 1   8 to 1   7 to 1
    Flush             7 to 1   6 to 1   7 to 1   6 to 1
    Straight          4 to 1   5 to 1   4 to 1   5 to 1
    Three-of-a-kind   3 to 1   3 to 1   3 to 1   3 to 1
""", cite="12(c)", hands=TRIPS_HANDS)

PROGRESSIVE_TABLE = chapter.paytable("Progressive Payout Wager", """
    Royal flush       100% of meter
    Straight flush    10% of meter
    Four-of-a-kind    300 for 1
    Full house        50 for 1
    Flush             40 for 1
    Straight          30 for 1
    Three-of-a-kind   9 for 1
""", cite="12(d)(1)", hands=TRIPS_HANDS)
chapter.principle("12(d)(2)", "only the highest hand formed is paid", kept_by="a hand makes only one row, the highest")
chapter.meter(PROGRESSIVE, cite="12(d)(3)", seed={"A": dollars(10_000)}, exact=False, per_dollar=False, later=RESEED_LATER)
chapter.principle("12(d)(4)", "a winner is paid what the meter shows at their turn", kept_by="table.settlement, seat by seat")

chapter.envy("Envy Bonus", cite="12(d)(5), 11(j)(5)", wager=PROGRESSIVE, hand=PROGRESSIVE_HOLDS,
    unseen=UNSEEN_ENVY, from_meter=ENVY_FROM_METER, schedules={
    dollars(1): chapter.paytable("Envy Bonus, $1", """
        Royal flush      $1,000
        Straight flush   $300
    """, cite="12(d)(5)", hands=TRIPS_HANDS),
    dollars(5): chapter.paytable("Envy Bonus, $5", """
        Royal flush      $5,000
        Straight flush   $1,500
    """, cite="12(d)(5)", hands=TRIPS_HANDS),
})

# 12(e) cites 643a.7(d)(1) to (3), evidently a typo for 653a.7(d)
common.limit(chapter, "12(e)", per_hand=True, covers=[ANTE, BLIND, PLAY, TRIPS])

chapter.published("Ante Wager", "2.185%", cite="12(b)", source="published elsewhere for the same rules")

# § 653a.13  Irregularities

common.irregularities(chapter, counted="A player, the dealer or the community", hands="two cards",
    settled=[TRIPS], settled_under="12(c)", then="the community cards are dealt for the Trips Wagers")
VOID_PROGRESSIVE = chapter.reading(
    "progressive in a void round", cite="13(d)",
    question="A dealer's card is exposed. What happens to the Progressive Payout Wager, which 13(d) does not name?",
    alternatives={
        "returned": "it is returned with the Ante, Blind and Play Wagers",
        "settled": "it is settled once the community cards are dealt, like the Trips Wager",
    },
    because="all hands are void, and a progressive is paid for a hand; only the Trips Wager is excepted, and 13(a) returns all other wagers",
    needed_by="progressives",
)
common.exposed(chapter, DEALER, "before each player has folded or made a Play Wager", before=Act.COLLECT,
    settled=[TRIPS], settled_under="12(c)", kept=((VOID_PROGRESSIVE, "settled"), (PROGRESSIVE,)),
    then="the community cards are dealt for the Trips Wagers")
