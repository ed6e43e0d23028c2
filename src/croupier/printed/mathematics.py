"""The mathematics report: what a test laboratory expects of a game, from the exact counts and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

import croupier
from croupier.filing.offer import Offer
from croupier.money import dollars, percent, show
from croupier.odds.caution import cautions
from croupier.odds.prices import AT_MOST, edge_of, name_of, prices, stake_of
from croupier.odds.refusing import NotCounted
from croupier.odds.report import ROUNDS, SEED, best_play, code_hash, results, simulated, spreads
from croupier.printed.document import (
    Block,
    Document,
    Figure,
    Figures,
    Filing,
    Heading,
    Items,
    Notice,
    Paragraph,
    Table,
    document,
    notices,
)
from croupier.printed.plots import meter_plot, spread_plot
from croupier.printed.words import alone, listed, one_in, plural, rate, short

Data = dict[str, Any]
Z_90, Z_99 = 1.6448536, 2.5758293  # the normal quantiles of the volatility table, which says so
LENGTHS = (1_000, 10_000, 100_000, 1_000_000)


def mathematics(filed: Filing) -> Document:
    offer = filed.offer
    return document(
        filed,
        "report",
        offer.rules.title,
        f"Mathematics report (PAR sheet) · {offer.facility}",
        [
            *notices(filed),
            *_cautions(offer),
            *_summary(offer),
            *_rules(offer),
            *_method(offer),
            *_simulation(offer),
            *_wagers(offer),
            *_alternatives(offer),
            *_published(offer),
            *_versions(offer),
        ],
    )


def _summary(offer: Offer) -> Iterator[Block]:
    found, rows = prices(offer), list[tuple[str, ...]]()
    for price in found.wagers:
        more = found.at_most(price)
        most = _exposure(offer, more or price)
        rows += [(*_summed(each), most) for each in (price, more) if each]
    rows += [(short(wager), "edge not counted", "", "", "", "", "") for wager in found.not_counted]
    yield Heading("Summary")
    head = ("Wager", "House edge", "Return", "Of all money", "Deviation", "Hits", "Most at the limit")
    yield Table(head, tuple(rows), right=frozenset(range(1, 7)), note=_means(offer))


def _summed(price: Data) -> tuple[str, ...]:
    edge = Fraction(price["edge"])
    name = short(price["wager"]) + (f", {price['on']}'s hand" if price.get("on") else "")
    return (
        f"{name}, {stake_of(price)}" if price.get("stake") else name,
        edge_of(price),
        percent(1 - edge),
        percent(edge / (Fraction(price["wagered"]) or 1)),
        f"{price['standard_deviation']:.4f}",
        f"{price['hit_frequency']:.4f}%",
    )


def _cautions(offer: Offer) -> Iterator[Block]:
    """Wagers that return more than they take, or less than three quarters."""
    if found := [str(each) for each in cautions(offer)]:
        yield Notice("Returns out of the usual range", tuple(found))


def _means(offer: Offer) -> str:
    parts = [
        "Edge, return and deviation are of one unit of the wager, of a main game of one unit of its first wager, with best play.",
        "“Of all money” divides the loss by all that is put at risk in a round.",
        "Hits are rounds in which the player comes out ahead.",
        "“Most at the limit” is the greatest net win of one player in one round at the highest wager, before any payout limit.",
        "A progressive is taken with its meter at the start." if offer.progressives else "",
        f"The draws of the system are counted in as often as filed{alone(offer)}." if offer.draws else "",
    ]
    return " ".join(filter(None, parts))


def _exposure(offer: Offer, entry: Data) -> str:
    """What one player can win at most in a round by this wager at its highest amount, fixed sums as they are."""
    if entry["wager"] in offer.progressives:
        return "the meter"
    wager = next(each for each in offer.rules.wagers.values() if entry["wager"] in (each.name, each.group))
    most, priced = offer.stakes(wager)[1], entry.get("stake", 0)  # a fixed sum is in units of the stake that is priced
    return show(max(int(Fraction(each["net"]) * (priced if each["odds"].startswith("$") else most)) for each in entry["outcomes"]))


def _rules(offer: Offer) -> Iterator[Block]:
    rules = offer.rules
    yield Heading("Rules assumed")
    yield Paragraph(
        f"58 Pa. Code Chapter {rules.number}, {rules.title}, edition {rules.edition} ({rules.edition.source}, "
        f"{rules.edition.status.value}); a deck of {rules.decks.cards} cards; the choices of submission {offer.hash[:12]}."
    )
    rows = [(name, letter, str(offer.tables[name].cite)) for name, letter in offer.letters.items()]
    if rows:
        yield Table(("Paytable", "Letter", "Clause"), tuple(rows), quiet=frozenset({2}))
    read = [
        (reading.question, reading.alternatives[offer.reading(reading)], str(reading.cite)) for reading in rules.readings.values()
    ]
    if read:
        head = ("Where the text leaves room", "As filed", "Clause")
        yield Table(head, tuple(read), quiet=frozenset({2}), wide=frozenset({0, 1}), long=True)


def _method(offer: Offer) -> Iterator[Block]:
    yield Heading("Method")
    try:
        play = best_play(offer)
    except NotCounted as refused:
        yield Paragraph(f"{str(refused)[0].upper()}{str(refused)[1:]}")
        return
    deals = prices(offer).wagers[0]["combinations"]
    yield Paragraph(
        f"Every deal of the main game is counted ({deals:,}); nothing is sampled. A settlement depends on a few facts of a deal. "
        "The counts of deals for each combination of facts are whole numbers; the chapter's own settlement function, the one that "
        "pays the player at the table, prices each combination; sums are exact fractions, rounded only where they are printed. "
        "Decisions are those of best play: in each state of knowledge the choice with the greatest exact value for the main wagers."
    )
    told = [("Best play: house edge " + percent(play["edge"]), "")]
    told += [(f"{each['name']}: {percent(each['edge'])}, {_more(each['cost'])}", "") for each in costlier(play)]
    yield Items(tuple(told))


def costlier(play: Data) -> list[Data]:
    """The other ways to play that cost something: words that are best play exactly are not another way."""
    return [each for each in play["simplified"] if Fraction(each["cost"])]


def _more(cost: str) -> str:
    """
    >>> _more("1/1000"), _more("1/100000000")
    ('0.1000% more', 'less than 0.0001% more')
    """
    return f"{percent(cost)} more" if percent(cost) != percent(Fraction(0)) else "less than 0.0001% more"


def _simulation(offer: Offer) -> Iterator[Block]:
    yield Heading("Check by simulation")
    try:
        found = simulated(offer)
    except NotCounted as refused:
        yield Paragraph(f"Not simulated; {refused}")
        return
    rows = [
        (
            each["wager"].replace(" Wager", ""),
            percent(-Fraction(each["mean"])),
            "too few rounds" if each["error"] is None else f"± {each['error'] * 100:.4f}%",
            percent(-Fraction(each["exact"])),
            {True: "agrees", False: "differs", None: ""}[each["agrees"]],
        )
        for each in found["wagers"]
    ]
    played = tuple(each["wager"] for each in found["wagers"])
    left = dict.fromkeys(e["wager"] for e in prices(offer).wagers if not any(name.startswith(e["wager"]) for name in played))
    notes = [f"Not simulated, counted only: {listed(map(short, left))}." if left else ""]
    notes += ["What the system draws is not simulated; the exact figure beside it leaves it out too." if offer.draws else ""]
    note = " ".join(filter(None, notes))
    yield Paragraph(
        f"{found['rounds']:,} rounds with best play, seed {found['seed']}, beside the exact figure; the interval holds 99 of 100."
    )
    head = ("Wager", "Simulated edge", "99 of 100", "Exact edge", "")
    yield Table(head, tuple(rows), right=frozenset({1, 2, 3}), note=note)


# Wager by wager


def _wagers(offer: Offer) -> Iterator[Block]:
    runs = spreads(offer)
    seen = set()
    for entry in prices(offer).wagers:
        yield Heading(name_of(entry))
        yield _counts(entry)
        if entry["wager"] in seen:
            yield Paragraph("Spread and meter are as on the other hand.", quiet=True)
            continue
        seen.add(entry["wager"])
        yield _volatility(entry)
        yield Figures(tuple(Figure(spread_plot(short(entry["wager"]), run), 80) for run in runs[entry["wager"]]))
        if entry["meter"]:
            yield from _meter(offer, entry)


def _counts(entry: Data) -> Table:
    """Every outcome with its count, its chance and what it adds to the return."""
    total, rows = entry["combinations"], []
    ordered = sorted(entry["outcomes"], key=lambda each: (-Fraction(each["share"]), -Fraction(each["net"])))
    for each in ordered:
        net, share = Fraction(each["net"]), Fraction(each["share"])
        units = _units(net) + (f" + {rate(share)} of meter" if share else "")
        chance = Fraction(each["count"], total)
        rows.append(
            (
                each["hand"].replace(" Wager", ""),
                f"{each['count']:,}",
                percent(chance, 6),
                one_in(each["count"], total),
                units,
                percent(chance * net, 5),
            )
        )
    share = Fraction(entry["meter"]["per_dollar"]) if entry["meter"] else Fraction(0)
    net = sum((Fraction(each["net"]) * each["count"] for each in entry["outcomes"]), Fraction(0)) / total
    rows.append(("All deals", f"{total:,}", "100.000000%", "", "", percent(net, 5)))
    notes = ["Without the share of the meter, which follows below." if share else ""]
    notes += [f"The draws of the system add {entry['drawn']} to the return." if Fraction(entry["drawn"]) else ""]
    stake = f" {stake_of(entry)}" if stake_of(entry) else ""
    notes += [f"House edge{stake}: {entry['edge']} = {percent(entry['edge'], 6)}."]
    note = " ".join(filter(None, notes))
    head = ("Outcome", "Deals", "Chance", "", "Net", "Adds")
    return Table(head, tuple(rows), right=frozenset({1, 2, 3, 4, 5}), note=note, total=True, long=True)


def _units(net: Fraction) -> str:
    """A net result in units.

    >>> _units(Fraction(3, 2)), _units(Fraction(-1)), _units(Fraction(0))
    ('+1.5', '-1', '0')
    """
    value = f"{int(net):,}" if net.denominator == 1 else f"{float(net):,.4f}".rstrip("0")
    return f"+{value}" if net > 0 else value


def _volatility(entry: Data) -> Table:
    """The band in which the return of so many rounds lies, by the normal approximation."""
    returns, deviation = 1 - float(Fraction(entry["edge"])), entry["standard_deviation"]
    least = 1 + float(min(net for net, _ in results(entry)))
    rows = []
    for rounds in LENGTHS:
        bands = [max(least, returns + sign * z * deviation / sqrt(rounds)) for z in (Z_90, Z_99) for sign in (-1, 1)]
        rows.append((f"{rounds:,}", *(f"{band * 100:.2f}%" for band in bands)))
    note = f"Normal approximation. Volatility index (90%): {Z_90 * deviation:.3f}."
    head = ("Rounds", "90% from", "to", "99% from", "to")
    return Table(head, tuple(rows), title="Return over many rounds", right=frozenset(range(5)), wide=frozenset(), note=note)


def _meter(offer: Offer, entry: Data) -> Iterator[Block]:
    """What the meter adds to the wager of the amount that is filed."""
    terms, meter = offer.progressives[entry["wager"]], entry["meter"]
    base, each = Fraction(meter["base"]), Fraction(meter["per_dollar"])
    even = (1 - base) / each if base < 1 else None
    seed = Fraction(terms.seed, dollars(1))
    words = f"breaks even at a meter of {show(round(even * 100))}" if even else "returns more than it takes at any meter"
    yield Paragraph(
        f"Apart from the meter the wager of {show(terms.amount)} returns {percent(base)}; each dollar on the meter adds "
        f"{percent(each, 6)}; it {words}. Rate of progression {rate(terms.rate)}, reserve {rate(terms.reserve)}, "
        f"start {show(terms.seed)}, after a win {show(terms.reseed)}.",
        str(offer.meters[entry["wager"]].cite),
    )
    plot = meter_plot(short(entry["wager"]), float(base), float(each), show(terms.seed), float(seed), float(even) if even else None)
    yield Figure(plot, 84)


# What else the text could mean, and what was published


def _alternatives(offer: Offer) -> Iterator[Block]:
    """The other readings, bonuses for others and draws of the system: each entry that is not a wager as filed."""
    found = prices(offer)
    wagers, rows = {price["wager"] for price in found.wagers}, []
    for entry in [each for each in found.others if each["role"] != AT_MOST]:
        reading = "; ".join(f"{name}: {alternative}" for name, alternative in entry["readings"].items())
        reading = reading or ("every reading as the text is read" if entry["wager"] in wagers else "")
        what = ", ".join(filter(None, [name_of(entry), stake_of(entry)]))
        rows.append((what, reading, edge_of(entry), f"{entry['standard_deviation']:.4f}"))
    if rows:
        yield Heading("Other readings, draws and bonuses")
        yield Paragraph(
            "Each alternative of a reading by itself; what a draw of the system adds each time, and an envy bonus for each other "
            "player (a negative edge is paid to the player)."
        )
        yield Table(("Of", "Reading", "Edge", "Deviation"), tuple(rows), right=frozenset({2, 3}), wide=frozenset({0, 1}), long=True)


def _published(offer: Offer) -> Iterator[Block]:
    if told := prices(offer).published:
        yield Heading("Published figures")
        yield Items(tuple((line[0].upper() + line[1:] + ".", "") for line in told))


def _versions(offer: Offer) -> Iterator[Block]:
    yield Heading("Versions and hashes")
    rows = (
        ("croupier", croupier.__version__),
        ("submission, SHA-256 of its choices", offer.hash),
        ("code of chapters and counting, SHA-256", code_hash()),
        ("simulation", f"{plural(ROUNDS, 'round')}, seed {SEED}"),
    )
    yield Table(("What", "Value"), rows, wide=frozenset({1}))
