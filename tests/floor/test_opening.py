"""What the house refuses when a table is opened, and of a shuffle."""

from __future__ import annotations

import asyncio

import pytest

from croupier.cards import deck
from croupier.floor.house import House, open_table
from croupier.law.cite import Refusal
from croupier.ledger import MemoryRecorder
from croupier.table import commands as say
from croupier.table.commands import SealedDeck
from croupier.table.decks import committed
from croupier.table.state import State, offer_of
from tests.floor.play import Clock, submission


def test_a_table_is_opened_under_its_own_name() -> None:
    house, text = House(MemoryRecorder(), Clock()), submission("680a")
    command = say.OpenTable(table="T2", submission=text, offer=offer_of(text).hash, opener=0)
    with pytest.raises(Refusal, match="not table T2"):
        asyncio.run(house.execute("T1", command, "floorperson"))
    assert not house.recorder.streams()


def test_two_wagers_of_a_table_do_not_share_a_meter() -> None:
    house, text = House(MemoryRecorder(), Clock()), submission("649a")
    linked = {"Five-Card Progressive Payout Wager": "big", "Three-Card Progressive Payout Wager": "big"}
    with pytest.raises(Refusal, match="one meter"):
        asyncio.run(open_table(house, "T1", text, 0, linked))
    assert not house.recorder.streams()


def test_a_secret_has_one_spelling() -> None:
    table = State(submission=submission("680a"))
    order = tuple(str(card) for card in deck(table.rules.decks.jokers))
    assert committed(table, SealedDeck(order, "ab" * 32))
    for secret in ("AB" * 32, "ab " * 21 + "a", "zz" * 32):
        with pytest.raises(Refusal, match="32 bytes"):
            committed(table, SealedDeck(order, secret))
