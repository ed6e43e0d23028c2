"""One value, one spelling: JSON with sorted keys, no blanks, UTF-8, and no floats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, NoReturn

import msgspec

_PLAIN = frozenset({str, int, bool, type(None), bytes})


def _refuse_float(text: object) -> NoReturn:
    raise ValueError(f"{text} is not a whole number: the ledger knows no floats and no decimals")


# Sorted, not merely deterministic: a Struct's fields have to come in the order in which a reader's dict spells them again.
_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(float_hook=_refuse_float)


def canonical(value: Any) -> bytes:
    """The bytes that are hashed and signed.

    >>> canonical({"b": [1, None], "a": "§"}).decode()
    '{"a":"§","b":[1,null]}'
    >>> canonical({"share": 0.5})
    Traceback (most recent call last):
        ...
    ValueError: 0.5 is not a whole number: the ledger knows no floats and no decimals
    """
    _refuse_floats(value)
    return _ENCODER.encode(value)


def is_canonical(body: bytes) -> bool:
    """Is this the one spelling of a value?

    >>> is_canonical(b'{"a":1,"b":2}'), is_canonical(b'{"b":2,"a":1}'), is_canonical(b'{"a":1.0}')
    (True, False, False)
    """
    try:
        return _ENCODER.encode(_DECODER.decode(body)) == body
    except (ValueError, RecursionError):  # msgspec's own errors are ValueErrors
        return False


def _refuse_floats(value: Any) -> None:
    """msgspec would write a float, and NaN as null, without a word."""
    kind = type(value)
    if kind in _PLAIN:
        return
    if issubclass(kind, (float, Decimal)):
        _refuse_float(value)
    for part in _parts(value):
        if type(part) not in _PLAIN:
            _refuse_floats(part)


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()  # keys are text: msgspec sorts no others
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    if isinstance(value, Enum):
        return (value.value,)
    if isinstance(value, msgspec.Struct):
        return (getattr(value, name) for name in value.__struct_fields__)
    if is_dataclass(value):
        return (getattr(value, field.name) for field in fields(value))
    return ()
