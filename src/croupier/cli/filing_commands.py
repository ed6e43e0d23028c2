"""The commands for filings: write one, check it, print its paperwork, compare two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer
from rich.text import Text

from croupier.cli.display import QUIET, bar, console, print_rows, table_of
from croupier.cli.shared import (
    FILINGS,
    AsJson,
    Books,
    Game,
    InEdition,
    TomlFile,
    print_json,
    progress_shown,
    read_file,
    rules_of,
    stop,
)
from croupier.filing.check import check as check_submission
from croupier.filing.finding import Checked
from croupier.filing.offer import Offer
from croupier.filing.template import example_submission
from croupier.law.cite import Refusal
from croupier.money import Cents, NotAnAmount, dollars, percent, show_money
from croupier.odds.names import exact
from croupier.odds.return_warnings import cautions

if TYPE_CHECKING:
    from croupier.printed.documents.difference import Difference, PlayVolume
    from croupier.printed.output.document import PrintedFiling
    from croupier.printed.press import Format

STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}
FOLDER = Path("paperwork")

app = typer.Typer()


@app.command(rich_help_panel=FILINGS)
def new(game: Game, edition: InEdition = "") -> None:
    """Write a complete, commented, valid Rules Submission to start from."""
    print(example_submission(rules_of(game, edition)), end="")


@app.command(rich_help_panel=FILINGS)
def check(
    file: TomlFile,
    with_odds: Annotated[
        bool, typer.Option("--odds", help="Warn about wagers that return more than they take, or less than 75%.")
    ] = False,
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Check a Rules Submission. Exit 1 if it has errors."""
    checked = check_submission(read_file(file))
    if with_odds and checked.offer:
        with progress_shown():
            checked = replace(checked, findings=(*checked.findings, *cautions(checked.offer)))
    if as_json:
        valid = {"valid": checked.offer is not None, "hash": checked.offer.hash if checked.offer else None}
        print_json({**valid, "findings": msgspec.to_builtins(checked.findings)})
    else:
        _print_findings(checked)
    raise typer.Exit(1 if checked.offer is None else 0)


def _print_findings(checked: Checked) -> None:
    for finding in checked.findings:
        accepted = f"\n         Allowed: {finding.accepted}" if finding.accepted else ""
        severity = (f"{finding.severity.value:<8} ", STYLES[finding.severity.value])
        line = Text.assemble(severity, f"{finding.about}: {finding.found} ", (finding.cite, QUIET), accepted)
        console.print(line, soft_wrap=True)
    if checked.offer is None:
        console.print(f"Refused: {len(checked.errors)} error{'s' if len(checked.errors) > 1 else ''}.")
    else:
        console.print(f"Valid. Offer {checked.offer.hash}", soft_wrap=True)


@app.command("print", rich_help_panel=FILINGS)
def print_(
    what: Annotated[str, typer.Argument(help="layout, sign, guide, strategy, mathematics, submission, or all of them.")],
    files: Annotated[list[Path], typer.Argument(help="Rules Submissions (TOML). A guide to several games is one document.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The file, or the folder for several.")] = None,
    form: Annotated[str, typer.Option("--format", help="pdf, svg, html or png. By default from the file name, or pdf.")] = "",
    resolution: Annotated[int, typer.Option(min=20, max=600, help="Pixels per inch of a PNG.")] = 144,
    books: Books = None,
) -> None:
    """Print the layout, sign, guide, strategy card, mathematics report or form of a Rules Submission."""
    from croupier.printed.press import DOCUMENTS, FORMATS

    form = form or (out.suffix.removeprefix(".") if out and out.suffix.removeprefix(".") in FORMATS else "pdf")
    if what not in (*DOCUMENTS, "all"):
        stop(f"“{what}” is not a document; use {', '.join(DOCUMENTS)} or all.")
    if form not in FORMATS:
        stop(f"“{form}” is not a format; use {', '.join(FORMATS)}.")
    filings = [_filing(file) for file in files]
    try:
        with progress_shown():
            _print_files(what, filings, form, out, resolution)
    except OSError as problem:
        stop(f"{problem.filename or out} cannot be written: {problem.strerror}.")


def _filing(file: Path, use: str = "printed") -> PrintedFiling:
    """A submission to print or compare; a refusal says which file it is."""
    from croupier.printed.press import read_filing

    raw = read_file(file)
    try:
        return read_filing(raw, file.parent, use)
    except Refusal as refusal:
        raise refusal.at(str(file)) from None


def _print_files(what: str, filings: Sequence[PrintedFiling], form: Format, out: Path | None, resolution: int) -> None:
    """Make everything, then write everything, then say what was written."""
    from croupier.printed.press import DOCUMENTS, bind_guide, print_all, write_files

    kinds = list(DOCUMENTS) if what == "all" else [what]
    made: dict[str, bytes] = {}
    if what == "guide" and len(filings) > 1:
        made = bind_guide(filings, form, resolution)
    else:
        with bar("documents", len(filings) * len(kinds)) as watch:
            for files in print_all(filings, kinds, form, resolution):
                made |= files
                watch(1)
    paths = _paths(list(made), what, out)
    write_files(dict(zip(paths, made.values(), strict=True)))
    for path in paths:
        print(path)


def _paths(names: list[str], what: str, out: Path | None) -> list[Path]:
    """Where each file goes: one file under the name given, or all into the folder given."""
    if out is None:
        return [(FOLDER if what == "all" else Path()) / name for name in names]
    if what == "all" or out.is_dir() or not out.suffix:
        return [out / name for name in names]
    pages = [out.with_name(f"{out.stem}-{n}{out.suffix}") for n in range(1, len(names) + 1)]
    return pages if len(names) > 1 else [out]


@app.command(rich_help_panel=FILINGS)
def diff(
    before: Annotated[Path, typer.Argument(help="The Rules Submission to compare with.")],
    after: Annotated[Path, typer.Argument(help="Another Rules Submission for the same game.")],
    hands_per_hour: Annotated[int, typer.Option(min=0, max=100_000, help="Hands dealt per hour, all players together.")] = 240,
    hours: Annotated[int, typer.Option(min=0, max=10_000, help="Hours of play per year.")] = 4_000,
    average: Annotated[
        list[str] | None,
        typer.Option(help="A wager's average bet in dollars: “NAME=10”. By default its minimum."),
    ] = None,
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Compare two filings clause by clause, with the effect on each house edge and on the yearly win."""
    from croupier.printed.documents.difference import PlayVolume, difference

    play = PlayVolume(hands_per_hour, hours, _averages(average or []))
    one, other = (_filing(file, "compared") for file in (before, after))
    with progress_shown():
        found = difference(one.offer, other.offer, play)
    if as_json:
        return print_json(_plain_difference(found))
    return _print_difference(one.offer, found, play)


def _averages(texts: list[str]) -> dict[str, Cents]:
    """The average bets of “Wager=dollars”."""
    found = {}
    for text in texts:
        name, sign, amount = text.rpartition("=")
        try:
            found[name.strip()] = dollars(amount.strip())
        except NotAnAmount:
            sign = ""
        if not sign or found[name.strip()] < 0:
            raise Refusal(f"“{text}” is not an average bet", "601a.2", "a wager and dollars: “NAME=15”")
    return found


def _print_difference(offer: Offer, difference: Difference, play: PlayVolume) -> None:
    console.print(Text(f"{offer.rules.title}, {offer.rules.number}", style="bold"))
    if not difference.choices and not difference.payouts:
        console.print("The two filings make the same choices.")
    print_rows("Choices", ["What", "Before", "After", "Clause"], map(msgspec.structs.astuple, difference.choices))
    print_rows("Payouts", ["What", "Before", "After", "Clause"], map(msgspec.structs.astuple, difference.payouts))
    title = f"House edge at the average bet, and win in a year of {play.hours:,} hours at {play.hands_per_hour:,} hands an hour"
    heads = ["Wager", "Edge before", "Edge after", "Change", "Average bet", "Win before", "Win after", "Change in win"]
    rows = []
    for effect in difference.effects:
        edges = [_edge(effect.before), _edge(effect.after), _edge((effect.after or Fraction(0)) - (effect.before or Fraction(0)))]
        wins = [effect.win_before, effect.win_after, effect.win_after - effect.win_before]
        rows.append((effect.wager, *edges, show_money(effect.average), *map(_dollars, wins)))
    before = sum((effect.win_before for effect in difference.effects), Fraction(0))
    after = sum((effect.win_after for effect in difference.effects), Fraction(0))
    table = table_of(title, heads, rows, right=heads[1:])
    table.add_section()
    table.add_row("All", "", "", "", "", *map(_dollars, [before, after, after - before]))
    console.print(table)
    if offer.progressives:
        console.print("The edge of a progressive assumes the meter at its seed; its win excludes contributions to the meter.")


def _edge(edge: Fraction | None) -> str:
    return "not offered" if edge is None else percent(edge)


def _dollars(cents: Fraction) -> str:
    return show_money(round(cents / 100) * 100)


def _plain_difference(difference: Difference) -> dict[str, Any]:
    effects = [
        {
            "wager": each.wager,
            "edge_before": exact(each.before) if each.before is not None else None,
            "edge_after": exact(each.after) if each.after is not None else None,
            "average_cents": each.average,
            "yearly_win_before_cents": exact(each.win_before),
            "yearly_win_after_cents": exact(each.win_after),
        }
        for each in difference.effects
    ]
    return {**msgspec.to_builtins({"choices": difference.choices, "payouts": difference.payouts}), "effects": effects}
