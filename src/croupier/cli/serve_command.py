"""The command that serves tables to browsers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import replace
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.answers import SigningKey, stop

if TYPE_CHECKING:
    from croupier.ledger.signer import Signer
    from croupier.web.settings import Settings

UNPROTECTED = (
    "Warning: {host} can be reached from other machines, and without HTTPS anybody on the way can read passwords and cookies."
    " Listen on 127.0.0.1 behind a proxy that speaks HTTPS, and give --https."
)


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    database: Annotated[
        str, typer.Option(help="Where the ledger is: a path, sqlite:///path or postgresql://...", envvar="CROUPIER_DATABASE")
    ] = "croupier.db",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Server processes; more than one needs PostgreSQL.")] = 1,
    hosts: Annotated[str, typer.Option(help="Names under which browsers may ask for it, with commas; * for any.")] = "",
    proxies: Annotated[
        str,
        typer.Option(
            help="Addresses or networks of proxies, with commas: X-Forwarded-For is believed from them only.",
            envvar="CROUPIER_PROXIES",
        ),
    ] = "",
    https: Annotated[bool, typer.Option(help="Behind HTTPS: cookies are sent over it only.")] = False,
    demo: Annotated[bool, typer.Option(help="Open a table of each game where the floor is empty.")] = True,
    pace: Annotated[str, typer.Option(help="Of the automatic dealer: unhurried, or “at once”.")] = "unhurried",
    signing_key: SigningKey = "",
) -> None:
    """Serve tables to browsers: players, dealers, floorpersons, surveillance, the administrator."""
    from croupier.web.settings import Settings

    told = {
        "database": database,
        "hosts": hosts or host,
        "proxies": proxies,
        "secure": "yes" if https else "",
        "pace": pace,
        "demo": "yes" if demo else "no",
        "signing_key": signing_key,
    }
    settings = replace(Settings.from_environment(), **told)
    if workers > 1 and not settings.on_postgres:
        stop("Several processes need PostgreSQL; SQLite is written by one. Use --database postgresql://... or --workers 1.")
    _verify_networks(proxies)
    if pace not in ("unhurried", "at once"):
        stop(f"“{pace}” is no pace. Accepted: unhurried, “at once”.")
    if not https and not _is_local(host):
        typer.echo(UNPROTECTED.format(host=host), err=True)
    settings.to_environment()
    _held = _take(settings)  # until the process ends
    password, signer = _prepare(settings)
    listening = _listen(host, port)
    typer.echo(f"Croupier serves http://{host}:{listening.getsockname()[1]}")
    if settings.database != "memory:":
        typer.echo(f"It signs with the key {signer.public_key.hex()} ({signer.where}). Hand this public key to those who verify.")
    if password:
        typer.echo(f"The administrator's one-time password, shown only now: {password}")
    _run(listening, workers, settings.trusted)


def _take(settings: Settings) -> int | None:
    from croupier.ledger import Unreadable
    from croupier.web.place import take

    try:
        return take(settings)
    except Unreadable as problem:
        stop(str(problem))


def _verify_networks(names: str) -> None:
    from croupier.floor.places import networks

    try:
        networks(names)
    except ValueError as problem:
        stop(f"--proxies: {problem}. Name addresses or networks, such as 127.0.0.1 or 10.0.0.0/8.")


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _prepare(settings: Settings) -> tuple[str | None, Signer]:
    """The first start: a signing key, an administrator, and a table of each game."""
    from croupier.floor.house import Damaged
    from croupier.ledger import NotRecorded, Unreadable
    from croupier.web.starting import first_start

    try:
        signer = settings.signing().signer
        return asyncio.run(first_start(settings)), signer
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
        stop(f"{host}:{port} cannot be listened on: {problem.strerror}.")
    return listening


def _run(listening: socket.socket, workers: int, proxies: Sequence[object]) -> None:
    import uvicorn

    from croupier.web.door import open_many_files

    open_many_files()
    config = uvicorn.Config(
        "croupier.web.starting:served_app", factory=True, workers=workers, loop="uvloop", http="croupier.web.door:Door",
        lifespan="on", log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=10,
        timeout_keep_alive=75, backlog=4096, proxy_headers=bool(proxies), forwarded_allow_ips=[str(each) for each in proxies],
    )  # fmt: skip
    if workers == 1:
        uvicorn.Server(config).run(sockets=[listening])
        return
    from croupier.web import logs
    from croupier.web.supervising import Supervisor

    logs.configure()
    supervisor = Supervisor(config, [listening])
    supervisor.run()
    if supervisor.gave_up:
        stop(supervisor.gave_up, 1)
