"""A player's own hands on paper: the result against its expectation, and every round with what best play was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from fractions import Fraction

from croupier.money import Cents, show_fraction, show_money
from croupier.printed.content.phrases import plural
from croupier.printed.drawing.plots import result_plot
from croupier.printed.output.document import Block, DataTable, Document, Figure, Heading, Identity, Items, Paragraph
from croupier.wire import Figures, HandBox, HandDecision, PlayerHand

NONE = "–"


def hands_report(player: str, hands: Sequence[PlayerHand], figures: Figures) -> Document:
    """The document. Its date is that of the newest hand, so the same hands give the same bytes."""
    dated = _moment(hands[0].at).date() if hands else date(2000, 1, 1)
    rounds = plural(figures.rounds, "round")
    identity = Identity(game="My hands", facility=player, edition="58 Pa. Code", dated=dated.isoformat(), hash="", notices=0)
    return Document("report", "My hands", f"{player} · {rounds}", identity, "letter", list(_blocks(hands, figures)), dated)


def _blocks(hands: Sequence[PlayerHand], figures: Figures) -> Iterator[Block]:
    expected = Fraction(figures.expected)
    yield Paragraph(
        f"Wagered {show_money(figures.wagered)}, result {_signed(figures.net)}. The wagers that have an expectation come to "
        f"{_signed(figures.counted)}; best play expects {_exact(expected, signed=True)}. "
        f"The difference is {_exact(figures.counted - expected, signed=True)}."
    )
    if len(figures.points) > 1:
        yield Figure(result_plot(figures.points), 170)
    if figures.wagers:
        yield _by_wager(figures)
    yield Items([(words, "") for words in figures.assumed])
    yield Heading("Rounds, newest first")
    if not hands:
        yield Paragraph("No finished rounds.", quiet=True)
        return
    yield DataTable(
        head=("Time (UTC)", "Table and round", "Cards", "Dealer, community", "Decision, best, cost", "Net"),
        rows=[_row(hand, box) for hand in hands for box in hand.boxes],
        right={5},
        quiet={0},
        wide={4},
        long=True,
    )


def _by_wager(figures: Figures) -> DataTable:
    return DataTable(
        head=("Wager", "Bets", "Wagered", "Result", "Expected", "Difference"),
        rows=tuple(
            (
                f"{each.wager} ({each.game})" + (f" – {each.note}" if each.note else ""),
                f"{each.bets:,}",
                show_money(each.wagered),
                _signed(each.net),
                _exact(Fraction(each.expected), signed=True) if each.expected else NONE,
                _exact(each.counted - Fraction(each.expected), signed=True) if each.expected else NONE,
            )
            for each in figures.wagers
        ),
        title="By wager",
        right=set(range(1, 6)),
    )


def _row(hand: PlayerHand, box: HandBox) -> tuple[str, ...]:
    seen = [" ".join(card for card in cards if card) for cards in (hand.dealer, hand.community)]
    net = sum(line.pays + line.returns - line.stake for line in box.lines)
    return (
        _moment(hand.at).strftime("%Y-%m-%d %H:%M"),
        f"{hand.table} {hand.number:,}" + (f", box {box.box}" if len(hand.boxes) > 1 else ""),
        " ".join((*box.cards, *box.fourth)),
        ", ".join(filter(None, seen)) or NONE,
        f"void: {hand.void}" if hand.void else "; ".join(map(_decision, box.decisions)) or NONE,
        _signed(net),
    )


def _decision(each: HandDecision) -> str:
    if each.pending:
        return f"{each.said} (being computed)"
    if not each.cost:
        return f"{each.said} (not priced: {each.problem})"
    return each.said if each.cost == "0" else f"{each.said}; best {each.best}, cost {_exact(Fraction(each.cost))}"


def _signed(cents: Cents) -> str:
    return _minus(f"+{show_money(cents)}" if cents > 0 else show_money(cents))


def _exact(cents: Fraction, *, signed: bool = False) -> str:
    return _minus(show_fraction(cents, signed=signed))


def _minus(words: str) -> str:
    """Use a minus sign, since a line may break after a hyphen."""
    return words.replace("-", "−")


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
