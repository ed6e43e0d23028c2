"""The commands for a log: verify it, sign it, replay a round, export a transcript."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import Enum
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from croupier.cli.display import bar, console
from croupier.cli.shared import LEDGER, AsJson, Books, SigningKey, WitnessAt, print_json, stop
from croupier.ledger import NotRecorded, Source, Unreadable, is_postgres, open_recorder

LogPath = Annotated[str, typer.Argument(help="A database (path, sqlite:/// or postgresql:// address) or an exported transcript.")]
HouseKey = Annotated[
    str,
    typer.Option(
        "--house-key",
        envvar="CROUPIER_HOUSE_KEY",
        help="The house key file, or env:NAME, to open decks not dealt yet. Default: the file next to the database.",
    ),
]


class Accepted(Enum):
    """Which unsigned entries to accept."""

    NONE, TAIL, ALL = "none", "tail", "all"


AtTable = Annotated[str, typer.Option("--table", help="The name of the table.")]

app = typer.Typer()


@app.command(rich_help_panel=LEDGER)
def verify(
    source: LogPath,
    key: Annotated[list[str] | None, typer.Option(help="A public key that you trust, in hexadecimal. Can be repeated.")] = None,
    unsigned: Annotated[
        Accepted, typer.Option(help="Which unsigned entries to accept: none, those after the last checkpoint (tail), or all.")
    ] = Accepted.NONE,
    witness: Annotated[
        Path | None,
        typer.Option(help="The witness file to compare with. Default: the one next to the ledger, if any."),
    ] = None,
    house_key: HouseKey = "",
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Check a log: chains, signatures, commitments, money, every rule of every round. Exit 0 if sound, 1 if not."""
    trusted = [_public_key(each) for each in key or ()] or _key_beside(source)
    from croupier.cli import display_ledger
    from croupier.floor.registers.house_key import reading_vault
    from croupier.floor.verification.verify import verify as verify_log
    from croupier.ledger.recorders.sqlite import was_ledger
    from croupier.ledger.signatures.signer import file_beside
    from croupier.ledger.signatures.witness import FileWitness

    with _readable():
        vault = reading_vault(house_key, source)
    with _readable(code=1 if was_ledger(source) else 2), bar("entries", quiet=as_json) as watch:
        seen = FileWitness(witness or file_beside(source, ".witness"))
        compare = witness is not None or (not is_postgres(source) and seen.path.exists())
        found = verify_log(source, trusted, watch, seen.lines() if compare else None, vault)
    if as_json:
        print_json(display_ledger.plain_report(found))
    else:
        display_ledger.report(found, source)
    tail = unsigned is Accepted.TAIL and found.checkpoints > 0
    raise typer.Exit(0 if found.sound or (found.holds and (tail or unsigned is Accepted.ALL)) else 1)


@app.command(rich_help_panel=LEDGER)
def checkpoint(
    source: LogPath,
    signing_key: SigningKey = "",
    witness: WitnessAt = "",
    next_key: Annotated[
        str,
        typer.Option(help="The key that signs from now on (a path, env:NAME or command:...). The current one endorses it."),
    ] = "",
) -> None:
    """Sign the current heads of all streams. The server does this every minute."""
    from croupier.floor.clock import now_in_milliseconds
    from croupier.ledger.signatures.checkpoint import CheckpointAct, open_checkpoint, sign_and_save, verify_continues
    from croupier.ledger.signatures.signer import open_signer, signer_of
    from croupier.ledger.signatures.witness import witnesses_of

    with _readable(), closing(open_recorder(source, create=False)) as recorder:
        signer, following = signer_of(source, signing_key), open_signer(next_key) if next_key else None
        record, witnesses = witnesses_of(source, witness)
        verify_continues(recorder, signer, record.last() if record else None)
        why, act = ("new key", CheckpointAct(next=following.public_key.hex())) if following else ("by hand", CheckpointAct())
        checkpoint = sign_and_save(recorder, signer, now_in_milliseconds(), why, act)
        for each in witnesses:
            each(checkpoint)
        made = open_checkpoint(checkpoint)
    console.print(
        f"Signed the heads of all streams ({len(made.heads):,}) with the key {made.key} ({signer.where}).", soft_wrap=True
    )
    if following:
        console.print(f"From now on the key {made.next} ({following.where}) must sign. Start the server with it.", soft_wrap=True)


@app.command(rich_help_panel=LEDGER)
def replay(
    source: LogPath,
    table: AtTable,
    number: Annotated[int, typer.Option("--round", help="The number of the round.")],
    everything: Annotated[bool, typer.Option("--all", help="Show the sealed cards too, where the log has them.")] = False,
    house_key: HouseKey = "",
    books: Books = None,
    as_json: AsJson = False,
) -> None:
    """Show a round step by step, with citations. Face-down cards stay hidden unless the source opens them."""
    from croupier.cli import display_ledger
    from croupier.floor.registers.house_key import reading_vault
    from croupier.floor.surveillance.replay import replay as replay_round

    with opened(source) as log:
        found = replay_round(log, table, number, everything=everything, vault=reading_vault(house_key, source))
    if as_json:
        return print_json(display_ledger.plain_story(found))
    return display_ledger.story(found)


@app.command(rich_help_panel=LEDGER)
def export(
    source: LogPath,
    table: AtTable,
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.")],
    number: Annotated[int, typer.Option("--round", min=0, help="Open the cards of this round only.")] = 0,
    reader: Annotated[
        str, typer.Option("--for", help="player:3, dealer, floorperson, public; or everyone, to include all sealed values.")
    ] = "public",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it exists.")] = False,
    house_key: HouseKey = "",
    books: Books = None,
) -> None:
    """Write a transcript of a table that verifies against the same chain, without the cards that its reader may not see."""
    from croupier.floor.registers.house_key import reading_vault
    from croupier.floor.transcripts.export import export as export_table

    with opened(source) as log:
        try:
            made = export_table(log, table, output, reader, number, overwrite=overwrite, vault=reading_vault(house_key, source))
        except FileExistsError as problem:
            stop(str(problem))
        except OSError as problem:
            stop(f"{output} cannot be written: {problem.strerror}.")
    console.print(f"{output}: {made.entries:,} entries, {made.opened:,} sealed cards opened.")
    if made.sealed:
        orders = f"{made.sealed:,} deck{'s' * (made.sealed > 1)}"
        console.print(f"The cards of {orders} are not in it, because no house key opens them. Name the key with --house-key.")
    console.print(f"table/{table}, version {made.version:,}: {made.head}", soft_wrap=True)


def _key_beside(source: str) -> list[bytes]:
    """The public key of the key file beside a ledger, if it can be read."""
    from croupier.ledger.signatures.signer import file_beside, open_signer

    path = file_beside(source, ".signing.key")
    try:
        return [open_signer(str(path)).public_key] if not is_postgres(source) and path.exists() else []
    except (Unreadable, NotRecorded):
        return []


def _public_key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 32:
        stop("A public key is 64 hexadecimal digits.")
    return key


@contextmanager
def opened(text: str) -> Iterator[Source]:
    from croupier.floor.transcripts.sources import open_source

    with _readable(), closing(open_source(text)) as source:
        yield source


@contextmanager
def _readable(code: int = 2) -> Iterator[None]:
    """Stop with one sentence if something cannot be read."""
    from croupier.table.events import NotAnEvent

    try:
        yield
    except Unreadable as problem:
        stop(str(problem), code)
    except (NotAnEvent, msgspec.MsgspecError) as problem:
        stop(f"The log is damaged: {problem}. Run croupier verify for details.", code)
    except KeyboardInterrupt:
        stop("Stopped.")
