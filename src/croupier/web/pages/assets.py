"""Scripts, styles, the typeface and the drawings of the pages: read and compressed once, and kept in memory.

Pages ask for them under a prefix with the hash of them all, so a browser keeps them for a year, and asks again after an upgrade.
A player's page asks for its script as one file, `pages/…`, with everything that it imports: far away, every request is felt.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from litestar import Request, Response, get

from croupier.web.errors import Denied
from croupier.web.pages import art
from croupier.web.security.guards import SESSIONLESS

FOLDER = Path(__file__).parents[1] / "static"
A_YEAR = "public, max-age=31536000, immutable"
A_DAY = "public, max-age=86400"
FONT = ".woff2"  # compressed as it is
DRAWINGS: dict[str, Callable[[], str]] = {
    "art/cards.svg": art.cards_sprite,
    "art/cards-four.svg": lambda: art.cards_sprite(four=True),
    "art/chips.svg": art.chips_sprite,
}
IMPORT = re.compile(r'^import (?:\* as (?P<all>\w+)|\{ (?P<names>[^}]*) \}) from "(?P<path>[^"]+)";$', re.MULTILINE)
COMMENT = re.compile(r"^\s*(?://.*|/\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)  # on lines of its own
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)  # no string runs over several lines
STYLE_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (?P<name>\w+))", re.MULTILINE)


class Asset(NamedTuple):
    body: bytes
    compressed: bytes
    media_type: str
    tag: str


def _asset(name: str, body: bytes) -> Asset:
    compressed = body if name.endswith(FONT) else gzip.compress(body, mtime=0)
    return Asset(body, compressed, guess_type(name)[0] or "font/woff2", f'"{sha256(body).hexdigest()[:16]}"')


@cache
def assets() -> dict[str, Asset]:
    """Every asset by its name below /static."""
    files = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()}
    files |= {name: draw().encode() for name, draw in DRAWINGS.items()}
    styles = {name: body.decode() for name, body in files.items() if name.endswith(".css")}
    files |= {name: INDENT.sub("", STYLE_COMMENT.sub("", text)).encode() for name, text in styles.items()}
    scripts = {name.removeprefix("js/"): body.decode() for name, body in files.items() if name.startswith("js/player/")}
    files |= {f"pages/{name}": bundle(f"js/{name}", lambda each: files[each].decode()).encode() for name in scripts}
    return {name: _asset(name, body) for name, body in files.items()}


@cache
def prefix() -> str:
    """Where pages find the assets of this version."""
    every = sha256(b"".join(name.encode() + asset.body for name, asset in sorted(assets().items())))
    return f"/static/{every.hexdigest()[:16]}"


def bundle(entry: str, text: Callable[[str], str]) -> str:
    """A script with everything that it imports, without comments and indentation: each module as a function, called once."""
    order: dict[str, str] = {}

    def add(name: str) -> None:
        if name in order:
            return
        order[name] = ""  # its place is after what it imports
        source = text(name)
        for found in IMPORT.finditer(source):
            add(_beside(name, found["path"]))
        del order[name]
        order[name] = source

    add(entry)
    number = {name: f"module{n}" for n, name in enumerate(order)}
    bodies = ((name, _body(name, INDENT.sub("", source), number)) for name, source in order.items())
    return "".join(f"const {number[name]} = (() => {{\n{body}}})();\n" for name, body in bodies)


def _beside(name: str, path: str) -> str:
    return normpath(join(dirname(name), path))


def _body(name: str, source: str, number: dict[str, str]) -> str:
    def bound(found: re.Match[str]) -> str:
        names = found["all"] or f"{{ {found['names'].replace(' as ', ': ')} }}"
        return f"const {names} = {number[_beside(name, found['path'])]};"

    exports = ", ".join(found["name"] for found in EXPORT.finditer(source))
    return f"{EXPORT.sub('', IMPORT.sub(bound, COMMENT.sub('', source)))}return {{ {exports} }};\n"


@get("/static/{path:path}", opt=SESSIONLESS, include_in_schema=False)
async def static(path: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """An asset under the prefix of this version, or, for tests and developers, without one."""
    current = f"/static{path}".startswith(f"{prefix()}/")
    return _sent(path.removeprefix(prefix().removeprefix("/static")), request, A_YEAR if current else "no-cache")


@get("/art/{name:str}", opt=SESSIONLESS, include_in_schema=False)
async def drawing(name: str, request: Request[Any, Any, Any]) -> Response[bytes]:
    """Cards and chips, drawn as on paper."""
    return _sent(f"art/{name}", request, A_DAY)


@get("/favicon.ico", opt=SESSIONLESS, include_in_schema=False)
async def icon(request: Request[Any, Any, Any]) -> Response[bytes]:
    return _sent("icon.svg", request, A_DAY)


def _sent(name: str, request: Request[Any, Any, Any], cached: str) -> Response[bytes]:
    found = assets().get(name.lstrip("/"))
    if found is None:
        raise Denied(404, "There is no such file.")
    headers = {"Cache-Control": cached, "ETag": found.tag, "Vary": "Accept-Encoding"}
    if found.tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    if found.compressed is not found.body and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.compressed, media_type=found.media_type, headers=headers | {"Content-Encoding": "gzip"})
    return Response(found.body, media_type=found.media_type, headers=headers)
