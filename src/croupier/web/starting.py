"""Starting a server: the first day of a floor, and the application that each worker process serves."""

from __future__ import annotations

from litestar import Litestar

from croupier.floor.premises import Premises
from croupier.web import logs
from croupier.web.app import create_app
from croupier.web.settings import Settings


async def first_start(settings: Settings) -> str | None:
    """Make an administrator and the seven tables where there are none; the one-time password if one was made."""
    premises = Premises(settings.database)
    try:
        password = premises.people.first_start()
        if settings.demo == "yes" and not premises.floor.all():
            await premises.open_demo()
    finally:
        await premises.stop()
    return password


def served_app() -> Litestar:
    logs.configure()
    return create_app()
