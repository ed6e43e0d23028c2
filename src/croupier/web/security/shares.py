"""Links to replays: each is a random token; the database has only its hash. A player can revoke the links to a hand.

They are kept with the sessions, not in the log: a link that was revoked is gone.
"""

from __future__ import annotations

import secrets

import msgspec

from croupier.web.errors import Denied
from croupier.web.security.sessions import Run, Sessions, hash_of_token

MOST = 200  # links of one player


class SharedRound(msgspec.Struct, frozen=True):
    """The round that a link opens, and the player whose view it shows."""

    player: str
    table: str
    number: int


class Shares:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def make(self, shared: SharedRound) -> str:
        """The token of a new link."""
        token = secrets.token_urlsafe(24)
        values = hash_of_token(token), shared.player, shared.table, shared.number, self._sessions.clock()

        def work(run: Run) -> bool:
            if run("SELECT COUNT(*) FROM shares WHERE player = ?", shared.player)[0][0] >= MOST:
                return False
            run("INSERT INTO shares (id, player, place, number, made) VALUES (?, ?, ?, ?, ?)", *values)
            return True

        if not await self._sessions.write(work):
            raise Denied(409, f"You are already sharing {MOST} hands. Stop sharing one first.")
        return token

    async def find(self, token: str) -> SharedRound | None:
        rows = await self._sessions.read(
            lambda run: run("SELECT player, place, number FROM shares WHERE id = ?", hash_of_token(token))
        )
        return SharedRound(*rows[0]) if rows else None

    async def revoke(self, shared: SharedRound) -> None:
        """End every link to a hand."""
        values = shared.player, shared.table, shared.number
        await self._sessions.write(lambda run: run("DELETE FROM shares WHERE player = ? AND place = ? AND number = ?", *values))

    async def of(self, player: str) -> set[tuple[str, int]]:
        """The table and number of each hand that a player shares."""
        rows = await self._sessions.read(lambda run: run("SELECT DISTINCT place, number FROM shares WHERE player = ?", player))
        return {(str(table), int(number)) for table, number in rows}
