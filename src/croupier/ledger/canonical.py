"""Canonical JSON, one spelling for each value: sorted keys, no blanks, UTF-8, no floats."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NoReturn

import msgspec


def _refuse_float(text: object) -> NoReturn:
    raise ValueError(f"{text} is not a whole number: the ledger does not accept floats or decimals")


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
    ValueError: 0.5 is not a whole number: the ledger does not accept floats or decimals
    """
    _refuse_floats(msgspec.to_builtins(value, builtin_types=(Decimal,)))
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
    """Refuse what msgspec would write silently: floats, NaN as null, and decimals as text."""
    if isinstance(value, (float, Decimal)):
        _refuse_float(value)
    if isinstance(value, (dict, list, tuple)):
        for part in value.values() if isinstance(value, dict) else value:  # keys are text: msgspec does not sort others
            _refuse_floats(part)
