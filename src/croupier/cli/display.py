"""Output of the commands for people: Rich tables, with dimmed clause numbers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from croupier.cards import show as show_cards
from croupier.filing.pricing import Paid
from croupier.law import plain_data
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, FOURTH, PLAYER
from croupier.law.paytable import Paytable
from croupier.money import show_money

if TYPE_CHECKING:
    from croupier.table.case import Case
    from croupier.table.settlement import Settled

WIDE = 120  # columns that a settlement needs as a table; files and pipes get this width

is_terminal = sys.stdout is not None and sys.stdout.isatty()  # it may be closed
console = Console(highlight=False, width=None if is_terminal or "COLUMNS" in os.environ else WIDE)
Row = Sequence[RenderableType]
QUIET = "dim"
WIDEST = 1000  # columns; wider than any table


def table_of(title: str, columns: Sequence[str], rows: Iterable[Row], right: Sequence[str] = ()) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        justify = "right" if column in right else "left"
        style = QUIET if column == "Clause" else ""
        table.add_column(column, justify=justify, style=style, no_wrap=column in ("Clause", "Hand"), overflow="fold")  # type: ignore[arg-type]
    for row in rows:
        table.add_row(*row)
    return table


def print_rows(title: str, columns: Sequence[str], rows: Iterable[Row], right: Sequence[str] = ()) -> None:
    """Print a table, unless there are no rows."""
    table = table_of(title, columns, rows, right)
    if table.row_count:
        console.print(table)


def fits(columns: Sequence[str], rows: Iterable[Row]) -> bool:
    """Whether a table fits the terminal without breaking a cell."""
    wide = console.options.update(width=WIDEST)
    return Measurement.get(console, wide, table_of("", columns, rows)).maximum <= console.width


def say(line: str) -> None:
    """Print a line wrapped to the width of the terminal, with its continuation indented."""
    indent = line[: len(line) - len(line.lstrip())]
    text = fill(line.strip(), console.width - 1, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
    console.print(Text(text))


def _listed(title: str, columns: Sequence[str], rows: Iterable[dict[str, Any]], keys: str) -> None:
    """Print a table of plain data: the values of these keys."""
    print_rows(title, columns, ([row[key] for key in keys.split()] for row in rows))


@contextmanager
def bar(what: str, total: int | None = None, *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """A progress bar, on a terminal only. Yields a function that advances it by a number, or sets it to a number `of` a total."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, of=None: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda done, of=None: progress.update(task, completed=done, total=of) if of else progress.advance(task, done)


def games(all_rules: Sequence[Rules]) -> None:
    rows = []
    for rules in all_rules:
        editions = "\n".join(f"{edition} ({edition.status.value})" for edition in reversed(rules.chapter.editions))
        wagers = ", ".join(dict.fromkeys(wager.name.removesuffix(" Wager") for wager in rules.wagers.values()))
        lettered = (t for t in rules.of(Paytable) if t.lettered and t.name not in rules.envy_schedules)
        tables = ", ".join(f"{table.name.removesuffix(' Wager')} {_letters(table)}" for table in lettered)
        rows.append((rules.number, rules.title, editions, str(rules.seats), wagers, tables))
    print_rows("", ["Chapter", "Game", "Editions", "Seats", "Wagers", "Paytables"], rows, right=["Seats"])


def _letters(table: Paytable) -> str:
    form = f" ({table.cite.clause})" if table.form else ""
    return (table.letters[0] if len(table.letters) == 1 else f"{table.letters[0]}–{table.letters[-1]}") + form


def chapter(rules: Rules) -> None:
    """One chapter, in the order of its sections."""
    data = plain_data.chapter(rules)
    console.print(Text(f"{rules.title}, {rules.chapter.citation}", style="bold"))
    deck = data["decks"]
    console.print(f"Edition {data['edition']}, {data['source']}, {data['status']}; {data['seats']} seats; {deck['cards']} cards\n")
    _listed("Definitions", ["Term", "Meaning", "Clause"], data["definitions"], "term meaning cite")
    areas = ([_area(a), "each player" if a["each_player"] else "the table", a["cite"]] for a in data["layout"])
    print_rows("Layout", ["Area", "For", "Clause"], areas)
    _listed("Inscriptions", ["Advises of", "Words", "Clause"], data["inscriptions"], "advises words cite")
    _listed("Equipment", ["What", "How", "Clause"], data["equipment"], "name requires cite")
    _decks(deck)
    for ranking in data["rankings"]:
        cards = f"{ranking['name']} ({ranking['cards']} cards, highest first)"
        _listed(cards, ["Hand", "Clause"], ranking["hands"], "name cite")
    print_rows("Wagers", ["Wager", "Rule", "Clause"], ([_wager_name(w), _wager_rule(w), w["cite"]] for w in data["wagers"]))
    _listed("Versions of the game", ["Form", "Requires", "Clause"], data["forms"], "form words cite")
    boxes = data["adjacent_boxes"][0]
    how_many = "as many adjacent boxes as the submission names" if boxes["chosen_by_submission"] else "one position only"
    print_rows("Positions per player", ["How many", "Clause"], [[how_many, boxes["cite"]]])
    dealing = ([d["method"], "; then ".join(d["cards"]), d["cite"]] for d in data["dealing"])
    print_rows("Dealing", ["Method", "Cards in order", "Clause"], dealing)
    print_rows("Decisions", ["Decision", "The player knows", "Choices", "Clause"],
        ([d["name"], d["knows"], ", ".join(c["word"] for c in d["choices"]), d["cite"]] for d in data["decisions"]))  # fmt: skip
    print_rows("The round", ["Stage", "Clause"], ([_stage(s), s["cite"]] for s in data["stages"]))
    print_rows("Settlement", ["Wagers", "By these facts", "Clause"],
        ([", ".join(s["settles"]), "; ".join(s["asks"]), s["cite"]] for s in data["settlement"]))  # fmt: skip
    for table in data["paytables"]:
        _paytable(table)
    print_rows("Meters", ["Wager", "Figures", "Seed", "Reseed", "Rate", "Reserve", "Clause"], (_meter(m) for m in data["meters"]))
    if limit := data["payout_limit"]:
        never = "; never " + ", ".join(row for _, row in limit["never"]) if limit["never"] else ""
        row = [", ".join(limit["covers"]) + never, limit["per"], show_money(limit["least"]), limit["cite"]]
        print_rows("Payout limit", ["Covers", "Per", "At least", "Clause"], [row])
    what = ["What", "When", "Void, returned, settled", "Cards", "Clause"]
    print_rows("Irregularities", what, (_irregularity(each) for each in data["irregularities"]))
    asked = ["Reading", "Question", "Alternatives, default first", "Because", "Clause"]
    print_rows("Readings", asked, (_reading(each) for each in data["readings"]))
    _listed("Procedure", ["Who", "Does", "When", "Clause"], data["steps"], "who does when cite")
    print_rows("Principles", ["Rule", "Clauses"], ([p["says"], ", ".join(p["cites"])] for p in data["principles"]))
    _listed("Not modeled", ["Clause", "Why"], data["not_modelled"], "cite reason")


def _area(area: dict[str, Any]) -> str:
    name: str = area["name"] + (f", {area['note']}" if area["note"] else "")
    return name + (f" (where offered: {' or '.join(area['where'])})" if area["where"] else "")


def _decks(deck: dict[str, Any]) -> None:
    jokers = f", {deck['jokers']} of them a joker" if deck["jokers"] else ""
    changed = f"changed every {deck['hours_by_hand']} hours by hand, {deck['hours_by_shoe']} by shoe"
    words = f"{deck['cards']} cards{jokers}, {deck['cover_cards']} cover card(s); {changed}"
    print_rows("Decks", ["Cards", "Clause"], [[words, deck["cite"]]])


def _wager_name(wager: dict[str, Any]) -> str:
    name: str = wager["name"]
    return name + (f" on the {wager['side']}'s hand" if wager["side"] else "")


def _wager_rule(wager: dict[str, Any]) -> str:
    parts = [
        "required" if wager["required"] else "optional, if offered" if wager["optional"] else "",
        "made by decision" if wager["made_by_decision"] else "",
        wager["amount"],
        "needs " + " or ".join(wager["needs"]) if wager["needs"] else "",
        "collected before the deal" if wager["collected_before_the_deal"] else "",
        "electronic" if wager["electronic"] else "",
        "survives a fold" if wager["survives_fold"] else "",
    ]
    return "; ".join(filter(None, parts))


def _stage(stage: dict[str, Any]) -> str:
    detail = stage["decision"] or (f"{stage['cards']} card(s)" if stage["cards"] else "")
    return str(stage["act"]) + (f": {detail}" if detail else "")


def _paytable(table: dict[str, Any]) -> None:
    """A paytable, in blocks of as many columns as the terminal has room for."""
    letters = list(table["columns"])
    widest = max(len(odds) for column in table["columns"].values() for odds in column.values())
    room = max(1, (console.width - 2 - max(map(len, table["rows"]))) // (widest + 4))
    lost = {tuple(cell) for cell in table["reconstructed"]}
    title = f"{table['name']}  {table['cite']}" + (f"  (form {table['form']})" if table["form"] else "")
    for first in range(0, len(letters), room):
        block = letters[first : first + room]
        heads = block if table["lettered"] else ["Pays"]
        rows = [
            [row, *(table["columns"][letter].get(row, "—") + ("*" if (row, letter) in lost else "") for letter in block)]
            for row in table["rows"]
        ]
        drawn = table_of(title, ["Hand", *heads], rows, right=heads)
        drawn.caption_justify = "left"
        if any(letter in block for _, letter in lost):
            drawn.caption = "* missing from the text and reconstructed"
        if table["may_add"]:
            added = table["may_add"]
            least = f"at no less than {added['at_least']} ({added['clause']})"
            drawn.caption = f"The submission may add a {added['row'].lower()} {least}"
        console.print(drawn)


def _meter(meter: dict[str, Any]) -> list[str]:
    per = " for 1" if meter["per_dollar"] else ""
    seeds = ["/".join(dict.fromkeys(show_money(cents) for cents in meter[key].values())) + per for key in ("seed", "reseed")]
    rate = "/".join(dict.fromkeys(meter["rate"].values())) or "as filed"
    return [meter["wager"], meter["figures"], *seeds, rate, meter["reserve"], meter["cite"]]


def _irregularity(irregularity: dict[str, Any]) -> list[str]:
    cards = "; ".join(filter(None, [irregularity["cards"], irregularity["then"]]))
    return [irregularity["name"], irregularity["during"], _void(irregularity), cards, irregularity["cite"]]


def _reading(reading: dict[str, Any]) -> list[str]:
    alternatives = "\n".join(f"{name}: {words}" for name, words in reading["alternatives"].items())
    return [reading["name"], reading["question"], alternatives, reading["because"], reading["cite"]]


def _void(irregularity: dict[str, Any]) -> str:
    if not irregularity["void"]:
        return "nothing is void"
    returned = irregularity["returned"]
    words = f"all hands void; {returned if isinstance(returned, str) else ', '.join(returned)} returned"
    settled = ", ".join(irregularity["settled"])
    return words + (f"; {settled} settled under {irregularity['settled_under']}" if settled else "")


def settled(case: Case, result: Settled, headline: str = "") -> None:
    """Print a settled round, seat by seat."""
    rules = case.offer.rules
    edition = f"  {rules.number}, edition {rules.edition}"
    console.print(Text.assemble((rules.title, "bold"), edition, (f"  {headline}" if headline else "", QUIET)))
    first = next(iter(case.seats.values())).position
    for name, place, called in (("Dealer", DEALER, case.dealers_hand), ("Community", COMMUNITY, "")):
        if held := first.at(place):
            console.print(f"  {name}: {show_cards(held)}{' – ' if called else ''}{called}")
    for seat in result.seats:
        described = case.seats[seat.seat]
        position, player = described.position, described.player
        fourth = f" / {show_cards(position.at(FOURTH))}" if position.at(FOURTH) else ""
        decisions = f", {' '.join(described.answers)}" if described.answers else ""
        called = f" – {case.hand_of(seat.seat)}" if case.hand_of(seat.seat) else ""
        whose = f" ({player})" if player else ""
        title = f"Seat {seat.seat}{whose}: {show_cards(position.at(PLAYER))}{fourth}{decisions}{called}"
        net = f"Net {'+' if seat.net > 0 else ''}{show_money(seat.net)}"
        (_as_table if console.width >= WIDE else _as_sentences)(title, seat.lines, net)
    for name, meter in result.meters.items():
        console.print(f"  Meter of the {name}: {show_money(meter.before)} before, {show_money(meter.after)} after")
    console.print()


def _as_table(title: str, lines: Sequence[Paid], net: str) -> None:
    heads = ["Wager", "Hand", "Result", "Odds", "Stake", "Pays", "Returns", "From", "Clause"]
    rows = []
    for line in lines:
        amounts = [show_money(amount) if amount else "" for amount in (line.stake, line.pays, line.returns)]
        rows.append((_wager_of(line), line.hand, line.outcome.value, str(line.odds or ""), *amounts, line.source, str(line.cite)))
    table = table_of(title, heads, rows, right=["Stake", "Pays", "Returns"])
    table.caption, table.caption_justify, table.caption_style = net, "left", "bold"
    console.print(table)


def _as_sentences(title: str, lines: Sequence[Paid], net: str) -> None:
    console.print(Text(title, style="bold"))
    for line in lines:
        parts = [line.hand, line.outcome.value + (f" at {line.odds}" if line.odds else "")]
        parts += [f"pays {show_money(line.pays)} from the {line.source}"] if line.pays else []
        parts += [f"{show_money(line.returns)} is returned"] if line.returns else []
        stake = f" {show_money(line.stake)}" if line.stake else ""
        console.print(Text.assemble(f"  {_wager_of(line)}{stake}: {', '.join(parts)} ", (f"({line.cite})", QUIET)))
    console.print(Text(net, style="bold"))


def _wager_of(line: Paid) -> str:
    return f"{line.wager} on the {line.side}'s hand" if line.side else line.wager
