"""Guests return with a code: their own, or one that a floorperson gives them on the record. The log has only hashes."""

from __future__ import annotations

import pytest

from croupier.floor.house.house import Damaged
from croupier.floor.registers.accounts import CODE_FOR
from croupier.floor.registers.audit import Audit
from croupier.floor.registers.passwords import one_time_password
from croupier.floor.registers.people import CodeRefused, People
from croupier.floor.registers.register import HouseRefusal
from croupier.ledger import MemoryRecorder, Recorder, Unit, follow, genesis
from tests.floor.registers import Stopped, all_text, people, recorder, registered, url

FIXTURES = (recorder, url)
TABLE = "three-card-poker"


def with_ann(found: People) -> str:
    code = one_time_password()
    found.register_guest("Ann", code)
    return code


def test_a_recovery_code_brings_its_guest_back_again_and_again(recorder: Recorder) -> None:
    code = with_ann(people(recorder))
    later = people(recorder)  # knows only the log
    assert later.come_back(code)[0] == "Ann"
    assert later.come_back(code.upper().replace("-", " "), "203.0.113.7") == (later.guest("Ann"), "")


def test_a_code_has_far_more_values_than_anyone_can_try() -> None:
    assert len({one_time_password() for _ in range(1000)}) == 1000
    code = one_time_password()
    assert len(set(code) & set("01ilo")) == 0
    assert len(code.replace("-", "")) == 20  # 31 characters to choose from: 99 bits


def test_a_wrong_code_is_refused_and_recorded_in_the_audit(recorder: Recorder) -> None:
    found = people(recorder)
    with_ann(found)
    for wrong in (one_time_password(), "", "Ann"):
        with pytest.raises(CodeRefused, match="ask a floorperson for a new one"):
            found.come_back(wrong, "203.0.113.7")
    told = [(line.who, line.what, line.address) for line in Audit(recorder).lines().lines]
    assert told == [("somebody", "failed to come back as a guest: no such code", "203.0.113.7")] * 3


def test_a_guest_without_a_code_is_not_found_by_an_empty_one(recorder: Recorder) -> None:
    found = people(recorder)
    found.name_guest("Bob")  # seated by the house
    with pytest.raises(CodeRefused):
        found.come_back("")


def test_a_floorperson_hands_a_seat_back_by_name_and_with_a_reason(recorder: Recorder) -> None:
    clock = Stopped()
    found = people(recorder, clock)
    own = with_ann(found)
    code, until = found.hand_back("Ann", TABLE, 3, "  lost her\nphone ", "Flo")
    assert until == clock.now + CODE_FOR
    guest, fresh = found.come_back(code)
    assert guest == "Ann"
    for spent in (own, code):
        with pytest.raises(CodeRefused):
            found.come_back(spent)
    assert found.come_back(fresh)[0] == guest
    told = [(line.who, line.what) for line in Audit(recorder).lines().lines]
    assert ("Flo", f"handed seat 3 at table {TABLE} back to Ann: lost her phone") in told
    assert ("Ann", "came back with a code from a floorperson") in told


def test_until_a_floorpersons_code_is_used_the_guests_own_stays_good() -> None:
    found = people()
    own = with_ann(found)
    found.hand_back("Ann", TABLE, 3, "she says so", "Flo")
    assert found.come_back(own)[0] == "Ann"


def test_a_second_code_from_a_floorperson_replaces_the_first() -> None:
    found = people()
    with_ann(found)
    first, second = (found.hand_back("Ann", TABLE, 3, "lost phone", "Flo")[0] for _ in range(2))
    with pytest.raises(CodeRefused):
        found.come_back(first)
    assert found.come_back(second)[0] == "Ann"


def test_a_floorpersons_code_expires() -> None:
    clock = Stopped()
    found = people(clock=clock)
    with_ann(found)
    code, until = found.hand_back("Ann", TABLE, 3, "lost phone", "Flo")
    clock.now = until
    with pytest.raises(CodeRefused):
        found.come_back(code)
    clock.now -= 1
    assert found.come_back(code)[0] == "Ann"


def test_no_seat_is_handed_back_without_a_reason_or_a_guest() -> None:
    found = people()
    with_ann(found)
    with pytest.raises(HouseRefusal, match="give a reason"):
        found.hand_back("Ann", TABLE, 3, " \n", "Flo")
    with pytest.raises(HouseRefusal, match="Zoe is not the name of a guest"):
        found.hand_back("Zoe", TABLE, 3, "lost phone", "Flo")


def test_no_code_is_in_the_ledger(recorder: Recorder) -> None:
    found = people(recorder)
    own = with_ann(found)
    handed, _ = found.hand_back("Ann", TABLE, 3, "lost phone", "Flo")
    _, fresh = found.come_back(handed)
    kept = all_text(recorder) + b"".join(entry.sealed for entry in registered(recorder, "people"))
    for code in (own, handed, fresh):
        for spelled in (code, code.replace("-", ""), code.split("-")[0]):
            assert spelled.encode() not in kept


def test_a_log_in_which_an_unknown_guest_returns_is_not_believed() -> None:
    found = people()
    with_ann(found)
    found.come_back(found.hand_back("Ann", TABLE, 3, "lost phone", "Flo")[0])
    *_, returned = registered(found.recorder, "people")
    forged = MemoryRecorder()
    first = follow("people", 1, genesis("people"), returned.body)
    forged.append([Unit((first,))])
    with pytest.raises(Damaged, match="people, version 1"):
        people(forged).guest("Ann")
