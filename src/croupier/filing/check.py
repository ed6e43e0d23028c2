"""The checker: takes a Rules Submission as plain data, returns findings, and an Offer if none of them is an error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from croupier import book
from croupier.filing.finding import SUBMISSION, Checked, Finding, Severity, cents_of
from croupier.filing.limit_floor import limit_floor
from croupier.filing.offer import ADDED_ROWS, IDLE_SECONDS, Devices, Offer, Progressive
from croupier.law.chapter import Rules
from croupier.law.cite import Cite, Refusal, Status
from croupier.law.paytable import Envy, Meter, Paytable
from croupier.law.procedure import AdjacentBoxes, Dealing, IdleSpread, Method, Reshuffler
from croupier.law.wager import GameVersion
from croupier.money import MOST_TO_ONE, ROUNDINGS, Cents, Kind, dollars, show_money, show_rate, to

TERMS = "amount, rate, reserve, seed and reseed"
KEYS = (
    "game", "edition", "facility", "form", "wagers", "paytables", ADDED_ROWS, "envy", "progressives", "linked", "adjacent_boxes",
    "minimum", "maximum", "wager_limits", "payout_limit", "rounding", "dealing", "decisions", "system", "readings", "printed",
)  # fmt: skip


MOST_SECONDS = 3_600
SHORT_SECONDS = 5  # a shorter time for a decision is allowed, with a warning
LEAST_IDLE_SECONDS = 60  # any less, and the cards would be spread between rounds
ANY = range(2**64)  # numbers that TOML may have
METER_NAME = r"[A-Za-z0-9][A-Za-z0-9 -]{0,79}"


def check(submission: Mapping[str, Any], *, rules: Rules | None = None, case: bool = False, opened: bool = False) -> Checked:
    """Check a submission. In a case, anything not named gets its default; a submission must name everything.

    A submission that a table has already `opened` with need not name readings added since.
    """
    return _Checker(submission, case=case, opened=opened).run(rules)


@dataclass
class _Checker:
    raw: Mapping[str, Any]
    case: bool
    opened: bool
    rules: Rules = field(init=False)
    findings: list[Finding] = field(default_factory=list)

    def run(self, rules: Rules | None) -> Checked:
        about = "game"
        try:
            chapter = rules.chapter if rules else book.find(self._word("game") or "")
            about = "edition"
            self.rules = rules or chapter.edition(self._word("edition"))
        except Refusal as refusal:
            return Checked((Finding(Severity.ERROR, refusal.cite, about, refusal.said, refusal.accepted),), None)
        for key in self.raw:
            if key not in KEYS:
                self.error(SUBMISSION, key, "is not part of a Rules Submission", ", ".join(KEYS))
        self._edition()
        offer = self._offer()
        self._needed_readings(offer)
        offer = self._payout_limit(offer)
        self._envy_letters(offer)
        failed = any(finding.severity is Severity.ERROR for finding in self.findings)
        return Checked(tuple(self.findings), None if failed else offer)

    def _offer(self) -> Offer:
        form = self._form()
        wagers = self._wagers()
        return Offer(
            rules=self.rules,
            facility=self._facility(),
            form=form,
            wagers=wagers,
            letters=self._letters(form, wagers),
            added=self._added(form),
            envy=self._envy(wagers),
            progressives=self._progressives(wagers),
            linked=self._linked(wagers),
            adjacent_boxes=self._boxes(),
            **self._limits(),
            payout_limit=None,
            rounding=self._rounding(),
            devices=self._dealing(),
            decision_seconds=self._decision_seconds(),
            draws=self._draws(wagers),
            readings=self._readings(),
        )

    def _report_unknown(self, key: str, name: str, kind: str, known: Iterable[str], clause: str) -> None:
        """Report a name that this edition does not have."""
        self.error(self.rules.cite(clause), f"{key}: {name}", f"is not {kind} of this edition", ", ".join(known) or "none")

    # findings

    def error(self, cite: Cite | str, about: str, found: str, accepted: str) -> None:
        self.findings.append(Finding(Severity.ERROR, str(cite), about, found, accepted))

    def warn(self, cite: Cite | str, about: str, found: str, accepted: str = "") -> None:
        self.findings.append(Finding(Severity.WARNING, str(cite), about, found, accepted))

    def note(self, cite: Cite | str, about: str, found: str) -> None:
        self.findings.append(Finding(Severity.NOTE, str(cite), about, found))

    # reading plain data by name: anything invalid becomes a finding, never an exception

    def _word(self, key: str, default: str = "") -> str:
        """A choice by name. Anything else (a number, a list, a date) is returned as text, which matches no name."""
        return str(self.raw.get(key, default))

    def _mapping(self, key: str) -> Mapping[str, Any]:
        value = self.raw.get(key, {})
        if not isinstance(value, Mapping):
            self.error(SUBMISSION, key, f"“{value}” is not a table of names and values", f"[{key}]")
            self.raw = {**self.raw, key: {}}  # report it once, however often it is read
            return {}
        return value

    def _amount(self, about: str, value: object, cite: Cite | str) -> Cents | None:
        if (cents := cents_of(value)) >= 0:
            return cents
        found = "is missing" if value is None else f"“{value}” is not an amount"
        self.error(cite, about, found, "dollars and whole cents, not negative")
        return None

    def _percent(self, about: str, value: object, cite: Cite | str) -> Fraction | None:
        if isinstance(value, str) and (match := re.fullmatch(r"(\d+(?:\.\d+)?)\s*%", value.strip())):
            return Fraction(Decimal(match[1])) / 100
        found = "is missing" if value is None else f"“{value}” is not a rate"
        self.error(cite, about, found, 'a percentage such as "14%"')
        return None

    def _whole(self, about: str, value: object, allowed: range, cite: Cite | str, accepted: str) -> int:
        """A whole number. Reports one that is not allowed, and returns the least that is."""
        if type(value) is int and value in allowed:
            return value
        self.error(cite, about, "is missing" if value is None else f"“{value}”", accepted)
        return allowed[0]

    # the parts of a submission

    def _edition(self) -> None:
        edition, newest = self.rules.edition, self.rules.chapter.newest
        if self.case:
            return
        here = self.rules.chapter.citation
        if not self._word("edition"):
            self.note(here, "edition", f"not named; using the newest, {newest}")
        if edition != newest:
            self.warn(here, "edition", f"{edition} is not the newest edition", newest.name)
        if edition.status not in (Status.CODIFIED, Status.EXAMPLE):
            self.note(here, "edition", f"{edition} is a {edition.status.value} text ({edition.source})")

    def _facility(self) -> str:
        value = self.raw.get("facility", "")
        if not self.case and (not isinstance(value, str) or not value.strip()):
            found = f"“{value}” is not text" if value else "is missing"
            self.error(SUBMISSION, "facility", found, "the name of the licensed facility")
        return str(value)

    def _form(self) -> str:
        form, forms = self._word("form"), {rule.cite.clause: rule for rule in self.rules.of(GameVersion)}
        if form and form not in forms:
            known = ", ".join(f"“{clause}” ({rule.words})" for clause, rule in forms.items())
            self.error(self.rules.cite("7"), "form", f"“{form}” is not a version of the game", known or "none in this chapter")
            form = ""
        return form

    def _wagers(self) -> frozenset[str]:
        optional = self.rules.optional
        named = self.raw.get("wagers", optional if self.case else None)
        if not isinstance(named, Sequence) or isinstance(named, str):
            self.error(SUBMISSION, "wagers", "the optional wagers you offer are not listed", "a list of names, empty for none")
            named = []
        names = Counter(map(str, named))
        for name, times in names.items():
            if times > 1:
                self.note(self.rules.cite("7"), f"wagers: {name}", "is listed more than once")
            if name not in optional and name in {wager.name for wager in self.rules.wagers.values()}:
                self.note(self.rules.cite("7"), f"wagers: {name}", "is always part of the game and need not be listed")
            elif name not in optional:
                self._report_unknown("wagers", name, "an optional wager", optional, "7")
        return frozenset(optional) & frozenset(names)

    def _needed(self, table: Paytable, wagers: frozenset[str]) -> bool:
        """Must the submission name a letter for this table?"""
        offered = table.name in wagers or table.name not in self.rules.optional
        return table.lettered and table.name not in self.rules.envy_schedules and offered

    def _letters(self, form: str, wagers: frozenset[str]) -> dict[str, str]:
        raw, tables = self._mapping("paytables"), self.rules.paytables(form)
        lettered = {table.name for table in tables.values() if self._needed(table, frozenset(tables))}
        for name in raw:
            if name in self.rules.envy_schedules:
                found = "an envy schedule is not chosen here"
                self.error(tables[name].cite, f"paytables: {name}", found, "the key “envy”, if there are two schedules")
            elif name not in tables:
                self._report_unknown("paytables", name, "a paytable", sorted(lettered), "12")
        letters: dict[str, str] = {}
        for name, table in tables.items():
            if name in self.rules.envy_schedules:
                continue
            letter = str(raw[name]) if name in raw else table.letters[0] if self.case else None
            if name in raw and letter not in table.columns:
                self.error(table.cite, f"paytables: {name}", f"there is no paytable “{letter}”", " or ".join(table.letters))
            elif self._needed(table, wagers):
                if letter is None:
                    self.error(table.cite, f"paytables: {name}", "no letter is named", " or ".join(table.letters))
                    continue
                letters[name] = letter
                if lost := ", ".join(row for row, column in sorted(table.reconstructed) if column == letter):
                    found = f"{letter} has rows that are missing from the text and were reconstructed: {lost}"
                    self.note(table.cite, f"paytables: {name}", found)
            elif name in raw and not self.case:
                why = "this table has one column" if not table.lettered else "the wager is not offered"
                self.note(table.cite, f"paytables: {name}", f"the letter has no effect: {why}")
        return letters

    def _added(self, form: str) -> dict[str, Any]:
        raw, added = self._mapping(ADDED_ROWS), {}
        adding = {table.name: table for table in self.rules.paytables(form).values() if table.adds}
        for name, value in raw.items():
            table = adding.get(name)
            about = f"{ADDED_ROWS}: {name}"
            if table is None or table.adds is None:
                clause = next((each.adds.clause.rpartition("(")[0] for each in self.rules.of(Paytable) if each.adds), "12")
                known = ", ".join(adding) or "none in this edition"
                self.error(self.rules.cite(clause), about, "no row can be added to this table", known)
            elif type(value) is not int or not table.adds.at_least.amount <= value <= MOST_TO_ONE:
                least = f"odds to 1 as a whole number, {table.adds.at_least.amount} or more; at most {MOST_TO_ONE:,} here"
                self.error(self.rules.cite(table.adds.clause), about, f"“{value}”", least)
            else:
                added[name] = to(value)
        return added

    def _envy(self, wagers: frozenset[str]) -> str:
        lettered = next((envy for envy in self.rules.of(Envy) if envy.lettered), None)
        named = self._word("envy") if "envy" in self.raw else None
        letters = next(iter(lettered.schedules.values())).letters if lettered else ()
        if named is not None and named not in letters:
            known = " or ".join(letters) or "none: this edition has at most one schedule"
            self.error(lettered.cite if lettered else self.rules.cite("12"), "envy", f"there is no schedule “{named}”", known)
        if lettered and named is None and lettered.wager.name in wagers and not self.case:
            self.error(lettered.cite, "envy", "no schedule is named", " or ".join(letters))
        return named if named in letters else next(iter(letters), "")

    def _envy_letters(self, offer: Offer) -> None:
        """Check the schedule against the letter of the wager's own paytable, under the reading that ties them."""
        for envy in self.rules.of(Envy):
            letter = offer.letters.get(envy.wager.name, "")
            if offer.reads(envy.follows) and offer.offers(envy.wager) and letter != offer.envy:
                found = f"schedule {offer.envy} is filed with paytable {letter} of the {envy.wager.name}"
                self.error(envy.cite, "envy", found, f"{letter}, or the reading under which schedules are selected separately")

    def _progressives(self, wagers: frozenset[str]) -> dict[str, Progressive]:
        raw, terms = self._mapping("progressives"), {}
        for name in raw:
            if name not in self.rules.meters:
                self._report_unknown("progressives", name, "a progressive wager", self.rules.meters, "12")
        for name, meter in self.rules.meters.items():
            if name not in wagers:
                if name in raw:
                    self.note(meter.cite, f"progressives: {name}", "the wager is not offered, so its terms have no effect")
            elif isinstance(raw.get(name), Mapping):
                if found := self._terms(name, meter, raw[name]):
                    terms[name] = found
            elif not self.case or name in raw:
                self.error(meter.cite, f"progressives: {name}", "its terms are missing", TERMS)
        return terms

    def _terms(self, name: str, meter: Meter, raw: Mapping[str, Any]) -> Progressive | None:
        about, before = f"progressives: {name}", len(self.findings)
        for key in raw:
            if key not in ("amount", "rate", "reserve", "seed", "reseed"):
                self.error(meter.cite, about, f"“{key}” is not a term of a meter", TERMS)
        amount = self._amount(f"{about}, amount", raw.get("amount"), meter.cite)
        if amount is None:
            return None
        if not amount:
            self.error(meter.cite, f"{about}, amount", "$0 is not a wager", "more than $0")
            return None
        if (amounts := meter.wager.amounts) and not amounts.allows(amount, {}):
            found = f"the code does not allow {show_money(amount)}"
            self.error(self.rules.cite(amounts.clause), f"{about}, amount", found, amounts.words)
            return None
        letter = str(self._mapping("paytables").get(name, "A"))
        letter = letter if letter in meter.seed else "A"
        rate = self._percent(f"{about}, rate", raw.get("rate"), meter.cite)
        reserve = self._percent(f"{about}, reserve", raw.get("reserve", "0%"), meter.cite)
        if rate is not None:
            self._figure(meter, f"{about}, rate", rate, meter.rate.get(letter), show_rate)
            if not 0 < rate < 1:
                self.error(
                    meter.cite,
                    f"{about}, rate",
                    f"{show_rate(rate)} is not a rate of progression",
                    "more than 0%, and less than 100%",
                )
        if reserve is not None and reserve != meter.reserve:
            found = f"{show_rate(reserve)} is not the code's figure"
            self.error(meter.cite, f"{about}, reserve", found, show_rate(meter.reserve))
        sums = []
        for key, again in (("seed", False), ("reseed", True)):
            value = self._amount(f"{about}, {key}", raw.get(key), meter.cite)
            if value is not None:
                self._figure(meter, f"{about}, {key}", value, meter.seed_for(letter, amount, again=again), show_money)
            sums.append(value)
        if rate is None or reserve is None or None in sums or any(f.severity is Severity.ERROR for f in self.findings[before:]):
            return None
        return Progressive(amount, rate, reserve, sums[0] or 0, sums[1] or 0)

    def _figure(self, meter: Meter, about: str, value: Any, law: Any, words: Callable[[Any], str]) -> None:
        """Check a figure against the one that the code fixes or sets as a minimum."""
        if law is None:
            return
        if meter.exact and value != law:
            self.error(meter.cite, about, f"{words(value)} is not the code's figure", words(law))
        elif value < law:
            self.error(meter.cite, about, f"{words(value)} is below the code's minimum", f"at least {words(law)}")

    def _boxes(self) -> int:
        rule = self.rules.of(AdjacentBoxes)[0]
        value = self.raw.get("adjacent_boxes", 1 if self.case or not rule.chosen_by_submission else None)
        most, accepted = 1, "1: a player may wager on one position only"
        if rule.chosen_by_submission:
            most, accepted = self.rules.seats, f"a whole number from 1 to {self.rules.seats}"
        if type(value) is not int or not 1 <= value <= most:
            self.error(rule.cite, "adjacent_boxes", "is missing" if value is None else f"“{value}” boxes are not allowed", accepted)
            value = 1
        return value

    def _limits(self) -> dict[str, Any]:
        for key in ("minimum", "maximum"):
            if key not in self.raw and not self.case:
                self.error(SUBMISSION, key, "is missing", "dollars")
        low = self._amount("minimum", self.raw.get("minimum", 5), SUBMISSION)
        high = self._amount("maximum", self.raw.get("maximum", 0), SUBMISSION) or 0
        if low == 0:
            self.error(SUBMISSION, "minimum", "$0 is not a wager", "more than $0")
        low = low or dollars(1)
        if "maximum" in self.raw and high < low:
            found = f"{show_money(high)} is below the minimum of {show_money(low)}"
            self.error(SUBMISSION, "maximum", found, f"at least {show_money(low)}")
        own: dict[str, tuple[Cents, Cents]] = {}
        names = {wager.name for wager in self.rules.wagers.values() if not wager.made_by_decision}
        for name, pair in self._mapping("wager_limits").items():
            about = f"wager_limits: {name}"
            if name not in names:
                self.error(
                    SUBMISSION, about, "is not a wager of this edition that can have its own limits", ", ".join(sorted(names))
                )
                continue
            if not isinstance(pair, Mapping) or set(pair) != {"minimum", "maximum"}:
                self.error(SUBMISSION, about, "needs a minimum and a maximum, and nothing else", "{ minimum = 1, maximum = 100 }")
                continue
            least = self._amount(f"{about}, minimum", pair["minimum"], SUBMISSION)
            most = self._amount(f"{about}, maximum", pair["maximum"], SUBMISSION)
            amounts = next(wager.amounts for wager in self.rules.wagers.values() if wager.name == name)
            if amounts:
                self.error(self.rules.cite(amounts.clause), about, "the code fixes the amount of this wager", amounts.words)
            elif meter := self.rules.meters.get(name):
                self.error(meter.cite, about, "the amount of this wager is filed with its meter", "the amount under [progressives]")
            elif least is not None and most is not None:
                self._own_limits(name, least, most, low, high)
                own[name] = (least, most)
        return {"minimum": low, "maximum": high, "wager_limits": own}

    def _own_limits(self, name: str, least: Cents, most: Cents, low: Cents, high: Cents) -> None:
        """Check a wager's own limits against the table's, which apply to each wager that is dealt cards on its own."""
        about, own = f"wager_limits: {name}", f"{show_money(least)} to {show_money(most)}"
        if not 0 < least <= most:
            self.error(SUBMISSION, about, f"{own} is not a range", "a minimum above $0 and no higher than the maximum")
        elif name in self.rules.entitled and (least < low or (high and most > high)):
            found = f"{own} is outside the table's limits, which apply to a wager that is dealt cards"
            accepted = f"{show_money(low)} to {show_money(high)}" if high else f"{show_money(low)} or more"
            self.error(SUBMISSION, about, found, accepted)
        elif least < low and not self.case:
            self.note(SUBMISSION, about, f"its minimum of {show_money(least)} is below the table's, {show_money(low)}")

    def _linked(self, wagers: frozenset[str]) -> dict[str, str]:
        """Names of the meters shared with other tables, by wager."""
        linked: dict[str, str] = {}
        meters = {name: meter for name, meter in self.rules.meters.items() if name in wagers}
        for wager, name in self._mapping("linked").items():
            about = f"linked: {wager}"
            if wager not in meters:
                self.error(SUBMISSION, about, "is not a progressive wager that you offer", ", ".join(meters) or "none")
            elif not isinstance(name, str) or not re.fullmatch(METER_NAME, name):
                self.error(meters[wager].cite, about, f"“{name}” is not a meter name", "letters, digits, spaces and hyphens")
            elif name in linked.values():
                self.error(meters[wager].cite, about, f"two wagers are linked to the meter “{name}”", "a separate meter for each")
            else:
                linked[wager] = name
                if not meters[wager].linked:
                    self.warn(meters[wager].system, about, "this text describes one table's system, not linked tables")
        return linked

    def _payout_limit(self, offer: Offer) -> Offer:
        """Check the limit against its floor, which depends on everything else that is offered."""
        value, limit = self.raw.get("payout_limit"), self.rules.limit
        if value is None:
            return offer
        if limit is None:
            self.error(self.rules.cite("12"), "payout_limit", "this chapter does not allow a payout limit", "none")
            return offer
        amount = self._amount("payout_limit", value, limit.cite)
        if amount is not None and amount < (floor := limit_floor(offer)):
            self.error(limit.cite, "payout_limit", f"{show_money(amount)} is below its floor", f"at least {show_money(floor)}")
        return replace(offer, payout_limit=amount)

    def _rounding(self) -> str:
        rule = self._word("rounding", "down to the cent")
        if "rounding" not in self.raw and not self.case:
            self.error(SUBMISSION, "rounding", "is missing", ", ".join(ROUNDINGS))
        if rule in ROUNDINGS:
            return rule
        found = f"“{rule}”: odds are paid in full, and only fractions of a cent are rounded"
        self.error(_fractional_odds(self.rules), "rounding", found, ", ".join(ROUNDINGS))
        return "down to the cent"

    def _dealing(self) -> Devices:
        raw, parts = self._mapping("dealing"), ("method", "shuffler", "counts_cards", "reshuffles", "decks")
        known = (*parts, "stores_deck", "idle_seconds")
        for key in raw:
            if key not in known:
                self.error(SUBMISSION, "dealing", f"“{key}” is not a setting", ", ".join(known))
        for key in parts if not self.case else ():
            if key not in raw:
                self.error(SUBMISSION, f"dealing, {key}", "is missing", ", ".join(parts))
        offered = {dealing.method.value: dealing for dealing in self.rules.of(Dealing)}
        method = str(raw.get("method", "manual shoe"))
        if method not in offered:
            found = f"“{method}” is not a dealing method of this chapter"
            self.error(self.rules.cite("8"), "dealing, method", found, ", ".join(offered))
            method = "manual shoe"
        one_or_two = "1, or 2 with a shuffling device"
        decks = self._whole("dealing, decks", raw.get("decks", 1), range(1, 3), self.rules.cite("3(a)"), one_or_two)
        flags = {key: raw.get(key, False) for key in (*parts[1:4], "stores_deck")}
        for key, value in flags.items():
            if not isinstance(value, bool):
                self.error(SUBMISSION, f"dealing, {key}", f"“{value}” is not true or false", "true or false")
                flags[key] = False
        value, allowed = raw.get("idle_seconds", IDLE_SECONDS), range(LEAST_IDLE_SECONDS, MOST_SECONDS + 1)
        seconds = f"a whole number of seconds, {LEAST_IDLE_SECONDS} to {MOST_SECONDS:,}"
        idle = self._whole("dealing, idle_seconds", value, allowed, self.rules.cite("5(f)"), seconds)
        devices = Devices(Method(method), **flags, decks=decks, idle_seconds=idle)
        self._devices(offered[method], devices)
        return devices

    def _devices(self, dealing: Dealing, devices: Devices) -> None:
        """Check that the devices meet the needs of the method and the decks."""
        cite, shuffler = self.rules.cite, "shuffler = true"
        if devices.decks == 2 and not devices.shuffler:
            self.error(cite("3(b)"), "dealing, decks", "two decks require a shuffling device", f"{shuffler}, or decks = 1")
        if dealing.needs_shuffler and not devices.shuffler:
            self.error(cite("9(a)(1)"), "dealing, shuffler", "dealing from the hand requires a shuffling device", shuffler)
        if devices.counts_cards and not (devices.shuffler or devices.reshuffles):
            self.error(cite("5(b)"), "dealing, counts_cards", "only a shuffling device can count the cards", shuffler)
        if devices.method is Method.CONTINUOUS_SHOE and not devices.reshuffles:
            self.error(dealing.cite, "dealing, reshuffles", "this method requires a shoe that reshuffles", "reshuffles = true")
        device = self.rules.of(Reshuffler)[0]
        if devices.reshuffles and device.counts and not devices.counts_cards:
            found = "a device that reshuffles automatically must also count the cards"
            self.error(device.cite, "dealing, counts_cards", found, "counts_cards = true, or reshuffles = false")
        idle = self.rules.of(IdleSpread)[0]
        if devices.stores_deck and not idle.device:
            self.error(idle.cite, "dealing, stores_deck", "this edition spreads every deck of an idle table", "no stores_deck")
        elif devices.stores_deck and not (devices.shuffler and devices.decks == 2):
            found = "only a shuffling device can store one deck while the other is in play"
            self.error(idle.device[0], "dealing, stores_deck", found, "shuffler = true with decks = 2, or no stores_deck")
        elif devices.stores_deck:
            found = "the procedures for the stored deck must be approved by the gaming laboratory"
            self.note(idle.device[0], "dealing, stores_deck", found)
        if devices.reshuffles:
            self.note(cite("5(g)"), "dealing, reshuffles", "the device must be approved by the gaming laboratory")

    def _decision_seconds(self) -> int:
        """The time limit for a decision. No chapter sets one, so there is none unless it is filed."""
        raw = self._mapping("decisions")
        for key in raw:
            if key != "seconds":
                self.error(SUBMISSION, f"decisions: {key}", "is not a setting", "seconds")
        accepted = f"a whole number of seconds up to {MOST_SECONDS:,}, 0 for no limit"
        seconds = self._whole("decisions, seconds", raw.get("seconds", 0), range(MOST_SECONDS + 1), SUBMISSION, accepted)
        if 0 < seconds < SHORT_SECONDS:
            advice = f"“{seconds}” is allowed, but leaves players hardly any time to decide; consider {SHORT_SECONDS} or more"
            self.warn(SUBMISSION, "decisions, seconds", advice)
        return seconds

    def _draws(self, wagers: frozenset[str]) -> dict[str, int]:
        """How often the system draws: once in this many rounds on average, 0 for never."""
        raw = self._mapping("system")
        asked = next((settlement.wager for settlement in self.rules.settlements if settlement.drawn), None)
        if asked is None:
            if raw:
                self.error(self.rules.cite("2"), "system", "no wager in this edition uses a table game system", "no [system]")
            return {}
        for key in raw:
            if key not in self.rules.draws:
                self.error(asked.cite, f"system: {key}", "is not something the system draws", " and ".join(self.rules.draws))
        every, accepted = 1 if self.case else None, "a whole number N, to draw in one round out of N; 0 for never"
        drawn = self.rules.draws if asked.name in wagers else ()
        return {key: self._whole(f"system: {key}", raw.get(key, every), ANY, asked.cite, accepted) for key in drawn}

    def _readings(self) -> dict[str, str]:
        raw, readings = self._mapping("readings"), {reading.name: reading.default for reading in self.rules.readings.values()}
        by_question = {reading.question: reading.name for reading in self.rules.readings.values()}
        for asked, named in raw.items():
            alternative = str(named)
            reading = self.rules.readings.get(by_question.get(asked, asked))
            if reading is None:
                known = ", ".join(self.rules.readings)
                self.error(self.rules.chapter.citation, f"readings: {asked}", "is not a reading in this edition", known)
            elif alternative not in reading.alternatives:
                found = f"“{alternative}” is not one of the alternatives"
                self.error(reading.cite, f"readings: {asked}", found, " or ".join(reading.alternatives))
            else:
                readings[reading.name] = alternative
                if alternative != reading.default and not self.case:
                    found = f"“{alternative}” is not the default reading, “{reading.default}”"
                    self.note(reading.cite, f"readings: {reading.name}", found)
        return readings

    def _needed_readings(self, offer: Offer) -> None:
        """Report readings the filing must name, about a limit, a meter, an Envy Bonus or a wager that is offered; and cautions."""
        named, limit = self.raw.get("readings"), self.raw.get("payout_limit")
        keys = {"payout_limit": limit, "decisions": offer.decision_seconds, "progressives": offer.progressives}
        filed = {*offer.wagers, *(key for key, value in keys.items() if value)}
        for reading in self.rules.readings.values() if not self.case and not self.opened else ():
            if reading.needed_by in filed and not (isinstance(named, Mapping) and {reading.name, reading.question} & named.keys()):
                found = f"is not named, and “{reading.needed_by}” is ambiguous without it"
                self.error(reading.cite, f"readings: {reading.name}", found, " or ".join(reading.alternatives))
        for name, reading in self.rules.readings.items():
            if (caution := reading.cautions.get(offer.readings[name])) and reading.concerns in offer.wagers:
                self.warn(reading.cite, f"readings: {name}", f"“{offer.readings[name]}”: {caution}", f"“{reading.sound}”")


def _fractional_odds(rules: Rules) -> Cite:
    """The clause of odds such as 3 to 2, which coarse rounding changes first; if there are none, the clause of even money."""
    columns = [(table.cite.clause, column) for table in rules.of(Paytable) for column in table.columns.values()]
    paid = [(clause, odds) for clause, column in columns for odds in column.values()]
    lines = (line for each in rules.settlements for _, lines in each.every_case() for line in lines)
    paid += [(line.clause, line.odds) for line in lines if line.odds]
    broken = (clause for clause, odds in paid if odds.kind is Kind.TO and odds.amount.denominator > 1)
    return rules.cite(next(broken, "12(a)"))
