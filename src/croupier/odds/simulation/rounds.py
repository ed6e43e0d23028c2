"""Simulation: rounds played with best play through the same tables, in chunks of a fixed size.

A chunk has its own generator, seeded by the seed and the chunk's number, so that the answer is the same however many
workers share the chunks. Sums are integers; a mean is exact until it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from os import cpu_count
from typing import Any

from croupier.filing.check import check
from croupier.filing.offer import ADDED_ROWS, Offer
from croupier.odds.simulation import players

CHUNK = 1 << 18


@dataclass(frozen=True)
class Simulated:
    """One wager over all rounds, with the exact figure."""

    wager: str
    rounds: int
    mean: Fraction  # net of one unit of the wager
    deviation: float  # of the net at one seat
    exact: Fraction | None  # none where the game cannot be counted
    error: float | None  # half of the 99% confidence interval; None if there are too few rounds

    @property
    def agrees(self) -> bool | None:
        return None if self.error is None or self.exact is None else abs(float(self.mean - self.exact)) <= self.error


def simulate(
    offer: Offer,
    rounds: int,
    seed: int,
    *,
    strategy: str = "best",
    seats: int = 1,
    watch: Callable[[int], None] = lambda _: None,
    cluster: str = "",
) -> list[Simulated]:
    """Play rounds at each seat and compare each wager with its exact figure."""
    player = players.player(offer, strategy, seats)
    sizes = [min(CHUNK, rounds - start) for start in range(0, rounds, CHUNK)]
    found = _on_cluster(cluster, offer, strategy, seats, seed, sizes, watch) if cluster else _here(player, seed, sizes, watch)
    return list(_compare(player, found, rounds))


def _here(player: players.Player, seed: int, sizes: list[int], watch: Callable[[int], None]) -> Any:
    total: Any = 0
    with ThreadPoolExecutor(cpu_count()) as pool:
        for size, part in zip(sizes, pool.map(lambda n: player.play(seed, n, sizes[n]), range(len(sizes))), strict=True):
            total = total + part
            watch(size)
    return total


def _on_cluster(
    address: str, offer: Offer, strategy: str, seats: int, seed: int, sizes: list[int], watch: Callable[[int], None]
) -> Any:
    """Play the chunks on the workers of a Dask cluster. A worker builds the tables once."""
    from distributed import Client, as_completed

    choices = _choices(offer)
    with Client(address) as client:
        jobs = client.map(
            _remote_chunk, range(len(sizes)), sizes, choices=choices, strategy=strategy, seats=seats, seed=seed, pure=False
        )
        total: Any = 0
        for job in as_completed(jobs):
            number, part = job.result()
            total = total + part
            watch(sizes[number])
    return total


def _choices(offer: Offer) -> dict[str, Any]:
    """The choices that affect the price, as plain data from which a worker rebuilds the Offer."""
    raw = {name: offer.choices[name] for name in ("wagers", "paytables", "readings")}
    raw |= {"form": offer.form} if offer.form else {}
    raw |= {ADDED_ROWS: {name: int(odds.amount) for name, odds in offer.added.items()}} if offer.added else {}
    stakes = {"progressives": dict(offer.progressives), "minimum": offer.minimum, "wager_limits": dict(offer.wager_limits)}
    return {"game": offer.rules.number, "edition": offer.rules.edition.name, "raw": raw, "stakes": stakes}


def _offer(choices: dict[str, Any]) -> Offer:
    from croupier import book

    rules = book.find(choices["game"]).edition(choices["edition"])
    return replace(check(choices["raw"], rules=rules, case=True).offer_or_refuse(), **choices["stakes"])


_PLAYERS: dict[str, players.Player] = {}


def _remote_chunk(number: int, size: int, *, choices: dict[str, Any], strategy: str, seats: int, seed: int) -> tuple[int, Any]:
    key = f"{sorted(choices.items(), key=str)} {strategy} {seats}"
    if key not in _PLAYERS:
        _PLAYERS[key] = players.player(_offer(choices), strategy, seats)
    return number, _PLAYERS[key].play(seed, number, size)


def _compare(player: players.Player, sums: Any, rounds: int) -> Iterator[Simulated]:
    """Seats that share a dealer win and lose together, so the interval comes from the totals of the rounds."""
    seats = player.layout.seats
    for wager, (total, squares, round_squares) in zip(player.wagers, sums, strict=True):
        mean = Fraction(int(total), rounds * seats * wager.scale)
        square = Fraction(int(squares), rounds * seats * wager.scale**2)
        of_rounds = Fraction(int(round_squares), rounds * (seats * wager.scale) ** 2)
        error = 2.5758 * sqrt((of_rounds - mean**2) / rounds) if rounds >= wager.needs else None
        yield Simulated(wager.name, rounds * seats, mean, sqrt(square - mean**2), wager.exact, error)
