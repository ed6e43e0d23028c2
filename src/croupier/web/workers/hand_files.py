"""A player's hands as a file: JSON, CSV, or a PDF that a child process prints."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

import msgspec

from croupier.web.workers.jobs import Press
from croupier.wire import Figures, HandBox, PlayerHand

MEDIA: Mapping[str, str] = {
    "json": "application/octet-stream",  # a file to save
    "csv": "text/csv; charset=utf-8",
    "pdf": "application/pdf",
}
MOST_IN_FILE: Mapping[str, int] = {"json": 500, "csv": 500, "pdf": 200}
LONGEST = 120.0  # seconds for a PDF, which a player waits for
HEAD = (
    "time", "table", "game", "round", "box", "cards", "dealer", "community", "decisions", "best play", "cost in cents",
    "wagered", "net", "void",
)  # fmt: skip


class HandsFile(msgspec.Struct, frozen=True):
    """What the JSON file holds."""

    player: str
    figures: Figures
    hands: Sequence[PlayerHand]


async def hands_file(form: str, player: str, hands: Sequence[PlayerHand], figures: Figures, press: Press) -> bytes:
    match form:
        case "json":
            return msgspec.json.format(msgspec.json.encode(HandsFile(player, figures, hands)))
        case "csv":
            return as_csv(hands)
    return await press.print(printed, player, list(hands), figures)


def as_csv(hands: Sequence[PlayerHand]) -> bytes:
    """One line for each box of a round; amounts in cents, costs as exact fractions."""
    text = io.StringIO()
    out = csv.writer(text)
    out.writerow(HEAD)
    for hand in hands:
        out.writerows(_row(hand, box) for box in hand.boxes)
    return text.getvalue().encode()


def _row(hand: PlayerHand, box: HandBox) -> list[object]:
    decisions = box.decisions
    return [
        hand.at, _plain(hand.table), hand.game, hand.number, box.box, " ".join((*box.cards, *box.fourth)), " ".join(hand.dealer),
        " ".join(hand.community), "; ".join(each.said for each in decisions),
        "; ".join(each.best or each.problem or "being computed" for each in decisions), "; ".join(each.cost for each in decisions),
        sum(line.stake for line in box.lines if line.outcome not in ("withdrawn", "void")),
        sum(line.pays + line.returns - line.stake for line in box.lines), hand.void,
    ]  # fmt: skip


def _plain(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name


def printed(player: str, hands: list[PlayerHand], figures: Figures) -> bytes:
    """In the child process."""
    from croupier.printed.documents.hands import hands_report
    from croupier.printed.output.typeset import typeset

    return typeset(hands_report(player, hands, figures))[0]
