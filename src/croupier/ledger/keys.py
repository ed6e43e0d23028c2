"""The key that signs checkpoints: a file that only its owner can read."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat, load_pem_private_key

from croupier.ledger.recorder import Unreadable


def load_or_create(path: str | Path) -> Ed25519PrivateKey:
    """The key in a file; a new one if there is no file."""
    path = Path(path)
    if not path.exists():
        _create(path)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise Unreadable(
            f"The key file {path} is open to others (mode {mode:04o}); it has to be 0600, and a key that others saw replaced."
        )
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, OSError) as problem:
        raise Unreadable(f"{path} holds no key that can be read.") from problem
    if not isinstance(key, Ed25519PrivateKey):
        raise Unreadable(f"{path} holds a key of another kind; checkpoints are signed with Ed25519.")
    return key


def public_key(key: Ed25519PrivateKey) -> bytes:
    """The 32 bytes to hand to those who verify."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def _create(path: Path) -> None:
    """Written aside and then linked: whoever comes second finds the whole key of the first, and never overwrites it."""
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mode 0600
    try:
        with open(handle, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(temporary)
