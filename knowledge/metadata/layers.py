"""Who said what of a document, kept with it: so that a value goes when its source does, and a person's word stays."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, ValidationError

from ..description import Description
from ..documents import Document
from .beside import Beside
from .statement import Statement, first_of

_NOTHING = Statement()


class Layers(BaseModel):
    """What each source says of a document, the one that goes first at the top."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hand: Statement = _NOTHING
    """a person, on the command line or through the library; holds until the person says otherwise"""
    sidecar: Statement = _NOTHING
    folder: Statement = _NOTHING
    file: Statement = _NOTHING
    """the document's front matter, then its text, then its properties"""
    known: Statement = _NOTHING
    """what was known before sources were noted"""

    @property
    def merged(self) -> Statement:
        """What holds."""
        return first_of((self.hand, self.sidecar, self.folder, self.file, self.known))

    @classmethod
    def of(cls, document: Document | None) -> Layers:
        """What was said of a stored document.

        Readers that differ from what was said were set through the library itself, by a person.
        """
        if document is None:
            return cls()
        stored = _stored(document)
        readers = stored.merged.readers or frozenset()
        if document.readers == readers:
            return stored
        hand = stored.hand.model_copy(update={"readers": document.readers})
        return stored.model_copy(update={"hand": hand})

    def told_by_hand(self, said: Statement) -> Layers:
        """The same after a person has said something; an empty text takes back what was said or known before."""
        given = {name: value for name, value in said.description if value is not None}
        forgotten = {name for name, value in given.items() if value == ""}
        kept = self.hand.model_copy(
            update={"description": self.hand.description.model_copy(update=dict.fromkeys(forgotten))}
        )
        hand = Statement(
            description=said.description.model_copy(update=dict.fromkeys(forgotten)), readers=said.readers
        ).before(kept)
        known = self.known.description.model_copy(update=dict.fromkeys(given))
        return self.model_copy(update={"hand": hand, "known": self.known.model_copy(update={"description": known})})

    def told_beside(self, beside: Beside) -> Layers:
        """The same with what the files beside the document say now.

        Readers that are named nowhere any more stay: a rule that was lost must not open a document.
        """
        changed = self.model_copy(update={"sidecar": beside.sidecar, "folder": beside.folder})
        if changed.merged.readers is not None or not self.merged.readers:
            return changed
        return changed.model_copy(update={"known": self.known.model_copy(update={"readers": self.merged.readers})})

    def as_text(self) -> str:
        """What is stored with the document."""
        return self.model_dump_json(exclude_none=True, exclude_defaults=True)


def _stored(document: Document) -> Layers:
    if document.statements is not None:
        try:
            return Layers.model_validate_json(document.statements)
        except ValidationError:
            pass  # of another version of this program: what holds is in the document itself
    # Before sources were noted, only people gave a type, a domain, an authority and readers.
    hand = Description(doc_type=document.doc_type, domain=document.domain, authority=document.authority or None)
    dates = Description(
        title=document.title,
        published_at=document.published_at,
        effective_from=document.effective_from,
        effective_to=document.effective_to,
        replaces=document.replaces or None,
    )
    return Layers(
        hand=Statement(description=hand, readers=document.readers or None), known=Statement(description=dates)
    )
