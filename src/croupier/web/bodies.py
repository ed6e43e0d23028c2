"""The body of a request: what cannot be read is the sender's fault, however it cannot."""

from __future__ import annotations

from typing import Any

from litestar import Request

from croupier.web.errors import Denied


class Readable(Request[Any, Any, Any]):
    """Litestar answers 400 where JSON is malformed, but not where it is no UTF-8, or nested deeper than anybody reads."""

    async def json(self) -> Any:
        try:
            return await super().json()
        except (UnicodeDecodeError, RecursionError) as problem:
            raise _unreadable(problem) from problem

    async def msgpack(self) -> Any:
        try:
            return await super().msgpack()
        except (UnicodeDecodeError, RecursionError) as problem:
            raise _unreadable(problem) from problem


def _unreadable(problem: UnicodeDecodeError | RecursionError) -> Denied:
    deep = isinstance(problem, RecursionError)
    return Denied(400, "The body is nested too deeply." if deep else "The body is not UTF-8.")
