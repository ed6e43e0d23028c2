"""The API of the administrator: Rules Submissions filed, approved, compared and printed."""

from __future__ import annotations

import asyncio
from datetime import date, datetime
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import Parameter

from croupier import book
from croupier.filing.offer import Offer
from croupier.filing.submission import MOST_BYTES
from croupier.floor.filings import Filed, KeptFinding
from croupier.floor.premises import Premises
from croupier.law.cite import Refusal
from croupier.money import Cents, percent
from croupier.printed import difference as differing
from croupier.printed.form import choices
from croupier.table.state import offer_of
from croupier.web.back_office import MINE, WAIT, Asked, BackOffice, note
from croupier.web.edges import Edges
from croupier.web.errors import Denied
from croupier.web.printing import has_odds
from croupier.web.schema import refuses, sends

Id = Annotated[str, Parameter(max_length=64, pattern="^[0-9a-f]{8,64}$", description="The submission: the beginning of its hash.")]


class NewSubmission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(min_length=1, description="A Rules Submission in TOML.")]


class Approval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    effective: date


class Withdrawal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class FiledSeen(msgspec.Struct, frozen=True):
    """A submission: its findings with their clauses, its approval, and which tables are played under it."""

    id: str
    at: int
    by: str
    game: str
    title: str
    edition: str
    facility: str
    offer: str
    findings: tuple[KeptFinding, ...]
    status: str
    effective: str
    in_effect: bool
    approved_by: str
    withdrawn_by: str
    because: str
    tables: tuple[str, ...]


class ChangeSeen(msgspec.Struct, frozen=True):
    what: str
    before: str
    after: str
    cite: str


class EffectSeen(msgspec.Struct, frozen=True):
    """A wager's edge in both; the yearly win in cents, rounded."""

    wager: str
    edge_before: str
    edge_after: str
    average: Cents
    win_before: Cents
    win_after: Cents


class DifferenceSeen(msgspec.Struct, frozen=True):
    """What the second submission changes of the first. `effects` is empty while odds are being worked out."""

    before: str
    after: str
    choices: tuple[ChangeSeen, ...]
    payouts: tuple[ChangeSeen, ...]
    effects: tuple[EffectSeen, ...]
    odds: str  # "known", "being worked out"


class Making(msgspec.Struct, frozen=True):
    """Not there yet: ask again."""

    says: str


PRINTED = refuses(409) | {
    200: sends(bytes, "The document, in the format that was asked for.", "*/*"),
    202: sends(Making, "It is being made; ask again."),
}


class FilingsController(Controller):
    path = "/api"
    tags = ["administrator"]  # noqa: RUF012

    @get("/submissions", opt=MINE)
    async def submissions(self, premises: Premises) -> list[FiledSeen]:
        """All submissions, the newest first."""
        return [filed_seen(each, premises) for each in await asyncio.to_thread(premises.filings.all)]

    @post("/submissions", opt=MINE)
    async def file(self, data: NewSubmission, request: Asked, premises: Premises) -> FiledSeen:
        """File a Rules Submission. Its findings are part of the answer; one with errors is kept, but cannot be approved."""
        if len(data.text.encode(errors="replace")) > MOST_BYTES:
            raise Denied(413, f"A submission has at most {MOST_BYTES // 1024} KiB.")
        return filed_seen(await asyncio.to_thread(premises.filings.file, data.text, request.user.name), premises)

    @get("/submissions/{id:str}", opt=MINE)
    async def submission_filed(self, id: Id, premises: Premises) -> FiledSeen:
        return filed_seen(await asyncio.to_thread(premises.filings.get, id), premises)

    @get("/submissions/{id:str}/text", opt=MINE, media_type="text/plain")
    async def submission_text(self, id: Id, premises: Premises) -> str:
        """As it was filed."""
        return await asyncio.to_thread(premises.filings.text, id)

    @post("/submissions/{id:str}/approve", opt=MINE, status_code=200)
    async def approve(self, id: Id, data: Approval, request: Asked, premises: Premises) -> FiledSeen:
        """Approve a submission without errors, in effect from a day on. The person who filed it is refused: another approves."""
        return filed_seen(await asyncio.to_thread(premises.filings.approve, id, request.user.name, data.effective), premises)

    @post("/submissions/{id:str}/withdraw", opt=MINE, status_code=200)
    async def withdraw(self, id: Id, data: Withdrawal, request: Asked, premises: Premises) -> FiledSeen:
        """No table is opened under it any more. Tables that are open play on under what they were opened with."""
        return filed_seen(await asyncio.to_thread(premises.filings.withdraw, id, request.user.name, data.why), premises)

    @get("/submissions/{id:str}/difference/{other:str}", opt=MINE, responses=refuses(409))
    async def difference(
        self,
        id: Id,
        other: Id,
        premises: Premises,
        edges: Edges,
        hands_per_hour: Annotated[int, Parameter(ge=0, le=100_000)] = 240,
        hours: Annotated[int, Parameter(ge=0, le=10_000)] = 4000,
    ) -> DifferenceSeen:
        """What the other submission changes of this one, clause by clause, and what it does to each edge and the yearly win."""
        texts = [await asyncio.to_thread(_text_of_an_offer, premises, each) for each in (id, other)]
        play = differing.Play(hands_per_hour, hours, {})
        found = await asyncio.to_thread(_difference, offer_of(texts[0]), offer_of(texts[1]), play)
        if found.odds != "known":
            for text in texts:
                edges.want(text)
        return msgspec.structs.replace(found, before=id, after=other)

    @get("/submissions/{id:str}/print/{document:str}", opt=MINE, responses=PRINTED)
    async def print_document(
        self,
        id: Id,
        document: Annotated[
            str, Parameter(max_length=20, description="layout, sign, guide, strategy, mathematics, submission, all")
        ],
        request: Asked,
        premises: Premises,
        office: BackOffice,
        form: Annotated[str, Parameter(query="format", max_length=4, description="pdf, svg, html or png")] = "pdf",
    ) -> Response[Any]:
        """A document of a submission as a file; several pages or documents come as a ZIP. Status 202: ask again."""
        text = await asyncio.to_thread(_text_of_an_offer, premises, id)
        sheet = await office.shop.ask(id, text, document, form, WAIT)
        if isinstance(sheet, str):
            return Response(Making(sheet), status_code=202, headers={"Retry-After": "3"})
        await note(premises, request, f"printed the {document} of the submission {id} as {form}")
        headers = {"Content-Disposition": f'attachment; filename="{sheet.name}"', "Cache-Control": "no-store"}
        return Response(sheet.data, media_type=sheet.media, headers=headers)


def filed_seen(filed: Filed, premises: Premises) -> FiledSeen:
    title = book.find(filed.game).title if filed.game else ""
    tables = tuple(name for name, standing in premises.standings.items() if standing.filing == filed.id)
    told = {name: getattr(filed, name) for name in filed.__struct_fields__}
    return FiledSeen(**told, title=title, in_effect=is_in_effect(filed, premises), tables=tables)


def is_in_effect(filed: Filed, premises: Premises) -> bool:
    day = datetime.fromtimestamp(premises.clock() / 1000, premises.filings.zone).date().isoformat()
    return filed.status == "approved" and filed.effective <= day


def need_in_effect(filed: Filed, premises: Premises) -> None:
    if filed.status != "approved":
        said = "was withdrawn" if filed.status == "withdrawn" else "is not approved"
        raise Denied(409, f"The submission {filed.id} {said}. A table is opened under one that is approved and in effect.")
    if not is_in_effect(filed, premises):
        raise Denied(409, f"The submission {filed.id} is in effect from {filed.effective} on, not before.")


def _text_of_an_offer(premises: Premises, id: str) -> str:
    """The text of a submission that makes an Offer; one with errors is neither printed nor compared."""
    filed = premises.filings.get(id)
    if not filed.offer:
        first = filed.errors[0] if filed.errors else None
        said = f"the submission {filed.id} has errors" + (f": {first.about}: {first.found}" if first else "")
        raise Refusal(said, first.cite if first else "601a.2", first.accepted if first else "")
    return premises.filings.text(id)


def _difference(one: Offer, other: Offer, play: differing.Play) -> DifferenceSeen:
    """Choices and payouts at once; the edges where both odds have been worked out."""
    if has_odds(one) and has_odds(other):
        found = differing.difference(one, other, play)
        return DifferenceSeen("", "", _changes(found.choices), _changes(found.payouts), tuple(map(_effect, found.effects)), "known")
    if one.rules.number != other.rules.number:
        raise Refusal(f"the filings are of {one.rules.number} and {other.rules.number}", "601a.2", "two filings of one game")
    chosen = differing.changes(*({(item, cite): choice for item, choice, cite in choices(each)} for each in (one, other)))
    paid = differing.changes(differing.payouts(one), differing.payouts(other))
    return DifferenceSeen("", "", _changes(chosen), _changes(paid), (), "being worked out")


def _changes(found: Any) -> tuple[ChangeSeen, ...]:
    return tuple(ChangeSeen(each.what, each.before, each.after, each.cite) for each in found)


def _effect(found: differing.Effect) -> EffectSeen:
    before, after = ("not offered" if edge is None else percent(edge) for edge in (found.before, found.after))
    return EffectSeen(found.wager, before, after, found.average, round(found.win_before), round(found.win_after))
