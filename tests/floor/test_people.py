"""Guest names are unique, users have to prove who they are, and no answer reveals more than it should."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from threading import Barrier
from typing import Literal

import msgspec
import pytest
from argon2 import PasswordHasher
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.floor.house.house import Damaged
from croupier.floor.registers import passwords
from croupier.floor.registers.accounts import Account, User
from croupier.floor.registers.names import name_key, proper_name
from croupier.floor.registers.people import LoginRefused, People
from croupier.floor.registers.register import HouseRefusal
from croupier.ledger import Conflict, MemoryRecorder, Recorder, Unit, canonical, follow, is_canonical, open_recorder
from tests.floor.registers import HOURS, MINUTES, Stopped, all_text, folder, people, recorder, registered, url

FIXTURES = (recorder, url)

PASSWORD = "a long green baize"


def refused(action: Callable[[], object]) -> HouseRefusal:
    with pytest.raises(HouseRefusal) as caught:
        action()
    return caught.value


def with_ann(found: People, role: str = "dealer") -> None:
    """A user Ann who has set her password."""
    found.change_password("Ann", found.add("Ann", role, "administrator"), PASSWORD)


def state(found: People) -> tuple[object, ...]:
    found.catch_up()
    return found._guests, {key: asdict(account) for key, account in found._users.items()}, found.version, found._head


# guests


def test_a_guest_takes_an_unused_name(recorder: Recorder) -> None:
    clock = Stopped()
    one, other = people(recorder, clock), people(recorder, clock)
    guest = one.register_guest("  Ann   Lee ")
    assert other.guest("ann lee") == guest == one.guest("Ann Lee") == "Ann Lee"
    assert other.guest("Bob") is None
    assert str(refused(lambda: other.register_guest("ANN LEE"))) == "the name ANN LEE is taken. Choose another name."
    assert recorder.head("people")[0] == 1


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("Ann", "ann"),
        ("Ann", "ＡＮＮ"),  # full width
        ("Ann", "𝐀𝐧𝐧"),  # mathematical bold
        ("Straße", "STRASSE"),
        ("Zoë", "Zoe\u0308"),  # composed and decomposed
        ("ﬁsh", "Fish"),  # a ligature
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),  # a final sigma
        ("Jo Ann", "Jo  Ann"),
        ("x²", "X2"),
    ],
)
def test_names_that_are_the_same_in_another_form_are_one(name: str, again: str) -> None:
    found = people()
    found.register_guest(name)
    assert "is taken" in str(refused(lambda: found.register_guest(again)))
    assert found.guest(again) == found.guest(name) is not None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "a" * 41,
        "Ann\x00",
        "Ann\n",
        "\tAnn",
        "Ann\x7f",
        "An\u200bn",
        "\u202eAnn",
        "Ann\u2028",
        "\ud800",
        "\u3164",
        "Ann\ufe0f",
    ],
)
def test_an_unreadable_name_is_refused(name: str) -> None:
    found = people()
    assert refused(lambda: found.register_guest(name)).accepted == "1 to 40 visible characters"
    assert not registered(found.recorder, "people")


@pytest.mark.parametrize("name", ["practice floorperson", "Automatic  Dealer", "the house", "demo floor"])
def test_names_that_the_log_uses_for_the_system_are_refused(name: str) -> None:
    found = people(MemoryRecorder())
    for action in (lambda: found.register_guest(name), lambda: found.add(name, "floorperson", "administrator")):
        assert "reserved for the house" in str(refused(action))
    assert not registered(found.recorder, "people")


@pytest.mark.parametrize("name", ["a/b", "/", ".", ".."])
def test_a_user_has_a_name_that_an_address_can_hold(name: str) -> None:
    """A user whose name reads as another address could not be disabled, reset or unlocked."""
    found = people(MemoryRecorder())
    assert refused(lambda: found.add(name, "dealer", "administrator")).kind == "refused"
    assert found.users() == []


def test_the_longest_name_has_forty_characters() -> None:
    assert people().register_guest("é" * 40) == "é" * 40


@given(st.text())
def test_normalizing_a_name_is_idempotent_and_keeps_its_key(text: str) -> None:
    try:
        kept = proper_name(text)
    except HouseRefusal:
        return
    assert proper_name(kept) == kept
    assert 1 <= len(kept) <= 40
    assert name_key(text) == name_key(kept) == name_key(name_key(kept)) == name_key(kept.casefold())


names = st.lists(st.sampled_from(["Ann", "ann", "ＡＮＮ", "Bob", "BOB", "Cleo", "Dan", "dan"]), max_size=8)


@settings(max_examples=30)
@given(names, names, st.sampled_from(["memory", "sqlite"]))
def test_two_processes_at_once_never_lose_or_double_a_name(first: list[str], second: list[str], kind: str) -> None:
    """As many guests are granted as there are distinct names. Each is in the log once, and both processes know them all."""
    with folder() as path:
        log = MemoryRecorder() if kind == "memory" else open_recorder(str(path / "log.db"))
        both, barrier = [people(log), people(log)], Barrier(2)

        def register(found: People, actions: list[str]) -> list[str]:
            barrier.wait()
            granted = []
            for name in actions:
                with suppress(HouseRefusal):
                    granted.append(found.register_guest(name))
            return granted

        with ThreadPoolExecutor(2) as threads:
            done = list(threads.map(register, both, (first, second)))
        granted = sorted(name for each in done for name in each)
        asked = {name.casefold().replace("ａｎｎ", "ann") for name in (*first, *second)}
        assert sorted(name.casefold().replace("ａｎｎ", "ann") for name in granted) == sorted(asked)
        logged = sorted(msgspec.json.decode(entry.body)["name"] for entry in registered(log, "people"))
        assert logged == granted
        assert all(found.guest(name) for found in both for name in asked)
        assert state(both[0]) == state(both[1]) == state(people(log))
        log.close()


def test_servers_on_one_database_never_lose_or_double_a_name(url: str) -> None:
    """Each process has separate connections, so only the database keeps them apart."""
    logs = [open_recorder(url) for _ in range(3)]
    barrier = Barrier(3)

    def register(log: Recorder) -> list[str]:
        found, granted = people(log), []
        barrier.wait()
        for number in range(12):
            try:
                granted.append(found.register_guest(f"guest {number}"))
            except HouseRefusal:
                assert found.guest(f"GUEST {number}")
        return granted

    with ThreadPoolExecutor(3) as threads:
        granted = [name for each in threads.map(register, logs) for name in each]
    assert sorted(granted) == sorted(f"guest {number}" for number in range(12))
    assert len({state(people(log))[3] for log in logs}) == 1
    assert logs[0].head("people")[0] == 12
    for log in logs:
        log.close()


# users


def test_the_first_start_gives_one_password_once(recorder: Recorder) -> None:
    one, other = people(recorder), people(recorder)
    password = one.first_start()
    assert password
    assert other.first_start() is one.first_start() is None
    user = other.login("administrator", password, "192.0.2.1")
    assert (user.name, user.role, user.must_change) == ("administrator", "administrator", True)
    assert recorder.head("people")[0] == 2


def test_several_processes_that_start_together_make_one_administrator(recorder: Recorder) -> None:
    barrier = Barrier(3)

    def start(_: int) -> str | None:
        found = people(recorder)
        barrier.wait()
        return found.first_start()

    with ThreadPoolExecutor(3) as threads:
        given_out = [password for password in threads.map(start, range(3)) if password]
    assert len(given_out) == 1
    assert people(recorder).login("administrator", given_out[0])


def test_a_first_password_that_expired_unused_is_replaced_at_the_next_start() -> None:
    clock = Stopped()
    found = people(clock=clock)
    first = found.first_start()
    assert first
    clock.now += 24 * HOURS - 1
    assert found.first_start() is None
    clock.now += 1
    second = found.first_start()
    assert second
    with pytest.raises(LoginRefused):
        found.login("administrator", first)
    found.change_password("administrator", second, PASSWORD)
    clock.now += 1000 * HOURS
    assert found.first_start() is None


def test_a_one_time_password_has_to_be_changed_and_lasts_a_day() -> None:
    clock = Stopped()
    found = people(clock=clock)
    password = found.add("Ann", "dealer", "administrator")
    clock.now += 24 * HOURS - 1
    assert found.login("Ann", password).must_change
    clock.now += 1
    for _ in range(4):  # the right password never locks anyone out
        assert str(refused(lambda: found.login("Ann", password))).startswith("the one-time password has expired")
    assert refused(lambda: found.change_password("Ann", password, PASSWORD)).kind == "not allowed"
    again = found.reset_password("Ann", "administrator")
    assert found.login("Ann", again).must_change
    assert not found.change_password("Ann", again, PASSWORD).must_change
    clock.now += 1000 * HOURS
    assert not found.login("Ann", PASSWORD).must_change


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("", "shorter than 12"),
        ("eleven sign", "shorter than 12"),
        ("x" * 201, "longer than 200"),
        ("CHRISTOPHER LEE", "is the same as the name"),
        (PASSWORD, "is the same as the old one"),
    ],
)
def test_a_password_that_is_short_the_name_or_the_old_one_is_refused(new: str, why: str) -> None:
    found = people()
    found.change_password("Christopher Lee", found.add("Christopher Lee", "dealer", "administrator"), PASSWORD)
    before = len(registered(found.recorder, "people"))
    assert why in str(refused(lambda: found.change_password("Christopher Lee", PASSWORD, new)))
    assert found.login("Christopher Lee", PASSWORD)
    assert len(registered(found.recorder, "people")) == before + 1


def test_twelve_characters_of_any_alphabet_are_enough() -> None:
    found = people()
    found.change_password("Ann", found.add("Ann", "dealer", "administrator"), "écarté écarté"[:12])
    assert found.login("Ann", "e\u0301carte\u0301 e\u0301carte\u0301"[:15])  # the same characters as another keyboard sends them


def test_three_failures_in_a_row_lock_a_user_for_a_quarter_of_an_hour() -> None:
    clock = Stopped()
    found = people(clock=clock)
    with_ann(found)
    for _ in range(2):
        with pytest.raises(LoginRefused):
            found.login("Ann", "wrong")
    found.login("Ann", PASSWORD)  # so the failures are not in a row
    for _ in range(2):
        with pytest.raises(LoginRefused):
            found.login("Ann", "wrong")
    found.login("Ann", PASSWORD)
    for _ in range(3):
        with pytest.raises(LoginRefused):
            found.login("ann", "wrong")
    user = found.user("Ann")
    assert user
    assert user.locked_until == clock.now + 15 * MINUTES
    for attempt in (lambda: found.login("Ann", PASSWORD), lambda: found.change_password("Ann", PASSWORD, PASSWORD + "!")):
        with pytest.raises(LoginRefused):
            attempt()
    clock.now += 15 * MINUTES - 1
    with pytest.raises(LoginRefused):
        found.login("Ann", PASSWORD)
    clock.now += 1
    with pytest.raises(LoginRefused):  # the count starts over: one more failure does not lock
        found.login("Ann", "wrong")
    assert found.login("Ann", PASSWORD).locked_until == 0


def test_an_administrator_unlocks() -> None:
    found = people()
    with_ann(found)
    for _ in range(3):
        with pytest.raises(LoginRefused):
            found.change_password("Ann", "wrong", PASSWORD + "!")
    with pytest.raises(LoginRefused):
        found.login("Ann", PASSWORD)
    assert found.unlock("Ann", "administrator").locked_until == 0
    assert found.login("Ann", PASSWORD)
    before = len(registered(found.recorder, "people"))
    found.unlock("Ann", "administrator")  # there is nothing to unlock
    assert len(registered(found.recorder, "people")) == before


def test_many_guesses_at_once_open_no_more_than_many_in_a_row() -> None:
    log = MemoryRecorder()
    found = [people(log), people(log)]
    with_ann(found[0])

    def guess(number: int) -> User | None:
        try:
            return found[number % 2].login("Ann", "wrong" if number < 12 else PASSWORD)
        except LoginRefused:
            return None

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(guess, range(12)))
        assert not any(threads.map(guess, range(12, 16)))
    told = [msgspec.json.decode(entry.body) for entry in registered(log, "people")]
    assert [each["event"] for each in told].count("locked out") == 1
    assert [each.get("because") for each in told].count("wrong password") == 3
    assert [each.get("because") for each in told].count("locked") == 13


def test_a_password_that_is_changed_while_it_is_looked_at_opens_nothing() -> None:
    """The old password was right when hashing began. By the time it is judged, the user has another one."""
    log, meanwhile = MemoryRecorder(), list[Callable[[], object]]()

    class Slow(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            found = super().verify(hash, password)
            while meanwhile:
                meanwhile.pop()()
            return found

    other = people(log)
    with_ann(other)
    found = People(log, Stopped(), Slow(time_cost=1, memory_cost=8, parallelism=1))
    meanwhile.append(lambda: other.change_password("Ann", PASSWORD, PASSWORD + "!"))
    with pytest.raises(LoginRefused):
        found.login("Ann", PASSWORD)
    meanwhile.append(lambda: other.disable("Ann", "administrator"))
    with pytest.raises(LoginRefused):
        found.login("Ann", PASSWORD + "!")


def test_an_unknown_user_gets_the_same_answer_for_the_same_work() -> None:
    """Nothing tells them apart: not the words, the hashes computed, what is written, or the lockout."""
    calls: list[str] = []

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            calls.append(str(hash).rsplit("$", 2)[0])
            return super().verify(hash, password)

    found = People(MemoryRecorder(), Stopped(), Counting(time_cost=1, memory_cost=8, parallelism=1))
    with_ann(found)
    found.disable(found.add("Bob", "dealer", "administrator") and "Bob", "administrator")
    answers, work, written = set(), set(), set()
    for _ in range(5):
        for name, password in (("Ann", "wrong"), ("Bob", "wrong"), ("nobody", "wrong"), ("\ud800\x00" * 99, "wrong"), ("", "")):
            calls.clear()
            before = len(registered(found.recorder, "people"))
            answers.add(str(refused(lambda name=name, password=password: found.login(name, password, "192.0.2.1"))))  # type: ignore[misc]
            work.add(tuple(calls))
            written.add(len(registered(found.recorder, "people")) > before)
    assert len(answers) == len(work) == 1
    assert written == {True}
    assert work.pop()[0].startswith("$argon2id$")


def test_an_unknown_name_is_not_logged_since_it_may_be_a_password() -> None:
    found = people()
    with pytest.raises(LoginRefused):
        found.login("hunter2 hunter2", "Ann")
    assert b"hunter2" not in all_text(found.recorder)


def test_a_password_is_rehashed_when_the_parameters_change() -> None:
    log = MemoryRecorder()
    with_ann(people(log))
    stronger = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    found = People(log, Stopped(), stronger)
    before = found._users.get("ann")
    with pytest.raises(LoginRefused):
        found.login("Ann", "wrong")
    assert not registered(log, "people")[-1].sealed
    found.login("Ann", PASSWORD)
    assert b"m=16,t=2,p=1" in registered(log, "people")[-1].sealed
    assert found.login("Ann", PASSWORD)
    assert not registered(log, "people")[-1].sealed
    assert before is None
    assert People(log, Stopped(), stronger).login("Ann", PASSWORD)


def test_the_hash_is_argon2id_of_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "PasswordHasher", PasswordHasher)  # not the cheap one of the tests
    log = MemoryRecorder()
    People(log, Stopped()).first_start()
    sealed = msgspec.json.decode(registered(log, "people")[0].sealed)
    assert sealed["password"].startswith("$argon2id$v=19$m=65536,t=3,")  # RFC 9106, the second recommended option


def test_roles_change_and_the_last_administrator_stays() -> None:
    found = people()
    first = found.first_start()
    assert first
    for action in (lambda: found.disable("Administrator", "x"), lambda: found.change_role("administrator", "dealer", "x")):
        assert "is the last administrator" in str(refused(action))
    found.add("Ann", "administrator", "administrator")
    assert not found.disable("Ann", "administrator").enabled
    assert "is the last administrator" in str(refused(lambda: found.disable("administrator", "administrator")))
    assert found.enable("Ann", "administrator").enabled
    assert found.change_role("administrator", "dealer", "Ann").role == "dealer"
    assert "is the last administrator" in str(refused(lambda: found.change_role("Ann", "surveillance", "Ann")))
    assert not found.disable("administrator", "Ann").enabled
    with pytest.raises(LoginRefused):
        found.login("administrator", first)
    assert [user.name for user in found.users()] == ["administrator", "Ann"]


def test_two_administrators_cannot_disable_each_other_at_once(recorder: Recorder) -> None:
    found = [people(recorder), people(recorder)]
    found[0].first_start()
    found[0].add("Ann", "administrator", "administrator")
    barrier = Barrier(2)

    def disable(each: People, name: str) -> bool:
        barrier.wait()
        try:
            each.disable(name, "the other")
        except HouseRefusal:
            return False
        return True

    with ThreadPoolExecutor(2) as threads:
        done = list(threads.map(disable, found, ("administrator", "Ann")))
    assert sorted(done) == [False, True]
    assert sum(user.enabled for user in found[0].users()) == 1


def test_unknown_users_and_taken_names_are_refused() -> None:
    found = people()
    found.add("Ann", "dealer", "administrator")
    assert "there is already a user ANN" in str(refused(lambda: found.add("ANN", "dealer", "x")))
    for action in (found.disable, found.enable, found.unlock, found.reset_password):
        assert refused(lambda action=action: action("Bob", "x")).kind == "unknown"  # type: ignore[misc]
    before = len(registered(found.recorder, "people"))
    found.change_role("Ann", "dealer", "x")
    found.enable("Ann", "x")
    assert len(registered(found.recorder, "people")) == before  # nothing changed, so nothing is logged
    assert found.guest("Ann") is None  # guests and users are separate: a guest does not learn a user's name
    assert found.register_guest("Ann")


# secrets


def test_no_password_and_no_hash_is_in_a_body_an_error_or_a_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    found = people()
    said, passwords = [], [PASSWORD, PASSWORD + "!", "a wrong password"]
    passwords += [found.first_start() or "", found.add("Ann", "dealer", "administrator")]
    said += [repr(found.change_password("Ann", passwords[4], PASSWORD)), repr(found.login("Ann", PASSWORD))]
    for name in ("Ann", "nobody", "Ann", "Ann", "Ann"):
        said.append(repr(refused(lambda name=name: found.login(name, "a wrong password"))))  # type: ignore[misc]
    said.append(repr(refused(lambda: found.change_password("Ann", PASSWORD + "!", PASSWORD))))
    passwords.append(found.reset_password("Ann", "administrator"))
    everything = "\n".join([*said, caplog.text, all_text(found.recorder).decode(), repr(found.users()), repr(vars(found.user))])
    for secret in (*passwords, "argon2", *(account.encoded for account in found._users.values())):
        assert secret not in everything
    sealed = b"".join(entry.sealed for entry in registered(found.recorder, "people")).decode()
    assert "argon2id" in sealed
    assert not any(password in sealed for password in passwords)


def test_the_same_password_is_committed_to_in_another_way_each_time() -> None:
    found = people()
    for name in ("Ann", "Bob"):
        found.change_password(name, found.add(name, "dealer", "administrator"), PASSWORD)
    told = [msgspec.json.decode(entry.body) for entry in registered(found.recorder, "people")]
    seals = [each["seal"] for each in told if each["event"] == "password changed"]
    assert len(set(seals)) == 2


# the log


def test_events_are_canonical_and_chained(recorder: Recorder) -> None:
    found = people(recorder)
    found.first_start()
    found.register_guest("Ann")
    with pytest.raises(LoginRefused):
        found.login("administrator", "wrong")
    log = registered(recorder, "people")
    assert [entry.version for entry in log] == [1, 2, 3]
    assert all(is_canonical(entry.body) and msgspec.json.decode(entry.body)["v"] == 1 for entry in log)
    with pytest.raises(Damaged, match="version 4"):
        recorder.append([Unit((follow("people", 4, log[-1].hash, canonical({"v": 1, "event": "robbed"})),))])
        found.users()


def test_a_log_that_cannot_have_been_written_is_not_believed() -> None:
    found = people()
    found.register_guest("Ann")
    entry = registered(found.recorder, "people")[0]
    again = follow("people", 2, entry.hash, entry.body)
    assert found.recorder.append([Unit((again,))]) == [None]
    with pytest.raises(Damaged, match="people, version 2: the name Ann was taken before"):
        found.guest("Bob")


def test_a_log_whose_chain_is_broken_is_not_believed() -> None:
    found = people()
    for name in ("Ann", "Bob"):
        found.register_guest(name)
    log = found.recorder
    assert isinstance(log, MemoryRecorder)
    log._streams["people"][0] = replace(log._streams["people"][0], body=log._streams["people"][0].body.replace(b"Ann", b"Zoe"))
    with pytest.raises(Damaged, match="people, version 1: the chain of hashes is broken"):
        people(log).guest("Bob")


def test_a_password_hash_swapped_in_the_database_lets_no_one_in() -> None:
    log = MemoryRecorder()
    with_ann(people(log))
    forged = MemoryRecorder()
    with_ann(people(forged))
    for at, other in enumerate(registered(forged, "people")):
        log._streams["people"][at] = replace(log._streams["people"][at], sealed=other.sealed)
    with pytest.raises(Damaged, match="people, version 1: its sealed part is not what it commits to"):
        people(log).login("Ann", PASSWORD)


deeds = st.lists(
    st.tuples(
        st.sampled_from(["guest", "add", "role", "disable", "enable", "unlock", "reset", "change", "right", "wrong", "later"]),
        st.sampled_from(["administrator", "Ann", "Bob", "ann"]),
        st.integers(0, 1),
    ),
    max_size=40,
)


@settings(max_examples=60)
@given(deeds)
def test_the_state_in_memory_is_the_fold_of_the_log(actions: list[tuple[str, str, int]]) -> None:
    """Whatever two processes did in turn, both know the same as a third that reads the log from the start, and there is
    always an administrator."""
    log, clock = MemoryRecorder(), Stopped()
    both = [people(log, clock), people(log, clock)]
    passwords = {"administrator": both[0].first_start() or ""}
    for action, name, which in actions:
        clock.now += 4 * MINUTES
        with suppress(HouseRefusal):
            do(both[which], action, name, passwords, clock)
        assert any(user.role == "administrator" and user.enabled for user in both[1 - which].users())
    fresh = people(log, clock)
    assert state(both[0]) == state(both[1]) == state(fresh)
    assert [user.name for user in fresh.users()] == [user.name for user in both[0].users()]


def do(found: People, action: str, name: str, passwords: dict[str, str], clock: Stopped) -> None:
    key, role = name.casefold(), "dealer" if len(passwords) % 2 else "administrator"
    match action:
        case "guest":
            found.register_guest(name)
        case "add":
            passwords[key] = found.add(name, role, "administrator")
        case "role":
            found.change_role(name, role, "administrator")
        case "disable" | "enable" | "unlock":
            getattr(found, action)(name, "administrator")
        case "reset":
            passwords[key] = found.reset_password(name, "administrator")
        case "change":
            new = f"a new password {clock.now}"
            found.change_password(name, passwords.get(key, ""), new)
            passwords[key] = new
        case "right" | "wrong":
            found.login(name, passwords.get(key, "") if action == "right" else "wrong")
        case "later":
            clock.now += 24 * HOURS


def test_a_writer_that_always_loses_the_race_gives_up_with_an_error() -> None:
    class Busy(MemoryRecorder):
        def append(self, units: object) -> list[Conflict | None]:
            return [Conflict("somebody else wrote")]

    with pytest.raises(Conflict, match="people: other processes keep writing first"):
        people(Busy()).register_guest("Ann")


def test_accounts_are_not_shown_with_their_hash() -> None:
    assert "encoded" not in repr(Account("Ann", "dealer", "$argon2id$secret", 0, 1))
