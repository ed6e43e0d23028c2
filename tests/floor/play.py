"""Rounds actually played: the automatic dealer and simple players at a table, reproducible by seed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from random import Random

from croupier.filing.template import example_submission
from croupier.floor.dealer.automatic_dealer import PERSONS, PracticeStaff
from croupier.floor.house.house import House, open_table
from croupier.floor.house.shuffle import Seeded
from croupier.law.cite import Refusal
from croupier.law.procedure import Act, Irregularity, Moment
from croupier.ledger import Recorder
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.commands import Command
from croupier.table.rules.round_play import pending
from croupier.table.state import Phase, State
from tests.examples import GAMES, rules_of

__all__ = ["GAMES", "Clock", "Evening", "open_and_play", "play", "submission"]
HOUR_OF_OPENING = 1_800_000_000_000


class Clock:
    """Advances half a second per reading."""

    def __init__(self) -> None:
        self.now = HOUR_OF_OPENING

    def __call__(self) -> int:
        self.now += 500
        return self.now


@cache
def submission(game: str, method: str = "automated shoe", linked: str = "") -> str:
    """The example filing without a time limit, with other devices, and with linked meters as TOML."""
    text = example_submission(rules_of(game)).replace('method = "automated shoe"', f'method = "{method}"')
    if method == "manual shoe":  # shuffled by hand, so that there is a cut and a stub to count
        text = text.replace("shuffler = true", "shuffler = false").replace("counts_cards = true", "counts_cards = false")
        text = text.replace("decks = 2", "decks = 1")
    text = text.replace("seconds = 90", "seconds = 0").replace("\nminimum", f"\nlinked = {{ {linked} }}\nminimum")
    return text.replace("reshuffles = false", "reshuffles = true") if method == "continuous shoe" else text


def play(house: House, table: str, rounds: int, seed: int, *, by_card: bool = False, mishaps: bool = True) -> None:
    asyncio.run(Evening(house, table, Random(seed), PracticeStaff(Seeded(seed), by_card), mishaps).play(rounds))


def open_and_play(
    recorder: Recorder,
    game: str,
    rounds: int,
    seed: int = 7,
    *,
    table: str = "T1",
    method: str = "automated shoe",
    by_card: bool = False,
    mishaps: bool = True,
    snapshot_every: int = 40,
) -> House:
    """Open one more table in a house, and play rounds at it."""
    house = House(recorder, Clock(), snapshot_every)
    asyncio.run(open_table(house, table, submission(game, method), dollars(100_000), person="Flora"))
    play(house, table, rounds, seed, by_card=by_card, mishaps=mishaps)
    return house


class Evening:
    """Three players who bet, decide, tip, come and go at random."""

    def __init__(self, house: House, table: str, die: Random, dealer: PracticeStaff, mishaps: bool) -> None:
        self.house, self.name, self.die, self.dealer, self.mishaps = house, table, die, dealer, mishaps
        self.guests = 0

    @property
    def state(self) -> State:
        return self.house.table(self.name).state

    async def do(self, by: str, command: Command) -> bool:
        try:
            key = f"{self.name}-{self.house.table(self.name).version}" if self.die.random() < 0.1 else ""
            await self.house.execute(self.name, command, by, key, PERSONS.get(by, ""))
        except Refusal:
            return False
        return True

    async def play(self, rounds: int) -> None:
        last = self.state.rounds + rounds
        await self.arrive()
        while self.state.rounds < last or self.state.round:
            await self.step()

    async def arrive(self) -> None:
        for seat in (1, 3, 4):
            await self.sit(seat)

    async def step(self) -> None:
        if self.mishaps and self.die.random() < 0.03 and await self.mishap():
            return
        if action := self.dealer.next(self.state, self.house.clock()):
            assert await self.do(*action), action
        elif self.state.phase is Phase.COMPLETING:
            await self.decide()
        else:
            await self.bet()

    async def sit(self, seat: int) -> None:
        if seat not in self.state.players:
            self.guests += 1
            await self.do(f"player:{seat}", say.Sit(seat=seat, player=f"guest {self.guests}"))
        await self.do(f"player:{seat}", say.BuyIn(seat=seat, amount=dollars(2000)))
        await self.do(f"player:{seat}", say.FundGameAccount(seat=seat, amount=dollars(100)))

    async def bet(self) -> None:
        for seat in sorted(self.state.players):
            by = f"player:{seat}"
            for box in (seat, seat + 1) if self.die.random() < 0.2 else (seat,):
                for command in self.wagers(box):
                    await self.do(by, command)
            if self.die.random() < 0.05:
                await self.do(by, say.Tip(seat=seat, amount=100))
        for box in sorted(self.state.stakes):
            await self.mend(box)
        if not await self.do(*self.dealer.no_more_bets(self.state)):
            for seat in sorted(self.state.players):
                await self.sit(seat)

    async def mend(self, box: int) -> None:
        """Take back wagers that may not stand."""
        from croupier.table.rules.stakes import verify_stakes

        try:
            verify_stakes(self.state.offer, box, self.state.stakes[box], (self.state.offer.minimum, self.state.offer.maximum))
        except Refusal:
            await self.do("dealer", say.ReturnWagers(seat=box))

    def wagers(self, box: int) -> Iterator[say.PlaceWager]:
        unit, offer = dollars(self.die.choice((5, 10, 25))), self.state.offer
        for wager in self.state.rules.wagers.values():
            if not wager.made_by_decision and (not wager.optional or self.die.random() < 0.6):
                terms = offer.progressives.get(wager.name)
                amount = terms.amount if terms else dollars(1) if wager.amounts and wager.amounts.fixed else unit
                yield say.PlaceWager(seat=box, wager=wager.group or wager.key, amount=amount)

    async def decide(self) -> None:
        current = self.state.round
        assert current is not None
        if not current.drawn and self.die.random() < 0.3:
            await self.do("device", say.DrawBonus(magic_card="As", lucky=str(min(current.stakes))))
        box, stage = pending(self.state, current)[0], self.state.stages[current.stage]
        home = self.state.boxes[box]
        if self.mishaps and self.die.random() < 0.03 and await self.do(f"player:{home}", say.Leave(seat=home)):
            return
        if stage.act is Act.SET:
            while not await self.do(
                f"player:{home}",
                say.SetHand(seat=box, cards=tuple(self.die.sample(range(1, 6), 3))),  # type: ignore[arg-type]
            ):
                pass
            return
        assert stage.decision is not None
        for choice in self.die.sample(stage.decision.choices, len(stage.decision.choices)):
            if await self.do(f"player:{home}", say.Decide(seat=box, choice=choice.word)):
                return
        await self.sit(home)

    async def mishap(self) -> bool:
        """Raise an irregularity of § .13 if one can happen, or seat a new guest."""
        for seat in (1, 3, 4):
            if seat not in self.state.players and self.state.phase is not Phase.CLOSED:
                await self.sit(seat)
        rule = self.die.choice([r for r in self.state.rules.of(Irregularity) if r.moment not in (Moment.STUB, Moment.ANY)])
        deck = self.state.decks[0].name if rule.moment is Moment.SHUFFLE and self.state.decks else ""
        cards = (1,) if rule.exposes else ()
        return await self.do("dealer", say.RaiseIrregularity(irregularity=rule.name, cards=cards, deck=deck))
