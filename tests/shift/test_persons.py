"""The auditor knows players: break a rule about one player on several boxes, and it finds the round that shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.floor.house.vault import ephemeral
from croupier.shift.audit.auditor import TableBook
from croupier.shift.audit.cards import SealedPart
from croupier.shift.audit.finding import AuditFinding
from croupier.shift.night import NightTask, run_night
from croupier.shift.people import staff
from croupier.shift.table_signs import signs_of
from croupier.table.engine import used_up
from croupier.table.events import NOTHING_SEALED, Event, PublishedKey, write_event, write_sealed
from croupier.table.fold import apply
from croupier.table.settlement import Settling
from croupier.table.state import State
from tests.table.pit import STAYS, Pit, find, opened

Patch = pytest.MonkeyPatch


def audited(pit: Pit) -> Counter[str]:
    """Put the log of a table through the auditor's books, and return what they counted."""
    book = TableBook("T1", Counter())
    book.chips.signs = book.cards.signs = signs_of(pit.state.submission)
    for event, beside in log(pit):
        plain = msgspec.json.decode(write_event(event))
        book.cards.post(plain, beside)
        book.chips.post(plain)
        book.persons.post(plain)
    return book.counts


def log(pit: Pit) -> Iterator[tuple[Event, SealedPart]]:
    """The events of a table, and what a house would have sealed with them."""
    state, vault, keys = State(), ephemeral(), dict[str, PublishedKey]()
    for version, (event, secrets) in enumerate(zip(pit.events, pit.secrets, strict=True), 1):
        sealed, made = vault.seal("table/T1", version, secrets) if secrets else (NOTHING_SEALED, ())
        published = tuple(keys.pop(each) for each in used_up(state, event))
        apply(state, event, secrets)
        keys |= {event.then.decks[n]: PublishedKey(version, n, key) for n, key in enumerate(made)}
        text = write_sealed(replace(sealed, keys=published))
        orders = [msgspec.json.decode(msgspec.json.encode(order)) for order in secrets]
        yield event, SealedPart("table/T1", version, msgspec.json.decode(text) if text else {}, orders)


def prime(seats: tuple[int, int] = (1, 1), **changes: Any) -> Pit:
    """Three-of-a-kind at boxes 1 and 2 of 679a: 33,600 at each, with a limit of 50,000 per player."""
    pit = opened(find("679a"), "automated shoe", *sorted(set(seats)), maximum=2_000, **changes)
    for box, player in enumerate(seats, 1):
        pit.bet(player, box, ante=600, pair_bonus=1_000)
    pit.stack({1: "9s 9h 9d", 2: "Ks Kh Kd"}, dealer="Qc Qd Jh", fourths={1: "4c", 2: "3c"}).lock()
    return pit.finish(STAYS)


def royal(**changes: Any) -> Pit:
    """A royal flush at box 2 of 649a, played by player 1, who also plays box 1. Player 3 envies it."""
    pit = opened(find("649a"), "automated shoe", 1, 3, **changes)
    for player, box in ((1, 1), (1, 2), (3, 3)):
        pit.bet(player, box, ante=10, three_card=1, five_card=1)
    pit.stack({1: "2h 5d 9h", 2: "As Ks Qs", 3: "3c 6d 8h"}, dealer="Jh 7d 4c", community="Js Ts").lock()
    return pit.finish(STAYS)


def jackpot(**changes: Any) -> Pit:
    """A royal flush for the dealer. Player 1 bets on it at two boxes and player 3 at one."""
    pit = opened(find("649a"), "automated shoe", 1, 3, **changes)
    for player, box in ((1, 1), (1, 2), (3, 3)):
        pit.bet(player, box, ante=10, on_dealer=1)
    pit.stack({}, dealer="As Ks Qs", community="Ts Js").lock()
    return pit.finish(STAYS)


def each_box(what: str) -> dict[str, Any]:
    return {"readings": {f"{what} of several boxes": "each box"}}


def test_the_auditor_agrees_with_every_reading() -> None:
    """679a: the second box is capped, or not. 649a: player 3 envies the royal flush twice, and by the box so does player 1."""
    assert audited(prime())["cut by a payout limit"] == 1
    assert audited(prime(readings={"payout limit": "with stakes"}))["cut by a payout limit"] == 1
    assert audited(prime(**each_box("payout limit")))["cut by a payout limit"] == 0
    assert audited(prime((1, 2)))["cut by a payout limit"] == 0
    assert audited(royal())["envy bonuses"] == 2
    assert audited(royal(**each_box("envy")))["envy bonuses"] == 4
    assert audited(jackpot())["parts of a jackpot"] == 2
    assert audited(jackpot(readings={"dealer-hand jackpot": "each at his turn"}))["parts of a jackpot"] == 2
    assert audited(jackpot(**each_box("jackpot")))["parts of a jackpot"] == 3


def found(play: Callable[[], Pit], *words: str) -> None:
    with pytest.raises(AuditFinding) as finding:
        audited(play())
    assert finding.value.check == "persons"
    for word in words:
        assert word in finding.value.said


def as_if(monkeypatch: Patch, method: str, player: Callable[[Settling], dict[int, int | str]]) -> None:
    """While this method of the settlement runs, pretend that other people play the boxes."""
    real = getattr(Settling, method)

    def otherwise(self: Settling, *wanted: Any, **more: Any) -> Any:
        kept, self.player = self.player, player(self)
        try:
            return real(self, *wanted, **more)
        finally:
            self.player = kept

    monkeypatch.setattr(Settling, method, otherwise)


def strangers(settling: Settling) -> dict[int, int | str]:
    return {seat: seat for seat in settling.order}


def one_person(settling: Settling) -> dict[int, int | str]:
    return dict.fromkeys(settling.order, 1)


def test_679a_12_h_a_limit_that_each_box_has_to_itself(monkeypatch: Patch) -> None:
    as_if(monkeypatch, "_limited", strangers)
    found(prime, "player 1 is paid 6720000, where 5000000 is the limit")


def test_679a_12_h_a_limit_that_two_players_share(monkeypatch: Patch) -> None:
    as_if(monkeypatch, "_limited", one_person)
    found(lambda: prime((1, 2)), "is cut, where player 1 has")


def test_649a_11_c_5_v_envy_for_ones_own_hand(monkeypatch: Patch) -> None:
    as_if(monkeypatch, "_others", strangers)
    found(royal, "box 1 has 1", "where 0 is due to player 1")


def test_649a_11_c_5_v_no_envy_for_another_players_hand(monkeypatch: Patch) -> None:
    as_if(monkeypatch, "_others", one_person)
    found(royal, "box 3 has 0", "where 1 is due to player 3")


def test_649a_12_i_2_a_jackpot_divided_among_boxes(monkeypatch: Patch) -> None:
    as_if(monkeypatch, "_sharing", strangers)
    found(jackpot)


def test_649a_12_i_2_a_second_part(monkeypatch: Patch) -> None:
    """Divided by the players, and then paid at every box: the third share is one too many."""
    as_if(monkeypatch, "_paid_before", strangers)
    with pytest.raises(AssertionError):  # the table itself notices that the jackpot is overdrawn
        audited(jackpot())


def test_649a_12_i_2_a_jackpot_divided_by_too_many(monkeypatch: Patch) -> None:
    """Divided by the boxes, but paid once per player: a third of it goes back to the meter."""
    as_if(monkeypatch, "_divided", strangers)
    found(jackpot, "is drawn of the jackpot")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("tables", "wanted"), [(range(9, 12), {"envy bonuses", "parts of a jackpot"}), (range(16, 30), {"cut by a payout limit"})]
)
def test_the_shift_comes_to_such_rounds(monkeypatch: Patch, tables: range, wanted: set[str]) -> None:
    """Nights with many stacked decks at tables of 649a, and at those with a payout limit, until each was seen."""
    monkeypatch.setattr(staff, "STACKED", 0.5)
    counts: Counter[str] = Counter()
    for seed in range(20):
        result = run_night(NightTask(seed, 0, 0, tables, 80))
        assert result.finding is None
        counts += result.counts
        if wanted | {"on several boxes"} <= counts.keys():
            return
    raise AssertionError(counts)
