"""The commands. Each reads, asks the house, and draws; errors for people, never a traceback."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from croupier.cli import ledger_commands, serve_command
from croupier.cli.answers import AsJson, for_people, print_json, stop
from croupier.law.cite import Refusal

#: Of whichever click typer brings along.
UsageError: type[Exception] = typer.BadParameter.mro()[1]


class Commands(TyperGroup):
    """Commands whose wrong options get one sentence and exit 2, like all else that people get wrong."""

    def main(self, *args: Any, **extra: Any) -> Any:
        alone = extra.get("standalone_mode", True)
        try:
            done = super().main(*args, **{**extra, "standalone_mode": False})
        except UsageError as wrong:
            sentence = wrong.format_message().strip().rstrip(".")  # type: ignore[attr-defined]
            if sentence:  # without a command there is none, and the help has been printed
                print(f"{sentence}; see --help.", file=sys.stderr)
            sys.exit(2)
        if alone:
            sys.exit(done if isinstance(done, int) else 0)
        return done


app = typer.Typer(
    cls=Commands,
    help="Casino table games by the book: 58 Pa. Code, from a filing to a settled round.",
    no_args_is_help=True,
    add_completion=False,
)
ledger_commands.register(app)
serve_command.register(app)

Game = Annotated[str, typer.Argument(help="A chapter number (649a) or the game's name (three-card-poker).")]
InEdition = Annotated[str, typer.Option("--edition", help="The edition's date; the newest without it.")]
TomlFile = Annotated[Path, typer.Argument(help="A TOML file, or - for standard input.")]


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the seven games: chapter, editions, seats, wagers, paytables."""
    from croupier import book
    from croupier.law import plain

    rules = [chapter.edition() for chapter in book.chapters()]
    if as_json:
        return print_json([{**plain.heading(each), **_contents(each)} for each in rules])
    from croupier.cli import draw

    return draw.games(rules)


def _contents(rules: Any) -> dict[str, Any]:
    from croupier.law.paytable import Paytable

    return {
        "editions": [edition.name for edition in rules.chapter.editions],
        "wagers": [wager.key for wager in rules.wagers.values()],
        "paytables": [{"name": table.name, "letters": list(table.letters)} for table in rules.of(Paytable)],
    }


@app.command()
def show(game: Game, edition: InEdition = "", as_json: AsJson = False) -> None:
    """Print one chapter: every wager, ranking, paytable, decision, dealing method, irregularity and reading, with its citation."""
    from croupier import book
    from croupier.law import plain

    with for_people():
        rules = book.find(game).edition(edition)
    if as_json:
        return print_json(plain.chapter(rules))
    from croupier.cli import draw

    return draw.chapter(rules)


@app.command()
def new(game: Game, edition: InEdition = "") -> None:
    """Write a complete, commented, valid Rules Submission to start from."""
    from croupier import book
    from croupier.filing.template import write

    with for_people():
        print(write(book.find(game).edition(edition)), end="")


@app.command()
def check(
    file: TomlFile,
    with_odds: Annotated[
        bool, typer.Option("--odds", help="Warn of wagers that return more than they take, or less than 75%.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a Rules Submission. Exit 0, or 1 with errors."""
    from croupier.filing.check import check as check_submission

    checked = check_submission(_read(file))
    if with_odds and checked.offer:
        with _patience():
            from croupier.odds.caution import cautions

            checked = replace(checked, findings=(*checked.findings, *cautions(checked.offer)))
    if as_json:
        print_json(
            {
                "valid": checked.offer is not None,
                "hash": checked.offer.hash if checked.offer else None,
                "findings": [
                    {"severity": f.severity.value, "cite": f.cite, "about": f.about, "found": f.found, "accepted": f.accepted}
                    for f in checked.findings
                ],
            }
        )
    else:
        from croupier.cli import draw

        draw.findings(checked)
    raise typer.Exit(1 if checked.offer is None else 0)


@app.command()
def settle(
    file: TomlFile,
    submission: Annotated[
        Path | None, typer.Option(help="Settle under this Rules Submission instead of the case's own choices.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Settle a described round: seat by seat, every wager with its result, odds, hand, cents and clause."""
    from croupier.filing.check import check as check_submission
    from croupier.table import plain
    from croupier.table.case import read_case

    raw = _read(file)
    with for_people():
        try:
            offer = check_submission(_read(submission)).offer_or_refuse() if submission else None
        except Refusal as refusal:
            raise refusal.at("the submission") from None
        case = read_case(raw, offer)
        result = case.settle()
    if as_json:
        return print_json(plain.settled(case, result))
    from croupier.cli import draw

    return draw.settled(case, result, raw.get("title", ""))


@app.command()
def odds(
    game: Game,
    edition: InEdition = "",
    submission: Annotated[Path | None, typer.Option(help="Only the choices of this Rules Submission.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Work it out anew, whatever the cache has.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the exact house edge of every wager, for every paytable and reading, and what it is made of."""
    from croupier import book
    from croupier.odds.prices import prices
    from croupier.odds.report import report

    with for_people():
        rules = book.find(game).edition(edition)
        offer = _filed(submission, rules, edition) if submission else None
    data = prices(offer, fresh=fresh, counting=_patience).report if offer else report(rules, fresh=fresh, counting=_patience)
    if as_json:
        print_json({key: data[key] for key in ("game", "edition", "entries", "published", "not_counted")})
    else:
        from croupier.cli import draw_odds

        draw_odds.report(rules, data)
    if data["not_counted"]:
        stop("\n".join(f"{wager}: {says}" for wager, says in data["not_counted"].items()))


@app.command()
def strategy(
    game: Game,
    edition: InEdition = "",
    submission: Annotated[Path | None, typer.Option(help="Under this Rules Submission.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the best play in words a player can carry, and the exact cost of each simplification."""
    from croupier.cli import draw_odds

    offer = _offer_for(game, edition, submission)
    with for_people(), _patience():
        from croupier.odds.strategy import strategy as best_play

        found = best_play(offer)
    if as_json:
        return print_json(draw_odds.plain_strategy(offer.rules, found))
    return draw_odds.strategy(offer.rules, found)


@app.command()
def advise(
    game: Game,
    cards: Annotated[str, typer.Option(help="The player's cards, such as “Qs 6h 4d”.")],
    up: Annotated[str, typer.Option(help="The dealer's up card (641a).")] = "",
    board: Annotated[str, typer.Option(help="Community cards that lie face up (643a, 653a).")] = "",
    edition: InEdition = "",
    submission: Annotated[Path | None, typer.Option(help="Under this Rules Submission.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the exact value of each choice for the cards in hand."""
    from croupier.cards import NotACard
    from croupier.cards import cards as read_cards
    from croupier.cli import draw_odds

    offer = _offer_for(game, edition, submission)
    with for_people(), _patience():
        from croupier.odds.advice import advise as ask
        from croupier.odds.advice import assumes

        try:
            held, shown, community = read_cards(cards), read_cards(up), read_cards(board)
        except NotACard as wrong:
            raise Refusal(str(wrong), offer.rules.cite("3(a)"), "cards such as “As Td 9c”") from None
        found, taken = ask(offer, held, shown, community), assumes(offer, held, community)
    if as_json:
        return print_json([{"choice": each.choice, "value": f"{each.value.numerator}/{each.value.denominator}"} for each in found])
    return draw_odds.advice(found, taken)


def _offer_for(game: str, edition: str, submission: Path | None) -> Any:
    """The Offer that a question is about: a submission's, or one with the code's defaults."""
    from croupier import book

    with for_people():
        rules = book.find(game).edition(edition)
        if submission:
            return _filed(submission, rules, edition)
    from croupier.filing.check import check as check_submission

    optional = sorted({wager.name for wager in rules.wagers.values() if wager.optional})
    return check_submission({"wagers": optional}, rules=rules, case=True).offer_or_refuse()


@app.command()
def simulate(
    game: Game,
    rounds: Annotated[int, typer.Option(min=1, max=10**13, help="Rounds to play at each seat.")] = 10_000_000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed gives the same answer.")] = 7,
    seats: Annotated[int, typer.Option(min=1, help="Seats that play each round.")] = 1,
    strategy: Annotated[str, typer.Option(help="best, or always play.")] = "best",
    submission: Annotated[Path | None, typer.Option(help="Play under this Rules Submission.")] = None,
    cluster: Annotated[str, typer.Option(help="The address of a Dask scheduler.")] = "",
    edition: InEdition = "",
    as_json: AsJson = False,
) -> None:
    """Play many rounds with best play and compare each wager's mean with the exact figure."""
    from croupier.cli import draw_odds

    offer = _offer_for(game, edition, submission)
    rules = offer.rules
    with for_people():
        if seats > rules.seats:
            raise Refusal(f"there are no {seats} seats", rules.cite("2(a)"), f"1 to {rules.seats}")
        one = len(rules.decisions) == 1  # a game with one decision against a dealer's hand
        if strategy not in ("best", "always play") or (strategy != "best" and not one):
            raise Refusal(f"“{strategy}” is no strategy of this game", rules.cite("11"), "best, always play" if one else "best")
    try:
        with for_people(), _patience():
            found = draw_odds.simulated(offer, rounds, seed, strategy=strategy, seats=seats, cluster=cluster, quiet=as_json)
    except OSError as problem:
        stop(f"the cluster at {cluster} does not answer: {problem}.")
    if as_json:
        return print_json(
            {"game": rules.number, "edition": rules.edition.name, "seed": seed, "wagers": [draw_odds.plain(each) for each in found]}
        )
    return draw_odds.simulation(rules, found, seed)


@app.command("rng-report")
def rng_report(
    shuffles: Annotated[int, typer.Option(help="Shuffles to make and to judge.")] = 200_000,
    jokers: Annotated[bool, typer.Option("--jokers", help="A deck of 53 with the joker.")] = False,
    seed: Annotated[int | None, typer.Option(help="A demonstration that can be repeated, instead of the real generator.")] = None,
    as_json: AsJson = False,
) -> None:
    """Judge the shuffles by statistical tests at 99 % confidence. Exit 0, or 1 if one fails."""
    from concurrent.futures import BrokenExecutor

    from croupier.cli.draw_odds import bar
    from croupier.floor.rng_report import FEWEST, MOST, report

    if not FEWEST <= shuffles <= MOST:
        stop(f"{shuffles:,} shuffles cannot be judged; take {FEWEST:,} to {MOST:,}.")
    try:
        with _patience(), bar("shuffles", shuffles, as_json) as watch:
            found = report(shuffles, jokers=int(jokers), seed=seed, watch=watch)
    except (OSError, BrokenExecutor) as problem:
        stop(f"the processes that shuffle did not finish: {problem}")
    from croupier.cli import draw_shuffles

    if as_json:
        print_json(draw_shuffles.plain(found, shuffles, 52 + jokers, seed))
    else:
        draw_shuffles.report(found, shuffles, 52 + jokers, seed)
    raise typer.Exit(0 if all(each.passes for each in found) else 1)


@app.command("print")
def print_(
    what: Annotated[str, typer.Argument(help="layout, sign, guide, strategy, mathematics, submission, or all of them.")],
    files: Annotated[list[Path], typer.Argument(help="Rules Submissions as TOML; a guide of several is bound as one.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The file, or the folder for several.")] = None,
    form: Annotated[str, typer.Option("--format", help="pdf, svg, html or png; by the file's name, else pdf.")] = "",
    resolution: Annotated[int, typer.Option(min=20, max=600, help="Pixels per inch of a PNG.")] = 144,
) -> None:
    """Print what has to be filed, posted or handed out, from the submission alone."""
    from croupier.cli import draw_printed
    from croupier.printed.press import DOCUMENTS, FORMS

    form = form or (out.suffix.removeprefix(".") if out and out.suffix.removeprefix(".") in FORMS else "pdf")
    if what not in (*DOCUMENTS, "all"):
        stop(f"“{what}” is not printed; take {', '.join(DOCUMENTS)} or all.")
    if form not in FORMS:
        stop(f"“{form}” is no format; take {', '.join(FORMS)}.")
    with for_people():
        filings = [draw_printed.filing(file, _read(file)) for file in files]
        try:
            with _patience():
                draw_printed.printed(what, filings, form, out, resolution)
        except OSError as problem:
            stop(f"{problem.filename or out} cannot be written: {problem.strerror}.")


@app.command()
def diff(
    before: Annotated[Path, typer.Argument(help="A Rules Submission.")],
    after: Annotated[Path, typer.Argument(help="Another of the same game.")],
    hands_per_hour: Annotated[int, typer.Option(min=0, max=100_000, help="Hands dealt to players in an hour.")] = 240,
    hours: Annotated[int, typer.Option(min=0, max=10_000, help="Hours in a year.")] = 4_000,
    average: Annotated[
        list[str] | None, typer.Option(help="“Pair Plus Wager=10”: a wager's average in dollars; the minimum without it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what changed between two filings, clause by clause, and what it does to each edge and to the yearly win."""
    from croupier.cli import draw_printed
    from croupier.printed.difference import Play, difference

    with for_people():
        play = Play(hands_per_hour, hours, draw_printed.averages(average or []))
        one, other = (draw_printed.filing(file, _read(file)) for file in (before, after))
        with _patience():
            found = difference(one.offer, other.offer, play)
    if as_json:
        return print_json(draw_printed.plain_difference(found))
    return draw_printed.difference(one.offer, found, play)


def _filed(submission: Path, rules: Any, edition: str) -> Any:
    """The Offer of a submission of this game."""
    from croupier.filing.check import check as check_submission

    if not (raw := _read(submission)):
        stop(f"{submission} is empty; `croupier new {rules.number}` writes a Rules Submission to start from.")
    try:
        offer = check_submission(raw).offer_or_refuse()
    except Refusal as refusal:
        raise refusal.at("the submission") from None
    if offer.rules.number != rules.number or (edition and offer.rules.edition != rules.edition):
        asked = f"{rules.number}, {rules.edition}" if edition else rules.number
        raise Refusal(f"the submission is of {offer.rules.number}, {offer.rules.edition}", "601a.2", f"a submission of {asked}")
    return offer


@contextmanager
def _patience() -> Iterator[None]:
    """Say once that kernels are compiled, and leave quietly on Ctrl-C."""
    # Where scipy is installed, numba loads its linear algebra, which takes half a second and which no kernel here needs.
    sys.modules.setdefault("scipy.linalg.cython_blas", None)  # type: ignore[arg-type]
    from croupier.odds.report import is_compiled

    if not is_compiled():
        print("Compiling the counting kernels; this happens once.", file=sys.stderr)
    from croupier.cli.draw_odds import progress

    try:
        with progress():
            yield
    except KeyboardInterrupt:
        stop("Stopped; nothing half-done was kept.")


@app.command()
def shift(
    seed: Annotated[int, typer.Option(help="What the whole night follows from.")] = 7,
    tables: Annotated[int, typer.Option(min=1, max=1_000, help="Tables; from 30 on every way of dealing of every edition.")] = 50,
    rounds: Annotated[int, typer.Option(min=1, max=100_000_000, help="Rounds of all tables together.")] = 10_000,
    store: Annotated[str, typer.Option(help="Where the log is kept: memory, sqlite or postgres.")] = "memory",
    database: Annotated[str, typer.Option(help="The PostgreSQL database; for SQLite a folder, a temporary one without it.")] = "",
    faults: Annotated[bool, typer.Option(help="With every fault, or only players, irregularities and mischief.")] = True,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 for one a core. The verdict is the same for any number.")] = 0,
    replay: Annotated[str, typer.Option(help="Run a script that a shift has printed, instead.")] = "",
    as_json: AsJson = False,
) -> None:
    """Run the night shift: tables of all games, all temperaments, every fault, and an auditor. Exit 1 if he finds something."""
    from croupier.cli import draw_shift
    from croupier.shift.orders import NotAScript
    from croupier.shift.shift import tasks, work
    from croupier.shift.stores import NoStore, Store

    try:
        if replay:
            raise typer.Exit(draw_shift.replay(Path(replay)))
        if store not in list(Store):
            stop(f"“{store}” is no store: {', '.join(Store)}.")
        with draw_shift.progress(rounds) as report:
            found = work(tasks(seed, tables, rounds, Store(store), database, faults=faults), workers, report)
    except (NotAScript, NoStore) as problem:
        stop(f"{problem}.")
    except KeyboardInterrupt:
        stop("Stopped; there is no verdict.")
    if as_json:
        print_json(found.plain())
    else:
        draw_shift.verdict(found)
        draw_shift.script(found)
    raise typer.Exit(0 if found.holds else 1)


@app.command()
def demo() -> None:
    """Settle and explain an example round of each game."""
    from importlib.resources import files

    from croupier import book
    from croupier.cli import draw
    from croupier.filing.submission import read_toml
    from croupier.table.case import read_case

    for number in book.MODULES:
        raw = read_toml(files("croupier.examples").joinpath(f"{number}.toml").read_text())
        case = read_case(raw)
        draw.settled(case, case.settle(), raw["title"])


def _read(file: Path) -> dict[str, Any]:
    """A TOML file, or standard input; what cannot be read gets one sentence and exit 2."""
    from croupier.filing.submission import MOST_BYTES, Unreadable, read_toml

    try:
        with nullcontext(sys.stdin.buffer) if str(file) == "-" else file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        return read_toml(data.decode(errors="strict" if len(data) <= MOST_BYTES else "replace"))
    except OSError as problem:
        stop(f"{file} cannot be read: {problem.strerror}.")
    except Unreadable as problem:
        stop(f"{file} {problem}.")
    except UnicodeDecodeError:
        stop(f"{file} is not a text file.")


def main() -> None:
    gc.set_threshold(100_000)  # what a command imports stays, and need not be looked through for garbage
    app()
