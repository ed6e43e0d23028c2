"""The application: routes, middleware, startup and shutdown."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.middleware import DefineMiddleware
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template import TemplateConfig

from croupier.floor.clock import Clock
from croupier.floor.dealer.pit import AT_ONCE, UNHURRIED
from croupier.floor.house.shuffle import GeneratorFault
from croupier.floor.premises import Premises
from croupier.ledger import NotRecorded, Recorder, Unknown, Unreadable
from croupier.money import show_money
from croupier.web import schema
from croupier.web.api.administrator import AdministratorController
from croupier.web.api.filings import FilingsController
from croupier.web.api.hands import HandsController
from croupier.web.api.learning import LearningController
from croupier.web.api.operations import OperatingController, Probe, Timing
from croupier.web.api.session import LOGINS_A_MINUTE, SessionController
from croupier.web.api.staff import StaffController
from croupier.web.api.surveillance import SurveillanceController
from croupier.web.api.tables import TablesController
from croupier.web.errors import HANDLERS, JsonRequest
from croupier.web.live.floor_summary import Summaries
from croupier.web.live.player_hands import PlayerHands
from croupier.web.live.surveillance_room import SurveillanceRoom
from croupier.web.live.table_changes import TableChanges
from croupier.web.live.table_stream import Live
from croupier.web.live.table_view import table_now
from croupier.web.logs import CannotStart
from croupier.web.pages.assets import drawing, icon, prefix, static
from croupier.web.pages.public import PagesController
from croupier.web.pages.staff import AdministratorPages, SurveillancePages, TablePages
from croupier.web.security.guards import AllowedHosts, Authentication, guard
from croupier.web.security.headers import security_headers
from croupier.web.security.request_limits import LiveViewLimit, SeatLimits, TokenBuckets
from croupier.web.security.sessions import Sessions
from croupier.web.security.shares import Shares
from croupier.web.settings import Settings
from croupier.web.workers.coach import Coach
from croupier.web.workers.jobs import OneShotProcess
from croupier.web.workers.odds_worker import Edges
from croupier.web.workers.print_worker import PrintShop

log = logging.getLogger("croupier.web")
HERE = Path(__file__).parent
CONTROLLERS: list[Any] = [
    TablesController, SessionController, OperatingController, PagesController, HandsController, LearningController,
    StaffController, TablePages, SurveillanceController, SurveillancePages, FilingsController,
    AdministratorController, AdministratorPages,
]  # fmt: skip
LARGEST_BODY = 256 * 1024
UNCOMPRESSED = ["^/api/", "^/static/", "^/art/"]  # one person's data and live streams; compressed already
SECONDS_BETWEEN_CHECKS = 1.0  # seconds between checks that the ledger file is still there
SECONDS_TO_SETTLE = 5.0  # before preparing what is needed later
LONGEST_PRINT = 120.0  # seconds for a PDF of hands, which a player waits for
SECONDS_BETWEEN_SWEEPS = 600.0  # seconds between deletions of expired sessions


def create_app(settings: Settings | None = None) -> Litestar:
    """The application of one server process."""
    settings = settings or Settings.from_environment()
    clock = Clock()
    sessions = Sessions(settings.database, clock, settings.idle_milliseconds)
    return Litestar(
        route_handlers=[*CONTROLLERS, static, drawing, icon],
        lifespan=[_open],
        middleware=[
            AllowedHosts(settings.allowed_hosts),
            Timing(),
            DefineMiddleware(Authentication, exclude_http_methods=()),
        ],
        before_send=[security_headers(https=settings.https)],
        guards=[guard],
        dependencies=_dependencies(),
        exception_handlers=HANDLERS,
        request_class=JsonRequest,
        request_max_body_size=LARGEST_BODY,
        csrf_config=CSRFConfig(sessions.csrf_secret, cookie_secure=settings.https, cookie_samesite="strict"),
        template_config=TemplateConfig(
            directory=HERE / "templates", engine=JinjaTemplateEngine, engine_callback=_prepare_templates
        ),
        compression_config=CompressionConfig(backend="gzip", minimum_size=1000, gzip_compress_level=6, exclude=UNCOMPRESSED),
        openapi_config=schema.config(),
        plugins=[schema.StructSchemas()],
        state=State(
            {
                "settings": settings,
                "sessions": sessions,
                "clock": clock,
                "views": LiveViewLimit(settings.limited),
                "wrong_codes": TokenBuckets(LOGINS_A_MINUTE / 60, seconds_saved=60),  # of an address
                "end": None,
            }
        ),
        logging_config=None,
    )


def _prepare_templates(engine: JinjaTemplateEngine) -> None:
    """Give the templates their filters and globals."""
    jinja = engine.engine
    jinja.filters["money"] = show_money
    jinja.globals |= {"assets": prefix(), "utc": utc}
    jinja.trim_blocks = jinja.lstrip_blocks = True


def utc(at: int) -> str:
    """A time in milliseconds as ISO 8601, to the second.

    >>> utc(1_800_000_000_000)
    '2027-01-15T08:00:00Z'
    """
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _dependencies() -> dict[str, Provide]:
    """What a route can take as an argument, by its name in the state."""

    def found(name: str) -> Provide:
        def provide(state: State) -> Any:
            return getattr(state, name)

        return Provide(provide, sync_to_thread=False)

    names = "premises sessions settings live summaries room edges coach player_hands press shop shares"
    return {name: found(name) for name in names.split()}


@asynccontextmanager
async def _open(app: Litestar) -> AsyncIterator[None]:
    """Open the floor, serve, and close it in order."""
    state, settings = app.state, app.state.settings
    pace = AT_ONCE if settings.pace == "at once" else UNHURRIED
    with _startup_errors_logged():
        premises = Premises(
            settings.database,
            pace,
            state.clock,
            settings.signing(),
            settings.house_key,
            unpaid_seconds=int(settings.unpaid_seconds),
            away_seconds=int(settings.away_seconds),
        )
    edges, coach = Edges(settings.odds == "yes"), Coach()
    live = Live(premises.house, partial(table_now, premises), premises.pit.deadline, premises.pit.is_dealing)
    summaries, room = Summaries(premises, edges), SurveillanceRoom(premises, edges)
    player_hands, press, shop = PlayerHands(premises, edges, coach), OneShotProcess(LONGEST_PRINT), PrintShop(edges)
    state.update({"premises": premises, "live": live, "summaries": summaries, "room": room, "edges": edges, "coach": coach})
    state.update({"player_hands": player_hands, "press": press, "shop": shop, "shares": Shares(state.sessions)})
    state.update({"seats": SeatLimits(premises, state.sessions, settings), "probe": Probe(premises.recorder), "ready": False})
    premises.house.listeners.append(live.on_event)
    premises.on_change.append(live.on_change)
    state.sessions.ended.append(premises.end)
    premises.on_session_end += [state.sessions.forget, live.check_sessions]
    with _startup_errors_logged():
        await premises.start()
    summaries.all()  # requests the odds of every table
    sweeping = asyncio.gather(_sweep(state.sessions), _watch_ledger(state, premises.recorder), _prepare(app))
    _tune_garbage_collection()
    state.ready = True
    log.info("ready")
    try:
        with _streams_end_on_signals(live, summaries, room):
            yield
    finally:
        state.ready = False
        live.stop()
        summaries.stop()
        room.close()
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        for each in (shop, edges, player_hands, press, coach, premises):
            await each.stop()
        state.sessions.close()


@contextmanager
def _startup_errors_logged() -> Iterator[None]:
    """Log in one line why the server cannot start."""
    try:
        yield
    except (Unreadable, NotRecorded, Unknown, GeneratorFault) as problem:
        log.error("the server cannot start", extra={"reason": str(problem)})
        raise CannotStart from problem


def _tune_garbage_collection() -> None:
    """Exclude what is loaded now from garbage collection: scanning it again and again would delay players."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@contextmanager
def _streams_end_on_signals(*streams: Live | TableChanges) -> Iterator[None]:
    """End live views at SIGTERM and SIGINT, so that shutdown does not wait for them."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) or signal.SIG_DFL for number in (signal.SIGTERM, signal.SIGINT)}

    def stop(number: int, frame: Any) -> None:
        for stream in streams:
            loop.call_soon_threadsafe(stream.stop)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _watch_ledger(state: State, recorder: Recorder) -> None:
    """Stop the server if the file of its ledger is moved or deleted."""
    while not (gone := recorder.gone()):
        await asyncio.sleep(SECONDS_BETWEEN_CHECKS)
    state.ready = False
    log.critical("the server is stopping", extra={"reason": gone})
    if state.end:
        state.end(1)


async def _prepare(app: Litestar) -> None:
    """Build the schema in a thread: it takes half a second, and the first request for it would stall the tables."""
    await asyncio.sleep(SECONDS_TO_SETTLE)
    await asyncio.to_thread(schema.as_json, app)


async def _sweep(sessions: Sessions) -> None:
    while True:
        with suppress(Unknown):  # try again next time
            await sessions.sweep()
        await asyncio.sleep(SECONDS_BETWEEN_SWEEPS)
