"""Every value has one spelling."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.ledger import canonical, is_canonical

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


class Wager(msgspec.Struct, tag="wager"):
    stake: object
    name: str


@dataclass
class Line:
    stake: object


class Rate(Enum):
    HALF = 0.5


@given(PLAIN)
def test_values_round_trip_byte_for_byte(value: object) -> None:
    body = canonical(value)
    assert is_canonical(body)
    assert msgspec.json.decode(body) == value


def test_a_struct_is_spelled_like_its_dict() -> None:
    assert (
        canonical(Wager(5, "Ante"))
        == canonical({"type": "wager", "stake": 5, "name": "Ante"})
        == b'{"name":"Ante","stake":5,"type":"wager"}'
    )


@pytest.mark.parametrize("value", [0.5, 1.0, float("nan"), float("inf"), Decimal(1), Rate.HALF])
def test_floats_and_decimals_are_refused_anywhere(value: object) -> None:
    for holder in (value, [value], {"a": [{"b": (1, value)}]}, Wager(value, "Ante"), [Line([value])], {"set": frozenset({value})}):
        with pytest.raises(ValueError, match="is not a whole number"):
            canonical(holder)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b" 1",
        b'{"b":1,"a":2}',
        b'{"a":1,"a":1}',
        b'{"a": 1}',
        b"1.0",
        b"1e3",
        b"-0",
        b'"\\u0041"',
        b'"\xff"',
        b"1\n",
        b"[" * 5000,
    ],
)
def test_every_other_spelling_is_detected(body: bytes) -> None:
    assert not is_canonical(body)
