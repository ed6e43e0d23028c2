"""The staff at random: decks, floorpersons' orders, irregularities at legal and illegal moments, remedies for a stuck table."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from croupier.cards import deck as full_deck
from croupier.filing.pricing import TABLE_INVENTORY
from croupier.floor.dealer.automatic_dealer import AutomaticDealer, PracticeStaff
from croupier.floor.house.shuffle import secret
from croupier.law.cite import Refusal
from croupier.law.procedure import Dealing, Device, Irregularity, Moment, Validation
from croupier.money import dollars
from croupier.shift.people.players import Action
from croupier.table import commands as say
from croupier.table.commands import Command, SealedDeck
from croupier.table.rules.decks import SHOES
from croupier.table.rules.irregularities import need_moment
from croupier.table.rules.stakes import verify_stakes
from croupier.table.state import State

DEVICES = [device.value for device in Device]
DECKS = ["red", "blue", "green"]
STACKED = 0.15  # of all shuffles


@dataclass
class ShiftDealer(PracticeStaff):
    """The automatic dealer, with decks that rarely come up by chance: straight flushes for everyone, so that meters are won."""

    random: Random = field(default_factory=Random)

    def seal(self, table: State) -> SealedDeck:
        if self.random.random() >= STACKED:
            return super().seal(table)
        cards = [str(card) for card in full_deck(table.rules.decks.jokers)]
        hands = self.random.randint(1, len(table.players) + 3)  # some players have several boxes, and the dealer has a hand too
        order = stacked(cards, hands, self.random.choice((3, 4, 5)), by_card=self.random.random() < 0.5)
        return SealedDeck(tuple(order), secret(self.source).hex())


def stacked(cards: list[str], hands: int, size: int, *, by_card: bool) -> list[str]:
    """Runs of a suit from the top down for this many hands, dealt card by card or by the stack; then the rest, suit by suit.

    >>> stacked(["2s", "As", "Kh", "2h", "Ah", "Ks"], 2, 2, by_card=True)
    ['Ah', 'As', 'Kh', 'Ks', '2h', '2s']
    """
    ranks = "AKQJT98765432"
    rest = sorted(cards, key=lambda card: (card[-1], ranks.find(card[0])))
    suits = sorted({card[-1] for card in cards} - {"k"})  # a joker is of none
    first: list[list[str]] = []
    for hand in range(hands):
        first.append([card for card in rest if card[-1] == suits[hand % len(suits)]][:size])
        rest = [card for card in rest if card not in first[-1]]
    in_order = zip(*first, strict=True) if by_card else first
    return [card for some in in_order for card in some] + rest


def floorperson_order(table: State, dealer: AutomaticDealer, random: Random) -> Action:
    """Something that a floorperson may order, whether it can be done now or not."""
    deck, held = _deck(table, random), table.balance(TABLE_INVENTORY)
    filed, least, most = table.offer.devices, table.offer.minimum, table.offer.maximum
    actions: list[Action] = [
        ("floorperson", say.OrderRecut(deck=deck, why="the cut was not seen")),
        ("floorperson", say.OrderShuffle(deck=deck)),
        ("floorperson", say.RemoveDecks()),
        ("floorperson", say.Fill(amount=random.choice([dollars(1), dollars(20_000)]))),
        ("floorperson", say.Credit(amount=max(1, random.choice([held // 2, held + 1, dollars(100)])))),
        ("floorperson", say.CollectDrop()),
        ("floorperson", say.CollectTips()),
        ("floorperson", say.CloseTable()),
        ("floorperson", say.PostLimits(minimum=least * random.choice([1, 1, 2]), maximum=random.choice([most, most // 2]))),
        ("floorperson", say.UseMethod(method=filed.method.value, shuffler=filed.shuffler)),
        ("floorperson", say.UseMethod(method=random.choice(table.rules.of(Dealing)).method.value, shuffler=random.random() < 0.5)),
        ("floorperson", say.ReturnDevice(device=random.choice(DEVICES))),
        ("dealer", say.SpreadDecks(face_up=random.random() < 0.5)),
        ("dealer", say.InspectDecks(defects=random.choice(["", "a bent corner"]))),
        ("floorperson", _preshuffled(table, dealer, random)),
        ("floorperson", say.Leave(seat=random.randint(1, table.rules.seats))),
        ("device", say.Leave(seat=(seat := random.randint(1, table.rules.seats)), away_since=table.away.get(seat, 0))),
    ]
    return random.choice(actions)


def _preshuffled(table: State, dealer: AutomaticDealer, random: Random) -> Command:
    missing = table.offer.devices.decks - len(table.decks)
    names = tuple(random.sample(DECKS, max(1, missing)))
    return say.ReceiveDecks(decks=names, preshuffled=True, sealed=tuple(dealer.seal(table) for _ in names))


def _deck(table: State, random: Random) -> str:
    return random.choice([deck.name for deck in table.decks] or DECKS)


def irregularity(table: State, random: Random) -> Action:
    """Any irregularity of the chapter, with what it may expose or break."""
    rules = table.rules.of(Irregularity)
    now = [rule for rule in rules if rule.moment is not Moment.STUB and _can_be_raised(table, rule)]
    rule = random.choice(now if now and random.random() < 0.6 else rules)
    by = random.choice(["dealer", "floorperson"])
    if rule.moment is Moment.STUB:
        left = table.decks[table.round.deck].left if table.round and table.decks else 30
        return "dealer", say.CountStub(counted=max(0, left + random.choice([-1, 1, 0])), misdealt=random.random() < 0.5)
    exposed = tuple(sorted(random.sample(range(1, 4), random.randint(0, 2)))) if rule.exposes else ()
    device = random.choice(DEVICES) if rule.moment is Moment.ANY or random.random() < 0.1 else ""
    deck = _deck(table, random) if rule.moment is Moment.SHUFFLE else ""
    return by, say.RaiseIrregularity(irregularity=rule.name, cards=exposed, device=device, deck=deck)


def late_finding(table: State) -> Action | None:
    """The hands are found void after a wager was settled (13(c))."""
    void = [rule for rule in table.rules.of(Irregularity) if rule.void and rule.moment is Moment.ROUND and not rule.exposes]
    return ("dealer", say.RaiseIrregularity(irregularity=void[0].name)) if void and _can_be_raised(table, void[0]) else None


def _can_be_raised(table: State, rule: Irregularity) -> bool:
    try:
        need_moment(table, rule)
    except Refusal:
        return False
    return True


def draw(table: State, dealer: AutomaticDealer, random: Random) -> Action:
    """The table game system draws a magic card, a lucky position or both, wanted or not."""
    cards = dealer.seal(table).order
    seats = [*range(1, table.rules.seats + 1), "dealer", 9]
    magic = random.choice([cards[0], cards[0], "", "Xx"])
    return "device", say.DrawBonus(magic_card=magic, lucky=str(random.choice(seats)) if random.random() < 0.5 else "")


def nonsense(table: State, random: Random) -> Action:
    """Any command by anyone at any moment."""
    seat, deck = random.randint(1, 8), _deck(table, random)
    validated = next((rule.wager.key for rule in table.rules.of(Validation)), "")
    actions: list[Command] = [
        say.CloseTable(), say.CollectTips(), say.InspectDecks(), say.VerifyInspection(), say.WashDecks(),
        say.StackDecks(), say.NoMoreBets(),
        say.CollectForfeited(), say.BurnCard(), say.DealCommunity(), say.TurnCard(), say.RevealDealer(), say.ClearCards(),
        say.Sit(seat=seat, player="nobody"), say.BuyIn(seat=seat, amount=500), say.FundGameAccount(seat=seat, amount=100),
        say.Tip(seat=seat, amount=100), say.Leave(seat=seat), say.ReturnWagers(seat=seat), say.Decide(seat=seat, choice="fold"),
        say.SetHand(seat=seat, cards=(1, 1, 2)), say.LapseDecision(seat=seat), say.TurnHand(seat=seat), say.SettleSeat(seat=seat),
        say.CompletePapers(seat=seat),
        say.ValidateProgressive(seat=seat, wager=validated), say.ViewDecks(seat=seat),
        say.RequestSpread(seat=seat, deck=deck),
        say.ReceiveDecks(decks=(deck,)), say.ShuffleDeck(deck=deck), say.CutDeck(deck=deck, depth=random.randint(1, 60)),
        say.DealCards(count=random.randint(1, 60)), say.CountStub(counted=random.randint(0, 52)),
    ]  # fmt: skip
    command = random.choice(actions)
    if random.random() < 0.7:
        role = random.choice(command.by)
        return (f"player:{seat}" if role == "player" else role.value), command
    return random.choice(["dealer", "floorperson", "device", "surveillance", f"player:{seat}"]), command


def remedies(table: State, command: Command, tries: int, random: Random) -> list[Action]:
    """What the staff do about a command of theirs that was refused."""
    match command:
        case say.NoMoreBets():
            return _return_invalid_wagers(table) or _another_method(table, random)
        case say.SettleSeat() | say.BuyIn():
            return [("floorperson", say.Fill(amount=dollars(50_000) << min(tries, 12)))]
    return []


def _return_invalid_wagers(table: State) -> list[Action]:
    wrong: list[Action] = []
    for box, stakes in table.stakes.items():
        try:
            verify_stakes(table.offer, box, stakes, table.posted)
        except Refusal:
            wrong.append(("dealer", say.ReturnWagers(seat=box)))
    return wrong


def _another_method(table: State, random: Random) -> list[Action]:
    """A way of dealing that works with the devices that do."""
    filed = table.offer.devices
    if not table.out_of_order or random.random() < 0.2:
        back: list[Action] = [("floorperson", say.ReturnDevice(device=device)) for device in table.out_of_order]
        return [*back, ("floorperson", say.UseMethod(method=filed.method.value, shuffler=filed.shuffler))]
    shoe = Device.SHOE.value in table.out_of_order
    shuffler = table.shuffler and Device.SHUFFLER.value not in table.out_of_order
    works = [d for d in table.rules.of(Dealing) if (shuffler or not d.needs_shuffler) and not (shoe and d.method.value in SHOES)]
    return [("floorperson", say.UseMethod(method=random.choice(works).method.value, shuffler=shuffler))]
