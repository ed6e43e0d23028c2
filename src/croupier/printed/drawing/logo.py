"""The operator's logo: an SVG or PNG that draws and does nothing else."""

from __future__ import annotations

import os
import re
import stat
import struct
import zlib
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from croupier.law.cite import Refusal

CITE = "601a.10(a)"  # approval of table game layouts, signage and equipment
MOST_BYTES = 2_000_000
MOST_PIXELS = 16_000_000
ACCEPTED = "an SVG that only draws, or a PNG"
DRAWS = frozenset({
    "svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "use",
    "symbol", "linearGradient", "radialGradient", "stop", "clipPath",
})  # fmt: skip
PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Logo:
    """A verified image: its bytes, its format, and its width over its height."""

    data: bytes
    kind: str  # svg or png
    ratio: float

    @property
    def address(self) -> str:
        """The image as a data URL, so that a drawing needs no other file."""
        kind = "image/svg+xml" if self.kind == "svg" else "image/png"
        return f"data:{kind};base64,{b64encode(self.data).decode()}"


def read_logo(path: Path) -> Logo:
    """Read a logo file. One that cannot be read, or is not an image, is refused."""
    try:
        data = _read(path)
    except (OSError, ValueError) as problem:  # a path with a null byte is a ValueError
        reason = getattr(problem, "strerror", None) or str(problem)
        raise Refusal(f"the logo {path} cannot be read: {reason}", CITE, ACCEPTED) from None
    return logo(data, str(path))


def _read(path: Path) -> bytes:
    """The bytes of a regular file, up to one more than allowed. Opening a pipe does not wait for a writer."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Refusal(f"the logo {path} is not a file", CITE, ACCEPTED)
        return file.read(MOST_BYTES + 1)


def logo(data: bytes, name: str = "the logo") -> Logo:
    """The logo in these bytes, for example from an upload."""
    if len(data) > MOST_BYTES:
        raise Refusal(f"{name} has more than {MOST_BYTES:,} bytes", CITE, f"at most {MOST_BYTES:,} bytes")
    if data.startswith(PNG):
        return Logo(data, "png", _png_ratio(data, name))
    return Logo(data, "svg", _svg_ratio(data, name))


def _png_ratio(data: bytes, name: str) -> float:
    """Width over height of an intact PNG."""
    at, size, image = len(PNG), (0, 0), False
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 4 : at + 8 + length]
        if at + 12 + length > len(data) or zlib.crc32(body) != struct.unpack_from(">I", data, at + 8 + length)[0]:
            break
        if kind == b"IHDR":
            size = struct.unpack_from(">II", data, at + 8)
            if size[0] * size[1] > MOST_PIXELS:
                raise Refusal(f"{name} has {size[0]:,} by {size[1]:,} pixels", CITE, f"at most {MOST_PIXELS:,} pixels in total")
        image = image or kind == b"IDAT"
        if kind == b"IEND" and image and all(size):
            return float(size[0] / size[1])
        at += 12 + length
    raise Refusal(f"{name} is a broken PNG", CITE, ACCEPTED)


def _svg_ratio(data: bytes, name: str) -> float:
    """Width over height of an SVG that draws and neither runs nor fetches anything."""
    if b"<!DOCTYPE" in data.upper() or b"<!ENTITY" in data.upper():
        raise Refusal(f"{name} declares a document type", CITE, ACCEPTED)
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError):
        raise Refusal(f"{name} is neither an SVG nor a PNG", CITE, ACCEPTED) from None
    if _plain(root.tag) != "svg":
        raise Refusal(f"{name} is XML but not SVG", CITE, ACCEPTED)
    for element in root.iter():
        _verify(element, name)
    box = [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", root.get("viewBox", ""))]
    wide, high = box[2:] if len(box) == 4 else (_length(root.get("width")), _length(root.get("height")))
    if wide <= 0 or high <= 0:
        raise Refusal(f"{name} does not state its size", CITE, "an SVG with a viewBox")
    return wide / high


def _verify(element: ElementTree.Element, name: str) -> None:
    if not isinstance(element.tag, str) or _plain(element.tag) not in DRAWS:
        raise Refusal(f"{name} contains <{_plain(str(element.tag))}>", CITE, ACCEPTED)
    for key, value in element.attrib.items():
        attribute, refers = _plain(key), re.findall(r"url\(\s*['\"]?([^)]*)", value)
        outside = any(not each.strip().startswith("#") for each in refers)
        if attribute.startswith("on") or outside or (attribute == "href" and not value.startswith("#")) or "@import" in value:
            raise Refusal(f"{name} contains {attribute}=“{value[:40]}”", CITE, ACCEPTED)


def _plain(tag: str) -> str:
    return tag.rpartition("}")[2]


def _length(value: str | None) -> float:
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:px|pt|mm|cm|in)?\s*", value or "")
    return float(found[1]) if found else 0.0
