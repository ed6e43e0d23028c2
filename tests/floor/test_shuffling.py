"""The shuffle: unbiased by enumeration, reproducible with a seed, and it rejects the words it must."""

from __future__ import annotations

import asyncio
from collections import Counter
from hashlib import shake_256
from itertools import permutations, product
from math import factorial
from pathlib import Path
from struct import pack, unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import deck
from croupier.floor.house import shuffle
from croupier.floor.house.shuffle import (
    SPARE,
    WORDS,
    GeneratorFault,
    RandomSource,
    Seeded,
    operating_system,
    random_below,
    secret,
    shuffled,
    verify_generator,
)
from croupier.floor.premises import Premises
from croupier.web.app import _startup_errors_logged
from croupier.web.logs import CannotStart


class Words:
    """A source of the given words followed by zeros. Counts how often it is asked."""

    def __init__(self, *words: int) -> None:
        self.left, self.asked = list(words), 0

    def __call__(self, count: int) -> bytes:
        self.asked += 1
        given, self.left = self.left[: count // 2], self.left[count // 2 :]
        return pack(f"<{count // 2}H", *given, *[0] * (count // 2 - len(given)))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 51, 52, 53, 416])
def test_a_choice_is_uniform_over_all_words(count: int) -> None:
    """Over every word: each number comes from equally many, and fewer words are rejected than there are choices."""
    found: Counter[int] = Counter()
    thrown = 0
    for word in range(WORDS):
        source = Words(word)
        number = random_below(count, source)
        if source.asked == 1:
            found[number] += 1
        else:
            thrown += 1
    assert set(found) == set(range(count))
    assert set(found.values()) == {WORDS // count}
    assert thrown == WORDS % count < count


@pytest.mark.parametrize("size", range(7))
def test_every_way_to_choose_leads_to_another_order(size: int) -> None:
    """With uniform choices (above), this completes the proof: n! ways to choose, n! orders, each once."""
    ways = product(*(range(count) for count in range(size, 1, -1)))
    found = Counter(tuple(shuffled(range(size), Words(*way))) for way in ways)
    assert set(found) == set(permutations(range(size)))
    assert set(found.values()) == {1}
    assert found.total() == factorial(size)


@pytest.mark.parametrize("size", [3, 4])
def test_small_shuffles_are_uniform_in_practice(size: int) -> None:
    source, times = Seeded(f"uniform {size}"), 60_000
    found = Counter(tuple(shuffled(range(size), source)) for _ in range(times))
    expected = times / factorial(size)
    assert sum((count - expected) ** 2 / expected for count in found.values()) < {3: 20.5, 4: 49.7}[size]  # 1 in 1,000


def test_a_word_beyond_the_greatest_multiple_is_thrown_away() -> None:
    assert random_below(52, Words(WORDS - 17)) == 51
    assert random_below(52, Words(WORDS - 16, WORDS - 1, 5)) == 5
    assert shuffled("abc", Words(WORDS - 1, 2, 1)) == shuffled("abc", Words(2, 1)) == ["a", "b", "c"]


def test_when_the_batch_is_used_up_another_is_drawn() -> None:
    usual, unlucky = Words(*range(52)), Words(*[WORDS - 1] * (52 + SPARE), *range(52))
    assert shuffled(deck(), usual) == shuffled(deck(), unlucky)
    assert (usual.asked, unlucky.asked) == (1, 2)


@given(st.lists(st.integers(), max_size=60), st.integers())
def test_no_card_is_lost_or_added_and_the_given_cards_stay(cards: list[int], seed: int) -> None:
    before = list(cards)
    assert sorted(shuffled(cards, Seeded(seed))) == sorted(cards)
    assert cards == before


def test_a_seed_gives_the_same_on_every_machine() -> None:
    assert Seeded(7)(8).hex() == "1232579c7c0812f3"
    one, other = Seeded("night"), Seeded("night")
    assert [shuffled(deck(), one) for _ in range(3)] == [shuffled(deck(), other) for _ in range(3)]
    assert shuffled(deck(), Seeded(1)) != shuffled(deck(), Seeded(2))


def test_the_stream_of_a_seed_does_not_repeat() -> None:
    source = Seeded(7)
    assert len({source(32) for _ in range(1000)}) == 1000


def test_the_operating_system_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr("os.urandom", lambda count: asked.append(count) or bytes(count))
    shuffled(deck())
    random_below(7)
    assert secret() == bytes(32)
    assert asked == [2 * (52 + SPARE), 2, 32]


def test_secrets_differ() -> None:
    assert len({secret() for _ in range(100)}) == 100
    assert secret(Seeded(3)) == secret(Seeded(3))


@pytest.mark.parametrize("count", [0, -1, WORDS + 1])
def test_a_choice_among_none_or_too_many_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="among 1 to 65,536"):
        random_below(count)


def test_too_many_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="among 1 to 65,536"):
        shuffled(range(WORDS + 1))


@pytest.mark.parametrize("source", [operating_system, Seeded(1)])
def test_sources_give_as_many_bytes_as_asked(source: RandomSource) -> None:
    assert [len(source(count)) for count in (0, 1, 108)] == [0, 1, 108]


class Stuck:
    """A source that repeats the same bytes."""

    def __call__(self, count: int) -> bytes:
        return b"7" * count


def test_the_known_answers_are_those_of_shake_256() -> None:
    """Derived here: the words of a seed are SHAKE-256 of the seed and a request counter."""
    words = unpack("<7H", shake_256(b"7 1").digest(14))
    order = list("abcde")
    for last, word in zip(range(4, 0, -1), words, strict=False):  # none of these words has to be rejected
        order[last], order[word % (last + 1)] = order[word % (last + 1)], order[last]
    assert (shuffled("abcde", Seeded(7)), random_below(52, Seeded(7))) == (order, words[0] % 52)
    verify_generator()


def test_no_floor_opens_with_a_generator_that_is_stuck_or_a_shuffle_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(GeneratorFault, match="same 32 bytes twice"):
        verify_generator(Stuck())
    monkeypatch.setattr(shuffle, "shuffled", lambda cards, source: list(cards))
    premises = Premises(str(tmp_path / "floor.db"))
    with pytest.raises(GeneratorFault, match="known-answer test"):
        asyncio.run(premises.start())
    assert not premises.table_settings
    premises.recorder.close()


def test_a_server_says_in_a_sentence_that_it_cannot_start(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(CannotStart), _startup_errors_logged():
        verify_generator(Stuck())
    assert "the server cannot start" in caplog.text
