"""Screenshots go to build/screens, to be looked at, and replace those in the docs.

PNG files with at most 256 colors are a third of the size a browser writes.
"""

from __future__ import annotations

import shutil
import struct
import zlib
from base64 import b64decode, b64encode
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "build" / "screens"
COLORS = 256
PIXELS = """async (png) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let n = 0; n < data.length; n += 8192) text += String.fromCharCode(...data.subarray(n, n + 8192));
  return [image.width, image.height, btoa(text)];
}"""
Pixels = NDArray[np.uint8]  # [row, column, red green blue]


def publish() -> None:
    """Replace the pictures that the docs show with those that were just taken."""
    for shown in (ROOT / "docs" / "screens").glob("*.png"):
        if (taken := SCREENS / shown.name).exists():
            shutil.copyfile(taken, shown)


def small_png(png: bytes, browser: Browser) -> bytes:
    """The same picture with its 256 most frequent colors. Every other color becomes the nearest of them."""
    page = browser.new_page()
    wide, high, data = page.evaluate(PIXELS, b64encode(png).decode())
    page.close()
    picture = np.frombuffer(b64decode(data), dtype=np.uint8).reshape(high, wide, 4)[:, :, :3]
    every, where, count = np.unique(picture.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    coarse, at = np.unique(every & 0xFC, axis=0, return_inverse=True)  # shades that no eye can tell apart count as one
    weights = np.bincount(at.ravel(), weights=count)
    palette = coarse[np.argsort(-weights)[:COLORS]] | 0x01
    nearest = np.empty(len(every), dtype=np.uint8)
    for start in range(0, len(every), 4096):
        some = every[start : start + 4096, None].astype(np.int32) - palette[None].astype(np.int32)
        nearest[start : start + 4096] = (some**2).sum(axis=2).argmin(axis=1)
    return _write(nearest[where.ravel()].reshape(picture.shape[:2]), palette)


def _write(indices: Pixels, palette: Pixels) -> bytes:
    high, wide = indices.shape
    lines = np.hstack([np.zeros((high, 1), dtype=np.uint8), indices]).tobytes()
    head = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    parts = (b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    )
