"""The server: its routes, its guards, its beginning and its end."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

from litestar import Litestar
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.file_system import BaseLocalFileSystem
from litestar.middleware import DefineMiddleware
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig
from litestar.types import PathType
from litestar.types.file_types import FileInfo

from croupier.floor.pit import AT_ONCE, UNHURRIED
from croupier.floor.premises import Premises
from croupier.ledger import NotRecorded, Recorder, Unknown, Unreadable
from croupier.ledger.sqlite import SqliteRecorder
from croupier.web import schema, words
from croupier.web.api_administrator import AdministratorController
from croupier.web.api_filings import FilingsController
from croupier.web.api_player import PlayerController
from croupier.web.api_session import SessionController
from croupier.web.api_staff import StaffController
from croupier.web.api_surveillance import SurveillanceController
from croupier.web.api_tables import TablesController
from croupier.web.api_users import UsersController
from croupier.web.back_office import BackOffice
from croupier.web.back_pages import AdministratorPages, SurveillancePages
from croupier.web.bodies import Readable
from croupier.web.coaching import Coach
from croupier.web.edges import Edges
from croupier.web.errors import HANDLERS
from croupier.web.guards import SESSIONLESS, Authentication, Hosts, guard
from croupier.web.headers import Headers
from croupier.web.live import Live
from croupier.web.logs import CannotStart
from croupier.web.operating import OperatingController, Timing
from croupier.web.pages import PagesController
from croupier.web.seeing import Seeing
from croupier.web.sessions import Sessions
from croupier.web.settings import Settings
from croupier.web.staff_pages import StaffPagesController
from croupier.web.summaries import Summaries

log = logging.getLogger("croupier.web")
HERE = Path(__file__).parent
CONTROLLERS: list[Any] = [
    TablesController, SessionController, OperatingController, PagesController, PlayerController, StaffController,
    StaffPagesController, SurveillanceController, SurveillancePages, UsersController, FilingsController,
    AdministratorController, AdministratorPages,
]  # fmt: skip
LARGEST_BODY = 256 * 1024
LOOK = 1.0  # seconds between two looks whether the ledger is where it was
SWEEP = 600.0  # seconds between two sweepings of old sessions


def create_app(settings: Settings | None = None) -> Litestar:
    """The application of one server process."""
    settings = settings or Settings.from_environment()
    sessions = Sessions(settings.database, idle=settings.idle_milliseconds)
    return Litestar(
        route_handlers=[*CONTROLLERS, _static()],
        lifespan=[_open],
        middleware=[
            DefineMiddleware(Hosts, allowed=settings.allowed_hosts),
            DefineMiddleware(Timing),
            DefineMiddleware(Headers, kept=("/static/", "/schema"), https=settings.https),
            DefineMiddleware(Authentication, exclude_http_methods=()),
        ],
        guards=[guard],
        dependencies=_dependencies(),
        exception_handlers=HANDLERS,
        request_class=Readable,
        request_max_body_size=LARGEST_BODY,
        csrf_config=CSRFConfig(sessions.secret("csrf"), cookie_secure=settings.https, cookie_samesite="strict"),
        template_config=TemplateConfig(directory=HERE / "templates", engine=JinjaTemplateEngine, engine_callback=words.register),
        openapi_config=schema.config(),
        plugins=[schema.Structs()],
        state=State({"settings": settings, "sessions": sessions, "end": None}),
        logging_config=None,
    )


class Files(BaseLocalFileSystem):
    """The static files. A name that the file system cannot hold is not found; Litestar would answer 500."""

    async def info(self, path: PathType, **kwargs: Any) -> FileInfo:
        try:
            return await super().info(path, **kwargs)
        except (OSError, ValueError) as problem:  # too long, or with a null byte
            raise FileNotFoundError from problem


def _static() -> Any:
    return create_static_files_router("/static", [HERE / "static"], file_system=Files(), opt=SESSIONLESS, cache_control=None)


def _dependencies() -> dict[str, Provide]:
    """What a route may ask for by name."""

    def found(name: str) -> Provide:
        def provide(state: State) -> Any:
            return getattr(state, name)

        return Provide(provide, sync_to_thread=False)

    names = ("premises", "sessions", "live", "seeing", "summaries", "edges", "settings", "coach", "office")
    return {name: found(name) for name in names}


@asynccontextmanager
async def _open(app: Litestar) -> AsyncIterator[None]:
    """Open the floor, serve, and finish what is in hand."""
    state, settings = app.state, app.state.settings
    pace = AT_ONCE if settings.pace == "at once" else UNHURRIED
    with _told():
        premises = Premises(settings.database, pace, signing=settings.signing())
    seeing, edges = Seeing(premises), Edges(settings.odds == "yes")
    live = Live(premises.house, seeing.encoded, seeing.due)
    premises.house.listeners.append(live.heard)
    premises.changed.append(live.stir)
    state.sessions.ended.append(premises.end)
    premises.ended += [state.sessions.forget, live.look_again]
    summaries = Summaries(premises, seeing, edges)
    state.coach, state.office = Coach(), BackOffice(premises, edges, settings)
    state.update({"premises": premises, "seeing": seeing, "edges": edges, "live": live, "summaries": summaries, "ready": False})
    with _told():
        await premises.start()
    edges.start()
    summaries.all()  # which asks for the odds of every table
    _when_told_to_stop(live, summaries, state.office)
    sweeping = asyncio.gather(_sweep(state.sessions), _watch(state, premises.recorder))
    _seldom_look_for_garbage()
    state.ready = True
    try:
        yield
    finally:
        state.ready = False
        live.stop()
        summaries.stop()
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        await state.office.close()
        await edges.stop()
        await state.coach.stop()
        await premises.stop()
        state.sessions.close()


@contextmanager
def _told() -> Iterator[None]:
    """Say in one line why the server cannot start."""
    try:
        yield
    except (Unreadable, NotRecorded, Unknown) as problem:
        log.error("the server cannot start", extra={"reason": str(problem)})
        raise CannotStart from problem


def _seldom_look_for_garbage() -> None:
    """What is open now stays open: to look through it all for garbage, again and again, is time that players wait."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _when_told_to_stop(*streams: Live | Summaries | BackOffice) -> None:
    """Live views end by themselves at once, so that the server's shutdown need not wait for them."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def told(number: int, frame: Any, before: Any = before) -> None:
            for stream in streams:
                loop.call_soon_threadsafe(stream.stop)
            if callable(before):
                before(number, frame)

        signal.signal(number, told)


async def _watch(state: State, recorder: Recorder) -> None:
    """End the server when the file of its ledger is taken away."""
    while isinstance(recorder, SqliteRecorder) and not recorder.gone():
        await asyncio.sleep(LOOK)
    if isinstance(recorder, SqliteRecorder):
        state.ready = False
        log.critical("the server ends", extra={"reason": recorder.gone()})
        if state.end:
            state.end(1)


async def _sweep(sessions: Sessions) -> None:
    while True:
        with suppress(Unknown):  # the next time will do
            await sessions.sweep()
        await asyncio.sleep(SWEEP)
