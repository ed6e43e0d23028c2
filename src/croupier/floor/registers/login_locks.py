"""Failed logins of a user. They lock the user at one place only, so that nobody can lock a user out elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

MINUTE = 60_000  # milliseconds
FAILURES = 3  # in a row from one place lock the user there
LOCKED_FOR = 15 * MINUTE
MANY = 30  # failures from anywhere within that time leave only places open where the user has logged in before
MOST_PLACES, MOST_HOMES = 1000, 20  # remembered for each user


@dataclass
class Locks:
    """The failures and locks of one user, by place (see `addresses.place`)."""

    failures: dict[str, int] = field(default_factory=dict)  # in a row
    until: dict[str, int] = field(default_factory=dict)  # when a lock ends
    recent: list[int] = field(default_factory=list)  # times of the last failures, from anywhere
    homes: list[str] = field(default_factory=list)  # places where the user has logged in, the newest last

    def is_locked(self, place: str, now: int, guessable: bool) -> bool:
        """Whether the user is locked there. A one-time password is not guessable: trying it often locks no other place."""
        crowded = len(self.recent) == MANY and self.recent[0] > now - LOCKED_FOR
        return self.until.get(place, 0) > now or (guessable and crowded and place not in self.homes)

    def locked(self, now: int) -> dict[str, int]:
        """The places where the user is locked, each with the end of its lock."""
        return {place: until for place, until in self.until.items() if until > now}

    def is_last(self, place: str) -> bool:
        """Whether the next failure there locks it."""
        return self.failures.get(place, 0) + 1 >= FAILURES

    def fail(self, place: str, at: int) -> None:
        self.until = self.locked(at)
        self.failures[place] = self.failures.pop(place, 0) + 1
        if len(self.failures) > MOST_PLACES:
            del self.failures[next(iter(self.failures))]
        self.recent = [*self.recent, at][-MANY:]

    def lock(self, place: str, until: int) -> None:
        self.failures.pop(place, None)
        self.until[place] = until

    def succeed(self, place: str) -> None:
        self.failures.pop(place, None)
        self.until.pop(place, None)
        self.homes = [*(each for each in self.homes if each != place), place][-MOST_HOMES:]

    def forget(self) -> None:
        """Forget all failures: an administrator unlocked the user, or the password was changed."""
        self.failures, self.until, self.recent = {}, {}, []
