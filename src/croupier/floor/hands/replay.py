"""The replay of one round for one player: what their seat saw after each event, without the names of others."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.floor.hands.played import PlayedHands, Watch
from croupier.floor.surveillance.narration import sentence
from croupier.floor.surveillance.replay import announced
from croupier.floor.surveillance.round_record import RecordedRound
from croupier.table import commands as say
from croupier.table.events import Event
from croupier.table.state import State
from croupier.table.views import PUBLIC
from croupier.wire import HandFrame, View


def frames_of(played: PlayedHands, player: str, found: RecordedRound) -> tuple[HandFrame, ...]:
    """From “no more bets” to the end of the round."""
    watch = played.watch(player, found)
    return tuple(
        HandFrame(
            entry.version, event.at, _says(event, state), event.then.cites, event.then.lines, _own(watch, watch.take(event, state))
        )
        for entry, event, _, state in played.frames.follow(found.table, found.locked, found.last)
    )


def _own(watch: Watch, seen: View) -> View:
    """The view without other people: their boxes are there, but not who they are or what they own."""
    mine = {seat: each for seat, each in seen.seats.items() if seat == watch.seat and watch.by != PUBLIC}
    return replace(seen, seats=mine)


def _says(event: Event, state: State) -> str:
    if isinstance(event.command, say.Sit):
        return f"A player sits down at seat {event.command.seat}."
    return sentence(event, state.rules, announced(event, state))
