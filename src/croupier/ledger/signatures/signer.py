"""Signers: a key in a private file, a key in an environment variable, or a command that keeps its own key."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat, load_pem_private_key

from croupier.ledger import is_postgres
from croupier.ledger.private_files import private_file
from croupier.ledger.recorders.recorder import NotRecorded, Unreadable

ENVIRONMENT, COMMAND = "env:", "command:"
COMMAND_SECONDS = 10.0  # limit for a command
SEED, SIGNATURE = 32, 64  # bytes


class Signer(Protocol):
    """Signs with one Ed25519 key. Safe to use from several threads."""

    public_key: bytes  # the 32 bytes that verifiers need
    where: str  # where the key is, for messages

    def sign(self, message: bytes) -> bytes:
        """The signature; raises NotRecorded."""


class KeySigner:
    """Signs with a private key in memory."""

    def __init__(self, key: Ed25519PrivateKey, where: str = "in memory") -> None:
        self._key, self.where = key, where
        self.public_key = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


class CommandSigner:
    """Signs with a command, so that the key can stay in a hardware module or with another user.

    `COMMAND public-key` prints the public key; `COMMAND sign` reads the message from standard input and prints the signature.
    Both are printed in hexadecimal.
    """

    def __init__(self, command: str) -> None:
        self._words = shlex.split(command)
        if not self._words:
            raise Unreadable("A signing command is missing after “command:”.")
        self.where = f"the command {self._words[0]}"
        self.public_key = _hexadecimal(self._run("public-key"), SEED)
        if not self.public_key:
            raise Unreadable(f"{self.where} did not print a public key of 64 hexadecimal digits.")

    def sign(self, message: bytes) -> bytes:
        signature = _hexadecimal(self._run("sign", message), SIGNATURE)
        try:
            Ed25519PublicKey.from_public_bytes(self.public_key).verify(signature, message)
        except InvalidSignature:
            raise NotRecorded(f"{self.where} did not print a valid signature.") from None
        return signature

    def _run(self, what: str, message: bytes = b"") -> str:
        return run_command([*self._words, what], message).decode("ascii", "replace").strip()


def run_command(command: Sequence[str], message: bytes) -> bytes:
    """The output of a command for a message; raises NotRecorded if it fails."""
    try:
        done = subprocess.run(command, input=message, capture_output=True, timeout=COMMAND_SECONDS, check=True)
    except subprocess.TimeoutExpired:
        raise NotRecorded(f"The command {command[0]} took longer than {COMMAND_SECONDS:.0f} seconds.") from None
    except subprocess.CalledProcessError as problem:
        raise NotRecorded(f"The command {command[0]} failed with exit status {problem.returncode}.") from None
    except OSError as problem:
        raise NotRecorded(f"The command {command[0]} cannot be run: {problem.strerror}.") from None
    return done.stdout


def open_signer(setting: str) -> Signer:
    """The signer that a setting names: a path, `env:NAME` or `command:...`. A file that does not exist is created."""
    if setting.startswith(ENVIRONMENT):
        name = setting.removeprefix(ENVIRONMENT)
        where = f"the environment variable {name}"
        if name not in os.environ:
            raise Unreadable(f"There is no signing key: {where} is not set.")
        return KeySigner(_key(os.environ[name].encode(), where), where)
    if setting.startswith(COMMAND):
        return CommandSigner(setting.removeprefix(COMMAND))
    return KeySigner(_key(private_file(setting, new_key), setting), setting)


def file_beside(database: str, ending: str) -> Path:
    """A file that belongs to a ledger but is not part of it: next to a SQLite file, in the working folder for PostgreSQL."""
    if is_postgres(database):
        return Path(f"croupier{ending}")
    path = Path(database.removeprefix("sqlite:///"))
    return path.with_name(path.name + ending)


def signer_of(database: str, setting: str = "") -> Signer:
    """The signer of a ledger. By default its key is in a file beside the ledger, created on first use."""
    if database == "memory:" and not setting:
        return KeySigner(Ed25519PrivateKey.generate())
    return open_signer(setting or str(file_beside(database, ".signing.key")))


def new_key() -> bytes:
    """A new Ed25519 private key in PEM."""
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _key(content: bytes, where: str) -> Ed25519PrivateKey:
    if seed := _hexadecimal(content.decode("ascii", "replace").strip(), SEED):
        return Ed25519PrivateKey.from_private_bytes(seed)
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError) as problem:
        raise Unreadable(f"There is no private key in {where}; it must be PEM or 64 hexadecimal digits.") from problem
    if not isinstance(key, Ed25519PrivateKey):
        raise Unreadable(f"The key in {where} is not an Ed25519 key, which checkpoints are signed with.")
    return key


def _hexadecimal(text: str, length: int) -> bytes:
    """Exactly `length` bytes from hexadecimal digits; empty if the text is anything else."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return b""
    return found if len(found) == length else b""
