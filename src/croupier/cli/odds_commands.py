"""The commands for odds: house edges, best play, advice for a hand, simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from croupier.cards import NotACard
from croupier.cards import cards as read_cards
from croupier.cli.display import Row, bar, console, print_rows, say
from croupier.cli.shared import ODDS, AsJson, Game, InEdition, filed_offer, print_json, progress_shown, rules_of, stop
from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.money import percent
from croupier.odds.names import EntryRole, exact, interval_words, outcomes_by_net, units_of, wager_name
from croupier.odds.prices import prices, stake_of
from croupier.odds.report import hit_rate, report
from croupier.odds.solvers.main_game import main_settlement
from croupier.odds.strategy_edge import NOT_CLOSE
from croupier.printed.content.filed_choices import priced_choices

if TYPE_CHECKING:
    from croupier.odds.simulation.rounds import Simulated

UnderSubmission = Annotated[Path | None, typer.Option("--submission", help="Use the choices of this Rules Submission.")]

app = typer.Typer()


@app.command(rich_help_panel=ODDS)
def odds(
    game: Game,
    edition: InEdition = "",
    submission: Annotated[Path | None, typer.Option(help="Price only what this Rules Submission offers.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Count again instead of using the cache.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the exact house edge of every wager, for every paytable and reading, with the outcomes behind it."""
    rules = rules_of(game, edition)
    offer = _filed_for(submission, rules, edition) if submission else None
    data = (
        prices(offer, fresh=fresh, counting=progress_shown).report if offer else report(rules, fresh=fresh, counting=progress_shown)
    )
    if as_json:
        print_json({key: data[key] for key in ("game", "edition", "entries", "published", "not_counted")})
    else:
        _print_report(rules, data, offer)
    if data["not_counted"]:
        stop("\n".join(f"{wager}: {says}" for wager, says in data["not_counted"].items()))


def _print_report(rules: Rules, data: dict[str, Any], offer: Offer | None) -> None:
    console.print(Text(f"{rules.title}, {rules.chapter.citation}, edition {data['edition']}", style="bold"))
    if offer:
        _filed_choices(offer)
    beside = {EntryRole.DRAW: " each time it is drawn", EntryRole.ENVY: ""}
    _summary("", [each for each in data["entries"] if each["role"] not in (*beside, EntryRole.UNANSWERED)])
    silent = [each for each in data["entries"] if each["role"] == EntryRole.UNANSWERED]
    _summary("Price for a player who never answers", silent)
    draws, envies = ([each for each in data["entries"] if each["role"] == role] for role in beside)
    _summary("What a draw adds to the wager, each time it is drawn", draws, adds=True)
    _summary("What the envy bonus adds to the wager", envies, adds=True)
    if data["published"]:
        console.print(Text("Published figures", style="bold"))
        for line in data["published"]:
            say(f"  {line}")
        console.print()
    main = wager_name(main_settlement(rules).wager)
    for entry in data["entries"]:
        _entry(entry, adds=beside.get(entry["role"]), several=entry["wager"].partition(", ")[0] == main)


def _filed_choices(offer: Offer) -> None:
    """The choices of a submission that every figure below assumes."""
    for item, choice, clause in priced_choices(offer):
        say(f"  {item}: {choice} ({clause})")
    console.print()


def _summary(title: str, entries: list[dict[str, Any]], *, adds: bool = False) -> None:
    """The figures of some entries: a wager once, and below it its paytables and readings."""
    heads = ["Adds" if adds else "House edge", *([] if adds else ["Element of risk"]), "Std. dev.", "Hit rate"]
    rows = list[Row]()
    for name, group in groupby(entries, key=_name):
        found = [(_choices(each), _figures(each, adds)) for each in group]
        rows.append([name] if found[0][0] else [name, *found.pop(0)[1]])
        rows += [[Padding(label, (0, 0, 0, 2)), *figures] for label, figures in found]
    print_rows(title, ["Wager", *heads], rows, right=heads)


def _figures(entry: dict[str, Any], adds: bool) -> list[str]:
    edge = Fraction(entry["edge"])
    means = [percent(-edge)] if adds else [percent(edge), percent(edge / (Fraction(entry["wagered"]) or 1))]
    return [*means, f"{float(entry['standard_deviation']):.3f}", hit_rate(entry, 2)]


def _name(entry: dict[str, Any]) -> str:
    wager: str = entry["wager"]
    return wager + (f" ({entry['on']}'s hand)" if entry.get("on") else "")


def _choices(entry: dict[str, Any]) -> str:
    own = [f"{name} {letter}" for name, letter in entry["paytables"].items() if name != entry["wager"]]
    letters = entry["paytables"].get(entry["wager"], "") + ", ".join(own)
    readings = "; ".join(f"{name}: {alternative}" for name, alternative in entry["readings"].items())
    return ", ".join(filter(None, [letters, readings, stake_of(entry)]))


def _entry(entry: dict[str, Any], *, adds: str | None, several: bool) -> None:
    """One wager, or what is added to one: the exact fraction, and each hand with its count and odds.

    Where `several` wagers are settled together, there are no odds, but the net of all of them in units of the first.
    """
    title = ", ".join(filter(None, [_name(entry), _choices(entry)]))
    edge = f"house edge {entry['edge']}" if adds is None else f"adds {entry['edge'].removeprefix('-')}{adds}"
    console.print(Text(f"{title}: {edge}", style="bold"))
    rows = [
        (each["hand"], f"{each['count']:,}", units_of(Fraction(each["net"])) if several else each["odds"])
        for each in outcomes_by_net(entry)
    ]
    print_rows("", ["Outcome", "Deals", "Net" if several else "Pays"], rows, right=["Deals", "Net"])
    if meter := entry["meter"]:
        even = f"; breaks even at ${meter['break_even']:,.2f}" if meter["break_even"] else "; always returns more than it takes"
        say(f"  Returns {meter['base']} of the wager and {meter['per_dollar']} for each dollar on the meter{even}")
        console.print()
    if Fraction(entry["drawn"]):
        say(f"  System draws, which the outcomes above do not include, return {entry['drawn']} of the wager")
        console.print()


@app.command(rich_help_panel=ODDS)
def strategy(
    game: Game,
    edition: InEdition = "",
    submission: UnderSubmission = None,
    as_json: AsJson = False,
) -> None:
    """Print the best strategy in plain words, with the exact cost of each simplification."""
    offer = _offer_for(game, edition, submission)
    with progress_shown():
        from croupier.odds.best_play import strategy as best_play

        found = best_play(offer)
    rules = offer.rules
    if as_json:
        others = [{"name": each.name, "edge": exact(each.edge), "cost": exact(each.cost)} for each in found.simplified]
        answer = {"edge": exact(found.edge), "words": list(found.words), "simplified": others}
        return print_json({"game": rules.number, "edition": rules.edition.name, **answer})
    if found.played.far:
        say(f"{NOT_CLOSE}: this one costs {found.played.cost} more. `croupier advise` has the best choice for a hand.")
    console.print(Text(f"{rules.title}, {rules.number}: {found.played.heading(', ')}", style="bold"))
    for line in found.words:
        say(f"  {line}")
    console.print()
    rows = [[each.name, percent(each.edge), percent(each.cost)] for each in found.simplified]
    return print_rows("Other ways to play", ["Strategy", "House edge", "Cost"], rows)


@app.command(rich_help_panel=ODDS)
def advise(
    game: Game,
    cards: Annotated[str, typer.Option(help="The player's cards, such as “Qs 6h 4d”.")],
    up: Annotated[str, typer.Option(help="The dealer's up card, where a game shows one.")] = "",
    board: Annotated[str, typer.Option(help="The community cards that are face up.")] = "",
    edition: InEdition = "",
    submission: UnderSubmission = None,
    as_json: AsJson = False,
) -> None:
    """Print the exact value of each choice for the cards in hand."""
    offer = _offer_for(game, edition, submission)
    with progress_shown():
        from croupier.odds.advice import advise as ask
        from croupier.odds.advice import assumes

        try:
            held, shown, community = read_cards(cards), read_cards(up), read_cards(board)
        except NotACard as wrong:
            raise Refusal(str(wrong), offer.rules.cite("3(a)"), "cards such as “As Td 9c”") from None
        found, taken = ask(offer, held, shown, community), assumes(offer, held, shown, community)
    if as_json:
        print_json([{"choice": each.choice, "value": exact(each.value)} for each in found])
        return
    rows = [[each.choice, f"{float(each.value):+.6f}", exact(each.value)] for each in found]
    print_rows("", ["Choice", "Value in units", "Exact"], rows)
    if taken:
        say(f"For the whole round, {taken}.")


def _offer_for(game: str, edition: str, submission: Path | None) -> Offer:
    """The Offer that a question is about: a submission's, or one with the code's defaults."""
    rules = rules_of(game, edition)
    if submission:
        return _filed_for(submission, rules, edition)
    optional = sorted({wager.name for wager in rules.wagers.values() if wager.optional})
    return check({"wagers": optional}, rules=rules, case=True).offer_or_refuse()


def _filed_for(submission: Path, rules: Rules, edition: str) -> Offer:
    """The Offer of a submission of this game."""
    offer = filed_offer(submission, rules.number)
    if offer.rules.number != rules.number or (edition and offer.rules.edition != rules.edition):
        asked = f"{rules.number}, {rules.edition}" if edition else rules.number
        raise Refusal(f"the submission is for {offer.rules.number}, {offer.rules.edition}", "601a.2", f"a submission for {asked}")
    return offer


@app.command(rich_help_panel=ODDS)
def simulate(
    game: Game,
    rounds: Annotated[int, typer.Option(min=1, max=10**13, help="Rounds to play at each seat.")] = 10_000_000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed gives the same answer.")] = 7,
    seats: Annotated[int, typer.Option(min=1, help="Seats that play each round.")] = 1,
    strategy: Annotated[str, typer.Option(help="The strategy to play: best, or always play.")] = "best",
    submission: Annotated[Path | None, typer.Option(help="Play under this Rules Submission.")] = None,
    cluster: Annotated[str, typer.Option(help="The address of a Dask scheduler.")] = "",
    edition: InEdition = "",
    as_json: AsJson = False,
) -> None:
    """Simulate many rounds of best play and compare each wager's result with the exact figure."""
    offer = _offer_for(game, edition, submission)
    rules = offer.rules
    if seats > rules.seats:
        raise Refusal(f"a table of this game does not have {seats} seats", rules.cite("2(a)"), f"1 to {rules.seats}")
    if strategy not in ("best", "always play"):
        raise Refusal(f"“{strategy}” is not a strategy", rules.cite("11"), "best, always play")
    try:
        with progress_shown(), bar("rounds", rounds, quiet=as_json) as watch:
            from croupier.odds.simulation.rounds import simulate as play

            found = play(offer, rounds, seed, strategy=strategy, seats=seats, cluster=cluster, watch=watch)
    except OSError as problem:
        stop(f"the cluster at {cluster} does not answer: {problem}.")
    if as_json:
        asked = {"game": rules.number, "edition": rules.edition.name, "seed": seed, "strategy": strategy}
        print_json({**asked, "wagers": [_plain_simulated(each) for each in found]})
        return
    rows = [_simulated(each) for each in found]
    heads = ["Wager", "Rounds", "Simulated edge", "99% interval", "Exact edge", ""]
    print_rows(f"{rules.title}, {rules.number}, seed {seed}", heads, rows)
    if strategy != "best" and rules.decisions:
        say("At every decision the players made the first choice that needs no particular hand, whatever their cards.")


def _simulated(result: Simulated) -> list[str]:
    interval, agrees = interval_words(result.error, result.agrees)
    counted = "not counted" if result.exact is None else percent(-result.exact)
    return [result.wager, f"{result.rounds:,}", percent(-result.mean), interval, counted, agrees]


def _plain_simulated(result: Simulated) -> dict[str, Any]:
    return {
        "wager": result.wager,
        "rounds": result.rounds,
        "mean": exact(result.mean),
        "standard_deviation": f"{result.deviation:.6f}",
        "interval_99": None if result.error is None else f"{result.error:.8f}",
        "exact": None if result.exact is None else exact(result.exact),
        "agrees": result.agrees,
    }
