"""The vault: seals the orders of decks and the snapshots of tables with a house key that is not in the database.

Each order is encrypted with its own fresh key, and that key with the house key. Once no card of an order can be dealt anymore,
the order's key is published in the log, so that anybody can open that order and no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from os import urandom
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from croupier.ledger import Entry, Source
from croupier.ledger.canonical import encode
from croupier.table.commands import SealedDeck
from croupier.table.events import Orders, PublishedKey, Sealed, SealedOrder, read_sealed

KEY_BYTES, NONCE_BYTES = 32, 12
ONLY_NONCE = bytes(NONCE_BYTES)  # a deck's key encrypts one order and nothing else
NUMBER_DIGITS = 16

_decode = msgspec.json.Decoder(SealedDeck).decode


class Unopened(ValueError):
    """A sealed order or state does not open: it was changed or moved, or the key is wrong."""


def number_of(key: bytes) -> str:
    """The number of a house key, which is public.

    >>> number_of(bytes(32))
    '488560d5598f8a53'
    """
    return sha256(b"croupier house key\n" + key).hexdigest()[:NUMBER_DIGITS]


class Vault:
    """House keys: the last of them seals, and each opens what it sealed."""

    def __init__(self, *keys: bytes) -> None:
        self._keys = {number_of(key): ChaCha20Poly1305(key) for key in keys}
        self.number = number_of(keys[-1])
        # by which the servers of a floor recognize each other's entries
        self.tag_keys = tuple(HKDF(SHA256(), KEY_BYTES, None, b"croupier entry tags").derive(key) for key in keys)

    def holds(self, number: str) -> bool:
        return number in self._keys

    def seal(self, stream: str, version: int, decks: tuple[SealedDeck, ...]) -> tuple[Sealed, tuple[bytes, ...]]:
        """Encrypt the orders of an event for its place in the log; return them and the key of each."""
        keys = tuple(urandom(KEY_BYTES) for _ in decks)
        orders = []
        for n, (deck, key) in enumerate(zip(decks, keys, strict=True)):
            place, nonce = _associated_data(self.number, stream, version, n), urandom(NONCE_BYTES)
            wrapped = nonce + self._keys[self.number].encrypt(nonce, key, b"key\n" + place)
            order = ChaCha20Poly1305(key).encrypt(ONLY_NONCE, encode(deck), b"order\n" + place + wrapped)
            orders.append(SealedOrder(wrapped, order))
        return Sealed(house=self.number, orders=tuple(orders)), keys

    def key(self, stream: str, version: int, n: int, sealed: Sealed) -> bytes:
        """The key of a sealed order."""
        wrapped, place = sealed.orders[n].key, _associated_data(sealed.house, stream, version, n)
        return self._decrypted(sealed.house, wrapped, b"key\n" + place)

    def seal_state(self, name: str, version: int, state: bytes) -> bytes:
        nonce = urandom(NONCE_BYTES)
        return self.number.encode() + nonce + self._keys[self.number].encrypt(nonce, state, _of_state(name, version))

    def open_state(self, name: str, version: int, sealed: bytes) -> bytes:
        number = sealed[:NUMBER_DIGITS].decode(errors="replace")
        if number not in self._keys:
            raise Unopened(f"it was sealed with the house key {number}")
        return self._decrypted(number, sealed[NUMBER_DIGITS:], _of_state(name, version))

    def _decrypted(self, number: str, sealed: bytes, about: bytes) -> bytes:
        try:
            return self._keys[number].decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], about)
        except (InvalidTag, ValueError):
            raise Unopened("the house key does not open it") from None


@cache
def ephemeral() -> Vault:
    """A vault whose key is lost with the process, for logs that do not outlive it."""
    return Vault(urandom(KEY_BYTES))


def _open_order(stream: str, version: int, n: int, sealed: Sealed, key: bytes) -> SealedDeck:
    order = sealed.orders[n]
    about = b"order\n" + _associated_data(sealed.house, stream, version, n) + order.key
    try:
        return _decode(ChaCha20Poly1305(key).decrypt(ONLY_NONCE, order.order, about))
    except (InvalidTag, ValueError):
        raise Unopened("its key does not open it") from None


def _associated_data(house: str, stream: str, version: int, n: int) -> bytes:
    """The place that a ciphertext is bound to, so that it opens nowhere else."""
    return f"{house}\n{stream}\n{version}\n{n}\n".encode()


def _of_state(name: str, version: int) -> bytes:
    return f"state\n{name}\n{version}".encode()


class Unsealed(NamedTuple):
    """The opened sealed part of an entry: orders with their keys, and the keys that it publishes.

    An order that no key opens yet is None, and its key is empty.
    """

    orders: Orders
    keys: Sequence[bytes]
    published: tuple[PublishedKey, ...]


class Opener:
    """Opens the orders of one stream, with the house key if the vault has it, else with the keys that the log publishes."""

    def __init__(self, source: Source, stream: str, vault: Vault | None = None) -> None:
        self.source, self.stream, self.vault = source, stream, vault
        self._published: dict[tuple[int, int], bytes] = {}
        self._read = 0  # the last version that was searched for keys

    def open(self, entry: Entry) -> Unsealed:
        """Open the sealed part of an entry; raises Unopened for an order that was changed after it was sealed."""
        sealed = read_sealed(entry.sealed)
        if not sealed.orders:
            return Unsealed(sealed.decks, (), sealed.keys)
        keys = [self._key(entry.version, n, sealed) for n in range(len(sealed.orders))]
        orders = (_open_order(self.stream, entry.version, n, sealed, key) if key else None for n, key in enumerate(keys))
        return Unsealed(tuple(orders), keys, sealed.keys)

    def _key(self, version: int, n: int, sealed: Sealed) -> bytes:
        if self.vault and self.vault.holds(sealed.house):
            return self.vault.key(self.stream, version, n, sealed)
        return self.published(version, n)

    def published(self, version: int, n: int) -> bytes:
        """The published key of an order; empty if it is not used up. Reads the log until the key is found."""
        if (version, n) not in self._published:
            for entry in self.source.read(self.stream, self._read):
                self._read = entry.version
                self._published |= {(each.version, each.deck): each.key for each in _published_in(entry)}
                if (version, n) in self._published:
                    break
        return self._published.get((version, n), b"")


def _published_in(entry: Entry) -> tuple[PublishedKey, ...]:
    try:
        return read_sealed(entry.sealed).keys if b'"keys"' in entry.sealed else ()
    except ValueError:  # it was changed; verification reports that
        return ()
