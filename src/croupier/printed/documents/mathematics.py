"""The mathematics report that a test laboratory expects of a game, from the exact counts alone."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

import croupier
from croupier.filing.offer import Offer
from croupier.law.forfeits import silence_reading
from croupier.money import dollars, percent, show_money, show_rate
from croupier.odds.names import EntryRole, interval_words, outcomes_by_net, price_name, priced_wager, units_of
from croupier.odds.prices import edge_of, prices, stake_of
from croupier.odds.report import ROUNDS, SEED, best_play, code_hash, hit_rate, results, simulated, spreads
from croupier.odds.return_warnings import cautions
from croupier.odds.solvers.main_game import NotCounted
from croupier.printed.content.filed_choices import priced_choices, reconstructed
from croupier.printed.content.fold_terms import time_words
from croupier.printed.content.payouts import price_notes
from croupier.printed.content.phrases import capitalized, listed, lone_player_note, one_in, plural, sentence, short
from croupier.printed.drawing.plots import meter_plot, spread_plot
from croupier.printed.output.document import (
    Block,
    DataTable,
    Document,
    Figure,
    FigureRow,
    Heading,
    Items,
    Notice,
    Paragraph,
    PrintedFiling,
    document,
    notices,
)

Data = dict[str, Any]
Z_90, Z_99 = 1.6448536, 2.5758293  # normal quantiles, as stated in the volatility table
LENGTHS = (1_000, 10_000, 100_000, 1_000_000)


def mathematics(filed: PrintedFiling) -> Document:
    offer = filed.offer
    parts = (
        _cautions, _summary, _rules, _method, _simulation, _wagers, _silence, _alternatives, _published, _versions,
    )  # fmt: skip
    blocks = [*notices(filed), *(block for part in parts for block in part(offer))]
    return document(filed, "report", offer.rules.title, f"Mathematics report (PAR sheet) · {offer.facility}", blocks)


def _summary(offer: Offer) -> Iterator[Block]:
    found, rows = prices(offer), list[tuple[str, ...]]()
    for price in found.wagers:
        more = found.at_most(price)
        most = _exposure(offer, more or price)
        rows += [(*_summed(each), most) for each in (price, more) if each]
    rows += [(short(wager), "edge not counted", "", "", "", "", "") for wager in found.not_counted]
    yield Heading("Summary")
    head = ("Wager", "House edge", "Return", "Element of risk", "Std. dev.", "Hit rate", "Maximum win")
    yield DataTable(head, rows, right=set(range(1, 7)), note=_means(offer))


def _summed(price: Data) -> tuple[str, ...]:
    edge = Fraction(price["edge"])
    name = short(price["wager"]) + (f", {price['on']}'s hand" if price.get("on") else "")
    return (
        f"{name}, {stake_of(price)}" if price.get("stake") else name,
        edge_of(price),
        percent(1 - edge),
        percent(edge / (Fraction(price["wagered"]) or 1)),
        f"{price['standard_deviation']:.4f}",
        hit_rate(price),
    )


def _cautions(offer: Offer) -> Iterator[Block]:
    """Wagers that return more than they take, or less than three quarters."""
    if found := [str(each) for each in cautions(offer)]:
        yield Notice("Returns outside the usual range", found)


def _means(offer: Offer) -> str:
    parts = [
        "Edge, return and standard deviation are per unit of the wager (of the first wager of a main game), with best play.",
        "The element of risk is the loss divided by all the money wagered in a round.",
        "The hit rate is the share of rounds in which the player comes out ahead.",
        "The maximum win is the greatest net win of one player in one round at the highest wager, before any payout limit.",
        "A progressive is priced with its meter at the seed." if offer.progressives else "",
        f"The draws of the table game system are included as often as filed{lone_player_note(offer)}." if offer.draws else "",
        *price_notes(offer, prices(offer)),
    ]
    return " ".join(filter(None, parts))


def _exposure(offer: Offer, entry: Data) -> str:
    """The most that one player can win in a round with this wager at its highest amount, fixed sums unchanged."""
    if entry["wager"] in offer.progressives:
        return "the meter"
    most = offer.stakes(priced_wager(offer.rules, entry))[1]
    priced = entry.get("stake", 0)  # a fixed sum is in units of the stake that is priced
    return show_money(
        max(int(Fraction(each["net"]) * (priced if each["odds"].startswith("$") else most)) for each in entry["outcomes"])
    )


def _rules(offer: Offer) -> Iterator[Block]:
    rules = offer.rules
    yield Heading("Rules assumed")
    yield Paragraph(
        f"{rules.chapter.citation}, {rules.title}, edition {rules.edition} ({rules.edition.source}, "
        f"{rules.edition.status.value}); a deck of {rules.decks.cards} cards; the choices of submission {offer.hash[:12]}."
    )
    yield DataTable(("Choice", "As filed", "Clause"), priced_choices(offer), quiet={2}, wide={1})
    read = [
        (reading.question, reading.alternatives[offer.reading(reading)], str(reading.cite)) for reading in rules.readings.values()
    ]
    if read:
        head = ("Ambiguity in the text", "As filed", "Clause")
        yield DataTable(head, read, quiet={2}, wide={0, 1}, long=True)


def _method(offer: Offer) -> Iterator[Block]:
    yield Heading("Method")
    try:
        play = best_play(offer)
    except NotCounted as refused:
        yield Paragraph(capitalized(str(refused)))
        return
    deals = prices(offer).wagers[0]["combinations"]
    yield Paragraph(
        f"Every deal of the main game is counted ({deals:,}); nothing is sampled. A settlement depends on a few facts of a deal. "
        "The counts of deals for each combination of facts are whole numbers; the chapter's own settlement function, the one that "
        "pays the player at the table, prices each combination; sums are exact fractions, rounded only where they are printed. "
        "Decisions are those of best play: in each state of knowledge the choice with the greatest exact value for the main wagers."
    )
    items = [("Best play: house edge " + percent(play["edge"]), "")]
    items += [(f"{each['name']}: {percent(each['edge'])}, {_more(each['cost'])}", "") for each in costlier(play)]
    yield Items(items)


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
    yield Heading("Simulation")
    try:
        found = simulated(offer)
    except NotCounted as refused:
        yield Paragraph(f"Not simulated; {refused}")
        return
    rows = []
    for each in found["wagers"]:
        interval, agrees = interval_words(each["error"], each["agrees"])
        edges = [percent(-Fraction(each[key])) for key in ("mean", "exact")]
        rows.append((each["wager"].replace(" Wager", ""), edges[0], interval, edges[1], agrees))
    played = tuple(each["wager"] for each in found["wagers"])
    left = dict.fromkeys(e["wager"] for e in prices(offer).wagers if not any(name.startswith(e["wager"]) for name in played))
    notes = [
        f"Calculated but not simulated: {listed(map(short, left))}." if left else "",
        "The draws of the system are not simulated; the exact figure leaves them out too." if offer.draws else "",
    ]
    yield Paragraph(
        f"{found['rounds']:,} rounds with best play, seed {found['seed']}, beside the exact figure, with a 99% confidence interval."
    )
    head = ("Wager", "Simulated edge", "99% interval", "Exact edge", "")
    yield DataTable(head, rows, right={1, 2, 3}, note=" ".join(filter(None, notes)))


# Wager by wager


def _wagers(offer: Offer) -> Iterator[Block]:
    runs = spreads(offer)
    seen = set()
    for entry in prices(offer).wagers:
        yield Heading(price_name(entry))
        yield _counts(offer, entry)
        if entry["wager"] in seen:
            yield Paragraph("Volatility and meter are the same as for the other hand.", quiet=True)
            continue
        seen.add(entry["wager"])
        yield _volatility(entry)
        yield FigureRow([Figure(spread_plot(short(entry["wager"]), run), 80) for run in runs[entry["wager"]]])
        if entry["meter"]:
            yield from _meter(offer, entry)


def _counts(offer: Offer, entry: Data) -> DataTable:
    """Every outcome with its count, its chance and what it adds to the return."""
    total, rows = entry["combinations"], []
    lost = {row for name in entry["paytables"] for row in reconstructed(offer, name)}
    for each in outcomes_by_net(entry):
        net, share = Fraction(each["net"]), Fraction(each["share"])
        units = units_of(net) + (f" + {show_rate(share)} of meter" if share else "")
        chance = Fraction(each["count"], total)
        deals, often = f"{each['count']:,}", one_in(each["count"], total)
        hand = each["hand"].replace(" Wager", "") + ("*" if each["hand"] in lost else "")
        rows.append((hand, deals, percent(chance, 6), often, units, percent(chance * net, 5)))
    net = sum((Fraction(each["net"]) * each["count"] for each in entry["outcomes"]), Fraction(0)) / total
    rows.append(("All deals", f"{total:,}", "100.000000%", "", "", percent(net, 5)))
    stake = f" {stake_of(entry)}" if stake_of(entry) else ""
    notes = [
        "The share of the meter, shown below, is left out." if entry["meter"] and Fraction(entry["meter"]["per_dollar"]) else "",
        f"The draws of the system add {entry['drawn']} to the return." if Fraction(entry["drawn"]) else "",
        "* This row is missing from the text of its paytable and was reconstructed." if lost else "",
        f"House edge{stake}: {entry['edge']} = {percent(entry['edge'], 6)}.",
    ]
    head = ("Outcome", "Deals", "Probability", "", "Net", "Contribution")
    return DataTable(head, rows, right={1, 2, 3, 4, 5}, note=" ".join(filter(None, notes)), total=True, long=True)


def _volatility(entry: Data) -> DataTable:
    """The range of the return over many rounds, by the normal approximation."""
    returns, deviation = 1 - float(Fraction(entry["edge"])), entry["standard_deviation"]
    least = 1 + float(min(net for net, _ in results(entry)))
    rows = []
    for rounds in LENGTHS:
        bands = [max(least, returns + sign * z * deviation / sqrt(rounds)) for z in (Z_90, Z_99) for sign in (-1, 1)]
        rows.append((f"{rounds:,}", *(f"{band * 100:.2f}%" for band in bands)))
    note = f"Normal approximation. Volatility index (90%): {Z_90 * deviation:.3f}."
    head = ("Rounds", "90% from", "to", "99% from", "to")
    return DataTable(head, rows, title="Return over many rounds", right=set(range(5)), wide=set(), note=note)


def _meter(offer: Offer, entry: Data) -> Iterator[Block]:
    """What the meter adds to a wager of the filed amount."""
    terms, meter = offer.progressives[entry["wager"]], entry["meter"]
    base, each = Fraction(meter["base"]), Fraction(meter["per_dollar"])
    even = (1 - base) / each if base < 1 else None
    seed = Fraction(terms.seed, dollars(1))
    words = f"breaks even at a meter of {show_money(round(even * 100))}" if even else "always returns more than it takes"
    yield Paragraph(
        f"Without the meter, the {show_money(terms.amount)} wager returns {percent(base)}; each dollar on the meter adds "
        f"{percent(each, 6)}; it {words}. Contribution to the meter {show_rate(terms.rate)}, to the reserve "
        f"{show_rate(terms.reserve)}; seed {show_money(terms.seed)}, after a win {show_money(terms.reseed)}.",
        str(offer.meters[entry["wager"]].cite),
    )
    plot = meter_plot(
        short(entry["wager"]), float(base), float(each), show_money(terms.seed), float(seed), float(even) if even else None
    )
    yield Figure(plot, 84)


# What else the text could mean, and what was published


def _alternatives(offer: Offer) -> Iterator[Block]:
    """The other readings, bonuses for others and draws of the system: each entry that is not a wager as filed."""
    found = prices(offer)
    wagers, rows = {price["wager"] for price in found.wagers}, []
    for entry in [each for each in found.others if each["role"] != EntryRole.AT_MOST]:
        reading = "; ".join(f"{name}: {alternative}" for name, alternative in entry["readings"].items())
        reading = reading or ("as the text is read" if entry["wager"] in wagers else "")
        what = ", ".join(filter(None, [price_name(entry), stake_of(entry)]))
        rows.append((what, reading, edge_of(entry), f"{entry['standard_deviation']:.4f}"))
    if rows:
        yield Heading("Other readings, draws and bonuses")
        yield Paragraph(
            "Each alternative reading on its own; what a draw of the system adds each time, and an envy bonus for each other "
            "player (a negative edge is paid to the player)."
        )
        yield DataTable(("What", "Reading", "Edge", "Std. dev."), rows, right={2, 3}, wide={0, 1}, long=True)


def _silence(offer: Offer) -> Iterator[Block]:
    """What the time limit costs a player who never answers, under each alternative of the reading that says what silence is."""
    reading, found = silence_reading(offer.rules), prices(offer)
    if not reading or not found.unanswered:
        return
    as_filed = offer.reading(reading)
    ways = [as_filed, *(each for each in reading.alternatives if each != as_filed)]
    read = [{} if way == reading.default else {reading.name: way} for way in ways]
    rows = [
        (price_name(price), edge_of(price), *(edge_of(found.in_silence(price, each, read[0])) for each in read))
        for price in found.wagers
    ]
    yield Heading("A player who never answers")
    yield Paragraph(*time_words(offer))
    heads = ("Wager", "Best play", *(f"{'Filed' if way == as_filed else 'If read'}: {way}" for way in ways))
    yield DataTable(heads, rows, right=set(range(1, 2 + len(ways))))


def _published(offer: Offer) -> Iterator[Block]:
    if figures := prices(offer).published:
        yield Heading("Published figures")
        yield Items([(sentence(line), "") for line in figures])


def _versions(offer: Offer) -> Iterator[Block]:
    yield Heading("Versions and hashes")
    rows = (
        ("croupier", croupier.__version__),
        ("submission (SHA-256 of its choices)", offer.hash),
        ("code of chapters and odds (SHA-256)", code_hash()),
        ("simulation", f"{plural(ROUNDS, 'round')}, seed {SEED}"),
    )
    yield DataTable(("What", "Value"), rows, wide={1})
