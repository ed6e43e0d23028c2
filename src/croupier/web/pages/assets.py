"""Scripts, styles, the typeface and the drawings of the pages: read and compressed once, and kept in memory.

Pages ask for them under a prefix with a hash of them all, so browsers keep them for a year and fetch new ones after an upgrade.
A player's page asks for its script as one file, `pages/…`, with everything that it imports, since each request costs a round trip.
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

from croupier.cards import deck
from croupier.money import dollars
from croupier.printed.drawing.shapes import CARD_HEIGHT, CARD_WIDTH, card_back, card_drawing, chip, chip_edge, coordinate, tag
from croupier.web.errors import Denied
from croupier.web.security.guards import SESSIONLESS

FOLDER = Path(__file__).parents[1] / "static"
A_YEAR = "public, max-age=31536000, immutable"
A_DAY = "public, max-age=86400"
FONT = ".woff2"  # already compressed
CHIP_VALUES = (1, 5, 25, 100, 500, 1000)  # dollars
CARD_BOX = f"0 0 {coordinate(CARD_WIDTH)} {coordinate(CARD_HEIGHT)}"
CHIP_BOX = "-20.5 -20.5 41 41"
IMPORT = re.compile(r'^import (?:\* as (?P<all>\w+)|\{ (?P<names>[^}]*) \}) from "(?P<path>[^"]+)";$', re.MULTILINE)
COMMENT = re.compile(r"^\s*(?://.*|/\*(?:[^*]|\*(?!/))*\*/)\n|[ \t]+// .*", re.MULTILINE)  # no string contains “ // ”
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
    drawings = {"cards": cards_sprite(), "cards-four": cards_sprite(four=True), "chips": chips_sprite()}
    files |= {f"art/{name}.svg": sprite.encode() for name, sprite in drawings.items()}
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
    modules = {name: f"module{n}" for n, name in enumerate(order)}
    bodies = ((name, _body(name, INDENT.sub("", source), modules)) for name, source in order.items())
    return "".join(f"const {modules[name]} = (() => {{\n{body}}})();\n" for name, body in bodies)


def _beside(name: str, path: str) -> str:
    return normpath(join(dirname(name), path))


def _body(name: str, source: str, modules: dict[str, str]) -> str:
    def bound(match: re.Match[str]) -> str:
        names = match["all"] or f"{{ {match['names'].replace(' as ', ': ')} }}"
        return f"const {names} = {modules[_beside(name, match['path'])]};"

    exports = ", ".join(found["name"] for found in EXPORT.finditer(source))
    return f"{EXPORT.sub('', IMPORT.sub(bound, COMMENT.sub('', source)))}return {{ {exports} }};\n"


# the drawings that pages use by name, `<use href="/art/cards.svg#Qs">`: the same cards and chips as on paper


def cards_sprite(*, four: bool = False) -> str:
    """Every card of the deck of 53 by its short name (Qs, Td, Jk), in two or four colors, and `back`."""
    faces = [tag("symbol", card_drawing(each, four_colors=four), id=str(each), viewBox=CARD_BOX) for each in deck(jokers=1)]
    return _sprite([*faces, tag("symbol", card_back(), id="back", viewBox=CARD_BOX)])


def chips_sprite() -> str:
    """A chip of each denomination, `chip-5`, and its visible edge below another, `edge-5`."""
    faces = [tag("symbol", chip(dollars(value)), id=f"chip-{value}", viewBox=CHIP_BOX) for value in CHIP_VALUES]
    edges = [tag("symbol", chip_edge(dollars(value)), id=f"edge-{value}", viewBox=CHIP_BOX) for value in CHIP_VALUES]
    return _sprite(faces + edges)


def _sprite(symbols: list[str]) -> str:
    return tag("svg", "".join(symbols), xmlns="http://www.w3.org/2000/svg")


# routes


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
