"""Server processes that exit, cannot start, or are orphaned."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.recorders.server import Cluster, new_database
from tests.web.playing import new_name, play_three_card_poker, sit, until
from tests.web.processes import children, is_alive, workers
from tests.web.serving import serving, start

pytestmark = [pytest.mark.thorough, pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")]
FAILING = """
import sys

def app():
    open("starts", "a").write("x")
    sys.exit(3)

if __name__ == "__main__":
    import socket
    import uvicorn
    from croupier.web.workers import supervisor

    class Supervisor(supervisor.Supervisor):
        now = 0.0  # a second more at each look at which no worker is starting, however long that takes on a busy machine

        def keep_subprocess_alive(self):
            Supervisor.now += not any(each.process.is_alive() for each in self.processes)
            super().keep_subprocess_alive()

    supervisor.monotonic = lambda: Supervisor.now
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config("failing:app", factory=True, workers=2, log_level="warning")
    running = Supervisor(config, [listening], give_up_after=15)
    running.run()
    print(running.gave_up, file=sys.stderr)
    sys.exit(1 if running.gave_up else 0)
"""
PARENT = """
import asyncio, os, time
from croupier.floor.processes.child_process import ChildProcess

async def main():
    child = ChildProcess(600)
    print(await child.call(os.getpid), flush=True)
    await child.call(time.sleep, 600)

asyncio.run(main())
"""


def test_workers_exit_with_a_supervisor_that_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    server = start(new_database(cluster.url), tmp_path, "--workers", "2")
    port = int(server.address.rpartition(":")[2])
    until(lambda: len(workers(server.process.pid)) == 2)  # the first is ready before the other
    left = [*children(server.process.pid)]
    server.process.kill()
    server.process.wait(10)
    until(lambda: not any(map(is_alive, left)))
    with socket.socket() as again:  # the port is free
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))
        again.listen()


@pytest.mark.thorough
def test_a_worker_that_cannot_start_does_not_end_the_server(cluster: Cluster, tmp_path: Path) -> None:
    with serving(new_database(cluster.url), tmp_path, "--workers", "2") as server:
        guest = server.guest(new_name())
        sit(guest, "three-card-poker", 1)
        until(lambda: server.log.read_text().count('"says": "ready"') == 2)  # both are serving; one starts before the other
        first, second = workers(server.process.pid)
        cluster.kill(signal.SIGQUIT)
        try:
            os.kill(first, signal.SIGKILL)
            until(lambda: server.log.read_text().count("a worker could not start") >= 2, 60)
            assert server.process.poll() is None
            assert is_alive(second)
            assert httpx.get(f"{server.address}/health", timeout=20).status_code == 200
        finally:
            cluster.start()
        until(lambda: len(workers(server.process.pid)) == 2 and all(map(is_alive, workers(server.process.pid))), 60)
        play_three_card_poker(guest, 1)
        assert server.stop() == 0
        assert "the server cannot start" in server.log.read_text()
        assert "Traceback" not in server.log.read_text()


@pytest.mark.thorough
def test_a_server_that_gives_up_says_why_and_fails(tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(FAILING)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run(
        [sys.executable, "failing.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1
    assert "No worker could start for 15 seconds" in done.stderr
    # Delays of 0.5, 1, 2, 4 and 4 s allow each of the two 6 starts. Without backoff there would be more.
    assert 2 < len((tmp_path / "starts").read_text()) < 15


def test_helpers_exit_with_a_server_that_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True, cwd=tmp_path) as parent:
        try:
            assert parent.stdout is not None
            helper = int(parent.stdout.readline())
            assert is_alive(helper)
        finally:
            parent.kill()
    until(lambda: not is_alive(helper))


@pytest.mark.thorough
def test_a_single_server_that_cannot_start_fails(cluster: Cluster, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--database", "postgresql://nobody@127.0.0.1:1/none"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("The ledger cannot be used: ")
    assert "Traceback" not in done.stderr
