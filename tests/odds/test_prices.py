"""One price for one Offer: every surface states the same number for the same filing, at a stake the filing allows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from html import unescape
from math import comb
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier import book
from croupier.cli.main import app
from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.filing.template import example_choices
from croupier.floor.surveillance.expected_win import BetSums, Moments
from croupier.law.chapter import Rules
from croupier.money import dollars, percent
from croupier.odds.advice import advise
from croupier.odds.kernels.card_sets import classes, hand
from croupier.odds.names import Price, price_name
from croupier.odds.prices import Prices, edge_of, edge_with, prices, stake_of
from croupier.odds.report import best_play, results, simulated
from croupier.odds.return_warnings import cautions
from croupier.printed.documents.difference import PlayVolume, difference
from croupier.printed.documents.guide import guide
from croupier.printed.documents.mathematics import _summary
from croupier.printed.drawing.look import HOUSE
from croupier.printed.output.document import DataTable, PrintedFiling
from croupier.printed.output.page import page
from croupier.web.live.floor_summary import Summaries
from croupier.web.pages.rule_sheet import costs
from croupier.web.workers.odds_worker import Edges
from tests.golden.odds import editions
from tests.printed.odds import known_odds  # noqa: F401
from tests.table.pit import toml

pytestmark = pytest.mark.usefixtures("known_odds")
EDITIONS = {f"{rules.number}-{rules.edition}": rules for rules in editions() if rules.number in book.MODULES}
SLOW = ("641a", "653a", "680a", "682a")  # slow to solve; the nightly tests solve these under every reading


def offer_of(rules: Rules, **changes: Any) -> Offer:
    return check({**example_choices(rules), **changes}).offer_or_refuse()


def departures() -> Iterator[Any]:
    """Every edition's example filing, and the same with each other alternative of each reading."""
    for name, rules in EDITIONS.items():
        marks = pytest.mark.slow if rules.number in SLOW else pytest.mark.thorough
        yield pytest.param(rules, {}, id=name)
        for reading in rules.readings.values():
            for alternative in set(reading.alternatives) - {reading.sound or reading.default}:
                yield pytest.param(rules, {reading.name: alternative}, id=f"{name}-{reading.name}-{alternative}", marks=marks)


def stated(found: Prices) -> dict[str, str]:
    """What every surface must say about each wager: the edge to four places, with the stake where that matters."""
    told = [each for price in found.wagers for each in (price, found.at_most(price)) if each]
    return {f"{price_name(each)} {stake_of(each)}".strip(): percent(Fraction(each["edge"])) for each in told}


@pytest.mark.parametrize(("rules", "read"), list(departures()))
def test_every_surface_states_the_same_price(rules: Rules, read: dict[str, str], tmp_path: Path) -> None:
    base = example_choices(rules)
    raw = {**base, "readings": {**base.get("readings", {}), **read}}
    offer = check(raw).offer_or_refuse()
    found = prices(offer)
    said = stated(found)
    assert said and all(float(edge.rstrip("%").replace(",", "")) < 100 for edge in said.values())
    assert on_the_command_line(rules, raw, tmp_path) == said
    assert on_the_guide(offer) == list(said.values())
    assert on_the_mathematics_report(offer) == list(said.values())
    assert dict(costs(found)).keys() >= {price_name(each) for each in found.wagers if not each.get("stake")}
    assert [edge for _, edge in costs(found)] == list(said.values())
    assert on_the_floor(offer, found) == {each["wager"]: edge_of(each) for each in reversed(found.wagers)}
    assert in_a_difference(offer) == {price_name(each): edge_of(each) for each in found.wagers}
    assert expected_of_a_hold(found) == {
        price_name(each): Fraction(each["edge"]) + Fraction(each["drawn"]) for each in found.wagers
    }
    assert best_play(offer)["edge"] == found.wagers[0]["edge"]
    assert {finding.about for finding in cautions(offer)} == out_of_range(offer, found)


def on_the_command_line(rules: Rules, raw: dict[str, Any], folder: Path) -> dict[str, str]:
    file = folder / "filing.toml"
    file.write_text(toml(raw))
    ran = CliRunner().invoke(app, ["odds", rules.number, "--edition", rules.edition.name, "--submission", str(file), "--json"])
    assert ran.exit_code == 0, ran.output
    return stated(Prices(json.loads(ran.stdout)))


def on_the_page(offer: Offer) -> str:
    """What the printed guide says the game costs. `tests/web/test_one_price.py` reads the PDF."""
    text = " ".join(unescape(re.sub(r"<[^>]+>", " ", page(guide([PrintedFiling(offer, (), (), HOUSE)])))).split())
    return text.partition("What the game costs")[2].partition("If something goes wrong")[0]


def on_the_guide(offer: Offer) -> list[str]:
    return re.findall(r"-?[\d,]+\.\d{4}%", on_the_page(offer))


def on_the_mathematics_report(offer: Offer) -> list[str]:
    table = next(block for block in _summary(offer) if isinstance(block, DataTable))
    return [str(row[1]) for row in table.rows]


def on_the_floor(offer: Offer, found: Prices) -> dict[str, str]:
    """With every meter at its seed, as on the first day."""
    edges = Edges(enabled=False)
    edges._known[offer.hash] = found
    meters = {name: terms.seed for name, terms in offer.progressives.items()}
    told = Summaries(None, edges)._edges(offer, meters)  # type: ignore[arg-type]
    return {name: edge.split(" ")[0] for name, edge in told.items()}


def in_a_difference(offer: Offer) -> dict[str, str]:
    effects = difference(offer, offer, PlayVolume(60, 1000, {})).effects
    return {effect.wager: percent(effect.before) for effect in effects if effect.before is not None}


def expected_of_a_hold(found: Prices) -> dict[str, Fraction]:
    """For one bet of the priced stake, with the meter at its seed. Draws of the system are listed separately there."""
    told = {}
    for price in found.wagers:
        tally, stake = BetSums(), price.get("stake", dollars(1))
        tally.add([(0, stake, price["meter"]["seed"] if price["meter"] else 0)])
        told[price_name(price)] = tally.expected(Moments.of(price)).win / stake
    return told


def out_of_range(offer: Offer, found: Prices) -> set[str]:
    """The wagers that `check --odds` warns about."""
    told = set()
    for price in found.wagers:
        priced = [price, *filter(None, [found.at_most(price)])]
        if any(not 0 <= Fraction(each["edge"]) <= Fraction(1, 4) for each in priced) or loses_over_time(offer, price):
            wagers = offer.rules.wagers.values()
            told |= {w.key for w in wagers if w.name == price["wager"] and w.side == price.get("on", "")}
    return told


def loses_over_time(offer: Offer, price: Price) -> bool:
    """Whether the house pays out or sets aside more of a progressive than it takes, from one start of its meter to the next."""
    if not price["meter"]:
        return False
    terms, meter = offer.progressives[price["wager"]], price["meter"]
    starts_at = Fraction(meter["per_dollar"]) * terms.reseed / 100
    return Fraction(meter["base"]) + starts_at + terms.rate + terms.reserve > 1


# figures that surfaces once disagreed about


@cache
def priced(name: str) -> dict[str, str]:
    return stated(prices(offer_of(EDITIONS[name])))


def test_653a_the_progressive_is_priced_as_it_is_filed() -> None:
    """The example reads 653a.1 as hole cards and Flop: five cards. With seven cards the wager returns several times its stake."""
    hands, pays = (4, 36, 624, 3_744, 5_108, 10_200, 54_912), (10_000, 1_000, 300, 50, 40, 30, 9)  # for 1, the meter at $10,000
    returns = Fraction(sum(count * paid for count, paid in zip(hands, pays, strict=True)), comb(52, 5))
    assert priced("653a-2011-06-14")["Progressive Payout Wager at $1"] == percent(1 - returns) == "44.0188%"


def test_682a_the_aces_bonus_is_priced_as_it_is_filed() -> None:
    assert priced("682a-2019-05-04")["Aces Bonus Wager"].startswith("1.10")


def test_649a_12_i_the_price_of_the_hand_bonus_includes_its_draws() -> None:
    """60.838181 % less a fifth of 20 × 5/52 and a fifth of 5/8."""
    assert priced("649a-2019-11-02")["Five Card Hand Bonus Wager on the player's hand at $1"] == "9.8766%"


def test_649a_12_i_the_hand_bonus_of_the_example_pays_out_more_than_it_takes_over_time() -> None:
    """At the seed it returns 90 %, but 29 % of each dollar goes to meter and reserve, and the meter restarts at $0."""
    hands = Fraction(624 * 500 + 3_744 * 100 + 5_108 * 50, comb(52, 5))
    draws = Fraction(20 * 5, 52) / 5 + Fraction(5, 8) / 5
    paid = percent(hands + draws + Fraction(29, 100))
    found = {each.about: each.found for each in cautions(offer_of(EDITIONS["649a-2019-11-02"]))}
    for side in ("player", "dealer"):
        assert found[f"Five Card Hand Bonus Wager: {side}"] == f"over time pays out or sets aside {paid} of what it takes"


def test_649a_12_i_deviation_hits_and_spread_have_the_draws_in() -> None:
    """One hand in 52 × 5 / 5 has the magic card and one in 8 × 5 the lucky position, independently of the cards and of each other."""
    magic, lucky = Fraction(1, 52), Fraction(1, 40)
    price = next(p for p in prices(offer_of(EDITIONS["649a-2019-11-02"])).wagers if p.get("on") == "player")
    pays = {each["hand"]: Fraction(each["net"]) + 10_000 * Fraction(each["share"]) for each in price["outcomes"]}
    chance = {each["hand"]: Fraction(each["count"], comb(52, 5)) for each in price["outcomes"]}
    mean = sum((pays[hand] * chance[hand] for hand in pays), Fraction(0))
    variance = sum(((pays[hand] - mean) ** 2 * chance[hand] for hand in pays), Fraction(0))
    variance += 20**2 * magic * (1 - magic) + 5**2 * lucky * (1 - lucky)
    assert price["standard_deviation"] == pytest.approx(float(variance) ** 0.5, abs=1e-6)
    loses = sum(chance[hand] for hand in pays if pays[hand] < 0) * (1 - magic) * (1 - lucky)
    assert price["hit_frequency"] == pytest.approx(float(1 - loses) * 100, abs=1e-6)
    spread = results(price)
    assert -sum(net * count for net, count in spread) / sum(count for _, count in spread) == Fraction(price["edge"])


def test_a_simulation_that_leaves_draws_out_says_so() -> None:
    """Its exact figure is not the price, which includes them."""
    played = {each["wager"]: each for each in simulated(offer_of(EDITIONS["649a-2019-11-02"]))["wagers"]}
    assert percent(-Fraction(played["Five Card Hand Bonus Wager (player's hand), without draws"]["exact"])) == "60.8382%"
    assert not any("draws" in name for name in played if "Hand Bonus" not in name)


@pytest.mark.thorough
def test_the_coachs_best_choices_come_to_the_price() -> None:
    """Over all 22,100 hands, under a reading that is not the chosen one."""
    rules = EDITIONS["649a-2019-11-02"]
    offer = offer_of(rules, readings={**example_choices(rules)["readings"], "ante bonus": "only on a win"})
    hands = classes(3)
    best = [advise(offer, hand(cards))[0].value * int(times) for cards, times in zip(hands.cards, hands.times, strict=True)]
    assert -sum(best, Fraction(0)) / comb(52, 3) == Fraction(prices(offer).wagers[0]["edge"])


# fixed dollars against a stake


def super_royal(**changes: Any) -> Prices:
    rules = EDITIONS["649a-2019-11-02"]
    letters = {**example_choices(rules)["paytables"], "Six Card Bonus Wager": "E"}
    return prices(offer_of(rules, paytables=letters, **changes))


def test_649a_12_f_a_super_royal_pays_less_of_a_larger_stake() -> None:
    """Four of C(52, 6) deals are super royals: $1,000,000 once, $100,000 three times, whatever the stake."""
    fixed = Fraction(1_300_000, comb(52, 6))  # dollars per deal
    said = {key: edge for key, edge in stated(super_royal()).items() if key.startswith("Six Card")}
    assert list(said) == ["Six Card Bonus Wager at $5", "Six Card Bonus Wager at $500"]
    assert said["Six Card Bonus Wager at $5"] == "18.0981%"
    least, most = (next(p for p in super_royal().report["entries"] if p.get("stake") == s) for s in (dollars(5), dollars(500)))
    assert Fraction(most["edge"]) - Fraction(least["edge"]) == fixed / 5 - fixed / 500
    limits = {"Six Card Bonus Wager": {"minimum": 10, "maximum": 100}}
    other = next(p for p in super_royal(wager_limits=limits).wagers if p["wager"] == "Six Card Bonus Wager")
    assert (other["stake"], Fraction(other["edge"]) - Fraction(least["edge"])) == (dollars(10), fixed / 5 - fixed / 10)


def test_649a_12_f_the_yearly_win_is_of_the_stakes_that_are_played() -> None:
    """At $500 a hand the super royals cost the house no more than at $5: it keeps 19.36 % of the money, not 18.10 %."""
    rules, name = EDITIONS["649a-2019-11-02"], "Six Card Bonus Wager"
    letters = {**example_choices(rules)["paytables"], name: "E"}
    offer = offer_of(rules, paytables=letters)
    effect = next(e for e in difference(offer, offer, PlayVolume(60, 1000, {name: dollars(500)})).effects if e.wager == name)
    at_most = next(p for p in prices(offer).others if p["wager"] == name and p.get("stake") == dollars(500))
    assert effect.win_after == Fraction(at_most["edge"]) * dollars(500) * 60_000
    assert percent(effect.after or Fraction(0)) == "19.3624%"  # for the average bet, which is shown next to it
    usual = next(e for e in difference(offer, offer, PlayVolume(60, 1000, {})).effects if e.wager == name)
    assert (usual.average, percent(usual.after or Fraction(0))) == (dollars(5), "18.0981%")


def test_643a_12_b_the_yearly_win_of_the_bonus_is_of_dollars() -> None:
    """The Let It Ride Bonus is one dollar. Its win was once computed from the table's minimum."""
    offer, name = offer_of(EDITIONS["643a-2011-06-14"]), "Let It Ride Bonus Wager"
    effect = next(e for e in difference(offer, offer, PlayVolume(60, 1000, {})).effects if e.wager == name)
    assert (effect.average, effect.win_after) == (dollars(1), Fraction(460, 1911) * dollars(1) * 60_000)


def test_649a_12_f_paper_and_pages_say_both_stakes() -> None:
    rules, name = EDITIONS["649a-2019-11-02"], "Six Card Bonus"
    offer = offer_of(rules, paytables={**example_choices(rules)["paytables"], f"{name} Wager": "E"})
    cost = on_the_page(offer)
    assert f"{name} 18.0981% 7.3% at $5 {name} 19.3624% 7.3% at $500" in cost
    assert [row[:2] for row in next(b for b in _summary(offer) if isinstance(b, DataTable)).rows if name in row[0]] == [
        (f"{name}, at $5", "18.0981%"),
        (f"{name}, at $500", "19.3624%"),
    ]
    assert dict(costs(prices(offer)))[f"{name} Wager, at $500"] == "19.3624%"


def test_649a_without_a_filing_the_figure_says_that_it_is_of_a_dollar() -> None:
    text = CliRunner().invoke(app, ["odds", "649a"]).stdout
    of_five = next(Fraction(p["edge"]) for p in super_royal().wagers if p["wager"] == "Six Card Bonus Wager")
    edge = of_five - Fraction(1_300_000, comb(52, 6)) * Fraction(4, 5)
    assert percent(edge, 2) == "12.99%"  # for one dollar; a filing with a $5 minimum never pays that share of a stake
    assert any(line.split()[:4] == ["E,", "at", "$1", percent(edge)] for line in text.splitlines())


def test_649a_12_e_a_progressive_of_five_dollars_is_priced_as_one() -> None:
    """Its meter starts at five times as much (“for 1”), and each dollar on it is worth a fifth."""
    rules, name = EDITIONS["649a-2019-11-02"], "Three-Card Progressive Payout Wager"
    terms = {
        **example_choices(rules)["progressives"],
        name: {**example_choices(rules)["progressives"][name], "amount": 5, "seed": 5000, "reseed": 5000},
    }
    one = next(p for p in prices(offer_of(rules)).wagers if p["wager"] == name)
    five = next(p for p in prices(offer_of(rules, progressives=terms)).wagers if p["wager"] == name)
    assert (one["stake"], five["stake"], one["edge"]) == (dollars(1), dollars(5), five["edge"])
    assert Fraction(one["meter"]["per_dollar"]) == 5 * Fraction(five["meter"]["per_dollar"])
    assert edge_with(five, dollars(5500)) == edge_with(one, dollars(1100))
