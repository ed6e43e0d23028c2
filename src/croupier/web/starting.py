"""Starting a server: the first day of a floor, and the application that each worker process serves."""

from __future__ import annotations

from litestar import Litestar

from croupier.floor.premises import Premises
from croupier.web import logs
from croupier.web.app import create_app
from croupier.web.copying import put_in_place
from croupier.web.settings import Settings


async def first_start(settings: Settings) -> str | None:
    """Put a copy in place that waits to be restored; make an administrator and the seven tables where there are none.
    The one-time password if one was made."""
    restored = put_in_place(settings)
    if restored:
        print(restored, flush=True)
    premises = Premises(settings.database, signing=settings.signing())
    try:
        await premises.sign()
        if restored:
            premises.audit.note("the house", "", restored)
        password = premises.people.first_start()
        if settings.demo == "yes" and not premises.floor.all():
            await premises.open_demo()
    finally:
        await premises.stop()
    return password


def served_app() -> Litestar:
    logs.configure()
    return create_app()
