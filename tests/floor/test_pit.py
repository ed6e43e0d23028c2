"""The automatic dealers when something around them fails, and what they remember from the previous round."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from croupier import book
from croupier.filing.template import example_submission as example
from croupier.floor.dealer.pit import AT_ONCE, UNHURRIED, TableWatch
from croupier.floor.house.house import House, open_table
from croupier.floor.premises import Premises
from croupier.floor.processes.bus import Note
from croupier.floor.registers.table_settings import TableSettings
from croupier.ledger import Conflict, MemoryRecorder, NotRecorded, Unit, Unknown, Unreadable
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.events import read_event
from croupier.table.state import Condition, Phase, State
from croupier.web.live.board import line
from croupier.web.live.table_view import waits_for

T = "three-card-poker"


async def until(comes: Callable[[], object], seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not comes():
            await asyncio.sleep(0.002)


async def floor(
    path: Path | str, pace: Any = AT_ONCE, tables: Sequence[str] = (T,), betting_seconds: int = 30, **settings: Any
) -> Premises:
    """A floor in a folder, or in a database."""
    premises = Premises(path if isinstance(path, str) else str(path / "floor.db"), pace, unpaid_seconds=300)
    await premises.start()
    text = example(book.find("649a").edition()).replace("seconds = 90", "seconds = 0")
    filed = premises.filings.file(text, "administrator")
    premises.filings.approve(filed.id, "a second administrator", datetime.now(UTC).date())
    for table in tables:
        run = {"practice": True} | settings  # so that a practice floorperson does what the text assigns to one
        await premises.open(TableSettings(table, filed.id, betting_seconds=betting_seconds, **run), "administrator")
    return premises


class Zeros:
    """A generator that always draws, where drawing is possible."""

    def __call__(self, count: int) -> bytes:
        return b"\0" * count


class LastWord:
    """Draws a magic card and a position: three zeros, then this for the position."""

    def __init__(self, last: int) -> None:
        self.words = [0, 0, 0, last]

    def __call__(self, count: int) -> bytes:
        return self.words.pop(0).to_bytes(count, "little")


def state_of(premises: Premises, table: str = T) -> State:
    return premises.house.table(table).state


async def seated(premises: Premises, seat: int = 1, player: str = "Ann") -> None:
    await premises.execute(T, say.Sit(seat=seat, player=player), f"player:{seat}")
    await premises.execute(T, say.BuyIn(seat=seat, amount=dollars(1000)), f"player:{seat}")
    await until(lambda: all(deck.condition.value == "ready" for deck in state_of(premises).decks) and state_of(premises).decks)


ANTE = say.PlaceWager(seat=1, wager="Ante Wager", amount=dollars(10))


def test_a_dealer_goes_on_when_the_ledger_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit whose outcome is unknown, while nothing can be read either."""

    async def main() -> None:
        monkeypatch.setattr("croupier.floor.dealer.pit.SECONDS_TO_TRY_AGAIN", 0.05)
        premises = await floor(tmp_path)
        await seated(premises)
        await premises.execute(T, ANTE, "player:1")
        recorder: Any = premises.recorder
        append, rows = recorder.append, recorder._rows

        def lost(*_: object) -> Any:
            raise Unknown("lost in the commit")

        def away(*_: object) -> Any:
            raise Unreadable("out of reach")

        recorder.append, recorder._rows = lost, away
        premises.pit.ready(T, 1, state_of(premises).version)
        await asyncio.sleep(0.3)
        assert state_of(premises).phase is Phase.BETTING
        recorder.append, recorder._rows = append, rows
        await until(lambda: state_of(premises).phase is Phase.COMPLETING)
        await premises.stop()

    asyncio.run(main())


def test_a_floor_closes_everything_whatever_became_of_a_dealer(tmp_path: Path) -> None:
    async def main() -> None:
        premises = await floor(tmp_path, tables=(T, "second"))
        await seated(premises)
        premises.house.table(T).damage = "half folded"
        premises.pit.wake(T)
        await until(premises.pit._tasks[T].done)
        assert not premises.pit._tasks["second"].done()
        await premises.stop()
        with pytest.raises(NotRecorded, match="being closed"):
            await premises.house.execute("second", say.Sit(seat=2, player="Bob"), "player:2")
        with pytest.raises(Unreadable):
            premises.recorder.head("floor")

    asyncio.run(main())


def test_being_ready_for_one_round_does_not_carry_over_to_the_next(tmp_path: Path) -> None:
    async def main() -> None:
        premises = await floor(tmp_path, UNHURRIED)
        await seated(premises)
        await premises.execute(T, ANTE, "player:1")
        premises.ready(T, 1)
        await until(lambda: state_of(premises).round is not None and state_of(premises).round.asked)  # type: ignore[union-attr]
        await premises.execute(T, say.Decide(seat=1, choice="play"), "player:1")
        await until(lambda: state_of(premises).round is not None and state_of(premises).round.settled)  # type: ignore[union-attr]
        premises.ready(T, 1)  # done looking at the result
        await until(lambda: state_of(premises).phase is Phase.BETTING)
        await premises.execute(T, ANTE, "player:1")  # while the deck is being shuffled
        await asyncio.sleep(0.5)
        assert state_of(premises).phase is Phase.BETTING
        premises.ready(T, 1)
        await until(lambda: state_of(premises).phase is not Phase.BETTING)
        await premises.stop()

    asyncio.run(main())


def test_one_players_deal_does_not_end_the_time_of_the_others(tmp_path: Path) -> None:
    async def main() -> None:
        premises = await floor(tmp_path)
        await seated(premises)
        await seated(premises, 2, "Bob")
        await premises.execute(T, say.Sit(seat=3, player="Cleo"), "player:3")  # no chips, so the dealer does not wait for her
        await premises.execute(T, ANTE, "player:1")
        premises.ready(T, 1)
        await asyncio.sleep(0.3)
        assert state_of(premises).phase is Phase.BETTING
        await premises.execute(T, say.PlaceWager(seat=2, wager="Ante Wager", amount=dollars(10)), "player:2")
        premises.ready(T, 2)
        await until(lambda: state_of(premises).phase is Phase.COMPLETING)
        assert state_of(premises).boxes == {1: 1, 2: 2}
        await premises.stop()

    asyncio.run(main())


def test_the_dealer_does_not_wait_for_a_player_who_sits_out(tmp_path: Path) -> None:
    async def main() -> None:
        premises = await floor(tmp_path)
        await seated(premises)
        await seated(premises, 2, "Bob")
        premises.ready(T, 2)  # before anyone has bet
        await premises.execute(T, ANTE, "player:1")
        premises.ready(T, 1)
        await until(lambda: state_of(premises).phase is Phase.COMPLETING)
        assert state_of(premises).boxes == {1: 1}
        await premises.stop()

    asyncio.run(main())


def test_a_player_who_changes_a_wager_has_to_get_ready_again(tmp_path: Path) -> None:
    async def main() -> None:
        premises = await floor(tmp_path)
        await seated(premises)
        await seated(premises, 2, "Bob")
        await premises.execute(T, ANTE, "player:1")
        premises.ready(T, 1)
        said = state_of(premises).version
        await premises.execute(T, say.TakeBackWager(seat=1, wager="Ante Wager"), "player:1")
        assert premises.pit.ready_seats(T)[1] == []
        premises._on_note(Note(T, said, ready=1, rounds=0))  # from another process that does not know about it yet
        assert premises.pit.ready_seats(T)[1] == []
        premises.ready(T, 1)
        assert premises.pit.ready_seats(T)[1] == [1]
        await premises.execute(T, say.Leave(seat=1), "player:1")
        assert premises.pit.ready_seats(T)[1] == []  # the seat's next player has not said anything
        await premises.stop()

    asyncio.run(main())


def test_the_time_to_wager_ends_for_those_who_say_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        premises = await floor(tmp_path)
        await seated(premises)
        await seated(premises, 2, "Bob")
        await premises.execute(T, ANTE, "player:1")
        premises.ready(T, 1)
        await until(lambda: premises.pit.betting_until(T))
        over = premises.pit.betting_until(T)
        assert over is not None
        premises.house.clock = lambda: over
        premises.pit.wake(T)
        await until(lambda: state_of(premises).phase is Phase.COMPLETING)
        await premises.stop()

    asyncio.run(main())


def test_the_dealer_does_not_wait_for_an_absent_player_until_they_act(tmp_path: Path) -> None:
    async def main() -> None:
        premises = await floor(tmp_path)
        await seated(premises)
        await seated(premises, 2, "Bob")
        await premises.execute(T, ANTE, "player:1")
        premises.ready(T, 1)
        await until(lambda: premises.pit.betting_until(T))
        over = premises.pit.betting_until(T)
        assert over is not None
        premises.clock.reach(over)
        premises.pit.wake(T)
        await until(lambda: state_of(premises).phase is Phase.COMPLETING)
        await premises.execute(T, say.Decide(seat=1, choice="fold"), "player:1")
        await until(lambda: state_of(premises).phase is Phase.BETTING)
        await premises.execute(T, ANTE, "player:1")
        premises.ready(T, 1)
        await until(lambda: state_of(premises).rounds == 2)  # Bob is away
        await until(lambda: state_of(premises).round and state_of(premises).round.asked)
        await premises.execute(T, say.Decide(seat=1, choice="fold"), "player:1")
        await until(lambda: state_of(premises).phase is Phase.BETTING)
        await premises.execute(T, ANTE, "player:1")
        await premises.execute(T, say.PlaceWager(seat=2, wager="Ante Wager", amount=dollars(10)), "player:2")
        premises.ready(T, 1)
        await asyncio.sleep(0.3)
        assert state_of(premises).rounds == 2, "Bob is back"
        await premises.stop()

    asyncio.run(main())


def test_without_a_limit_only_those_who_wagered_are_waited_for(tmp_path: Path) -> None:
    """Otherwise a player who has left would stop the table for good."""

    async def main() -> None:
        premises = await floor(tmp_path, betting_seconds=0)
        await seated(premises)
        await seated(premises, 2, "Bob")
        await premises.execute(T, ANTE, "player:1")
        premises.ready(T, 1)
        await until(lambda: state_of(premises).phase is Phase.COMPLETING)
        await premises.stop()

    asyncio.run(main())


def test_a_draw_of_the_system_is_kept_until_it_is_written(tmp_path: Path) -> None:
    """The draw is kept until then. Draw only before the first card, so that a dealer who takes over later does not draw again."""

    async def main() -> None:
        premises = await floor(tmp_path)
        table, watch = state_of(premises), TableWatch()
        wager = next(wager for wager in table.rules.wagers.values() if wager.electronic)
        await seated(premises)
        await premises.execute(T, say.FundGameAccount(seat=1, amount=dollars(10)), "player:1")
        await premises.execute(T, ANTE, "player:1")
        await premises.execute(T, say.PlaceWager(seat=1, wager=wager.key, amount=dollars(1)), "player:1")
        await premises.pit.close()
        await premises.execute(T, premises.dealer.no_more_bets(table)[1], "dealer", person="Dana")
        assert table.round is not None
        premises.pit.source = Zeros()
        first = premises.pit._draw(table, table.round, watch)
        assert first is not None
        assert premises.pit._draw(table, table.round, watch) is first
        drawn = [premises.pit._drawn(table, table.round) for premises.pit.source in map(LastWord, range(8))]
        assert [action[1].lucky for action in drawn if action] == [
            *map(str, range(1, 8)),
            "dealer",
        ]  # 649a.1: six of them are empty
        await premises.execute(T, say.DealCards(count=1), "dealer", person="Dana")
        assert premises.pit._draw(table, table.round, TableWatch()) is None
        await premises.stop()

    asyncio.run(main())


def test_a_table_shows_what_another_does_to_the_meter_they_share(tmp_path: Path) -> None:
    async def main() -> None:
        wager = "Three-Card Progressive Payout Wager"
        premises = await floor(tmp_path, tables=(T, "second", "third"))
        for table in (T, "second"):
            state_of(premises, table).linked[wager] = "link"
        told: list[str] = []
        premises.on_change.append(told.append)
        await seated(premises)
        assert told == []
        await premises.pit.close()
        await premises.execute(T, ANTE, "player:1")
        terms = state_of(premises).offer.progressives[wager]
        await premises.execute(T, say.PlaceWager(seat=1, wager=wager, amount=terms.amount), "player:1")
        keeper = premises.house.meter("meter/link")
        own = premises.house.meter(f"meter/{T}/{wager}")
        keeper.meter, keeper.terms = own.meter, own.terms
        await premises.execute(T, premises.dealer.no_more_bets(state_of(premises))[1], "dealer", person="Dana")
        assert told == ["second"]
        await premises.stop()

    asyncio.run(main())


class UnavailableRecorder(MemoryRecorder):
    """A ledger that fails appends and reply lookups while it is `away`."""

    away = False
    problem: type[Exception] = NotRecorded

    def append(self, units: Sequence[Unit]) -> list[Conflict | None]:
        if self.away:
            raise self.problem("no answer")
        return super().append(units)

    def reply(self, key: str) -> bytes | None:
        if self.away:
            raise Unreadable("no answer from 10.0.0.5")
        return super().reply(key)


@pytest.mark.parametrize(("problem", "told"), [(NotRecorded, NotRecorded), (Unknown, Unknown), (Conflict, Unknown)])
def test_without_the_log_no_outcome_is_claimed(problem: type[Exception], told: type[Exception]) -> None:
    async def main() -> None:
        recorder = UnavailableRecorder()
        house = House(recorder)
        await open_table(house, "T", example(book.find("649a").edition()), dollars(10_000), person="Flora")
        recorder.away, recorder.problem = True, problem
        with pytest.raises(told):
            await house.execute("T", say.Sit(seat=1, player="Ann"), "player:1", "a key")

    asyncio.run(main())


def persons(premises: Premises, table: str = T) -> dict[str, set[str]]:
    """The roles that acted at a table, and under which names."""
    found: dict[str, set[str]] = {}
    for entry in premises.recorder.read(f"table/{table}"):
        event = read_event(entry.body)
        found.setdefault(event.by, set()).add(event.person)
    return found


def test_649a_4_a_the_automatic_dealer_waits_for_a_floorperson_to_verify(tmp_path: Path) -> None:
    """4(a) assigns the verification to the floorperson. At a table that is not for practice, no one else does it."""

    async def main() -> None:
        premises = await floor(tmp_path, practice=False)
        await premises.execute(T, say.Sit(seat=1, player="Ann"), "player:1")
        await until(lambda: any(deck.condition is Condition.INSPECTED for deck in state_of(premises).decks))
        await asyncio.sleep(0.05)
        assert {deck.condition for deck in state_of(premises).decks} == {Condition.INSPECTED}
        assert "to verify the inspection of the cards (649a.4(a))" in waits_for(state_of(premises), 0)
        assert [wait.words for wait in line(premises, T).waiting] == ["Verify the inspection of the cards"]
        await premises.execute(T, say.VerifyInspection(), "floorperson", person="Flora")
        await until(lambda: state_of(premises).phase is Phase.BETTING)
        assert persons(premises) == {
            "floorperson": {"administrator", "Flora"}, "dealer": {"automatic dealer"}, "player:1": {"Ann"},
        }  # fmt: skip
        await premises.stop()

    asyncio.run(main())


def test_decks_that_are_due_wait_for_a_floorperson(tmp_path: Path) -> None:
    """3(c)(2): after eight hours with a shoe no round starts. Wagers wait until a floorperson has replaced the decks."""

    async def main() -> None:
        premises = await floor(tmp_path, practice=False)
        await premises.execute(T, say.Sit(seat=1, player="Ann"), "player:1")
        await until(lambda: any(deck.condition is Condition.INSPECTED for deck in state_of(premises).decks))
        await premises.execute(T, say.VerifyInspection(), "floorperson", person="Flora")
        await seated_already(premises)
        late = premises.clock() + 9 * 3_600_000
        premises.house.clock = lambda: late
        await premises.execute(T, ANTE, "player:1")
        premises.ready(T, 1)
        await asyncio.sleep(0.1)
        assert (state_of(premises).phase, state_of(premises).rounds) == (Phase.BETTING, 0)
        assert "(649a.3(c)(2))" in waits_for(state_of(premises), late)
        await premises.stop()

    asyncio.run(main())


async def seated_already(premises: Premises) -> None:
    await premises.execute(T, say.BuyIn(seat=1, amount=dollars(1000)), "player:1")
    await until(lambda: all(deck.condition is Condition.READY for deck in state_of(premises).decks))


def test_at_a_practice_table_the_log_names_the_practice_floorperson(tmp_path: Path) -> None:
    async def main() -> None:
        premises = await floor(tmp_path)
        await seated(premises)
        assert persons(premises)["floorperson"] == {"administrator", "practice floorperson"}
        assert persons(premises)["dealer"] == {"automatic dealer"}
        assert line(premises, T).waiting == ()
        await premises.stop()

    asyncio.run(main())


def test_649a_5_f_the_automatic_dealer_spreads_the_cards_of_an_idle_table(tmp_path: Path) -> None:
    """Five minutes after the last act of play, though someone is seated. Then it prepares them for the next player."""

    async def main() -> None:
        premises = await floor(tmp_path)
        await seated(premises)
        now = premises.clock() + 299_000
        premises.house.clock = lambda: now
        premises.pit.wake(T)
        await asyncio.sleep(0.05)
        assert state_of(premises).phase is Phase.BETTING
        now = state_of(premises).active + 300_000
        premises.pit.wake(T)
        await until(lambda: {deck.condition for deck in state_of(premises).decks} == {Condition.SPREAD})
        before = state_of(premises).version
        premises.pit.wake(T)
        await asyncio.sleep(0.05)
        assert state_of(premises).version == before  # no one has come
        await premises.execute(T, say.Sit(seat=3, player="Cleo"), "player:3")
        await until(lambda: state_of(premises).phase is Phase.BETTING)
        await until(lambda: {deck.condition for deck in state_of(premises).decks} == {Condition.READY})
        viewed = [
            e.command for entry in premises.recorder.read(f"table/{T}") if (e := read_event(entry.body)).event == "cards viewed"
        ]
        assert viewed[-1] == say.ViewDecks(seat=3)
        await premises.stop()

    asyncio.run(main())


def test_649a_5_f_a_pit_knows_when_its_tables_become_idle(tmp_path: Path) -> None:
    """It sleeps until then and wakes up by itself."""

    async def main() -> None:
        premises = await floor(tmp_path)
        await seated(premises)
        await until(lambda: state_of(premises).phase is Phase.BETTING)
        start, real = state_of(premises).active, premises.clock
        begin = real()
        premises.house.clock = lambda: start + 299_800 + real() - begin  # 0.2 seconds are left
        premises.pit.wake(T)
        await until(lambda: {deck.condition for deck in state_of(premises).decks} == {Condition.SPREAD})
        await premises.stop()

    asyncio.run(main())


def test_649a_5_f_a_new_player_has_time_to_look_or_to_ask(tmp_path: Path) -> None:
    async def main() -> None:
        premises = await floor(tmp_path, UNHURRIED)
        await seated(premises)
        now = state_of(premises).active + 300_000
        premises.house.clock = lambda: now
        premises.pit.wake(T)
        await until(lambda: {deck.condition for deck in state_of(premises).decks} == {Condition.SPREAD})
        await premises.execute(T, say.Sit(seat=3, player="Cleo"), "player:3")
        await asyncio.sleep(0.1)
        assert {deck.condition for deck in state_of(premises).decks} == {Condition.SPREAD}
        await premises.execute(T, say.ViewDecks(seat=3), "player:3")
        await until(lambda: {deck.condition for deck in state_of(premises).decks} == {Condition.READY})
        await premises.stop()

    asyncio.run(main())
