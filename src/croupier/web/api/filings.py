"""The API of the administrator: Rules Submissions filed, approved, compared and printed."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from mimetypes import guess_type
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import Parameter
from msgspec.structs import asdict, replace

from croupier import book
from croupier.filing.submission import MOST_BYTES
from croupier.floor.premises import Premises
from croupier.floor.registers.filings import Filed, KeptFinding
from croupier.law.cite import Refusal
from croupier.money import Cents, percent
from croupier.odds.return_warnings import cautions
from croupier.printed.documents.difference import Change, Effect, PlayVolume, difference
from croupier.table.state import offer_of
from croupier.web.errors import Denied
from croupier.web.schema import refuses, sends
from croupier.web.security.guards import ADMINISTRATORS_ONLY, UserRequest, note
from croupier.web.workers.odds_worker import Edges
from croupier.web.workers.print_worker import PrintShop, has_odds

Id = Annotated[
    str, Parameter(max_length=64, pattern="^[0-9a-f]{8,64}$", description="The submission, by the first digits of its hash.")
]


class NewSubmission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(min_length=1, description="A Rules Submission in TOML.")]


class Approval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    effective: date


class Withdrawal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class FiledSeen(Filed, frozen=True, kw_only=True):
    """A submission: its findings with their clauses, its approval, and the tables that use it."""

    title: str
    in_effect: bool
    tables: tuple[str, ...]
    cautions: Annotated[
        tuple[KeptFinding, ...] | None,
        msgspec.Meta(
            description="Wagers that return too much or too little. Only with one submission; null until its odds are known."
        ),
    ] = None


class EffectSeen(msgspec.Struct, frozen=True):
    """A wager's edge in both submissions; the yearly win in cents, rounded."""

    wager: str
    edge_before: str
    edge_after: str
    average: Cents
    win_before: Cents
    win_after: Cents


class DifferenceSeen(msgspec.Struct, frozen=True):
    """What the second submission changes in the first. `effects` is empty while odds are being computed."""

    before: str
    after: str
    choices: tuple[Change, ...]
    payouts: tuple[Change, ...]
    effects: tuple[EffectSeen, ...]
    odds: str  # "known", "being worked out"


class Making(msgspec.Struct, frozen=True):
    """Not ready yet: ask again."""

    says: str


PRINTED = refuses(409) | {
    200: sends(bytes, "The document, in the requested format.", "*/*"),
    202: sends(Making, "It is being created; ask again later."),
}


class FilingsController(Controller):
    path = "/api"
    tags = ["administrator"]  # noqa: RUF012
    opt = ADMINISTRATORS_ONLY

    @get("/submissions")
    async def submissions(self, premises: Premises) -> list[FiledSeen]:
        """All submissions, newest first."""
        return await all_filed(premises)

    @post("/submissions")
    async def file(self, data: NewSubmission, request: UserRequest, premises: Premises) -> FiledSeen:
        """File a Rules Submission. The response has its findings; one with errors is kept but cannot be approved."""
        if len(data.text.encode(errors="replace")) > MOST_BYTES:
            raise Denied(413, f"A submission can be at most {MOST_BYTES // 1024} KiB.")
        return filed_seen(await asyncio.to_thread(premises.filings.file, data.text, request.user.name), premises)

    @get("/submissions/{id:str}")
    async def submission_filed(self, id: Id, premises: Premises, edges: Edges) -> FiledSeen:
        return await with_cautions(await asyncio.to_thread(premises.filings.get, id), premises, edges)

    @get("/submissions/{id:str}/text", media_type="text/plain")
    async def submission_text(self, id: Id, premises: Premises) -> str:
        """The text as it was filed."""
        return await asyncio.to_thread(premises.filings.text, id)

    @post("/submissions/{id:str}/approve", status_code=200)
    async def approve(self, id: Id, data: Approval, request: UserRequest, premises: Premises) -> FiledSeen:
        """Approve a submission without errors, in effect from a date. Whoever filed it cannot approve it."""
        return filed_seen(await asyncio.to_thread(premises.filings.approve, id, request.user.name, data.effective), premises)

    @post("/submissions/{id:str}/withdraw", status_code=200)
    async def withdraw(self, id: Id, data: Withdrawal, request: UserRequest, premises: Premises) -> FiledSeen:
        """Withdraw a submission: no more tables open under it. Tables that are open keep the rules they opened with."""
        return filed_seen(await asyncio.to_thread(premises.filings.withdraw, id, request.user.name, data.why), premises)

    @get("/submissions/{id:str}/difference/{other:str}", responses=refuses(409))
    async def difference(
        self,
        id: Id,
        other: Id,
        premises: Premises,
        edges: Edges,
        hands_per_hour: Annotated[int, Parameter(ge=0, le=100_000)] = 240,
        hours: Annotated[int, Parameter(ge=0, le=10_000)] = 4000,
    ) -> DifferenceSeen:
        """What the other submission changes in this one, clause by clause, and the effect on each edge and the yearly win."""
        texts = [await asyncio.to_thread(_text_of_an_offer, premises, each) for each in (id, other)]
        one, another = map(offer_of, texts)
        known = await asyncio.to_thread(has_odds, one) and await asyncio.to_thread(has_odds, another)
        for text in texts if not known else ():
            edges.want(text)
        play = PlayVolume(hands_per_hour, hours, {}) if known else None  # choices and payouts need no odds
        found = await asyncio.to_thread(difference, one, another, play)
        effects = tuple(map(_effect, found.effects))
        return DifferenceSeen(id, other, found.choices, found.payouts, effects, "known" if known else "being worked out")

    @get("/submissions/{id:str}/print/{document:str}", responses=PRINTED)
    async def print_document(
        self,
        id: Id,
        document: Annotated[
            str, Parameter(max_length=20, description="layout, sign, guide, strategy, mathematics, submission, all")
        ],
        request: UserRequest,
        premises: Premises,
        shop: PrintShop,
        form: Annotated[str, Parameter(query="format", max_length=4, description="pdf, svg, html or png")] = "pdf",
    ) -> Response[Any]:
        """A document of a submission; several pages or documents come as a ZIP. Status 202: not ready, ask again."""
        text = await asyncio.to_thread(_text_of_an_offer, premises, id)
        sheet = await shop.ask(id, text, document, form)
        if isinstance(sheet, str):
            return Response(Making(sheet), status_code=202, headers={"Retry-After": "3"})
        await note(premises, request, f"printed the {document} of the submission {id} as {form}")
        headers = {"Content-Disposition": f'attachment; filename="{sheet.name}"', "Cache-Control": "no-store"}
        return Response(sheet.data, media_type=guess_type(sheet.name)[0], headers=headers)


def filed_seen(filed: Filed, premises: Premises) -> FiledSeen:
    title = book.find(filed.game).title if filed.game else ""
    tables = tuple(name for name, settings in premises.table_settings.items() if settings.filing == filed.id)
    return FiledSeen(**asdict(filed), title=title, in_effect=is_in_effect(filed, premises), tables=tables)


async def all_filed(premises: Premises) -> list[FiledSeen]:
    return [filed_seen(each, premises) for each in await asyncio.to_thread(premises.filings.all)]


async def with_cautions(filed: Filed, premises: Premises, edges: Edges) -> FiledSeen:
    """One submission, with what its odds warn of once they are known."""
    seen = filed_seen(filed, premises)
    if not filed.offer:
        return seen
    text = await asyncio.to_thread(premises.filings.text, filed.id)
    edges.want(text)
    known = edges.of(offer := offer_of(text))
    return replace(seen, cautions=tuple(map(KeptFinding.of, cautions(offer, known)))) if known else seen


def today(premises: Premises) -> str:
    """The date in UTC, by which submissions take effect."""
    return datetime.fromtimestamp(premises.clock() / 1000, UTC).date().isoformat()


def is_in_effect(filed: Filed, premises: Premises) -> bool:
    return filed.status == "approved" and filed.effective <= today(premises)


def need_in_effect(filed: Filed, premises: Premises) -> None:
    if filed.status != "approved":
        state = "was withdrawn" if filed.status == "withdrawn" else "is not approved"
        raise Denied(409, f"The submission {filed.id} {state}. Open a table under one that is approved and in effect.")
    if not is_in_effect(filed, premises):
        raise Denied(409, f"The submission {filed.id} is not in effect until {filed.effective}.")


def _text_of_an_offer(premises: Premises, id: str) -> str:
    """The text of a submission without errors; one with errors is neither printed nor compared."""
    filed = premises.filings.get(id)
    if not filed.offer:
        first = filed.errors[0]
        raise Refusal(f"the submission {filed.id} has errors: {first.about}: {first.found}", first.cite, first.accepted)
    return premises.filings.text(id)


def _effect(effect: Effect) -> EffectSeen:
    before, after = ("not offered" if edge is None else percent(edge) for edge in (effect.before, effect.after))
    return EffectSeen(effect.wager, before, after, effect.average, round(effect.win_before), round(effect.win_after))
