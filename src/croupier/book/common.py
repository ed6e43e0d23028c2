"""Clauses that recur in every chapter, declared once here and cited by chapter.

Chapters from the same year share their wording; whatever differs (a letter, the number of cards, a device) is a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from croupier.law.chapter import Chapter
from croupier.law.cite import Edition, Only
from croupier.law.fact import FOLDED, TIMED_OUT, Fact, Place
from croupier.law.layout import DISCARD_RACK, DROP_AND_TIP_BOX, Equipment
from croupier.law.paytable import Paytable
from croupier.law.procedure import Act, Actor, Decks, Device, Fate, Irregularity, Method, Moment, NamedStep, Script, Stage
from croupier.law.reading import Alternative, Reading
from croupier.law.settlement import Lines, forfeit, pay_by
from croupier.law.wager import Choice, Decision, Wager, fold

DEALER, FLOOR, PLAYER, DEVICE, HOLDER = Actor
ADDED_ROWS = "mini_royal"  # the key under which a submission adds rows to paytables, after the only ones that may be added


def letter(first: str, on: int) -> str:
    """The letter this many places later.

    >>> letter("e", 2)
    'g'
    """
    return chr(ord(first) + on)


# § .2


def table(chapter: Chapter, seats: int) -> None:
    chapter.table(seats, cite="2(a)")
    chapter.area("Name or logo of the certificate holder", cite="2(b)(1), 2(b)", each_player=False)


def boxes_and_rack(chapter: Chapter, *, boxes: str, rack: str, only: Only = ()) -> None:
    where = "on the dealer's side of the table, on opposite sides of the dealer; any other location needs approval"
    chapter.equipment(DROP_AND_TIP_BOX, where, cite=boxes, only=only)
    chapter.equipment(DISCARD_RACK, "attached to the top of the dealer's side of the table", cite=rack, only=only)


def wagering_device(chapter: Chapter, cite: str, *, system: str, only: Only = ()) -> Equipment:
    """The system for wagers placed on a device: one device at each position, and a lock-out at “no more bets”."""
    whole = chapter.equipment(system, "approved, at each table that offers the wager", cite=cite, only=only)
    part = partial(chapter.equipment, part_of=whole, only=only)
    part("Wagering device", "at each position; acknowledges the wager", cite=f"{cite}(1)")
    part("Lock-out", "no wager is recognized after “no more bets”", cite=f"{cite}(2)")
    return whole


# § .3


def decks(chapter: Chapter, *, jokers: int = 0, cover_cards: int = 1, long_idle: Only = ()) -> None:
    """Sections .3 to .5: the cards, and how they are opened, shuffled and cut. `long_idle` editions go into detail about an idle table."""
    _decks(chapter, jokers=jokers, cover_cards=cover_cards)
    _opening(chapter)
    _shuffle_and_cut(chapter, cards=52 + jokers, long_idle=long_idle if isinstance(long_idle, tuple) else (long_idle,))


def _decks(chapter: Chapter, *, jokers: int, cover_cards: int) -> None:
    cite = "3(a), 3(c), 3(c)(1)-(2), 5(d)"
    chapter.decks(jokers, cover_cards, hours_by_hand=4, hours_by_shoe=8, least_cut=10, cite=cite)
    two = "two decks are used with a shuffling device"
    chapter.step("3(b), 3(b)(1)", HOLDER, "uses two decks of the same design with backs of different colors", when=two)
    chapter.step("3(b)(2)", DEVICE, "shuffles and stores one deck while the other is in play", when=two)
    chapter.step("3(b)(3)", DEALER, "alternates the decks, using each one every other round", when=two)
    chapter.step("3(b)(4)", DEALER, "keeps cards from only one deck in the discard rack", when=two)


# § .4


def _opening(chapter: Chapter) -> None:
    chapter.step("4(a)", DEALER, "receives the decks and inspects the cards for defects")
    chapter.step("4(a)", FLOOR, "verifies the inspection")
    chapter.step("4(b)", DEALER, "spreads the cards face up by deck, suit and sequence for the first player to inspect")
    chapter.step("4(c)", PLAYER, "inspects the spread cards, as the first to arrive")
    chapter.step("4(c)", DEALER, "turns the cards face down, washes and stacks them, then shuffles")
    chapter.step("4(d)", DEALER, "does the same with each deck", when="two decks are used with a shuffling device")
    chapter.step("4(e)", DEALER, "skips the inspection, spread and wash", when="the decks came preinspected and preshuffled")


# § .5


def _shuffle_and_cut(chapter: Chapter, *, cards: int, long_idle: tuple[Edition, ...]) -> None:
    chapter.step("5(a)", DEALER, "shuffles by hand or by device before play, after each round and when directed by a floorperson")
    chapter.step("5(a)", DEALER, "puts the deck in a single stack, or the device puts it in the shoe")
    wrong, then = "Device counts a wrong number of cards", f"the device must count {cards} cards"
    chapter.irregularity(wrong, Moment.SHUFFLE, Fate.DECK_REMOVED, cite="5(b)", device=Device.SHUFFLER, then=then)
    chapter.step("5(c), 5(c)(1)", DEALER, "deals without a cut", when="a device shuffled the cards")
    chapter.step("5(c)(2)", DEALER, "cuts the cards", when="the cards were shuffled by hand or came preshuffled")
    cut = "inserts the cover card at least ten cards from the top, then moves it and the cards above it to the bottom"
    chapter.step("5(d)", DEALER, cut)
    chapter.step("5(d)", DEALER, "puts the stack into the dealing shoe")
    chapter.step("5(e)", FLOOR, "may order a recut before any card is dealt", when="the cut was improper or might affect fairness")
    short_idle = tuple(edition for edition in chapter.editions if edition not in long_idle)
    _idle_spread(chapter, long_idle=long_idle, short_idle=short_idle)
    device = "may use an approved device that reshuffles automatically in place of the cut, recut and idle spread"
    chapter.step("5(g)", HOLDER, device)
    for editions, counts in ((long_idle, False), (short_idle, True)):
        if editions:
            chapter.reshuffler("5(g)", counts=counts, only=editions)


def _idle_spread(chapter: Chapter, *, long_idle: tuple[Edition, ...], short_idle: tuple[Edition, ...]) -> None:
    """5(f). With a shuffling device, the 2011 editions do not wash the cards or spread a deck stored in the device."""
    idle, seen = "the open table is idle", "the first player has inspected them"
    chapter.step("5(f)", DEALER, "spreads the cards face down, or face up on request", when=idle)
    chapter.step("5(f)", PLAYER, "inspects the spread cards, face up on request, as the first to arrive", when=idle)
    if short_idle:
        chapter.idle_spread("5(f)", wash=chapter.cites("4(c), 5(f)"), only=short_idle)
        chapter.step("5(f), 4(c)", DEALER, "washes, stacks and shuffles the cards again", when=seen, only=short_idle)
    if long_idle:
        wash, device, step = chapter.cites("5(f)(1)"), chapter.cites("5(f)(2)"), partial(chapter.step, only=long_idle)
        chapter.idle_spread("5(f), 5(f)(1)-(2), 5(f)(2)(i)-(ii)", wash=wash, device=device, only=long_idle)
        by_hand, by_device = f"{seen} and no shuffling device is used", f"{seen} and a device shuffles"
        step("5(f)(1)", DEALER, "washes, stacks, shuffles and cuts the cards", when=by_hand)
        step("5(f)(2)", DEALER, "stacks the cards, puts them in the device and takes out the deck already in it", when=by_device)
        stored = "it was stored as a single deck, securely and under approved procedures, and no player asks"
        step("5(f)(2)(i)-(ii)", DEALER, "need not spread the deck from the device", when=stored)


# § .7


def wagering(chapter: Chapter, *, later: str = "") -> None:
    chips = "wagers are value chips or plaques on the layout; verbal wagers with cash are not accepted"
    seated = "only seated players may wager; a player who leaves mid-round may lose their wagers"
    no_more = "no wager is made, raised or withdrawn after “no more bets”" + (f", except {later}" if later else "")
    chapter.principle("7(a)", chips, kept_by="cases and tables accept only chips")
    chapter.principle("7(b)", seated, kept_by="every wager belongs to a seat")
    chapter.principle("7(c)", no_more, kept_by="wagers and decisions are separate declarations")


# § .8 to .10


def dealing(
    chapter: Chapter,
    *,
    entitled: Sequence[Wager],
    shoe: Script,
    automated: Script,
    on_device: str = "",
    board: bool = False,
    continuous: tuple[str, Script] | None = None,
    only: Only = (),
) -> None:
    """The three methods, and a `continuous` shoe if it has a clause and a script of its own.

    With a `board`, the clause about the stub also says where the board's cards come from. `on_device` names the wagers that the
    dealer counts and collects before the deal; without any, (b) and (c) of .8 are combined.
    """
    alone = next((wager.alone for wager in chapter.of(Wager) if wager.alone), None)
    deal, step = partial(chapter.dealing, entitled=entitled, alone=alone, only=only), partial(chapter.step, only=only)
    locks = f"; locks the system, verifies that the chips match the {on_device} accepted, then collects them" if on_device else ""
    no_more_bets = partial(step, who=DEALER, does=f"announces “no more bets”{locks}", task=NamedStep.NO_MORE_BETS)
    cards = next((decks.cards for decks in chapter.of(Decks)), 52)
    at = "d" if on_device else "c"
    first = {"8": letter(at, 1), "9": "c", "10": "c"}  # the letter where the stub begins
    later = {section: f"{section}({found})" if board else "" for section, found in first.items()}

    step("8(a)", DEALER, "puts the stacked deck into the shoe in its approved location")
    no_more_bets("8(b)")
    nearest = "draws each card with the hand nearest the shoe and places it with the other"
    step("8(c)" if on_device else "8(b)", DEALER, nearest)
    deal(Method.MANUAL_SHOE, cite=f"8({at})", script=shoe, later=later["8"])
    _stub(chapter, "8", first["8"], cards, only)

    step("9(a), 9(a)(1)", DEVICE, "shuffles the cards: dealing from the hand requires a shuffling device")
    step("9(a)(2)", DEALER, "keeps the deck in the same hand, over the table inventory container, for the whole round")
    no_more_bets("9(a)(3)")
    deal(Method.HAND, cite="9(b)", script=shoe, needs_shuffler=True, later=later["9"])
    _stub(chapter, "9", first["9"], cards, only)

    step("10(a), 10(a)(1)", DEALER, "puts the shuffled cards into the automated shoe")
    no_more_bets("10(a)(2)")
    deal(Method.AUTOMATED_SHOE, cite="10(b)", script=automated, later=later["10"])
    _stub(chapter, "10", first["10"], cards, only)
    if continuous:
        clause, script = continuous
        deal(Method.CONTINUOUS_SHOE, cite=clause, script=script)


def _stub(chapter: Chapter, section: str, first: str, cards: int, only: Only) -> None:
    """The stub goes to the rack, or is counted every five rounds if no device counts the cards."""
    rack, count, good, wrong = (f"{section}({letter(first, n)})" for n in range(4))
    step, wrong_count = partial(chapter.step, only=only), partial(chapter.irregularity, void=True, cite=wrong, only=only)
    step(rack, DEALER, "puts the stub into the discard rack without exposing it")
    every_five = "counts the stub face down at least every five rounds"
    step(count, DEALER, every_five, when="no device counts the deck", task=NamedStep.COUNT_STUB)
    step(good, DEALER, "puts the stub into the discard rack", when=f"the count comes to {cards}")
    wrong_count("Stub count wrong, cards misdealt", Moment.STUB, Fate.NONE, then=f"all {cards} cards are present")
    wrong_count("Stub count wrong, cards not misdealt", Moment.STUB, Fate.DECK_REMOVED)


# § .11


def examining(chapter: Chapter, *, cards: str) -> None:
    chapter.stage("11(a)", Act.EXAMINE)
    chapter.step("11(a)(1)", PLAYER, "is responsible for their own hand; only they and the dealer may touch it")
    chapter.step("11(a)(2)", PLAYER, f"keeps their {cards} cards in the dealer's view")


def settled_by_table(
    chapter: Chapter, wager: Wager, hand: Fact, *, cite: str, lost: str = "", forfeited: str = "", only: Only = ()
) -> None:
    """A wager that its hand and the paytable of its name settle, whatever the dealer holds.

    It loses under the clause `lost` if there is one. A fold forfeits it if there is a clause for that.
    """

    def by_hand(holds: str) -> Iterator[Lines]:
        named = [table for table in chapter.of(Paytable) if table.name == wager.name]  # .12 comes later
        tables = [each for each in named if not isinstance(only, Edition) or each.applies_in(only)]
        if len({each.cite.clause for each in tables}) != 1:
            raise ValueError(f"the {wager.name} needs a paytable of its name, under the same clause in each edition")
        yield pay_by(tables[-1], holds, on=wager, lost=lost)

    def unless_folded(folded: bool, holds: str) -> Iterator[Lines]:
        yield from [forfeit(wager, cite=forfeited)] if folded else by_hand(holds)

    rule, folded = (unless_folded, {"folded": FOLDED}) if forfeited else (by_hand, {})
    chapter.settles(wager, cite=cite, asks={**folded, "holds": hand}, hand=hand, only=only)(rule)


WHOLE = Fraction(1)  # the share of the meter that the table inventory may not pay


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
    step = partial(chapter.step, when="a progressive payout is won", only=only)
    for wager in wagers:
        chapter.validation(wager, cite=f"{three}, {four}", not_from_inventory=not_from_inventory, only=wager.only or only)
    step(one, DEALER, "verifies the winning hand")
    step(two, DEALER, "verifies that the system's light is on")
    step(three, FLOOR, "validates the payout under the internal controls")
    step(four, DEALER, f"pays; {paid} is not paid from the table inventory, and the hand stays until the paperwork is done")


# § .13


def irregularities(
    chapter: Chapter,
    *,
    counted: str = "A player or the dealer",
    from_device: str = "e",
    hands: str = "",
    settled: Sequence[Wager] = (),
    settled_under: str = "",
    then: str = "",
) -> None:
    """Section .13 except the exposed card. `from_device` is the letter where the devices begin.

    If 13(a) distinguishes more than one card face up before everyone has their `hands` from after, the `settled` wagers stand
    after.
    """
    _voiding(chapter)
    rule, void = chapter.irregularity, partial(chapter.irregularity, void=True)
    rule("One card face up", Moment.DEAL, Fate.CARD_DISCARDED, cite="13(a)")
    if not hands:
        void("More than one card face up", Moment.DEAL, Fate.RESHUFFLED, cite="13(a)")
    rule("Card drawn in error, unexposed", Moment.DEAL, Fate.CARD_USED, cite="13(b)")
    wrong, until = f"{counted} dealt a wrong number of cards", "round, until the cards are cleared"
    void(wrong, Moment.ROUND, Fate.RESHUFFLED, cite="13(c)", during=until)
    jam, shoe, broken = (f"13({letter(from_device, n)})" for n in range(3))
    rule("Shuffling device jams", Moment.SHUFFLE, Fate.RESHUFFLED, device=Device.SHUFFLER, cite=jam)
    void("Automated shoe jams", Moment.DEAL, Fate.RESHUFFLED_WITH_DEALT, device=Device.SHOE, cite=shoe)
    covered = "the device is covered or marked out of order before another method is used"
    rule("Device out of order", Moment.ANY, Fate.NONE, cite=broken, then=covered)
    if hands:
        void(f"More than one card face up before everyone has {hands}", Moment.HANDS, Fate.RESHUFFLED, cite="13(a)")
        partly = _all_but(chapter, settled, settled_under, then)
        partly(f"More than one card face up after everyone has {hands}", Moment.BOARD, Fate.RESHUFFLED, cite="13(a)")


def _all_but(chapter: Chapter, settled: Sequence[Wager], under: str, then: str) -> partial[Irregularity]:
    """A partial declaration of an irregularity that voids the round and returns all wagers not settled under a clause."""
    others = [wager for wager in chapter.of(Wager) if wager not in settled] if settled else []
    return partial(chapter.irregularity, void=True, returned=others, settled=settled, settled_under=under, then=then)


def _voiding(chapter: Chapter) -> None:
    """What .13 leaves open: it returns all wagers but does not say when the reason must be found."""
    folds = any(choice.folds for decision in chapter.of(Decision) for choice in decision.choices)
    late = chapter.reading(
        "late finding",
        cite="13(c)",
        question="A wrong number of cards is found after a wager was settled. What happens to the money already paid and collected?",
        alternatives={
            "taken back": "payouts are taken back and stakes returned, for every player who is still at the table",
            "stands": "settled wagers stand; all others are returned",
        },
        because="all hands are void and all wagers are returned, no matter when it is found; a settled hand is one of them",
    )
    folded = folds and chapter.reading(
        "forfeited in a void round",
        cite="13(c)",
        question="Is a wager that was forfeited by folding returned when the round is void?",
        alternatives={"goes back": "yes", "stays lost": "no"},
        because="all wagers are returned; the folded hand is void too, and the fold with it",
    )
    left = chapter.reading(
        "abandoned in a void round",
        cite="7(b), 13(c)",
        question="Does a player who left mid-round get their wagers back when the round is void?",
        alternatives={"stays lost": "no", "goes back": "yes, away from the table"},
        because="7(b) allows them to be treated as losing wagers from the moment the player leaves",
    )
    chapter.voiding(
        cite="13(c)",
        stands=(late, "stands"),
        forfeited_lost=(folded, "stays lost") if folded else None,
        abandoned_back=(left, "goes back"),
    )


def exposed(
    chapter: Chapter,
    place: Place,
    during: str = "",
    *,
    before: Act = Act.REVEAL,
    settled: Sequence[Wager] = (),
    settled_under: str = "",
    then: str = "",
    kept: tuple[Alternative, tuple[Wager, ...]] | None = None,
    until_first: Alternative | None = None,
) -> None:
    """13(d): a dealer or community card seen too early, by default before the dealer's cards are revealed.

    All wagers are returned except those that are still `settled`.
    """
    if not during:
        clauses = [stage.cite.clause for stage in chapter.of(Stage) if stage.act is before]
        during = " under ".join([f"before the {place.value} are revealed", *clauses])
    void = _all_but(chapter, settled, settled_under, then)
    name, seen = f"{place.value.removesuffix('s').capitalize()} exposed", partial(void, before=before, exposes=place)
    seen(name, Moment.ROUND, Fate.RESHUFFLED, cite="13(d)", during=during, kept=kept, until_first=until_first)


# Readings that more than one chapter needs


def ante_bonus_reading(chapter: Chapter, cite: str, *, because: str) -> Reading:
    return chapter.reading(
        "ante bonus",
        cite=cite,
        question="Is the Ante Bonus paid when the hand does not win?",
        alternatives={
            "any outcome": "no matter what happens to the Ante, unless the hand is folded",
            "only on a win": "only if the Ante itself is paid",
        },
        because=because,
    )


def progressive_readings(
    chapter: Chapter, *, reseed: str, envy: str, folded_cards: str, own_hand: str = ""
) -> tuple[Alternative, Alternative, Alternative, Alternative | None]:
    """Declare what the text leaves open about meters and Envy Bonuses.

    `folded_cards` is the clause that says where folded cards go, `own_hand` the one that denies a bonus for a player's own hand.
    Return the alternatives under which a meter restarts only after the round, an unseen hand counts, the meter pays the bonus, and
    a hand at another box of the same player counts; the last only with a clause.
    """
    restart = chapter.reading(
        "reseed",
        cite=reseed,
        question="When does a meter that was won restart?",
        alternatives={
            "at once": "a later winner in the same round is paid from the reseeded amount",
            "after the round": "a later winner in the same round is paid from what is left",
        },
        because="a winner is paid what the meter shows at their turn, and a meter in service never shows less than its reset amount",
        needed_by="progressives",
    )
    folded = chapter.reading(
        "envy from a folded hand",
        cite=f"{envy}, {folded_cards}",
        question="Does a folded hand earn the other players their Envy Bonus?",
        alternatives={
            "only face up": "only if its cards are turned over for a wager that survives the fold",
            "always": "whenever it qualifies",
        },
        because="folded cards go to the discard rack, and a hand that nobody sees is not found to qualify; but the clause requires only "
        "that another player hold it",
        needed_by="progressives",
    )
    account = chapter.reading(
        "envy paid from",
        cite=envy,
        question="From which account is the Envy Bonus paid?",
        alternatives={"table inventory": "the table inventory container", "meter": "the progressive meter"},
        because="the meter is for progressive payouts, and only a payout of the whole meter may not come from the table inventory; the "
        "text names no account for the Envy Bonus",
        needed_by="progressives",
    )
    boxes = own_hand and chapter.reading(
        "envy of several boxes",
        cite=own_hand,
        question="Does a hand at one box earn the same player an Envy Bonus at another box?",
        alternatives={
            "the player": "no; it is the player's own hand. Each wager still earns one for each qualifying hand of another player",
            "each box": "yes; each box counts as a player",
        },
        because="the clause requires another player's hand and denies the bonus for a player's own; it does not mention boxes",
        needed_by="progressives",
    )
    own = (boxes, "each box") if boxes else None
    return (restart, "after the round"), (folded, "always"), (account, "meter"), own


def limit(
    chapter: Chapter,
    cite: str,
    *,
    covers: Sequence[Wager | Paytable],
    per_hand: bool = False,
    never: frozenset[tuple[str, str]] = frozenset(),
) -> None:
    """A payout limit, for a player's round or `per_hand`, with what the text leaves open about it."""
    counted = chapter.reading(
        "payout limit",
        cite=cite,
        question="Do returned stakes count toward the payout limit?",
        alternatives={
            "on top of stakes": "no, only what is paid on top of them; a payout that the limit may not reduce does not use it up",
            "with stakes": "yes, the returned stakes of winning wagers count too",
        },
        because="a returned stake is not a payout",
        needed_by="payout_limit",
    )
    floor = chapter.reading(
        "limit floor",
        cite=cite,
        question="Which wagers count toward the floor of the payout limit?",
        alternatives={
            "every covered wager": "all that the limit covers, each at the table's minimum, on one box in one round",
            "the best paying wager": "the one covered wager that can win the most",
        },
        because="the clause refers to what one patron could win in a round when betting the minimum wager; it does not mention boxes",
        needed_by="payout_limit",
    )
    boxes = not per_hand and chapter.reading(
        "payout limit of several boxes",
        cite=cite,
        question="Does a player who wagers on several boxes have one payout limit, or one for each box?",
        alternatives={
            "the player": "one for everything the player is paid in the round, in the order of settlement",
            "each box": "each box has its own full limit",
        },
        because="the clause sets one aggregate per player per round, and a second box does not make a second player; it does not mention boxes",
        needed_by="payout_limit",
    )
    chapter.limit(
        cite=cite,
        covers=covers,
        with_stakes=(counted, "with stakes"),
        best_wager=(floor, "the best paying wager"),
        each_box=(boxes, "each box") if boxes else None,
        never=never,
    )


def ante_alone(chapter: Chapter, cite: str, *, forfeits: str) -> tuple[Choice, tuple[Alternative, Choice]]:
    """No Play Wager in time: the Ante is lost, unless a reading takes everything that a fold loses under `forfeits`."""
    reading = chapter.reading(
        "time runs out",
        cite=cite,
        question="What does a hand lose when the time to make a Play Wager runs out?",
        alternatives={
            "the Ante alone": "the Ante; every other wager is settled as if the hand had stayed in",
            "as a fold": "everything that a fold loses",
        },
        because=f"11(b) sets no time limit. It has a player make a Play Wager or forfeit the Ante; what {forfeits} takes besides the Ante follows "
        "from that choice, and a limit set by the house is not the player's choice. On the other hand, the words fit a silent player: "
        "they do not make a Play Wager either",
        needed_by="decisions",
    )
    return Choice(TIMED_OUT, "11(b)", folds=True), ((reading, "as a fold"), fold("11(b)"))


def optional_wagers_reading(chapter: Chapter, cite: str) -> Alternative:
    """Declare the reading; return the alternative under which an optional wager may be made alone."""
    reading = chapter.reading(
        "optional wagers",
        cite=cite,
        question="May an optional wager be made without an Ante?",
        alternatives={"need an Ante": "no", "alone": "yes"},
        because="only players who have placed an Ante are dealt cards",
    )
    return reading, "alone"
