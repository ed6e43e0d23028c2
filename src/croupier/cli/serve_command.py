"""The command that serves tables to browsers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import replace
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.shared import FLOOR, Books, SigningKey, WitnessAt, stop
from croupier.law.cite import Refusal

if TYPE_CHECKING:
    from croupier.ledger.signatures.signer import Signer
    from croupier.web.settings import Settings

UNPROTECTED = (
    "Warning: {host} can be reached from other machines, and without HTTPS anyone on the network can read passwords and cookies."
    " Listen on 127.0.0.1 behind an HTTPS proxy, and use --https."
)

app = typer.Typer()


@app.command(rich_help_panel=FLOOR)
def serve(
    database: Annotated[
        str, typer.Option(help="Where the ledger is: a path, sqlite:///path or postgresql://...", envvar="CROUPIER_DATABASE")
    ] = "croupier.db",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 picks a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Server processes; more than one needs PostgreSQL.")] = 1,
    hosts: Annotated[str, typer.Option(help="Host names to answer to, separated by commas; * for any.")] = "",
    proxies: Annotated[
        str,
        typer.Option(
            help="Addresses or networks of proxies whose X-Forwarded-For is trusted, separated by commas.",
            envvar="CROUPIER_PROXIES",
        ),
    ] = "",
    https: Annotated[bool, typer.Option(help="Behind an HTTPS proxy: send cookies over HTTPS only.")] = False,
    demo: Annotated[bool, typer.Option(help="Open a table of each game if the floor is empty.")] = True,
    pace: Annotated[str, typer.Option(help="The pace of the automatic dealer: unhurried or “at once”.")] = "unhurried",
    books: Books = None,
    signing_key: SigningKey = "",
    witness: WitnessAt = "",
    house_key: Annotated[
        str,
        typer.Option(help="The house key file, or env:NAME. Default: a file next to the database.", envvar="CROUPIER_HOUSE_KEY"),
    ] = "",
    new_house_key: Annotated[
        bool,
        typer.Option(
            "--new-house-key", help="Seal with a new house key from now on. Decks that only a lost key opens stay sealed."
        ),
    ] = False,
) -> None:
    """Serve tables to browsers: players, dealers, floorpersons, surveillance, the administrator."""
    from croupier.web.settings import Settings
    from croupier.web.workers.ledger_lock import take

    settings = replace(
        Settings.from_environment(), database=database, house_key=house_key, hosts=hosts or host, proxies=proxies,
        secure="yes" if https else "", pace=pace, demo="yes" if demo else "no", signing_key=signing_key, witness=witness,
    )  # fmt: skip
    if workers > 1 and not settings.on_postgres:
        stop("Several processes need PostgreSQL; SQLite has one writer. Use --database postgresql://... or --workers 1.")
    trusted = _trusted(settings)
    if pace not in ("unhurried", "at once"):
        stop(f"“{pace}” is not a pace. Use unhurried or “at once”.")
    if not https and not _is_local(host):
        typer.echo(UNPROTECTED.format(host=host), err=True)
    settings.to_environment()
    _lock = take(settings)  # until the process ends
    listening = _listen(host, port)  # before the first start makes a password that nobody would be shown
    password, signer = _prepare(settings, new_house_key=new_house_key)
    typer.echo(f"Croupier is serving at http://{host}:{listening.getsockname()[1]}")
    if settings.database != "memory:":
        key = f"{signer.public_key.hex()} ({signer.where})"
        typer.echo(f"It signs with the key {key}. Give this public key to anyone who verifies the log.")
    if password:
        typer.echo(f"The administrator's one-time password, shown only now: {password}")
    _run(listening, workers, trusted)


def _trusted(settings: Settings) -> Sequence[object]:
    try:
        return settings.trusted
    except ValueError as problem:
        stop(f"--proxies: {problem}. Name addresses or networks, such as 127.0.0.1 or 10.0.0.0/8.")


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _prepare(settings: Settings, *, new_house_key: bool) -> tuple[str | None, Signer]:
    """Run the first start and report what went wrong; returns the one-time password, if any, and the signer."""
    from croupier.floor.house.house import Damaged
    from croupier.floor.registers.house_key import NoHouseKey
    from croupier.ledger import NotRecorded, Unreadable
    from croupier.ledger.signatures.checkpoint import ForeignKey, NotContinued
    from croupier.web.startup import first_start

    try:
        signer = settings.signing().signer
        return asyncio.run(first_start(settings, new_house_key=new_house_key)), signer
    except (NoHouseKey, Refusal) as problem:
        return stop(str(problem))
    except (NotContinued, ForeignKey) as problem:
        advice = "To use it anyway, an administrator and a second person have to accept it: run croupier restore."
        return stop(f"The ledger cannot be used: {problem} {advice}")
    except (Damaged, Unreadable, NotRecorded) as problem:
        return stop(f"The ledger cannot be used: {problem}")


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.set_inheritable(True)
    except OSError as problem:
        stop(f"Cannot listen on {host}:{port}: {problem.strerror}.")
    return listening


def _run(listening: socket.socket, workers: int, proxies: Sequence[object]) -> None:
    import uvicorn

    from croupier.web.security.connection_limits import open_many_files

    open_many_files()
    config = uvicorn.Config(
        "croupier.web.startup:served_app", factory=True, workers=workers, loop="uvloop", ws="none", lifespan="on",
        http="croupier.web.security.connection_limits:LimitedProtocol", log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=10, timeout_keep_alive=75, backlog=4096,
        proxy_headers=bool(proxies), forwarded_allow_ips=[str(each) for each in proxies],
    )  # fmt: skip
    if workers == 1:
        uvicorn.Server(config).run(sockets=[listening])
        return
    from croupier.web import logs
    from croupier.web.workers.supervisor import Supervisor

    logs.configure()
    supervisor = Supervisor(config, [listening])
    supervisor.run()
    if supervisor.gave_up:
        stop(supervisor.gave_up, 1)
