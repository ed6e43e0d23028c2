"""Events of a table in words: a sentence for each command, and for staff the name of who acted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from croupier.filing.pricing import TABLE_INVENTORY
from croupier.floor.house.house import House, stream_of
from croupier.law.chapter import Rules
from croupier.law.fact import TIMED_OUT
from croupier.law.procedure import Fate, Irregularity
from croupier.ledger import Source
from croupier.money import show_money
from croupier.table import commands as say
from croupier.table.accounts import CAGE, OUTSIDE
from croupier.table.card_reveals import cards_named
from croupier.table.commands import Command, Role
from croupier.table.events import Event, read_event
from croupier.table.rules.round_play import timeout_loss
from croupier.wire import LoggedEvent

PURSES = (" chips", " game account")  # how the names of a player's accounts end
E = TypeVar("E", bound=LoggedEvent)
Words = Callable[[Any, Event, Rules | None], str]  # a command, its event, and the rules once the table has opened


def logged_event(kind: type[E], version: int, event: Event, says: str, *, staff: bool = True, **more: Any) -> E:
    """An event in words, as a LoggedEvent or a kind of it with `more` fields. Staff are named to staff only."""
    person = event.person if staff or event.by.startswith("player:") else ""
    return kind(
        version=version, at=event.at, by=event.by, person=person, event=event.event, says=says, cites=event.then.cites, **more
    )


def log_of(source: Source, table: str, rules: Rules, after: int, last: int) -> list[LoggedEvent]:
    """The events of a table's log after one version up to another, for staff, the newest first."""
    entries = source.read(stream_of(table), after, last - after) if last > after else ()
    events = [(entry.version, read_event(entry.body)) for entry in entries]
    return [logged_event(LoggedEvent, version, event, with_name(event, rules)) for version, event in reversed(events)]


def newest_event(house: House, table: str) -> LoggedEvent | None:
    """The newest event of a table, for staff."""
    keeper = house.table(table)
    if keeper.newest is None:
        entry = next(house.recorder.read(keeper.stream, keeper.version - 1, 1), None) if keeper.version else None
        keeper.newest = read_event(entry.body) if entry else None
    event = keeper.newest
    return logged_event(LoggedEvent, keeper.version, event, with_name(event, keeper.state.rules)) if event else None


def sentence(event: Event, rules: Rules | None, announced: str = "") -> str:
    """An event in a dealer's words, with the announcement of any hand it turns over.

    >>> from croupier.table.events import Consequences, Event
    >>> sentence(Event(1, "tip given", 0, "player:3", say.Tip(seat=3, amount=500), Consequences(())), None)
    'Seat 3 tips $5.'
    """
    words = WORDS[type(event.command)](event.command, event, rules)
    return f"{words.removesuffix('.')}: {announced}." if announced else words


def actor(event: Event) -> str:
    """Who acted: name and role or seat; the role alone if an older event does not name the person.

    >>> from croupier.table.events import Consequences, Event
    >>> actor(Event(2, "tip given", 0, "player:3", say.Tip(seat=3, amount=500), Consequences(()), person="Ann"))
    'Ann (seat 3)'
    """
    role, _, seat = event.by.partition(":")
    position = f"seat {seat}" if seat else role
    if not event.person:
        return f"the {position}" if not seat else position
    named_by_role = role in event.person or role == Role.DEVICE
    return f"the {event.person}" if named_by_role else f"{event.person} ({position})"


def with_name(event: Event, rules: Rules | None, announced: str = "", *, staff: bool = True) -> str:
    """The sentence with the name of the person who acted. Staff are named only to staff and to whoever holds the log itself.

    >>> from croupier.table.events import Consequences, Event
    >>> verified = Event(2, "inspection verified", 0, "floorperson", say.VerifyInspection(), Consequences(()), person="Ann Miller")
    >>> with_name(verified, None)
    'Ann Miller (floorperson) verifies the inspection.'
    """
    says, who = sentence(event, rules, announced), actor(event)
    role, _, seat = event.by.partition(":")
    if not event.person or event.person in says or not (staff or seat):
        return says
    subject = f"Seat {seat} " if seat else f"The {role} "
    if says.startswith(subject):
        who = f"The {who.removeprefix('the ')}" if who.startswith("the ") else who
        return f"{who} {says.removeprefix(subject)}"
    return f"{says} By {who}."


def _names(names: tuple[str, ...]) -> str:
    return " and ".join(names) + (" decks are" if len(names) > 1 else " deck is")


def _wager(command: say.PlaceWager, event: Event, rules: Rules | None) -> str:
    seat = event.by.removeprefix("player:")
    box = f" of box {command.seat}" if seat != str(command.seat) else ""
    return f"Seat {seat} has {show_money(command.amount)} on the {command.wager}{box}."


def _irregularity(command: say.RaiseIrregularity, event: Event, rules: Rules | None) -> str:
    rule = next((each for each in rules.of(Irregularity) if each.name == command.irregularity), None) if rules else None
    words = [f"Irregularity: {command.irregularity}."]
    words += [f"The {command.device}."] if command.device else []
    words += [f"The {command.deck} deck."] if command.deck else []
    if rule and rule.void:
        words.append(f"All hands are void. {_returned(event)}")
        words += [f"The {_still_settled(rule)} may still be settled."] if rule.settled else []
        if any(move.source.endswith(PURSES) or move.source == CAGE for move in event.then.moves):
            words.append("What was paid in this round is taken back.")
        owed = event.then.owed.items()
        words += [f"{account.capitalize()} are {show_money(cents)} short, which the house absorbs." for account, cents in owed]
    if rule and rule.cards is not Fate.NONE:
        words.append(f"{rule.cards.value[0].upper()}{rule.cards.value[1:]}.")
    return " ".join(words)


def effects(rule: Irregularity, beside: Sequence[str] = ()) -> list[str]:
    """What an irregularity does to the hands, to wagers that were lost or settled before it, and to the cards, in words."""
    settled = f", except the {_still_settled(rule)}" if rule.settled else ""
    hands = [f"all hands are void and the wagers are returned{settled}"] if rule.void else []
    return [*hands, *beside, *([rule.cards.value] if rule.cards is not Fate.NONE else [])]


def _still_settled(rule: Irregularity) -> str:
    return " and the ".join(wager.name for wager in rule.settled)


def _returned(event: Event) -> str:
    """The stakes that a void round returned, by seat."""
    back = Counter[str]()
    for move in event.then.moves:
        if move.target.endswith(PURSES):
            back[move.target] += move.cents
    back -= Counter(event.then.owed)  # the house made these good
    seats = Counter[str]()
    for account, cents in back.items():
        seats[" ".join(account.split()[:2])] += cents
    sums = ", ".join(f"{show_money(cents)} to {seat}" for seat, cents in sorted(seats.items()))
    return f"Returned: {sums}." if sums else "Nothing is returned."


def _no_more_bets(command: say.NoMoreBets, event: Event, rules: Rules | None) -> str:
    counted = ", ".join(f"{show_money(cents)} for the {name}" for name, cents in sorted(command.collected.items()) if cents)
    return "“No more bets.”" + (f" Collected and counted: {counted}." if counted else "")


def _decided(command: say.Decide, event: Event, rules: Rules | None) -> str:
    bet = sum(move.cents for move in event.then.moves if move.target.endswith("layout"))
    back = sum(move.cents for move in event.then.moves if move.source.endswith("layout"))
    money = f" and bets {show_money(bet)}" if bet else f" and takes back {show_money(back)}" if back else ""
    return f"Box {command.seat} says “{command.choice}”{money}."


def _lapsed(command: say.LapseDecision, event: Event, rules: Rules | None) -> str:
    over, then = f"Box {command.seat}'s time ran out:", event.then
    if not then.choice:
        return f"{over} its hand counts as a hand that was not set."
    if then.choice == TIMED_OUT and rules:
        return f"{over} {timeout_loss(rules)}. Other wagers of the box are settled."
    back = sum(move.cents for move in then.moves)
    return f"{over} it counts as “{then.choice}”." + (f" {show_money(back)} is returned." if back else "")


def _left(command: say.Leave, event: Event, rules: Rules | None) -> str:
    moves = event.then.moves
    if event.by == Role.DEVICE:
        held = sum(move.cents for move in moves)
        why = f"its player was away. The house is holding their {show_money(held)}" if held else "it had no chips"
        return f"Seat {command.seat} is free again: {why}."
    lost = sum(move.cents for move in moves if move.source.endswith("layout") and move.target == TABLE_INVENTORY)
    taken = sum(move.cents for move in moves if move.target == OUTSIDE)
    abandoned = f" {show_money(lost)} on the layout is abandoned and lost." if lost else ""
    return f"The player at seat {command.seat} leaves with {show_money(taken)}.{abandoned}"


def _counted(command: say.CountStub, event: Event, rules: Rules | None) -> str:
    voids = event.then.moves or event.then.meters
    wrong = f" The count is wrong, and all hands are void. {_returned(event)}" if voids else ""
    return f"The stub is counted: {command.counted} cards.{wrong}"


def _drawn(command: say.DrawBonus, event: Event, rules: Rules | None) -> str:
    called = {fact.of_position: fact.called for fact in rules.draws.values()} if rules else {}
    drawn = {False: command.magic_card, True: command.lucky}
    what = [f"the {called.get(kind, 'draw')} {found}" for kind, found in drawn.items() if found]
    return f"The table game system draws {' and '.join(what)}."


def _settled(command: say.SettleSeat, event: Event, rules: Rules | None) -> str:
    part = " as far as its cards are face up" if event.then.partly else ""
    papers = " The hand stays for the paperwork." if event.then.papers else ""
    return f"Box {command.seat} is settled{part}.{papers}"


WORDS: Mapping[type[Command], Words] = {
    say.OpenTable: lambda c, e, _: f"Table {c.table} opens with {show_money(c.opener)} in its container.",
    say.CloseTable: lambda c, e, _: "The table closes; its container and boxes go to the cage.",
    say.PostLimits: lambda c, e, _: f"Posted limits: {show_money(c.minimum)} to {show_money(c.maximum)}.",
    say.Fill: lambda c, e, _: f"A fill of {show_money(c.amount)}.",
    say.Credit: lambda c, e, _: f"A credit of {show_money(c.amount)} to the cage.",
    say.CollectDrop: lambda c, e, _: f"The drop box is collected: {show_money(sum(m.cents for m in e.then.moves))}.",
    say.CollectTips: lambda c, e, _: f"The tip box is collected: {show_money(sum(m.cents for m in e.then.moves))}.",
    say.Sit: lambda c, e, _: f"{c.player} sits down at seat {c.seat}.",
    say.BuyIn: lambda c, e, _: f"Seat {c.seat} buys chips for {show_money(c.amount)}.",
    say.FundGameAccount: lambda c, e, _: f"Seat {c.seat} adds {show_money(c.amount)} to the game account.",
    say.Tip: lambda c, e, _: f"Seat {c.seat} tips {show_money(c.amount)}.",
    say.Leave: _left,
    say.ReceiveDecks: lambda c, e, _: f"The {_names(c.decks)} received{', preshuffled' if c.preshuffled else ''}.",
    say.InspectDecks: lambda c, e, _: f"The dealer inspects the decks{': ' + c.defects if c.defects else ''}.",
    say.VerifyInspection: lambda c, e, _: "The floorperson verifies the inspection.",
    say.SpreadDecks: lambda c, e, _: f"The cards are spread face {'up' if c.face_up else 'down'}.",
    say.ViewDecks: lambda c, e, _: f"The player at seat {c.seat} looks at the cards.",
    say.RequestSpread: lambda c, e, _: f"The player at seat {c.seat} asks to see the {c.deck} deck face up.",
    say.WashDecks: lambda c, e, _: "The cards are washed and stacked.",
    say.StackDecks: lambda c, e, _: "The cards are stacked for the shuffling device.",
    say.ShuffleDeck: lambda c, e, _: f"The {c.deck} deck is shuffled.",
    say.CutDeck: lambda c, e, _: f"The {c.deck} deck is cut {c.depth} cards from the top.",
    say.OrderRecut: lambda c, e, _: f"The floorperson orders a recut of the {c.deck} deck: {c.why}.",
    say.OrderShuffle: lambda c, e, _: f"The floorperson orders another shuffle of the {c.deck} deck.",
    say.RemoveDecks: lambda c, e, _: "The decks are removed from the table.",
    say.UseMethod: lambda c, e, _: f"From now on: {c.method}, shuffled by {'a device' if c.shuffler else 'hand'}.",
    say.ReturnDevice: lambda c, e, _: f"The {c.device} is back in service.",
    say.PlaceWager: _wager,
    say.TakeBackWager: lambda c, e, _: f"The {c.wager} of box {c.seat} is taken back.",
    say.ReturnWagers: lambda c, e, _: f"The dealer returns the wagers of box {c.seat}.",
    say.NoMoreBets: _no_more_bets,
    say.DealCards: lambda c, e, _: f"The dealer deals {len(e.then.cards)} card{'s' if len(e.then.cards) > 1 else ''}.",
    say.CountStub: _counted,
    say.Decide: _decided,
    say.SetHand: lambda c, e, _: f"Box {c.seat} sets its cards {', '.join(map(str, c.cards))} as the three-card hand.",
    say.LapseDecision: _lapsed,
    say.CollectForfeited: lambda c, e, _: "The dealer collects the forfeited wagers.",
    say.BurnCard: lambda c, e, _: "The next card is burned.",
    say.DealCommunity: lambda c, e, _: "The dealer deals the community cards.",
    say.TurnCard: lambda c, e, _: "The dealer turns over a community card.",
    say.DrawBonus: _drawn,
    say.RevealDealer: lambda c, e, _: "The dealer turns over the dealer's cards.",
    say.TurnHand: lambda c, e, _: f"The dealer turns over {cards_named(e.then.cards)}.",
    say.ValidateProgressive: lambda c, e, _: f"The floorperson validates the {c.wager} of box {c.seat}.",
    say.SettleSeat: _settled,
    say.CompletePapers: lambda c, e, _: f"The paperwork for box {c.seat} is done.",
    say.RaiseIrregularity: _irregularity,
    say.ClearCards: lambda c, e, _: "The cards go to the discard rack, hand by hand.",
}
