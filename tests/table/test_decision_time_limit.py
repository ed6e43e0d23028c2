"""The filed time limit for a decision: when it runs, for whom, and what silence counts as."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.floor.dealer.automatic_dealer import AutomaticDealer
from croupier.floor.surveillance.narration import sentence
from croupier.law.chapter import Rules
from croupier.law.procedure import Act
from croupier.table import commands as say
from croupier.table.accounts import chips
from croupier.table.engine import Table
from croupier.table.events import read_event, write_event
from croupier.table.fold import apply
from croupier.table.rules.round_play import pending
from croupier.table.state import State
from croupier.table.views import view
from tests.table.holding import log_holds, money_holds
from tests.table.pit import EDITIONS, OF_THE_BOOK, SECOND, STAYS, Pit, find, opened, refused

LIMIT = 20
every_edition = pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS)
of_the_book = pytest.mark.parametrize("rules", OF_THE_BOOK.values(), ids=OF_THE_BOOK)

# What silence counts as in each text, decision after decision, with its clause: by .1 of 643a and 653a, not to withdraw is to let
# ride, to waive a Play Wager and stay in is to check, and to make none is to fold. 11(b) of the others forfeits the Ante.
WORDS = {
    "641a": [("timed out", "641a.11(b)")],
    "643a": [("ride", "643a.1"), ("ride", "643a.1")],
    "649a": [("timed out", "649a.11(b)")],
    "653a": [("check", "653a.1"), ("check", "653a.1"), ("fold", "653a.1")],
    "679a": [("fold", "679a.11(b)")],
    "680a": [("", "680a.11(b)(1)")],
    "682a": [("fold", "682a.11(b)")],
}


def asked(rules: Rules, *seats: int, limit: int = LIMIT, **changes: Any) -> Pit:
    """A table whose first decision is being asked."""
    pit = Pit(rules, decision_seconds=limit, **changes).seat(*seats).ready()
    for seat in seats:
        pit.bet_everything(seat)
    pit.lock()
    return pit.play_until(lambda table: bool(table.round and table.round.asked))


def box_of(pit: Pit) -> int:
    assert pit.state.round is not None
    return pit.state.round.asked[1]


def over(pit: Pit) -> None:
    """Set the clock to when the time of the asked box is over."""
    assert pit.state.round is not None
    pit.now = pit.state.round.asked_at + LIMIT * SECOND


@of_the_book
def test_silence_is_what_the_chapter_says_and_moves_no_chips(rules: Rules) -> None:
    pit = asked(rules, 2)
    for word, cite in WORDS[rules.number]:
        before = pit.state.balance(chips(2))
        over(pit)
        event = pit.lapse_decision(by="dealer", seat=2)
        assert (event.event, event.then.choice, event.then.cites) == ("decision lapsed", word, (cite,))
        assert pit.state.balance(chips(2)) == before
        money_holds(pit.state)
        while pit.state.round and not pit.state.round.asked:
            pit.step()
    assert pit.state.round is None
    log_holds(pit)


@every_edition
def test_what_a_lapse_takes_settles_as_if_the_player_had_said_it(rules: Rules) -> None:
    """The same cards and answers, given once by the player and once by the clock, leave the same chips."""
    as_a_fold = {"readings": {"time runs out": "as a fold"}} if rules.number in ("641a", "649a") else {}
    said, lapsed = (asked(rules, 2, **as_a_fold) for _ in range(2))
    while lapsed.state.round is not None:
        if lapsed.state.round.asked:
            over(lapsed)
            event = lapsed.lapse_decision(by="device", seat=2)
            if event.then.choice:
                said.decide(by="player:2", seat=2, choice=event.then.choice)
            else:
                said.set_hand(by="player:2", seat=2, cards=_best(said))
        else:
            lapsed.step()
            said.step()
    assert said.state.round is None
    assert said.state.accounts == lapsed.state.accounts


def _best(pit: Pit) -> tuple[int, int, int]:
    """By 680a.6 and .11(b), computed independently: of the threes that can total 10, 20 or 30, one that leaves the highest count."""
    assert pit.state.round is not None
    five = [held.card for held in pit.state.round.hands[2]]

    def totals(cards: list[str]) -> set[int]:
        sums = {0}
        for card in cards:
            worth = (3, 6, 9) if card == "Jk" else ({"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0]),)
            sums = {total + one for total in sums for one in worth}
        return sums

    ways = [(a, b, c) for a in range(1, 6) for b in range(a + 1, 6) for c in range(b + 1, 6)]
    good = [way for way in ways if totals([five[n - 1] for n in way]) & {10, 20, 30}]
    counts = {
        way: max((total - 1) % 10 + 1 for total in totals([five[n - 1] for n in range(1, 6) if n not in way]))
        for way in good or ways
    }
    return max(counts, key=lambda way: counts[way])


@pytest.mark.parametrize("seed", range(12))
def test_a_hand_that_lapsed_counts_as_the_best_lawful_setting(seed: int) -> None:
    rules = find("680a")
    results = []
    for lapse in (True, False):
        pit = Pit(rules, decision_seconds=LIMIT, seed=seed).seat(2).ready().bet(2, ante=10)
        pit.lock()
        pit.until(Act.SET)
        over(pit)
        if lapse:
            pit.lapse_decision(by="floorperson", seat=2)
        else:
            pit.set_hand(by="player:2", seat=2, cards=_best(pit))
        pit.finish()
        results.append(pit.state.accounts)
    assert results[0] == results[1]


# when


def test_before_the_time_is_over_it_is_refused_with_what_is_left_of_it() -> None:
    pit = asked(find("649a"), 1, 2)
    assert pit.state.round is not None
    start = pit.state.round.asked_at
    for passed, words in ((0, "20 more seconds"), (1, "20 more seconds"), (18_001, "2 more seconds"), (19_000, "1 more second ")):
        pit.now = start + passed
        problem = pit.verify_lapse_decision(by="dealer", seat=1)
        refused(problem, "649a.11(b)", words)
    pit.now = start + 19_999
    refused(pit.verify_lapse_decision(by="dealer", seat=1), "649a.11(b)", "1 more second to decide", "once the time has run out")
    pit.now = start + 20_000
    assert pit.can_lapse_decision(by="dealer", seat=1)


def test_a_table_without_a_published_limit_waits_forever() -> None:
    pit = asked(find("649a"), 1, limit=0)
    pit.now += 10**9
    refused(pit.verify_lapse_decision(by="floorperson", seat=1), "649a.11(b)", "no posted time limit")
    assert AutomaticDealer().next(pit.state, pit.now) is None


def test_only_the_box_that_is_asked_and_only_while_it_is() -> None:
    pit = asked(find("649a"), 1, 2)
    over(pit)
    refused(pit.verify_lapse_decision(by="dealer", seat=2), "649a.11(b)", "box 1's turn")
    refused(pit.verify_lapse_decision(by="player:1", seat=1), "649a.11(b)", "“lapse decision” is not a command for the player")
    pit.decide(by="player:1", seat=1, choice="play")
    refused(pit.verify_lapse_decision(by="dealer", seat=1), "649a.11(b)", "box 2's turn")
    pit.decide(by="player:2", seat=2, choice="play")
    refused(pit.verify_lapse_decision(by="dealer", seat=2), "649a.11(c)", "the next step is")
    pit.finish()
    refused(pit.verify_lapse_decision(by="dealer", seat=2), "649a.11(b)", "betting is open")
    assert Table().verify_lapse_decision(by="dealer", seat=1) is not None


def test_the_time_runs_for_each_box_from_when_it_is_asked() -> None:
    pit = asked(find("649a"), 1, 2)
    first = view(pit.state, "public").round
    pit.now += 7 * SECOND
    pit.decide(by="player:1", seat=1, choice="play")
    second = view(pit.state, "player:2").round
    assert (first.asked, second.asked) == ((1,), (2,))
    assert second.asked_at == pit.events[-1].at >= first.asked_at + 7 * SECOND


def test_actions_of_other_players_give_no_more_time() -> None:
    pit = asked(find("649a"), 1, 2)
    assert pit.state.round is not None
    since = pit.state.round.asked_at
    pit.tip(by="player:2", seat=2, amount=100)
    pit.buy_in(by="player:1", seat=1, amount=1000)
    pit.fill(by="floorperson", amount=1000)
    pit.sit(by="player:3", seat=3, player="Late")
    assert pit.state.round.asked_at == since
    pit.leave(by="player:1", seat=1)
    assert view(pit.state, "public").round.asked == (2,)
    assert pit.state.round.asked_at == pit.events[-1].at > since


def test_the_time_starts_over_with_each_decision_of_one_player() -> None:
    pit = asked(find("653a"), 1)
    assert pit.state.round is not None
    starts = []
    while pit.state.round and pit.state.round.asked:
        starts.append(pit.state.round.asked_at)
        pit.decide(by="player:1", seat=1, choice="check" if len(starts) < 3 else "fold")
        assert pit.state.round is None or pit.state.round.asked_at != starts[-1]
        while pit.state.round and not pit.state.round.asked:
            assert view(pit.state, "public").round.asked_at is None
            pit.step()
    assert len(set(starts)) == 3


def test_the_automatic_dealer_lets_it_lapse_when_it_is_due() -> None:
    pit = asked(find("649a"), 1, 2)
    assert pit.state.round is not None
    due = pit.state.round.asked_at + LIMIT * SECOND
    assert pit.staff.next(pit.state, due - 1) is None
    assert pit.staff.next(pit.state, due) == ("dealer", say.LapseDecision(seat=1))
    while pit.state.round is not None:
        pit.now += LIMIT * SECOND
        action = pit.staff.next(pit.state, pit.now)
        assert action is not None
        pit.do(action[1], action[0])
    assert [event.command.seat for event in pit.events if isinstance(event.command, say.LapseDecision)] == [1, 2]


# what is published


def test_the_limit_is_part_of_how_the_table_was_opened() -> None:
    pit = asked(find("649a"), 1)
    assert view(pit.state, "public").decision_seconds == LIMIT
    assert b"decision_seconds" not in write_event(pit.events[0])  # it is in the filing
    assert view(Pit(find("649a")).state, "public").decision_seconds == 0


def test_a_log_from_before_limits_were_filed_keeps_the_limit_of_its_opening() -> None:
    opening = Pit(find("649a")).events[0]
    assert isinstance(opening.command, say.OpenTable)
    before = msgspec.structs.replace(opening, command=msgspec.structs.replace(opening.command, decision_seconds=LIMIT))
    table = State()
    apply(table, read_event(write_event(before)))
    assert table.decision_seconds == LIMIT


def test_a_lapse_is_narrated_in_a_dealers_words() -> None:
    told = {}
    for number in WORDS:
        pit = asked(find(number), 3)
        over(pit)
        told[number] = sentence(pit.lapse_decision(by="dealer", seat=3), pit.state.rules)
    assert told["649a"] == "Box 3's time ran out: the Ante Wager is lost. Other wagers of the box are settled."
    assert told["643a"] == "Box 3's time ran out: it counts as “ride”."
    assert told["653a"] == "Box 3's time ran out: it counts as “check”."
    assert told["679a"] == "Box 3's time ran out: it counts as “fold”."
    assert told["680a"].startswith("Box 3's time ran out: its hand counts")
    withdrawn = asked(find("643a"), 3, readings={"time runs out": "withdrawn"})
    over(withdrawn)
    event = withdrawn.lapse_decision(by="dealer", seat=3)
    assert sentence(event, withdrawn.state.rules) == "Box 3's time ran out: it counts as “withdraw”. $10 is returned."
    assert event.then.cites == ("643a.11(b)(2)",)


def test_the_box_that_is_asked_is_always_the_first_that_is_pending() -> None:
    pit = opened(find("653a"), "automated shoe", 1, 3)
    pit.bet_everything(1).bet_everything(3).lock()
    while pit.state.round is not None:
        boxes = pending(pit.state, pit.state.round) if pit.state.phase == "completing" else []
        assert pit.state.round.asked[1:] == boxes[:1]
        assert bool(pit.state.round.asked_at) == bool(boxes)
        pit.step(STAYS)
