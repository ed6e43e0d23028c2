"""Canonical JSON, one spelling for each value: sorted keys, no blanks, UTF-8, no floats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, NoReturn

import msgspec

_PLAIN = frozenset({str, int, bool, type(None), bytes})


def _refuse_float(text: object) -> NoReturn:
    raise ValueError(f"{text} is not a whole number: the ledger takes no floats and no decimals")


# Sorted, not merely deterministic: a Struct's fields must come in the same order as the keys of a dict read from the bytes.
encode = msgspec.json.Encoder(order="sorted").encode  # faster than `canonical`, for types without floats
_DECODER = msgspec.json.Decoder(float_hook=_refuse_float)


def canonical(value: Any) -> bytes:
    """The bytes that are hashed and signed.

    >>> canonical({"b": [1, None], "a": "§"}).decode()
    '{"a":"§","b":[1,null]}'
    >>> canonical({"share": 0.5})
    Traceback (most recent call last):
        ...
    ValueError: 0.5 is not a whole number: the ledger takes no floats and no decimals
    """
    _refuse_floats(value)
    return encode(value)


def is_canonical(body: bytes) -> bool:
    """Whether this is the canonical spelling of a value.

    >>> is_canonical(b'{"a":1,"b":2}'), is_canonical(b'{"b":2,"a":1}'), is_canonical(b'{"a":1.0}')
    (True, False, False)
    """
    try:
        return encode(_DECODER.decode(body)) == body
    except (ValueError, RecursionError):  # msgspec's own errors are ValueErrors
        return False


def _refuse_floats(value: Any) -> None:
    """Refuse what msgspec would write silently: floats, and NaN as null."""
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
        return value.values()  # keys are text: msgspec does not sort others
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    if isinstance(value, Enum):
        return (value.value,)
    if isinstance(value, msgspec.Struct):
        return (getattr(value, name) for name in value.__struct_fields__)
    if is_dataclass(value):
        return (getattr(value, field.name) for field in fields(value))
    return ()
