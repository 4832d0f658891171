"""The reader of picture files, and of the pictures inside other documents."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...errors import InputFileError, MissingExtraError
from ..elements import ParsedDocument, ParseNote, ParseNoteKind, ParseOptions
from . import ocr, outline, recognised

if TYPE_CHECKING:
    from PIL.Image import Image

_MOST_PIXELS = 120_000_000  # an A3 page of 600 dpi has 70 million
_LEAST_WIDTH, _LEAST_HEIGHT = 60, 24  # pixels, below which a picture is a mark or a bullet
_MOST_EMBEDDED = 200
_UNREADABLE: tuple[type[Exception], ...] = (OSError, ValueError, SyntaxError, EOFError, struct.error, ArithmeticError)
"""What the picture library raises on damaged pictures and on kinds that it does not know."""
_OUT_OF_TIME = "recognising pictures took longer than {seconds:,g} s (parsing.ocr_seconds)"
_TOO_LARGE = "has more than 120 million pixels: make it smaller and add it again"


class EmbeddedPicture(NamedTuple):
    """A picture inside a document."""

    name: str
    """as the document calls it, such as ``image1.png``"""
    content: bytes
    page: int | None = None


class PictureTexts(NamedTuple):
    """What pictures say, and which of them nobody has read."""

    parts: list[outline.Part]
    notes: list[ParseNote]


def picture_texts(pictures: Iterable[EmbeddedPicture], options: ParseOptions) -> PictureTexts:
    """The text of a document's pictures, in their order, each picture once and marked as recognised.

    Marks and bullets are passed over. Where recognition is switched off or not installed, and for pictures that
    cannot be read, a note of the kind UNREAD names them.
    """
    parts: list[outline.Part] = []
    notes: list[ParseNote] = []
    seen: set[bytes] = set()
    budget = ocr.Budget(options.ocr_seconds)
    for picture in pictures:
        digest = sha256(picture.content).digest()
        if digest in seen:
            continue
        seen.add(digest)
        reason = "more pictures than are read" if len(seen) > _MOST_EMBEDDED else None
        try:
            with opened(io.BytesIO(picture.content)) as image:
                if image.width < _LEAST_WIDTH or image.height < _LEAST_HEIGHT:
                    continue
                if not (options.ocr and ocr.available()):
                    reason = "recognition is off" if ocr.available() else "needs pip install 'veriloop[ocr]'"
                elif budget.is_spent:
                    reason = _OUT_OF_TIME.format(seconds=budget.seconds)
                if reason is None:
                    parts += recognised.parts_of(ocr.read_picture(image), picture.page)
        except _Unreadable as error:
            reason = str(error)
        if reason is not None:
            detail = f"{picture.name}: {reason}"
            notes.append(ParseNote(kind=ParseNoteKind.UNREAD, detail=detail, page=picture.page))
    return PictureTexts(parts, notes)


class _Unreadable(Exception):  # noqa: N818
    """A picture that cannot be read; the message says why."""


@contextmanager
def opened(source: Path | io.BytesIO) -> Iterator[Image]:
    """A picture, read whole, so that nothing is left to go wrong later."""
    import PIL.Image  # noqa: PLC0415

    try:
        with warnings.catch_warnings():
            # Its bound is ours, further below; complaints about odd metadata are no concern here.
            warnings.simplefilter("ignore")
            with PIL.Image.open(source) as image:
                if image.width * image.height > _MOST_PIXELS:
                    raise _Unreadable(_TOO_LARGE)
                image.load()
                yield image
    except PIL.Image.DecompressionBombError as error:
        raise _Unreadable(_TOO_LARGE) from error
    except _UNREADABLE as error:
        raise _Unreadable("is damaged, or a kind of picture that is not read: save it as PNG") from error


def size_of(content: bytes) -> tuple[int, int] | None:
    """Width and height in pixels as a picture states them; None if it is of no kind that is read."""
    import PIL.Image  # noqa: PLC0415

    failures: tuple[type[Exception], ...] = (PIL.Image.DecompressionBombError, *_UNREADABLE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with PIL.Image.open(io.BytesIO(content)) as image:
                return image.size
    except failures:
        return None


class PictureParser:
    """Reads pictures, every page of a TIFF file; of animations the first frame."""

    media_types = ("image/jpeg", "image/png", "image/tiff", "image/gif", "image/bmp", "image/webp")

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        try:
            with opened(path) as image:
                if not options.ocr:
                    raise InputFileError(str(path), "is a picture, and recognising text is switched off (parsing.ocr)")
                if not ocr.available():
                    raise MissingExtraError(ocr.FEATURE, ocr.EXTRA)
                return _document(path, media_type, image, options)
        except _Unreadable as error:
            raise InputFileError(str(path), str(error)) from error


def _document(path: Path, media_type: str, image: Image, options: ParseOptions) -> ParsedDocument:
    frames = getattr(image, "n_frames", 1) if media_type == "image/tiff" else 1
    parts: list[outline.Part] = []
    unread: list[int] = []
    budget = ocr.Budget(options.ocr_seconds)
    for index in range(min(frames, options.most_pages)):
        image.seek(index)
        if image.width * image.height > _MOST_PIXELS:
            raise _Unreadable(_TOO_LARGE)
        found = [] if budget.is_spent else recognised.parts_of(ocr.read_picture(image), index + 1)
        parts += found
        if not found:
            unread.append(index + 1)
    if not parts:
        late = f"; {_OUT_OF_TIME.format(seconds=budget.seconds)}" if budget.is_spent else ""
        raise InputFileError(str(path), f"nothing to index: no text was recognised in the picture{late}")
    notes = []
    if budget.is_spent and unread:
        detail = _OUT_OF_TIME.format(seconds=budget.seconds)
        notes.append(ParseNote(kind=ParseNoteKind.CUT_SHORT, detail=detail))
    if frames > options.most_pages:
        notes.append(ParseNote(kind=ParseNoteKind.CUT_SHORT, detail=f"{options.most_pages} of {frames} pages"))
    parsed = outline.finish(
        path,
        media_type,
        parts,
        pages=frames,
        unread_pages=unread,
        first_heading_names=False,
        told=outline.Told(notes=notes),
    )
    return parsed.model_copy(update={"reader": "ocr"})


READER = PictureParser()
