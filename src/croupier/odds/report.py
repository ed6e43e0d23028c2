"""Odds as plain data, cached by a hash of the code: after a change, figures are counted again."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any

import croupier
from croupier.law.chapter import Rules
from croupier.money import percent
from croupier.odds.names import EntryRole, exact

if TYPE_CHECKING:
    from croupier.filing.offer import Offer

Data = dict[str, Any]
Around = Callable[[], AbstractContextManager[None]]  # entered while counting, to show progress


LONG_RUNS = (1_000, 100_000)  # numbers of rounds whose distribution is shown
ROUNDS, SEED = 10_000_000, 7  # of the simulation printed next to the exact figures


def report(rules: Rules, offer: Offer | None = None, *, fresh: bool = False, counting: Around = nullcontext) -> Data:
    """The odds of an edition, or of an Offer's choices, as plain data; `counting` is entered only if the cache has nothing."""

    def work() -> Data:
        with counting():
            return _counted(rules, offer)

    return _cached("", rules, offer, work, fresh=fresh)


def cached_report(offer: Offer) -> Data | None:
    """The cached report of an Offer, or None. Counts nothing and loads no kernel."""
    return _read(_cache() / f"{_key('', offer.rules, offer)}.json")


def _counted(rules: Rules, offer: Offer | None) -> Data:
    from croupier.odds.analysis import Analysis, compare

    analysis = Analysis(rules, offer)
    entries = list(analysis.entries())
    return {
        "game": rules.number,
        "edition": rules.edition.name,
        "entries": [_plain(entry) for entry in entries],
        "published": [each.says for each in compare(rules, entries, offer)],
        "not_counted": {key: str(refused) for key, refused in analysis.not_counted.items()},
    }


def best_play(offer: Offer) -> Data:
    """The best play under an Offer in words, with its edge and the cost of each simplification, as plain data."""

    def work() -> Data:
        from croupier.odds.best_play import strategy

        found = strategy(offer)
        others = [{"name": each.name, "edge": exact(each.edge), "cost": exact(each.cost)} for each in found.simplified]
        return {"edge": exact(found.edge), "words": list(found.words), "simplified": others}

    return _cached("strategy", offer.rules, offer, work)


def simulated(offer: Offer) -> Data:
    """Simulated rounds of best play under an Offer, with the exact figures, as plain data."""

    def work() -> Data:
        from croupier.odds.simulation.rounds import simulate

        wagers = [
            {
                "wager": each.wager,
                "mean": exact(each.mean),
                "deviation": round(each.deviation, 6),
                "error": None if each.error is None else round(each.error, 8),
                "exact": None if each.exact is None else exact(each.exact),
                "agrees": each.agrees,
            }
            for each in simulate(offer, ROUNDS, SEED)
        ]
        return {"rounds": ROUNDS, "seed": SEED, "wagers": wagers}

    return _cached("simulation", offer.rules, offer, work)


def spreads(offer: Offer) -> Data:
    """For each wager of an Offer, the distribution of the results of many one-unit rounds, with the meter at its seed."""

    def work() -> Data:
        from croupier.odds.distribution import spread

        return {
            entry["wager"]: [dataclasses.asdict(spread(results(entry), rounds)) for rounds in LONG_RUNS]
            for entry in report(offer.rules, offer)["entries"]
            if entry["role"] == EntryRole.WAGER
        }

    return _cached("spreads", offer.rules, offer, work)


def results(entry: Data) -> list[tuple[Fraction, int]]:
    """The net results of a round in units of the wager with their weights, the meter at its seed and draws as filed."""
    start = Fraction(entry["meter"]["seed"], entry["stake"]) if entry["meter"] else Fraction(0)
    if "results" not in entry:
        return [(Fraction(each["net"]) + Fraction(each["share"]) * start, each["count"]) for each in entry["outcomes"]]
    found = [(Fraction(net) + Fraction(share) * start, Fraction(chance)) for net, share, chance in entry["results"]]
    whole = lcm(*(chance.denominator for _, chance in found))
    return [(net, int(chance * whole)) for net, chance in found]


def hit_rate(entry: Data, places: int = 4) -> str:
    """How often a wager wins, in percent, rounded once from the exact fraction.

    >>> won, lost = ({"net": net, "share": "0", "count": count} for net, count in (("1", 28957498), ("-1", 971042502)))
    >>> hit_rate({"outcomes": [won, lost], "meter": None})
    '2.8957%'
    """
    found = results(entry)
    return percent(Fraction(sum(weight for net, weight in found if net > 0), sum(weight for _, weight in found)), places)


def _cached(kind: str, rules: Rules, offer: Offer | None, work: Callable[[], Data], *, fresh: bool = False) -> Data:
    """The cached result, or the result of the work, which is then cached."""
    place = _cache() / f"{_key(kind, rules, offer)}.json"
    if not fresh and (found := _read(place)) is not None:
        return found
    data = work()
    _write_cache(place, json.dumps(data, ensure_ascii=False))
    return data


def _read(place: Path) -> Data | None:
    """The contents of a cache file, or None if it is missing or broken."""
    try:
        found: Data = json.loads(place.read_text())
    except (OSError, ValueError):
        return None
    return found


def _plain(entry: Any) -> Data:
    meter = entry.meter
    break_even = meter.break_even if meter else None
    return {
        "wager": entry.wager,
        **({"on": entry.side} if entry.side else {}),
        "role": entry.role,
        **({"stake": entry.stake} if entry.stake else {}),
        "paytables": entry.paytables,
        "readings": entry.readings,
        "edge": exact(entry.edge),
        "edge_percent": _percent(entry.edge),
        "drawn": exact(entry.drawn),
        "risk_percent": _percent(entry.risk),
        "wagered": exact(entry.wagered),
        "standard_deviation": round(entry.deviation, 6),
        "hit_frequency": _percent(entry.hits),
        "combinations": entry.combinations,
        "outcomes": [
            {"hand": each.hand, "count": each.count, "odds": each.odds, "net": exact(each.net), "share": exact(each.share)}
            for each in entry.outcomes
        ],
        **({"results": [[exact(each) for each in result] for result in entry.results]} if entry.results else {}),
        "meter": {
            "base": exact(meter.base),
            "per_dollar": exact(meter.per_dollar),
            "break_even": round(float(break_even), 2) if break_even is not None else None,
            "seed": meter.seed,
        }
        if meter
        else None,
    }


def _percent(value: Fraction) -> float:
    return round(float(value * 100), 6)


def _key(kind: str, rules: Rules, offer: Offer | None) -> str:
    """The cache key: a hash of the code, the chapter, the edition and the choices."""
    chapter = f"{rules.chapter.digest} {rules.number} {rules.edition}"
    return hashlib.sha256(f"{code_hash()} {chapter} {offer.hash if offer else ''} {kind}".encode()).hexdigest()


def code_hash() -> str:
    """The hash of all the code that a figure depends on."""
    digest = hashlib.sha256()
    root = Path(croupier.__file__).parent
    for folder in ("", "law", "book", "filing", "odds"):
        for path in sorted((root / folder).rglob("*.py") if folder else root.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _cache() -> Path:
    base = os.environ.get("CROUPIER_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier"
    return Path(base)


def is_compiled() -> bool:
    """Has this installation compiled its kernels before?"""
    beside = Path(__file__).parent / "kernels" / "__pycache__"
    folders = [beside, Path(os.environ.get("NUMBA_CACHE_DIR", "/nonexistent"))]
    return any(next(folder.rglob("hand_counts.*.nbi"), None) for folder in folders if folder.exists())


def _write_cache(place: Path, text: str) -> None:
    """Write the file atomically. A cache that cannot be written is ignored."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=place.parent, delete=False, encoding="utf-8") as file:
            file.write(text)
        os.replace(file.name, place)
    except OSError:
        pass
