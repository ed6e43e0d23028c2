"""The API for learning a game: the coach of a practice table, hard hands to practice on, and what to say in a guided round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated

import msgspec
from litestar import Controller, get

from croupier.cards import show
from croupier.filing.offer import Offer
from croupier.floor.premises import Premises
from croupier.law.procedure import Act, Dealing, Setting, Stage
from croupier.law.wager import Wager
from croupier.odds.solvers.main_game import main_settlement
from croupier.printed.content.counted_cards import cards_compared
from croupier.printed.content.fold_terms import folding
from croupier.printed.content.outcomes import situations
from croupier.printed.content.phrases import amount_words, listed, short
from croupier.printed.content.round_steps import is_required, stage_words, wager_words
from croupier.table.rules.round_play import pending
from croupier.table.state import Held, Phase, State, cards_of, offer_of
from croupier.web.api.tables import TableName, own_seat, state_of
from croupier.web.errors import Denied
from croupier.web.schema import refuses
from croupier.web.security.guards import ANYONE, GUEST, UserRequest, at_most, roles
from croupier.web.workers.coach import CLOSE, Coach, CoachAnswer, Drill, Question
from croupier.wire import Citation


class Advised(CoachAnswer, frozen=True, kw_only=True):
    """What each choice is worth on average, best first. `unit` is the wager that counts as one.

    The first question about a game takes a while; until then the coach is `thinking`: ask again.
    """

    box: int
    version: int
    cite: str
    unit: str
    thinking: bool = False


class Training(msgspec.Struct, frozen=True):
    """Hard hands to practice on, dealt at random: the second-best choice costs something, but at most `close` units.

    The first request for a game takes a while; until then the trainer is `thinking`: ask again.
    """

    close: Annotated[str, msgspec.Meta(description="In units, such as 0.1.")]
    drills: tuple[Drill, ...]
    thinking: bool = False


class Sentence(msgspec.Struct, frozen=True):
    """What to tell a player, and the clause it follows from."""

    words: str
    cite: Citation


class WagerGuide(Sentence, frozen=True):
    """A wager that is placed before the deal; `wager` is its name in “place wager”. No cards are dealt without a `needed` one."""

    wager: str
    name: str
    needed: bool


class StageGuide(Sentence, frozen=True):
    """A stage of the round; `act` and `cite` are those of a view's `stage`. `also` is what else a player needs to know."""

    act: str
    also: tuple[Sentence, ...] = ()


class Guide(msgspec.Struct, frozen=True):
    """What to say in a guided round about the wagers, about each stage, and about who wins."""

    wagers: tuple[WagerGuide, ...]
    stages: tuple[StageGuide, ...]
    hands: Annotated[str, msgspec.Meta(description="Which cards are compared, where that needs saying.")]
    wins: tuple[Sentence, ...]


class LearningController(Controller):
    path = "/api"
    tags = ["players"]  # noqa: RUF012

    @get("/tables/{table:str}/coach", opt=roles(GUEST), responses=refuses(409), middleware=at_most(120, "minute"))
    async def advice(self, table: TableName, request: UserRequest, premises: Premises, coach: Coach) -> Advised:
        """At a practice table: the exact value of each of your current choices."""
        state = state_of(premises, table)
        seat = own_seat(state, request.user)
        if not premises.table_settings[table].practice:
            raise Denied(403, "The coach is available at practice tables only.")
        box = _asked(state, seat)
        assert state.round is not None
        stage, decision = state.stages[state.round.stage], state.stages[state.round.stage].decision
        base = decision.base if decision else next(each for each in state.rules.wagers.values() if not each.optional)
        version = state.version  # of the question: the table may go on while the coach thinks
        answer = await coach.ask(state.rules.number, _question(state, box))
        if isinstance(answer, str):
            raise Denied(409, answer)
        found = msgspec.structs.asdict(answer or CoachAnswer())
        return Advised(**found, box=box, version=version, cite=str(stage.cite), unit=base.name, thinking=answer is None)

    @get("/tables/{table:str}/training", opt=roles(ANYONE), responses=refuses(409), middleware=at_most(30, "minute"))
    async def training(self, table: TableName, premises: Premises, coach: Coach) -> Training:
        """Hard hands of the game of a table under its filing, new ones each time. You don't need a seat."""
        state = state_of(premises, table)
        drills = await coach.deal(state.rules.number, state.submission)
        if isinstance(drills, str):
            raise Denied(409, drills)
        return Training(CLOSE, drills or (), thinking=not drills)

    @get("/tables/{table:str}/guide", opt=roles(ANYONE))
    async def guide(self, table: TableName, premises: Premises, coach: Coach) -> Guide:
        """What to say in a guided round at a table, in the words of the rule sheet."""
        state = state_of(premises, table)
        if premises.table_settings[table].practice:
            coach.prepare(state.rules.number, state.submission)  # so that its advice is there when it is asked for
        return _guide(state.submission)


# the coach


def _asked(state: State, seat: int) -> int:
    """The box of this player that has to decide now; Denied if there is none."""
    current = state.round
    waiting = pending(state, current)[:1] if current is not None and state.phase is Phase.COMPLETING else []
    if not waiting or state.boxes.get(waiting[0]) != seat:
        raise Denied(409, "You have no decision to make now.")
    return waiting[0]


def _question(state: State, box: int) -> Question:
    """What this player can see: their own cards, and the dealer's and community cards that are face up."""
    current = state.round
    assert current is not None

    def face_up(held: list[Held]) -> str:
        return show(cards_of([each for each in held if each.up]))

    sets = state.stages[current.stage].act is Act.SET
    return Question(
        state.submission, show(cards_of(current.hands[box])), "" if sets else face_up(current.dealer), face_up(current.community)
    )


# the guided round


@lru_cache(maxsize=64)
def _guide(submission: str) -> Guide:
    return guide_of(offer_of(submission))


def guide_of(offer: Offer) -> Guide:
    """What to say in a guided round under an Offer, asked of its chapter."""
    rules, main = offer.rules, main_settlement(offer.rules)
    return Guide(
        wagers=tuple(_wagers(offer)),
        stages=tuple(_stage(offer, each) for each in rules.of(Stage)),
        hands=cards_compared(offer, main),
        wins=tuple(_wins(offer)),
    )


def _stage(offer: Offer, stage: Stage) -> StageGuide:
    settings = offer.rules.of(Setting) if stage.act is Act.SET else ()
    also = tuple(Sentence(words, str(offer.rules.cite(clause))) for rule in settings for clause, words in rule.notes)
    return StageGuide(stage_words(offer, stage), str(stage.cite), stage.act.value, also)


def _wagers(offer: Offer) -> Iterator[WagerGuide]:
    """The wagers that are placed before the deal, by the name that players use."""
    named: dict[str, list[Wager]] = {}
    for wager in offer.rules.wagers.values():
        if not wager.made_by_decision and offer.offers(wager):
            named.setdefault(wager.group or wager.key, []).append(wager)
    first = offer.rules.of(Dealing)[0].entitled[0]
    for name, wagers in named.items():
        wager = wagers[0]
        needed = is_required(offer, wager) or wager is first
        words = _needed(offer, wagers) if needed else f"{wager_words(offer, wager)}. Amount: {amount_words(offer, wager)}."
        yield WagerGuide(words, str(wager.cite), name, short(wager.group or wager.name), needed)


def _needed(offer: Offer, wagers: Sequence[Wager]) -> str:
    wager, at_fold = wagers[0], folding(offer)
    equal = f" It is {len(wagers)} equal bets: {listed(each.name for each in wagers)}." if len(wagers) > 1 else ""
    lost = " You lose it if you fold." if at_fold and wager.name in at_fold.lost else ""
    cards = "Without it you are not dealt in." if is_required(offer, wager) else "This bet gets you cards."
    return f"{cards}{equal} Amount: {amount_words(offer, wager)}.{lost}"


def _wins(offer: Offer) -> Iterator[Sentence]:
    """Who wins, a sentence for each situation: “Your hand is lower: Ante loses, Play loses.”"""
    found = situations(offer, main_settlement(offer.rules))
    for (situation, *results), clauses in zip(found.rows, found.clauses, strict=True):
        outcomes = [f"{short(name)} {result}" for name, result in zip(found.head[:-1], results, strict=False) if result != "–"]
        yield Sentence(f"{situation}: {', '.join(outcomes)}.", clauses.partition(",")[0])
