"""Output of the odds commands for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import groupby
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.text import Text

from croupier.cli.draw import _rows, _table, bar, console
from croupier.law.chapter import Rules
from croupier.money import percent
from croupier.odds.names import UNANSWERED, exact
from croupier.odds.prices import stake_of

if TYPE_CHECKING:
    from croupier.filing.offer import Offer
    from croupier.odds.advice import Advice
    from croupier.odds.simulation.rounds import Simulated
    from croupier.odds.strategy.best_play import Strategy


def report(rules: Rules, data: dict[str, Any]) -> None:
    console.print(Text(f"{rules.title}, {rules.chapter.citation}, edition {data['edition']}", style="bold"))
    beside = {"draw": " each time it is drawn", "envy": ""}
    _summary("", [each for each in data["entries"] if each["role"] not in (*beside, UNANSWERED)])
    silent = [each for each in data["entries"] if each["role"] == UNANSWERED]
    _summary("Price for a player who never answers, where it differs", silent)
    draws, envies = ([each for each in data["entries"] if each["role"] == role] for role in beside)
    _summary("What a draw adds to the wager, each time it is drawn", draws, adds=True)
    _summary("What the envy bonus adds to the wager", envies, adds=True)
    if data["published"]:
        console.print(Text("Published figures", style="bold"))
        for line in data["published"]:
            _say(f"  {line}")
        console.print()
    for entry in data["entries"]:
        _entry(entry, adds=beside.get(entry["role"]))


def _summary(title: str, entries: list[dict[str, Any]], *, adds: bool = False) -> None:
    """The figures of some entries: a wager once, and below it its paytables and readings."""
    heads = ["Adds" if adds else "House edge", *([] if adds else ["Element of risk"]), "Std. dev.", "Hit rate"]
    table = _table(title, "Wager", *heads, right=heads)
    for name, group in groupby(entries, key=_name):
        rows = [(_choices(each), _figures(each, adds)) for each in group]
        if rows[0][0]:
            table.add_row(name)
        else:
            table.add_row(name, *rows.pop(0)[1])
        for label, figures in rows:
            table.add_row(Padding(label, (0, 0, 0, 2)), *figures)
    if table.row_count:
        console.print(table)


def _figures(entry: dict[str, Any], adds: bool) -> list[str]:
    edge = Fraction(entry["edge"])
    means = [percent(-edge)] if adds else [percent(edge), percent(edge / (Fraction(entry["wagered"]) or 1))]
    return [*means, f"{float(entry['standard_deviation']):.3f}", f"{entry['hit_frequency']:.2f}%"]


def _name(entry: dict[str, Any]) -> str:
    wager: str = entry["wager"]
    return wager + (f" ({entry['on']}'s hand)" if entry.get("on") else "")


def _choices(entry: dict[str, Any]) -> str:
    return ", ".join(filter(None, [_letters(entry), _readings(entry), stake_of(entry)]))


def _letters(entry: dict[str, Any]) -> str:
    own = {name: letter for name, letter in entry["paytables"].items() if name != entry["wager"]}
    letter: str = entry["paytables"].get(entry["wager"], "")
    return letter + ", ".join(f"{name} {letter}" for name, letter in own.items())


def _readings(entry: dict[str, Any]) -> str:
    return "; ".join(f"{name}: {alternative}" for name, alternative in entry["readings"].items())


def _entry(entry: dict[str, Any], *, adds: str | None) -> None:
    """One wager, or what is added to one: the exact fraction, and each hand with its count and odds."""
    title = ", ".join(filter(None, [_name(entry), _choices(entry)]))
    exact = f"house edge {entry['edge']}" if adds is None else f"adds {entry['edge'].removeprefix('-')}{adds}"
    console.print(Text(f"{title}: {exact}", style="bold"))
    _outcomes([(each["hand"], f"{each['count']:,}", each["odds"]) for each in entry["outcomes"]])
    if meter := entry["meter"]:
        even = (
            f"; breaks even at ${meter['break_even']:,.2f}" if meter["break_even"] else "; returns more than it takes at any meter"
        )
        _say(f"  Returns {meter['base']} of the wager and {meter['per_dollar']} for each dollar on the meter{even}")
        console.print()
    if Fraction(entry["drawn"]):
        _say(f"  The draws of the system, not in the outcomes above, return {entry['drawn']} of the wager")
        console.print()


def _outcomes(rows: list[tuple[str, str, str]]) -> None:
    """Outcomes with their deals and odds, set as a table is: of hundreds of rows, which Rich would take long to measure."""
    heads = ("Outcome", "Deals", "Pays")
    hands, deals, pays = (max(map(len, column)) for column in zip(heads, *rows, strict=True))
    hands = max(len(heads[0]), min(hands, console.width - deals - pays - 8))
    lines = [f" {heads[0]:<{hands}}   {heads[1]:>{deals}}   {heads[2]}", f" {'─' * (hands + deals + pays + 6)}"]
    for hand, count, odds in rows:
        first, *more = wrap(hand, hands, break_on_hyphens=False)
        lines += [f" {first:<{hands}}   {count:>{deals}}   {odds}", *(f" {each}" for each in more)]
    console.print(Text.assemble("\n", (lines[0], "bold"), *(f"\n{line}" for line in lines[1:]), "\n"), soft_wrap=True)


def _say(line: str) -> None:
    """A line as wide as the terminal, what follows it indented below."""
    indent = line[: len(line) - len(line.lstrip())]
    text = fill(line.strip(), console.width - 1, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
    console.print(Text(text))


@contextmanager
def progress() -> Iterator[None]:
    """Say how long a long count takes, and show its progress."""
    from croupier.odds.progress import ANNOUNCED, COUNTING

    def say(what: str) -> None:
        print(f"{what[0].upper()}{what[1:]}.", file=sys.stderr)

    with bar("counting") as watch:
        COUNTING.append(watch)
        ANNOUNCED.append(say)
        try:
            yield
        finally:
            COUNTING.remove(watch)
            ANNOUNCED.remove(say)


def simulated(offer: Offer, rounds: int, seed: int, *, strategy: str, seats: int, cluster: str, quiet: bool) -> list[Simulated]:
    """Run a simulation with a progress bar."""
    from croupier.odds.simulation.rounds import simulate

    with bar("rounds", rounds, quiet=quiet) as watch:
        return simulate(offer, rounds, seed, strategy=strategy, seats=seats, cluster=cluster, watch=watch)


def plain(each: Simulated) -> dict[str, Any]:
    return {
        "wager": each.wager,
        "rounds": each.rounds,
        "mean": exact(each.mean),
        "standard_deviation": f"{each.deviation:.6f}",
        "interval_99": None if each.error is None else f"{each.error:.8f}",
        "exact": None if each.exact is None else exact(each.exact),
        "agrees": each.agrees,
    }


def simulation(rules: Rules, found: list[Simulated], seed: int, strategy: str) -> None:
    rows = []
    for each in found:
        interval = "too few rounds" if each.error is None else f"± {each.error * 100:.4f}%"
        counted = "not counted" if each.exact is None else percent(-each.exact)
        agrees = {True: "agrees", False: "differs", None: ""}[each.agrees]
        rows.append([each.wager, f"{each.rounds:,}", percent(-each.mean), interval, counted, agrees])
    heads = ["Wager", "Rounds", "Simulated edge", "99% interval", "Exact edge", ""]
    _rows(f"{rules.title}, {rules.number}, seed {seed}", heads, rows)
    if strategy != "best":
        _say("The players made the first choice that needs no particular hand at every decision, whatever their cards.")


def strategy(rules: Rules, found: Strategy) -> None:
    console.print(Text(f"{rules.title}, {rules.number}: best play, house edge {percent(found.edge)}", style="bold"))
    for line in found.words:
        _say(f"  {line}")
    console.print()
    rows = [[each.name, percent(each.edge), percent(each.cost)] for each in found.simplified]
    _rows("Other ways to play", ["Strategy", "House edge", "Cost"], rows)


def plain_strategy(rules: Rules, found: Strategy) -> dict[str, Any]:
    others = [{"name": each.name, "edge": exact(each.edge), "cost": exact(each.cost)} for each in found.simplified]
    game = {"game": rules.number, "edition": rules.edition.name}
    return {**game, "edge": exact(found.edge), "words": list(found.words), "simplified": others}


def advice(found: list[Advice], taken: str) -> None:
    rows = [[each.choice, f"{float(each.value):+.6f}", exact(each.value)] for each in found]
    _rows("", ["Choice", "Value in units", "Exact"], rows)
    if taken:
        _say(f"For the whole round, {taken}.")
