"""Plots as SVG, labeled directly, with the expectation and its bands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import floor, log10
from typing import Any

from croupier.printed.drawing.shapes import drawing, group, point, tag, text
from croupier.wire import FiguresPoint

WIDE, HIGH = 110.0, 88.0  # units of a drawing; millimeters at full size
LEFT, RIGHT, TOP, BOTTOM = 2.0, 108.0, 21.0, 68.0
INK, QUIET, ACCENT, PALE, BRASS = "#23262a", "#5b605c", "#1f4d35", "#cfdcd3", "#8a6414"


Along = Callable[[float], float]  # a value to its place on the axis


def spread_plot(title: str, spread: dict[str, Any]) -> str:
    """The chances of the player's net after many rounds: bars, the mean, and the bands that hold 90 and 99 results of 100.

    `found` is one of `odds.report.spreads`.
    """
    bins = spread["bins"]
    low, high = bins[0][0], bins[-1][0]
    most = max(chance for _, chance in bins)
    at = _along(low, high)
    step = (RIGHT - LEFT) / len(bins)
    bars = [
        tag("rect", x=at(value) - step / 2, y=_up(chance / most), width=step * 0.92, height=BOTTOM - _up(chance / most))
        for value, chance in bins
    ]
    worst, bad, _, good, best = spread["marks"]
    how = "exact" if spread["exact"] else "normal approximation"
    parts = [
        text(title, LEFT, 6.5, 5, anchor="start", bold=True, fill=INK),
        text(f"{spread['rounds']:,} rounds, net in units of the wager · {how}", LEFT, 12.5, 3.9, anchor="start", fill=QUIET),
        _band(at, worst, best, low, high, 0.55),
        _band(at, bad, good, low, high, 1),
        group(bars, fill=ACCENT),
        *_axis(low, high, at),
        *_mark(at(min(max(spread["mean"], low), high)), f"mean {spread['mean']:,.0f}"),
    ]
    if low < 0 < high:
        parts.append(tag("line", x1=at(0), y1=TOP, x2=at(0), y2=BOTTOM, stroke=INK, stroke_width=0.35, stroke_dasharray="1.4 1.2"))
    ahead = f"{spread['ahead'] * 100:.2f}%" if spread["ahead"] >= 0.0001 else "less than 0.01%"
    captions = [
        f"90% end from {bad:,.0f} to {good:,.0f}, 99% from {worst:,.0f} to {best:,.0f}",
        f"chance of being ahead after {spread['rounds']:,} rounds: {ahead}",
    ]
    parts += [text(line, LEFT, 80.5 + 5.2 * n, 3.9, anchor="start", fill=QUIET) for n, line in enumerate(captions)]
    return drawing(parts, WIDE, HIGH, title=f"{title}: {'; '.join(captions)}")


def _along(low: float, high: float) -> Along:
    return lambda value: LEFT + (value - low) / (high - low) * (RIGHT - LEFT)


def _up(share: float) -> float:
    return BOTTOM - share * (BOTTOM - TOP)


def _band(at: Along, start: float, end: float, low: float, high: float, opacity: float) -> str:
    a, b = at(max(start, low)), at(min(end, high))
    return tag("rect", x=a, y=TOP, width=b - a, height=BOTTOM - TOP, fill=PALE, fill_opacity=opacity)


def _mark(x: float, words: str) -> Iterator[str]:
    yield tag("line", x1=x, y1=TOP - 2.5, x2=x, y2=BOTTOM, stroke=BRASS, stroke_width=0.6)
    anchor = "start" if x < LEFT + 15 else "end" if x > RIGHT - 15 else "middle"
    yield text(words, x, TOP - 4, 3.9, anchor=anchor, bold=True, fill=BRASS)


def _axis(low: float, high: float, at: Along, show: Callable[[float], str] = "{:,.0f}".format) -> Iterator[str]:
    yield tag("line", x1=LEFT, y1=BOTTOM, x2=RIGHT, y2=BOTTOM, stroke=INK, stroke_width=0.4)
    for value in ticks(low, high):
        x = at(value)
        anchor = "start" if x < LEFT + 6 else "end" if x > RIGHT - 6 else "middle"
        yield tag("line", x1=x, y1=BOTTOM, x2=x, y2=BOTTOM + 1.2, stroke=INK, stroke_width=0.4)
        yield text(show(value), x, BOTTOM + 5.4, 3.9, anchor=anchor, fill=QUIET)


def ticks(low: float, high: float) -> list[float]:
    """About five round values within a range.

    >>> ticks(-180, 110)
    [-100.0, 0.0, 100.0]
    """
    rough = (high - low) / 5
    scale = 10.0 ** floor(log10(rough))
    step = next(scale * n for n in (1, 2, 5, 10) if scale * n >= rough)
    first = -(-low // step)
    return [round((first + n) * step, 6) for n in range(int((high - first * step) // step) + 1)]


def meter_plot(title: str, base: float, per_dollar: float, start: str, seed: float, break_even: float | None) -> str:
    """What a progressive returns against its meter: a line, its start and where it returns all that it takes."""
    high = max(2 * seed, 1.35 * break_even if break_even else 0)
    top = max(1.1, base + per_dollar * high)
    at = _along(0, high)

    def returns(meter: float) -> tuple[float, float]:
        return at(meter), _up((base + per_dollar * meter) / top)

    parts = [
        text(title, LEFT, 6.5, 5, anchor="start", bold=True, fill=INK),
        text("return against the meter", LEFT, 12.5, 3.9, anchor="start", fill=QUIET),
        tag(
            "line", x1=LEFT, y1=_up(1 / top), x2=RIGHT, y2=_up(1 / top), stroke=QUIET, stroke_width=0.35, stroke_dasharray="1.4 1.2"
        ),
        text("100%", RIGHT, _up(1 / top) - 1.3, 3.9, anchor="end", fill=QUIET),
        *_axis(0, high, at, lambda value: f"${value:,.0f}"),
        tag("path", d=f"M{point(*returns(0))}L{point(*returns(high))}", stroke=ACCENT, stroke_width=0.9, fill="none"),
        *_dot(*returns(seed), f"at the start, {start}: {(base + per_dollar * seed) * 100:.1f}%"),
    ]
    if break_even:
        parts += _dot(*returns(break_even), f"breaks even at ${break_even:,.0f}", left=True)
    return drawing(parts, WIDE, HIGH, title=title)


def _dot(x: float, y: float, words: str, *, left: bool = False) -> Iterator[str]:
    yield tag("circle", cx=x, cy=y, r=1.3, fill=BRASS)
    yield text(
        words, x + (-2.6 if left else 2.4), y + (-2.2 if left else 4.6), 4, anchor="end" if left else "start", bold=True, fill=BRASS
    )


def result_plot(points: Sequence[FiguresPoint]) -> str:
    """A player's result round by round against its expectation: two lines, labeled at their ends, and a band around the second."""
    wide, high, left, right, top, bottom = 170.0, 74.0, 17.0, 140.0, 8.0, 64.0
    upper = [each.expected + 2 * each.deviation for each in points]
    lower = [each.expected - 2 * each.deviation for each in points]
    nets, end = [each.net for each in points], points[-1]
    room = (max(0, *upper, *nets) - min(0, *lower, *nets) or 100) * 0.04
    least, most = min(0, *lower, *nets) - room, max(0, *upper, *nets) + room

    def x(rounds: int) -> float:
        return left + rounds / end.rounds * (right - left)

    def y(cents: float) -> float:
        return bottom - (cents - least) / (most - least) * (bottom - top)

    def line(values: Iterable[float]) -> list[str]:
        return [point(x(each.rounds), y(value)) for each, value in zip(points, values, strict=True)]

    def path(marks: Iterable[str]) -> str:
        return "M" + "L".join(marks)

    parts = [
        tag("path", d=path([*line(upper), *reversed(line(lower))]) + "Z", fill=PALE, fill_opacity=0.7),
        *(_level(y(value * 100), left, right, f"${value:,.0f}".replace("$-", "-$")) for value in ticks(least / 100, most / 100)),
        tag("path", d=path(line(each.expected for each in points)), stroke=BRASS, stroke_width=0.6, fill="none"),
        tag("path", d=path(line(nets)), stroke=ACCENT, stroke_width=0.9, fill="none", stroke_linejoin="round"),
        *_ends((y(end.net), "result", ACCENT), (y(end.expected), "best play expects", BRASS), right + 1.5),
        text(f"after {end.rounds:,} round{'' if end.rounds == 1 else 's'}", right, high - 3.6, 3.2, anchor="end", fill=QUIET),
    ]
    return drawing(parts, wide, high, title="Result against its expectation, with a band of two standard deviations")


def _level(at: float, left: float, right: float, words: str) -> str:
    return tag("line", x1=left, y1=at, x2=right, y2=at, stroke=QUIET, stroke_width=0.15) + text(
        words, left - 1.5, at + 1.1, 3.2, anchor="end", fill=QUIET
    )


def _ends(one: tuple[float, str, str], other: tuple[float, str, str], x: float) -> Iterator[str]:
    """Labels at the ends of two lines, moved apart where they would meet."""
    (first, *_), (second, *_) = one, other
    apart = max(0.0, 4.0 - abs(first - second)) / 2 * (1 if first >= second else -1)
    for (at, words, fill), move in ((one, apart), (other, -apart)):
        yield text(words, x, at + move + 1.1, 3.2, anchor="start", bold=True, fill=fill)
