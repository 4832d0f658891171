"""What is known about a document beside its text, from all who say something about it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from ...knowledge.description import Description
from ...knowledge.document_dates import stated_dates
from ...knowledge.documents import EVERYONE, Document
from ...knowledge.elements import ParsedDocument
from ...knowledge.metadata import Beside, Layers, Statement, first_of
from ...knowledge.query.kinds import kind_in_title
from ...knowledge.replacing import replaced_titles
from ...knowledge.text.normalise import normalise_match, well_formed
from .state import SourceFile

# A title that a program has noted is believed where the text begins with it, too.
_BEGINNING = 12
_SHORTEST_TITLE = 2


def describe(
    source: SourceFile, version: str, parsed: ParsedDocument, before: Document | None, new_id: str, beside: Beside
) -> Document:
    """The record of a document that was just read.

    Args:
        source: the file, with what the person says of it.
        version: of its content.
        parsed: its text and what it says of itself.
        before: what was known of the document, if it is here already.
        new_id: its id where it is new.
        beside: what the files beside it say.
    """
    layers = _told(source, before, beside).model_copy(update={"file": _said_inside(source, parsed)})
    return Document(
        # A document that was moved keeps its id.
        doc_id=new_id if before is None else before.doc_id,
        version=version,
        source_uri=source.source_uri,
        name=source.name,
        media_type=parsed.media_type,
        updated_at=datetime.now(UTC),
        pages=parsed.pages,
        unread_pages=parsed.unread_pages,
        **_fields(layers, source.name),
    )


def redescribed(source: SourceFile, before: Document, beside: Beside) -> Document | None:
    """The record of a document whose content has not changed; None where its text must be read for it.

    The title stands in what is searched, so that a document with another one is read again.
    """
    layers = _told(source, before, beside)
    described = before.model_copy(update=_fields(layers, before.name))
    return described if described.title == before.title else None


def moved(before: Document, source_uri: str, name: str, beside: Beside) -> Document:
    """The record of a document whose file lies elsewhere now: what is said there holds, its text stays as it is."""
    layers = Layers.of(before).told_beside(beside)
    return before.model_copy(update={"source_uri": source_uri, "name": name, **_fields(layers, name)})


def same_description(one: Document, other: Document) -> bool:
    """Whether two records say the same of a document, whoever has said it."""
    return one == other.model_copy(update={"statements": one.statements})


def _told(source: SourceFile, before: Document | None, beside: Beside) -> Layers:
    said = Statement(description=source.described, readers=source.readers)
    return Layers.of(before).told_by_hand(said).told_beside(beside)


def _said_inside(source: SourceFile, parsed: ParsedDocument) -> Statement:
    """What a document says of itself: front matter first, then its text; of its properties the title alone.

    The dates of its properties tell when a program has saved it, not when it was issued. How much authority it has
    is for others to say: whoever can write a document could make it win over the law.
    """
    front = parsed.described
    title = well_formed((front.title or parsed.title or _noted_title(parsed)).strip())
    kinds = (kind_in_title(title or PurePosixPath(source.name).stem), kind_in_title(source.path.stem))
    stated = stated_dates(parsed.elements, is_minutes="minutes" in kinds)
    before_text = Description(
        title=title or None,
        doc_type=front.doc_type or None,
        domain=front.domain or None,
        published_at=front.published_at or parsed.published_at,
        effective_from=front.effective_from,
        effective_to=front.effective_to,
        replaces=front.replaces or None,
    )
    text = Description(
        published_at=stated.published_at,
        effective_from=stated.effective_from,
        effective_to=stated.effective_to,
        replaces=replaced_titles(parsed.elements) or None,
    )
    return first_of((Statement(description=before_text), Statement(description=text)))


def _noted_title(parsed: ParsedDocument) -> str:
    noted = normalise_match(parsed.properties.title)
    beginning = normalise_match("\n".join(element.text for element in parsed.elements[:_BEGINNING]))
    return parsed.properties.title if len(noted) >= _SHORTEST_TITLE and noted in beginning else ""


def _fields(layers: Layers, name: str) -> dict[str, Any]:
    """The fields of a document that are told, as what each source says of it makes them."""
    merged = layers.merged
    told = merged.description
    return {
        "title": told.title or PurePosixPath(name).stem,
        "doc_type": told.doc_type or None,
        "domain": told.domain or None,
        "authority": told.authority or 0,
        "published_at": told.published_at,
        "effective_from": told.effective_from,
        "effective_to": told.effective_to,
        "replaces": told.replaces or (),
        "readers": EVERYONE if merged.readers is None else merged.readers,
        "statements": layers.as_text(),
    }
