"""How well the documents of a library were read, for `veriloop doctor`; tells only of what the caller may see."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .parsed_view import finding_text, pages_with_pictures

if TYPE_CHECKING:
    from pathlib import Path

    from ...knowledge.documents import Caller, Document
    from ...knowledge.library import Library
    from ...knowledge.quality import Quality

GOOD_SCORE = 0.9
POOR_SCORE = 0.7
_SHOWN_FINDINGS = 3


class ParseScore(NamedTuple):
    """A document with what its parse is worth; None where that was not kept when it was added."""

    document: Document
    quality: Quality | None

    @property
    def worth(self) -> float:
        """Its score; documents without one come after all others."""
        return 2.0 if self.quality is None else self.quality.score

    def described(self, folder: Path) -> str:
        """Score, name, what is wrong and how to look at it, in one line."""
        quality = self.quality
        if quality is None:
            return f"{self.document.name}: not scored"
        faults = "; ".join(finding_text(finding) for finding in quality.findings[:_SHOWN_FINDINGS])
        look = f"veriloop show {shlex.quote(self.document.doc_id)} --parsed --library {shlex.quote(str(folder))}"
        return f"{quality.score:.2f}  {self.document.name}: {faults}; look: {look}"

    def as_document(self) -> dict[str, object]:
        """The same as JSON."""
        return {
            "subject": "parse",
            "state": "ok" if self.worth >= GOOD_SCORE else "note",
            "message": self.document.name,
            "doc_id": self.document.doc_id,
            "score": None if self.quality is None else self.quality.score,
            "findings": [] if self.quality is None else [one.model_dump(mode="json") for one in self.quality.findings],
            "unread_pages": list(self.document.unread_pages),
        }


def parse_scores(library: Library, caller: Caller) -> list[ParseScore]:
    """The documents that the caller may read, the worst read first."""
    documents = (summary.document for summary in library.documents(caller))
    scores = []
    for document in documents:
        record = library.parse_record(document.doc_id, caller)
        scores.append(ParseScore(document, None if record is None else record.quality))
    return sorted(scores, key=lambda score: (score.worth, score.document.name))


def summary_of(scores: Sequence[ParseScore]) -> str:
    """How many documents were read how well, in one line."""
    known = [score.worth for score in scores if score.quality is not None]
    unknown = len(scores) - len(known)
    later = f"; {unknown} added before scores were kept (add them with --again)" if unknown else ""
    if not known:
        return f"no document is scored{later}"
    good, poor = sum(one >= GOOD_SCORE for one in known), sum(one < POOR_SCORE for one in known)
    middle = len(known) - good - poor
    return f"{good} read well, {middle} with faults, {poor} badly; mean {sum(known) / len(known):.2f}{later}"


def unread_lines(scores: Sequence[ParseScore]) -> list[str]:
    """A line for each document with pages that were not read."""
    documents = (score.document for score in sorted(scores, key=lambda score: score.document.name))
    return [
        f"{document.name}: {pages_with_pictures(document.unread_pages)}"
        for document in documents
        if document.unread_pages
    ]
