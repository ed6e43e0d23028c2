"""The tables of a shift: every edition and every way of dealing, under submissions that the seed varies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from croupier import book
from croupier.filing.submission import read_submission
from croupier.filing.template import example_choices, toml_value
from croupier.law.chapter import Rules
from croupier.law.procedure import AdjacentBoxes, Dealing, IdleSpread, Method
from croupier.law.wager import GameVersion
from croupier.money import ROUNDINGS, Cents, dollars

SECONDS = (0, 0, 8, 20)  # of the time limit for a decision; a step of the night takes up to nine
IDLE_SECONDS = (60, 60, 120, 300)  # without gaming activity, before the cards are spread
TRIES = 40  # with varied choices, until the checker accepts a submission


@dataclass(frozen=True)
class TableFiling:
    """One table: under which submission it opens, and with how many chips."""

    table: str
    kind: str  # edition and way of dealing
    submission: str
    opener: Cents


def kinds(games: Sequence[str] = ()) -> list[tuple[Rules, Dealing]]:
    """Every edition of these games, or of every chapter, with every way of dealing it has."""
    chapters = map(book.find, games) if games else book.chapters()
    editions = [chapter.edition(edition.name) for chapter in chapters for edition in chapter.editions]
    return [(rules, dealing) for rules in editions for dealing in rules.of(Dealing)]


def filings(seed: str, tables: range, games: Sequence[str] = ()) -> list[TableFiling]:
    """The tables of a pit, by their numbers on the floor. Tables of one edition may feed the same meters."""
    every, made = kinds(games), list[TableFiling]()
    terms: dict[tuple[str, str], tuple[dict[str, Any], dict[str, str]]] = {}
    for number in tables:
        rules, dealing = every[number % len(every)]
        random = Random(f"{seed}/filing/{number}")
        name, edition = f"T{number + 1}", (rules.number, rules.edition.name)
        data = _valid(rules, dealing, random)
        if random.random() < 0.7 and data.get("progressives"):
            shared = {wager: f"{rules.number} {rules.edition.name} {wager}" for wager in data["progressives"]}
            data["linked"] = _link(data, *terms.setdefault(edition, (data, shared)))
        kind = f"{rules.number} {rules.edition.name}, {dealing.method.value}"
        opener = random.choice([0, dollars(500), dollars(6_000), dollars(20_000), dollars(100_000)])  # often too few chips
        data["decisions"] = {"seconds": random.choice(SECONDS)}
        data["dealing"] |= _idle(rules, data["dealing"], random)
        made.append(TableFiling(name, kind, toml(data), opener))
    return made


def _link(data: dict[str, Any], other: dict[str, Any], linked: dict[str, str]) -> dict[str, str]:
    """File the progressives on the terms of the table whose meters are shared."""
    common = {name: meter for name, meter in linked.items() if name in data["progressives"]}
    agreed = data | {
        "progressives": data["progressives"] | {name: other["progressives"][name] for name in common},
        "paytables": data["paytables"] | {name: other["paytables"][name] for name in common if name in other["paytables"]},
    }
    if read_submission(toml(agreed)).offer is None:
        return {}
    data.update(agreed)
    return common


def _valid(rules: Rules, dealing: Dealing, random: Random) -> dict[str, Any]:
    for _ in range(TRIES):
        data = _varied(rules, dealing, random)
        if read_submission(toml(data)).offer:
            return data
    raise AssertionError(f"no submission for {rules.number}, {dealing.method.value}")


def _varied(rules: Rules, dealing: Dealing, random: Random) -> dict[str, Any]:
    data = example_choices(rules)
    data["wagers"] = [name for name in data["wagers"] if random.random() < 0.8]
    data["rounding"] = random.choice(list(ROUNDINGS))
    data["minimum"] = random.choice([1, 5, 25])
    data["maximum"] = data["minimum"] * random.choice([4, 100, 1_000])  # the last so high that payout limits are reached
    data["dealing"] = _devices(dealing, random)
    if (forms := rules.of(GameVersion)) and random.random() < 0.4:
        data["form"] = random.choice(forms).cite.clause
    letters = {table.name: table.letters for table in rules.paytables(data.get("form", "")).values() if table.lettered}
    data["paytables"] = {name: random.choice(letters[name]) for name in data["paytables"] if name in letters} | {
        name: random.choice(options) for name, options in letters.items() if name not in rules.envy_schedules
    }
    if "envy" in data:
        data["envy"] = random.choice(["A", "B"])
    if rules.of(AdjacentBoxes)[0].chosen_by_submission:
        data["adjacent_boxes"] = random.randint(1, rules.seats)
    if "payout_limit" in data and random.random() < 0.5:
        del data["payout_limit"]
    if "system" in data:
        data["system"] = {key: random.choice([0, 1, 5]) for key in rules.draws}
    data["readings"] = {name: random.choice(list(reading.alternatives)) for name, reading in rules.readings.items()}
    _progressives(data, random)
    return data


def _devices(dealing: Dealing, random: Random) -> dict[str, Any]:
    shuffler = dealing.needs_shuffler or random.random() < 0.6
    reshuffles = dealing.method is Method.CONTINUOUS_SHOE or (shuffler and random.random() < 0.2)
    return {
        "method": dealing.method.value,
        "shuffler": shuffler,
        "counts_cards": (shuffler or reshuffles) and random.random() < (1 if reshuffles else 0.5),
        "reshuffles": reshuffles,
        "decks": 2 if shuffler and random.random() < 0.5 else 1,
    }


def _idle(rules: Rules, devices: dict[str, Any], random: Random) -> dict[str, Any]:
    """How long until the cards are spread, and whether the device may keep a deck until then."""
    stores = bool(rules.of(IdleSpread)[0].device) and devices["shuffler"] and devices["decks"] == 2
    return {"idle_seconds": random.choice(IDLE_SECONDS), "stores_deck": stores and random.random() < 0.7}


def _progressives(data: dict[str, Any], random: Random) -> None:
    """The example's terms, sometimes for the $5 wager. If the checker refuses them, others are tried."""
    for name, terms in list(data.get("progressives", {}).items()):
        if name not in data["wagers"]:
            del data["progressives"][name]
        elif random.random() < 0.3:
            data["progressives"][name] = terms | {"amount": 5, "seed": 5 * terms["seed"], "reseed": 5 * terms["reseed"]}


def toml(data: dict[str, Any]) -> str:
    """A submission as text, with its tables inline."""
    return "".join(f"{key} = {toml_value(value)}\n" for key, value in data.items())
