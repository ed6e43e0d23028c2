"""Outages, with real processes: the database goes away, hangs, comes back."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from croupier.client import Client, Refused
from tests.recorders.server import Cluster, new_database
from tests.web.playing import new_name, play_three_card_poker, sit
from tests.web.serving import Served, serving, start
from tests.web.test_keeping import moved

pytestmark = pytest.mark.thorough

TABLE = "three-card-poker"
A_WHILE = 2.5  # seconds: shorter than a query's time limit, longer than any hiccup of a busy machine


@pytest.fixture(scope="module")
def floor(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(cluster.url, tmp_path_factory.mktemp("floor")) as server:
        yield server


@contextmanager
def suspended(pids: list[int]) -> Iterator[None]:
    """Suspend processes, so that they exist but do not answer."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def test_without_its_database_the_server_says_so_and_goes_on_when_it_is_back(floor: Served, cluster: Cluster) -> None:
    guest = floor.guest(new_name())
    sit(guest, TABLE, 1)
    cluster.kill(signal.SIGQUIT)
    try:
        time.sleep(1.2)  # until the session cache expires
        with httpx.Client(base_url=floor.address, cookies=guest._http.cookies, timeout=20) as raw:
            assert raw.get("/health").status_code == 200
            assert raw.get("/static/css/croupier.css").status_code in (200, 404)
            for path in ("/ready", f"/api/tables/{TABLE}", "/api/me"):
                answer = raw.get(path)
                assert answer.status_code == 503, path
                assert answer.headers["Retry-After"] == "1"
                assert answer.json()["error"]["kind"] == "unavailable"
            page = raw.get("/", headers={"accept": "text/html"})
            assert page.status_code == 503
            key = {"Idempotency-Key": "while-it-is-away", "x-csrftoken": raw.cookies["csrftoken"]}
            answer = raw.post(f"/api/tables/{TABLE}/commands", json={"do": "tip", "seat": 1, "amount": 1}, headers=key)
            assert answer.status_code == 503
            assert answer.headers["Retry-After"] == "1"
        with pytest.raises(Refused) as caught, Client(floor.address, patience=0.5) as impatient:
            impatient._http.cookies = guest._http.cookies
            impatient.me()
        assert caught.value.status == 503
        back = threading.Timer(3.0, cluster.start)
        back.start()
        assert guest.do(TABLE, "tip", seat=1, amount=1).event == "tip given"  # it waits, and then succeeds
        back.join()
    finally:
        cluster.start()
    play_three_card_poker(guest, 1)


@pytest.mark.thorough
def test_a_database_that_hangs_does_not_stop_the_server(floor: Served, cluster: Cluster) -> None:
    guest = floor.guest(new_name())
    sit(guest, TABLE, 2)
    time.sleep(1.2)  # until the session cache expires
    with suspended(cluster.processes()), httpx.Client(base_url=floor.address, timeout=20) as nobody:
        asking = threading.Thread(target=guest.me)
        asking.start()
        for _ in range(10):
            began = time.monotonic()
            assert nobody.get("/health").status_code == 200
            assert nobody.get(f"/api/tables/{TABLE}").status_code == 200  # from memory
            assert time.monotonic() - began < A_WHILE
            time.sleep(0.1)
        with httpx.Client(base_url=floor.address, cookies=guest._http.cookies, timeout=20) as raw:
            assert raw.get("/api/me").status_code == 503
    asking.join(60)
    assert not asking.is_alive()
    play_three_card_poker(guest, 2)


def test_a_command_is_answered_while_the_ledger_hangs(floor: Served, cluster: Cluster) -> None:
    """The session stays cached for another second, so the command gets as far as the ledger."""
    guest = floor.guest(new_name())
    sit(guest, TABLE, 3)
    pids = cluster.processes()
    headers = {"Idempotency-Key": "while-it-hangs", "x-csrftoken": guest._http.cookies["csrftoken"]}
    tip = {"do": "tip", "seat": 3, "amount": 1}
    with httpx.Client(base_url=floor.address, cookies=guest._http.cookies, timeout=30) as raw, httpx.Client(timeout=20) as nobody:
        raw.get("/api/me")
        answers: list[httpx.Response] = []
        giving = threading.Thread(
            target=lambda: answers.append(raw.post(f"/api/tables/{TABLE}/commands", json=tip, headers=headers))
        )
        with suspended(pids):
            giving.start()
            while giving.is_alive():
                began = time.monotonic()
                assert nobody.get(f"{floor.address}/health").status_code == 200
                assert time.monotonic() - began < A_WHILE
                time.sleep(0.2)
        giving.join()
        assert answers[0].status_code == 503
        assert answers[0].headers["Retry-After"] == "1"
    before = guest.do(TABLE, "tip", seat=3, amount=1, key="while-it-hangs")
    assert guest.do(TABLE, "tip", seat=3, amount=1, key="while-it-hangs") == before  # a retry takes effect once


def test_tables_move_to_another_server_when_theirs_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    database = new_database(cluster.url)
    first = start(database, tmp_path)
    with serving(database, tmp_path) as second:
        guest = first.guest(new_name())
        sit(guest, TABLE, 1)
        play_three_card_poker(guest, 1)
        first.process.kill()
        first.process.wait(10)
        play_three_card_poker(moved(guest, second.address), 1)
        assert "Traceback" not in second.log.read_text()
