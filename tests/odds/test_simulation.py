"""The simulation: it agrees with the exact figure, with the readable chapter round by round, and with itself on any number of workers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from distributed import LocalCluster

from croupier import book
from croupier.odds import playing
from croupier.odds.analysis import offer_of
from croupier.odds.simulation import CHUNK, simulate
from tests.odds.replay import nets

each_game = pytest.mark.parametrize("game", book.MODULES)


@cache
def player(game: str) -> playing.Player:
    return playing.player(offer_of(book.find(game).edition(), {}, {}), "best", 1)


@each_game
def test_simulated_rounds_are_settled_as_the_chapter_settles_them(game: str, rounds: int = 1500) -> None:
    """The kernel's sums over a chunk are those of the chapter over the same deals and decisions, to the last unit and square."""
    offer = offer_of(book.find(game).edition(), {}, {})
    sums = player(game).play(11, 3, rounds)
    found = list(nets(offer, player(game), 11, 3, rounds))
    for number, wager in enumerate(player(game).wagers):
        assert int(sums[number][0]) == sum(each[number] for each in found) * wager.scale, wager.name
        assert int(sums[number][1]) == sum(each[number] ** 2 for each in found) * wager.scale**2, wager.name


@pytest.mark.slow
@each_game
def test_a_hundred_thousand_simulated_rounds_are_settled_as_the_chapter_settles_them(game: str) -> None:
    test_simulated_rounds_are_settled_as_the_chapter_settles_them(game, 100_000)


@each_game
def test_the_simulation_agrees_with_the_exact_figure(game: str) -> None:
    """Four million rounds; outside of this interval falls one mean in a hundred thousand, whatever the seed."""
    totals = sum(player(game).play(2026, chunk, CHUNK) for chunk in range(16))
    rounds = 16 * CHUNK
    for wager, (total, squares) in zip(player(game).wagers, totals, strict=True):
        mean, square = int(total) / wager.scale / rounds, int(squares) / wager.scale**2 / rounds
        error = 4.4172 * ((square - mean**2) / rounds) ** 0.5
        assert abs(mean - float(wager.exact)) <= error, wager.name


def test_the_same_seed_gives_the_same_answer_and_another_seed_another() -> None:
    offer = offer_of(book.find("649a").edition(), {}, {})
    rounds = 3 * CHUNK + 17
    first, again, other = (simulate(offer, rounds, seed) for seed in (5, 5, 6))
    assert first == again
    assert first[0].mean != other[0].mean


def test_several_seats_play_the_same_dealer() -> None:
    offer = offer_of(book.find("649a").edition(), {}, {})
    found = simulate(offer, CHUNK, 5, seats=6)
    assert found[0].rounds == 6 * CHUNK
    assert abs(float(found[0].mean - found[0].exact)) < 3 * found[0].error


def test_always_playing_costs_what_it_costs() -> None:
    """A player who never folds loses about 7.65 percent of the Ante in Three Card Poker."""
    found = simulate(offer_of(book.find("649a").edition(), {}, {}), 8 * CHUNK, 5, strategy="always play")
    assert f"{-float(found[0].exact) * 100:.2f}" == "7.65"
    assert abs(float(found[0].mean - found[0].exact)) < 2 * found[0].error


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address="") as found:
        yield found


def test_a_cluster_of_two_workers_gives_the_answer_of_one_machine(cluster: LocalCluster) -> None:
    offer = offer_of(book.find("649a").edition(), {}, {})
    rounds = 4 * CHUNK + 99
    assert simulate(offer, rounds, 7, cluster=cluster.scheduler_address) == simulate(offer, rounds, 7)
