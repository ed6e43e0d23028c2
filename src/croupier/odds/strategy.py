"""Best play in words a player can carry, made from the exact solution, and what each simplification costs."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANK_NAMES, RANKS, Cards
from croupier.filing.offer import Offer
from croupier.law.fact import Compared, DealerHas
from croupier.law.ranking import NOTHING, Ranking
from croupier.odds import against_dealer, counting, counting_boards, hold_em, let_it_ride, saigon
from croupier.odds.analysis import solver
from croupier.odds.deals import CHOOSE, classes, hand, in_parts
from croupier.odds.solved import Solved, holds_asked, main_settlement
from croupier.odds.tables import Table
from croupier.odds.tables import table as table_of

KERNELS: Any = counting_boards


@dataclass(frozen=True)
class Simplified:
    """Another way to play: its edge, and how much more than best play it costs."""

    name: str
    edge: Fraction
    cost: Fraction


@dataclass(frozen=True)
class Strategy:
    edge: Fraction
    words: tuple[str, ...]
    simplified: tuple[Simplified, ...]


def strategy(offer: Offer) -> Strategy:
    """The best play of a main game under an Offer."""
    solve = solver(offer.rules)
    solved: Solved = solve(offer)
    ways = {against_dealer.solve: _one_decision, let_it_ride.solve: _let_it_ride, hold_em.solve: _hold_em, saigon.solve: _saigon}
    words, others = ways[solve](offer, solved)
    return Strategy(solved.edge, tuple(words), tuple(Simplified(name, edge, edge - solved.edge) for name, edge in others))


Told = tuple[list[str], list[tuple[str, Fraction]]]


def _ranks(held: Cards) -> str:
    """The ranks of a hand, a pair before odd cards, else from high to low."""
    times = Counter(card.rank for card in held)
    ordered = sorted((card.rank for card in held), key=lambda rank: (-times[rank], -rank))
    return "-".join("10" if rank == 10 else RANKS[rank - 2] for rank in ordered)


def _called(ranking: Ranking, held: Cards) -> str:
    """The hand that counts of these cards: its name and its ranks."""
    best = max(combinations(held, ranking.size), key=ranking.strength)
    return f"{ranking.describe(best).lower()} ({_ranks(best)})"


# One decision against a dealer's hand


def _one_decision(offer: Offer, solved: Solved) -> Told:
    main, decision = main_settlement(offer.rules), offer.rules.decisions[0]
    known, table = solved.states
    ranking = next(fact for fact in main.asks if isinstance(fact, Compared)).ranking
    codes = counting.codes_of_rows(classes(known.size).cards, *table_of(ranking, known.size, by_strength=True).arrays).astype(
        np.int64
    )
    levels = int(codes.max()) + 1
    groups = _groups(offer, known.size)
    of_state = np.repeat(groups, known.ups)
    ups = np.tile(np.arange(known.ups) // 4, len(codes)) if known.ups > 1 else np.zeros(len(codes), dtype=np.int64)
    level_of = ups * levels + np.repeat(codes, known.ups)
    values = counting.values_by_level(known.counts, known.times, of_state, table, level_of, int(ups.max() + 1) * levels)
    examples = {
        int(code): hand(classes(known.size).cards[at]) for code, at in zip(*np.unique(codes, return_index=True), strict=True)
    }
    order = sorted(range(len(decision.choices)), key=lambda n: -_times(decision.choices[n]))  # from the boldest to the fold
    words, policy = [], np.empty(len(values), dtype=np.int64)
    for up in range(int(ups.max()) + 1):
        part = slice(up * levels, (up + 1) * levels)
        cuts, rungs = _cuts(values[part][:, order])
        policy[part] = np.array(order)[rungs]
        told = []
        for rung, cut in enumerate(cuts):
            choice = decision.choices[order[rung]]
            if not choice.folds and cut is not None:
                weakest = next(code for code in range(cut, levels) if code in examples)
                told.append(f"{choice.word} with {_called(ranking, examples[weakest])} or better")
        seen = f"Against {_an(RANK_NAMES[up + 2])}: " if known.ups > 1 else ""
        words.append(seen + "; ".join([*told, "otherwise fold"]) + ".")
    chosen = policy[level_of]

    def edge(choices: NDArray[Any]) -> Fraction:
        total = counting.value_of_policy(known.counts, known.times, of_state, table, choices.astype(np.int8))
        return -Fraction(int(total), solved.outcomes.deals) / _scale(solved, table, known, of_state)

    others = [("these words to the letter", edge(chosen))]
    boldest, least, fold = order[0], order[-2], order[-1]
    others.append((f"always {decision.choices[least].word}", edge(np.full(len(level_of), least))))
    if boldest != least:
        word = decision.choices[least].word
        others.append((f"never more than {word}", edge(np.where(solved.best == fold, fold, least))))
        others.append((f"{decision.choices[boldest].word} or fold", edge(np.where(solved.best == fold, fold, boldest))))
    if reaches := next((fact for fact in main.asks if isinstance(fact, DealerHas)), None):
        good = np.array([ranking.is_at_least(hand(cards), reaches.least) for cards in classes(known.size).cards])
        others.append((f"play {reaches.least.lower()} or better", edge(np.where(np.repeat(good, known.ups), least, fold))))
    return words, others


def _times(choice: Any) -> Fraction:
    return Fraction(choice.makes[1]) if choice.makes else Fraction(0)


def _an(word: str) -> str:
    return f"an {word}" if word in ("ace", "8") else f"a {word}"


def _groups(offer: Offer, size: int) -> NDArray[np.int64]:
    rows = [against_dealer.row_codes(fact.ranking, size)[0] for fact in holds_asked(main_settlement(offer.rules))]
    return np.unique(np.stack(rows, axis=1), axis=0, return_inverse=True)[1].reshape(-1)


def _scale(solved: Solved, table: Any, known: Any, of_state: Any) -> Fraction:
    """Units of the table that make one Ante: the solution's own value over its edge."""
    total = counting.value_of_policy(known.counts, known.times, of_state, table, solved.best.astype(np.int8))
    return Fraction(int(total), solved.outcomes.deals) / -solved.edge


def _cuts(values: NDArray[np.int64]) -> tuple[list[int | None], NDArray[np.int8]]:
    """Where to change from each choice to the next, from the strongest hands down, so that the sum is greatest."""
    levels, choices = values.shape
    best = np.full((choices, levels + 1), np.iinfo(np.int64).min // 2)
    came = np.zeros((choices, levels + 1), dtype=np.int64)
    best[0, levels] = 0
    for level in range(levels - 1, -1, -1):
        for choice in range(choices):
            before = best[: choice + 1, level + 1]
            came[choice, level] = int(np.argmax(before))
            best[choice, level] = int(before.max()) + int(values[level, choice])
    at, policy = int(np.argmax(best[:, 0])), np.empty(levels, dtype=np.int8)
    for level in range(levels):
        policy[level] = at
        at = int(came[at, level])
    cuts: list[int | None] = [None] * choices
    for choice in range(choices):
        here = np.flatnonzero(policy == choice)
        cuts[choice] = int(here[0]) if len(here) else None
    return cuts, policy


# Two bets to withdraw


def _let_it_ride(offer: Offer, solved: Solved) -> Told:
    then, values, totals = solved.states
    first, second = offer.rules.decisions
    ride = [[choice.word for choice in decision.choices].index("ride") for decision in (first, second)]
    ranking, times = holds_asked(main_settlement(offer.rules))[0].ranking, classes(3).times
    kinds: dict[str, list[str]] = defaultdict(list)
    for cards, best in zip(classes(3).cards, solved.best, strict=True):
        held = hand(cards)
        if best == ride[0]:
            counts = Counter(card.rank for card in held)
            suited = len({card.suit for card in held}) == 1
            kind = (
                "three of a kind"
                if len(counts) == 1
                else "a pair"
                if len(counts) == 2
                else "three suited"
                if suited
                else "three of no suit"
            )
            kinds[kind].append(_ranks(held))
    words = ["Bet Number 1 rides with:"]
    words += [f"  {kind}: {_listed(kind, found)}" for kind, found in kinds.items()]
    words.append("Bet Number 2 rides with:")
    tally: dict[tuple[str, ...], Counter[bool]] = defaultdict(Counter)
    ends, rows = let_it_ride.ends(ranking)
    for at, cards in enumerate(classes(3).cards):
        for community in range(52):
            if community not in cards:
                four = _four(dict(zip(rows, ends[at, community], strict=True)), hand([*cards, community]))
                tally[four][bool(then[solved.best[at], at, community] == ride[1])] += int(times[at])
    for four, rides in sorted(tally.items()):
        if rides[True]:
            sure = "" if not rides[False] else f" (in {rides[True] * 100 // (rides[True] + rides[False])} of 100 deals)"
            words.append(f"  {', '.join(four)}{sure}")
    deals = solved.outcomes.deals
    scale = Fraction(int((totals.max(axis=0) * times).sum()), deals) / -solved.edge
    withdraw = 1 - ride[0]

    def edge(total: Any) -> Fraction:
        return -Fraction(int(total), deals) / scale

    return words, [
        ("always let both bets ride", edge((values[ride[0], ride[1]].sum(axis=1) * times).sum())),
        ("always withdraw both bets", edge((values[withdraw, 1 - ride[1]].sum(axis=1) * times).sum())),
    ]


def _listed(kind: str, found: list[str]) -> str:
    if kind in ("three of a kind", "a pair"):
        ranks = {text.split("-")[0] for text in found}
        lowest = min(ranks, key=lambda rank: 10 if rank == "10" else RANKS.index(rank) + 2)
        return f"of {lowest}s or better" if len(ranks) < 13 else "any"
    return ", ".join(sorted(set(found), key=lambda text: [-("23456789TJQKA".index(r.replace("10", "T"))) for r in text.split("-")]))


def _four(ends: dict[str, int], four: Cards) -> tuple[str, ...]:
    """What four cards are, for a player to say: what is paid already, suit, chances of a straight, high cards.

    `ends` are the last cards that make each row; a straight with two ends open has more than four.
    """
    if not ends[NOTHING]:
        return ("a hand that is paid already",)
    straights = sum(count for row, count in ends.items() if row in ("Straight", "Straight flush", "Royal flush"))
    high = sum(card.rank >= 10 for card in four)
    parts = ["four suited"] if len({card.suit for card in four}) == 1 else []
    parts += ["an outside straight"] if straights > 4 else ["an inside straight"] if straights else []
    return (*parts, f"{high} card{'' if high == 1 else 's'} of ten or higher")


# Three decisions


def _hold_em(offer: Offer, solved: Solved) -> Told:
    found: hold_em.HoldEm = solved.states
    first = offer.rules.decisions[0]
    by_rank: dict[int, dict[bool, list[int]]] = defaultdict(lambda: {True: [], False: []})
    pairs = []
    for kind, cards in enumerate(classes(2).cards):
        low, high = sorted(int(each) // 4 + 2 for each in cards)
        suited = int(cards[0]) % 4 == int(cards[1]) % 4
        if first.choices[int(solved.best[kind])].makes:
            if low == high:
                pairs.append(low)
            else:
                by_rank[high][suited].append(low)
    words = [f"Before the Flop {first.choices[0].word} with:", f"  a pair of {min(pairs)}s or better" if pairs else "  no pair"]
    for high in sorted(by_rank, reverse=True):
        parts = [
            f"{RANK_NAMES[min(low)]} or better {'suited' if suited else 'of two suits'}"
            for suited, low in by_rank[high].items()
            if low
        ]
        words.append(f"  {_an(RANK_NAMES[high])} with {', '.join(parts)}")
    words.append("and otherwise check.")
    raised = np.array([bool(first.choices[int(each)].makes) for each in solved.best])
    words += ["After the Flop play with:", *_after_flop(found, raised), "and otherwise check."]
    words += ["At the end play with:", *_at_the_end(found, raised), "and otherwise fold."]
    scale, deals = hold_em.scale(offer), solved.outcomes.deals
    return words, [
        ("never before the Flop", -Fraction(int(found.at_once[2].sum()), deals * scale)),
        ("never before the end", -Fraction(int(found.ends.sum()), deals * scale)),
        (f"always {first.choices[0].word} at once", -Fraction(int(found.at_once[0].sum()), deals * scale)),
    ]


def _often(yes: int, no: int) -> str | None:
    """How often, for a player: nothing to add if always, None if hardly ever."""
    share = Fraction(yes, yes + no)
    if share < Fraction(1, 100):
        return None
    return "" if share > Fraction(995, 1000) else f" (in {max(1, round(share * 100))} of 100 deals)"


def _after_flop(found: hold_em.HoldEm, raised: NDArray[np.bool_]) -> list[str]:
    """What five cards are played after the Flop: by their row, and without a pair of their own by their suits."""
    five = table_of(found.ranking.ranking, 5, by_strength=True)
    rows, names = _rows_of(five)
    flops, holes = classes(3), hold_em.suits().hole_class
    counts = counting_boards.tally_flops(
        flops.cards, flops.times, found.after_flop, raised, holes, five.plain, five.suited, rows, len(names), CHOOSE
    )
    good = names.index("Straight") + 1
    no, yes = (int(each) for each in counts[:good].sum(axis=(0, 1, 2, 3)))
    told = [f"  a straight or better{_often(yes, no)}"]
    for row, name in enumerate(names[good:], good):
        for paired in (0, 1):
            for suited, big in ((0, 0), (1, 0), (1, 1)):
                no, yes = (int(each) for each in counts[row, paired, suited, big])
                often = _often(yes, no) if yes + no else None
                if often is not None:
                    own = name.lower() if name != NOTHING else "no pair"
                    where = ", the Flop itself paired" if paired else ""
                    kicker = "with a hole card of ten or higher" if big else "with a lower hole card"
                    told.append(f"  {own}{where}{f', four of a suit {kicker}' if suited else ''}{often}")
    return told


def _at_the_end(found: hold_em.HoldEm, raised: NDArray[np.bool_]) -> list[str]:
    """What seven cards are played at the end: by their row beside the board's own."""
    five, seven = table_of(found.ranking.ranking, 5, by_strength=True), found.ranking
    rows, names = _rows_of(five)
    boards = classes(5)
    parts = in_parts(
        lambda a, b: KERNELS.tally_rivers(
            boards.cards, boards.times, a, b, found.river, raised, hold_em.suits().hole_class,
            five.plain, five.suited, seven.plain, seven.suited, rows, len(names), CHOOSE,
        ),
        len(boards),
    )  # fmt: skip
    counts = sum(parts)
    good = names.index("Straight") + 1
    no, yes = (int(each) for each in counts[:good].sum(axis=(0, 1, 2)))
    told = [f"  a straight or better{_often(yes, no)}"]
    no, yes = (int(sum(counts[row, row + 1 :, :, play].sum() for row in range(good, len(names)))) for play in (0, 1))
    told.append(f"  any pair or better that the board does not show itself{_often(yes, no)}")
    for row, name in enumerate(names[good:], good):
        for better in (1, 0):
            no, yes = (int(each) for each in counts[row, row, better])
            often = _often(yes, no) if yes + no else None
            if often is not None:
                own = f"the board's {name.lower()}" if name != NOTHING else "no pair"
                told.append(f"  {own}, {'with a better card in hand' if better else 'as it lies'}{often}")
    return told


def _rows_of(strengths: Table) -> tuple[NDArray[np.int64], list[str]]:
    """The row of each code by number, and the rows' names, the highest first."""
    names = list(strengths.ranking.rows)
    return np.array([names.index(row) for row in strengths.row_of_code], dtype=np.int64), names


# The setting of a hand


def _saigon(offer: Offer, solved: Solved) -> Told:
    hands, values, may, _, points = solved.states
    highest = np.array([max(np.flatnonzero(row), key=lambda n: points[n]) for row in may])
    words = ["Set the highest Point Count that the cards allow."]
    exceptions = Counter((points[b], points[h]) for b, h in zip(solved.best, highest, strict=True) if b != h)
    words += [f"But set {better} rather than {worse}." for better, worse in sorted(exceptions)]
    times = saigon.times(offer, hands)
    scale, deals = saigon.scale(offer), solved.outcomes.deals
    total = sum(int(values[row, highest[row]]) * int(times[row]) for row in range(len(hands)))
    return words, [("always the highest Point Count", -Fraction(total, deals * scale))]
