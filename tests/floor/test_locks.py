"""Failed logins lock a name at an address: a stranger cannot keep a user out, and many addresses cannot guess for long."""

from __future__ import annotations

import pytest

from croupier.floor.registers.accounts import FAILURES, LOCKED_FOR, MANY_FAILURES, MOST_PLACES
from croupier.floor.registers.people import LoginRefused, People
from croupier.ledger import MemoryRecorder
from tests.floor.registers import MINUTES, Stopped, people
from tests.floor.test_people import PASSWORD, state

HOME, ELSEWHERE = "203.0.113.7", "198.51.100.4"


@pytest.fixture
def clock() -> Stopped:
    return Stopped()


@pytest.fixture
def found(clock: Stopped) -> People:
    """A user Ann who has logged in from home."""
    made = people(MemoryRecorder(), clock)
    made.change_password("Ann", made.add("Ann", "administrator", "administrator"), PASSWORD, HOME)
    return made


def fails(found: People, address: str, times: int = FAILURES) -> None:
    for _ in range(times):
        with pytest.raises(LoginRefused):
            found.login("Ann", "wrong", address)


def test_a_stranger_locks_the_name_at_the_strangers_address_only(found: People, clock: Stopped) -> None:
    fails(found, ELSEWHERE)
    with pytest.raises(LoginRefused):
        found.login("Ann", PASSWORD, ELSEWHERE)  # even with the right password
    user = found.login("Ann", PASSWORD, HOME)
    assert user.locked_from == (ELSEWHERE,)
    assert user.locked_until == clock.now + LOCKED_FOR
    clock.now += LOCKED_FOR
    assert found.login("Ann", PASSWORD, ELSEWHERE).locked_from == ()


def test_failures_elsewhere_are_not_counted_here(found: People) -> None:
    fails(found, HOME, FAILURES - 1)
    fails(found, ELSEWHERE, FAILURES - 1)
    assert found.login("Ann", PASSWORD, HOME)
    fails(found, HOME, FAILURES - 1)  # earlier failures counted only until then
    assert found.login("Ann", PASSWORD, HOME)


def test_one_ipv6_customer_has_one_count(found: People) -> None:
    for last in range(FAILURES):
        fails(found, f"2001:db8::{last}:1", 1)
    with pytest.raises(LoginRefused):
        found.login("Ann", PASSWORD, "2001:db8::ffff")
    assert found.login("Ann", PASSWORD, "2001:db8:0:1::1")  # another customer's network


def test_guesses_from_many_addresses_are_limited_together(found: People, clock: Stopped) -> None:
    for number in range(MANY_FAILURES):
        fails(found, f"192.0.2.{number}", 1)
    for address in ("192.0.2.200", "192.0.2.0"):  # even with the right password
        with pytest.raises(LoginRefused):
            found.login("Ann", PASSWORD, address)
    assert found.login("Ann", PASSWORD, HOME)  # from an address she has used before, she gets in
    clock.now += LOCKED_FOR
    assert found.login("Ann", PASSWORD, "192.0.2.200")


def test_an_administrator_opens_every_address(found: People) -> None:
    for number in range(MANY_FAILURES):
        fails(found, f"192.0.2.{number}", 1)
    found.unlock("Ann", "administrator")
    assert found.login("Ann", PASSWORD, ELSEWHERE)


def test_a_one_time_password_is_not_locked_everywhere_since_it_cannot_be_guessed() -> None:
    found = people()
    password = found.first_start() or ""
    for number in range(3 * MANY_FAILURES):
        with pytest.raises(LoginRefused):
            found.login("administrator", "wrong", f"192.0.2.{number}")
    assert found.login("administrator", password, HOME).must_change


def test_memory_for_strangers_is_bounded_and_matches_the_log(found: People, clock: Stopped) -> None:
    for number in range(MOST_PLACES + 50):
        clock.now += LOCKED_FOR // MANY_FAILURES + 1  # slowly enough not to be stopped
        fails(found, f"10.0.{number // 250}.{number % 250}", 1)
    account = found._users["ann"]
    assert len(account.locks.failures) == MOST_PLACES
    assert len(account.locks.recent) == MANY_FAILURES
    assert state(people(found.recorder, clock)) == state(found)
    clock.now += MINUTES
    assert found.login("Ann", PASSWORD, HOME)
