"""The commands print and diff. Files are complete or absent. An impossible request gets one sentence and exit 2."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier import book
from croupier.cli.main import app
from croupier.filing.template import example_submission
from croupier.odds.prices import hold_of, prices
from croupier.printed import press
from croupier.printed.documents.difference import PlayVolume, difference
from tests.printed.filings import bare, offer
from tests.printed.odds import known_odds  # noqa: F401  (a fixture)

pytestmark = pytest.mark.usefixtures("known_odds")


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def filed(folder: Path, game: str = "649a", change: tuple[str, str] = ("", ""), more: str = "") -> Path:
    file = folder / f"{game}.toml"
    text = example_submission(book.find(game).edition())
    assert change[0] in text
    file.write_text(text.replace(*change) + more if change[0] else text + more)
    return file


def refused(result: Result) -> str:
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.strip().splitlines()
    return line


def test_all_documents_of_a_game_in_a_folder_and_again_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        result = run("print", "all", filed(tmp_path), "-o", tmp_path / name)
        assert result.exit_code == 0, result.output
        assert len(result.stdout.splitlines()) == 6
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == sorted(f"three-card-poker-{kind}.pdf" for kind in press.DOCUMENTS)
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names)


def test_the_format_is_that_of_the_files_name(tmp_path: Path) -> None:
    assert run("print", "sign", filed(tmp_path), "-o", tmp_path / "sign.png", "--resolution", "30").exit_code == 0
    assert {path.name for path in tmp_path.glob("*.png")} == {"sign-1.png", "sign-2.png"}
    assert run("print", "layout", filed(tmp_path), "-o", tmp_path / "felt.svg").exit_code == 0
    assert (tmp_path / "felt.svg").read_text().startswith("<svg")
    assert run("print", "guide", filed(tmp_path), "-o", tmp_path / "guide.html").exit_code == 0
    assert (tmp_path / "guide.html").read_text().startswith("<!doctype html>")


def test_several_files_bind_one_guide_and_print_one_sign_each(tmp_path: Path) -> None:
    files = [filed(tmp_path, game) for game in ("649a", "680a")]
    assert run("print", "guide", *files, "-o", tmp_path / "guide.pdf").stdout.split() == [str(tmp_path / "guide.pdf")]
    run("print", "sign", *files, "-o", tmp_path / "signs")
    assert {path.name for path in (tmp_path / "signs").iterdir()} == {"three-card-poker-sign.pdf", "saigon-5-card-sign.pdf"}


def test_two_filings_of_one_game_do_not_overwrite_each_other(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    files = [filed(tmp_path), filed(tmp_path / "b", change=("maximum = 500", "maximum = 300"))]
    run("print", "submission", *files, "-o", tmp_path / "forms")
    assert len(list((tmp_path / "forms").iterdir())) == 2


@pytest.mark.parametrize(
    ("change", "more", "says"),
    [
        (('game = "649a"', 'game = "chess"'), "", "chess"),
        (("minimum = 5", "minimum = 0"), "", "minimum"),
        (("", ""), '\n[printed]\nlogo = "no-image.txt"\n', "neither an SVG nor a PNG"),
        (("", ""), '\n[printed]\nlogo = "nowhere.png"\n', "cannot be read"),
        (("", ""), '\n[printed]\nfelt = "#888888"\n', "contrast"),
        (("", ""), '\n[printed]\nfont = "Comic"\n', "is not a known key"),
    ],
)
def test_a_filing_that_cannot_be_printed_gets_one_sentence_and_leaves_no_file(
    tmp_path: Path, change: tuple[str, str], more: str, says: str
) -> None:
    (tmp_path / "no-image.txt").write_text("not an image")
    file = filed(tmp_path, change=change, more=more)
    said = refused(run("print", "all", file, "-o", tmp_path / "out"))
    assert says in said and "649a.toml" in said and not (tmp_path / "out").exists()


@pytest.mark.parametrize("args", [["poster"], ["sign", "--format", "docx"], ["sign", "--format", "gif"]], ids=" ".join)
def test_an_unknown_document_gets_a_one_sentence_error(tmp_path: Path, args: list[str]) -> None:
    said = refused(run("print", args[0], filed(tmp_path), *args[1:]))
    assert "; use " in said


def test_a_file_that_is_missing_or_not_toml(tmp_path: Path) -> None:
    assert "cannot be read" in refused(run("print", "sign", tmp_path / "nothing.toml"))
    (tmp_path / "bad.toml").write_text("game = ")
    assert "is not TOML" in refused(run("print", "sign", tmp_path / "bad.toml"))


def test_a_folder_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refused(run("print", "sign", filed(tmp_path), "-o", tmp_path / "file" / "sign.pdf"))
    (tmp_path / "sign.pdf").mkdir()
    assert run("print", "sign", filed(tmp_path), "-o", tmp_path / "sign.pdf").exit_code == 0  # into the folder
    assert [path.name for path in (tmp_path / "sign.pdf").iterdir()] == ["three-card-poker-sign.pdf"]


def test_writing_is_all_or_nothing(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    files = {tmp_path / "new" / "a.pdf": b"a", tmp_path / "b.pdf": b"b", tmp_path / "there": b"c"}
    with pytest.raises(OSError, match="folder"):
        press.write_files(files)
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


# Two filings


def as_json(*args: object) -> dict[str, list[dict[str, str]]]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, list[dict[str, str]]] = json.loads(result.stdout)
    return found


def test_diff_lists_changes_by_clause_and_their_effect_on_the_win(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    one = filed(tmp_path, "680a")
    other = filed(tmp_path / "b", "680a", ('"two pair" = "8 to 1"', '"two pair" = "9 to 1"'))
    found = as_json("diff", one, other, "--hands-per-hour", 100, "--hours", 1000, "--average", "Bonus Wager=10")
    assert found["choices"] == [
        {"what": "What does two pair pay on the Bonus Wager?", "before": "8 to 1", "after": "9 to 1", "cite": "680a.12(c)"}
    ]
    assert found["payouts"] == [{"what": "Bonus Wager: Two pair", "before": "8 to 1", "after": "9 to 1", "cite": "680a.12(c)"}]
    ante, bonus = found["effects"]
    assert ante["edge_before"] == ante["edge_after"]
    gone = Fraction(bonus["edge_before"]) - Fraction(bonus["edge_after"])
    lost = Fraction(bonus["yearly_win_before_cents"]) - Fraction(bonus["yearly_win_after_cents"])
    assert gone > 0 and lost == gone * 1_000 * 100_000
    assert "9 to 1" in run("diff", one, other).stdout


def test_diff_of_a_filing_with_itself_says_so(tmp_path: Path) -> None:
    file = filed(tmp_path)
    assert "The two filings make the same choices." in run("diff", file, file).stdout


def test_a_wager_that_is_no_longer_offered_has_no_edge() -> None:
    found = difference(offer("680a"), bare("680a"), PlayVolume(100, 1000, {}))
    bonus = next(effect for effect in found.effects if effect.wager == "Bonus Wager")
    assert bonus.after is None and bonus.win_after == 0 and bonus.win_before > 0
    assert any(change.what == "Bonus Wager offered" and change.after == "–" for change in found.choices)


def test_a_progressive_wins_what_is_left_after_its_contributions() -> None:
    entry = next(each for each in prices(offer("649a")).wagers if each["wager"] == "Three-Card Progressive Payout Wager")
    assert hold_of(offer("649a"), entry, 100) == Fraction(entry["edge"]) - Fraction(14, 100)


@pytest.mark.parametrize("average", ["Ante Wager", "Ante Wager=ten", "Ante Wager=-5", "Poker=5"])
def test_a_malformed_average_is_refused(tmp_path: Path, average: str) -> None:
    assert "Allowed" in refused(run("diff", filed(tmp_path), filed(tmp_path), "--average", average))


@pytest.mark.parametrize(("command", "use"), [(["print", "sign"], "printed"), (["diff"], "compared")])
def test_a_filing_with_errors_is_refused_for_what_was_asked(tmp_path: Path, command: list[str], use: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text('game = "649a"\n')
    assert f"{file}: the submission has errors and is not {use}: " in refused(run(*command, file, file))


def test_filings_of_two_games_are_not_compared(tmp_path: Path) -> None:
    assert "two filings for the same game" in refused(run("diff", filed(tmp_path, "649a"), filed(tmp_path, "680a")))
