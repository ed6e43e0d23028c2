"""Guests return to their seats after the floor has lost every session: with their code, or with a floorperson's help."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from croupier.client import Client, Refused
from croupier.floor.registers.passwords import one_time_password
from croupier.web.api.session import LOGINS_A_MINUTE
from tests.web.playing import play_three_card_poker, sit, until
from tests.web.serving import Served, serving
from tests.web.staffing import FLOORPERSON, PASSWORD, hire, staff
from tests.web.strangers import ELSEWHERE
from tests.web.test_administrator_api import copy_of, restore

TABLE, SEAT = "three-card-poker", 3


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "floor.db"


@pytest.fixture
def floor(database: Path) -> Iterator[Served]:
    with serving(str(database), database.parent) as server:
        hire(server, FLOORPERSON, "floorperson")
        yield server


def lose_the_sessions(database: Path) -> None:
    lost = list(database.parent.glob("floor.db-sessions*"))
    assert lost
    for file in lost:
        file.unlink()


def at_the_table(floor: Served) -> Client:
    """Ada with $2,500 at seat 3."""
    ada = floor.guest("Ada")
    sit(ada, TABLE, SEAT, 250_000)
    return ada


def test_a_guest_comes_back_to_the_chips_after_the_sessions_are_lost(database: Path) -> None:
    with serving(str(database), database.parent) as floor:
        code = at_the_table(floor).code
    lose_the_sessions(database)
    with serving(str(database), database.parent) as floor:
        ada = floor.client()
        assert ada.me().role == "anyone"
        with pytest.raises(Refused, match="taken"):
            floor.guest("Ada")
        assert ada.come_back(code).name == "Ada"
        assert ada.seen(TABLE).view.viewer == f"player:{SEAT}"
        assert ada.seen(TABLE).view.seats[SEAT].chips == 250_000
        play_three_card_poker(ada, SEAT, choice="fold")
        assert ada.seen(TABLE).view.seats[SEAT].chips == 249_000


@pytest.mark.thorough
def test_a_guest_comes_back_after_a_backup_is_restored(database: Path) -> None:
    with serving(str(database), database.parent) as floor:
        hire(floor, "Bea", "administrator")
        code = at_the_table(floor).code
        copy = database.with_name("copy.db")
        copy.write_bytes(copy_of(floor.administrator()))
        late = floor.guest("Late").code
    restore(copy, database, ("administrator", "Bea"), ("correct horse battery", PASSWORD))
    with serving(str(database), database.parent) as floor:
        ada = floor.client()
        assert ada.come_back(code).name == "Ada"
        assert ada.seen(TABLE).view.seats[SEAT].chips == 250_000
        with pytest.raises(Refused, match="This code does not work"):
            floor.client().come_back(late)  # this guest joined after the backup was made


@pytest.mark.thorough
def test_a_floorperson_hands_a_seat_back_on_the_record(floor: Served) -> None:
    ada = at_the_table(floor)
    flora = staff(floor, FLOORPERSON)
    handed = flora.hand_back(TABLE, SEAT, "lost her phone; showed her driver's license")
    assert (handed.player, handed.seat) == ("Ada", SEAT)
    assert ada.me().name == "Ada", "nothing changes until the code is used"
    again = floor.client()
    assert again.come_back(handed.code).name == "Ada"
    assert again.seen(TABLE).view.viewer == f"player:{SEAT}"
    until(lambda: ada.me().role == "anyone")  # whoever has the lost phone
    with pytest.raises(Refused):
        floor.client().come_back(handed.code)
    with pytest.raises(Refused):
        floor.client().come_back(ada.code)
    assert floor.client().come_back(again.code).name == "Ada"
    lines = floor.administrator().call("GET", "/api/audit")["lines"]
    assert (FLOORPERSON, f"handed seat 3 at table {TABLE} back to Ada: lost her phone; showed her driver's license") in [
        (line["who"], line["what"]) for line in lines
    ]


@pytest.mark.thorough
def test_only_a_taken_seat_is_handed_back_and_only_with_a_reason(floor: Served) -> None:
    flora = staff(floor, FLOORPERSON)
    with pytest.raises(Refused, match="Nobody is seated at seat 5"):
        flora.hand_back(TABLE, 5, "lost phone")
    at_the_table(floor)
    with pytest.raises(Refused, match="Give a reason"):
        flora.hand_back(TABLE, SEAT, "   ")


@pytest.mark.thorough
def test_a_player_seated_by_the_house_takes_over_the_seat(floor: Served) -> None:
    flora = staff(floor, FLOORPERSON)
    flora.do(TABLE, "sit", seat=SEAT, player="Bob")
    bob = floor.client()
    assert bob.come_back(flora.hand_back(TABLE, SEAT, "wants to play on his phone").code).name == "Bob"
    bob.do(TABLE, "buy in", seat=SEAT, amount=10_000)


def test_no_code_is_stored_or_logged_in_plain_text(floor: Served, database: Path) -> None:
    ada = at_the_table(floor)
    flora = staff(floor, FLOORPERSON)
    handed, wrong, back = flora.hand_back(TABLE, SEAT, "lost phone").code, one_time_password(), floor.client()
    with pytest.raises(Refused) as refused:
        back.come_back(wrong)
    back.come_back(handed)
    administrator = floor.administrator()
    told = [
        str((refused.value.reason, refused.value.accepted)),
        str(administrator.call("GET", "/api/audit")),
        str(flora.call("GET", f"/api/tables/{TABLE}/events")),
        flora._http.get(f"/api/tables/{TABLE}").text,
        back._http.get(f"/tables/{TABLE}").text,
        floor.log.read_text(),
    ]
    kept = [administrator._http.get("/api/backup").content, *(file.read_bytes() for file in database.parent.glob("floor.db*"))]
    assert len(kept) > 2
    for code in (ada.code, handed, back.code, wrong):
        for spelled in (code, code.replace("-", ""), code[:9]):
            assert not [each for each in told if spelled in each]
            assert not [each for each in kept if spelled.encode() in each]


@pytest.mark.thorough
def test_wrong_codes_are_limited_by_address_and_right_ones_are_not(tmp_path: Path) -> None:
    with serving(str(tmp_path / "floor.db"), tmp_path, "--no-demo", env={"CROUPIER_LIMITS": "yes"}) as floor:
        code = floor.guest("Ada").code
        for _ in range(2 * LOGINS_A_MINUTE):  # a whole pit behind one address returns after an outage
            floor.client().come_back(code)
        with httpx.Client(base_url=floor.address, transport=httpx.HTTPTransport(local_address=ELSEWHERE)) as http:
            http.headers["x-csrftoken"] = http.get("/api/me").cookies["csrftoken"]
            statuses = [
                http.post("/api/return", json={"code": one_time_password()}).status_code for _ in range(LOGINS_A_MINUTE + 5)
            ]
            assert statuses[:LOGINS_A_MINUTE] == [403] * LOGINS_A_MINUTE
            assert statuses[-1] == 429
            assert http.post("/api/return", json={"code": code}).status_code == 429
        assert floor.client().come_back(code).name == "Ada"  # from another address
