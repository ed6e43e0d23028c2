"""The commands about a log: verify it, sign it, replay a round of it, export a transcript of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.answers import AsJson, SigningKey, for_people, print_json, stop

if TYPE_CHECKING:
    from croupier.ledger import Source

Log = Annotated[str, typer.Argument(help="A database (path, sqlite:/// or postgresql:// address) or an exported transcript.")]


class Accepted(Enum):
    """Which unsigned entries are accepted."""

    NONE, TAIL, ALL = "none", "tail", "all"


AtTable = Annotated[str, typer.Option("--table", help="The name of the table.")]


def register(app: typer.Typer) -> None:
    for command in (verify, checkpoint, replay, export):
        app.command()(command)


def verify(
    source: Log,
    key: Annotated[
        list[str] | None, typer.Option(help="A public key that you trust, in hexadecimal; may be given several times.")
    ] = None,
    unsigned: Annotated[
        Accepted, typer.Option(help="Accept no unsigned entries, those after the last checkpoint (tail), or all.")
    ] = Accepted.NONE,
    as_json: AsJson = False,
) -> None:
    """Check a log: chains, signatures, commitments, money, every rule of every round. Exit 0 if sound, 1 if damaged or unsigned."""
    trusted = [_public_key(each) for each in key or ()]
    from croupier.cli import draw_ledger
    from croupier.floor.verifying import verify as verify_log

    with _readable(), _bar(as_json) as watch:
        found = verify_log(source, trusted, watch)
    if as_json:
        print_json(draw_ledger.plain_report(found))
    else:
        draw_ledger.report(found, source)
    tail = unsigned is Accepted.TAIL and found.checkpoints > 0
    raise typer.Exit(0 if found.sound or (found.holds and (tail or unsigned is Accepted.ALL)) else 1)


def checkpoint(
    source: Log,
    signing_key: SigningKey = "",
    next_key: Annotated[
        str,
        typer.Option(help="The key that signs from now on (a path, env:NAME or command:...); the present one endorses it."),
    ] = "",
) -> None:
    """Sign the heads of all streams as they stand now. The server does this by itself every minute."""
    from croupier.cli.draw import console
    from croupier.floor.house import now_in_milliseconds
    from croupier.ledger import NotRecorded, Unknown, open_recorder
    from croupier.ledger.checkpoint import open_checkpoint, save
    from croupier.ledger.signer import open_signer, signer_of

    with _readable():
        recorder = open_recorder(source, create=False)
        try:
            signer, following = signer_of(source, signing_key), open_signer(next_key) if next_key else None
            why, endorsed = ("new key", following.public_key) if following else ("by hand", b"")
            made = open_checkpoint(save(recorder, signer, now_in_milliseconds(), why, endorsed))
        except (NotRecorded, Unknown) as problem:
            stop(str(problem))
        finally:
            recorder.close()
    console.print(
        f"Signed the heads of all streams ({len(made.heads):,}) with the key {made.key} ({signer.where}).", soft_wrap=True
    )
    if following:
        console.print(f"From now on the key {made.next} ({following.where}) has to sign. Start the server with it.", soft_wrap=True)


def replay(
    source: Log,
    table: AtTable,
    number: Annotated[int, typer.Option("--round", help="The number of the round.")],
    everything: Annotated[bool, typer.Option("--all", help="Show the sealed cards too, where the log has them.")] = False,
    as_json: AsJson = False,
) -> None:
    """Tell a round step by step, with citations. Cards that lie face down stay so, unless the source opens them."""
    from croupier.cli import draw_ledger
    from croupier.floor.replaying import replay as replay_round

    with _opened(source) as log:
        told = replay_round(log, table, number, everything=everything)
    if as_json:
        return print_json(draw_ledger.plain_story(told))
    return draw_ledger.story(told)


def export(
    source: Log,
    table: AtTable,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.")],
    number: Annotated[int, typer.Option("--round", min=0, help="Open the cards of this round only.")] = 0,
    reader: Annotated[
        str, typer.Option("--for", help="player:3, dealer, floorperson, public; everyone with all sealed values.")
    ] = "public",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it is there.")] = False,
) -> None:
    """Write a transcript of a table that verifies against the same chain, with the cards withheld that its reader may not see."""
    from croupier.cli.draw import console
    from croupier.floor.exporting import export as export_table

    with _opened(source) as log:
        try:
            made = export_table(log, table, output, reader, number, overwrite=overwrite)
        except FileExistsError as problem:
            stop(str(problem))
        except OSError as problem:
            stop(f"{output} cannot be written: {problem.strerror}.")
    console.print(f"{output}: {made.entries:,} entries, {made.opened:,} sealed cards handed on.")
    console.print(f"table/{table}, version {made.version:,}: {made.head}", soft_wrap=True)


def _public_key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 32:
        stop("A public key is 64 hexadecimal digits.")
    return key


@contextmanager
def _opened(text: str) -> Iterator[Source]:
    from croupier.floor.sources import open_source

    with _readable():
        source = open_source(text)
        try:
            yield source
        finally:
            source.close()


@contextmanager
def _readable() -> Iterator[None]:
    """What cannot be read gets one sentence and exit 2."""
    import msgspec

    from croupier.ledger import Unreadable
    from croupier.table.events import NotAnEvent

    try:
        with for_people():
            yield
    except Unreadable as problem:
        stop(str(problem))
    except (NotAnEvent, msgspec.MsgspecError) as problem:
        stop(f"The log is damaged; croupier verify says where: {problem}.")
    except KeyboardInterrupt:
        stop("Stopped.")


@contextmanager
def _bar(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """How far verification has come, on a terminal only."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("entries"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    off = quiet or not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), disable=off, transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, of: progress.update(task, completed=done, total=of)
