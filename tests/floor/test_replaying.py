"""A round replayed from the log: every step once, with its clause, and no card that may not be seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.floor.registers.audit import Audit
from croupier.floor.surveillance.narration import WORDS
from croupier.floor.surveillance.replay import Story, replay
from croupier.floor.transcripts.export import export
from croupier.ledger import MemoryRecorder, Recorder, Unreadable, open_recorder
from croupier.ledger.signatures.checkpoint import sign_and_save
from croupier.ledger.signatures.signer import open_signer, signer_of
from croupier.ledger.transcript import Transcript
from croupier.table import commands as say
from croupier.table.accounts import chips, game_account
from croupier.table.commands import AnyCommand
from croupier.table.events import read_event
from tests.examples import WITH_A_DEALERS_HAND, some_games
from tests.floor.logs import KEY, PUBLIC, played
from tests.floor.moves import IN_THE_ROUND
from tests.floor.play import open_and_play

T1 = "table/T1"
runner = CliRunner()


def stories(recorder: MemoryRecorder, rounds: int, **how: bool) -> list[Story]:
    return [replay(recorder, "T1", number, **how) for number in range(1, rounds + 1)]


def test_every_command_has_a_narration() -> None:
    assert set(get_args(AnyCommand)) == WORDS.keys()


@some_games
def test_the_rounds_together_tell_every_event_once_and_in_order(game: str) -> None:
    recorder = played(game)
    told = [step.version for story in stories(recorder, 8) for step in story.steps]
    assert told == sorted(set(told))
    of_rounds = [
        e.version
        for e in recorder.read(T1)
        if isinstance(read_event(e.body).command, (*IN_THE_ROUND, say.NoMoreBets, say.PlaceWager))
    ]
    assert set(of_rounds) <= set(told)
    assert all(step.cites and step.says for story in stories(recorder, 8) for step in story.steps)


@some_games
def test_what_each_seat_won_is_what_its_accounts_show(game: str) -> None:
    recorder = MemoryRecorder()
    house = open_and_play(recorder, game, 6, mishaps=False)
    brought = dict.fromkeys((1, 3, 4), 0)
    for event in (read_event(entry.body) for entry in recorder.read(T1)):
        match event.command:
            case say.BuyIn(seat=seat, amount=amount):
                brought[seat] += amount
            case say.Tip(seat=seat, amount=amount):
                brought[seat] -= amount
    state = house.table("T1").state
    for seat, amount in brought.items():
        won = sum(story.net.get(seat, 0) for story in stories(recorder, 6))
        assert state.balance(chips(seat)) + state.balance(game_account(seat)) == amount + won


@some_games
def test_cards_that_are_face_down_stay_face_down(game: str) -> None:
    recorder = played(game)
    for number in range(1, 9):
        told, everything = replay(recorder, "T1", number), replay(recorder, "T1", number, everything=True)
        seen = set[int]()
        for step, whole in zip(told.steps, everything.steps, strict=True):
            for card, known in zip(step.cards, whole.cards, strict=True):
                seen |= {card.position} if card.face_up else set()
                assert known.card
                assert card.card == (known.card if card.position in seen else "")


def test_a_transcript_shows_its_readers_own_cards(tmp_path: Path) -> None:
    recorder = played("653a")
    export(recorder, "T1", tmp_path / "t", "player:1")
    told = replay(Transcript(tmp_path / "t"), "T1", 2, everything=True)
    dealt = next(step for step in told.steps if step.event == "cards dealt")
    assert {card.seat for card in dealt.cards if card.card} == {1}
    assert [card.card for card in dealt.cards if card.seat == 1] == [
        card.card
        for step in replay(recorder, "T1", 2, everything=True).steps
        if step is not None and step.event == "cards dealt"
        for card in step.cards
        if card.seat == 1
    ]


def test_meters_show_what_they_showed(tmp_path: Path) -> None:
    recorder = played("641a")
    steps = [step for story in stories(recorder, 8) for step in story.steps if step.meters]
    assert steps
    assert all(each.shows is not None for step in steps for each in step.meters)


def test_an_unknown_round_is_refused() -> None:
    for number in (0, -1, 9):
        with pytest.raises(Unreadable, match="it has had 8"):
            replay(played("641a"), "T1", number)


# the command line


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("floor") / "floor.db"
    recorder = open_recorder(str(path))
    open_and_play(recorder, "649a", 6, method="manual shoe")
    sign_and_save(recorder, KEY, 1)
    recorder.close()
    return path


def run(*args: object) -> Any:
    result = runner.invoke(app, [str(arg) for arg in args])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_verify_on_the_command_line(database: Path) -> None:
    told = run("verify", database, "--key", PUBLIC.hex())
    assert told.exit_code == 0
    assert "Sound." in told.stdout
    assert "Not checked" not in told.stdout
    assert "whose key signed the checkpoints" in run("verify", database).stdout
    data = json.loads(run("verify", database, "--json").stdout)
    assert data["sound"]
    assert data["rounds"] == 6
    assert data["entries"] == data["signed"] == sum(each["version"] for each in data["heads"].values())


def test_an_unsigned_log_is_not_sound_unless_you_say_so(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    recorder = open_recorder(str(path))
    open_and_play(recorder, "649a", 1)
    told = run("verify", path, "--key", PUBLIC.hex())
    assert told.exit_code == 1
    assert "Unsigned." in told.stdout
    assert "table/T1 from version 1 on" in told.stdout
    assert run("verify", path, "--unsigned", "tail").exit_code == 1
    assert run("verify", path, "--unsigned", "all").exit_code == 0
    sign_and_save(recorder, KEY, 1)
    assert run("verify", path, "--key", PUBLIC.hex()).exit_code == 0
    write_more(recorder)
    data = json.loads(run("verify", path, "--json").stdout)
    assert (data["verdict"], data["sound"], data["unsigned"]) == ("unsigned", False, {"audit": 1})
    assert run("verify", path, "--key", PUBLIC.hex()).exit_code == 1
    assert run("verify", path, "--key", PUBLIC.hex(), "--unsigned", "tail").exit_code == 0
    assert run("verify", path, "--key", "00" * 32, "--unsigned", "all").exit_code == 1
    recorder.close()


def write_more(recorder: Recorder) -> None:
    Audit(recorder).note("the house", "", "did something")


def test_a_checkpoint_by_hand_and_a_new_key(tmp_path: Path) -> None:
    path, new = tmp_path / "floor.db", tmp_path / "new.key"
    recorder = open_recorder(str(path))
    write_more(recorder)
    recorder.close()
    told = run("checkpoint", path)
    assert told.exit_code == 0, told.stderr
    key = signer_of(str(path)).public_key.hex()
    assert told.stdout == f"Signed the heads of all streams (1) with the key {key} ({path}.signing.key).\n"
    assert run("verify", path, "--key", key).exit_code == 0
    told = run("checkpoint", path, "--next-key", new)
    following = open_signer(str(new)).public_key.hex()
    assert f"From now on the key {following} ({new}) must sign." in told.stdout
    told = run("checkpoint", path)
    assert told.exit_code == 2
    assert told.stderr.startswith(f"The key {following} must sign this ledger, but the key in {path}.signing.key is {key}.")
    assert run("checkpoint", path, "--signing-key", new).exit_code == 0
    for trusted in (key, following):
        assert run("verify", path, "--key", trusted).exit_code == 0


def test_a_damaged_transcript_is_damage_and_a_foreign_file_is_not(database: Path, tmp_path: Path) -> None:
    transcript = tmp_path / "t"
    assert run("export", database, "--table", "T1", "-o", transcript).exit_code == 0
    assert run("verify", transcript).exit_code == 0
    transcript.write_bytes(transcript.read_bytes().replace(b"guest 1", b"guest 7", 1))
    told = run("verify", transcript, "--json")
    assert told.exit_code == 1
    assert json.loads(told.stdout)["damage"][0]["what"] == "it is not as it was written"
    assert "Damaged." in run("verify", transcript).stdout
    (tmp_path / "u").write_text("hello")
    assert run("verify", tmp_path / "u").exit_code == 2


@pytest.mark.parametrize(
    "args",
    [
        ("verify", "nowhere.db"),
        ("verify", "sqlite:///nowhere.db"),
        ("verify", "DATABASE", "--key", "12"),
        ("checkpoint", "nowhere.db"),
        ("checkpoint", "DATABASE", "--signing-key", "nowhere/key"),
        ("checkpoint", "DATABASE", "--signing-key", "env:NOTHING"),
        ("checkpoint", "DATABASE", "--signing-key", "command:false"),
        ("replay", "DATABASE", "--table", "T9", "--round", "1"),
        ("replay", "DATABASE", "--table", "T1", "--round", "99"),
        ("export", "DATABASE", "--table", "T1", "--for", "king", "-o", "x"),
        ("export", "DATABASE", "--table", "T1", "--for", "player:7", "-o", "x"),
        ("export", "DATABASE", "--table", "T1", "-o", "nowhere/x"),
        ("export", "DATABASE", "--table", "T1", "-o", "DATABASE"),
    ],
)
def test_what_cannot_be_done_gets_one_sentence_and_exit_2(args: tuple[str, ...], database: Path) -> None:
    told = run(*(database if arg == "DATABASE" else arg for arg in args))
    assert told.exit_code == 2
    assert told.stderr.count("\n") == 1
    assert told.stderr.endswith(".\n")


def test_a_round_is_readable_on_80_columns(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from croupier.cli import display_ledger

    monkeypatch.setattr(display_ledger.console, "_width", 80)
    for number in range(1, 7):
        told = run("replay", database, "--table", "T1", "--round", number, "--all").stdout
        assert max(map(len, told.splitlines())) <= 80
        assert "“No more bets.”" in told
    assert "▒▒" in run("replay", database, "--table", "T1", "--round", 2).stdout


def test_a_round_for_machines(database: Path) -> None:
    data = json.loads(run("replay", database, "--table", "T1", "--round", 2, "--json").stdout)
    assert (data["game"], data["table"], data["round"]) == ("649a", "T1", 2)
    dealt = next(step for step in data["steps"] if step["event"] == "cards dealt")
    assert all(card["card"] is None for card in dealt["cards"])
    settled = [step for step in data["steps"] if step["event"] == "wagers settled"]
    assert all({"wager", "outcome", "cite"} <= line.keys() for step in settled for line in step["lines"])


@pytest.mark.parametrize("game", WITH_A_DEALERS_HAND)
def test_the_dealers_hand_is_named_when_it_is_turned(game: str) -> None:
    """Named as the chapter calls the cards face up at that point, the same for every reader."""
    recorder = played(game)
    revealed = [step for story in stories(recorder, 8) for step in story.steps if step.event == say.RevealDealer.done]
    assert revealed
    for step in revealed:
        assert step.says.startswith("The automatic dealer turns over the dealer's cards: ")
