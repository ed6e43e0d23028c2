"""Scripted players of all temperaments: what they bet, what they decide, and what mischief they do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from croupier.law.procedure import Setting
from croupier.law.wager import Choice, Decision
from croupier.money import Cents, dollars
from croupier.shift.table_signs import MenuItem, menu_of
from croupier.table import commands as say
from croupier.table.accounts import chips, game_account
from croupier.table.commands import Command
from croupier.table.state import State, cards_of

Action = tuple[str, Command]

TEMPERAMENTS = (
    "cautious", "bold", "thoughtful", "forgetful", "late", "leaver", "box-spreader", "cheat", "tipper", "rebuyer",
)  # fmt: skip


SPREADS = 0.2  # how often a player who is not a box-spreader wagers on several boxes


# before the deal


def place_wagers(table: State, seat: int, temperament: str, random: Random) -> Iterator[Action]:
    """Everything a player does before “no more bets”."""
    by, laid, electronic = f"player:{seat}", list[Action](), 0
    total = 0
    for box in _boxes(table, seat, temperament, random):
        base = 0
        for choice in menu_of(table.submission, table.posted):
            cents = _sum(choice, base, temperament, random)
            base = base or cents
            if cents:
                laid.append((by, say.PlaceWager(seat=box, wager=choice.word, amount=cents)))
                electronic += cents if choice.electronic else 0
                total += cents * choice.circles
    held = table.balance(chips(seat))
    if held < 3 * total and (temperament != "rebuyer" or held < total):
        yield by, say.BuyIn(seat=seat, amount=max(dollars(20), random.choice([1, 5, 20]) * total))
    if electronic > table.balance(game_account(seat)):
        yield by, say.FundGameAccount(seat=seat, amount=electronic * random.choice([1, 4]))
    yield from laid
    if laid and random.random() < 0.05:
        yield by, say.TakeBackWager(seat=seat, wager=random.choice(laid)[1].wager)  # type: ignore[attr-defined]


def _boxes(table: State, seat: int, temperament: str, random: Random) -> list[int]:
    """The player's own box, plus as many adjacent ones as allowed: always for a box-spreader, sometimes for others."""
    most = table.offer.adjacent_boxes
    if most == 1 or (temperament != "box-spreader" and random.random() > SPREADS):
        return [seat]
    low = max(1, seat - random.randrange(most))
    return sorted(set(range(low, min(table.rules.seats, low + most - 1) + 1)), key=lambda box: abs(box - seat))


def _sum(choice: MenuItem, base: Cents, temperament: str, random: Random) -> Cents:
    """How much, or nothing: the first wager is nearly always made, the others by temperament."""
    likes = {"cautious": 0.25, "bold": 0.9, "thoughtful": 0.5}.get(temperament, 0.5)
    if base and not choice.equals and random.random() > likes:
        return 0
    if not base and choice.entitled and random.random() < 0.03:
        return 0
    if choice.sums:
        return random.choice(choice.sums)
    if base and (choice.equals or random.random() < 0.5) and choice.low <= base <= choice.high:
        return base
    if temperament in ("bold", "box-spreader") and random.random() < 0.3:
        return choice.high
    whole = random.randint(1, max(1, min(choice.high // choice.low, 20))) * choice.low
    return min(choice.high, whole + random.choice([0, 0, 0, 1, 33, 50, 99]))


# in the round


def answer(table: State, box: int, decision: Decision, temperament: str, random: Random) -> Action:
    """An answer that the player can afford; a bold player buys in first."""
    home = table.boxes[box]
    by, choice = f"player:{home}", _choice(table, box, decision, temperament, random)
    if choice.makes:
        assert table.round is not None
        cost = int(choice.makes[1] * table.round.stakes[box][decision.base.key])
        if cost > table.balance(chips(home)):
            if temperament in ("bold", "rebuyer", "thoughtful"):
                return by, say.BuyIn(seat=home, amount=2 * cost)
            choice = next((c for c in decision.choices if not c.makes), choice)
    word = choice.word if not decision.between or random.random() > 0.2 or not choice.makes else f"{decision.between.verb} 1.5x"
    return by, say.Decide(seat=box, choice=random.choice([word, word, word.upper(), f" {word} "]) if word else word)


def _choice(table: State, box: int, decision: Decision, temperament: str, random: Random) -> Choice:
    match temperament:
        case "bold":
            return next((c for c in decision.choices if c.makes or not c.withdraws), decision.choices[0])
        case "cautious":
            return next((c for c in reversed(decision.choices) if not c.makes), decision.choices[-1])
        case "thoughtful":
            return decision.choices[0] if _worth_it(table, box) else decision.choices[-1]
    return random.choice(decision.choices)


def _worth_it(table: State, box: int) -> bool:
    """A pair or a high card: close enough to good play to keep money moving both ways."""
    assert table.round is not None
    seen = [*table.round.hands.get(box, []), *(held for held in table.round.community if held.up)]
    ranks = [held.card[0] for held in seen]
    return len(set(ranks)) < len(ranks) or any(rank in "AKQ" for rank in ranks)


def set_hand(table: State, box: int, temperament: str, random: Random) -> Action:
    """Three of five cards; thoughtful players look for a setting that the code allows."""
    assert table.round is not None
    five, setting = cards_of(table.round.hands[box]), table.rules.of(Setting)[0]
    ways = list(combinations(range(1, len(five) + 1), 3))
    random.shuffle(ways)
    if temperament != "bold" or random.random() < 0.5:
        ways.sort(key=lambda way: not setting.allows(five, tuple(five[n - 1] for n in way)))
    return f"player:{table.boxes[box]}", say.SetHand(seat=box, cards=ways[0])


# mischief


def mischief(table: State, seat: int, temperament: str, random: Random) -> Action | None:
    """Something a player does unasked, at any moment."""
    choice, held = random.choice(menu_of(table.submission, table.posted)), table.balance(chips(seat))
    anywhere = random.randint(1, table.rules.seats)
    acts: dict[str, Command] = {
        "leaver": say.Leave(seat=seat),
        "tipper": say.Tip(seat=seat, amount=random.choice([100, 500, held + 1])),
        "rebuyer": say.BuyIn(seat=seat, amount=random.choice([2_000, 10_000, 1])),
        "late": say.PlaceWager(seat=seat, wager=choice.word, amount=choice.sums[0] if choice.sums else choice.low),
        "cheat": _cheat(table, seat, choice, random),
        "forgetful": say.TakeBackWager(seat=seat, wager=choice.word),
        "box-spreader": say.PlaceWager(seat=anywhere, wager=choice.word, amount=choice.low),
    }
    act = acts.get(temperament)
    return (f"player:{seat}", act) if act else None


def _cheat(table: State, seat: int, choice: MenuItem, random: Random) -> Command:
    other = random.choice([*table.players, *table.boxes, seat % table.rules.seats + 1])
    return random.choice(
        [
            say.TakeBackWager(seat=random.choice([seat, other]), wager=choice.word),
            say.PlaceWager(seat=seat, wager=choice.word, amount=table.balance(chips(seat)) + 1),
            say.PlaceWager(seat=seat, wager=choice.word, amount=choice.low, cash=True),
            say.PlaceWager(seat=other, wager=choice.word, amount=choice.low),
            say.Decide(seat=other, choice=random.choice(["fold", "play", "withdraw", "check"])),
            say.Leave(seat=other),
            say.Tip(seat=other, amount=100),
            say.NoMoreBets(),
            say.SettleSeat(seat=seat),
            say.Fill(amount=100_00),
        ]
    )
