"""Prints verification reports and replayed rounds, as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import msgspec
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from croupier.cli.display import QUIET, console
from croupier.floor.surveillance.replay import MeterStep, ReplayCard, ReplayStep, Story
from croupier.floor.verification.verify import Report
from croupier.law.fact import COMMUNITY, DEALER, FOURTH
from croupier.law.procedure import RACK
from croupier.money import show_money
from croupier.wire import WagerLine

BACK = "▒▒"
INDENT = 11  # details are indented past the time
WIDEST = 100  # columns of a replayed round
PLACES = {DEALER.value: "dealer", COMMUNITY.value: "community", RACK: "burned"}


# verification


def plain_report(report: Report) -> dict[str, Any]:
    return {
        "verdict": report.verdict,
        "sound": report.sound,
        "damage": [{"stream": each.stream, "version": each.version, "what": each.what} for each in report.damage],
        "unchecked": list(report.unchecked),
        "heads": {stream: {"version": version, "hash": digest} for stream, (version, digest) in report.heads.items()},
        "entries": report.events,
        "rounds": report.rounds,
        "decided": report.decided,
        "cards_opened": report.cards_opened,
        "cents_moved": report.cents_moved,
        "checkpoints": report.checkpoints,
        "signed": report.signed,
        "unsigned": dict(report.unsigned),
        "keys": list(report.keys),
        "sealed": report.sealed,
        "house_key": report.house_key,
    }


def report(found: Report, name: str) -> None:
    if found.sound:
        says = f"{name} is intact from its first entry to its last, and every entry is signed."
        console.print(Text.assemble(("Sound. ", "bold green"), says))
    elif found.holds:
        count = found.events - found.signed
        says = f"{name} is intact, but {count:,} of its {found.events:,} entries are not signed:"
        console.print(Text.assemble(("Unsigned. ", "bold yellow"), says))
        for stream, version in found.unsigned.items():
            console.print(Text(f"  {stream} from version {version:,} on", style="yellow"), soft_wrap=True)
        console.print("A running server signs every minute. Without a signature, changed or missing entries may go unnoticed.")
    else:
        console.print(Text.assemble(("Damaged. ", "bold red"), f"The first damage in each stream of {name}:"))
    for damage in found.damage:
        console.print(Text(f"  {damage}", style="red"), soft_wrap=True)
    if not found.heads:  # the file is damaged or empty
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(style=QUIET)
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    for row in _figures(found):
        table.add_row(*row)
    console.print(table)
    for each in found.unchecked:
        console.print(Text.assemble(("Not checked: ", "yellow"), f"{each}."), soft_wrap=True)


def _figures(found: Report) -> Iterator[tuple[str, str, str]]:
    tables = sum(stream.startswith("table/") for stream in found.heads)
    meters = sum(stream.startswith("meter/") for stream in found.heads)
    others = len(found.heads) - tables - meters
    registers = f", registers: {others:,}" if others else ""
    yield "streams", f"{len(found.heads):,}", f"tables: {tables:,}, meters: {meters:,}{registers}"
    yield "entries", f"{found.events:,}", f"{found.signed:,} covered by a signed checkpoint"
    yield "rounds", f"{found.rounds:,}", f"{found.decided:,} commands decided again, with the same result" if found.decided else ""
    yield "cards", f"{found.cards_opened:,}", "opened, all matching their commitments"
    if found.sealed:
        yield "sealed", f"{found.sealed:,}", f"deck{'s' * (found.sealed > 1)} not dealt yet; only the house key opens them"
    yield "moved", show_money(found.cents_moved), "between accounts, in double entry"
    yield "checkpoints", f"{found.checkpoints:,}", f"signed with the key {', then '.join(found.keys)}" if found.keys else ""


# a round


def plain_story(story: Story) -> dict[str, Any]:
    return {
        "game": story.rules.number,
        "edition": story.rules.edition.name,
        "table": story.table,
        "round": story.number,
        "steps": [_plain_step(step) for step in story.steps],
        "net": {str(seat): cents for seat, cents in story.net.items()},
    }


def _plain_step(step: ReplayStep) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(step)
    plain["cards"] = [
        {"to": card.at, "seat": card.seat, "position": card.position, "card": card.card or None, "face_up": card.face_up}
        for card in step.cards
    ]
    plain["meters"] = {each.wager: {**msgspec.to_builtins(each.move), "shows": each.shows} for each in step.meters}
    return plain


def story(found: Story) -> None:
    rules, first = found.rules, found.steps[0]
    day = datetime.fromtimestamp(first.at / 1000, UTC).strftime("%Y-%m-%d")
    console.print(Text(f"{rules.title}, {rules.chapter.citation}, edition {rules.edition}", style="bold"))
    versions = f"versions {first.version:,} to {found.steps[-1].version:,} of its log"
    console.print(f"Table {found.table}, round {found.number}, {day} (times are UTC); {versions}\n")
    for step in found.steps:
        _step(step)
    console.print()
    for seat, cents in found.net.items():
        console.print(f"Seat {seat}, {found.players[seat]}: {'+' if cents > 0 else ''}{show_money(cents)}")


def _step(step: ReplayStep) -> None:
    width = min(console.width, WIDEST)
    row = Table.grid(padding=(0, 1), expand=True)
    row.add_column(style=QUIET, no_wrap=True)
    row.add_column(ratio=1, overflow="fold")
    row.add_column(style=QUIET, justify="right", overflow="fold", max_width=24)
    time = datetime.fromtimestamp(step.at / 1000, UTC).strftime("%H:%M:%S")
    row.add_row(time, Text(step.says, style="bold" if step.lines else ""), " ".join(step.cites))
    console.print(row, width=width)
    for detail in _details(step):
        console.print(Padding(detail, (0, 0, 0, INDENT)), width=width)


def _details(step: ReplayStep) -> Iterator[Text]:
    for commitment in step.commitments:
        yield Text(commitment, style=QUIET)
    if step.cards:
        yield _cards(step.cards)
    for line in step.lines:
        yield _line(line)
    for meter in step.meters:
        yield _meter(meter)


def _cards(cards: Sequence[ReplayCard]) -> Text:
    """The cards in the order in which they moved, grouped by place."""
    parts = []
    for place, group in groupby(cards, key=_place):
        part = Text(f"{place} ")
        for number, card in enumerate(group):
            part.append(" " if number else "")
            part.append(card.card or BACK, style=_face(card))
        parts.append(part)
    return Text("; ").join(parts)


def _place(card: ReplayCard) -> str:
    at = card.lay or card.at
    return PLACES.get(at, f"box {card.seat}" + (", fourth card" if at == FOURTH.value else ""))


def _face(card: ReplayCard) -> str:
    if not card.card:
        return QUIET
    return ("red" if card.card[-1] in "hd" else "") + ("" if card.face_up else " italic")


def _line(line: WagerLine) -> Text:
    stake = f" {show_money(line.stake)}" if line.stake else ""
    side = f" on the {line.on}'s hand" if line.on else ""
    parts = [line.hand] if line.hand else []
    parts += [line.outcome + (f" at {line.odds}" if line.odds and line.odds.lower() != line.outcome else "")]
    parts += [f"pays {show_money(line.pays)} from the {line.source}"] if line.pays else []
    parts += [f"{show_money(line.returns)} returned"] if line.returns else []
    return Text.assemble(f"{line.wager}{side}{stake}: {', '.join(parts)} ", (line.cite, QUIET))


def _meter(step: MeterStep) -> Text:
    move, parts = step.move, []
    parts += [_added(move.contributed)] if move.contributed else []
    parts += [f"{_added(move.reserved)} {'to' if move.reserved > 0 else 'from'} its reserve"] if move.reserved else []
    parts += [f"{show_money(move.drawn)} drawn"] if move.drawn else []
    parts += [f"{show_money(move.reseeded)} {'from the cage' if move.wagered else 'to restart'}"] if move.reseeded else []
    parts += [f"{show_money(move.released)} from its reserve to restart"] if move.released else []
    parts += [f"shows {show_money(step.shows)}"] if step.shows is not None else []
    return Text(f"meter of the {step.wager}: {', '.join(parts) or 'nothing yet'}")


def _added(cents: int) -> str:
    return f"{show_money(cents)} added" if cents > 0 else f"{show_money(-cents)} taken back"
