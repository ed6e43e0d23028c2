"""No one can read an undealt card: not in the database, a backup, a snapshot or a dump. Finished rounds open from the log alone."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import psycopg
import pytest
from msgspec.structs import replace

from croupier.floor.dealer.automatic_dealer import PracticeStaff
from croupier.floor.house.house import Damaged, House, open_table
from croupier.floor.house.shuffle import Seeded
from croupier.floor.house.vault import Vault, ephemeral
from croupier.floor.registers.house_key import HouseKeys
from croupier.floor.surveillance.records import Records
from croupier.floor.surveillance.replay import Frames, replay
from croupier.floor.transcripts.export import export
from croupier.floor.verification.verify import verify
from croupier.ledger import MemoryRecorder, Recorder, open_recorder
from croupier.money import dollars
from croupier.table.card_reveals import salt
from croupier.table.commands import SealedDeck
from croupier.table.engine import to_come
from croupier.table.events import Sealed, read_event, read_sealed, write_sealed
from croupier.table.state import Deck, State
from croupier.web.workers.backup import backup
from tests.examples import some_games
from tests.floor.logs import copy, entries, played, versions
from tests.floor.play import Clock, Evening, open_and_play, submission
from tests.recorders.server import new_database

T1 = "table/T1"
SEVERAL = 3  # cards in a row that do not occur by chance
PAGE, SPAN = 4096, 256  # bytes compared as a unit, and context around them longer than any of the secrets
METHODS = ["automated shoe", "manual shoe"]


# what someone with the bytes could look for


def tells(data: bytes, deck: Deck) -> str:
    """Describe how the bytes give away undealt cards of a deck. Empty if they do not."""
    secret = bytes.fromhex(deck.secret)
    if secret in data or deck.secret.encode() in data:
        return "the secret"
    left = [deck.position(ahead) for ahead in range(deck.left)]
    for position in left:
        mine = salt(secret, position)
        if mine in data or mine.hex().encode() in data:
            return f"the salt of position {position}"
    for first in range(len(left) - SEVERAL + 1):
        cards = [deck.order[position] for position in left[first : first + SEVERAL]]
        for spelling in ('","'.join(cards), " ".join(cards), "".join(cards), ",".join(cards)):
            if spelling.encode() in data:
                return spelling
    return ""


def changed(before: bytes, now: bytes) -> bytes:
    """Pages that changed, each with its surroundings. Unchanged pages were searched before."""
    pages = range(0, len(now), PAGE)
    return b"\0".join(now[max(0, at - SPAN) : at + PAGE + SPAN] for at in pages if now[at : at + PAGE] != before[at : at + PAGE])


def test_what_was_written_since_is_searched() -> None:
    before = os.urandom(10 * PAGE)
    secret = b"from one page into the next"
    for at in (0, 3 * PAGE - 10, 3 * PAGE, len(before) - 1):
        now = before[:at] + secret + before[at + len(secret) :]
        assert secret in changed(before, now)
        assert len(changed(before, now)) < 3 * (PAGE + 2 * SPAN)
    assert changed(before, before) == b""


def test_the_old_way_to_seal_reveals_them() -> None:
    """The search can succeed: it finds the unencrypted sealed part and snapshot of an earlier version."""
    house = open_and_play(MemoryRecorder(), "649a", 1)
    asyncio.run(house.close())
    state = house.table("T1").state
    deck = next(deck for deck in state.decks if deck.order)
    deck.used = 0
    assert tells(write_sealed(Sealed((SealedDeck(tuple(deck.order), deck.secret),))), deck)
    assert tells(msgspec.json.encode(state), deck)
    assert not tells(b"", deck)


class Watched(Evening):
    """An evening in which someone copies everything after each command."""

    def __init__(self, house: House, copies: object) -> None:
        super().__init__(house, "T1", Random(3), PracticeStaff(Seeded(3), by_card=True), mishaps=True)
        self.copies, self.seen = copies, 0
        self.before: dict[str, bytes] = {}
        self.searched: set[str] = set()  # secrets of decks for which everything has been searched

    async def do(self, by: str, command: object) -> bool:
        done = await super().do(by, command)  # type: ignore[arg-type]
        if done:
            decks = [deck for deck in self.state.decks if deck.is_to_come]
            for name, data in self.copies():  # type: ignore[operator]
                new = changed(self.before.get(name, b""), data)
                for deck in decks:
                    self.seen += 1
                    told = tells(new if deck.secret in self.searched else data, deck)
                    assert not told, f"{name} tells {told} of the {deck.name} deck after {command}"
                self.before[name] = data
            self.searched |= {deck.secret for deck in decks}
        return done


async def _watched(house: House, copies: object, game: str, method: str, rounds: int) -> int:
    await open_table(house, "T1", submission(game, method), dollars(100_000), person="Flora")
    evening = Watched(house, copies)
    await evening.play(rounds)
    return evening.seen


@pytest.mark.parametrize("method", METHODS)
def test_no_byte_of_a_sqlite_file_reveals_an_undealt_card(method: str, tmp_path: Path) -> None:
    """These bytes include the file, its write-ahead log, the snapshots and the states that surveillance caches."""
    path = tmp_path / "floor.db"
    recorder = open_recorder(str(path))
    house = House(recorder, Clock(), snapshot_every=3)
    slider, kept = Frames(recorder, Records(recorder), house.vault), house.tables
    house.listeners.append(lambda table, version, _: slider._remember(table, version, kept[table].head, kept[table].state))

    def copies() -> Iterator[tuple[str, bytes]]:
        for name in sorted(tmp_path.iterdir()):
            yield name.name, name.read_bytes()

    assert asyncio.run(_watched(house, copies, "653a", method, 2)) > 100
    assert recorder.snapshot(T1)
    recorder.close()


def test_no_byte_of_a_backup_reveals_an_undealt_card(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    recorder = open_recorder(str(path))
    house = House(recorder, Clock(), snapshot_every=3)
    found = list[tuple[bytes, State]]()

    async def play() -> None:
        await open_table(house, "T1", submission("649a"), dollars(100_000), person="Flora")
        evening = Evening(house, "T1", Random(3), PracticeStaff(Seeded(3)), mishaps=False)
        await evening.arrive()
        while evening.state.rounds < 1 or evening.state.round:
            await evening.step()
            file, _ = backup(path)
            with file:
                found.append((file.read(), msgspec.json.decode(msgspec.json.encode(evening.state), type=State)))

    asyncio.run(play())
    recorder.close()
    assert any(state.round for _, state in found)
    for data, state in found:
        assert data.startswith(b"SQLite format 3")
        assert not any(tells(data, deck) for deck in state.decks if deck.is_to_come)


def test_no_byte_of_a_postgres_dump_reveals_an_undealt_card() -> None:
    """pg_dump writes what COPY returns for each table."""
    url = new_database()
    recorder = open_recorder(url)
    house = House(recorder, Clock(), snapshot_every=3)

    def copies() -> Iterator[tuple[str, bytes]]:
        with psycopg.connect(url) as connection:
            names = [name for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")]
            assert {"entries", "snapshots", "replies"} <= set(names)
            for name in names:
                with connection.cursor().copy(f'COPY "{name}" TO STDOUT (FORMAT binary)'.encode()) as rows:
                    yield name, b"".join(bytes(row) for row in rows)

    assert asyncio.run(_watched(house, copies, "649a", "automated shoe", 1)) > 100
    recorder.close()


# what is published, and when


def followed(game: str, method: str) -> Iterator[tuple[list[str], list[str], Sealed]]:
    """What may be dealt before and after each event of an evening, and what is stored with it."""
    recorder = played(game, method=method)
    state, before = State(), list[str]()
    from croupier.floor.house.vault import Opener
    from croupier.table.fold import apply

    opener = Opener(recorder, T1, ephemeral())
    for entry in recorder.read(T1):
        apply(state, read_event(entry.body), opener.open(entry).orders)
        after = to_come(state)
        yield before, after, read_sealed(entry.sealed)
        before = after


@pytest.mark.parametrize("method", ["automated shoe", "hand", "manual shoe"])
@some_games
def test_a_key_is_published_when_its_order_is_used_up_and_not_before(game: str, method: str) -> None:
    keys = 0
    for before, after, sealed in followed(game, method):
        assert not sealed.decks
        assert len(sealed.keys) == len(set(before) - set(after))
        keys += len(sealed.keys)
    assert keys >= 8


@some_games
def test_finished_rounds_open_from_the_log_alone(game: str, tmp_path: Path) -> None:
    recorder = played(game)
    report = verify(recorder)
    assert report.holds, report.damage
    assert report.sealed <= 2
    assert report.decided == report.heads[T1][0] - report.sealed
    with_key = verify(recorder, vault=ephemeral())
    assert (with_key.sealed, with_key.decided) == (0, report.heads[T1][0])
    for number in (1, 8):
        told = replay(recorder, "T1", number, everything=True)
        assert told == replay(recorder, "T1", number, everything=True, vault=ephemeral())
        assert all(card.card for step in told.steps for card in step.cards)
    for reader in ("player:3", "public", "everyone"):
        export(recorder, "T1", tmp_path / "one", reader, overwrite=True)
        assert verify(str(tmp_path / "one")).holds


def in_mid_round(game: str = "653a") -> tuple[MemoryRecorder, House]:
    """A round in which players are asked to decide."""
    recorder = MemoryRecorder()
    house = House(recorder, Clock(), snapshot_every=10)

    async def play() -> None:
        await open_table(house, "T1", submission(game), dollars(100_000), person="Flora")
        evening = Evening(house, "T1", Random(5), PracticeStaff(Seeded(5)), mishaps=False)
        await evening.play(1)
        while not (evening.state.round and evening.state.round.asked):
            await evening.step()

    asyncio.run(play())
    return recorder, house


def test_a_round_that_is_not_over_stays_sealed_without_the_key(tmp_path: Path) -> None:
    recorder, house = in_mid_round()
    report = verify(recorder)
    assert report.holds, report.damage
    assert report.sealed >= 1
    assert "sealed decks" in " ".join(report.unchecked)
    assert verify(recorder, vault=house.vault).decided == report.heads[T1][0]
    hidden = [card.card for step in replay(recorder, "T1", 2, everything=True).steps for card in step.cards if not card.face_up]
    assert hidden
    assert not any(hidden)
    known = replay(recorder, "T1", 2, everything=True, vault=house.vault)
    assert all(card.card for step in known.steps for card in step.cards)


@pytest.mark.parametrize("reader", ["everyone", "player:1", "public"])
def test_no_transcript_reveals_an_undealt_card(reader: str, tmp_path: Path) -> None:
    recorder, house = in_mid_round()
    made = export(recorder, "T1", tmp_path / "t", reader, vault=house.vault)
    assert not made.sealed
    text = (tmp_path / "t").read_bytes()
    assert not any(tells(text, deck) for deck in house.table("T1").state.decks if deck.is_to_come)
    report = verify(str(tmp_path / "t"))
    assert report.holds, report.damage
    assert not report.sealed  # the leaves are present, so each card can be checked against them
    without = export(recorder, "T1", tmp_path / "u", reader)
    assert without.sealed >= 1
    assert verify(str(tmp_path / "u")).holds


def test_an_inspector_sees_the_cards_that_are_dealt(tmp_path: Path) -> None:
    recorder, house = in_mid_round()
    export(recorder, "T1", tmp_path / "all", "everyone", vault=house.vault)
    from croupier.ledger.transcript import Transcript

    whole = Transcript(tmp_path / "all")
    told, known = (
        replay(source, "T1", 2, everything=True, vault=vault) for source, vault in ((whole, None), (recorder, house.vault))
    )
    assert [step.cards for step in told.steps] == [step.cards for step in known.steps]
    export(whole, "T1", tmp_path / "one", "player:1")
    export(recorder, "T1", tmp_path / "two", "player:1", vault=house.vault)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


# tampering


def shuffles(recorder: MemoryRecorder) -> list[int]:
    return [version - 1 for version in versions(recorder, T1, "cards shuffled")]


def put(recorder: MemoryRecorder, at: int, sealed: Sealed) -> None:
    log = entries(recorder, T1)
    log[at] = replace(log[at], sealed=write_sealed(sealed))


@pytest.mark.parametrize("key", [True, False])
def test_two_orders_that_are_exchanged_are_found(key: bool) -> None:
    recorder = copy(played("649a"))
    log, (one, other) = entries(recorder, T1), shuffles(recorder)[:2]
    first, second = log[one].sealed, log[other].sealed
    log[one], log[other] = replace(log[one], sealed=second), replace(log[other], sealed=first)
    (damage,) = verify(recorder, vault=ephemeral() if key else None).damage
    assert (damage.version, "sealed" in damage.what) == (one + 1, True)


@pytest.mark.parametrize("part", ["house", "key", "order"])
@pytest.mark.parametrize("key", [True, False])
def test_a_changed_order_is_found(part: str, key: bool) -> None:
    recorder = copy(played("649a"))
    at = shuffles(recorder)[1]
    sealed = read_sealed(entries(recorder, T1)[at].sealed)
    if part == "house":
        changed = replace(sealed, house="0" * 16)
    else:
        old: bytes = getattr(sealed.orders[0], part)
        changed = replace(sealed, orders=(replace(sealed.orders[0], **{part: old[:20] + bytes([old[20] ^ 1]) + old[21:]}),))
    put(recorder, at, changed)
    (damage,) = verify(recorder, vault=ephemeral() if key else None).damage
    assert (damage.version, "sealed" in damage.what) == (at + 1, True)


@pytest.mark.parametrize("key", [True, False])
def test_an_undealt_order_under_a_key_that_the_vault_never_had_is_found(key: bool) -> None:
    recorder, house = in_mid_round()
    HouseKeys(recorder).set_key("", house.vault.number, {})
    assert verify(recorder).holds
    recorder._snapshots.clear()
    at = shuffles(recorder)[-1]
    put(recorder, at, replace(read_sealed(entries(recorder, T1)[at].sealed), house="0" * 16))
    (damage,) = verify(recorder, vault=house.vault if key else None).damage
    assert str(damage) == f"{T1}, version {at + 1}: its sealed part names a house key that the vault never had."


def test_a_house_key_named_without_an_order_is_found() -> None:
    recorder, house = in_mid_round()
    put(recorder, 0, Sealed(house=house.vault.number))
    (damage,) = verify(recorder).damage
    assert (damage.version, "not encoded" in damage.what) == (1, True)


def test_a_key_that_is_withheld_changed_or_published_too_early_is_found() -> None:
    recorder = copy(played("649a"))
    log = entries(recorder, T1)
    at = next(n for n, entry in enumerate(log) if b'"keys"' in entry.sealed)
    sealed = read_sealed(log[at].sealed)
    put(recorder, at, Sealed())
    (damage,) = verify(recorder).damage
    assert (damage.version, "the key of an order that it used up is missing" in damage.what) == (at + 1, True)
    put(recorder, at, Sealed(keys=(replace(sealed.keys[0], key=bytes(32)),)))
    (damage,) = verify(recorder, vault=ephemeral()).damage
    assert (damage.version, "keys other than" in damage.what) == (at + 1, True)
    put(recorder, at, sealed)
    put(recorder, at - 1, sealed)
    (damage,) = verify(recorder, vault=ephemeral()).damage
    assert (damage.version, "keys other than" in damage.what) == (at, True)


def test_a_house_does_not_deal_from_a_changed_order() -> None:
    recorder, _ = in_mid_round()
    at = shuffles(recorder)[-1]
    sealed = read_sealed(entries(recorder, T1)[at].sealed)
    put(recorder, at, replace(sealed, orders=(replace(sealed.orders[0], order=bytes(80)),)))
    recorder._snapshots.clear()
    with pytest.raises(Damaged, match="its key does not open it"):
        House(recorder).table("T1")


# snapshots


def test_a_snapshot_of_another_key_or_another_table_is_not_used() -> None:
    recorder, house = in_mid_round()
    asyncio.run(house.close())
    version, kept = recorder._snapshots[T1]
    again = House(recorder).table("T1")
    assert again.saved == version
    assert again.keys == house.table("T1").keys
    assert House(recorder, vault=Vault(os.urandom(32))).table("T1").saved == 0
    recorder._snapshots[T1] = (version, ephemeral().seal_state("table/T2", version, kept))
    assert House(recorder).table("T1").saved == 0
    plain = msgspec.json.encode({"head": recorder.head(T1)[1].hex(), "state": house.table("T1").state})
    recorder._snapshots[T1] = (version, plain)
    found = House(recorder).table("T1")
    assert found.saved == 0
    assert found.state == house.table("T1").state
    assert verify(recorder, vault=ephemeral()).holds


# older logs


def test_a_log_with_orders_in_the_clear_opens_and_verifies() -> None:
    """Sealed as by an older version: plain orders, and no keys."""
    recorder = copy(played("649a"))
    recorder._snapshots.clear()
    from croupier.floor.house.vault import Opener

    opener = Opener(recorder, T1, ephemeral())
    log = entries(recorder, T1)
    for at, entry in enumerate(list(log)):
        orders = tuple(order for order in opener.open(entry).orders if order)
        log[at] = replace(entry, sealed=write_sealed(Sealed(orders)))
    assert all(b'"order":["' in log[at].sealed for at in shuffles(recorder))
    report = verify(recorder)
    assert report.holds, report.damage
    assert (report.sealed, report.decided) == (0, report.heads[T1][0])
    house = House(recorder, Clock(), vault=Vault(os.urandom(32)))
    assert house.table("T1").state.rounds == 8
    asyncio.run(Evening(house, "T1", Random(2), PracticeStaff(Seeded(2)), mishaps=False).play(2))
    later = verify(recorder)
    assert later.holds, later.damage
    assert later.rounds == 10
    assert not any(b'"order":["' in entry.sealed for entry in list(recorder.read(T1))[report.heads[T1][0] :])


def test_recorders_keep_what_the_house_seals(tmp_path: Path) -> None:
    """A house in another process, with the same key, continues where this one stopped."""
    key = os.urandom(32)
    recorder: Recorder = open_recorder(str(tmp_path / "floor.db"))
    house = House(recorder, Clock(), vault=Vault(key))
    asyncio.run(open_table(house, "T1", submission("649a"), dollars(100_000), person="Flora"))
    asyncio.run(Evening(house, "T1", Random(4), PracticeStaff(Seeded(4)), mishaps=False).play(2))
    again = House(recorder, Clock(), vault=Vault(key))
    assert again.table("T1").state == house.table("T1").state
    asyncio.run(Evening(again, "T1", Random(5), PracticeStaff(Seeded(5)), mishaps=False).play(2))
    assert verify(recorder).holds
    recorder.close()
