"""Every change, removal, swap and addition is located."""

from __future__ import annotations

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.ledger import Entry, NotRecorded, Recorder, Source, Unit, canonical, follow, genesis
from croupier.ledger.recorders.memory import MemoryRecorder
from croupier.ledger.signatures.checkpoint import (
    WHOLE_EVERY,
    Checkpoint,
    CheckpointAct,
    ForeignKey,
    checkpoint_heads,
    checkpoint_problem,
    fingerprint,
    open_checkpoint,
    sign_and_save,
)
from croupier.ledger.signatures.signer import KeySigner, Signer
from croupier.ledger.verification import Damage, read_checkpoints, verify_chain, verify_heads
from tests.recorders.writing import chain, write

T1, T2 = "table/T1", "table/T2"
KEY = KeySigner(Ed25519PrivateKey.generate())
TRUSTED = KEY.public_key


def stream_of(values: list[object]) -> list[Entry]:
    return list(chain(MemoryRecorder(), T1, *values))


STREAMS = st.lists(st.integers() | st.text(max_size=8), min_size=1, max_size=8).map(stream_of)


def found(entries: list[Entry]) -> int | None:
    damage = verify_chain(T1, entries)
    return damage.version if damage else None


@given(STREAMS)
def test_a_whole_stream_is_in_order(entries: list[Entry]) -> None:
    assert verify_chain(T1, entries) is None


@given(STREAMS, st.data())
def test_a_changed_byte_is_located(entries: list[Entry], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(entries) - 1))
    field = data.draw(st.sampled_from(["body", "hash"]))
    value = bytearray(getattr(entries[index], field))
    place, bit = data.draw(st.integers(0, len(value) - 1)), data.draw(st.integers(0, 7))
    value[place] ^= 1 << bit
    entries[index] = replace(entries[index], **{field: bytes(value)})
    assert found(entries) == index + 1


@given(STREAMS, st.data())
def test_a_removed_entry_is_located(entries: list[Entry], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(entries) - 1))
    del entries[index]
    assert found(entries) == (index + 1 if index < len(entries) else None)  # only a checkpoint reveals that the last one is missing


@given(STREAMS, st.data())
def test_exchanged_entries_are_located(entries: list[Entry], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(entries))))
    first = next((index for index, place in enumerate(order) if index != place), None)
    assert found([entries[place] for place in order]) == (None if first is None else first + 1)


@given(STREAMS, st.data())
def test_an_added_entry_is_located(entries: list[Entry], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(entries)))
    previous = entries[index - 1].hash if index else genesis(T1)
    forged = data.draw(
        st.sampled_from([follow(T1, index + 1, previous, b'"forged"'), follow(T1, index + 1, bytes(32), b"1"), entries[0]])
    )
    entries.insert(index, forged)
    at = found(entries)
    if (
        index == len(entries) - 1
        and forged.version == index + 1
        and forged.hash == follow(T1, index + 1, previous, forged.body).hash
    ):
        assert at is None  # a valid entry at the end is simply an append
    else:
        assert at in (index + 1, index + 2)  # a forged entry that continues the chain shows at the true entry after it


def test_the_sentence_says_where_and_how() -> None:
    entries = stream_of([1, 2, 3])
    assert str(verify_chain(T1, [entries[0], entries[2]])) == "table/T1, version 2: there is version 3 in its place."
    assert str(verify_chain(T2, entries)) == "table/T2, version 1: there is an entry of table/T1 in its place."
    spaced = [follow(T1, 1, genesis(T1), b'{"a": 1}')]
    assert str(verify_chain(T1, spaced)) == "table/T1, version 1: its body is not canonical JSON."


# Checkpoints


def with_checkpoints(recorder: Recorder, signer: Signer = KEY) -> Recorder:
    for number in range(3):
        write(recorder, T1, number, "more")
        if number != 1:
            write(recorder, T2, number)
        sign_and_save(recorder, signer, 1_000 + number, "minute")
    return recorder


def checked(source: Source, *trusted: bytes) -> Damage | None:
    """The first damage that the checkpoints reveal."""
    signed = read_checkpoints(source, trusted or (TRUSTED,))
    return signed.damage or next(iter(verify_heads(source, signed)), None)


def test_checkpoints_name_the_heads_and_follow_each_other(recorder: Recorder) -> None:
    with_checkpoints(recorder)
    first, second, last = (open_checkpoint(each) for each in recorder.checkpoints())
    assert (first.previous, first.all) == ("", "")
    assert list(first.heads) == [T1, T2]
    assert list(second.heads) == [T1]  # only streams that moved, and one hash for all
    assert list(last.heads) == [T1, T2]
    signed = read_checkpoints(recorder, [TRUSTED])
    assert signed.heads == {T1: (6, recorder.head(T1)[1].hex()), T2: (2, recorder.head(T2)[1].hex())}
    assert (signed.damage, signed.count, signed.keys) == (None, 3, [TRUSTED.hex()])
    assert checked(recorder) is None
    assert read_checkpoints(recorder).damage is None


def test_a_checkpoint_of_an_older_version_still_verifies_and_new_ones_follow_it() -> None:
    recorder = MemoryRecorder()
    write(recorder, T1, 1)
    older = {"at": 1, "heads": {T1: [1, recorder.head(T1)[1].hex()]}, "key": TRUSTED.hex(), "previous": ""}
    recorder.save_checkpoint(canonical({**older, "signature": KEY.sign(canonical(older)).hex()}))
    write(recorder, T1, 2)
    sign_and_save(recorder, KEY, 2, "minute")
    assert checked(recorder) is None


def test_every_stream_is_named_again_periodically() -> None:
    recorder = MemoryRecorder()
    write(recorder, T2, 1)
    for number in range(WHOLE_EVERY + 1):
        write(recorder, T1, number)
        sign_and_save(recorder, KEY, number, "minute")
    whole = [T2 in open_checkpoint(each).heads for each in recorder.checkpoints()]
    assert whole == [True, *[False] * (WHOLE_EVERY - 1), True]
    assert checked(recorder) is None


def test_a_checkpoint_of_many_streams_is_small_where_few_moved() -> None:
    recorder = MemoryRecorder()
    for number in range(500):
        write(recorder, f"table/T{number}", number)
    sign_and_save(recorder, KEY, 1)
    write(recorder, "table/T7", "more")
    assert len(sign_and_save(recorder, KEY, 2, "minute")) < 700


def test_what_was_removed_or_exchanged_is_not_signed() -> None:
    for tamper in (lambda log: log.cut(T1, 5), lambda log: log._streams.pop(T2), lambda log: log.exchange(T1)):
        log = Tampered()
        tamper(log)
        with pytest.raises(NotRecorded, match="is not the entry that was signed"):
            sign_and_save(log, KEY, 5)
        assert len(list(log.checkpoints())) == 3


class Tampered(MemoryRecorder):
    """A log that someone has tampered with."""

    def __init__(self) -> None:
        super().__init__()
        with_checkpoints(self)

    def cut(self, stream: str, length: int) -> Tampered:
        self._streams[stream] = self._streams[stream][:length]
        return self

    def exchange(self, stream: str) -> Tampered:
        """Replace all entries with the same number of others."""
        length = len(self._streams.pop(stream))
        self.append([Unit(chain(self, stream, *(f"forged {number}" for number in range(length))))])
        return self

    def swap(self, checkpoints: list[bytes]) -> Tampered:
        self._checkpoints = checkpoints
        return self


@pytest.mark.parametrize("length", [5, 4, 1])
def test_a_cut_off_end_is_found_at_its_first_missing_version(length: int) -> None:
    log = Tampered().cut(T1, length)
    assert verify_chain(T1, log.read(T1)) is None
    damage = checked(log)
    assert damage
    assert (damage.stream, damage.version) == (T1, length + 1)


def test_a_stream_rewritten_with_a_good_chain_is_found() -> None:
    log = Tampered().cut(T1, 1)
    log.append([Unit(chain(log, T1, *range(5)))])
    assert verify_chain(T1, log.read(T1)) is None
    assert checked(log) == Damage(T1, 2, "its hash is not the one that a checkpoint names")


def test_a_stream_that_is_gone_is_found_unless_it_was_not_asked_for() -> None:
    log = Tampered()
    del log._streams[T2]
    signed = read_checkpoints(log)
    assert verify_heads(log, signed) == [Damage(T2, 1, "it is missing; a checkpoint names version 1")]
    assert verify_heads(log, signed, only=log.streams()) == []


@given(st.data())
def test_a_changed_byte_of_a_checkpoint_is_located(data: st.DataObject) -> None:
    log = Tampered()
    checkpoints = list(log.checkpoints())
    index = data.draw(st.integers(0, 2))
    changed = bytearray(checkpoints[index])
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    checkpoints[index] = bytes(changed)
    damage = checked(log.swap(checkpoints))
    assert damage
    assert (damage.stream, damage.version) == ("checkpoints", index + 1)


def test_a_removed_or_exchanged_checkpoint_is_located() -> None:
    one, two, three = Tampered().checkpoints()
    for order, number in (([two, three], 1), ([one, three], 2), ([two, one, three], 1), ([one, two, two, three], 3)):
        assert checked(Tampered().swap(order)) == Damage("checkpoints", number, "it does not follow the checkpoint before it")


def test_a_checkpoint_that_stands_for_other_heads_than_it_names_is_found() -> None:
    """Someone with the key leaves a stream out, or signs one that was never named."""
    log = Tampered()
    last = open_checkpoint(next(log.checkpoints(newest_first=True)))
    wrong = msgspec.structs.replace(last, all="0" * 64, previous=fingerprint(list(log.checkpoints())[-1]), signature="")
    log._checkpoints.append(canonical(msgspec.structs.replace(wrong, signature=KEY.sign(canonical(wrong)).hex())))
    assert checked(log) == Damage("checkpoints", 4, "it does not match the heads that the checkpoints before it name")


def test_a_checkpoint_of_another_key_is_not_trusted() -> None:
    stranger = KeySigner(Ed25519PrivateKey.generate())
    log = with_checkpoints(MemoryRecorder(), stranger)
    assert read_checkpoints(log).damage is None
    damage = checked(log)
    assert damage
    assert (damage.stream, damage.version) == ("checkpoints", 1)
    assert "no checkpoint with a trusted key" in damage.what
    checkpoint = next(log.checkpoints())
    stolen = canonical({**msgspec.json.decode(checkpoint), "key": TRUSTED.hex()})
    assert checkpoint_problem(stolen) == "has an invalid signature"
    loud = canonical({**(read := msgspec.json.decode(checkpoint)), "signature": read["signature"].upper()})
    assert checkpoint_problem(loud) == "is not in canonical JSON"
    assert checkpoint_problem(b"{}") == "is not in the format of a checkpoint"


# Replacing the key


def test_the_old_key_endorses_the_new_one_and_either_is_trusted() -> None:
    log, new = Tampered(), KeySigner(Ed25519PrivateKey.generate())
    sign_and_save(log, KEY, 5, "new key", CheckpointAct(next=new.public_key.hex()))
    write(log, T1, "under the new key")
    with pytest.raises(ForeignKey, match=new.public_key.hex()):
        sign_and_save(log, KEY, 6)
    sign_and_save(log, new, 6)
    for trusted in (TRUSTED, new.public_key):
        assert checked(log, trusted) is None
    assert read_checkpoints(log).keys == [TRUSTED.hex(), new.public_key.hex()]
    assert checked(log, bytes(32)) is not None


def test_an_unendorsed_key_is_found_by_those_who_trust_the_old_one() -> None:
    """Trusting the new key means knowing that the old one was lost: the new one vouches for everything signed before."""
    log, new = Tampered(), KeySigner(Ed25519PrivateKey.generate())
    with pytest.raises(ForeignKey, match="croupier checkpoint --next-key"):
        sign_and_save(log, new, 5)
    forge(log, new)
    said = f"it is signed with the key {new.public_key.hex()}, which the key {TRUSTED.hex()} never endorsed"
    assert checked(log) == read_checkpoints(log).damage == Damage("checkpoints", 4, said)
    assert checked(log, new.public_key) is None


def test_a_replaced_key_can_no_longer_sign() -> None:
    log, new = Tampered(), KeySigner(Ed25519PrivateKey.generate())
    sign_and_save(log, KEY, 5, "new key", CheckpointAct(next=new.public_key.hex()))
    forge(log, KEY)
    damage = checked(log)
    assert damage
    assert (damage.stream, damage.version) == ("checkpoints", 5)


def forge(log: MemoryRecorder, signer: Signer) -> None:
    """Sign without checking which key may sign now."""
    previous = list(log.checkpoints())[-1]
    made = Checkpoint(9, checkpoint_heads(log.heads()), fingerprint(previous), signer.public_key.hex())
    log.save_checkpoint(canonical(msgspec.structs.replace(made, signature=signer.sign(canonical(made)).hex())), previous)
