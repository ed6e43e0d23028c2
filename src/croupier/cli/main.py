"""The commands: each reads its input, asks the library and prints, with errors as sentences."""

from __future__ import annotations

import gc
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier import __version__
from croupier.cli import chapter_commands, ledger_commands, report_command, restore_command, serve_command, shuffle_commands
from croupier.cli.answers import AsJson, Books, for_people, patience, print_json, stop
from croupier.cli.group import Commands
from croupier.law.cite import Refusal

if TYPE_CHECKING:
    from croupier.filing.offer import Offer
    from croupier.law.chapter import Rules

app = typer.Typer(cls=Commands, no_args_is_help=True)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"croupier {__version__}")
        raise typer.Exit()


#: The groups of commands in the help.
BOOK, FILINGS, ODDS, FLOOR = "The book", "Filings", "Odds", "The floor"


@app.callback()
def croupier(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Casino table games by the book: 58 Pa. Code, from a filing to a settled round."""


Game = Annotated[
    str, typer.Argument(help="A chapter number or a game's name, as `croupier games` lists them, or a chapter file (./game.py).")
]
InEdition = Annotated[str, typer.Option("--edition", help="The edition's date. By default the newest.")]
TomlFile = Annotated[Path, typer.Argument(help="A TOML file, or - for standard input.")]


@app.command(rich_help_panel=BOOK)
def games(books: Books = None, as_json: AsJson = False) -> None:
    """List the games: chapter, editions, seats, wagers, paytables."""
    from croupier import book
    from croupier.law import plain_data

    rules = [chapter.edition() for chapter in book.chapters()]
    if as_json:
        return print_json([{**plain_data.heading(each), **_contents(each)} for each in rules])
    from croupier.cli import draw

    return draw.games(rules)


def _rules(game: str, edition: str) -> Rules:
    """An edition of the game that a person typed."""
    from croupier import book

    return book.find(book.named(game)).edition(edition)


def _contents(rules: Rules) -> dict[str, Any]:
    from croupier.law.paytable import Paytable

    return {
        "editions": [edition.name for edition in rules.chapter.editions],
        "wagers": [wager.key for wager in rules.wagers.values()],
        "paytables": [{"name": table.name, "letters": list(table.letters)} for table in rules.of(Paytable)],
    }


@app.command(rich_help_panel=BOOK)
def show(game: Game, edition: InEdition = "", as_json: AsJson = False) -> None:
    """Print one chapter: every wager, ranking, paytable, decision, dealing method, irregularity and reading, with its citation."""
    from croupier.law import plain_data

    with for_people():
        rules = _rules(game, edition)
    if as_json:
        return print_json(plain_data.chapter(rules))
    from croupier.cli import draw

    return draw.chapter(rules)


@app.command(rich_help_panel=FILINGS)
def new(game: Game, edition: InEdition = "") -> None:
    """Write a complete, commented, valid Rules Submission to start from."""
    from croupier.filing.template import write

    with for_people():
        print(write(_rules(game, edition)), end="")


@app.command(rich_help_panel=FILINGS)
def check(
    file: TomlFile,
    with_odds: Annotated[
        bool, typer.Option("--odds", help="Warn about wagers that return more than they take, or less than 75%.")
    ] = False,
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Check a Rules Submission. Exit 1 if it has errors."""
    import msgspec

    from croupier.filing.check import check as check_submission

    checked = check_submission(_read(file))
    if with_odds and checked.offer:
        with patience():
            from croupier.odds.return_warnings import cautions

            checked = replace(checked, findings=(*checked.findings, *cautions(checked.offer)))
    if as_json:
        valid = {"valid": checked.offer is not None, "hash": checked.offer.hash if checked.offer else None}
        print_json({**valid, "findings": msgspec.to_builtins(checked.findings)})
    else:
        from croupier.cli import draw

        draw.findings(checked)
    raise typer.Exit(1 if checked.offer is None else 0)


@app.command(rich_help_panel=BOOK)
def settle(
    file: TomlFile,
    submission: Annotated[
        Path | None, typer.Option(help="Settle under this Rules Submission instead of the choices in the case.")
    ] = None,
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Settle a round described in a file: for each seat, every wager with its result, odds, payment and clause."""
    from croupier.filing.check import check as check_submission
    from croupier.table import settlement_data
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
        return print_json(settlement_data.settled(case, result))
    from croupier.cli import draw

    return draw.settled(case, result, raw.get("title", ""))


@app.command(rich_help_panel=ODDS)
def odds(
    game: Game,
    edition: InEdition = "",
    submission: Annotated[Path | None, typer.Option(help="Price only what this Rules Submission offers.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Count again instead of using the cache.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the exact house edge of every wager, for every paytable and reading, with the outcomes behind it."""
    from croupier.odds.prices import prices
    from croupier.odds.report import report

    with for_people():
        rules = _rules(game, edition)
        offer = _filed(submission, rules, edition) if submission else None
    data = prices(offer, fresh=fresh, counting=patience).report if offer else report(rules, fresh=fresh, counting=patience)
    if as_json:
        print_json({key: data[key] for key in ("game", "edition", "entries", "published", "not_counted")})
    else:
        from croupier.cli import draw_odds

        draw_odds.report(rules, data)
    if data["not_counted"]:
        stop("\n".join(f"{wager}: {says}" for wager, says in data["not_counted"].items()))


@app.command(rich_help_panel=ODDS)
def strategy(
    game: Game,
    edition: InEdition = "",
    submission: Annotated[Path | None, typer.Option(help="Use the choices of this Rules Submission.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the best strategy in plain words, with the exact cost of each simplification."""
    from croupier.cli import draw_odds

    offer = _offer_for(game, edition, submission)
    with for_people(), patience():
        from croupier.odds.strategy.best_play import strategy as best_play

        found = best_play(offer)
    if as_json:
        return print_json(draw_odds.plain_strategy(offer.rules, found))
    return draw_odds.strategy(offer.rules, found)


@app.command(rich_help_panel=ODDS)
def advise(
    game: Game,
    cards: Annotated[str, typer.Option(help="The player's cards, such as “Qs 6h 4d”.")],
    up: Annotated[str, typer.Option(help="The dealer's up card, where a game shows one.")] = "",
    board: Annotated[str, typer.Option(help="The community cards that are face up.")] = "",
    edition: InEdition = "",
    submission: Annotated[Path | None, typer.Option(help="Use the choices of this Rules Submission.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the exact value of each choice for the cards in hand."""
    from croupier.cards import NotACard
    from croupier.cards import cards as read_cards
    from croupier.cli import draw_odds
    from croupier.odds.names import exact

    offer = _offer_for(game, edition, submission)
    with for_people(), patience():
        from croupier.odds.advice import advise as ask
        from croupier.odds.advice import assumes

        try:
            held, shown, community = read_cards(cards), read_cards(up), read_cards(board)
        except NotACard as wrong:
            raise Refusal(str(wrong), offer.rules.cite("3(a)"), "cards such as “As Td 9c”") from None
        found, taken = ask(offer, held, shown, community), assumes(offer, held, shown, community)
    if as_json:
        return print_json([{"choice": each.choice, "value": exact(each.value)} for each in found])
    return draw_odds.advice(found, taken)


def _offer_for(game: str, edition: str, submission: Path | None) -> Offer:
    """The Offer that a question is about: a submission's, or one with the code's defaults."""
    with for_people():
        rules = _rules(game, edition)
        if submission:
            return _filed(submission, rules, edition)
    from croupier.filing.check import check as check_submission

    optional = sorted({wager.name for wager in rules.wagers.values() if wager.optional})
    return check_submission({"wagers": optional}, rules=rules, case=True).offer_or_refuse()


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
    from croupier.cli import draw_odds

    offer = _offer_for(game, edition, submission)
    rules = offer.rules
    with for_people():
        if seats > rules.seats:
            raise Refusal(f"there are not {seats} seats", rules.cite("2(a)"), f"1 to {rules.seats}")
        if strategy not in ("best", "always play"):
            raise Refusal(f"“{strategy}” is not a strategy", rules.cite("11"), "best, always play")
    try:
        with for_people(), patience():
            found = draw_odds.simulated(offer, rounds, seed, strategy=strategy, seats=seats, cluster=cluster, quiet=as_json)
    except OSError as problem:
        stop(f"the cluster at {cluster} does not answer: {problem}.")
    if as_json:
        return print_json(
            {
                "game": rules.number,
                "edition": rules.edition.name,
                "seed": seed,
                "strategy": strategy,
                "wagers": [draw_odds.plain(each) for each in found],
            }
        )
    return draw_odds.simulation(rules, found, seed, strategy)


@app.command("print", rich_help_panel=FILINGS)
def print_(
    what: Annotated[str, typer.Argument(help="layout, sign, guide, strategy, mathematics, submission, or all of them.")],
    files: Annotated[list[Path], typer.Argument(help="Rules Submissions (TOML). A guide to several games is one document.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The file, or the folder for several.")] = None,
    form: Annotated[str, typer.Option("--format", help="pdf, svg, html or png. By default from the file name, or pdf.")] = "",
    resolution: Annotated[int, typer.Option(min=20, max=600, help="Pixels per inch of a PNG.")] = 144,
    books: Books = None,
) -> None:
    """Print the layout, sign, guide, strategy card, mathematics report or form of a Rules Submission."""
    from croupier.cli import draw_printed
    from croupier.printed.press import DOCUMENTS, FORMS

    form = form or (out.suffix.removeprefix(".") if out and out.suffix.removeprefix(".") in FORMS else "pdf")
    if what not in (*DOCUMENTS, "all"):
        stop(f"“{what}” is not a document; use {', '.join(DOCUMENTS)} or all.")
    if form not in FORMS:
        stop(f"“{form}” is not a format; use {', '.join(FORMS)}.")
    with for_people():
        filings = [draw_printed.filing(file, _read(file)) for file in files]
        try:
            with patience():
                draw_printed.printed(what, filings, form, out, resolution)
        except OSError as problem:
            stop(f"{problem.filename or out} cannot be written: {problem.strerror}.")


@app.command(rich_help_panel=FILINGS)
def diff(
    before: Annotated[Path, typer.Argument(help="The Rules Submission to compare with.")],
    after: Annotated[Path, typer.Argument(help="Another Rules Submission for the same game.")],
    hands_per_hour: Annotated[int, typer.Option(min=0, max=100_000, help="Hands dealt per hour, all players together.")] = 240,
    hours: Annotated[int, typer.Option(min=0, max=10_000, help="Hours of play per year.")] = 4_000,
    average: Annotated[
        list[str] | None,
        typer.Option(help="A wager's average bet in dollars: “NAME=10”. By default its minimum."),
    ] = None,
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Compare two filings clause by clause, with the effect on each house edge and on the yearly win."""
    from croupier.cli import draw_printed
    from croupier.printed.documents.difference import PlayVolume, difference

    with for_people():
        play = PlayVolume(hands_per_hour, hours, draw_printed.averages(average or []))
        one, other = (draw_printed.filing(file, _read(file)) for file in (before, after))
        with patience():
            found = difference(one.offer, other.offer, play)
    if as_json:
        return print_json(draw_printed.plain_difference(found))
    return draw_printed.difference(one.offer, found, play)


def _filed(submission: Path, rules: Rules, edition: str) -> Offer:
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
        raise Refusal(f"the submission is for {offer.rules.number}, {offer.rules.edition}", "601a.2", f"a submission for {asked}")
    return offer


@app.command(rich_help_panel=FLOOR)
def fingerprint(
    expect: Annotated[str, typer.Option(help="The fingerprint it should be. Exit 1 if it is another.")] = "",
    files: Annotated[bool, typer.Option("--files", help="List the files with their hashes, as sha256sum does.")] = False,
) -> None:
    """Print the SHA-256 of the program's own files, to compare with that of the program that was examined."""
    from croupier.floor import program

    found = program.files()
    made = program.fingerprint(found)
    for digest, name in found if files else ():
        print(f"{digest}  {name}")
    if not files:
        print(made)
    if expect and expect.lower() != made:
        stop(f"The program's fingerprint is {made}, not {expect}.", 1)


@app.command(rich_help_panel=FLOOR)
def shift(
    games: Annotated[
        list[str] | None, typer.Argument(help="The games to play, as numbers, names or chapter files. By default all.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed for the whole night.")] = 7,
    tables: Annotated[
        int,
        typer.Option(min=1, max=1_000, help="Tables. With 30 or more, every edition is dealt by every method it allows."),
    ] = 50,
    rounds: Annotated[int, typer.Option(min=1, max=100_000_000, help="Rounds to play, all tables together.")] = 10_000,
    store: Annotated[str, typer.Option(help="Where to keep the log: memory, sqlite or postgres.")] = "memory",
    database: Annotated[
        str, typer.Option(help="The PostgreSQL database, or a folder for SQLite. By default a temporary one.")
    ] = "",
    faults: Annotated[bool, typer.Option(help="Inject crashes, lost writes, duplicates and clock jumps.")] = True,
    workers: Annotated[int, typer.Option(min=0, help="Worker processes; 0 for one per core. They do not change the verdict.")] = 0,
    replay: Annotated[str, typer.Option(help="Run a script that an earlier shift printed.")] = "",
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a night of play with faults, checked by an independent auditor. Exit 1 if the auditor finds a problem."""
    from croupier.cli import draw, draw_shift
    from croupier.shift.script import NotAScript
    from croupier.shift.shift import tasks, work
    from croupier.shift.writers.stores import NoStore, Store

    with for_people():
        numbers = [_rules(game, "").number for game in games or ()]
    try:
        if replay:
            raise typer.Exit(draw_shift.replay(Path(replay)))
        if store not in list(Store):
            stop(f"“{store}” is not a store; use {', '.join(Store)}.")
        with draw.bar("rounds", rounds) as report:
            found = work(tasks(seed, tables, rounds, Store(store), database, faults=faults, games=numbers), workers, report)
    except (NotAScript, NoStore) as problem:
        stop(f"{problem}.")
    except KeyboardInterrupt:
        stop("Stopped without a verdict.")
    if as_json:
        print_json(found.plain())
    else:
        draw_shift.verdict(found)
        draw_shift.script(found)
    raise typer.Exit(0 if found.holds else 1)


@app.command(rich_help_panel=BOOK)
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
    """Read a TOML file or standard input; if it cannot be read, print one sentence and exit with 2."""
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


chapter_commands.register(app)
ledger_commands.register(app)
report_command.register(app)
shuffle_commands.register(app)
restore_command.register(app)
serve_command.register(app)


def main() -> None:
    gc.set_threshold(100_000)  # what a command imports stays, and need not be looked through for garbage
    app()
