"""For operators: liveness, readiness, metrics, and a log line for each command."""

from __future__ import annotations

import asyncio
import logging
import resource
from time import monotonic, perf_counter
from typing import Any

import msgspec
from litestar import Controller, Response, get
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from croupier.floor.premises import Premises
from croupier.ledger import NotRecorded, Recorder, Unknown, Unreadable
from croupier.web.errors import RETRY, Denied
from croupier.web.live.table_stream import Live
from croupier.web.security.guards import SESSIONLESS, role_of

log = logging.getLogger("croupier.web")
SECONDS_BETWEEN_PROBES = 1.0
REGISTRY = CollectorRegistry()
REQUESTS = Counter("croupier_requests", "Requests answered", ["method", "status"], registry=REGISTRY)
SECONDS = Histogram(
    "croupier_request_seconds", "Time to answer a request", ["route"], registry=REGISTRY,
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)  # fmt: skip
TABLES = Gauge("croupier_tables", "Tables of this process", registry=REGISTRY)
EVENTS = Gauge("croupier_events", "Events in the log of all tables", registry=REGISTRY)
VIEWERS = Gauge("croupier_live_connections", "Live views that are open", registry=REGISTRY)
SIGNED = Gauge("croupier_checkpoint_timestamp_seconds", "When the newest checkpoint was signed", registry=REGISTRY)
UNWITNESSED = Gauge("croupier_checkpoints_unwitnessed", "Checkpoints that a witness has not taken yet", registry=REGISTRY)
FOREIGN = Gauge("croupier_foreign_streams", "Streams of the ledger that another program wrote to", registry=REGISTRY)
CLOCK = Gauge("croupier_clock_behind_seconds", "Seconds by which the wall clock is ahead of the log's time", registry=REGISTRY)
MEMORY = Gauge("croupier_peak_memory_bytes", "Peak memory of this process", registry=REGISTRY)


class Probe:
    """Checks whether the ledger can be read and written: at most once a second, in one thread, however many requests come."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._asking: asyncio.Task[str] | None = None
        self._asked_at = 0.0

    async def problem(self) -> str:
        """What is wrong, in a sentence; empty if nothing is."""
        if self._asking is None or (self._asking.done() and monotonic() - self._asked_at > SECONDS_BETWEEN_PROBES):
            self._asked_at = monotonic()
            self._asking = asyncio.create_task(asyncio.to_thread(self._ask))
        return await asyncio.shield(self._asking)

    def _ask(self) -> str:
        try:
            if foreign := self._recorder.foreign():
                return f"Another program wrote to the ledger: {', '.join(foreign)}. Run croupier verify."
            self._recorder.head("floor")
            self._recorder.verify_writable()
        except Unreadable as problem:
            log.error("unreadable", extra={"reason": str(problem)})
            return "The ledger cannot be read right now."
        except (NotRecorded, Unknown) as problem:
            log.error("not written", extra={"reason": str(problem)})
            return "The ledger cannot be written right now: its disk is full, or the last write failed."
        return ""


class Alive(msgspec.Struct, frozen=True):
    status: str


class OperatingController(Controller):
    tags = ["operating"]  # noqa: RUF012

    @get("/health", opt=SESSIONLESS)
    async def health(self) -> Alive:
        """The process is alive."""
        return Alive("alive")

    @get("/ready", opt=SESSIONLESS)
    async def ready(self, state: State) -> Alive:
        """The tables are open, the ledger can be read and written, and no other program has written to it."""
        if not state.ready:
            raise Denied(503, "The tables are not open yet, or are closing.", RETRY)
        if problem := await state.probe.problem():
            raise Denied(503, problem, RETRY)
        return Alive("ready")

    @get("/metrics", opt=SESSIONLESS, include_in_schema=False)
    async def metrics(self, premises: Premises, live: Live) -> Response[bytes]:
        """Metrics for Prometheus."""
        TABLES.set(len(premises.house.tables))
        EVENTS.set(sum(keeper.version for keeper in premises.house.tables.values()))
        VIEWERS.set(live.connections)
        SIGNED.set(premises.checkpoints.last / 1000 if premises.checkpoints else 0)
        UNWITNESSED.set(premises.checkpoints.waiting if premises.checkpoints else 0)
        FOREIGN.set(len(premises.checkpoints.foreign) if premises.checkpoints else 0)
        CLOCK.set(premises.clock.behind / 1000)
        MEMORY.set(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
        return Response(generate_latest(REGISTRY), media_type="text/plain; version=0.0.4")


class Timing(ASGIMiddleware):
    """Measures every request and logs the commands."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        began = perf_counter()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._measure(scope, message["status"], perf_counter() - began)
            await send(message)

        await next_app(scope, receive, sending)

    def _measure(self, scope: Any, status: int, seconds: float) -> None:
        route = getattr(scope.get("route_handler"), "handler_name", "") or "other"
        REQUESTS.labels(scope["method"], str(status)).inc()
        SECONDS.labels(route).observe(seconds)
        if scope["method"] != "GET" and route != "command":  # it logs itself
            log.info("asked", extra={
                "method": scope["method"], "path": scope["path"], "status": status, "milliseconds": round(1000 * seconds, 1),
                "who": role_of(scope.get("user")),
            })  # fmt: skip
