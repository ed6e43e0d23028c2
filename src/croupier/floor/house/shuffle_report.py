"""Many shuffles at once: made as for play and tested, written to a file for an examiner, or read from a machine's file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context
from os import cpu_count
from signal import SIG_IGN, SIGINT, signal
from typing import TYPE_CHECKING, BinaryIO, TextIO

from croupier.cards import Card, NotACard, cards, deck, show
from croupier.floor.house.shuffle import RandomSource, Seeded, operating_system, shuffled

if TYPE_CHECKING:  # workers only shuffle and need no numerics
    from croupier.odds.randomness.shuffle_tests import ShuffleResult

CHUNK = 5_000  # shuffles that one worker makes at a time; with a seed, each chunk has its own source
AT_ONCE = 8  # chunks for each worker
FEWEST = 1_000
Shuffle = Callable[[Sequence[int], RandomSource], list[int]]


def shuffle_report(
    shuffles: int,
    *,
    jokers: int = 0,
    seed: int | None = None,
    shuffle: Shuffle = shuffled,
    workers: int = 0,
    watch: Callable[[int], None] = lambda _: None,
) -> list[ShuffleResult]:
    """Test `shuffles` shuffles of a new deck. With a seed, the result does not depend on the number of workers."""
    assert shuffles >= FEWEST
    make, starts = partial(_make, shuffle, 52 + jokers, shuffles, seed), range(0, shuffles, CHUNK)
    workers = min(workers or cpu_count() or 1, len(starts))
    if workers == 1:
        return report_on_shuffles(map(make, starts), jokers=jokers, watch=watch)[1]
    # Spawn: a fork would copy locks that threads hold. The parent handles Ctrl-C.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), signal, (SIGINT, SIG_IGN))
    try:
        some = [starts[n : n + AT_ONCE * workers] for n in range(0, len(starts), AT_ONCE * workers)]
        made = chain.from_iterable(pool.map(make, each) for each in some)  # keeps few results in memory
        return report_on_shuffles(made, jokers=jokers, watch=watch)[1]
    finally:
        pool.shutdown(cancel_futures=True)


def _make(shuffle: Shuffle, count: int, shuffles: int, seed: int | None, start: int) -> bytes:
    """The shuffles of a chunk, one byte per card. Each starts from a new deck, as at a table."""
    source = source_from(seed, start)
    return b"".join(bytes(shuffle(range(count), source)) for _ in range(min(CHUNK, shuffles - start)))


def source_from(seed: int | None, start: int) -> RandomSource:
    """The source of the chunk that starts with this shuffle: the operating system's generator, or one of a demonstration."""
    return operating_system if seed is None else Seeded(f"{seed} from {start}")


def report_on_shuffles(
    orders: Iterable[bytes], *, jokers: int = 0, watch: Callable[[int], None] = lambda _: None
) -> tuple[int, list[ShuffleResult]]:
    """Test shuffles made elsewhere, given in parts, one byte per card. Returns how many there were, and the results."""
    from croupier.odds.randomness.shuffle_tests import ShuffleCounts

    tally = ShuffleCounts(jokers)
    for part in orders:
        tally.add(part)
        watch(len(part) // (52 + jokers))
    return tally.shuffles, tally.verdicts() if tally.shuffles >= FEWEST else []


# files


class NotAShuffle(ValueError):
    """A line of a file that is not a whole deck."""


def write_shuffles(count: int, to: TextIO, raw: BinaryIO | None = None, *, jokers: int = 0, seed: int | None = None) -> None:
    """Shuffle as a table does, one deck to a line, and write the bytes that were drawn for it to `raw`."""

    def drawn(count: int) -> bytes:
        given = source(count)
        if raw:
            raw.write(given)
        return given

    new = [str(card) for card in deck(jokers)]
    for start in range(0, count, CHUNK):
        source = source_from(seed, start)
        to.writelines(f"{' '.join(shuffled(new, drawn))}\n" for _ in range(min(CHUNK, count - start)))


def read_shuffles(lines: Iterable[str]) -> tuple[int, Iterator[bytes]]:
    """How many jokers the first deck has, and all decks in parts, one byte per card."""
    numbered = ((at, line) for at, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise NotAShuffle("the file has no shuffles")
    jokers = int(len(_cards_of(*first)) == 53)
    return jokers, _parts(chain([first], numbered), deck(jokers))


def _parts(numbered: Iterable[tuple[int, str]], new: Sequence[Card]) -> Iterator[bytes]:
    numbers, whole = {card: at for at, card in enumerate(new)}, Counter(new)

    def order(at: int, line: str) -> bytes:
        found = _cards_of(at, line)
        if wrong := (Counter(found) - whole) or (whole - Counter(found)):
            what = "more than once" if Counter(found) - whole else "not at all"
            raise NotAShuffle(f"line {at:,} has {show(list(wrong)[:3])} {what}")
        return bytes(numbers[card] for card in found)

    decks = (order(*each) for each in numbered)
    while part := b"".join(islice(decks, CHUNK)):
        yield part


def _cards_of(at: int, line: str) -> tuple[Card, ...]:
    try:
        return cards(line)
    except NotACard as problem:
        raise NotAShuffle(f"line {at:,}: {problem}") from None
