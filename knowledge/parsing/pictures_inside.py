"""Adds the text of the pictures inside Word files and slides, which often are scans, to what their readers found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ...errors import InputFileError
from ..elements import Doubt, Element, ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from ..text.counting import counted
from . import ocr, outline, sniff
from .archives import DAMAGED
from .lines import east_asian_share
from .pictures import EmbeddedPicture, picture_texts, size_of

_MOST_PICTURES = 40  # of a file; a picture takes one to five seconds on two cores
_LEAST_PIXELS = 30_000  # below which a picture is a logo, an icon or a signature
_PAGE_PIXELS = 400_000  # from which a picture may hold a page of text: a page of 75 dpi has 540,000
_LITTLE_TEXT = 300  # characters, up to which the pictures of a file probably hold its content
_NOTHING = "nothing to index"
_INSTALL = "pip install 'veriloop[ocr]' recognises their text"


def with_pictures(
    path: Path, media_type: str, read: Callable[[], ParsedDocument], options: ParseOptions
) -> ParsedDocument:
    """What a reader found, with the pictures' text at its end, on slides behind the other text of the slide.

    Args:
        read: calls the reader; that it finds nothing is an error only if the pictures hold no text either.
    """
    try:
        parsed, failure = read(), None
    except InputFileError as error:
        if not error.reason.startswith(_NOTHING):
            raise
        parsed, failure = None, error
    elements = parsed.elements if parsed else ()
    if media_type not in _FINDERS or any(element.doubt is Doubt.RECOGNISED for element in elements):
        return _or_raise(parsed, failure)
    pictures = list(_worth_reading(path, media_type))
    if not pictures:
        return _or_raise(parsed, failure)
    if not (options.ocr and ocr.available()):
        return _with_note(path, parsed, failure, pictures)
    found = picture_texts(pictures[:_MOST_PICTURES], options)
    left = len(pictures) - _MOST_PICTURES
    notes = [*found.notes, *([_note(f"{left} of {len(pictures)} pictures, more than are read")] if left > 0 else [])]
    if not found.parts:
        return _or_raise(parsed.model_copy(update={"notes": (*parsed.notes, *notes)}) if parsed else None, failure)
    if parsed is None:
        bare = outline.finish(path, media_type, found.parts, told=outline.Told(notes=notes))
        return bare.model_copy(update={"reader": "ocr"})
    return _joined(parsed, outline.settle(found.parts), notes)


def _or_raise(parsed: ParsedDocument | None, failure: InputFileError | None) -> ParsedDocument:
    if parsed is None:
        raise failure or AssertionError("a reader gives a document or an error")
    return parsed


def _joined(parsed: ParsedDocument, added: tuple[Element, ...], notes: list[ParseNote]) -> ParsedDocument:
    if all(element.page is None for element in added):
        chinese = east_asian_share("".join(element.text for element in added)) > 0.3
        head = outline.heading("图片中的文字" if chinese else "Text in pictures", 1)
        elements = (*parsed.elements, *outline.settle([head]), *added)
    else:
        elements = tuple(sorted((*parsed.elements, *added), key=lambda element: element.page or 0))
    read = {element.page for element in added}
    return parsed.model_copy(
        update={
            "elements": elements,
            "unread_pages": tuple(page for page in parsed.unread_pages if page not in read),
            "notes": (*parsed.notes, *notes),
        }
    )


def _with_note(
    path: Path, parsed: ParsedDocument | None, failure: InputFileError | None, pictures: list[EmbeddedPicture]
) -> ParsedDocument:
    """Without recognition: named are pictures that may be pages, all of them where there is hardly any other text."""
    if parsed is None:
        advice = "recognising it is switched off (parsing.ocr)" if ocr.available() else _INSTALL
        raise InputFileError(str(path), f"{_NOTHING}: it holds only pictures; {advice}") from failure
    little = sum(len(element.text) for element in parsed.elements) < _LITTLE_TEXT
    unread = [picture for picture in pictures if little or _pixels(picture) >= _PAGE_PIXELS]
    if not unread:
        return parsed
    advice = "recognition is off" if ocr.available() else _INSTALL
    note = _note(f"{counted(len(unread), 'picture')}, such as {unread[0].name}: {advice}")
    return parsed.model_copy(update={"notes": (*parsed.notes, note)})


def _note(detail: str) -> ParseNote:
    return ParseNote(kind=ParseNoteKind.UNREAD, detail=detail)


def _worth_reading(path: Path, media_type: str) -> Iterator[EmbeddedPicture]:
    """The pictures that are large enough to hold text, each once."""
    seen: set[bytes] = set()
    try:
        for picture in _FINDERS[media_type](path):
            if picture.content not in seen and _pixels(picture) >= _LEAST_PIXELS:
                seen.add(picture.content)
                yield picture
    except DAMAGED:
        return


def _pixels(picture: EmbeddedPicture) -> int:
    """Of a picture; 0 if it is none that can be read, such as a drawing."""
    size = size_of(picture.content)
    return size[0] * size[1] if size else 0


def _of_word(path: Path) -> Iterator[EmbeddedPicture]:
    import docx  # noqa: PLC0415

    for name, content in _images(docx.Document(str(path)).part):
        yield EmbeddedPicture(name, content)


def _of_slides(path: Path) -> Iterator[EmbeddedPicture]:
    import pptx  # noqa: PLC0415

    for number, slide in enumerate(pptx.Presentation(str(path)).slides, start=1):
        for name, content in _images(slide.part):
            yield EmbeddedPicture(name, content, number)


def _images(part: object) -> Iterator[tuple[str, bytes]]:
    for relation in part.rels.values():  # type: ignore[attr-defined]
        if relation.reltype.endswith("/image") and not relation.is_external:
            target = relation.target_part
            yield str(target.partname).rsplit("/", 1)[-1], bytes(target.blob)


_FINDERS: dict[str, Callable[[Path], Iterator[EmbeddedPicture]]] = {sniff.DOCX: _of_word, sniff.PPTX: _of_slides}
