"""Write printed files, and print the comparison of two filings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec.structs import astuple
from rich.text import Text

from croupier.cli.draw import _rows, _table, bar, console
from croupier.filing.offer import Offer
from croupier.law.cite import Refusal
from croupier.money import Cents, NotAnAmount, dollars, percent, show
from croupier.odds.names import exact
from croupier.printed.documents.difference import Difference, PlayVolume
from croupier.printed.output.document import PrintedFiling
from croupier.printed.press import DOCUMENTS, Form, bind_guide, print_all, read_filing, write

FOLDER = Path("paperwork")


def filing(file: Path, raw: dict[str, Any]) -> PrintedFiling:
    """A submission to print; a refusal says which file it is."""
    try:
        return read_filing(raw, file.parent)
    except Refusal as refusal:
        raise refusal.at(str(file)) from None


def printed(what: str, filings: Sequence[PrintedFiling], form: str, out: Path | None, resolution: int) -> None:
    """Make everything, then write everything, then say what was written."""
    kinds = list(DOCUMENTS) if what == "all" else [what]
    made: dict[str, bytes] = {}
    if what == "guide" and len(filings) > 1:
        made = bind_guide(filings, cast(Form, form), resolution)
    else:
        with bar("documents", len(filings) * len(kinds)) as watch:
            for files in print_all(filings, kinds, cast(Form, form), resolution):
                made |= files
                watch(1)
    paths = _paths(list(made), what, out)
    write(dict(zip(paths, made.values(), strict=True)))
    for path in paths:
        print(path)


def _paths(names: list[str], what: str, out: Path | None) -> list[Path]:
    """Where each file goes: one file under the name given, or all into the folder given."""
    if out is None:
        return [(FOLDER if what == "all" else Path()) / name for name in names]
    if len(names) == 1 and what != "all" and not out.is_dir() and out.suffix:
        return [out]
    if out.suffix and not out.is_dir() and what != "all":  # the pages of one document
        return [out.with_name(f"{out.stem}-{n}{out.suffix}") for n in range(1, len(names) + 1)]
    return [out / name for name in names]


# Two filings


def averages(told: list[str]) -> dict[str, Cents]:
    """The average bets of “Wager=dollars”."""
    found = {}
    for text in told:
        name, sign, amount = text.rpartition("=")
        try:
            found[name.strip()] = dollars(amount.strip())
        except NotAnAmount:
            sign = ""
        if not sign or found[name.strip()] < 0:
            raise Refusal(f"“{text}” is not an average bet", "601a.2", "a wager and dollars: “NAME=15”")
    return found


def difference(offer: Offer, found: Difference, play: PlayVolume) -> None:
    console.print(Text(f"{offer.rules.title}, {offer.rules.number}", style="bold"))
    if not found.choices and not found.payouts:
        console.print("The two filings make the same choices.")
    _rows("Choices", ["What", "Before", "After", "Clause"], map(astuple, found.choices))
    _rows("Payouts", ["What", "Before", "After", "Clause"], map(astuple, found.payouts))
    title = f"House edge at the average bet, and win in a year of {play.hours:,} hours at {play.hands_per_hour:,} hands an hour"
    heads = ["Wager", "Edge before", "Edge after", "Change", "Average bet", "Win before", "Win after", "Change in win"]
    table = _table(title, *heads, right=heads[1:])
    for effect in found.effects:
        edges = [_edge(effect.before), _edge(effect.after), _edge((effect.after or Fraction(0)) - (effect.before or Fraction(0)))]
        wins = [effect.win_before, effect.win_after, effect.win_after - effect.win_before]
        table.add_row(effect.wager, *edges, show(effect.average), *map(_dollars, wins))
    before = sum((effect.win_before for effect in found.effects), Fraction(0))
    after = sum((effect.win_after for effect in found.effects), Fraction(0))
    table.add_section()
    table.add_row("All", "", "", "", "", *map(_dollars, [before, after, after - before]))
    console.print(table)
    if offer.progressives:
        console.print("The edge of a progressive is with its meter at the seed; its win is what remains after its contributions.")


def _edge(edge: Fraction | None) -> str:
    return "not offered" if edge is None else percent(edge)


def _dollars(cents: Fraction) -> str:
    return show(round(cents / 100) * 100)


def plain_difference(found: Difference) -> dict[str, Any]:
    effects = [
        {
            "wager": each.wager,
            "edge_before": exact(each.before) if each.before is not None else None,
            "edge_after": exact(each.after) if each.after is not None else None,
            "average_cents": each.average,
            "yearly_win_before_cents": exact(each.win_before),
            "yearly_win_after_cents": exact(each.win_after),
        }
        for each in found.effects
    ]
    return {**msgspec.to_builtins({"choices": found.choices, "payouts": found.payouts}), "effects": effects}
