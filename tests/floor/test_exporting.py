"""A transcript verifies against the same head, and contains nothing its reader may not see."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.floor.dealer.automatic_dealer import PracticeStaff
from croupier.floor.house.house import House
from croupier.floor.house.shuffle import Seeded
from croupier.floor.house.vault import Opener, ephemeral
from croupier.floor.transcripts.export import Exported, Seating, export
from croupier.floor.transcripts.sources import opened_in
from croupier.floor.verification.verify import Report, verify
from croupier.law.fact import PLAYER
from croupier.ledger import Entry, MemoryRecorder, Source, Unit, Unreadable, canonical, follow
from croupier.ledger.signatures.checkpoint import CheckpointAct, open_checkpoint, sign_and_save
from croupier.ledger.signatures.signer import KeySigner
from croupier.ledger.transcript import Transcript
from croupier.table import commands as say
from croupier.table.card_reveals import leaf, salt
from croupier.table.commands import SealedDeck
from croupier.table.engine import with_secrets
from croupier.table.events import Orders, Shown, read_event
from croupier.table.fold import apply
from croupier.table.state import State
from croupier.table.views import view
from tests.examples import some_games
from tests.floor.logs import KEY, PUBLIC, copy, linked, played
from tests.floor.play import GAMES, Clock, Evening, open_and_play

T1 = "table/T1"
READERS = ["player:3", "player:1", "dealer", "floorperson", "public", "everyone", "surveillance"]


def signed(game: str, method: str = "manual shoe") -> MemoryRecorder:
    recorder = copy(played(game, method=method))
    sign_and_save(recorder, KEY, 1)
    return recorder


def written(source: Source, path: Path, reader: str, number: int = 0, table: str = "T1") -> tuple[Exported, Report]:
    made = export(source, table, path, reader, number, overwrite=True, vault=ephemeral())
    return made, verify(str(path), [PUBLIC])


def dealt(recorder: Source) -> Iterator[tuple[Shown, SealedDeck, Seating]]:
    """Every card that left a deck, with that deck."""
    seating = Seating()
    for entry in recorder.read(T1):
        event = read_event(entry.body)
        seating.follow(entry.version, event, orders(recorder, entry))
        for shown in event.then.cards:
            if shown.leaf and (found := seating.dealt_from(shown)):
                yield shown, found[1], seating


def orders(recorder: Source, entry: Entry) -> Orders:
    return Opener(recorder, entry.stream, ephemeral()).open(entry).orders


def hex_salt(deck: SealedDeck, position: int) -> str:
    return salt(bytes.fromhex(deck.secret), position).hex()


@pytest.mark.parametrize("reader", READERS)
@some_games
def test_a_transcript_verifies_against_the_same_head(game: str, reader: str, tmp_path: Path) -> None:
    recorder = signed(game)
    made, report = written(recorder, tmp_path / "t", reader)
    assert report.sound, report.damage
    version, head = recorder.head(T1)
    assert (made.version, made.head) == report.heads[T1] == (version, head.hex())
    assert report.signed == report.events == made.entries
    everything = reader in ("everyone", "surveillance")
    assert report.decided == (version if everything else 0)
    assert bool(report.unchecked) == (not everything)


@pytest.mark.parametrize("game", GAMES)
def test_a_player_gets_only_their_own_cards(game: str, tmp_path: Path) -> None:
    recorder = played(game)
    written(recorder, tmp_path / "t", "player:3")
    transcript, text = Transcript(tmp_path / "t"), (tmp_path / "t").read_text()
    opened = {opening.salt: opening.card for entry in recorder.read(T1) for opening in opened_in(transcript, entry).cards}
    sittings = sum(
        isinstance(command := read_event(entry.body).command, say.Sit) and command.seat == 3 for entry in recorder.read(T1)
    )
    mine, hidden = dict[str, str](), set[str]()
    for shown, deck, seating in dealt(recorder):
        hidden |= {hex_salt(deck, position) for position in range(len(deck.order))}
        if shown.at == PLAYER.value and seating.owners[shown.seat] == (3, sittings):
            mine[hex_salt(deck, shown.position)] = deck.order[shown.position]
    assert opened
    assert opened == mine
    hidden -= {shown.salt for entry in recorder.read(T1) for shown in read_event(entry.body).then.cards} | opened.keys()
    assert len(hidden) > 8 * 20
    assert not any(each in text for each in hidden)
    assert not any(deck.secret in text for entry in recorder.read(T1) for deck in orders(recorder, entry) if deck)
    assert all(leaf(bytes.fromhex(each), card) in text for each, card in opened.items())


def test_a_player_does_not_get_the_cards_of_the_seats_previous_player(tmp_path: Path) -> None:
    """Seat 3 changes players during the evening. Each gets their own rounds."""
    recorder = MemoryRecorder()
    house = open_and_play(recorder, "649a", 4, mishaps=False)
    asyncio.run(house.execute("T1", say.Leave(seat=3), "player:3"))
    before = house.table("T1").state.rounds
    asyncio.run(_more(house))
    sign_and_save(recorder, KEY, 1)
    first, _ = written(recorder, tmp_path / "a", "player:3", before)
    second, report = written(recorder, tmp_path / "b", "player:3")
    assert report.sound
    seats = Transcript(tmp_path / "b")
    seating = Seating()
    for entry in recorder.read(T1):
        seating.follow(entry.version, read_event(entry.body), ())
        if opened_in(seats, entry).cards:
            assert seating.rounds > before
    assert first.opened in (3, 6)
    assert second.opened


async def _more(house: House) -> None:
    game = Evening(house, "T1", Random(9), PracticeStaff(Seeded(9)), mishaps=False)
    game.guests = 10
    await game.play(3)


def test_one_round_of_a_player(tmp_path: Path) -> None:
    recorder = signed("649a")
    whole, _ = written(recorder, tmp_path / "a", "player:1")
    one, report = written(recorder, tmp_path / "b", "player:1", 2)
    assert report.sound
    assert 0 < one.opened < whole.opened
    assert one.head == whole.head


def test_a_transcript_has_only_the_checkpoints_that_vouch_for_it(tmp_path: Path) -> None:
    """The newest for each of its streams, and those that endorse a key, whatever else the floor signed."""
    recorder, new = signed("649a"), KeySigner(Ed25519PrivateKey.generate())
    for number in range(2, 9):
        recorder.append([Unit((follow("audit", number - 1, recorder.head("audit")[1], canonical(number)),))])
        sign_and_save(recorder, KEY, number, "minute")
    sign_and_save(recorder, KEY, 9, "new key", CheckpointAct(next=new.public_key.hex()))
    for number in range(10, 99):
        recorder.append([Unit((follow("audit", number - 2, recorder.head("audit")[1], canonical(number)),))])
        sign_and_save(recorder, new, number, "minute")
    export(recorder, "T1", tmp_path / "t")
    transcript = Transcript(tmp_path / "t")
    assert [open_checkpoint(each).at for each in transcript.checkpoints()] == [9, 69]
    for key in (PUBLIC, new.public_key):
        assert verify(str(tmp_path / "t"), [key]).sound
    assert not verify(str(tmp_path / "t"), [bytes(32)]).holds


def test_one_round_for_an_inspector(tmp_path: Path) -> None:
    recorder = signed("649a")
    made, report = written(recorder, tmp_path / "t", "everyone", 2)
    assert report.sound
    assert made.opened == 52
    assert "other cards are withheld" in report.unchecked[0]
    sealed = [entry.version for entry in Transcript(tmp_path / "t").read(T1) if entry.sealed]
    assert len(sealed) == 1


def test_a_transcript_of_a_table_with_shared_meters(tmp_path: Path) -> None:
    made, report = written(linked(), tmp_path / "t", "everyone", table="T2")
    assert report.sound, report.damage
    assert report.decided == made.version - 1  # without the deck that is ready for the next round
    assert report.unchecked == (
        "what other tables did to meter/big: they are not in this transcript",
        "what other tables did to meter/small: they are not in this transcript",
        "the rules of 1 event of sealed decks: no available key opens their cards; their chain, money and meters were checked",
    )
    assert set(report.heads) <= set(linked().streams())


@some_games
def test_hidden_cards_leave_no_trace_but_their_hashes(game: str, tmp_path: Path) -> None:
    """Swap two cards in every shuffle that none of these readers sees. What they receive differs only in hashes."""
    recorder, other = played(game), MemoryRecorder()
    house = House(other, Clock())
    seen = {
        (deck.secret, shown.position)
        for shown, deck, seating in dealt(recorder)
        if shown.card or seating.owners.get(shown.seat, (0, 0))[0] == 3
    }
    for entry in recorder.read(T1):
        event = read_event(entry.body)
        sealed = tuple(_exchanged(deck, seen) for deck in orders(recorder, entry) if deck)
        house.clock = lambda at=event.at: at
        asyncio.run(house.execute("T1", with_secrets(event.command, sealed), event.by, event.key, event.person))
    for reader in ("player:3", "dealer", "public"):
        one, two = tmp_path / "one", tmp_path / "two"
        written(recorder, one, reader)
        written(other, two, reader)
        assert one.read_bytes() != two.read_bytes()
        assert _without_hashes(one) == _without_hashes(two)


def _exchanged(deck: SealedDeck, seen: set[tuple[str, int]]) -> SealedDeck:
    """The first and the last hidden card: these include folded and burned cards, not only the stub."""
    hidden = [position for position in range(len(deck.order)) if (deck.secret, position) not in seen]
    order = list(deck.order)
    order[hidden[0]], order[hidden[-1]] = order[hidden[-1]], order[hidden[0]]
    return SealedDeck(tuple(order), deck.secret)


def _without_hashes(path: Path) -> str:
    return re.sub(r"[0-9a-f]{16,64}", "#", path.read_text())


def test_a_players_transcript_has_exactly_what_their_view_shows(tmp_path: Path) -> None:
    """During a round too: the cards of their own boxes, and the face-up cards."""
    recorder = played("653a")
    written(recorder, tmp_path / "t", "player:1")
    transcript, state, known = Transcript(tmp_path / "t"), State(), dict[int, str]()
    for entry in recorder.read(T1):
        event = read_event(entry.body)
        apply(state, event, orders(recorder, entry))
        if isinstance(event.command, say.NoMoreBets):
            known.clear()
        known |= {opening.position: opening.card for opening in opened_in(transcript, entry).cards}
        if state.round is None:
            continue
        seen = view(state, "player:1").round.boxes
        for box, home in state.boxes.items():
            held = state.round.hands.get(box, [])
            if home == 1 and box in state.round.gone:
                continue
            if home == 1:
                assert all(known.get(card.position) == card.card or card.up for card in held)
                assert seen[box].cards == tuple(card.card for card in held)
            else:
                assert not any(card.position in known for card in held)


def test_an_impossible_export_gets_a_one_sentence_error(tmp_path: Path) -> None:
    recorder = played("649a")
    for reader, number, table in (("player:7", 0, "T1"), ("player:7", 1, "T1"), ("public", 99, "T1"), ("public", 0, "T9")):
        with pytest.raises(Unreadable):
            export(recorder, table, tmp_path / "t", reader, number)
    export(recorder, "T1", tmp_path / "t", "dealer")
    with pytest.raises(Unreadable, match="withholds cards; export from the log instead"):
        export(Transcript(tmp_path / "t"), "T1", tmp_path / "u", "public")
    with pytest.raises(FileExistsError):
        export(recorder, "T1", tmp_path / "t", "dealer")
    assert not (tmp_path / "u").exists()


def test_an_inspectors_transcript_can_be_narrowed_for_a_player(tmp_path: Path) -> None:
    recorder = played("649a")
    export(recorder, "T1", tmp_path / "all", "everyone")
    export(Transcript(tmp_path / "all"), "T1", tmp_path / "one", "player:1")
    export(recorder, "T1", tmp_path / "two", "player:1")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
