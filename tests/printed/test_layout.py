"""The layout: everything .2 requires is there, nothing else is, and nothing overlaps."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
import zlib
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from croupier import book
from croupier.filing.offer import Offer
from croupier.filing.submission import read_submission
from croupier.filing.template import example_submission
from croupier.law.cite import Refusal
from croupier.law.fact import Place
from croupier.law.layout import Area, Inscription
from croupier.law.procedure import Act, Dealing, Stage, deliveries
from croupier.printed.drawing import areas
from croupier.printed.drawing.felt import fit, inscriptions, layout_drawing
from croupier.printed.drawing.logo import PNG, logo
from croupier.printed.drawing.look import Look, contrast, read_look
from croupier.printed.drawing.screen_felt import focus, near_plan
from tests.printed.filings import GAMES, bare, offer

HERE = Path(__file__).parent


def boxes(plan: areas.FeltPlan) -> list[areas.Corners]:
    return [
        *(areas.corners(spot, place) for place in plan.placements for spot in plan.seat),
        *(areas.corners(spot) for spot in plan.dealer),
        *(areas._box(each.x + each.wide / 2, each.y + each.high / 2, each.wide, each.high) for each in plan.things),
    ]


def apart(one: areas.Corners, other: areas.Corners) -> bool:
    """Whether two boxes, however rotated, are disjoint. They are if a side of one of them separates them."""
    for box in (one, other):
        for (x1, y1), (x2, y2) in zip(box, (*box[1:], box[0]), strict=True):
            across = (y1 - y2, x2 - x1)
            first, second = ([x * across[0] + y * across[1] for x, y in each] for each in (one, other))
            if max(first) <= min(second) + 1e-6 or max(second) <= min(first) + 1e-6:
                return True
    return False


def planned(each: Offer, near: int | None) -> areas.FeltPlan:
    return areas.plan(each) if near is None else near_plan(each, near)


def turned(box: areas.Corners) -> areas.Corners:
    return tuple((areas.WIDE - x, areas.HIGH - y) for x, y in box)


@pytest.mark.parametrize("near", [None, 0, 1, 4])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_overlaps_and_all_lies_on_the_felt(game: str, near: int | None) -> None:
    for each in (offer(game), bare(game)):
        all_boxes = boxes(planned(each, near))
        assert all(areas.on_felt(turned(box) if near == 0 else box) for box in all_boxes)
        assert all(apart(one, other) for one, other in combinations(all_boxes, 2))


def test_boxes_that_touch_or_cross_are_distinguished_from_disjoint_ones() -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    turned = ((10.0, 5.0), (15.0, 10.0), (10.0, 15.0), (5.0, 10.0))
    assert not apart(square, turned)
    assert apart(square, tuple((x + 6, y + 6) for x, y in turned))


@pytest.mark.parametrize("game", GAMES)
def test_every_position_has_the_areas_that_the_offered_wagers_call_for(game: str) -> None:
    for each in (offer(game), bare(game)):
        root = ElementTree.fromstring(layout_drawing(each))
        drawn = [(element.get("data-area"), element.get("data-seat")) for element in root.iter() if element.get("data-area")]
        for area in each.rules.of(Area):
            wagers = each.rules.wagers_calling_for(area)
            wanted = not wagers or bool({*wagers} & each.wagers)
            if "logo" in area.name:
                assert root.find(".//*[@id='certificate-holder']") is not None
            elif area.each_player:
                assert [drawn.count((area.name, str(seat))) for seat in range(1, each.rules.seats + 1)] == [
                    wanted
                ] * each.rules.seats
            else:
                assert drawn.count((area.name, None)) == wanted


@pytest.mark.parametrize("game", GAMES)
def test_the_words_that_the_clause_prescribes_are_on_the_felt(game: str) -> None:
    words = {
        element.text for element in ElementTree.fromstring(layout_drawing(offer(game))).iter("{http://www.w3.org/2000/svg}textPath")
    }
    for rule in offer(game).rules.of(Inscription):
        assert not rule.words or rule.words in words
    assert {told for told, _ in inscriptions(offer(game))} <= words


def test_what_the_clause_requires_is_stated_for_this_offer() -> None:
    assert [words for words, _ in inscriptions(offer("653a"))] == [
        "The Ante pushes when the dealer has less than a pair",
        "The Blind pushes when the winning hand is below a straight",
        "Play 4× or 3× the Ante before the Flop, 2× after the Flop, 1× at the end",
        "Payout limit $50,000 per hand",  # 653a.2(b)(7)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_drop_and_tip_box_stand_on_opposite_sides_of_the_dealer(game: str) -> None:
    things = {thing.name: thing for thing in areas.plan(offer(game)).things}
    assert things["Drop box"].x < areas.CENTER[0] < things["Tip box"].x
    assert {"Discard rack", "Table inventory container"} <= set(things)


def test_community_cards_lie_to_the_right_of_the_dealer_where_the_clause_says_so() -> None:
    spots = {spot.name: spot for spot in areas.plan(offer("649a")).dealer}
    assert spots["Two community cards"].u < spots["Dealer's cards"].u  # the dealer's right is the viewer's left
    assert (spots["Two community cards"].cards, spots["Dealer's cards"].cards) == (2, 3)


def test_679a_2_b_2_the_third_betting_area_of_the_proposal_is_for_chips_not_cards() -> None:
    proposed = read_submission(example_submission(book.find("679a").edition("2015-12-12"))).offer_or_refuse()
    kinds = {spot.name: spot.kind for spot in areas.plan(proposed).seat}
    assert kinds["Third betting area"] is areas.AreaKind.SIDE
    assert [name for name, kind in kinds.items() if kind is areas.AreaKind.CARDS] == ["Player's fourth card"]
    near = {spot.name: spot.holds for spot in near_plan(proposed, 1).seat if spot.holds}
    assert near == {"Player's cards": Place.PLAYER, "Player's fourth card": Place.FOURTH}


def test_seats_run_clockwise_from_the_dealers_left() -> None:
    placed = areas.plan(offer("649a")).placements
    assert [place.seat for place in placed] == list(range(1, 8))
    assert placed[0].origin[0] > areas.CENTER[0] > placed[-1].origin[0]


@pytest.mark.parametrize("near", [None, 0, 2])
def test_the_drawing_is_the_same_each_time_and_every_id_is_its_own(near: int | None) -> None:
    drawn = layout_drawing(offer("649a"), near=near)
    assert drawn == layout_drawing(offer("649a"), near=near)
    ids = [element.get("id") for element in ElementTree.fromstring(drawn).iter() if element.get("id")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("near", [None, 1, 4])
@pytest.mark.parametrize("game", GAMES)
def test_the_words_on_arcs_stay_clear_of_seats_and_cards(game: str, near: int | None) -> None:
    for each in (offer(game), bare(game)):
        plan = planned(each, near)
        top = (
            min(y for place in plan.placements if place.seat == near for spot in plan.seat for _, y in areas.corners(spot, place))
            if near
            else 0
        )
        for path in ElementTree.fromstring(layout_drawing(each, near=near)).iter("{http://www.w3.org/2000/svg}path"):
            if arc := re.match(r"M(\S+) (\S+)A(\S+) ", path.get("d", "") if path.get("id") else ""):
                lowest = plan.arcs[1] + float(arc[3])  # the baseline; letters point toward the center
                assert lowest < top - 5 if near else float(arc[3]) < plan.inner - 5
                assert float(arc[2]) > plan.below_cards


# For a screen


def wagers_of(each: Offer) -> set[str]:
    return {wager.key for wager in each.rules.wagers.values() if each.offers(wager)}


def dealt(each: Offer, place: Place) -> int:
    """The most cards dealt to a place for the offered wagers, in the script or in the stages after it."""
    script = each.rules.of(Dealing)[0].script
    by_script = sum(delivery.to is place for delivery in deliveries(script, {1: frozenset(wagers_of(each))}))
    return max(by_script, sum(stage.cards for stage in each.rules.of(Stage) if stage.place is place and stage.act is Act.DEAL))


@pytest.mark.parametrize("near", [0, 2])
@pytest.mark.parametrize("game", GAMES)
def test_on_a_screen_every_wager_and_every_card_has_its_place_at_every_seat(game: str, near: int) -> None:
    for each in (offer(game), bare(game)):
        root = ElementTree.fromstring(layout_drawing(each, near=near))
        groups = [{seat for seat in [element.get("data-seat")] if seat} for element in root.iter()]
        assert set().union(*groups) == {str(seat) for seat in range(1, each.rules.seats + 1)}
        for seat in range(1, each.rules.seats + 1):
            own = [element for element in root.iter() if element.get("data-seat") == str(seat)]
            laid = [key for element in own for key in element.get("data-wagers", "").split("|") if key in wagers_of(each)]
            assert sorted(laid) == sorted(wagers_of(each))  # each once
            places = {
                place: sum(1 for area in own if area.get("data-place") == place for _ in slots(area))
                for place in ("player", "fourth")
            }
            assert places == {"player": dealt(each, Place.PLAYER), "fourth": dealt(each, Place.FOURTH)}
        for place, law in (("dealer", Place.DEALER), ("community", Place.COMMUNITY)):
            count = sum(1 for area in root.iter() if area.get("data-place") == place for _ in slots(area))
            assert count == dealt(each, law)


def slots(area: ElementTree.Element) -> list[ElementTree.Element]:
    return [rect for rect in area.iter("{http://www.w3.org/2000/svg}rect") if "slot" in rect.get("class", "")]


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_the_near_seat_and_the_dealers_cards_are_shown_whole_and_no_other_seat(game: str) -> None:
    plan = near_plan(offer(game), 3)
    x, y, wide, high = map(float, focus(plan).split())

    def inside(box: areas.Corners) -> list[bool]:
        return [x <= a <= x + wide and y <= b <= y + high for a, b in box]

    for spot in plan.dealer:
        assert all(inside(areas.corners(spot)))
    for place in plan.placements:
        for spot in plan.seat:
            found = inside(areas.corners(spot, place))
            assert all(found) if place.seat == 3 else not any(found)


def test_paper_has_nothing_for_screens() -> None:
    drawn = layout_drawing(offer("649a"))
    assert not any(word in drawn for word in ("data-place", "data-wagers", "data-focus", "slot", "caption"))


def test_a_label_is_broken_where_it_becomes_largest() -> None:
    assert fit("PAIR PLUS", 76, 84, round_=True)[0] == ["PAIR", "PLUS"]
    assert fit("ANTE", 76, 84, round_=True)[0] == ["ANTE"]


# The looks


def png(wide: int = 2, high: int = 1) -> bytes:
    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = b"".join(b"\0" + b"\x80" * wide for _ in range(high))
    return (
        PNG
        + part(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0))
        + part(b"IDAT", zlib.compress(rows))
        + part(b"IEND", b"")
    )


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0H40V20H0Z"/></svg>'


def test_a_logo_is_an_svg_or_a_png_and_appears_in_the_drawing() -> None:
    assert (logo(png()).kind, logo(png()).ratio) == ("png", 2.0)
    assert (logo(SVG).kind, logo(SVG).ratio) == ("svg", 2.0)
    drawn = layout_drawing(offer("649a"), Look(logo=logo(SVG)))
    assert "data:image/svg+xml;base64," in drawn and "Example Casino" not in drawn


@pytest.mark.parametrize(
    "data",
    [
        b"not an image",
        b"<html/>",
        png()[:-20],
        png().replace(b"IDAT", b"IDAX"),
        SVG.replace(b"<path", b"<script>alert(1)</script><path"),
        SVG.replace(b"<path", b'<path onload="x()"'),
        SVG.replace(b"<path", b'<image href="http://example.com/a.png"/><path'),
        SVG.replace(b"<path", b'<use href="http://example.com/a.svg#a"/><path'),
        SVG.replace(b"<path", b'<path fill="url(http://example.com/a)"'),
        SVG.replace(b"<path", b"<style>@import url(x)</style><path"),
        SVG.replace(b"<path", b"<foreignObject/><path"),
        b'<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG,
        SVG.replace(b' viewBox="0 0 40 20"', b""),
        SVG + b" " * 2_000_001,
    ],
)
def test_a_logo_that_is_not_an_image_or_does_more_than_draw_is_refused(data: bytes) -> None:
    with pytest.raises(Refusal):
        logo(data)


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "folder", "large.png", "a\0b", "x" * 300])
def test_a_logo_is_looked_at_before_it_is_read(tmp_path: Path, name: str) -> None:
    """In a separate process limited to 4 GB: a device never ends, and a pipe without a writer never starts."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with (tmp_path / "large.png").open("wb") as file:
        file.truncate(8 * 1024**3)
    code = f"""
import resource
from pathlib import Path
from croupier.law.cite import Refusal
from croupier.printed.drawing.logo import read_logo
resource.setrlimit(resource.RLIMIT_AS, (4 * 1024**3, 4 * 1024**3))
try:
    read_logo(Path({str(tmp_path)!r}) / {name!r})
except Refusal as refusal:
    print(refusal.said, "|", refusal.accepted)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert "the logo" in done.stdout or "bytes" in done.stdout, done.stderr[-500:]
    assert done.stdout.strip().split("|")[1]


def test_a_picture_of_too_many_pixels_is_refused() -> None:
    """A few bytes can expand to gigabytes."""
    with pytest.raises(Refusal) as refused:
        logo(png(10_000, 2_000))
    assert "pixels" in refused.value.said


def test_the_operator_chooses_the_looks(tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_bytes(SVG)
    raw = {"felt": "#123", "lines": "#fff", "accent": "#FFD700", "logo": "logo.svg", "four_colours": True,
        "help_line": "Call  someone.", "dated": date(2026, 3, 1), "paper": "a4"}  # fmt: skip
    found = read_look(raw, tmp_path)
    assert (str(found.felt), found.help_line, found.paper, found.dated) == ("#112233", "Call someone.", "a4", date(2026, 3, 1))
    assert "#112233" in layout_drawing(offer("649a"), found)


@pytest.mark.parametrize(
    "raw",
    [
        [],
        {"colour": "#fff"},
        {"felt": "green"},
        {"felt": "#777777"},
        {"lines": "#1f4d36"},
        {"accent": "#2f5d45"},
        {"logo": "nowhere.svg"},
        {"logo": 5},
        {"dated": "yesterday"},
        {"four_colours": "yes"},
        {"paper": "napkin"},
        {"help_line": 5},
    ],
    ids=str,
)
def test_impossible_looks_are_refused_with_what_would_be_accepted(raw: Any) -> None:
    with pytest.raises(Refusal) as refused:
        read_look(raw, HERE)
    assert refused.value.accepted


def test_the_house_colors_can_be_read() -> None:
    look = Look()
    assert contrast(look.lines, look.felt) >= 4.5 and contrast(look.accent, look.felt) >= 4.5
