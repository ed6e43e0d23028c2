"""Request bodies: whatever cannot be read is answered with status 400."""

from __future__ import annotations

from typing import Any

from litestar import Request

from croupier.web.errors import Denied


class Readable(Request[Any, Any, Any]):
    """Litestar answers 400 to malformed JSON, but not if it is not UTF-8 or is nested too deeply."""

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
