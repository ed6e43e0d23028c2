"""Every rule of every round, checked by deciding each logged command anew: the very same event has to come of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.floor.wrong import Wrong
from croupier.law.cite import Refusal
from croupier.ledger import Entry
from croupier.table.commands import SealedDeck
from croupier.table.engine import decide, secrets_of, with_secrets
from croupier.table.events import Event, is_current, write
from croupier.table.folding import apply
from croupier.table.meters import Meter
from croupier.table.state import State

LONGEST = 60  # characters of a value that a sentence quotes


def redecide(state: State, entry: Entry, event: Event, sealed: tuple[SealedDeck, ...], meters: Mapping[str, Meter]) -> None:
    """Decide an event's command on the state before it, compare, and fold.

    An event of an older version was decided by the rules of its day: it is folded as it stands.
    """
    if not is_current(entry.body):
        return _fold(state, event, sealed)
    command = with_secrets(event.command, sealed)
    if secrets_of(command) != sealed:
        raise Wrong("its sealed part holds what the event does not commit to")
    try:
        decided = decide(state, command, event.by, event.at, meters, event.key, event.person)
    except Refusal as refusal:
        raise Wrong(f"the rules refuse it: {str(refusal).removesuffix('.')}") from None
    except Exception as problem:  # a forged event can trip any rule in any way
        raise Wrong(f"the rules cannot decide it: {type(problem).__name__}: {problem}") from problem
    if (written := write(decided)) != entry.body:
        raise Wrong(f"the rules make another event of it: {difference(entry.body, written)}")
    return _fold(state, decided, sealed)


def _fold(state: State, event: Event, sealed: tuple[SealedDeck, ...]) -> None:
    try:
        apply(state, event, sealed)
    except Exception as problem:
        raise Wrong(f"it cannot be folded: {type(problem).__name__}: {problem}") from problem


def difference(logged: bytes, decided: bytes) -> str:
    """The first place where two events differ, in words.

    >>> difference(b'{"then":{"lines":[{"pays":20}]}}', b'{"then":{"lines":[{"pays":10}]}}')
    'then.lines.1.pays is 20 in the log and 10 by the rules'
    """
    path, old, new = _differ(msgspec.json.decode(logged), msgspec.json.decode(decided), "")
    return f"{path.removeprefix('.') or 'the spelling'} is {_short(old)} in the log and {_short(new)} by the rules"


def _differ(old: Any, new: Any, path: str) -> tuple[str, Any, Any]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) != new.get(key):
                return _differ(old.get(key), new.get(key), f"{path}.{key}")
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True), 1):
            if one != other:
                return _differ(one, other, f"{path}.{number}")
    return path, old, new


def _short(value: Any) -> str:
    text = "nothing" if value is None else msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
