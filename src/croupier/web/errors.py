"""One shape for every refusal: {"error": {"kind", "reason", "cite", "accepted"}}. A browser gets it as a page."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.response import Redirect, Template

from croupier.floor.house.house import Damaged
from croupier.floor.processes.child_process import ChildFailed
from croupier.floor.registers.register import HouseRefusal
from croupier.law.cite import Refusal
from croupier.ledger import Conflict, Missing, NotRecorded, Unknown, Unreadable
from croupier.ledger.recorders.recorder import Foreign
from croupier.wire import Failure, Problem

log = logging.getLogger("croupier.web")
KINDS = {
    400: "malformed", 401: "login", 403: "not allowed", 404: "unknown", 405: "malformed", 409: "refused", 413: "too large",
    423: "locked", 429: "too many", 503: "unavailable",
}  # fmt: skip
RETRY = {"Retry-After": "1"}  # seconds; sent if it is safe to repeat the same request
NOT_THERE = {404: "There is nothing at this address.", 405: "This address does not accept that method."}
STATUS = {"refused": 409, "not allowed": 403, "unknown": 404, "malformed": 400}


class Denied(HTTPException):
    """Refused by the server rather than by a clause of the code."""

    def __init__(self, status_code: int, reason: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(reason, status_code=status_code, headers=headers)


class JsonRequest(Request[Any, Any, Any]):
    """Litestar answers 400 to malformed JSON, but not if it is not UTF-8 or is nested too deeply."""

    async def json(self) -> Any:
        try:
            return await super().json()
        except UnicodeDecodeError as problem:
            raise Denied(400, "The body is not UTF-8.") from problem
        except RecursionError as problem:
            raise Denied(400, "The body is nested too deeply.") from problem


def refused(request: Request[Any, Any, Any], refusal: Refusal) -> Response[Any]:
    """Refused by a clause of the code, or by the house where no clause applies."""
    told = problem_of(refusal)
    return _answer(request, STATUS[told.kind], told)


def problem_of(refusal: Refusal) -> Problem:
    kind = refusal.kind if isinstance(refusal, HouseRefusal) else "refused"
    reason = f"{refusal.said[:1].upper()}{refusal.said[1:]}."
    return Problem(kind, reason, refusal.cite or None, refusal.accepted or None)


def not_written(request: Request[Any, Any, Any], problem: Exception) -> Response[Any]:
    """The ledger was not written, or it is unknown whether it was. The same key can be sent again."""
    log.warning("not written", extra={"reason": str(problem)})
    sure = isinstance(problem, NotRecorded | Conflict)
    effect = "Nothing was changed" if sure else "The change may have been made"
    again = sure or "Idempotency-Key" in request.headers
    return _answer(
        request, 503, Problem("unavailable", f"The ledger cannot be written right now. {effect}. Try again with the same key."),
        RETRY if again else {},
    )  # fmt: skip


def missing(request: Request[Any, Any, Any], problem: Missing) -> Response[Any]:
    return _answer(request, 404, Problem("unknown", str(problem)))


UNAVAILABLE: dict[type[Exception], tuple[str, str, dict[str, str]]] = {  # what the log says, what the answer says, its headers
    Damaged: ("damaged", "The log of this table is damaged. The table stays closed, and nothing in its log is overwritten.", {}),
    Foreign: (
        "foreign",
        "Another program wrote to this part of the ledger. What it wrote has no effect here. An administrator must look into it.",
        {},
    ),
    Unreadable: ("unreadable", "The ledger cannot be read right now. Nothing in it was changed.", RETRY),
    ChildFailed: ("child process failed", "The server could not complete this. Try again, or look in the server's log.", {}),
}


def unavailable(request: Request[Any, Any, Any], problem: Exception) -> Response[Any]:
    """The database's address and its own message go to the log only."""
    message, reason, headers = next(known for kind, known in UNAVAILABLE.items() if isinstance(problem, kind))
    log.error(message, extra={"reason": str(problem), "path": request.url.path})
    return _answer(request, 503, Problem("unavailable", reason), headers)


def http_problem(request: Request[Any, Any, Any], problem: HTTPException) -> Response[Any]:
    status = problem.status_code
    invalid = _first(problem.extra) if isinstance(problem, ValidationException) else ""
    reason = invalid or problem.detail or HTTPStatus(status).phrase
    if reason == HTTPStatus(status).phrase:
        reason = NOT_THERE.get(status, reason)
    return _answer(request, status, Problem(KINDS.get(status, "malformed"), reason), dict(problem.headers or {}))


def to_login(request: Request[Any, Any, Any], problem: Denied) -> Response[Any]:
    """Redirect a staff page to the login page if somebody has to log in, choose a password or unlock the screen."""
    session = request.scope.get("user")  # None if the request was refused before its session was looked up
    waits = problem.status_code in (401, 403, 423) and (session is None or session.locked or session.must_change)
    if waits and "text/html" in request.headers.get("accept", ""):
        return Redirect(f"/login?next={quote(request.url.path)}")
    return http_problem(request, problem)


def _first(extra: Any) -> str:
    """What is wrong with a request, without repeating the value that was sent."""
    if isinstance(extra, list) and extra and isinstance(extra[0], dict):
        where = extra[0].get("key") or extra[0].get("source")
        return f"{where}: {extra[0].get('message', '')}" if where else str(extra[0].get("message", ""))
    return ""


def unforeseen(request: Request[Any, Any, Any], problem: Exception) -> Response[Any]:
    """Answer a program error without details; they go to the log with the traceback, and to the audit."""
    log.exception("unforeseen", exc_info=problem, extra={"path": request.url.path})
    if premises := request.app.state.get("premises"):
        premises.note_error(f"{type(problem).__name__} at {request.url.path}")
    return _answer(request, 500, Problem("fault", "Something went wrong on the server. Nothing that was acknowledged is lost."))


def _answer(request: Request[Any, Any, Any], status: int, problem: Problem, headers: dict[str, str] | None = None) -> Response[Any]:
    kept = {name: value for name, value in (headers or {}).items() if name.lower() in ("retry-after", "allow", "ratelimit-reset")}
    wants_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    if wants_page:
        return Template("problem.html", context={"problem": problem, "status": status}, status_code=status, headers=kept)
    return Response(Failure(problem), status_code=status, media_type=MediaType.JSON, headers=kept)


HANDLERS: dict[Any, Any] = {
    Refusal: refused,
    NotRecorded: not_written,
    Conflict: not_written,
    Unknown: not_written,
    Missing: missing,
    **dict.fromkeys(UNAVAILABLE, unavailable),
    HTTPException: http_problem,
    Exception: unforeseen,
}
