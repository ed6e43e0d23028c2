"""Scripts: written, read back, rerun, and the command that does it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.shift.audit.finding import AuditFinding
from croupier.shift.night import NightTask, run_night
from croupier.shift.script import NotAScript, ScriptHeading, ShiftScript, read_script, write_script
from croupier.shift.shrink import of_table, shrink
from croupier.shift.writers.stores import NoStore, Store, temporary_log

cli = CliRunner()


@pytest.fixture(scope="module")
def script() -> ShiftScript:
    """A night at a table, as a script. The only finding is that it is over."""
    from croupier.shift import night

    class Told(night.Night):
        async def play(self) -> None:
            for _ in range(80):
                await self._step(self.plays)
            raise AuditFinding("test", "enough")

    original, night.Night = night.Night, Told  # type: ignore[misc]
    try:
        return ShiftScript(ScriptHeading(seed=1), tuple(run_night(NightTask(1, 0, 0, range(2), 5)).steps))
    finally:
        night.Night = original  # type: ignore[misc]


def test_a_script_is_read_as_it_was_written(script: ShiftScript, tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text(write_script(script))
    assert read_script(path) == script


def test_a_script_that_shows_nothing_is_reported(script: ShiftScript, tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text(write_script(script))
    done = cli.invoke(app, ["shift", "--replay", str(path)])
    assert done.exit_code == 0
    assert "The script runs without a finding" in done.output


def test_a_finding_that_its_script_does_not_show_keeps_all_of_its_table(script: ShiftScript) -> None:
    kept = shrink(1, script.steps, AuditFinding("chips", "a moonbeam", "T1"), Store.MEMORY)
    assert kept.steps == tuple(of_table(script.steps, "T1"))
    assert "not shown again" in kept.heading.finding


def test_a_malformed_script_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text("{}\n{}\n")
    with pytest.raises(NotAScript):
        read_script(path)
    assert cli.invoke(app, ["shift", "--replay", str(path)]).exit_code == 2
    assert cli.invoke(app, ["shift", "--replay", str(tmp_path / "nowhere")]).exit_code == 2


def test_the_command_prints_a_verdict() -> None:
    done = cli.invoke(app, ["shift", "--tables", "2", "--rounds", "6", "--workers", "1", "--json"])
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["holds"] and told["counts"]["rounds"] >= 6 and told["script"] is None
    drawn = cli.invoke(app, ["shift", "--tables", "2", "--rounds", "6", "--workers", "1"])
    assert "every account balances" in drawn.output


def test_an_unknown_store_is_refused() -> None:
    assert cli.invoke(app, ["shift", "--store", "paper", "--rounds", "1"]).exit_code == 2
    assert cli.invoke(app, ["shift", "--store", "postgres", "--rounds", "1", "--workers", "1"]).exit_code == 2
    with pytest.raises(NoStore), temporary_log(Store.POSTGRES):
        pass
    with pytest.raises(NoStore, match="is not a folder"), temporary_log(Store.SQLITE, "no such folder"):
        pass
