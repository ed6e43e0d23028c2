"""The dealer's hand is named with the chapter's ranking and words, and only once all its cards are face up.

Each hand follows from the cards by section .6 of its chapter. The words after it are those of the layout's inscription.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier import book
from croupier.cards import cards
from croupier.cli.main import app
from croupier.law.chapter import Rules
from croupier.law.fact import COMMUNITY, DEALER, PLAYER, Position
from croupier.law.problems import dealt
from croupier.law.procedure import Act, Announcement, Dealing
from croupier.table.case import read_case
from croupier.table.views import view
from tests.examples import WITH_A_DEALERS_HAND, editions
from tests.table.pit import STAYS, find, opened

HANDS = [
    ("649a", "Qh 7d 2c", "", "queen high, plays"),
    ("649a", "Jh 7d 2c", "", "jack high, does not play"),
    ("649a", "2h 2d 3c", "", "pair of 2s, plays"),
    ("649a", "Ah 3d 2c", "", "straight, 3 high, plays"),  # 6(b)(3): ace, 2, 3 is the lowest straight
    ("679a", "Qh 7d 2c", "", "queen high, qualifies"),
    ("679a", "Th 7d 2c", "", "10 high, does not qualify"),
    ("679a", "Ah Kh Qh", "", "mini-royal, qualifies"),
    ("641a", "Kc Kd 9h 9s 4d 4s", "", "two pairs, kings and 9s"),  # the best four of six: 9s, not 4s, with the kings
    ("641a", "Kc 9c 7c 2c Kd 3h", "", "flush, king high"),  # 6(b)(4): a flush outranks a pair and a straight
    ("682a", "5c 6c 7c 8c Kd Qs", "", "straight flush, 8 high"),
    ("682a", "Ac Ad Ah 8c Kd Qs", "", "three-of-a-kind, aces"),
    ("682a", "Ac Kd Th 8c 5d 3s", "", "ace high"),
    ("653a", "Kd 8c", "Kh 9h 4h 2s 7d", "pair of kings, the Ante plays"),
    ("653a", "Ad 8c", "Kh 9h 4h 2s 7d", "ace high, the Ante is returned"),
    ("653a", "Ad 8c", "Ah Ac 8h 2s 7d", "full house, aces over 8s, the Ante plays"),
    ("653a", "Ad Kd", "Qd Jd Td 2s 7d", "royal flush, the Ante plays"),
    ("653a", "9d Kd", "Qd Jd Td 2s 7d", "straight flush, king high, the Ante plays"),
    ("680a", "Kc Qd Th 4s 5c", "", "Kc Qd Th (30) and 4s 5c, Point Count 9"),  # 6(a): tens and pictures count 10
    ("680a", "2c 2d 2h 2s Ac", "", "does not qualify"),  # 2 + 2 + 2, or 2 + 2 + 1
]


@pytest.mark.parametrize(("game", "held", "community", "words"), HANDS)
def test_the_dealers_hand_in_words(game: str, held: str, community: str, words: str) -> None:
    at = {DEALER: cards(held), COMMUNITY: cards(community)}
    assert book.find(game).edition().announced(DEALER, Position(at)) == words


def test_680a_11_c_1_the_setting_follows_the_reading() -> None:
    """Three settings qualify: joker as 3 with 7 and 10 leaves 2 + 4 = 6, as 9 with 7 and 4 leaves 12, so 2, as 6 with 10 and 4 leaves 9."""
    rules, five = book.find("680a").edition(), {DEALER: cards("Jk 7d Ts 2h 4s")}
    assert rules.announced(DEALER, Position(five)) == "Jk Ts 4s (20) and 7d 2h, Point Count 9"
    low = Position(five, readings={"dealer's setting": "lowest point count"})
    assert rules.announced(DEALER, low) == "Jk 7d 4s (20) and Ts 2h, Point Count 2"


def test_680a_11_b_a_players_hand_is_named_as_it_was_set() -> None:
    rules, five = book.find("680a").edition(), {PLAYER: cards("Jk 7d Ts 2h 4s")}
    assert rules.announced(PLAYER, Position(five)) == "Jk Ts 4s (20) and 7d 2h, Point Count 9"
    three = cards("Jk 7d Ts")
    assert rules.announced(PLAYER, Position(five, set_aside=three)) == "Jk 7d Ts (20) and 2h 4s, Point Count 6"


@pytest.mark.parametrize("rules", editions(), ids=lambda rules: rules.number)
def test_every_chapter_with_a_dealers_hand_names_it(rules: Rules) -> None:
    named = any(rule.whose is DEALER for rule in rules.of(Announcement))
    assert named == bool(dealt(rules.of(Dealing)[0].script)[DEALER])


@pytest.mark.parametrize("game", WITH_A_DEALERS_HAND)
@pytest.mark.parametrize("role", ["public", "player:1", "dealer", "floorperson", "surveillance"])
def test_a_view_names_the_hand_only_once_the_dealers_cards_are_up(game: str, role: str) -> None:
    pit = opened(find(game), "automated shoe", 1)
    pit.bet_everything(1).lock()
    pit.until(Act.REVEAL, STAYS)
    before = view(pit.state, role).round
    assert before.dealer_hand == "" and {box.hand for box in before.boxes.values()} == {""}
    pit.until(Act.SETTLE, STAYS)
    after = view(pit.state, role).round
    at = {DEALER: cards(" ".join(after.dealer)), COMMUNITY: cards(" ".join(after.community) if game == "653a" else "")}
    assert after.dealer_hand == pit.state.rules.announced(DEALER, Position(at)) != ""


def test_680a_a_view_names_a_box_once_it_is_turned() -> None:
    pit = opened(find("680a"), "automated shoe", 1)
    pit.bet(1, ante=10).stack({1: "Jk 7d Ts 2h 4s"}, dealer="Kc Qd Th 4d 5c").lock()
    pit.until(Act.SET)
    pit.set_hand(by="player:1", seat=1, cards=(1, 2, 3))
    pit.until(Act.SETTLE)
    assert view(pit.state, "player:1").round.boxes[1].hand == ""
    pit.turn_hand(by="dealer", seat=1)
    seen = view(pit.state, "public").round
    assert seen.boxes[1].hand == "Jk 7d Ts (20) and 2h 4s, Point Count 6"
    assert seen.dealer_hand == "Kc Qd Th (30) and 4d 5c, Point Count 9"


def test_a_void_hand_is_not_named() -> None:
    """649a.13(d): all hands are void, so none of them plays."""
    pit = opened(find("649a"), "automated shoe", 1)
    pit.bet(1, ante=10).lock()
    pit.until(Act.ASK)
    pit.raise_irregularity(by="dealer", irregularity="Dealer's card exposed")
    seen = view(pit.state, "public").round
    assert seen is None or seen.dealer_hand == ""


def test_settle_names_it_in_words_and_as_data(tmp_path: Path) -> None:
    raw = {
        "game": "649a",
        "dealer": {"cards": "Qh 7d 2c"},
        "seats": {"1": {"cards": "9s 8s 7s", "wagers": {"Ante Wager": 10}, "decision": "play"}},
    }
    case = read_case(raw)
    assert case.as_data(case.settle())["dealer_hand"] == "queen high, plays"
    (tmp_path / "case.toml").write_text(
        'game = "649a"\n[dealer]\ncards = "Qh 7d 2c"\n[seats.1]\ncards = "9s 8s 7s"\ndecision = "play"\nwagers = { "Ante Wager" = 10 }\n'
    )
    told = CliRunner().invoke(app, ["settle", str(tmp_path / "case.toml")]).stdout
    assert "Dealer: Qh 7d 2c – queen high, plays" in told
    data = json.loads(CliRunner().invoke(app, ["settle", str(tmp_path / "case.toml"), "--json"]).stdout)
    assert data["dealer_hand"] == "queen high, plays" and "hand" not in data["settled"][0]
