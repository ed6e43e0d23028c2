"""Startup: the first start of a floor, and the application that each worker process serves."""

from __future__ import annotations

import logging
import os
import sys

from uvicorn.config import STARTUP_FAILURE

from croupier import book
from croupier.floor.premises import Premises
from croupier.floor.processes.child_process import end_with_parent
from croupier.law.cite import Refusal
from croupier.ledger import Unreadable
from croupier.web import logs
from croupier.web.app import create_app
from croupier.web.security.request_limits import RequestLimits
from croupier.web.settings import Settings

log = logging.getLogger("croupier.web")


async def first_start(settings: Settings, *, new_house_key: bool = False) -> str | None:
    """Create what a new floor lacks: house key, administrator, seven tables. Returns the one-time password if it created one."""
    premises = Premises(settings.database, signing=settings.signing(), house_key=settings.house_key, new_house_key=new_house_key)
    try:
        await premises.sign()
        password = premises.people.first_start()
        if settings.demo == "yes" and not premises.floor.all():
            await premises.open_demo()
        _need_chapters(premises)
    finally:
        await premises.stop()
    return password


def _need_chapters(premises: Premises) -> None:
    """Refuse to serve a table whose chapter is outside the book and was not named."""
    games = {filed.id: filed.game for filed in premises.filings.all()}
    for table, settings in premises.floor.all().items():
        try:
            if game := games.get(settings.filing):
                book.find(game)
        except Refusal as refusal:
            raise Refusal(f"table {table}: {refusal.said}", refusal.cite, "croupier serve --book with its chapter file") from None


def served_app() -> RequestLimits:
    end_with_parent()
    logs.configure()
    try:
        app = create_app()
    except Unreadable as problem:
        log.error("the server cannot start", extra={"reason": str(problem)})
        sys.exit(STARTUP_FAILURE)
    app.state.end = os._exit  # at once: anything acknowledged from now on would be lost
    return RequestLimits(app)
