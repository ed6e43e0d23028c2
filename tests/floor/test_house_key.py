"""The house key: readable by its owner only, and never replaced silently. Losing it loses only what was not dealt."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from croupier.floor.dealer.automatic_dealer import AutomaticDealer, PracticeStaff
from croupier.floor.house.house import House, open_table
from croupier.floor.house.shuffle import Seeded
from croupier.floor.house.vault import Vault, number_of
from croupier.floor.registers.house_key import HouseKeys, NoHouseKey, key_place, lost_orders, open_vault, read_keys
from croupier.floor.registers.table_settings import TableSettings
from croupier.floor.transcripts.export import export
from croupier.floor.verification.verify import verify
from croupier.law.cite import Refusal
from croupier.ledger import MemoryRecorder
from croupier.money import dollars
from croupier.table import commands as say
from croupier.table.card_reveals import is_stuck
from croupier.table.choices.checklist import checklist
from croupier.table.choices.players import choices
from croupier.table.choices.staff import blocking_task
from croupier.table.state import Phase, State
from croupier.table.views import view
from croupier.web.live.board import waiting
from tests.examples import GAMES, thorough
from tests.floor.logs import copy
from tests.floor.play import Clock, Evening, submission

T1 = "table/T1"
ROLES = ["player:1", "player:3", "dealer", "floorperson", "surveillance", "public"]


# the file


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    recorder, path = MemoryRecorder(), tmp_path / "floor.db.house.key"
    vault = open_vault("", str(tmp_path / "floor.db"), recorder)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert HouseKeys(recorder).now() == vault.number == number_of(read_keys(str(path))[0])
    before = path.read_bytes()
    assert open_vault("", str(tmp_path / "floor.db"), recorder).number == vault.number
    assert path.read_bytes() == before
    assert recorder.head("vault")[0] == 1
    assert not any(key.hex().encode() in entry.body for key in read_keys(str(path)) for entry in recorder.read("vault"))


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o622])
def test_a_key_that_others_can_read_is_refused(mode: int, tmp_path: Path) -> None:
    recorder, path = MemoryRecorder(), tmp_path / "key"
    open_vault(str(path), "floor.db", recorder)
    path.chmod(mode)
    with pytest.raises(NoHouseKey, match=f"mode {mode:04o}"):
        open_vault(str(path), "floor.db", recorder)
    with pytest.raises(NoHouseKey, match=f"mode {mode:04o}"):
        open_vault(str(path), "floor.db", recorder, new=True)


@pytest.mark.parametrize("text", ["12", "x" * 64, "# nothing but words\n", "ab" * 32 + " " + "cd" * 31])
def test_a_malformed_key_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(NoHouseKey, match="does not hold a house key"):
        open_vault(str(path), "floor.db", MemoryRecorder())
    assert path.read_text() == text


def test_a_missing_or_different_key_is_never_replaced_silently(tmp_path: Path) -> None:
    recorder, path = MemoryRecorder(), tmp_path / "key"
    number = open_vault(str(path), "floor.db", recorder).number
    path.unlink()
    with pytest.raises(NoHouseKey, match=f"no house key in .*{number}.*--new-house-key"):
        open_vault(str(path), "floor.db", recorder)
    assert not path.exists()
    other = open_vault(str(path), "floor.db", MemoryRecorder()).number
    with pytest.raises(NoHouseKey, match=f"holds another house key .{other}.*{number}"):
        open_vault(str(path), "floor.db", recorder)
    assert recorder.head("vault")[0] == 1


def test_a_key_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, first, second = MemoryRecorder(), os.urandom(32), os.urandom(32)
    with pytest.raises(NoHouseKey, match="FLOOR_KEY holds no new house key"):
        open_vault("env:FLOOR_KEY", "floor.db", recorder)
    monkeypatch.setenv("FLOOR_KEY", first.hex())
    assert open_vault("env:FLOOR_KEY", "floor.db", recorder).number == number_of(first)
    with pytest.raises(NoHouseKey, match="FLOOR_KEY holds no new house key"):
        open_vault("env:FLOOR_KEY", "floor.db", recorder, new=True)
    monkeypatch.setenv("FLOOR_KEY", f"{first.hex()},{second.hex()}")
    assert open_vault("env:FLOOR_KEY", "floor.db", recorder).number == number_of(second)
    assert HouseKeys(recorder).now() == number_of(second)
    monkeypatch.setenv("FLOOR_KEY", second.hex())
    assert open_vault("env:FLOOR_KEY", "floor.db", recorder).number == number_of(second)


def test_where_a_key_is_kept() -> None:
    assert key_place("", "floor.db") == key_place("", "sqlite:///floor.db") == "floor.db.house.key"
    assert key_place("", "postgresql://floor/db") == "croupier.house.key"
    assert key_place("/keys/floor", "postgresql://floor/db") == "/keys/floor"
    assert key_place("", "memory:") == ""


def test_two_servers_with_two_keys_do_not_share_a_floor(tmp_path: Path) -> None:
    recorder = MemoryRecorder()
    open_vault(str(tmp_path / "one"), "postgresql://floor", recorder)
    with pytest.raises(NoHouseKey, match="no house key in"):
        open_vault(str(tmp_path / "two"), "postgresql://floor", recorder)
    with pytest.raises(NoHouseKey, match="Another server"):
        HouseKeys(recorder).set_key("", "ab" * 8, {})


# rotation


def evening(recorder: MemoryRecorder, vault: Vault, game: str = "649a", seed: int = 5) -> Evening:
    house = House(recorder, Clock(), snapshot_every=7, vault=vault)
    return Evening(house, "T1", Random(seed), PracticeStaff(Seeded(seed)), mishaps=False)


async def begun(recorder: MemoryRecorder, vault: Vault, game: str = "649a") -> Evening:
    game_ = evening(recorder, vault, game)
    await open_table(game_.house, "T1", submission(game), dollars(100_000), person="Flora")
    await game_.arrive()
    return game_


def test_a_new_key_seals_and_the_old_one_still_opens(tmp_path: Path) -> None:
    recorder, path = MemoryRecorder(), tmp_path / "key"
    old = open_vault(str(path), "floor.db", recorder)

    async def play() -> Vault:
        game = await begun(recorder, old)
        while not (game.state.round and game.state.round.asked):
            await game.step()
        new = open_vault(str(path), "floor.db", recorder, new=True)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        again = evening(recorder, new)
        assert again.state == game.state
        await again.play(2)
        return new

    new = asyncio.run(play())
    assert new.number != old.number
    assert new.holds(old.number)
    assert not lost_orders(recorder)
    houses = [msgspec.json.decode(entry.sealed)["house"] for entry in recorder.read(T1) if b'"house"' in entry.sealed]
    assert list(dict.fromkeys(houses)) == [old.number, new.number]
    report = verify(recorder, vault=new)
    assert report.holds, report.damage
    assert report.decided == report.heads[T1][0]
    sealed = [entry for entry in recorder.read(T1) if b'"house"' in entry.sealed]
    forged = copy(recorder)
    forged._snapshots.clear()
    forged._streams[T1][sealed[-1].version - 1] = replace(
        sealed[-1], sealed=sealed[-1].sealed.replace(new.number.encode(), old.number.encode())
    )
    (damage,) = verify(forged).damage
    assert (damage.version, damage.what.split("key ")[-1]) == (sealed[-1].version, "that was replaced before the last order")
    path.write_text(path.read_text().splitlines()[-1])  # once everything it sealed is dealt, the old key can go
    last = open_vault(str(path), "floor.db", recorder)
    assert not last.holds(old.number)
    assert House(recorder, vault=last).table("T1").state.rounds == report.rounds


# a lost key


def looked_at(state: State, at: int) -> None:
    """Build every view, list of choices and checklist. None may fail for lack of a card that no one knows."""
    for role in ROLES:
        view(state, role)
        choices(state, role, at)
    checklist(state, at)
    list(waiting(state, at, TableSettings("T1", dealer="person")))


def stages(game: str, recorder: MemoryRecorder, vault: Vault) -> Iterator[MemoryRecorder]:
    """The log after each event of a table's first round."""

    async def play() -> list[int]:
        table = await begun(recorder, vault, game)
        start = table.house.table("T1").version
        while table.state.rounds < 1 or table.state.round:
            await table.step()
        return [start, table.house.table("T1").version]

    first, last = asyncio.run(play())
    for version in range(first, last + 1):
        yield cut(recorder, version)


def cut(recorder: MemoryRecorder, version: int) -> MemoryRecorder:
    """A floor that stopped after an event of its only table."""
    made = copy(recorder)
    made._snapshots.clear()
    made._streams[T1] = made._streams[T1][:version]
    for stream, entries in made._streams.items():
        if stream.startswith("meter/"):
            made._streams[stream] = [entry for entry in entries if msgspec.json.decode(entry.body)["version"] <= version]
    kept = {entry_key for entry in made._streams[T1] if (entry_key := msgspec.json.decode(entry.body).get("key"))}
    made._replies = {key: reply for key, reply in made._replies.items() if key in kept}
    return made


@pytest.mark.thorough
@pytest.mark.parametrize("game", thorough(GAMES, unless=["649a"]))
def test_a_table_goes_on_after_its_key_is_lost_at_any_moment(game: str, tmp_path: Path) -> None:
    recorder, path = MemoryRecorder(), tmp_path / "key"
    vault = open_vault(str(path), "floor.db", recorder)
    stuck = between = 0
    for number, log in enumerate(stages(game, recorder, vault)):
        path.unlink()
        new = open_vault(str(path), "floor.db", log, new=True)
        table = evening(log, new, seed=number)
        at = table.house.clock()
        looked_at(table.state, at)
        if is_stuck(table.state):
            stuck += 1
            _is_stuck(table, at)
        elif any(deck.is_sealed for deck in table.state.decks) and table.state.phase in (Phase.OPENING, Phase.BETTING):
            between += 1
            due = blocking_task(table.state, at)
            assert due
            assert isinstance(due.command, say.RemoveDecks)
        before = table.state.rounds
        asyncio.run(table.play(2))
        assert table.state.rounds >= before + 2
        assert not any(deck.is_sealed for deck in table.state.decks)
        report = verify(log, vault=new)
        assert report.holds, report.damage
        lost = sum(map(len, lost_orders(log).values()))
        assert not lost or "house key was lost" in " ".join(report.unchecked)
        export(log, "T1", tmp_path / "t", "public", overwrite=True)
        assert verify(str(tmp_path / "t")).holds
    assert stuck > 5
    assert between > 1


def _is_stuck(table: Evening, at: int) -> None:
    """Only voiding the round is granted: the automatic dealer waits for a floorperson, who is told what to do."""
    state, name = table.state, "a wrong number of cards"
    assert AutomaticDealer().next(state, at) is None
    due = blocking_task(state, at)
    assert due
    assert isinstance(due.command, say.RaiseIrregularity)
    assert name in due.command.irregularity
    assert "13(c)" in str(due.cites)
    (first,) = [choice for choice in choices(state, "floorperson", at) if choice.primary]
    assert first.command["irregularity"] == due.command.irregularity
    with pytest.raises(Refusal, match=r"no key opens the cards that this round needs"):
        asyncio.run(table.house.execute("T1", say.RevealDealer(), "dealer"))
    staked = sum(cents for account, cents in state.accounts.items() if account.endswith("layout"))
    asyncio.run(table.house.execute("T1", due.command, "floorperson", person="Fay"))
    assert state.round is None
    assert staked == 0 or not any(cents for account, cents in state.accounts.items() if account.endswith("layout"))


def test_a_lost_key_is_on_the_log_and_nothing_is_lost_twice(tmp_path: Path) -> None:
    recorder, path = MemoryRecorder(), tmp_path / "key"
    vault = open_vault(str(path), "floor.db", recorder)

    async def play() -> None:
        table = await begun(recorder, vault)
        while not (table.state.round and table.state.round.asked):
            await table.step()

    asyncio.run(play())
    path.unlink()
    open_vault(str(path), "floor.db", recorder, new=True)
    lost = lost_orders(recorder)
    assert list(lost) == [T1]
    path.unlink()
    open_vault(str(path), "floor.db", recorder, new=True)
    assert lost_orders(recorder) == lost
    (first, second, third) = [msgspec.json.decode(entry.body) for entry in recorder.read("vault")]
    assert (first.get("lost"), third.get("lost")) == (None, None)
    assert second["lost"] == {T1: sorted(lost[T1])}


def test_a_key_that_is_found_again_opens_what_was_lost(tmp_path: Path) -> None:
    recorder, path = MemoryRecorder(), tmp_path / "key"
    vault = open_vault(str(path), "floor.db", recorder)

    async def play() -> Evening:
        table = await begun(recorder, vault)
        while not (table.state.round and table.state.round.asked):
            await table.step()
        return table

    table = asyncio.run(play())
    old = read_keys(str(path))[0]
    path.unlink()
    open_vault(str(path), "floor.db", recorder, new=True)
    path.write_text(f"{old.hex()}\n{read_keys(str(path))[0].hex()}\n")
    found = open_vault(str(path), "floor.db", recorder)
    again = evening(recorder, found)
    assert again.state == table.state
    asyncio.run(again.play(1))
    report = verify(recorder, vault=found)
    assert report.holds, report.damage
    assert verify(recorder).holds
