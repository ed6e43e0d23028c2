"""Which wagers may be made together, and for how much (section .7 and the posted limits)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from croupier.filing.offer import Offer
from croupier.law.chapter import Rules
from croupier.law.cite import Refusal
from croupier.law.procedure import AdjacentBoxes, Dealing
from croupier.law.wager import Choice, Decision, GameVersion, Wager, the
from croupier.money import Cents, show_money

Limits = tuple[Cents, Cents]  # minimum and maximum; 0 for no maximum


def wagers_named(rules: Rules, seat: int, name: str) -> tuple[Wager, ...]:
    """The wagers that a name refers to: one by its key, or several that the code names as a group."""
    if wagers := rules.wagers_by_name.get(name):
        return wagers
    known = ", ".join(dict.fromkeys(wager.key for wager in rules.wagers.values() if not wager.made_by_decision))
    found = f"seat {seat}: there is no “{name}” in this edition of chapter {rules.number}"
    raise Refusal(found, rules.cite("7(d)"), known)


def verify_boxes(rules: Rules, boxes: Collection[int], most: int) -> None:
    """Check one player's boxes: adjacent, and no more than the submission allows."""
    if len(boxes) > most or max(boxes) - min(boxes) >= len(boxes):
        accepted = f"up to {most} adjacent boxes, including the player's own" if most > 1 else "one box only"
        raise Refusal(f"boxes {', '.join(map(str, sorted(boxes)))} cannot be combined", rules.of(AdjacentBoxes)[0].cite, accepted)


def verify_stakes(offer: Offer, seat: int, stakes: Mapping[str, Cents], posted: Limits) -> None:
    """Check all of one player's wagers, as required when the dealer announces “no more bets”."""
    for key in stakes:
        verify_wager(offer, seat, offer.rules.wagers[key], stakes)
    for wager in offer.rules.wagers.values():
        if wager.key in stakes:
            verify_amount(offer, seat, wager, stakes, posted)
        else:
            _verify_absence(offer, seat, wager, stakes)
    if version := unfit_version(offer, stakes):
        raise Refusal(f"seat {seat}: the wagers do not fit this version of the game", version.cite, version.words)


def unfit_version(offer: Offer, stakes: Mapping[str, Cents]) -> GameVersion | None:
    """The filed version of the game, if it does not allow these wagers together."""
    return offer.version if offer.version and not offer.version.allows(stakes) else None


def verify_wager(offer: Offer, seat: int, wager: Wager, stakes: Mapping[str, Cents]) -> None:
    """Check whether a wager may be placed before the deal at all, given the others."""
    if wager.made_by_decision:
        found = f"seat {seat}: {the(wager.name)} is made by a decision, not before the deal"
        raise Refusal(found, offer.rules.cite("7(c)"), "only by decision")
    if not offer.offers(wager):
        offered = ", ".join(sorted(offer.wagers)) or "no optional wager"
        raise Refusal(f"seat {seat}: {the(wager.name)} is not offered", wager.cite, offered)
    if wager.lacks(stakes, offer.readings):
        needed = " or ".join(the(each.key) for each in wager.needs)
        raise Refusal(f"seat {seat}: {the(wager.name)} needs another wager", wager.cite, f"together with {needed}")


def verify_amount(offer: Offer, seat: int, wager: Wager, stakes: Mapping[str, Cents], posted: Limits) -> None:
    stake = stakes[wager.key]
    if wager.amounts and not wager.amounts.allows(stake, stakes):
        clause = offer.rules.cite(wager.amounts.clause)
        raise Refusal(f"seat {seat}: {show_money(stake)} is not a valid amount for {the(wager.name)}", clause, wager.amounts.words)
    if (terms := offer.progressives.get(wager.name)) and stake != terms.amount:
        found = f"seat {seat}: {show_money(stake)} is not the amount filed for {the(wager.name)}"
        raise Refusal(found, offer.meters[wager.name].cite, show_money(terms.amount))
    verify_limits(offer, seat, wager, stake, posted)


def stake_made(stakes: Mapping[str, Cents], decision: Decision, choice: Choice) -> tuple[str, Cents] | None:
    """The key of the wager that a choice makes, and its amount."""
    if choice.makes is None:
        return None
    wager, times = choice.makes
    stake = times * stakes[decision.base.key]
    if stake.denominator != 1:
        raise Refusal(f"{the(wager.name)} is not a whole number of cents", decision.cite, "whole cents")
    return wager.key, int(stake)


def limits_of(offer: Offer, wager: Wager, posted: Limits) -> Limits:
    """A wager's own filed minimum and maximum, or else the posted ones."""
    if wager.made_by_decision or wager.name in offer.meters or (wager.amounts and wager.amounts.fixed):
        return 0, 0  # set by the decision, the meter or the code, so posted limits do not apply
    return offer.wager_limits.get(wager.name, posted)


def verify_limits(offer: Offer, seat: int, wager: Wager, stake: Cents, posted: Limits) -> None:
    least, most = limits_of(offer, wager, posted)
    if stake < least or (most and stake > most):
        accepted = f"{show_money(least)} to {show_money(most)}" if most else f"{show_money(least)} or more"
        raise Refusal(f"seat {seat}: {show_money(stake)} on {the(wager.name)} is outside the posted limits", "601a.2", accepted)


def _verify_absence(offer: Offer, seat: int, wager: Wager, stakes: Mapping[str, Cents]) -> None:
    """Check whether the other wagers are valid without one that was not made."""
    dealing = offer.rules.of(Dealing)[0]
    entitled, alone = dealing.entitled, offer.reads(dealing.alone)
    if wager.required and not (alone and stakes):
        raise Refusal(f"seat {seat}: {the(wager.name)} is missing", wager.cite, f"together with {the(wager.name)}")
    if wager is entitled[-1] and not alone and not any(stakes.get(other.key) for other in entitled):
        names = " or ".join(other.name for other in entitled)
        raise Refusal(f"seat {seat}: none of the wagers entitles the player to cards", offer.rules.cite("7(d)"), names)
