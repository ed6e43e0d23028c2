"""What each viewpoint may do now: everything offered is granted, everything granted is offered, and nothing reveals an unseen card."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.cards import deck as full_deck
from croupier.law.chapter import Rules
from croupier.law.procedure import Dealing, Irregularity, Moment
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.choices.players import choices
from croupier.table.commands import Command, SealedDeck
from croupier.table.engine import COMMANDS
from croupier.table.state import Phase, State
from croupier.wire import Ask, TableChoice
from tests.table.holding import money_holds
from tests.table.pit import FOLDS, SECOND, STAYS, Pit, every_method, find, opened, some_methods
from tests.table.test_machine import any_command

EVERYBODY = ["public", "player:1", "player:2", "player:3", "dealer", "floorperson", "device"]


def offered(pit: Pit, by: str) -> list[TableChoice]:
    return choices(pit.state, by, pit.now, pit.meters)


def words(pit: Pit, by: str) -> list[str]:
    return [choice.words for choice in offered(pit, by)]


def found(pit: Pit, by: str, start: str) -> TableChoice:
    return next(choice for choice in offered(pit, by) if choice.words.startswith(start))


# filling in the questions


def shuffled(table: State) -> SealedDeck:
    return SealedDeck(tuple(map(str, full_deck(table.rules.decks.jokers))), "5e" * 32)


def chips_there(table: State) -> dict[str, int]:
    """What a dealer counts of the wagers they collect."""
    counted: dict[str, int] = {}
    for stakes in table.stakes.values():
        for key, cents in stakes.items():
            wager = table.rules.wagers[key]
            if wager.collected:
                counted[wager.name] = counted.get(wager.name, 0) + cents
    return counted


def answers(table: State, ask: Ask) -> list[Any]:
    """Values that the question allows, including its limits."""
    match ask.kind:
        case "money" | "number":
            return list(ask.only) or [ask.least, ask.most]
        case "some of":
            return [(), *((n,) for n in ask.only), ask.only]
        case "counted":
            return [chips_there(table)]
        case "yes or no":
            return [False, True]
        case "shuffle" | "shuffles":
            return [shuffled(table) if ask.kind == "shuffle" else (shuffled(table),) * (ask.most or 0)]
        case _:
            assert ask.kind == "words"
            return [{"choice": "play 1.5x", "magic_card": "7d", "lucky": "dealer"}.get(ask.name, "Somebody")]


def filled(table: State, choice: TableChoice) -> Iterator[Command]:
    """The command with its questions answered, each answer at least once."""
    kind = COMMANDS[choice.do.replace(" ", "_")]
    every = [answers(table, ask) for ask in choice.asks]
    if choice.do == "post limits":  # two questions that depend on each other
        every = [[choice.asks[0].least, choice.asks[0].now], [choice.asks[1].most, choice.asks[1].now]]
    for n in range(max(map(len, every), default=1)):
        given = {ask.name: values[min(n, len(values) - 1)] for ask, values in zip(choice.asks, every, strict=True)}
        yield msgspec.convert({key: value for key, value in choice.command.items() if key != "do"} | given, kind)


def is_granted(pit: Pit, by: str, choice: TableChoice) -> None:
    who = f"player:{choice.command['seat']}" if by == "public" else by
    for command in filled(pit.state, choice):
        problem = pit.verify(command, who)
        assert problem is None, f"{by}: {choice.words}: {command}: {problem}"
        assert choice.cite


def all_is_granted(pit: Pit, random: Random) -> None:
    for by in EVERYBODY:
        for choice in offered(pit, by):
            assert choice.words
            assert choice.command["do"] == choice.do
            is_granted(pit, by, choice)
            if random.random() < 0.01 and by != "public":
                fork = pit.fork()
                fork.do(random.choice(list(filled(pit.state, choice))), by)
                money_holds(fork.state)


# everything offered is granted


@some_methods
def test_everything_offered_is_granted_at_every_moment_of_a_round(rules: Rules, dealing: Dealing) -> None:
    random = Random(3)
    pit = Pit(rules, dealing.method.value, decision_seconds=5, dealing={"counts_cards": False}).seat(1, 2)
    pit.staff.by_card = False
    for _ in range(2):
        while pit.step():
            all_is_granted(pit, random)
        pit.bet_everything(1)
        all_is_granted(pit, random)
        pit.bet_everything(2).lock()
        while pit.state.round is not None:
            all_is_granted(pit, random)
            if pit.state.round.asked and random.random() < 0.5:
                pit.now = pit.state.round.asked_at + 5 * SECOND
                all_is_granted(pit, random)
            pit.step(random.choice([STAYS, FOLDS]))


@every_method
def test_a_round_played_by_the_primary_choices_alone(rules: Rules, dealing: Dealing) -> None:
    """From the arrival of the decks to the cards in the rack, everyone does only what is most expected of them."""
    pit = Pit(rules, dealing.method.value, dealing={"counts_cards": False}).seat(1, 3)
    done = []
    for _ in range(200):
        if pit.state.rounds and pit.state.round is None:
            break
        by, choice = _expected(pit)
        done.append(pit.do(next(filled(pit.state, choice)), by).event)
    assert done[-1] == "cards cleared", done
    assert done.count("wagers settled") == 2


def _expected(pit: Pit) -> tuple[str, TableChoice]:
    everybody = ["player:1", "player:3", "floorperson", "dealer"]
    return next((by, choice) for by in everybody for choice in offered(pit, by) if choice.primary)


# everything granted is offered


def covers(table: State, choice: TableChoice, command: Command) -> bool:
    said, asked = msgspec.to_builtins(command.public()), {ask.name: ask for ask in choice.asks}
    if said["do"] != choice.do:
        return False
    for name in {*said, *choice.command} - {*asked, *UNLIKE.get(choice.do, ())}:
        if said.get(name) != choice.command.get(name):
            return False
    return all(_fits(ask, said.get(name)) for name, ask in asked.items())


def _fits(ask: Ask, value: Any) -> bool:
    match ask.kind:
        case "money" | "number" if value is not None:
            return value in ask.only if ask.only else (ask.least or 0) <= value <= (ask.most or 0)
        case "some of":
            return set(value or ()) <= set(ask.only)
    return True


# Fields in which a screen need not offer every value: names of decks, and numbers of cards between one and all.
UNLIKE = {"receive decks": ("decks",), "deal cards": ("count",)}


def plainly(table: State, command: Command) -> Command | None:
    """The command without what its rule ignores. None if it need not be offered to anyone."""
    match command:
        case say.PlaceWager(wager=name) | say.TakeBackWager(wager=name) if (
            name in table.rules.wagers and table.rules.wagers[name].group
        ):
            return None  # one of three bets that are placed together
        case say.UseMethod(method=method, shuffler=shuffler) if (method, shuffler) == (table.method, table.shuffler):
            return None  # no change
        case say.RaiseIrregularity(irregularity=name, cards=cards, device=device, deck=deck):
            rule = next(rule for rule in table.rules.of(Irregularity) if rule.name == name)
            return say.RaiseIrregularity(
                irregularity=name,
                cards=cards if rule.exposes else (),
                device=device if rule.moment is Moment.ANY else "",
                deck=deck if rule.moment is Moment.SHUFFLE else "",
            )
    return command


@some_methods
def test_everything_granted_is_offered(rules: Rules, dealing: Dealing) -> None:
    random = Random(11)
    pit = Pit(rules, dealing.method.value, opener=100_000_00, decision_seconds=2, dealing={"counts_cards": False})
    pit.seat(1, 2, 3, chips=2_000_00)
    pit.staff.by_card = False
    compared = sum(_wild(pit, random) for _ in range(16) if _goes_on(pit, random))
    assert compared > 40


def _wild(pit: Pit, random: Random) -> int:
    """Try commands of every kind, and compare those that would be granted with what is offered."""
    known, seen = 0, dict[str, list[TableChoice]]()  # nothing is done, so the offers do not change
    for kind in [*COMMANDS.values()] * 2:
        role = random.choice(kind.by)
        by = f"player:{random.randint(1, 4)}" if role == "player" else str(role)
        command = any_command(pit.state, kind, random.choice)
        if by.startswith("player:") and hasattr(command, "seat"):
            command = msgspec.structs.replace(command, seat=int(by.removeprefix("player:")))
        if pit.can(command, by) and (plain := plainly(pit.state, command)):
            known += 1
            mine = seen[by] if by in seen else seen.setdefault(by, offered(pit, by))
            assert any(covers(pit.state, choice, plain) for choice in mine), (
                f"{by} may {plain}; offered: {[c.command for c in mine]}"
            )
    return known


def _goes_on(pit: Pit, random: Random) -> bool:
    """Move the table on a few steps, sometimes with an irregularity."""
    if pit.state.phase is Phase.CLOSED:
        return True
    for _ in range(random.randint(1, 3)):
        if pit.step() is None and pit.state.round is None:
            for seat in [1, 2, 3][: random.randint(1, 3)]:
                if seat in pit.state.players:
                    pit.bet_everything(seat)
            pit.lock()
    return True


# the words


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("641a", ["Play 1× $10", "Play 2× $20", "Play 3× $30", "Fold"]),
        ("643a", ["Let it ride", "Take back $10"]),
        ("649a", ["Play $10", "Fold"]),
        ("653a", ["Play 4× $40", "Play 3× $30", "Check"]),
        ("679a", ["Play $10", "Fold"]),
        ("682a", ["Raise 1× $10", "Raise 2× $20", "Raise 3× $30", "Fold"]),
    ],
)
def test_a_decision_in_plain_words_with_its_amounts(number: str, said: list[str]) -> None:
    pit = opened(find(number), "automated shoe", 2).bet_everything(2)
    pit.lock()
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    mine = [choice for choice in offered(pit, "player:2") if choice.do == "decide"]
    assert [choice.words.partition(", lose ")[0] for choice in mine] == said
    assert [choice.primary for choice in mine] == [True] + [False] * (len(said) - 1)
    assert not [choice for choice in offered(pit, "player:1") if choice.do == "decide"]


def test_every_lawful_setting_of_a_hand_and_no_other() -> None:
    """By 680a.11(b)(1): of 9, A, K, 2 and 3 only 9, A and K total 10, 20 or 30."""
    pit = opened(find("680a"), "automated shoe", 1).bet(1, ante=10).stack({1: "9s As Kd 2c 3c"})
    pit.lock()
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    sets = [choice.words for choice in offered(pit, "player:1") if choice.do == "set hand"]
    assert sets == ["Set 9s As Kd, show 2c 3c"]


def test_what_cannot_be_paid_for_is_not_offered() -> None:
    pit = Pit(find("649a")).seat(1, chips=1_500).ready()
    ask = found(pit, "player:1", "Place the Ante").asks[0]
    assert (ask.least, ask.most, ask.now) == (500, 1_350, 0)  # a tenth is in the game account
    pit.bet(1, ante=10).lock()
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    assert [choice.words for choice in offered(pit, "player:1") if choice.do == "decide"] == ["Fold, lose Ante $10"]
    assert not any(choice.primary for choice in offered(pit, "player:1"))


def test_amounts_are_asked_with_their_own_rules() -> None:
    pit = opened(find("653a"), "automated shoe", 1)
    assert not [text for text in words(pit, "player:1") if "Blind" in text]  # without an Ante there is nothing to equal
    pit.bet(1, ante=25)
    blind = found(pit, "player:1", "Place the Blind").asks[0]
    assert (blind.only, blind.words) == ((2_500,), "equal to the Ante Wager")
    progressive = found(pit, "player:1", "Place the Progressive").asks[0]
    assert progressive.only == (100,)
    change = found(pit, "player:1", "Change the $25 on the Ante Wager").asks[0]
    assert (change.least, change.most, change.now) == (500, 50_000, 2_500)
    assert "Take back $25 from the Ante Wager" in words(pit, "player:1")


def test_limits_that_are_posted_are_those_that_are_asked() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.post_limits(by="floorperson", minimum=2_500, maximum=10_000)
    ask = found(pit, "player:1", "Place the Ante").asks[0]
    assert (ask.least, ask.most) == (2_500, 10_000)


def test_boxes_next_to_your_own() -> None:
    pit = opened(find("641a"), "automated shoe", 2, adjacent_boxes=2).seat(4)
    boxes = {choice.command["seat"] for choice in offered(pit, "player:2") if choice.do == "place wager"}
    assert boxes == {1, 2, 3}
    assert "Place the Ante Wager of box 3" in words(pit, "player:2")
    pit.place_wager(by="player:2", seat=3, wager="Ante Wager", amount=1_000)
    boxes = {choice.command["seat"] for choice in offered(pit, "player:2") if choice.do == "place wager"}
    assert boxes == {2, 3}


def test_passers_by_see_the_free_seats() -> None:
    pit = Pit(find("649a")).seat(2, 5)
    seats = [choice.command["seat"] for choice in offered(pit, "public")]
    assert seats == [1, 3, 4, 6, 7]  # of the seven of 649a.2(a)
    assert {choice.do for choice in offered(pit, "public")} == {"sit"}


def test_surveillance_touches_nothing_and_a_table_never_opened_offers_nothing() -> None:
    assert choices(opened(find("649a")).state, "surveillance", 0) == []
    assert choices(State(), "floorperson", 0) == choices(State(), "public", 0) == []


def test_the_dealer_counts_and_is_not_told_what_to_find() -> None:
    pit = opened(find("649a"), "automated shoe", 1).bet_everything(1)
    bets = found(pit, "dealer", "“No more bets”")
    assert bets.primary
    assert "collected" not in bets.command
    assert bets.asks[0].of == tuple(chips_there(pit.state))
    assert bets.asks[0].only == ()
    assert bets.asks[0].now is None


def test_649a_10_a_2_nothing_is_counted_if_no_such_wager_was_made() -> None:
    assert found(opened(find("649a"), "automated shoe", 1).bet(1, ante=10), "dealer", "“No more bets”").asks == ()


def test_the_floorpersons_approvals_stand_first() -> None:
    pit = Pit(find("649a"))
    pit.receive_decks(by="dealer", decks=("red", "blue"))
    pit.inspect_decks(by="dealer")
    first = offered(pit, "floorperson")[0]
    assert (first.do, first.primary, first.cite) == ("verify inspection", True, "649a.4(a)")


def test_decks_that_are_due_are_primary() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    assert not found(pit, "floorperson", "Remove the decks").primary
    pit.now += 8 * 3_600_000
    assert found(pit, "floorperson", "Remove the decks: they are due for replacement").primary


def test_a_progressive_win_is_offered_for_validation_once_its_hand_is_up() -> None:
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10, three_card=1).stack({1: "As Ks Qs"}, dealer="3c 5d 7h").lock()
    while pit.state.round and not pit.can_turn_hand(by="dealer", seat=1):
        pit.step(STAYS)
        assert "validate progressive" not in {choice.do for choice in offered(pit, "floorperson")}
    assert "Settle box 1" not in words(pit, "dealer")
    pit.turn_hand(by="dealer", seat=1)
    first = offered(pit, "floorperson")[0]
    assert first.do == "validate progressive"
    assert "Settle box 1" not in words(pit, "dealer")
    pit.do(next(filled(pit.state, first)), "floorperson")
    assert "Settle box 1" in words(pit, "dealer")


def test_irregularities_in_the_chapters_words_when_they_can_happen() -> None:
    pit = opened(find("649a"), "automated shoe", 1).bet(1, ante=10)
    pit.lock()
    pit.deal_cards(by="dealer", count=1)
    raised = {choice.words for choice in offered(pit, "dealer") if choice.do == "raise irregularity"}
    assert {"One card face up", "Automated shoe jams", "Card drawn in error, unexposed"} <= raised
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    exposed = found(pit, "dealer", "Dealer's card exposed").asks[0]
    assert exposed.only == (1, 2, 3)


def test_a_lapse_is_offered_when_the_time_is_over_and_not_before() -> None:
    pit = Pit(find("643a"), decision_seconds=10).seat(1).ready().bet(1, bets=5)
    pit.lock()
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    assert pit.state.round is not None
    pit.now = pit.state.round.asked_at + 10 * SECOND - 1
    for by in ("dealer", "floorperson", "device"):
        assert "lapse decision" not in {choice.do for choice in offered(pit, by)}
    pit.now += 1
    for by in ("dealer", "floorperson", "device"):
        assert found(pit, by, "Box 1 has run out of time: “ride”").primary


def test_amounts_of_any_multiple_where_the_reading_allows_them() -> None:
    rules = find("641a")
    between = rules.decisions[0].between
    assert between is not None
    reading, alternative = between.reading
    pit = opened(rules, "automated shoe", 1, readings={reading.name: alternative}).bet(1, ante=10)
    pit.lock()
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    choice = found(pit, "player:1", "Play another amount")
    assert choice.asks[0].name == "choice"
    is_granted(pit, "player:1", choice)


def test_choices_are_plain_json_in_the_shape_that_browsers_get() -> None:
    pit = opened(find("649a"), "automated shoe", 3).bet(3, ante=10)
    pit.lock()
    pit.play_until(lambda table: bool(table.round and table.round.asked))
    play = msgspec.json.decode(msgspec.json.encode(found(pit, "player:3", "Play")))
    assert play == {
        "do": "decide",
        "words": "Play $10",
        "cite": "649a.11(b)",
        "command": {"do": "decide", "seat": 3, "choice": "play"},
        "asks": [],
        "primary": True,
        "warns": "",
    }


def test_leaving_in_mid_round_says_what_is_lost() -> None:
    pit = opened(find("649a"), "automated shoe", 3).bet(3, ante=10)
    assert "Leave the table with $10,000" in words(pit, "player:3")
    pit.lock()
    assert "Leave the table with $9,990 and lose $10 in play" in words(pit, "player:3")
    assert dollars(10) == pit.state.balance("seat 3 layout")
