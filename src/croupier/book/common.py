"""Clauses that recur in every chapter, each declared once and cited where it stands.

The chapters of a year share their wording: what differs (a letter, the number of cards, a device) is a parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from croupier.law.chapter import Chapter, Only
from croupier.law.fact import Place
from croupier.law.procedure import Act, Actor, Device, Fate, Method, Moment, Script
from croupier.law.reading import Alternative, Reading
from croupier.law.wager import TIMED_OUT, Choice, Unanswered, Wager, fold

DEALER, FLOOR, PLAYER, DEVICE, HOLDER = Actor


def letter(first: str, on: int) -> str:
    """The letter so many places on.

    >>> letter("e", 2)
    'g'
    """
    return chr(ord(first) + on)


# § .2


def layout(chapter: Chapter, *, name: str = "2(b)(1)") -> None:
    chapter.area("Name or logo of the certificate holder", cite=f"{name}, 2(b)", each_player=False)


def boxes_and_rack(chapter: Chapter, *, boxes: str, rack: str, only: Only = ()) -> None:
    chapter.equipment(
        "Drop box and tip box",
        "on the dealer's side, one on either hand of the dealer; another place needs approval",
        cite=boxes,
        only=only,
    )
    chapter.equipment("Discard rack", "fixed to the top of the dealer's side", cite=rack, only=only)


def wagering_device(chapter: Chapter, cite: str, wagers: Iterable[str], *, system: str, only: Only = ()) -> None:
    """The system for wagers placed on a device: one at each position, and a lock-out at “no more bets”."""
    where = tuple(wagers)
    chapter.equipment(system, "approved, at each table that offers the wager", cite=cite, where=where, only=only)
    chapter.equipment("Wagering device", "at each position; acknowledges the wager", cite=f"{cite}(1)", where=where, only=only)
    chapter.equipment("Lock-out", "no wager is recognised after “no more bets”", cite=f"{cite}(2)", where=where, only=only)


# § .3


def decks(chapter: Chapter, *, jokers: int = 0, cover_cards: int = 1) -> None:
    chapter.decks(
        cite="3(a), 3(c), 3(c)(1)-(2), 5(d)",
        cards=52 + jokers,
        jokers=jokers,
        cover_cards=cover_cards,
        hours_by_hand=4,
        hours_by_shoe=8,
        least_cut=10,
    )
    two = "two decks with a shuffling device"
    chapter.step("3(b), 3(b)(1)", HOLDER, "uses two decks of one design whose backs differ in colour", when=two)
    chapter.step("3(b)(2)", DEVICE, "shuffles and keeps one deck while the other is in play", when=two)
    chapter.step("3(b)(3)", DEALER, "alternates the decks, each in every other round", when=two)
    chapter.step("3(b)(4)", DEALER, "keeps cards of only one deck in the discard rack", when=two)


# § .4


def opening(chapter: Chapter) -> None:
    chapter.step("4(a)", DEALER, "receives the decks and inspects the cards for defects")
    chapter.step("4(a)", FLOOR, "verifies the inspection")
    chapter.step("4(b)", DEALER, "spreads the cards face up by deck, suit and sequence for the first player to see")
    chapter.step("4(c)", PLAYER, "the first to arrive inspects the spread cards")
    chapter.step("4(c)", DEALER, "turns the cards face down, washes and stacks them, then shuffles")
    chapter.step("4(d)", DEALER, "does the same with each of two decks", when="two decks with a shuffling device")
    chapter.step("4(e)", DEALER, "skips inspection, spread and wash", when="the decks came preinspected and preshuffled")


# § .5


def shuffle_and_cut(chapter: Chapter, *, cards: int = 52, long_idle: Only = (), short_idle: Only = ()) -> None:
    """Section .5. The texts of 2011 say in more words what happens at an idle table (`long_idle`)."""
    chapter.step("5(a)", DEALER, "shuffles by hand or by device before play, after each round and when a floorperson says so")
    chapter.step("5(a)", DEALER, "puts the deck in a single stack, or the device puts it in the shoe")
    chapter.irregularity(
        "Device counts a wrong number of cards",
        cite="5(b)",
        during="shuffle",
        moment=Moment.SHUFFLE,
        device=Device.SHUFFLER,
        void=False,
        cards=Fate.DECK_REMOVED,
        then=f"the device must find {cards} cards",
    )
    chapter.step("5(c), 5(c)(1)", DEALER, "deals without a cut", when="a device shuffled the cards")
    chapter.step("5(c)(2)", DEALER, "cuts the cards", when="the cards were shuffled by hand or came preshuffled")
    chapter.step(
        "5(d)", DEALER, "puts the cover card at least ten cards from the top and the cards above it, with it, to the bottom"
    )
    chapter.step("5(d)", DEALER, "puts the stack into the dealing shoe")
    chapter.step("5(e)", FLOOR, "may order a recut before any card is dealt", when="the cut was improper or might be unfair")
    _idle_spread(chapter, long_idle=long_idle, short_idle=short_idle)
    chapter.step("5(g)", HOLDER, "may use an approved device that reshuffles by itself instead of cut, recut and idle spread")
    if long_idle:
        chapter.reshuffler("5(g)", counts=False, only=long_idle)
    if short_idle or not long_idle:
        chapter.reshuffler("5(g)", counts=True, only=short_idle)


def _idle_spread(chapter: Chapter, *, long_idle: Only, short_idle: Only) -> None:
    """5(f). With a shuffling device, the texts of 2011 neither wash the cards nor spread a deck that the device has stored."""
    idle, seen = "the open table is idle", "the first player has inspected them"
    chapter.step("5(f)", DEALER, "spreads the cards face down, or face up on request", when=idle)
    chapter.step("5(f)", PLAYER, "the first to arrive inspects the spread cards, face up on request", when=idle)
    if short_idle or not long_idle:
        chapter.idle_spread("5(f)", wash="4(c), 5(f)", only=short_idle)
        chapter.step("5(f), 4(c)", DEALER, "washes, stacks and shuffles the cards again", when=seen, only=short_idle)
    if long_idle:
        by_hand, device = f"{seen}; no device", f"{seen}; a device shuffles"
        chapter.idle_spread("5(f), 5(f)(1)-(2), 5(f)(2)(i)-(ii)", wash="5(f)(1)", device="5(f)(2)", only=long_idle)
        chapter.step("5(f)(1)", DEALER, "washes, stacks, shuffles and cuts the cards", when=by_hand, only=long_idle)
        chapter.step(
            "5(f)(2)",
            DEALER,
            "stacks the cards, gives them to the device and takes out the deck in it",
            when=device,
            only=long_idle,
        )
        chapter.step(
            "5(f)(2)(i)-(ii)",
            DEALER,
            "need not spread the deck from the device",
            when="it was stored singly and securely, by approved procedures, and no player asks",
            only=long_idle,
        )


# § .7


def wagering(chapter: Chapter, *, later: str = "") -> None:
    chapter.principle(
        "7(a)",
        "wagers are value chips or plaques on the layout; no spoken wager with cash",
        kept_by="the case and the table take chips only",
    )
    chapter.principle(
        "7(b)", "only seated players wager; who leaves in mid-round may lose his wagers", kept_by="every wager belongs to a seat"
    )
    exceptions = f", but for {later}" if later else ""
    chapter.principle(
        "7(c)",
        f"no wager is made, raised or withdrawn after “no more bets”{exceptions}",
        kept_by="wagers and decisions are separate declarations",
    )


# § .8 to .10

SECTIONS = {Method.MANUAL_SHOE: 8, Method.HAND: 9, Method.AUTOMATED_SHOE: 10}


def dealing(
    chapter: Chapter,
    *,
    entitled: Sequence[Wager],
    shoe: Script,
    automated: Script,
    on_device: str = "",
    board: bool = False,
    cards: int = 52,
    only: Only = (),
) -> None:
    """The three methods. With a `board`, the clause about the stub also says from where its cards come. `on_device` names the wagers that the dealer counts and collects before the deal; without any, (b) and (c) of .8 are one."""
    at = "d" if on_device else "c"
    bets = "announces “no more bets”" + (
        f"; locks the system and checks that the chips equal the {on_device} accepted, then collects them" if on_device else ""
    )
    closest = "draws each card with the hand nearest the shoe and places it with the other"

    chapter.step("8(a)", DEALER, "puts the stacked deck into the shoe at its approved place", only=only)
    chapter.step("8(b)", DEALER, bets, only=only)
    chapter.step("8(c)" if on_device else "8(b)", DEALER, closest, only=only)
    first = {"8": letter(at, 1), "9": "c", "10": "c"}  # the letter at which the stub begins
    later = {section: f"{section}({found})" if board else "" for section, found in first.items()}
    chapter.dealing(Method.MANUAL_SHOE, cite=f"8({at})", entitled=entitled, script=shoe, later=later["8"], only=only)
    _stub(chapter, "8", first["8"], cards, only)

    chapter.step("9(a), 9(a)(1)", DEVICE, "shuffles: dealing from the hand needs a shuffling device", only=only)
    chapter.step("9(a)(2)", DEALER, "keeps the deck in one hand over the table inventory container for the whole round", only=only)
    chapter.step("9(a)(3)", DEALER, bets, only=only)
    chapter.dealing(Method.HAND, cite="9(b)", entitled=entitled, script=shoe, needs_shuffler=True, later=later["9"], only=only)
    _stub(chapter, "9", first["9"], cards, only)

    chapter.step("10(a), 10(a)(1)", DEALER, "puts the shuffled cards into the automated shoe", only=only)
    chapter.step("10(a)(2)", DEALER, bets, only=only)
    chapter.dealing(Method.AUTOMATED_SHOE, cite="10(b)", entitled=entitled, script=automated, later=later["10"], only=only)
    _stub(chapter, "10", first["10"], cards, only)


def _stub(chapter: Chapter, section: str, first: str, cards: int, only: Only) -> None:
    """The stub: to the rack, or counted every five rounds where no device counts."""
    chapter.step(f"{section}({first})", DEALER, "puts the stub into the discard rack unexposed", only=only)
    count, good, wrong = (f"{section}({letter(first, n)})" for n in (1, 2, 3))
    chapter.step(count, DEALER, "counts the stub face down at least every five rounds", when="no device counts the deck", only=only)
    chapter.step(good, DEALER, "puts the stub into the discard rack", when=f"the count says {cards}", only=only)
    there = f"all {cards} cards are there"
    for name, fate, then in (
        ("Stub count wrong, cards misdealt", Fate.NONE, there),
        ("Stub count wrong, cards not misdealt", Fate.DECK_REMOVED, ""),
    ):
        chapter.irregularity(name, cite=wrong, during="stub count", moment=Moment.STUB, void=True, cards=fate, then=then, only=only)


# § .11


def examining(chapter: Chapter, *, cards: str) -> None:
    chapter.stage("11(a)", Act.EXAMINE)
    chapter.step("11(a)(1)", PLAYER, "minds his own hand; only he and the dealer touch it")
    chapter.step("11(a)(2)", PLAYER, f"keeps his {cards} cards in the dealer's view")


ANY_SHARE, WHOLE = Fraction(0), Fraction(1)  # of the meter, which the table inventory may not pay


def progressive_payment(
    chapter: Chapter,
    clause: str,
    *wagers: Wager,
    numbers: str = "(i) (ii) (iii) (iv)",
    not_from_inventory: Fraction = WHOLE,
    only: Only = (),
) -> None:
    """What the dealer does before a progressive win is paid."""
    one, two, three, four = (f"{clause}{number}" for number in numbers.split())
    paid = "the whole meter" if not_from_inventory == WHOLE else "a share of the meter"
    won = "a progressive payout is won"
    for wager in wagers:
        chapter.validation(wager, cite=f"{three}, {four}", not_from_inventory=not_from_inventory, only=wager.only or only)
    chapter.step(one, DEALER, "verifies the winning hand", when=won, only=only)
    chapter.step(two, DEALER, "verifies that the system's light is on", when=won, only=only)
    chapter.step(three, FLOOR, "validates the payout by the internal controls", when=won, only=only)
    chapter.step(
        four,
        DEALER,
        f"pays; {paid} is not paid from the table inventory, and the hand stays until the papers are done",
        when=won,
        only=only,
    )


# § .13


def irregularities(
    chapter: Chapter,
    *,
    counted: str = "A player or the dealer",
    from_device: str = "e",
    only_one_void: bool = True,
    folds: bool = True,
) -> None:
    """Section .13 but for the exposed card. `from_device` is the letter at which the devices begin."""
    _voiding(chapter, folds=folds)
    deal, shuffler, dealing_shoe = Moment.DEAL, Device.SHUFFLER, Device.SHOE
    chapter.irregularity("One card face up", cite="13(a)", during="deal", moment=deal, void=False, cards=Fate.CARD_DISCARDED)
    if only_one_void:
        chapter.irregularity(
            "More than one card face up", cite="13(a)", during="deal", moment=deal, void=True, cards=Fate.RESHUFFLED
        )
    chapter.irregularity(
        "Card drawn in error, unexposed", cite="13(b)", during="deal", moment=deal, void=False, cards=Fate.CARD_USED
    )
    chapter.irregularity(
        f"{counted} dealt a wrong number of cards",
        cite="13(c)",
        during="round, until the cards are cleared",
        moment=Moment.ROUND,
        void=True,
        cards=Fate.RESHUFFLED,
    )
    jam, shoe, broken = (f"13({letter(from_device, n)})" for n in range(3))
    chapter.irregularity(
        "Shuffling device jams",
        cite=jam,
        during="shuffle",
        moment=Moment.SHUFFLE,
        device=shuffler,
        void=False,
        cards=Fate.RESHUFFLED,
    )
    chapter.irregularity(
        "Automated shoe jams",
        cite=shoe,
        during="deal",
        moment=deal,
        device=dealing_shoe,
        void=True,
        cards=Fate.RESHUFFLED_WITH_DEALT,
    )
    chapter.irregularity(
        "Device out of order",
        cite=broken,
        during="any time",
        moment=Moment.ANY,
        void=False,
        cards=Fate.NONE,
        then="the device is covered or marked out of order before another method is used",
    )


def _voiding(chapter: Chapter, *, folds: bool) -> None:
    """What 13 leaves open: it returns all wagers, and names no time at which the reason is found."""
    late = chapter.reading(
        "late finding",
        cite="13(c)",
        question="A wrong number of cards is found after a wager was settled: what becomes of what was paid and collected?",
        alternatives={
            "taken back": "payments go back and stakes are returned, to and from every player who is still at the table",
            "stands": "a settled wager stands; all others are returned",
        },
        because="all hands are void and all wagers are returned, whenever it is found; a settled hand is one of them",
    )
    folded = (
        chapter.reading(
            "forfeited in a void round",
            cite="13(c)",
            question="Does a wager that folding forfeited go back when the round is void?",
            alternatives={"goes back": "yes", "stays lost": "no"},
            because="all wagers are returned; the hand that was folded is void too, and the fold with it",
        )
        if folds
        else None
    )
    left = chapter.reading(
        "abandoned in a void round",
        cite="7(b), 13(c)",
        question="Does a player who left in mid-round get the wagers back when the round is void?",
        alternatives={"stays lost": "no", "goes back": "yes, outside the table"},
        because="7(b) lets them be treated as losing wagers from the moment the player leaves",
    )
    chapter.voiding(
        cite="13(c)",
        stands=(late, "stands"),
        forfeited_lost=(folded, "stays lost") if folded else None,
        abandoned_back=(left, "goes back"),
    )


def dealer_exposed(chapter: Chapter, during: str, *, before: Act, **what: Any) -> None:
    """13(d) where it speaks of the dealer's cards; what becomes of the wagers differs."""
    chapter.irregularity(
        "Dealer's card exposed",
        cite="13(d)",
        during=during,
        moment=Moment.ROUND,
        before=before,
        exposes=Place.DEALER,
        void=True,
        cards=Fate.RESHUFFLED,
        **what,
    )


# Readings that more than one chapter needs


def ante_bonus_reading(chapter: Chapter, cite: str, *, because: str) -> Reading:
    return chapter.reading(
        "ante bonus",
        cite=cite,
        question="Is the Ante Bonus paid when the hand does not win?",
        alternatives={
            "any outcome": "whatever becomes of the Ante, unless the hand is folded",
            "only on a win": "only where the Ante itself is paid",
        },
        because=because,
    )


def reseed_reading(chapter: Chapter, cite: str) -> Reading:
    return chapter.reading(
        "reseed",
        cite=cite,
        question="When does a meter that was won start again?",
        alternatives={
            "at once": "a later winner of the round shares in the reseeded amount",
            "after the round": "a later winner of the round shares in what is left",
        },
        because="a winner is paid what the meter shows at his turn, and a meter in service never stands below its reset amount",
        needed_by="progressives",
    )


def envy_readings(chapter: Chapter, cite: str, *, folded_cards: str) -> Alternative:
    """The two readings on Envy Bonuses; returns the one on folded hands with the alternative by which an unseen hand counts.

    `folded_cards` is the clause that says where the cards of a fold go.
    """
    folded = chapter.reading(
        "envy from a folded hand",
        cite=f"{cite}, {folded_cards}",
        question="Does a folded hand earn the other players their Envy Bonus?",
        alternatives={
            "only face up": "only if its cards are turned over for a wager that survives the fold",
            "always": "whenever it qualifies",
        },
        because="the cards of a fold go to the discard rack, and a hand that nobody sees is not found to qualify; the clause asks only "
        "that another player hold it",
        needed_by="progressives",
    )
    chapter.reading(
        "envy paid from",
        cite=cite,
        question="From which account is the Envy Bonus paid?",
        alternatives={"table inventory": "the table inventory container", "meter": "the progressive meter"},
        because="the meter is for the progressive payouts, and only a payout of the whole meter is kept from the table inventory; of the "
        "Envy Bonus the text names no account",
        needed_by="progressives",
    )
    return folded, "always"


def limit_readings(chapter: Chapter, cite: str) -> Alternative:
    """The readings on a payout limit; returns the alternative by which returned stakes count."""
    counted = chapter.reading(
        "payout limit",
        cite=cite,
        question="Do returned stakes count towards the payout limit?",
        alternatives={
            "on top of stakes": "only what is paid on top; a payout that the limit may not touch does not use it up",
            "with stakes": "the returned stakes of winning wagers too",
        },
        because="a stake that goes back is no payout",
        needed_by="payout_limit",
    )
    chapter.reading(
        "limit floor",
        cite=cite,
        question="Which wagers does the floor of the payout limit count?",
        alternatives={
            "every covered wager": "all that the limit covers, each at the table's minimum, on one box in one round",
            "the best paying wager": "the one covered wager that can win the most",
        },
        because="the clause speaks of what one patron could win in a round when betting the minimum wager; it does not mention boxes",
        needed_by="payout_limit",
    )
    return counted, "with stakes"


EACH_BOX = "each box"


def _several_boxes(
    chapter: Chapter, what: str, cite: str, question: str, player: str, box: str, because: str, needed_by: str, only: Only = ()
) -> Alternative:
    """Whether the player is the unit of a clause, or each of the boxes that the player wagers on; returns the second."""
    reading = chapter.reading(
        f"{what} of several boxes",
        cite=cite,
        question=question,
        alternatives={"the player": player, EACH_BOX: box},
        because=because,
        needed_by=needed_by,
        only=only,
    )
    return reading, EACH_BOX


def limit_of_several_boxes(chapter: Chapter, cite: str) -> Alternative:
    return _several_boxes(
        chapter,
        "payout limit",
        cite,
        "Does a player who wagers on several boxes have one payout limit, or one for each box?",
        "one for all that is paid to the player in the round, in the order of settlement",
        "each box has the whole limit to itself",
        "the clause sets one aggregate per player and round, and a second box does not make a second player; it does not mention boxes",
        "payout_limit",
    )


def envy_of_several_boxes(chapter: Chapter, cite: str) -> Alternative:
    return _several_boxes(
        chapter,
        "envy",
        cite,
        "Does a hand at one box earn the same player an Envy Bonus at another box?",
        "no; it is the player's own hand. Each wager still earns one for each qualifying hand of another player",
        "yes; each box counts as a player",
        "the clause asks for another player's hand and refuses the bonus for one's own; it does not mention boxes",
        "progressives",
    )


def jackpot_of_several_boxes(chapter: Chapter, cite: str, *, wager: str, only: Only) -> Reading:
    return _several_boxes(
        chapter,
        "jackpot",
        cite,
        "Does a player who wagers on the dealer's hand at several boxes have one part of its jackpot, or one for each box?",
        "one part, paid at the first of the boxes to be settled; the others win nothing more",
        "one part for each box",
        "the clause divides by the number of players who made the wager; it does not mention boxes",
        wager,
        only,
    )[0]


TIME_RUNS_OUT = "time runs out"  # what a filing with a time limit must say


def ante_alone(chapter: Chapter, cite: str, *, forfeits: str) -> Unanswered:
    """No Play Wager in time: the Ante is lost. Whether all that `forfeits` takes for a fold goes with it is a reading."""
    reading = chapter.reading(
        TIME_RUNS_OUT,
        cite=cite,
        question="What does a hand lose when the time to make a Play Wager runs out?",
        alternatives={
            "the Ante alone": "the Ante; every other wager is settled as if the hand had stayed in",
            "as a fold": "all that a fold loses",
        },
        because=f"11(b) sets no time. It has a player make a Play Wager or forfeit the Ante; what {forfeits} takes beside the Ante follows "
        "from that choice, and a limit that the house sets is not the player's choice. Against it, the words fit a player who is silent: "
        "he does not make a Play Wager either",
        needed_by="decisions",
    )
    return Unanswered(Choice(TIMED_OUT, "11(b)", folds=True), ((reading, "as a fold"), fold("11(b)")))


def optional_wagers_reading(chapter: Chapter, cite: str) -> Reading:
    return chapter.reading(
        "optional wagers",
        cite=cite,
        question="May an optional wager be made without an Ante?",
        alternatives={"need an Ante": "no", "alone": "yes"},
        because="cards go only to players who have placed an Ante",
    )
