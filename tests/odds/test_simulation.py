"""The simulation agrees with the exact figure, with the readable chapter round by round, and with itself on any number of workers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from croupier import book
from croupier.filing.check import check
from croupier.filing.offer import Offer
from croupier.odds.analysis import full_offer
from croupier.odds.simulation import players
from croupier.odds.simulation import rounds as simulation
from croupier.odds.simulation.rounds import CHUNK, simulate
from croupier.odds.solvers.main_game import main_settlement
from tests.examples import GAMES, rules_of, thorough
from tests.odds.replay import nets

if TYPE_CHECKING:
    from distributed import LocalCluster


each_game = pytest.mark.parametrize("game", thorough(GAMES, unless=("643a", "649a")))


@cache
def offer_for(game: str) -> Offer:
    return full_offer(rules_of(game), {}, {})


@cache
def player(game: str, seats: int = 1) -> players.Player:
    """The same tables serve any number of seats."""
    if seats == 1:
        return players.player(offer_for(game), "best", 1)
    return replace(player(game), layout=player(game).layout._replace(seats=seats))


@pytest.mark.parametrize("seats", thorough([1, 6], unless=[6]))
@each_game
def test_simulated_rounds_are_settled_as_the_chapter_settles_them(game: str, seats: int, rounds: int = 1500) -> None:
    """The kernel's sums over a chunk equal the chapter's over the same deals and decisions, to the last unit and square."""
    sums = player(game, seats).play(11, 3, rounds // seats)
    found = list(nets(offer_for(game), player(game, seats), 11, 3, rounds // seats))
    for number, wager in enumerate(player(game, seats).wagers):
        by_round = [[seat[number] for seat in each] for each in found]
        assert int(sums[number][0]) == sum(map(sum, by_round)) * wager.scale, wager.name
        assert int(sums[number][1]) == sum(net**2 for each in by_round for net in each) * wager.scale**2, wager.name
        assert int(sums[number][2]) == sum(sum(each) ** 2 for each in by_round) * wager.scale**2, wager.name


@each_game
def test_every_wager_of_a_game_is_played(game: str) -> None:
    """Each wager made before the deal, alone or with the main game."""
    main = main_settlement(offer_for(game).rules)
    played = {wager.key for wager in player(game).wagers} | {wager.key for wager in main.settles}
    assert played >= {wager.key for wager in offer_for(game).rules.wagers.values()}


@pytest.mark.slow
@each_game
def test_a_hundred_thousand_simulated_rounds_are_settled_as_the_chapter_settles_them(game: str) -> None:
    test_simulated_rounds_are_settled_as_the_chapter_settles_them(game, 1, 100_000)


@each_game
def test_the_simulation_agrees_with_the_exact_figure(game: str, chunks: int = 3) -> None:
    """One mean in a hundred thousand falls outside this interval, if there are enough rounds for one."""
    chunks = max(chunks, -(-player(game).wagers[0].needs // CHUNK))
    totals = sum(player(game).play(2026, chunk, CHUNK) for chunk in range(chunks))
    rounds = chunks * CHUNK
    for wager, (total, squares, _) in zip(player(game).wagers, totals, strict=True):
        if wager.needs > rounds:
            continue
        mean, square = int(total) / wager.scale / rounds, int(squares) / wager.scale**2 / rounds
        error = 4.4172 * ((square - mean**2) / rounds) ** 0.5
        assert abs(mean - float(wager.exact)) <= error, wager.name


@pytest.mark.slow
@each_game
def test_four_million_simulated_rounds_agree_with_the_exact_figure(game: str) -> None:
    test_the_simulation_agrees_with_the_exact_figure(game, 16)


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_answer_and_another_seed_another() -> None:
    """In two parts, which two threads may play."""
    first, again, other = (simulate(offer_for("649a"), CHUNK + 17, seed) for seed in (5, 5, 6))
    assert first == again
    assert first[0].mean != other[0].mean


@each_game
def test_several_seats_play_the_same_dealer(game: str) -> None:
    """The interval is that of the rounds' totals: six seats against one dealer reveal less than six rounds do."""
    rounds, main = CHUNK // 4, replace(player(game).wagers[0], needs=0)
    six = replace(player(game, 6), wagers=[main, *player(game).wagers[1:]])
    found = list(simulation._compare(six, six.play(5, 0, rounds), rounds))
    assert found[0].rounds == 6 * rounds
    assert found[0].error is not None
    assert abs(float(found[0].mean - found[0].exact)) < 2 * found[0].error
    assert found[0].error > 2.5758 * found[0].deviation / found[0].rounds ** 0.5


@pytest.mark.parametrize("rounds", [1, 2, 10])
def test_a_few_rounds_have_no_interval(rounds: int) -> None:
    assert {(each.error, each.agrees) for each in simulate(offer_for("649a"), rounds, 5)} == {(None, None)}


def test_a_rare_hand_needs_many_rounds_for_an_interval() -> None:
    """The Ante's mean is soon about normal. That of a jackpot that comes once in 22,100 hands is not."""
    needs = {wager.name: wager.needs for wager in player("649a").wagers}
    assert needs["Ante Wager"] < 1000
    assert needs["Three-Card Progressive Payout Wager"] > 100_000


def test_always_playing_costs_what_it_costs() -> None:
    """A player who never folds loses about 7.65 percent of the Ante in Three Card Poker."""
    found = simulate(full_offer(book.find("649a").edition(), {}, {}), 8 * CHUNK, 5, strategy="always play")
    assert f"{-float(found[0].exact) * 100:.2f}" == "7.65"
    assert found[0].agrees
    assert found[1].agrees, "a player who never folds never forfeits his Pair Plus Wager"


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address="") as found:
        yield found


@pytest.mark.thorough
def test_a_cluster_of_two_workers_gives_the_answer_of_one_machine(cluster: LocalCluster) -> None:
    """With an Offer that is not the code's default: the workers play its wagers and its added row."""
    raw = {"wagers": ["Six Card Bonus Wager"], "paytables": {"Pair Plus Wager": "A"}, "mini_royal": {"Pair Plus Wager": 50}}
    offer = check(raw, rules=book.find("649a").edition(), case=True).offer_or_refuse()
    rounds = CHUNK + 99  # one chunk for each
    assert simulate(offer, rounds, 7, cluster=cluster.scheduler_address) == simulate(offer, rounds, 7)
