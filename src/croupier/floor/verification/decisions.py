"""Checks every rule of every round by deciding each logged command again: the result has to be the same event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from croupier.floor.verification.problems import CheckFailed
from croupier.law.cite import Refusal
from croupier.ledger import Entry
from croupier.table.engine import decide, secrets_of, with_secrets
from croupier.table.events import Event, Orders, is_current, write_event
from croupier.table.fold import apply
from croupier.table.meters import MeterState
from croupier.table.state import State

LONGEST = 60  # characters of a value that a message quotes


def redecide(state: State, entry: Entry, event: Event, orders: Orders, meters: Mapping[str, MeterState]) -> None:
    """Decide an event's command on the state before it, compare, and fold.

    An event of an older version was decided by earlier rules: it is folded as it is.
    """
    if not is_current(entry.body):
        return fold_event(state, event, orders)
    command = with_secrets(event.command, orders)
    if secrets_of(command) != orders:
        raise CheckFailed("its sealed part has data that the event does not commit to")
    try:
        decided = decide(state, command, event.by, event.at, meters, event.key, event.person)
    except Refusal as refusal:
        raise CheckFailed(f"the rules refuse it: {str(refusal).removesuffix('.')}") from None
    except Exception as problem:  # a forged event can trip any rule in any way
        raise CheckFailed(f"the rules cannot decide it: {type(problem).__name__}: {problem}") from problem
    if (written := write_event(decided)) != entry.body:
        raise CheckFailed(f"the rules give another event: {first_difference(entry.body, written)}")
    return fold_event(state, decided, orders)


def fold_event(state: State, event: Event, orders: Orders) -> None:
    try:
        apply(state, event, orders)
    except Exception as problem:
        raise CheckFailed(f"it cannot be applied: {type(problem).__name__}: {problem}") from problem


def first_difference(logged: bytes, decided: bytes) -> str:
    """The first place where two events differ, as a sentence.

    >>> first_difference(b'{"then":{"lines":[{"pays":20}]}}', b'{"then":{"lines":[{"pays":10}]}}')
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
