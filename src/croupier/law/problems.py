"""Checks a chapter before anything else uses it: what is missing or contradictory, each with the line that declares it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from traceback import extract_tb

from croupier.law import procedure
from croupier.law.chapter import Chapter, Rules
from croupier.law.cite import Refusal, Rule
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Compared, DealerHas, Depending, Drawn, Fact, Has, Holds, Place
from croupier.law.layout import Area, TableSeats
from croupier.law.paytable import Limit, Paytable, Published
from croupier.law.procedure import Act, Announcement, Dealing, Device, Irregularity, Method, Moment, Stage, deals_of, dealt
from croupier.law.ranking import NOTHING, Hand, Ranking, every_shape
from croupier.law.reading import Alternative, Reading
from croupier.law.settlement import Line, Outcome, Settlement
from croupier.law.wager import Decision, Wager

OWN_WORDS = "common.decks(chapter), or functions of the chapter's own that compare and call the hands"
MOST_TIMES = 1000  # the base of a decision that a choice may wager
MOST_CASES = 1_000_000  # combinations of facts that a settlement is tried with
#: What a table cannot do without, what to call it, and how a chapter declares it.
NEEDED: dict[type[Rule], tuple[str, str]] = {
    TableSeats: ("table", "common.table(chapter, …)"),
    procedure.Decks: ("deck", "common.decks(chapter)"),
    procedure.IdleSpread: ("shuffle", "common.decks(chapter)"),
    procedure.Reshuffler: ("shuffle", "common.decks(chapter)"),
    Wager: ("wager", "chapter.wager(…)"),
    procedure.AdjacentBoxes: ("number of boxes for a player", "chapter.adjacent_boxes(…)"),
    Dealing: ("deal", "common.dealing(chapter, …)"),
    Stage: ("stage of the round", "chapter.stage(…)"),
    Settlement: ("settlement", "@chapter.settles(…)"),
    procedure.Voiding: ("rule for void rounds", "common.irregularities(chapter)"),
}


@dataclass(frozen=True)
class ChapterProblem:
    said: str
    where: str  # file and line
    write: str = ""  # what to write instead

    def __str__(self) -> str:
        return f"{self.where}: {self.said}" + (f"; write {self.write}" if self.write else "")


Problems = Iterator[tuple[str, Rule | int | None, str]]  # what is wrong, the rule or the line, and what to write
Check = Callable[[Rules], Problems]


def problems(chapter: Chapter, *, thorough: bool = False) -> list[ChapterProblem]:
    """What is wrong with a chapter, in any of its editions. Each check runs only after the checks it depends on.

    `thorough` also looks for rows that no hand fills, which takes a second.
    """
    if not chapter.editions:
        return [ChapterProblem("no edition is declared", chapter.where(), '(Edition("2026-01-31", …),)')]
    found = dict[ChapterProblem, None]()
    for edition in chapter.editions:
        rules = Rules(chapter, edition)
        for checks in (*CHECKS, (_unreachable,) if thorough else ()):
            if not found:
                found |= dict.fromkeys(_run_checks(rules, checks))
    return list(found)


def _run_checks(rules: Rules, checks: Iterable[Check]) -> Iterator[ChapterProblem]:
    for check in checks:
        for said, at, write in _run(check, rules):
            yield ChapterProblem(said, rules.chapter.where(at), write)


def _run(check: Check, rules: Rules) -> Problems:
    try:
        yield from check(rules)
    except Exception as wrong:  # something declared is not of the kind that the check expects
        yield _failed("the check of the chapter", wrong, rules, None)


def _failed(what: str, wrong: Exception, rules: Rules, rule: Rule | None) -> tuple[str, Rule | int | None, str]:
    """What failed and why, at the line of the chapter where it did or else where the rule is declared."""
    return f"{what} fails: {error_text(wrong)}", line_in(rules.chapter.file, wrong) or rule, ""


def line_in(file: str, wrong: BaseException) -> int:
    """The last line of the file that an error came through; 0 if it did not."""
    lines = [frame.lineno for frame in extract_tb(wrong.__traceback__) if frame.filename == file]
    return (lines or [0])[-1] or 0


def error_text(wrong: BaseException) -> str:
    """An error as text. Errors of the vocabulary are sentences; others get the name of their type."""
    text = str(wrong.said if isinstance(wrong, Refusal) else wrong)
    return text if text and isinstance(wrong, (ValueError, Refusal)) else f"{type(wrong).__name__} {text}".strip()


def _missing(rules: Rules) -> Problems:
    for kind, (name, write) in NEEDED.items():
        if not rules.of(kind):
            yield f"no {name} is declared", None, write
    irregular = rules.of(Irregularity)
    if not any(rule.moment is Moment.ROUND and not rule.exposes for rule in irregular):
        yield "no irregularity is a wrong number of cards", None, "common.irregularities(chapter)"
    if not any(rule.device is Device.SHOE for rule in irregular):
        yield "no irregularity is a jam of the shoe", None, "common.irregularities(chapter)"


# the deal


def _size(rules: Rules) -> Problems:
    """Check that one deck is enough for a full table. Cards are counted, not dealt: a script may name any number."""
    later = sum(stage.cards if stage.act is Act.DEAL else stage.act is Act.BURN for stage in rules.of(Stage))
    for dealing in rules.of(Dealing):
        cards = sum(dealt(dealing.script, rules.seats).values()) + later
        if cards > rules.decks.cards:
            yield f"{cards:,} cards are dealt to {rules.seats:,} seats from {rules.decks.cards}", dealing, "fewer seats or cards"


def _deals(rules: Rules) -> Problems:
    first, *others = rules.of(Dealing)
    for each in (first, *others):
        if not each.entitled:
            yield "no wager entitles a player to cards", each, "entitled=[…]"
        if any(step.count < 1 for step in deals_of(each.script)):
            yield f"dealing by {each.method.value} has a step of less than one card", each, "Deal(1, …) or more"
    places = {each: dealt(each.script) for each in (first, *others)}
    for each in (other for other in others if other.method is not Method.CONTINUOUS_SHOE):  # it may deal the board first
        differ = [place for place in Place if places[each][place] != places[first][place]]
        if differ and not any(step.when or step.unless for step in deals_of(first.script + each.script)):
            yield f"dealing by {each.method.value} gives different {differ[0].value} than by {first.method.value}", each, ""
    if not places[first][PLAYER]:
        yield "no player is dealt a card", first, "Deal(…, PLAYER)"


# the round


def _stages(rules: Rules) -> Problems:
    stages = rules.of(Stage)
    acts = [stage.act for stage in stages]
    for act in (Act.SETTLE, Act.CLEAR):
        if acts.count(act) != 1:
            number = "more than one" if act in acts else "no"
            yield f"{number} stage says “{act.value}”", None, f"chapter.stage(…, Act.{act.name})"
    if acts.count(Act.REVEAL) > 1:
        yield f"more than one stage says “{Act.REVEAL.value}”", None, "chapter.announces(DEALER, …) alone: it is a stage"
    asked = [stage.decision for stage in stages if stage.act is Act.ASK]
    for stage in stages:
        if (stage.act is Act.ASK) != (stage.decision is not None):
            yield f"the stage under {stage.cite} asks for no decision", stage, "decision=…"
        if stage.act in (Act.DEAL, Act.TURN) and (stage.place is not COMMUNITY or stage.cards < 1):
            what = stage.act.name.lower()
            yield f"the stage under {stage.cite} does not say how many community cards to {what}", stage, "cards=…"
    for decision in rules.decisions:
        if asked.count(decision) > 1:
            yield f"the decision on the {decision.name} is asked twice", decision, "chapter.decision alone: it is a stage"
    yield from _collected(stages)
    yield from _turned(rules, stages)


def _collected(stages: Sequence[Stage]) -> Problems:
    """Check that what a fold loses is collected before the settlement."""
    acts = [stage.act for stage in stages]
    for number, stage in enumerate(stages):
        if stage.decision and any(choice.folds for choice in stage.decision.choices) and Act.COLLECT not in acts[number:]:
            yield f"no stage collects what folding on the {stage.decision.name} loses", stage, "chapter.stage(…, Act.COLLECT)"


def _turned(rules: Rules, stages: Sequence[Stage]) -> Problems:
    """Check that community cards dealt face down are turned over."""
    dealing = rules.of(Dealing)[0]
    down = Counter(step.to for step in deals_of(dealing.script) for _ in range(step.count) if not step.up)
    turned = sum(stage.cards for stage in stages if stage.act is Act.TURN)
    conditional = any(step.when or step.unless for step in deals_of(dealing.script) if step.to is COMMUNITY)
    if turned and turned != down[COMMUNITY] and not conditional:
        yield f"{down[COMMUNITY]} community cards lie face down, and {turned} are turned", dealing, "as many stages with Act.TURN"


def _decisions(rules: Rules) -> Problems:
    made = {choice.makes[0] for decision in rules.decisions for choice in decision.choices if choice.makes}
    for decision in rules.decisions:
        if not decision.choices:
            yield f"the decision on the {decision.name} has no choice", decision, "choices=[…]"
        words = [word for choice in decision.choices for word in (choice.word, *choice.also_said)]
        for word, times in Counter(words).items():
            if times > 1:
                yield f"two choices on the {decision.name} are called “{word}”", decision, ""
        for choice in decision.choices:
            if choice.makes and not choice.makes[0].made_by_decision:
                name = choice.makes[0].name
                yield f"“{choice.word}” makes the {name}, which is placed before the deal", decision, "made_by_decision=True"
            if choice.makes and not (isinstance(choice.makes[1], int) and 1 <= choice.makes[1] <= MOST_TIMES):
                said = f"“{choice.word}” makes a wager of {choice.makes[1]} times the {decision.base.name}"
                yield said, decision, f"a whole number from 1 to {MOST_TIMES:,}"
            yield from _clause(rules, choice.clause, decision)
        if decision is not rules.decisions[-1] and not any(choice.goes_on for choice in decision.choices):
            yield f"no choice on the {decision.name} leads to the next decision", decision, "goes_on=True"
    for wager in rules.of(Wager):
        if wager.made_by_decision and wager not in made:
            yield f"no decision makes the {wager.name}", wager, "a choice that makes it"


def _clause(rules: Rules, clause: str, rule: Rule) -> Problems:
    try:
        rules.cite(clause)
    except ValueError as wrong:
        yield str(wrong), rule, "11(b)(2), for example"


# wagers and the layout


def _wagers(rules: Rules) -> Problems:
    settled = Counter(wager for settlement in rules.settlements for wager in settlement.settles)
    for key, times in Counter(wager.key for wager in rules.of(Wager)).items():
        if times > 1:
            yield f"{times} wagers are called {key}", rules.wagers[key], "another name"
    for wager in rules.of(Wager):
        if wager.area not in rules.of(Area) and not wager.electronic:
            yield f"the {wager.name} has no area on the layout", wager, f'area=chapter.area("{wager.name}", cite=…)'
        if settled[wager] != 1:
            number = "more than one settlement settles" if settled[wager] else "no settlement settles"
            yield f"{number} the {wager.name}", wager, "@chapter.settles(…)"
    for limit in rules.of(Limit):
        if unknown := set(limit.names) - {wager.name for wager in rules.of(Wager)} - {table.name for table in rules.of(Paytable)}:
            yield f"the payout limit covers {unknown.pop()}, which is not a wager or a bonus", limit, ""


def _areas(rules: Rules) -> Problems:
    """Check that no two areas have the same name."""
    for name, times in Counter(area.name for area in rules.of(Area)).items():
        if times > 1:
            last = [area for area in rules.of(Area) if area.name == name][-1]
            yield f"{times} areas are called {name}", last, "another name"


def _named(rules: Rules) -> Problems:
    """Check that definitions and published figures name wagers of the chapter."""
    names = dict.fromkeys(wager.name for wager in rules.of(Wager))
    for term in rules.of(procedure.Definition):
        if term.wager and term.wager not in names:
            yield f"“{term.term}” is defined for the {term.wager}, which is not a wager", term, " or ".join(names)
    for figure in rules.of(Published):
        if figure.wager not in rules.wagers_by_name:
            yield f"a figure is published for the {figure.wager}, which is not a wager", figure, " or ".join(rules.wagers_by_name)


def _faces(rules: Rules) -> Problems:
    """Check that cards everyone sees have an area, and that the dealer's hand is announced."""
    areas = {area.cards for area in rules.of(Area)}
    for dealing in rules.of(Dealing):
        for place in Place:
            if place is not PLAYER and place not in areas and (dealt(dealing.script)[place] or rules.dealt[place]):
                areas.add(place)
                yield f"the {place.value} have no area on the layout", dealing, f"chapter.area(…, cards={place.name})"
    if rules.dealt[DEALER] and not any(rule.whose is DEALER for rule in rules.of(Announcement)):
        yield "nothing says what the dealer's hand is called", rules.of(Dealing)[0], "chapter.announces(DEALER, …)"


# hands


def _readings(rules: Rules) -> Problems:
    """Check that every reading named by a rule, a decision or a fact belongs to this chapter and has the alternative."""
    for rule in rules.everything:
        for reading, alternative in _alternatives(tuple(vars(rule).values())):
            if reading not in rules.of(Reading):
                yield f"{type(rule).__name__} names the reading “{reading.name}”, which this chapter lacks", rule, ""
            elif alternative not in reading.alternatives:
                yield f"“{alternative}” is not an alternative of “{reading.name}”", rule, " or ".join(reading.alternatives)


def _alternatives(value: object) -> Iterator[Alternative]:
    """Every alternative that a value names, such as ((TIME_RUNS_OUT, "plays"), PLAYS)."""
    match value:
        case (Reading() as reading, str(alternative)):
            yield reading, alternative
        case tuple():
            for each in value:
                yield from _alternatives(each)
        case Drawn():
            yield from _alternatives(value.wagered_only)
        case Depending():
            yield from ((value.reading, way) for way in value.ways)


def _jokers(rules: Rules) -> Problems:
    """Check that rankings say what a joker counts as, and that hands with one are not compared or called by their ranks."""
    called = [rule.hand for rule in rules.of(Announcement)]
    for ranking in rules.of(Ranking) if rules.decks.jokers else ():
        if ranking.compared or ranking in called:
            yield f"the {ranking.name} compares hands by rank, and the joker in the deck has none", ranking, OWN_WORDS
        elif not ranking.note:
            said = f"the deck has a joker, and the {ranking.name} does not say what it counts as"
            yield said, ranking, "note=…, and rows that a hand with the joker fills"


def _unreachable(rules: Rules) -> Problems:
    for ranking in rules.of(Ranking):
        try:
            filled = {ranking.row_of_shape(each) for size in ranking.sizes for each in every_shape(size, rules.decks.jokers)}
        except Exception as wrong:  # of a word of the chapter's own
            yield _failed(f"the {ranking.name}", wrong, rules, ranking)
            continue
        otherwise = {hand.otherwise for hand in ranking.hands}
        for row, hand in enumerate(ranking.hands):
            if row not in filled and hand.name not in otherwise:
                yield _unfilled(rules, ranking, hand), ranking, ""


def _unfilled(rules: Rules, ranking: Ranking, hand: Hand) -> str:
    size = hand.size or ranking.size
    if any(hand.fills(each) for each in every_shape(size, rules.decks.jokers)):
        return f"no hand fills the row “{hand.name}” of the {ranking.name}: the rows above it take them all"
    return f"no hand of {size} cards fills the row “{hand.name}” of the {ranking.name}"


# settlements


def _asks(rules: Rules) -> Problems:
    """Check that each fact has enough cards for the hands it ranks."""
    cards = rules.dealt
    for settlement in rules.settlements:
        for fact in dict.fromkeys((*settlement.asks, *filter(None, [settlement.hand]))):
            yield from _enough(fact, cards, "are dealt", settlement)
            if isinstance(fact, Decision) and fact not in rules.decisions[fact.ordinal : fact.ordinal + 1]:
                said = f"the decision on the {fact.name} is not the same decision in every edition"
                yield said, fact, "the same decisions before it"
            if isinstance(fact, Compared) and not fact.ranking.compared:
                yield f"the {fact.ranking.name} is compared with the dealer's", fact.ranking, "compared=True"
    for decision in rules.decisions:
        seen = cards | {COMMUNITY: rules.turned_before(decision), DEALER: 0}
        for fact in dict.fromkeys(choice.holding for choice in decision.choices if choice.holding):
            yield from _enough(fact, seen, f"are seen at the decision on the {decision.name}", decision)


def _enough(fact: Fact | Reading, cards: Mapping[Place | str, int], what: str, rule: Rule) -> Problems:
    ranking, places = _looked_at(fact)
    board = cards.get(COMMUNITY, 0)
    if isinstance(fact, Holds) and not 0 <= fact.first <= board:
        yield f"“{fact.name}” counts the first {fact.first} of {board} community cards", rule, f"first={board} or fewer"
        return
    seen = min(board, fact.first) if isinstance(fact, Holds) and fact.first else board
    held = sum(seen if place is COMMUNITY else cards.get(place, 0) for place in places)
    if ranking and held < min(ranking.sizes):
        yield f"the {ranking.name} takes {min(ranking.sizes)} cards, and {held} {what}", rule, ""
    elif ranking and isinstance(fact, Holds):
        for hand in (each for each in ranking.hands if each.size > held):
            row = f"the row “{hand.name}” of the {ranking.name}"
            yield f"no hand fills {row}: it takes {hand.size} cards, and {held} {what}", rule, ""


def _looked_at(fact: Fact | Reading) -> tuple[Ranking | None, tuple[Place, ...]]:
    match fact:
        case Holds() | Has():
            return fact.ranking, fact.places
        case Compared():
            return fact.ranking, (PLAYER, *fact.shared)
        case DealerHas():
            return fact.ranking, (DEALER, *fact.shared)
    return None, ()


def _settlements(rules: Rules) -> Problems:
    """Check that every combination of facts gives each wager one line, or none for one made by a decision if the hand folded."""
    for settlement in rules.settlements:
        cases = prod(len(fact.values) for fact in settlement.asks)
        if cases > MOST_CASES:
            yield f"{cases:,} combinations of facts are too many to try", settlement, "facts with fewer values"
            continue
        try:
            yield from _tried(rules, settlement)
        except Exception as wrong:  # of the chapter's own function
            yield _failed(f"the settlement under {settlement.cite}", wrong, rules, settlement)


def _tried(rules: Rules, settlement: Settlement) -> Problems:
    names, reported = [fact.name for fact in settlement.asks], set[str]()
    for values, lines in settlement.every_case():
        case = ", ".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))
        for wager, wrong in _unsettled(settlement, lines):
            if wager.key not in reported:
                reported.add(wager.key)
                yield f"the {wager.name} has {wrong} where {case}", settlement, "one line for each wager"
        for line in lines:
            yield from _clause(rules, line.clause, settlement)


def _paid(rules: Rules) -> Problems:
    """Check that every row of a paytable is paid in some case, and that settlements pay only rows the table has."""
    paid = dict[str, dict[str, Settlement]]()  # by the table's name: an edition or a version of the game may have its own
    for settlement in rules.settlements:
        for _, lines in settlement.every_case():
            for line in lines:
                if line.table:
                    paid.setdefault(line.table.name, {}).setdefault(line.row, settlement)
    for table in rules.of(Paytable):
        rows = paid.get(table.name, {})
        for row in rows.keys() - {*table.names, NOTHING}:
            yield f"the {table.name} table cannot pay “{row}”, which is not one of its hands", rows[row], " or ".join(table.names)
        reached = {name for row in rows for name in table.counts_as(row)}
        for row in table.rows if rows else ():
            if row not in reached:
                yield f"no case pays the row “{row}” of the {table.name} table", table, "a settlement that names it, or no such row"
        if not rows and table.name not in rules.envy_schedules:
            yield f"no settlement pays by the {table.name} table", table, "pay_by(…)"


def _unsettled(settlement: Settlement, lines: Sequence[Line]) -> Iterator[tuple[Wager, str]]:
    own = Counter(line.wager for line in lines if not line.bonus)
    folded = any(line.outcome is Outcome.FORFEIT for line in lines)
    for wager in settlement.settles:
        if own[wager] > 1:
            yield wager, f"{own[wager]} lines"
        if not own[wager] and not (folded and wager.made_by_decision):
            yield wager, "no line"
    yield from ((wager, "a line of a settlement that is not its own") for wager in own if wager not in settlement.settles)


CHECKS: tuple[tuple[Check, ...], ...] = (  # each group relies on those before it
    (_missing,),
    (_size,),
    (_deals, _stages, _decisions, _wagers, _areas, _named, _faces, _readings, _jokers, _asks, _settlements),
    (_paid,),
)
