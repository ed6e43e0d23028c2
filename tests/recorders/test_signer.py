"""Where signing keys are stored, and that no one else can read them."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.ledger import NotRecorded, Unreadable
from croupier.ledger.private_files import private_file
from croupier.ledger.signatures.signer import Signer, new_key, open_signer, signer_of

SEED = "07" * 32
COMMAND = """
import sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex("07" * 32))
if sys.argv[1] == "public-key":
    print(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex())
else:
    print(key.sign(sys.stdin.buffer.read()).hex())
"""


def signs(signer: Signer) -> None:
    Ed25519PublicKey.from_public_bytes(signer.public_key).verify(signer.sign(b"heads"), b"heads")


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"
    signer = open_signer(str(path))
    signs(signer)
    assert signer.where == str(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert open_signer(str(path)).public_key == signer.public_key
    assert os.listdir(tmp_path) == ["signing.key"]


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"
    open_signer(str(path))
    for mode in (0o640, 0o604, 0o620):
        path.chmod(mode)
        with pytest.raises(Unreadable, match=rf"open to others \(mode {mode:04o}\)"):
            open_signer(str(path))


def test_a_file_without_a_key_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"
    path.write_bytes(b"nothing")
    path.chmod(0o600)
    with pytest.raises(Unreadable, match="There is no private key in"):
        open_signer(str(path))
    assert path.read_bytes() == b"nothing"


def test_a_private_file_is_written_once_and_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    assert private_file(path, lambda: b"first") == b"first"
    assert private_file(path, lambda: b"second") == b"first"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    with pytest.raises(Unreadable, match=r"open to others \(mode 0640\)"):
        private_file(path, lambda: b"third")
    with pytest.raises(Unreadable, match="cannot be created: No such file or directory"):
        private_file(tmp_path / "nowhere" / "secret", lambda: b"fourth")


@pytest.mark.parametrize("content", [SEED, new_key().decode()], ids=["digits", "PEM"])
def test_a_key_in_an_environment_variable(content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unreadable, match="the environment variable FLOOR_KEY is not set"):
        open_signer("env:FLOOR_KEY")
    monkeypatch.setenv("FLOOR_KEY", content)
    signs(open_signer("env:FLOOR_KEY"))
    monkeypatch.setenv("FLOOR_KEY", "secret words")
    with pytest.raises(Unreadable) as caught:
        open_signer("env:FLOOR_KEY")
    assert "secret words" not in str(caught.value)


def test_a_command_that_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "sign.py"
    script.write_text(COMMAND)
    signer = open_signer(f"command:{sys.executable} '{script}'")
    signs(signer)
    monkeypatch.setenv("SEED", SEED)
    assert signer.public_key == open_signer("env:SEED").public_key
    script.write_text(COMMAND.replace("sys.stdin.buffer.read()", "b'something else'"))
    with pytest.raises(NotRecorded, match="did not print a valid signature"):
        signer.sign(b"heads")
    script.write_text("raise SystemExit(3)")
    with pytest.raises(NotRecorded, match="failed with exit status 3"):
        signer.sign(b"heads")


def test_a_missing_command_or_one_that_prints_no_key(tmp_path: Path) -> None:
    with pytest.raises(NotRecorded, match="cannot be run: No such file or directory"):
        open_signer(f"command:{tmp_path}/nothing")
    with pytest.raises(Unreadable, match="did not print a public key"):
        open_signer("command:echo hello")
    with pytest.raises(Unreadable, match="missing after"):
        open_signer("command:")


def test_the_key_of_a_ledger_is_in_a_file_next_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signer_of(f"sqlite:///{tmp_path}/floor.db")
    signer_of(str(tmp_path / "other.db"))
    monkeypatch.chdir(tmp_path)
    signer_of("postgresql://nowhere/floor")
    signer_of("memory:")
    assert sorted(os.listdir(tmp_path)) == ["croupier.signing.key", "floor.db.signing.key", "other.db.signing.key"]
