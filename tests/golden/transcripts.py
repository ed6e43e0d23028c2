"""Whole rounds, event by event, kept as files. `python -m tests.golden.transcripts` rewrites them. Read what changed.

One for each edition and dealing method, and one for each irregularity of each edition. A card in brackets is face down. The
log only commits to it, but the transcript shows it because it knows the shuffle.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from croupier.law.chapter import Rules
from croupier.law.procedure import Act, Dealing, Device, Irregularity, Moment
from croupier.money import show_money
from croupier.table import commands as say
from croupier.table.commands import Command
from croupier.table.engine import secrets_of
from croupier.table.events import Event, WagerLine
from tests.table.pit import FOLDS, METHODS, OF_THE_BOOK, STAYS, Pit, by_seat, name

FOLDER = Path(__file__).parent / "transcripts"
PLAYERS = by_seat(s1=FOLDS, s3=STAYS)
SEED = 58
MONEY = ("amount", "opener")
UNTOLD = ("do", "submission", "offer", "sealed", "linked")


class Telling(Pit):
    """A table that records what happens."""

    def __init__(self, rules: Rules, method: str, **changes: Any) -> None:
        self.lines: list[str] = []
        self.orders: dict[str, tuple[str, ...]] = {}
        super().__init__(rules, method, seed=SEED, **changes)

    def do(self, command: Command, by: str) -> Event:
        for sealed in secrets_of(command):
            self.orders[getattr(command, "deck", "")] = sealed.order
        before = self.state.round
        in_play = self.state.decks[before.deck].name if before else ""
        event = super().do(command, by)
        self.lines += tell(len(self.events), event, self.orders.get(in_play, ()))
        return event


def tell(number: int, event: Event, order: tuple[str, ...]) -> Iterator[str]:
    """Write one event: who did what under which clause, then cards, settlement lines, moves and meters."""
    yield f"{number:>4}  {event.by:<12} {event.event}{_details(event)}  [{', '.join(event.then.cites)}]"
    for commitment in event.then.decks:
        yield f"      commitment {commitment[:16]}"
    if event.then.cards:
        yield "      " + ", ".join(_card(shown, order) for shown in event.then.cards)
    yield from (f"      {_line(line)}" for line in event.then.lines)
    yield from (f"      {show_money(move.cents)}: {move.source} → {move.target}" for move in event.then.moves)
    for wager, move in event.then.meters.items():
        told = {key: show_money(cents) for key, cents in msgspec.structs.asdict(move).items() if cents}
        yield f"      meter of the {wager}: " + ", ".join(f"{key} {cents}" for key, cents in told.items())
    if event.then.papers:
        yield "      the hand stays until the papers are done"


def _details(event: Event) -> str:
    fields = {key: value for key, value in msgspec.to_builtins(event.command).items() if key not in UNTOLD}
    return "".join(f", {key.replace('_', ' ')} {_value(key, value)}" for key, value in fields.items())


def _value(key: str, value: Any) -> str:
    if key in MONEY:
        return show_money(value)
    if isinstance(value, dict):
        return "; ".join(f"{each} {show_money(cents)}" for each, cents in sorted(value.items())) or "none"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return "yes" if value is True else str(value)


def _card(shown: Any, order: tuple[str, ...]) -> str:
    card = shown.card or (f"[{order[shown.position]}]" if order else "[]")
    return f"{card} to the {shown.at}" + (f" of box {shown.seat}" if shown.seat else "")


def _line(line: WagerLine) -> str:
    on = f" on the {line.on}'s hand" if line.on else ""
    odds = f" at {line.odds}" if line.odds else ""
    source = f" from the {line.source}" if line.source else ""
    told = f"{line.wager}{on}, {line.hand or 'no hand'}: {line.outcome}{odds}, stake {show_money(line.stake)}"
    return f"{told}, pays {show_money(line.pays)}{source}, returns {show_money(line.returns)}  [{line.cite}]"


# the rounds


def by_method(rules: Rules, dealing: Dealing) -> str:
    """From the opening of the table to the cards in the rack. Seat 1 folds or withdraws, and seat 3 stays."""
    method = dealing.method.value
    pit = Telling(rules, method).seat(1, 3)
    assert isinstance(pit, Telling)
    pit.ready().bet_everything(1).bet_everything(3).lock()
    if pit.can_draw_bonus(by="device", magic_card="7d", lucky="3"):
        pit.draw_bonus(by="device", magic_card="7d", lucky="3")
    pit.finish(PLAYERS)
    return _text(f"{_title(rules)}, dealt by {method}", pit.lines)


def by_irregularity(rules: Rules, rule: Irregularity) -> str:
    """From the wagers to the end of the round. The irregularity comes as soon as it can; in the deal, after three cards."""
    method = _method(rules, rule)
    pit = Telling(rules, method, dealing={"counts_cards": False} if rule.moment is Moment.STUB else {}).seat(1, 3)
    assert isinstance(pit, Telling)
    pit.ready()
    pit.lines.clear()
    if rule.moment in (Moment.SHUFFLE, Moment.ANY):
        _raise(pit, rule)
        pit.ready()
    pit.bet_everything(1).bet_everything(3).lock()
    if rule.moment is Moment.STUB:
        pit.until(Act.SETTLE, PLAYERS)
        assert pit.state.round is not None
        left = pit.state.decks[pit.state.round.deck].left
        pit.count_stub(by="dealer", counted=left - 1, misdealt=rule is _stubs(rules, rule)[0])
    elif rule.moment not in (Moment.SHUFFLE, Moment.ANY):
        pit.play_until(lambda table: bool(table.round and table.round.dealt >= 3) and pit.can(_wish(pit, rule), "dealer"), PLAYERS)
        _raise(pit, rule)
    pit.finish(PLAYERS)
    return _text(f"{_title(rules)}, {rule.cite}: {rule.name}; dealt by {method}", pit.lines)


def _method(rules: Rules, rule: Irregularity) -> str:
    if rule.moment is Moment.STUB:
        return {8: "manual shoe", 9: "hand", 10: "automated shoe"}[rule.cite.section]
    return "automated shoe" if rule.device or rule.moment is Moment.ANY else "manual shoe"


def _stubs(rules: Rules, rule: Irregularity) -> list[Irregularity]:
    return [each for each in rules.of(Irregularity) if each.moment is Moment.STUB and each.cite == rule.cite]


def _wish(pit: Pit, rule: Irregularity) -> say.RaiseIrregularity:
    return say.RaiseIrregularity(
        irregularity=rule.name,
        cards=(1,) if rule.exposes else (),
        device=Device.SHOE.value if rule.moment is Moment.ANY else "",
        deck="red" if rule.moment is Moment.SHUFFLE else "",
    )


def _raise(pit: Pit, rule: Irregularity) -> None:
    pit.do(_wish(pit, rule), "dealer")
    if rule.moment is Moment.ANY:
        pit.use_method(by="floorperson", method="manual shoe", shuffler=True)


def _title(rules: Rules) -> str:
    return f"{rules.title}, chapter {rules.number}, edition {rules.edition}"


def _text(title: str, lines: list[str]) -> str:
    return "\n".join((title, "", *lines)) + "\n"


# the files


def slug(text: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in text.lower().replace("'", "")).split())


def wanted() -> dict[str, tuple[Rules, Any]]:
    """The name of every transcript, and its contents."""
    files: dict[str, tuple[Rules, Any]] = {
        f"{name(rules)}-{slug(dealing.method.value)}.txt": (rules, dealing)
        for rules, dealing in METHODS.values()
        if rules.chapter.law
    }
    for rules in OF_THE_BOOK.values():
        for rule in rules.of(Irregularity):
            stub = f"-{slug(_method(rules, rule))}" if rule.moment is Moment.STUB else ""
            files[f"{name(rules)}-irregularity-{slug(rule.name)}{stub}.txt"] = (rules, rule)
    return files


def written(rules: Rules, what: Dealing | Irregularity) -> str:
    return by_method(rules, what) if isinstance(what, Dealing) else by_irregularity(rules, what)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for file, (rules, what) in wanted().items():
        (FOLDER / file).write_text(written(rules, what))


if __name__ == "__main__":
    main()
