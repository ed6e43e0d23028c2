"""Starting a server: the first day of a floor, and the application that each worker process serves."""

from __future__ import annotations

import logging
import os
import sys

from litestar import Litestar
from uvicorn.config import STARTUP_FAILURE

from croupier.floor.premises import Premises
from croupier.ledger import Unreadable
from croupier.web import logs
from croupier.web.app import create_app
from croupier.web.children import end_with_supervisor
from croupier.web.copying import put_in_place
from croupier.web.settings import Settings

log = logging.getLogger("croupier.web")


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
    end_with_supervisor()
    logs.configure()
    try:
        app = create_app()
    except Unreadable as problem:
        log.error("the server cannot start", extra={"reason": str(problem)})
        sys.exit(STARTUP_FAILURE)
    app.state.end = os._exit  # at once: what is acknowledged from now on would be lost
    return app
