"""Rules Submissions that were filed: their findings, their approval and the day it takes effect, their withdrawal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from typing import Any, Literal

import msgspec

from croupier.filing.finding import SUBMISSION, Checked, Finding, Severity
from croupier.filing.submission import MARK, MOST_BYTES, read_submission
from croupier.floor.registers.names import name_key
from croupier.floor.registers.register import HouseRefusal, Register, RegisterEvent, tidy
from croupier.law.cite import Refusal
from croupier.ledger import Entry

VERSION = 1
MOST_FINDINGS = 100  # kept for one filing: enough to fix it, and no file grows the log by much more than its own size
SHORTEST_ID = 8  # digits of its hash; more where two filings share them

FilingStatus = Literal["filed", "approved", "withdrawn"]


class KeptFinding(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A finding as it was when the submission was filed."""

    severity: Literal["error", "warning", "note"]
    cite: str
    about: str
    found: str
    accepted: str = ""

    @classmethod
    def of(cls, finding: Finding) -> KeptFinding:
        return cls(finding.severity.value, finding.cite, tidy(finding.about), tidy(finding.found), tidy(finding.accepted))


class Filed(msgspec.Struct, frozen=True):
    """A filing as it stands."""

    id: str
    at: int
    by: str
    game: str  # "649a"; empty if that could not be read
    edition: str
    facility: str
    offer: str  # the Offer's hash; empty while there are errors
    findings: tuple[KeptFinding, ...]
    status: FilingStatus = "filed"
    effective: str = ""  # the first day, "2027-01-15"
    approved_by: str = ""
    withdrawn_by: str = ""
    because: str = ""  # of the withdrawal

    def is_by(self, name: str) -> bool:
        """Whether this person filed it, or filed it again: somebody else has to approve it."""
        return name_key(name) == name_key(self.by)

    @property
    def errors(self) -> tuple[KeptFinding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "error")


class AboutSubmission(RegisterEvent, frozen=True, kw_only=True):
    id: str


class SubmissionFiled(AboutSubmission, frozen=True, kw_only=True, tag="submission filed"):
    text: str
    game: str = ""
    edition: str = ""
    facility: str = ""
    offer: str = ""
    findings: tuple[KeptFinding, ...] = ()

    def says(self) -> str:
        return f"filed the submission {self.id}" + (
            f" for {self.game} at {tidy(self.facility)}" if self.offer else ", which has errors"
        )


class FiledAgain(AboutSubmission, frozen=True, kw_only=True, tag="filed again"):
    """The same text was filed after it was withdrawn. It has to be approved again."""

    sentence = "filed the submission {0.id} again"


class SubmissionApproved(AboutSubmission, frozen=True, kw_only=True, tag="submission approved"):
    effective: str
    offer: str

    sentence = "approved the submission {0.id}, in effect from {0.effective}"


class SubmissionWithdrawn(AboutSubmission, frozen=True, kw_only=True, tag="submission withdrawn"):
    because: str

    sentence = "withdrew the submission {0.id}: {0.because}"


FilingEvent = SubmissionFiled | FiledAgain | SubmissionApproved | SubmissionWithdrawn
Events = Sequence[FilingEvent]


class Filings(Register[FilingEvent]):
    """The filings stream. A day begins at midnight UTC."""

    stream = "filings"
    events, newest = FilingEvent, VERSION

    def _begin(self) -> None:
        self._filings: dict[str, Filed] = {}
        self._texts: dict[str, str] = {}

    def file(self, text: str, by: str) -> Filed:
        """Keep a submission with its findings. The same text is the same filing and is not kept twice."""
        text = text.removeprefix(MARK)
        digest = sha256(_bounded(text)).hexdigest()
        checked = read_submission(text)

        def decide() -> Events:
            now, known = self.clock(), self._id(digest, text)
            if known not in self._filings:
                return [_filed(checked, v=VERSION, at=now, by=by, id=known, text=text)]
            again = FiledAgain(v=VERSION, at=now, by=by, id=known)
            return [again] if self._filings[known].status == "withdrawn" else []

        with self._lock:
            self._write(decide)
            return self._filings[self._id(digest, text)]

    def _id(self, digest: str, text: str) -> str:
        """The shortest beginning of the text's hash that no other filing has."""
        for length in range(SHORTEST_ID, len(digest) + 1):
            if self._texts.get(digest[:length], text) == text:
                return digest[:length]
        raise AssertionError("two texts with one hash")

    def approve(self, id: str, by: str, effective: date) -> Filed:
        """Approve a filing without errors, effective from a day on. Whoever filed it cannot also approve it.

        It is checked again, because the book may have been corrected since it was filed.
        """
        checked = read_submission(self.text(id))

        def decide() -> Events:
            filed = self._known(id)
            if filed.status == "withdrawn":
                raise HouseRefusal(f"the submission {id} was withdrawn. To have it approved, file it again")
            if filed.status == "approved":
                raise HouseRefusal(
                    f"the submission {id} is already approved, in effect from {filed.effective}",
                    "withdrawing it and filing it again",
                )
            if filed.errors and checked.offer is not None:
                raise Refusal(f"the submission {id} was filed with errors", SUBMISSION, "a submission without errors")
            offer = checked.offer_or_refuse().hash  # or the first error that is found today
            if filed.is_by(by):
                reason = f"the submission {id} was filed by {filed.by}, who cannot also approve it"
                raise HouseRefusal(reason, "approval by another administrator, under their own login", "not allowed")
            now, day = self.clock(), effective.isoformat()
            return [SubmissionApproved(v=VERSION, at=now, by=by, id=id, effective=day, offer=offer)]

        self._write(decide)
        return self.get(id)

    def withdraw(self, id: str, by: str, why: str) -> Filed:
        because = tidy(why)
        if not because:
            raise HouseRefusal("give a reason for the withdrawal")

        def decide() -> Events:
            if self._known(id).status == "withdrawn":
                raise HouseRefusal(f"the submission {id} is already withdrawn")
            return [SubmissionWithdrawn(v=VERSION, at=self.clock(), by=by, id=id, because=because)]

        self._write(decide)
        return self.get(id)

    # reading

    def all(self) -> list[Filed]:
        """All filings, the newest first."""
        with self._current():
            return list(reversed(self._filings.values()))

    def get(self, id: str) -> Filed:
        with self._current():
            return self._known(id)

    def text(self, id: str) -> str:
        with self._current():
            return self._texts[self._known(id).id]

    def texts(self) -> dict[str, str]:
        """The texts of all filings, by id."""
        with self._current():
            return dict(self._texts)

    def _known(self, id: str) -> Filed:
        if filed := self._filings.get(id):
            return filed
        raise HouseRefusal(f"there is no submission {tidy(id)}", kind="unknown")

    # the fold

    def _fold(self, event: FilingEvent, entry: Entry) -> None:
        if isinstance(event, SubmissionFiled):
            if event.id in self._filings:
                raise ValueError(f"the submission {event.id} was filed before")
            if not sha256(event.text.encode()).hexdigest().startswith(event.id):
                raise ValueError(f"the text is not that of the submission {event.id}")
            self._texts[event.id] = event.text
            self._filings[event.id] = Filed(
                event.id, event.at, event.by, event.game, event.edition, event.facility, event.offer, event.findings
            )
            return
        if event.id not in self._filings:
            raise LookupError(f"there was no submission {event.id}")
        changed: dict[str, Any]
        match event:
            case FiledAgain():
                changed = {"at": event.at, "by": event.by, "status": "filed"}
                changed |= dict.fromkeys(("effective", "approved_by", "withdrawn_by", "because"), "")
            case SubmissionApproved():
                changed = {"status": "approved", "effective": event.effective, "approved_by": event.by, "offer": event.offer}
            case SubmissionWithdrawn():
                changed = {"status": "withdrawn", "withdrawn_by": event.by, "because": event.because}
        self._filings[event.id] = msgspec.structs.replace(self._filings[event.id], **changed)


def _bounded(text: str) -> bytes:
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise Refusal("the submission is not text", SUBMISSION, "text in UTF-8") from None
    if len(data) > MOST_BYTES:
        raise Refusal(f"the submission has {len(data):,} bytes", SUBMISSION, f"at most {MOST_BYTES:,}")
    return data


def _filed(checked: Checked, **fields: Any) -> SubmissionFiled:
    """The event of a new submission, with its errors first, so that none is lost among notes."""
    ordered = sorted(checked.findings, key=lambda finding: list(Severity).index(finding.severity))
    fields["findings"] = tuple(map(KeptFinding.of, ordered[:MOST_FINDINGS]))
    if offer := checked.offer:
        rules = offer.rules
        fields |= {"game": rules.number, "edition": rules.edition.name, "facility": offer.facility, "offer": offer.hash}
    return SubmissionFiled(**fields)
