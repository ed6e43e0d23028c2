"""The dealer's checklist: the chapter's words and clauses in order, and its current step is the one the table takes next."""

from __future__ import annotations

from croupier.law.chapter import Rules
from croupier.law.plain_data import script_lines
from croupier.law.procedure import Dealing, Principle, Stage, Step
from croupier.table.choices.checklist import Item, checklist, correction
from croupier.table.commands import name_in_words
from croupier.table.state import Phase, State
from tests.table.pit import STAYS, Pit, every_method, find, must_count, opened, some_methods

SECTIONS = {
    Phase.OPENING: {4, 5},
    Phase.BETTING: {4, 5, 7, 8, 9, 10},
    Phase.DEALING: {5, 8, 9, 10},
    Phase.COMPLETING: {8, 9, 10, 11},
}


def now(items: list[Item]) -> list[Item]:
    return [item for item in items if item.state == "now"]


def said_by_the_chapter(rules: Rules) -> set[tuple[str, str]]:
    """Words and clause of everything a checklist may say."""
    said = {(step.does, str(step.cite)) for step in rules.of(Step)} | {(rule.says, str(rule.cite)) for rule in rules.of(Principle)}
    said |= {("; ".join(script_lines(dealing.script)), str(dealing.cite)) for dealing in rules.of(Dealing)}
    for stage in rules.of(Stage):
        name = f": {stage.decision.name}" if stage.decision else ""
        said.add((stage.act.value + name, str(stage.cite)))
    return said


def sound(pit: Pit, said: set[tuple[str, str]]) -> list[Item]:
    items = checklist(pit.state, pit.now)
    order = [{"done": 0, "passed": 0, "now": 1, "later": 2}[item.state] for item in items]
    assert order == sorted(order)
    assert now(items)
    assert {(item.words, item.cite) for item in items} <= said
    assert not [item for item in items if item.state == "done" and (item.when or item.words.startswith("may "))]
    assert {int(item.cite.split(".")[1].split("(")[0]) for item in items} <= SECTIONS[pit.state.phase]
    return items


@some_methods
def test_the_current_step_is_what_is_done_next(rules: Rules, dealing: Dealing) -> None:
    pit = Pit(rules, dealing.method.value, dealing={"counts_cards": False}).seat(2)
    said, done = said_by_the_chapter(rules), set[str]()
    for _ in range(6):  # the stub is counted in the fifth round
        while (action := pit.staff.next(pit.state, pit.now)) or pit.state.round is not None:
            by, command = action or pit.next_action(STAYS)
            items = sound(pit, said)
            name = name_in_words(type(command).__name__)
            assert name in [item.command for item in now(items)], (command, now(items))
            assert by.partition(":")[0] in ("dealer", "floorperson", "player")
            done.add(name)
            pit.do(command, by)
        assert [item.command for item in sound(pit, said) if item.state == "now"] == ["place wager"] * len(now(sound(pit, said)))
        pit.bet_everything(2)
        assert [item.command for item in now(sound(pit, said))] == ["no more bets"]
        pit.lock()
    expected = {"receive decks", "inspect decks", "verify inspection", "spread decks", "view decks", "wash decks", "shuffle deck"}
    stub = set() if must_count(rules, dealing.method.value) else {"count stub"}
    assert expected | {"deal cards", "turn hand", "settle seat", "clear cards"} | stub <= done


@every_method
def test_the_stages_of_a_round_stand_in_the_order_of_the_chapter(rules: Rules, dealing: Dealing) -> None:
    pit = opened(rules, dealing.method.value, 1).bet_everything(1)
    pit.lock()
    pit.play_until(lambda table: table.phase is Phase.COMPLETING)
    listed = [(item.words.partition(":")[0], item.cite) for item in checklist(pit.state, pit.now)]
    stages = [(stage.act.value, str(stage.cite)) for stage in rules.of(Stage)]
    assert [each for each in listed if each in stages] == stages


def test_a_progressive_win_is_the_floorpersons_step() -> None:
    pit = opened(find("653a"), "automated shoe", 1)
    pit.bet(1, ante=10, blind=10, progressive=1).stack({1: "As Ks"}, dealer="3c 5d", community="Qs Js Ts 2d 7h").lock()
    while not pit.can_validate_progressive(by="floorperson", seat=1, wager="Progressive Payout Wager"):
        pit.step(STAYS)
    (item,) = now(checklist(pit.state, pit.now))
    assert (item.who, item.cite, item.command) == ("floorperson", "653a.11(j)(3)", "validate progressive")


def test_a_table_that_waits_for_its_first_player() -> None:
    pit = Pit(find("649a"))
    pit.ready()
    (item,) = now(checklist(pit.state, pit.now))
    assert (item.who, item.cite, item.command) == ("player", "649a.4(c)", "view decks")


def test_a_recut_in_the_deal_sends_the_dealer_back_to_the_cut() -> None:
    pit = opened(find("649a"), "manual shoe", 1).bet(1, ante=10)
    pit.lock()
    pit.order_recut(by="floorperson", deck=pit.state.decks[0].name, why="it was not seen")
    (item,) = now(checklist(pit.state, pit.now))
    assert (item.cite, item.command) == ("649a.5(d)", "cut deck")


def test_nothing_is_to_be_done_at_a_closed_table() -> None:
    pit = Pit(find("649a"))
    pit.close_table(by="floorperson")
    assert checklist(pit.state, pit.now) == checklist(State(), 0) == []


def test_a_trainee_is_told_what_was_wrong_and_what_is_right() -> None:
    pit = opened(find("649a"), "automated shoe", 1, 2).bet(1, ante=10).bet(2, ante=10)
    pit.lock()
    pit.play_until(lambda table: table.phase is Phase.COMPLETING)
    refusal = pit.verify_reveal_dealer(by="dealer")
    assert refusal is not None
    told = correction(pit.state, refusal, pit.now)
    assert told.wrong == "not now: the next step is “the dealer asks for a decision”"
    assert told.cite == "649a.11(b)"
    assert told.right is not None
    assert (told.right.cite, told.right.who, told.right.command) == ("649a.11(b)", "dealer", "decide")


def test_a_trainee_at_a_closed_table_has_nothing_to_do() -> None:
    pit = Pit(find("649a"))
    pit.close_table(by="floorperson")
    refusal = pit.verify_inspect_decks(by="dealer")
    assert refusal is not None
    assert correction(pit.state, refusal, pit.now).right is None
