"""What was looked up for the numbered parts that a question names. These types may stand in a checkpoint."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from ..evidence.models import Span


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AddressedPart(_Frozen):
    """A numbered part of one document, with the stretches of its blocks in reading order."""

    said: str = Field(description="its label as the question writes it")
    document: str = Field(description="the document's name")
    places: tuple[tuple[str, Span], ...] = Field(min_length=1, description="block ids, each with the stretch of it")


class Addressed(_Frozen):
    """What the labels of a question lead to."""

    parts: tuple[AddressedPart, ...] = ()
    is_whole: bool = Field(description="whether the parts themselves are wanted, and nothing beside them")
    is_named: bool = Field(description="whether the question names the document")
    lacking: tuple[tuple[str, str], ...] = Field(
        default=(),
        description="labels that a document has not, each with its name; an empty label: no such document",
    )
    names: tuple[str, ...] = Field(default=(), description="the names of documents as the normalised question has them")
    others: tuple[str, ...] = Field(default=(), description="further documents that have such a part")

    @property
    def is_settled(self) -> bool:
        """Whether nothing has to be searched: the part itself is wanted and there, or it is known not to be there."""
        return (bool(self.lacking) and not self.parts) or (bool(self.parts) and self.is_whole)
