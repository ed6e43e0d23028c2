"""The chapter that `croupier chapter new` writes can be simulated as is."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from croupier import book
from croupier.cli.main import app
from croupier.odds.analysis import full_offer
from croupier.odds.simulation import players
from tests.odds.replay import nets


def test_a_game_that_asks_no_row_of_the_player_is_simulated(tmp_path: Path) -> None:
    """The chapter that `croupier chapter new` writes pays by the comparison alone."""
    written = str(tmp_path / "some_game.py")
    for command in (["chapter", "new", "Some Game", "--out", written], ["simulate", written, "--rounds", "1000"]):
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
    offer = full_offer(book.find(Path(written)).edition(), {}, {})
    one = players.player(offer, "best", 1)
    found = [net for ((net,),) in nets(offer, one, 11, 3, 500)]
    assert int(one.play(11, 3, 500)[0][0]) == sum(found) * one.wagers[0].scale
    assert {*found} >= {-2, -1, 2}
