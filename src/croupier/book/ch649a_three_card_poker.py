"""58 Pa. Code Chapter 649a. Three Card Poker.   Read it alongside the regulation: same sections, same order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from croupier.book import common, poker
from croupier.cards import Cards
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
    DealerHas,
    Drawn,
    Holds,
    Position,
)
from croupier.law.layout import Subject
from croupier.law.procedure import Act, Deal
from croupier.law.ranking import Hand
from croupier.law.settlement import Lines, collect, forfeit, give_back, on_terms, pay, pay_bonus, pay_by, push
from croupier.law.wager import Wager, fold, multiples, one_of
from croupier.money import dollars, to

E2011 = Edition("2011-06-14", "proposed rulemaking 125-152", Status.PROPOSED)
E2019 = Edition("2019-11-02", "49 Pa.B. 6676", Status.CODIFIED)
chapter = Chapter("649a", "Three Card Poker", (E2011, E2019), law="58 Pa. Code")

# § 649a.1  Definitions

chapter.define({
    "Hand": "the three cards of a player or the dealer",
    "Pair Plus Wager": "a wager made before the deal that pays by a posted paytable, regardless of the dealer's hand",
    "Play Wager": "an additional wager, made after seeing the hand, to stay in against the dealer",
})
chapter.define({
    "Envy Bonus": "a fixed sum paid to a progressive player when another player holds a qualifying hand",
    "Envy Bonus Qualifying Hand": "ace, king and queen of one suit",
    "Progressive Payout Hand": "a three-of-a-kind or better, or a straight if the paytable has one",
}, wager="Progressive Payout Wager", only=E2011)
chapter.define({"Round of play": "from placing wagers to settling them"}, only=E2011)
chapter.define({
    "Three-Card Envy Bonus": "a fixed sum paid to a Three-Card Progressive player when another player holds a qualifying hand",
    "Three-Card Envy Bonus Qualifying Hand": "ace, king and queen of one suit",
    "Three-Card Progressive Payout Hand": "a three-of-a-kind or better, or a straight or better, depending on the paytable",
}, wager="Three-Card Progressive Payout Wager", only=E2019)
chapter.define({
    "Five-Card Envy Bonus": "a fixed sum paid to a Five-Card Progressive player when another player holds a qualifying hand",
    "Five-Card Envy Bonus Qualifying Hand": "a five-card straight flush or better",
    "Five-Card Progressive Payout Hand": "a five-card three-of-a-kind or better",
}, wager="Five-Card Progressive Payout Wager", only=E2019)
chapter.define({
    "5 of 6 Envy Bonus": "a fixed sum paid to a 5 of 6 Progressive player when another player holds a qualifying hand",
    "5 of 6 Envy Bonus Qualifying Hand": "a royal flush",
}, wager="5 of 6 Progressive Payout Wager", only=E2019)
chapter.define({
    "Magic Card Bonus": "a payout when a card in the hand wagered on, or a community card, matches the card that the system draws",
    "Lucky Bonus": "a payout when the system draws the seat, or the dealer, whose hand was wagered on",
}, wager="Five Card Hand Bonus Wager", only=E2019)

# § 649a.2  The table

common.table(chapter, 7)
ANTE_AREA = chapter.area("Ante Wager", cite="2(b)(2)")
PLAY_AREA = chapter.area("Play Wager", cite="2(b)(2)")
PAIR_PLUS_AREA = chapter.area("Pair Plus Wager", cite="2(b)(2)")
PROGRESSIVE_AREA = chapter.area("Progressive Payout Wager", cite="2(b)(3)")  # since 2019, one for both progressive wagers
SIX_CARD_AREA = chapter.area("Six Card Bonus Wager", cite="2(b)(4)")
OF_SIX_AREA = chapter.area("5 of 6 Progressive Payout Wager", cite="2(b)(6)", only=E2019)
chapter.area("Dealer's cards", cite="10(b)", cards=DEALER)
chapter.area("Two community cards", cite="8(d)", cards=COMMUNITY, note="to the right of the dealer",
    right_of_dealer=True, only=E2019)
for edition, clause in ((E2011, "2(b)(5)"), (E2019, "2(b)(7)")):
    chapter.inscription("the payout odds or amounts of every wager offered, or a sign that lists them", cite=clause, about=Subject.ODDS, only=edition)
    chapter.inscription("when the dealer's hand plays", cite=clause, words="Dealer Plays with Queen High or Better", only=edition)
SYSTEM = common.wagering_device(chapter, "2(c)", system="Progressive table game system")
SCREEN = chapter.equipment("Electronic wagering system", "at each position, locked once the deal has begun", cite="2(b)(5), 2(d)",
    only=E2019)
common.boxes_and_rack(chapter, boxes="2(d)", rack="2(e)", only=E2011)
common.boxes_and_rack(chapter, boxes="2(e)", rack="2(f)", only=E2019)

# § 649a.3 to .5  Decks; opening; shuffle and cut

common.decks(chapter, long_idle=E2011)

# § 649a.6  Rankings

# 6(e): above the straight flush, if a paytable has it
MINI_ROYAL = Hand("Mini-royal flush", poker.royal(), otherwise="Straight flush", clause="6(e)", only=(E2019,))

THREE_CARD = chapter.ranking("Three-card hand", cite="6(b), 6(a), 6(b)(1)-(5), 6(c)", size=3, compared=True, hands=poker.hands(3))
PAIR_PLUS_HANDS = chapter.ranking("Pair Plus hand", cite="12(d)", size=3, hands=(MINI_ROYAL, *poker.hands(3)))
ANTE_BONUS_HANDS = chapter.ranking("Ante Bonus hand", cite="12(b), 12(c)", size=3, hands=(
    Hand("Ace, king, queen of spades", poker.royal("s"), otherwise="Mini-royal flush", clause="12(c)"),
    Hand("Ace, king, queen of hearts, diamonds or clubs", poker.royal("h", "d", "c"), otherwise="Mini-royal flush", clause="12(c)"),
    MINI_ROYAL, *poker.hands(3, down_to="Straight"),
))
PROGRESSIVE_HANDS = chapter.ranking("Three-card progressive hand", cite="12(e)(1)", size=3, hands=(
    Hand("Ace, king and queen of spades", poker.royal("s")),
    Hand("Ace, king and queen of hearts, diamonds or clubs", poker.royal("h", "d", "c")),
    *poker.hands(3, down_to="Straight"),
))

FIVE_CARD = chapter.ranking("Five-card hand", cite="6(d), 6(d)(1)-(7)", size=5, hands=poker.hands(5, down_to="Three-of-a-kind"))
SIX_CARD_HANDS = chapter.ranking("Six Card Bonus hand", cite="6(d), 6(d)(8), 6(d)(8), 6(d)(1)-(7)", size=5, only=E2019, hands=(
    Hand("Super Royal of diamonds", poker.royal("d"), size=6, otherwise="Royal flush"),
    Hand("Super Royal of hearts, spades or clubs", poker.royal("h", "s", "c"), size=6, otherwise="Royal flush"),
    *poker.hands(5, down_to="Three-of-a-kind"),
))
OF_SIX_HANDS = chapter.ranking("5 of 6 hand", cite="12(j)(1)", size=5, only=E2019, hands=(
    Hand("Royal flush of spades", poker.royal("s")),
    Hand("Royal flush of clubs, diamonds or hearts", poker.royal("c", "d", "h")),
    *poker.hands(5, down_to="Straight")[1:],
))
chapter.principle("6(e)", "a mini-royal flush, if the paytable has one, outranks a straight flush",
    kept_by="MINI_ROYAL above the straight flush", only=E2019)

# § 649a.7  Wagers

common.wagering(chapter, later="the Play Wager of 11(b)")

ANTE = chapter.wager("Ante Wager", cite="7(d)(1), 7(d)(3)", area=ANTE_AREA)
PLAY = chapter.wager("Play Wager", cite="7(d)(1), 11(b)", area=PLAY_AREA, made_by_decision=True)
PAIR_PLUS = chapter.wager("Pair Plus Wager", cite="7(d)(2)-(3)", area=PAIR_PLUS_AREA)

PROGRESSIVE = chapter.wager("Progressive Payout Wager", cite="7(d)(4)", area=PROGRESSIVE_AREA, system=SYSTEM, optional=True,
    amounts=one_of(dollars(1), dollars(5), cite="12(e)(5)"), needs=[ANTE, PAIR_PLUS], only=E2011)
THREE_CARD_PROGRESSIVE = chapter.wager("Three-Card Progressive Payout Wager", cite="7(d)(4)", area=PROGRESSIVE_AREA, system=SYSTEM,
    optional=True, amounts=one_of(dollars(1), dollars(5), cite="12(e)(5)"), needs=[ANTE, PAIR_PLUS], only=E2019)
SIX_CARD = chapter.wager(
    "Six Card Bonus Wager", cite="7(d)(5)", area=SIX_CARD_AREA, optional=True, needs=[ANTE, PAIR_PLUS], survives_fold="11(b)(3)")
FIVE_CARD_PROGRESSIVE = chapter.wager("Five-Card Progressive Payout Wager", cite="7(d)(6)", area=PROGRESSIVE_AREA, system=SYSTEM,
    optional=True, amounts=one_of(dollars(1), dollars(5), cite="12(h)(5)"), needs=[ANTE, PAIR_PLUS], only=E2019)
HAND_BONUS_NAME = "Five Card Hand Bonus Wager"
ON_PLAYER, ON_DEALER = (chapter.wager(HAND_BONUS_NAME, cite="7(d)(7)", side=side, system=SCREEN, optional=True,
    needs=[ANTE, PAIR_PLUS], survives_fold="11(b)(3)", only=E2019) for side in ("player", "dealer"))
FIVE_OF_SIX = chapter.wager("5 of 6 Progressive Payout Wager", cite="7(d)(8)", area=OF_SIX_AREA, system=SYSTEM,
    optional=True, amounts=one_of(dollars(1), dollars(5), cite="12(j)(5)"), needs=[ANTE, PAIR_PLUS], survives_fold="11(b)(3)",
    only=E2019)


def ante_of(part: Fraction) -> Callable[[Mapping[str, int]], bool]:
    """Require an Ante of at least this fraction of the Pair Plus Wager."""
    return lambda stakes: stakes.get(ANTE.key, 0) >= part * stakes.get(PAIR_PLUS.key, 0)


def both_within_five_times(stakes: Mapping[str, int]) -> bool:
    ante, pair_plus = stakes.get(ANTE.key, 0), stakes.get(PAIR_PLUS.key, 0)
    return 0 < max(ante, pair_plus) <= 5 * min(ante, pair_plus)


chapter.form("7(e)(1)", "a Pair Plus Wager only with an Ante Wager at least as large", ante_of(Fraction(1)))
chapter.form("7(e)(2)", "a Pair Plus Wager only with an Ante Wager of at least half as much", ante_of(Fraction(1, 2)))
chapter.form("7(e)(3)", "both an Ante and a Pair Plus Wager, neither more than five times the other", both_within_five_times)
chapter.adjacent_boxes("7(f)", chosen_by_submission=True)

# § 649a.8 to .10  Dealing by manual shoe, from the hand, by automated shoe

BY_ONES = (Deal(1, PLAYER), Deal(1, DEALER)) * 3
BY_STACKS = (Deal(3, PLAYER), Deal(3, DEALER))
FIVE_CARD_WAGERS = (ON_PLAYER, ON_DEALER, FIVE_CARD_PROGRESSIVE)
TWO_MORE = (Deal(2, COMMUNITY, when=FIVE_CARD_WAGERS),)
TWO_FROM_THE_STUB = (Deal(2, COMMUNITY, when=FIVE_CARD_WAGERS, clause="10(c)"),)  # once it is out of the automated shoe
common.dealing(
    chapter, entitled=[ANTE, PAIR_PLUS], shoe=BY_ONES, automated=BY_STACKS, on_device="Progressive Payout Wagers", only=E2011)
common.dealing(chapter, entitled=[ANTE, PAIR_PLUS], shoe=BY_ONES + TWO_MORE, automated=BY_STACKS + TWO_FROM_THE_STUB,
    on_device="Progressive Payout Wagers", only=E2019)

# § 649a.11  Completion of the round

common.examining(chapter, cards="three")
TIMED_OUT, AS_A_FOLD = common.ante_alone(chapter, "11(b), 11(b)(1)-(2)", forfeits="11(b)(1) or (2)")
chapter.decision("Play Wager", cite="11(b)", asked_of=ANTE, knows="their three cards",
    choices=[*multiples("play", PLAY, 1, cite="11(b)"), fold("11(b)")],
    unanswered=TIMED_OUT, unless=AS_A_FOLD)
chapter.stage("11(c)", Act.COLLECT)
DEALER_PLAYS = DealerHas(THREE_CARD, "Queen high")
chapter.announces(DEALER, THREE_CARD, cite="11(c)", asks=DEALER_PLAYS, yes="plays", no="does not play")
chapter.stage("11(c), 11(c)(1)-(2)", Act.SETTLE)
chapter.stage("11(d)", Act.CLEAR)

ANTE_BONUS_READING = common.ante_bonus_reading(chapter, "11(c)(3)(ii)(B), 12(b), 12(c)",
    because="12(b) pays it whether or not the hand outranks the dealer's. 12(c), for the versions of 7(e), lacks these words but requires "
        "only an Ante and a Play Wager, not a win. 11(c)(3)(ii)(B) mentions it for a winning hand, and nothing denies it otherwise")
SUPER_ROYAL_READING = chapter.reading(
    "super royal stake", cite="12(f)", question="Is the stake returned in addition to the fixed sum for a Super Royal?", only=E2019,
    alternatives={"goes back": "yes, as with any wager on the layout", "stays": "no"},
    because="the Six Card Bonus stays on the layout until it is settled; the sum is the same regardless of the stake",
)
RESEED_LATER, UNSEEN_ENVY, ENVY_FROM_METER, OWN_ENVY = common.progressive_readings(
    chapter, reseed="12(e)(4)", envy="12(e)(5)", folded_cards="11(c)", own_hand="11(c)(5)(v)")
JACKPOT_READING = chapter.reading(
    "dealer-hand jackpot", cite="12(i)(2)", question="How is a jackpot on the dealer's hand divided?", only=E2019,
    alternatives={"one sum": "one sum, taken from the meter once and split equally", "each at his turn": "each player gets their part of the meter as it stands at their turn"},
    because="the clause divides the jackpot, not the meter", needed_by=HAND_BONUS_NAME,
)
JACKPOT_OF_BOXES = chapter.reading(
    "jackpot of several boxes", cite="12(i)(2)", only=E2019,
    question="Does a player who wagers on the dealer's hand at several boxes get one part of its jackpot, or one for each box?",
    alternatives={
        "the player": "one part, paid at the first of their boxes to be settled; the others win nothing more",
        "each box": "one part for each box",
    },
    because="the clause divides by the number of players who made the wager; it does not mention boxes",
    needed_by=HAND_BONUS_NAME,
)
RESERVE_READING = chapter.reading(
    "reserve", cite="12(i)(4)", question="What is the reserve of the Five Card Hand Bonus meter for?", only=E2019,
    alternatives={
        "kept apart": "it is kept separate from the meter, which restarts at $0",
        "starts the meter again": "when the whole meter is won, it restarts with what the reserve holds",
    },
    because="the clause has a reseed of $0 and a rate for a reserve, but does not say what the reserve is for",
    needed_by=HAND_BONUS_NAME,
)
MAGIC_READING = chapter.reading(
    "magic card", cite="1, 12(i)(3)", question="When does a card match the magic card?", only=E2019,
    alternatives={"rank and suit": "in rank and suit", "rank": "in rank only"},
    because="the system draws one card, and only that card of the 52 matches it",
)
MAGIC_STAKE_READING = chapter.reading(
    "magic and lucky stake", cite="12(i)(3)", question="Is the stake returned with a Magic Card or Lucky Bonus?", only=E2019,
    alternatives={"stays": "no; the bonus is paid in addition to the wager's own result", "goes back": "yes"},
    because="“for 1” includes the stake, and the wager has its own result",
)

LUCKY_READING = chapter.reading(
    "lucky position", cite="1", question="Which positions are in the draw for the Lucky Bonus?", only=E2019,
    alternatives={"of the table": "every position on the layout, whether or not anyone is playing there, and the dealer's",
        "with a wager": "the positions with a wager in the round, and the dealer's"},
    because="the definition has the system draw a position and then asks whether the player sits there; it excludes none",
    concerns=HAND_BONUS_NAME, sound="of the table",
    cautions={"with a wager": "it pays more often when fewer play: a lone player is drawn every other time"},
)

HOLDS = Holds(THREE_CARD)
BONUS_HOLDS = Holds(ANTE_BONUS_HANDS)
PAIR_PLUS_HOLDS = Holds(PAIR_PLUS_HANDS)
PROGRESSIVE_HOLDS = Holds(PROGRESSIVE_HANDS)
SIX_HOLDS_2011 = Holds(FIVE_CARD, (PLAYER, DEALER))
SIX_HOLDS = Holds(SIX_CARD_HANDS, (PLAYER, DEALER))
FIVE_HOLDS = Holds(FIVE_CARD, (PLAYER, COMMUNITY))
DEALER_FIVE_HOLDS = Holds(FIVE_CARD, (DEALER, COMMUNITY))
OF_SIX_HOLDS = Holds(OF_SIX_HANDS, (PLAYER, DEALER))


@chapter.settles(
    ANTE, PLAY, cite="11(c)(3), 12(a), 12(b)", hand=HOLDS,
    asks={"folded": FOLDED, "dealer_plays": DEALER_PLAYS, "compared": Compared(THREE_CARD), "holds": BONUS_HOLDS, "bonus": ANTE_BONUS_READING},
)
def ante_and_play(folded: bool, dealer_plays: bool, compared: Comparison, holds: str, bonus: str) -> Iterator[Lines]:
    if folded:
        yield forfeit(ANTE, cite="11(b)")
        return
    if not dealer_plays:  # (3)(i)
        yield pay(ANTE, at=to(1), cite="11(c)(3)(i)")
        yield give_back(PLAY, cite="11(c)(3)(i)")
    elif compared is LOWER:  # (3)(ii)(A)
        yield collect(ANTE, PLAY, cite="11(c)(3)(ii)(A)")
    elif compared is HIGHER:  # (3)(ii)(B)
        yield pay(ANTE, PLAY, at=to(1), cite="12(a)")
    else:  # (3)(ii)(C)
        yield push(ANTE, PLAY, cite="11(c)(3)(ii)(C)")
    wins = compared is HIGHER or not dealer_plays
    if wins or bonus == ANTE_BONUS_READING["any outcome"]:
        yield pay_bonus(ANTE_BONUS, holds, on=ANTE)


chapter.principle("11(c)(3)(i), 11(c)(3)(ii), 11(c)(3)(ii)(A)-(C)", "the Ante and Play are settled by the dealer's hand and the comparison",
    kept_by="ante_and_play")

common.settled_by_table(chapter, PAIR_PLUS, PAIR_PLUS_HOLDS, cite="11(c)(4), 11(b)(1), 12(d)", forfeited="11(b)(1)")
common.settled_by_table(chapter, PROGRESSIVE, PROGRESSIVE_HOLDS, cite="11(c)(5)", forfeited="11(b)(2)", only=E2011)
common.settled_by_table(chapter, THREE_CARD_PROGRESSIVE, PROGRESSIVE_HOLDS, cite="11(c)(5)", forfeited="11(b)(2)", only=E2019)

common.progressive_payment(chapter, "11(c)(5)", PROGRESSIVE, THREE_CARD_PROGRESSIVE)

common.settled_by_table(chapter, SIX_CARD, SIX_HOLDS_2011, cite="11(c)(6)", only=E2011)


@chapter.settles(SIX_CARD, cite="11(c)(6)", asks={"holds": SIX_HOLDS, "stake": SUPER_ROYAL_READING}, hand=SIX_HOLDS, only=E2019)
def six_card_bonus(holds: str, stake: str) -> Iterator[Lines]:
    yield on_terms(pay_by(SIX_CARD_TABLE, holds, on=SIX_CARD), stake_back=stake == SUPER_ROYAL_READING["goes back"])


common.settled_by_table(chapter, FIVE_CARD_PROGRESSIVE, FIVE_HOLDS, cite="11(c)(7)", forfeited="11(b)(2)", only=E2019)

ANY_SHARE = Fraction(0)  # of the meter: none is paid from the table inventory
common.progressive_payment(chapter, "11(c)(7)", FIVE_CARD_PROGRESSIVE, not_from_inventory=ANY_SHARE, only=E2019)


RANK_ONLY = MAGIC_READING["rank"]


def magic_card_among(held: Cards, position: Position) -> bool:
    magic, by_rank = position.drawn_card, MAGIC_READING.of(position) == RANK_ONLY
    return magic is not None and any(card == magic or (by_rank and card.rank == magic.rank) for card in held)


YES_NO = (True, False)
MAGIC_FOR_PLAYER = Drawn("magic card with the player", YES_NO,
    lambda position: magic_card_among(position.at(PLAYER, COMMUNITY), position), (MAGIC_READING,), "magic_card")
MAGIC_FOR_DEALER = Drawn("magic card with the dealer", YES_NO,
    lambda position: magic_card_among(position.at(DEALER, COMMUNITY), position), (MAGIC_READING,), "magic_card")
LUCKY_SEAT = Drawn("lucky seat", YES_NO, lambda position: position.drawn_position == position.seat, (LUCKY_READING,), "lucky",
    (LUCKY_READING, "with a wager"))
LUCKY_DEALER = Drawn("lucky dealer", YES_NO, lambda position: position.drawn_position == "dealer", (LUCKY_READING,), "lucky",
    (LUCKY_READING, "with a wager"))


def hand_bonus_riders(wager: Wager, holds: str, magic: bool, lucky: bool, stake: str) -> Iterator[Lines]:
    goes_back = stake == MAGIC_STAKE_READING["goes back"]
    back = goes_back and holds not in HAND_BONUS_TABLE.rows  # once, and not if “for 1” already includes it
    if magic:
        yield on_terms(pay_bonus(MAGIC_TABLE, "Magic Card", on=wager, called="Magic Card Bonus"), stake_back=back)
    if lucky:
        yield on_terms(pay_bonus(MAGIC_TABLE, "Lucky Bonus", on=wager, called="Lucky Bonus"), stake_back=back and not magic)


@chapter.settles(
    ON_PLAYER, cite="11(c)(8)", hand=FIVE_HOLDS, only=E2019,
    asks={"holds": FIVE_HOLDS, "magic": MAGIC_FOR_PLAYER, "lucky": LUCKY_SEAT, "stake": MAGIC_STAKE_READING},
)
def hand_bonus_on_player(holds: str, magic: bool, lucky: bool, stake: str) -> Iterator[Lines]:
    yield pay_by(HAND_BONUS_TABLE, holds, on=ON_PLAYER)
    yield from hand_bonus_riders(ON_PLAYER, holds, magic, lucky, stake)


@chapter.settles(
    ON_DEALER, cite="11(c)(8)", hand=DEALER_FIVE_HOLDS, only=E2019,
    asks={
        "holds": DEALER_FIVE_HOLDS, "jackpot": JACKPOT_READING, "of_boxes": JACKPOT_OF_BOXES, "magic": MAGIC_FOR_DEALER,
        "lucky": LUCKY_DEALER, "stake": MAGIC_STAKE_READING,
    },
)
def hand_bonus_on_dealer(holds: str, jackpot: str, of_boxes: str, magic: bool, lucky: bool, stake: str) -> Iterator[Lines]:
    at_turn, by_box = jackpot == JACKPOT_READING["each at his turn"], of_boxes == JACKPOT_OF_BOXES["each box"]
    paid = pay_by(HAND_BONUS_TABLE, holds, on=ON_DEALER)
    yield on_terms(paid, divided="12(i)(2)", divided_at_turn=at_turn, divided_by_box=by_box)
    yield from hand_bonus_riders(ON_DEALER, holds, magic, lucky, stake)


for wager in (ON_PLAYER, ON_DEALER):
    chapter.validation(wager, cite="11(c)(8)(ii), 11(c)(8)(iii)", least=500, not_from_inventory=ANY_SHARE, only=E2019)
won = "a Five Card Hand Bonus, Magic Card or Lucky Bonus is won"
chapter.step("11(c)(8)(i)", common.DEALER, "verifies the winning hand", when=won, only=E2019)
chapter.step("11(c)(8)(ii)", common.FLOOR, "verifies a payout of 500 for 1 or a share of the meter", when=won, only=E2019)
chapter.step("11(c)(8)(iii)", common.DEALER,
    "credits the game account; a share of the meter is not paid there, and the hand stays until the paperwork is done", when=won,
    only=E2019)

common.settled_by_table(chapter, FIVE_OF_SIX, OF_SIX_HOLDS, cite="11(c)(9)", only=E2019)

common.progressive_payment(chapter, "11(c)(9)", FIVE_OF_SIX, not_from_inventory=ANY_SHARE, only=E2019)
chapter.principle("11(b)(3)", "a fold does not forfeit the wagers on five or six cards", kept_by="survives_fold")

# § 649a.12  Payout odds; Envy Bonus; rate of progression

ANTE_BONUS_TEXT = """
    A  B  C
    Straight flush    5 to 1  5 to 1  4 to 1
    Three-of-a-kind   4 to 1  3 to 1  3 to 1
    Straight          1 to 1  1 to 1  1 to 1
"""
chapter.paytable("Ante Bonus", ANTE_BONUS_TEXT, cite="12(b)", hands=ANTE_BONUS_HANDS, only=E2011)
ANTE_BONUS = chapter.paytable("Ante Bonus", ANTE_BONUS_TEXT, cite="12(b)", hands=ANTE_BONUS_HANDS,
    may_add=("Mini-royal flush  5 to 1", "12(g)(1)"), only=E2019)

chapter.paytable("Ante Bonus", """
    A  B  C
    Ace, king, queen of spades                      50 to 1  50 to 1  50 to 1
    Ace, king, queen of hearts, diamonds or clubs   5 to 1   50 to 1  10 to 1
    Straight flush    4 to 1  8 to 1  6 to 1
    Three-of-a-kind   3 to 1  6 to 1  3 to 1
    Straight          1 to 1  -       -
""", cite="12(c)", hands=ANTE_BONUS_HANDS, form="7(e)")

chapter.paytable("Pair Plus Wager", """
    A  B  C
    Straight flush    35 to 1  40 to 1  40 to 1
    Three-of-a-kind   25 to 1  30 to 1  30 to 1
    Straight          5 to 1   5 to 1   6 to 1
    Flush             3 to 1   4 to 1   3 to 1
    Pair              1 to 1   1 to 1   1 to 1
""", cite="12(d)", hands=PAIR_PLUS_HANDS, only=E2011)

chapter.paytable("Pair Plus Wager", """
    A  B  C  D  E
    Straight flush    35 to 1  40 to 1  40 to 1  40 to 1  40 to 1
    Three-of-a-kind   25 to 1  30 to 1  30 to 1  30 to 1  25 to 1
    Straight          6 to 1   5 to 1   6 to 1   6 to 1   6 to 1
    Flush             4 to 1   4 to 1   3 to 1   4 to 1   4 to 1
    Pair              1 to 1   1 to 1   1 to 1   1 to 1   1 to 1
""", cite="12(d)", hands=PAIR_PLUS_HANDS, may_add=("Mini-royal flush  40 to 1", "12(g)(2)"), only=E2019)

PROGRESSIVE_TEXT = """
    A  B
    Ace, king and queen of spades                      100% of meter  100% of meter
    Ace, king and queen of hearts, diamonds or clubs   500 for 1      500 for 1
    Straight flush    70 for 1  100 for 1
    Three-of-a-kind   60 for 1  90 for 1
    Straight          6 for 1   N/A
"""
chapter.paytable(PROGRESSIVE.name, PROGRESSIVE_TEXT, cite="12(e)(1)", hands=PROGRESSIVE_HANDS, only=E2011)
chapter.paytable(THREE_CARD_PROGRESSIVE.name, PROGRESSIVE_TEXT, cite="12(e)(1)", hands=PROGRESSIVE_HANDS, only=E2019)
chapter.principle("12(e)(2)", "only the highest hand formed is paid", kept_by="a hand makes only one row, the highest")
chapter.meter(PROGRESSIVE, cite="12(e)(3)", seed={"A": dollars(1000), "B": dollars(1000)}, rate={"A": Fraction(14, 100), "B": Fraction(20, 100)}, exact=False,
    per_dollar=False, later=RESEED_LATER, only=E2011)
chapter.meter(THREE_CARD_PROGRESSIVE, cite="12(e)(3)", seed={"A": dollars(1000), "B": dollars(1000)}, rate={"A": Fraction(14, 100), "B": Fraction(20, 100)},
    exact=True, per_dollar=True, later=RESEED_LATER, linked=True, only=E2019)
chapter.principle("12(e)(4)", "a winner is paid what the meter shows at their turn", kept_by="table.settlement, seat by seat")

THREE_CARD_ENVY = {
    dollars(1): chapter.paytable("Three-Card Envy Bonus, $1", """
        Ace, king and queen of spades                      $100
        Ace, king and queen of hearts, diamonds or clubs   $25
    """, cite="12(e)(5)", hands=PROGRESSIVE_HANDS),
    dollars(5): chapter.paytable("Three-Card Envy Bonus, $5", """
        Ace, king and queen of spades                      $500
        Ace, king and queen of hearts, diamonds or clubs   $125
    """, cite="12(e)(5)", hands=PROGRESSIVE_HANDS),
}
chapter.envy("Envy Bonus", cite="12(e)(5), 11(c)(5)(v), 11(b)(2)", wager=PROGRESSIVE, hand=PROGRESSIVE_HOLDS,
    unseen=UNSEEN_ENVY, from_meter=ENVY_FROM_METER, own=OWN_ENVY, schedules=THREE_CARD_ENVY, only=E2011)
chapter.envy("Three-Card Envy Bonus", cite="12(e)(5), 11(c)(5)(v), 11(b)(2)", wager=THREE_CARD_PROGRESSIVE, hand=PROGRESSIVE_HOLDS,
    unseen=UNSEEN_ENVY, from_meter=ENVY_FROM_METER, own=OWN_ENVY, schedules=THREE_CARD_ENVY, only=E2019)

chapter.paytable("Six Card Bonus Wager", """
    A  B  C
    Royal flush       1,000 to 1  1,000 to 1  1,000 to 1
    Straight flush    200 to 1    200 to 1    200 to 1
    Four-of-a-kind    50 to 1     100 to 1    100 to 1
    Full house        25 to 1     20 to 1     20 to 1
    Flush             20 to 1     15 to 1     15 to 1
    Straight          10 to 1     9 to 1      10 to 1
    Three-of-a-kind   5 to 1      8 to 1      7 to 1
""", cite="12(f)", hands=FIVE_CARD, only=E2011)

SIX_CARD_TABLE = chapter.paytable("Six Card Bonus Wager", """
    A  B  C  D  E
    Super Royal of diamonds                  -           -           -           -           $1,000,000
    Super Royal of hearts, spades or clubs   -           -           -           -           $100,000
    Royal flush       1,000 to 1  1,000 to 1  1,000 to 1  1,000 to 1  1,000 to 1
    Straight flush    200 to 1    200 to 1    200 to 1    200 to 1    200 to 1
    Four-of-a-kind    50 to 1     100 to 1    100 to 1    50 to 1     50 to 1
    Full house        25 to 1     20 to 1     20 to 1     25 to 1     20 to 1
    Flush             20 to 1     15 to 1     15 to 1     15 to 1     15 to 1
    Straight          10 to 1     9 to 1      10 to 1     10 to 1     10 to 1
    Three-of-a-kind   5 to 1      8 to 1      7 to 1      5 to 1      5 to 1
""", cite="12(f)", hands=SIX_CARD_HANDS, only=E2019)

chapter.principle(
    "12(g)(1)-(2)", "a mini-royal may be added at no less than 5 to 1, or 40 to 1", kept_by="AddedRow of the two tables", only=E2019)

chapter.paytable("Five-Card Progressive Payout Wager", """
    Royal flush       100% of meter
    Straight flush    10% of meter
    Four-of-a-kind    300 for 1
    Full house        50 for 1
    Flush             40 for 1
    Straight          30 for 1
    Three-of-a-kind   9 for 1
""", cite="12(h)(1)", hands=FIVE_CARD, only=E2019)
chapter.principle("12(h)(2)", "only the highest hand formed is paid", kept_by="a hand makes only one row, the highest", only=E2019)
chapter.meter(FIVE_CARD_PROGRESSIVE, cite="12(h)(3)", seed={"A": dollars(10_000)}, rate={"A": Fraction(21, 100)},
    exact=True, per_dollar=True, later=RESEED_LATER, linked=True, only=E2019)
chapter.principle(
    "12(h)(4)", "a winner is paid what the meter shows at their turn", kept_by="table.settlement, seat by seat", only=E2019)
# 11(c)(7)(v) cites 643a.12(h)(5), evidently a typo for this clause
chapter.envy("Five-Card Envy Bonus", cite="12(h)(5), 11(c)(7)(v)", wager=FIVE_CARD_PROGRESSIVE, hand=FIVE_HOLDS,
    unseen=UNSEEN_ENVY, from_meter=ENVY_FROM_METER, own=OWN_ENVY, only=E2019, schedules={
    dollars(1): chapter.paytable("Five-Card Envy Bonus, $1", """
        Royal flush      $1,000
        Straight flush   $300
    """, cite="12(h)(5)", hands=FIVE_CARD, only=E2019),
    dollars(5): chapter.paytable("Five-Card Envy Bonus, $5", """
        Royal flush      $5,000
        Straight flush   $1,500
    """, cite="12(h)(5)", hands=FIVE_CARD, only=E2019),
})

HAND_BONUS_TABLE = chapter.paytable("Five Card Hand Bonus Wager", """
    Royal flush      100% of meter
    Straight flush   10% of meter
    Four-of-a-kind   500 for 1
    Full house       100 for 1
    Flush            50 for 1
""", cite="12(i)(1)", hands=FIVE_CARD, only=E2019)
chapter.principle("12(i)(2)", "each hand wagered on is paid once, by its highest row; a dealer's jackpot is shared",
    kept_by="hand_bonus_on_player, hand_bonus_on_dealer", only=E2019)
MAGIC_TABLE = chapter.paytable("Magic Card and Lucky Bonus", """
    Magic Card    20 for 1
    Lucky Bonus   5 for 1
""", cite="12(i)(3)", hands=("Magic Card", "Lucky Bonus"), only=E2019)
for side in (ON_PLAYER, ON_DEALER):
    chapter.meter(side, cite="12(i)(4)", seed={"A": dollars(10_000)}, reseed={"A": 0}, rate={"A": Fraction(21, 100)},
        reserve=Fraction(8, 100), releases=(RESERVE_READING, "starts the meter again"),
        exact=True, per_dollar=True, later=RESEED_LATER, linked=True, only=E2019)

chapter.paytable("5 of 6 Progressive Payout Wager", """
    Royal flush of spades                      100% of meter
    Royal flush of clubs, diamonds or hearts   25% of meter
    Straight flush    250 for 1
    Four-of-a-kind    100 for 1
    Full house        20 for 1
    Flush             10 for 1
    Straight          5 for 1
""", cite="12(j)(1)", hands=OF_SIX_HANDS, only=E2019)
chapter.principle("12(j)(2)", "only the highest hand formed is paid", kept_by="a hand makes only one row, the highest", only=E2019)
chapter.meter(FIVE_OF_SIX, cite="12(j)(3)", seed={"A": dollars(10_000)}, rate={"A": Fraction(28, 100)},
    exact=True, per_dollar=True, later=RESEED_LATER, linked=True, only=E2019)
chapter.principle(
    "12(j)(4)", "a winner is paid what the meter shows at their turn", kept_by="table.settlement, seat by seat", only=E2019)
# 11(c)(9)(v) cites 643a.12(j)(5), evidently a typo for this clause
chapter.envy("5 of 6 Envy Bonus", cite="12(j)(5), 11(c)(9)(v)", wager=FIVE_OF_SIX, hand=OF_SIX_HOLDS,
    unseen=UNSEEN_ENVY, from_meter=ENVY_FROM_METER, own=OWN_ENVY, only=E2019, schedules={
    dollars(1): chapter.paytable("5 of 6 Envy Bonus, $1", """
        Royal flush of spades                      $100
        Royal flush of clubs, diamonds or hearts   $50
    """, cite="12(j)(5)", hands=OF_SIX_HANDS, only=E2019),
    dollars(5): chapter.paytable("5 of 6 Envy Bonus, $5", """
        Royal flush of spades                      $500
        Royal flush of clubs, diamonds or hearts   $250
    """, cite="12(j)(5)", hands=OF_SIX_HANDS, only=E2019),
})

ELSEWHERE = "published elsewhere for the same rules"
chapter.published("Ante Wager", "3.37%", cite="12(b)", source=ELSEWHERE, letter="A")
chapter.published("Ante Wager", "2.01%", cite="12(b)", source=ELSEWHERE, letter="A", of="risk")
for letter, percent in (("B", "5.57%"), ("C", "7.28%"), ("D", "2.32%")):
    chapter.published("Pair Plus Wager", percent, cite="12(d)", source=ELSEWHERE, letter=letter, only=E2019)

# § 649a.13  Irregularities

common.irregularities(chapter)
common.exposed(chapter, DEALER)
