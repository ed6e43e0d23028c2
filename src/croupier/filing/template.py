"""A complete, commented, valid Rules Submission to start from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from croupier.filing.offer import ADDED_ROWS, IDLE_SECONDS
from croupier.law.chapter import Rules
from croupier.law.paytable import Envy, Meter, Paytable
from croupier.law.procedure import AdjacentBoxes, Dealing, IdleSpread, Method, Reshuffler, Setting
from croupier.law.wager import GameVersion
from croupier.money import ROUNDINGS, dollars, show_money

OWN_RATE = "15%"  # an example, if the code leaves the rate of progression to the submission


def example_choices(rules: Rules) -> dict[str, Any]:
    """The example's choices: every optional wager, the first letter of each table, the code's own figures."""
    data: dict[str, Any] = {
        "game": rules.number,
        "edition": rules.edition.name,
        "facility": "Example Casino",
        "wagers": list(rules.optional),
        "adjacent_boxes": 2 if rules.of(AdjacentBoxes)[0].chosen_by_submission else 1,
        "minimum": 5,
        "maximum": 500,
        "rounding": "down to the cent",
    }
    if rules.limit:
        data["payout_limit"] = rules.limit.least // dollars(1)
    if any(envy.lettered for envy in rules.of(Envy)):
        data["envy"] = "A"
    data["dealing"] = {"method": "automated shoe", "shuffler": True, "counts_cards": True, "reshuffles": False, "decks": 2}
    if rules.of(Setting) or rules.decisions:
        data["decisions"] = {"seconds": 90}
    tables = (table for table in rules.paytables().values() if table.lettered and table.name not in rules.envy_schedules)
    data["paytables"] = {table.name: table.letters[0] for table in tables}
    if rules.meters:
        data["progressives"] = {name: _terms(meter) for name, meter in rules.meters.items()}
    if rules.draws:
        data["system"] = dict.fromkeys(rules.draws, 5)
    data["readings"] = {reading.name: reading.sound or reading.default for reading in rules.readings.values()}
    return data


def _terms(meter: Meter) -> dict[str, Any]:
    rate = meter.rate.get("A")
    return {
        "amount": 1,
        "rate": f"{rate * 100}%" if rate else OWN_RATE,
        "reserve": f"{meter.reserve * 100}%",
        "seed": meter.seed_for("A", dollars(1), again=False) // dollars(1),
        "reseed": meter.seed_for("A", dollars(1), again=True) // dollars(1),
    }


def example_submission(rules: Rules) -> str:
    """The example as TOML. Each choice has its clause and the alternatives."""
    return "\n".join(_lines(rules, example_choices(rules))) + "\n"


def _lines(rules: Rules, data: dict[str, Any]) -> Iterator[str]:
    edition, tables = rules.edition, rules.paytables()
    yield f"# Rules Submission (601a.2) for {rules.title}, {rules.chapter.citation}, {edition.name} ({edition.source}, {edition.status.value})"
    yield "# Check it with: croupier check FILE.toml"
    yield ""
    yield from (f"{key} = {toml_value(data[key])}" for key in ("game", "edition", "facility"))
    if forms := rules.of(GameVersion):
        yield ""
        own = (table for table in rules.of(Paytable) if table.form)
        letters = dict.fromkeys(f"The {table.name} letter then comes from {table.cite.clause}." for table in own)
        yield " ".join([f"# To offer another version of the game than {rules.number}.7(d).", *letters])
        yield from (f'# form = "{form.cite.clause}"    # {form.words}' for form in forms)
    yield ""
    yield f"# The optional wagers you offer ({rules.number}.7). If you drop one, drop its paytable and meter too."
    yield f"wagers = {toml_value(data['wagers'])}"
    yield ""
    boxes = rules.of(AdjacentBoxes)[0]
    allowed = f"1 to {rules.seats}" if boxes.chosen_by_submission else "always 1"
    yield f"adjacent_boxes = {data['adjacent_boxes']}    # {boxes.cite}: {allowed}"
    yield f"minimum = {data['minimum']}    # dollars, the table's minimum and maximum wager"
    yield f"maximum = {data['maximum']}"
    yield from _own_terms(rules, data)
    if rules.limit:
        yield f"payout_limit = {data['payout_limit']}    # {rules.limit.cite}: dollars per {rules.limit.unit({})}, at least {show_money(rules.limit.least)}; omit for no limit"
    yield f"rounding = {toml_value(data['rounding'])}    # for fractions of a cent: " + ", ".join(ROUNDINGS)
    if "envy" in data:
        envy = next(envy for envy in rules.of(Envy) if envy.lettered)
        yield f'envy = "A"    # {envy.cite}: {" or ".join(next(iter(envy.schedules.values())).letters)}'
    yield ""
    yield from _dealing(rules, data)
    yield "[paytables]"
    for name, letter in data["paytables"].items():
        yield f"{toml_value(name)} = {toml_value(letter)}    # {tables[name].cite}: {', '.join(tables[name].letters)}"
    if adding := {name: table.adds for name, table in tables.items() if table.adds}:
        yield ""
        yield f"# [{ADDED_ROWS}]    # adds a {next(iter(adding.values())).name.lower()} to these tables; odds to 1"
        for name, row in adding.items():
            yield f"# {toml_value(name)} = {row.at_least.amount}    # {rules.number}.{row.clause}: at least {row.at_least}"
    for name, terms in data.get("progressives", {}).items():
        meter = rules.meters[name]
        yield ""
        figures, per = "fixed" if meter.exact else "minimums", ", per dollar of the wager" if meter.per_dollar else ""
        which = "the figures" if meter.rate else "you choose the rate; seed and reseed"
        yield f"[progressives.{toml_value(name)}]    # {meter.cite}: {which} are {figures}{per}"
        yield from (f"{key} = {toml_value(value)}" for key, value in terms.items())
    if "system" in data:
        electronic = next(each.wager for each in rules.settlements if each.drawn)
        yield ""
        yield f"[system]    # {electronic.cite}: what the table game system draws for the {electronic.name}, in one round out of this many; 0 for never"
        yield from (f"{key} = {value}" for key, value in data["system"].items())
    yield ""
    yield "[readings]    # where the text is ambiguous; the first alternative is the default"
    for name, alternative in data["readings"].items():
        reading = rules.readings[name]
        yield f"{toml_value(name)} = {toml_value(alternative)}    # {reading.cite}: {' | '.join(reading.alternatives)}"


def _dealing(rules: Rules, data: dict[str, Any]) -> Iterator[str]:
    methods = " | ".join(dealing.method.value for dealing in rules.of(Dealing))
    notes = {
        "method": methods,
        "shuffler": f"an automated shuffling device; dealing from the hand requires one ({rules.number}.9(a)(1))",
        "counts_cards": f"the device counts the deck ({rules.number}.5(b)); otherwise the stub is counted every five rounds",
        "reshuffles": f"an approved device that reshuffles {'and counts ' * rules.of(Reshuffler)[0].counts}automatically ({rules.number}.5(g))",
        "decks": f"2 only with a shuffling device ({rules.number}.3(b))",
    }
    if Method.CONTINUOUS_SHOE.value in methods:
        notes["reshuffles"] += ", required for the continuous shoe"
    yield "[dealing]"
    yield from (f"{key} = {toml_value(value)}    # {notes[key]}" for key, value in data["dealing"].items())
    idle = rules.of(IdleSpread)[0]
    if idle.device:
        yield f"# stores_deck = true    # the device stores one shuffled deck securely, so it is not spread at an idle table ({idle.device[0]})"
    yield f"# idle_seconds = {IDLE_SECONDS}    # time without gaming activity before the cards are spread ({idle.cite}; no chapter sets it)"
    yield ""
    if "decisions" in data:
        yield "[decisions]"
        yield f"seconds = {data['decisions']['seconds']}    # the time limit for a decision (no chapter sets one), 0 for none"
        yield ""


def _own_terms(rules: Rules, data: dict[str, Any]) -> Iterator[str]:
    """Optional choices, as comments."""
    free = [wager for wager in rules.wagers.values() if not (wager.made_by_decision or wager.side or wager.amounts)]
    wager = max(reversed(free), key=lambda each: each.key not in rules.entitled)  # preferably one that requires another wager
    least = data["minimum"] if wager.key in rules.entitled else 1
    yield f"# wager_limits = {{ {toml_value(wager.name)} = {{ minimum = {least}, maximum = 100 }} }}    # for a wager with its own limits"
    if meter := next(iter(rules.meters.values()), None):
        clause = f"{meter.system}: " if meter.linked else ""
        yield f'# linked = {{ {toml_value(meter.wager.name)} = "house" }}    # {clause}names of meters shared with other tables'


def toml_value(value: Any) -> str:
    """A value as inline TOML. JSON strings, numbers, lists and booleans are also valid TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_value(key)} = {toml_value(each)}" for key, each in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)
