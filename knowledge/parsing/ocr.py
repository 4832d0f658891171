"""Recognises text in pictures, Chinese and English, with the optional package `rapidocr`.

Its wheel carries the models (PP-OCRv6 small); they are named to it by path here, so that it never fetches any.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import MissingExtraError

if TYPE_CHECKING:
    from PIL.Image import Image

FEATURE = "recognising the text of pictures"
EXTRA = "ocr"

_DETECTION, _RECOGNITION = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
_LONGEST_SIDE = 2_400  # pixels; an A4 page of 205 dpi, beyond which only time and memory grow
_LEAST_SIDE = 8
_LEAST_CONTRAST = 24  # of 255 between the darkest and the lightest point of a page with anything on it
_DETECTED_SIDE = 1_600
"""Pixels of the longer side in which lines are looked for; they are read in full. Half the time of the whole size, on
clean print (8 points at 200 dots per inch) the same characters, under heavy noise 2 to 4 % fewer."""
_LEAST_DETECTED = 480  # pixels that the shorter side is brought to, so that small pictures' letters are found
_TALL = 1.5  # height by width from which the engine reads a line as if it ran downwards
_DOUBTFUL = 0.85  # mean score below which a page may stand on its head; upright print reaches 0.95
_LYING = 0.9  # what lines that run downwards count for, so that a page on its side loses against itself upright


_ONE_AT_A_TIME = Lock()


class RecognisedLine(NamedTuple):
    """A line of text, or a part of one where wide gaps divide it, in pixels of the picture turned upright."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    score: float
    """how sure the engine is, between 0.5 and 1"""


class Budget:
    """Seconds that recognising the pictures of one file may take, counted from its making; a page begun is ended."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def is_spent(self) -> bool:
        """Whether no other picture is to be begun."""
        return time.monotonic() >= self._end


def available() -> bool:
    """Whether the extra `ocr` is installed."""
    return all(find_spec(name) is not None for name in ("rapidocr", "onnxruntime"))


def read_picture(picture: Image) -> list[RecognisedLine]:
    """The lines in a picture from top to bottom, those of one height from left to right.

    A page that lies on its side or stands on its head is turned; the places are then those in the turned page.

    Raises:
        MissingExtraError: if the extra `ocr` is not installed.
    """
    if min(picture.size) < _LEAST_SIDE:
        return []
    upright = _prepared(picture)
    if _is_blank(upright):
        return []
    lines = _recognise(upright)
    ways = _worth_trying(lines)
    if ways:
        turned = [_recognise(upright.rotate(way, expand=True)) for way in ways]
        lines = max([lines, *turned], key=_weight)
    return in_reading_order(lines)


def _is_blank(picture: Image) -> bool:
    """Whether a picture is of one colour, as the backs of scanned sheets are."""
    darkest, lightest = picture.convert("L").getextrema()
    return int(lightest) - int(darkest) < _LEAST_CONTRAST  # type: ignore[arg-type]


def in_reading_order(lines: Sequence[RecognisedLine]) -> list[RecognisedLine]:
    """Lines from top to bottom; those whose middles lie within each other's height, from left to right."""
    rows: list[list[RecognisedLine]] = []
    for line in sorted(lines, key=lambda one: (one.top + one.bottom) / 2):
        if rows and _is_beside(line, rows[-1][0]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda one: one.left)]


def _is_beside(line: RecognisedLine, first: RecognisedLine) -> bool:
    middle = (line.top + line.bottom) / 2
    return first.top < middle < first.bottom and not (_is_tall(line) or _is_tall(first))


def _worth_trying(lines: Sequence[RecognisedLine]) -> list[int]:
    """By how many degrees the page may have to be turned, judging by how it reads as it is."""
    letters = sum(len(line.text) for line in lines)
    if not letters:
        return []
    lying = sum(len(line.text) for line in lines if _is_tall(line))
    mean = sum(line.score * len(line.text) for line in lines) / letters
    if lying * 2 > letters:
        return [90, 270]
    return [180] if mean < _DOUBTFUL else []


def _weight(lines: Sequence[RecognisedLine]) -> float:
    return sum(line.score**4 * len(line.text) * (_LYING if _is_tall(line) else 1) for line in lines)


def _is_tall(line: RecognisedLine) -> bool:
    return len(line.text) > 1 and line.bottom - line.top > _TALL * (line.right - line.left)


def _prepared(picture: Image) -> Image:
    """In plain colours on white, turned as its camera says, not larger than the engine makes use of."""
    import PIL.Image  # noqa: PLC0415
    from PIL import ImageOps  # noqa: PLC0415

    upright = ImageOps.exif_transpose(picture)
    upright.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    if upright.mode in {"RGBA", "LA", "PA"} or "transparency" in upright.info:
        coloured = upright.convert("RGBA")
        upright = PIL.Image.alpha_composite(PIL.Image.new("RGBA", coloured.size, "white"), coloured)
    return upright.convert("RGB")


def _recognise(picture: Image) -> list[RecognisedLine]:
    import numpy as np  # noqa: PLC0415

    engine = _engine(max(picture.size) > _DETECTED_SIDE)
    with _ONE_AT_A_TIME:
        found = engine(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]))
    if found.boxes is None or found.txts is None or found.scores is None:
        return []
    lines = []
    for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True):
        (left, top), (right, bottom) = box.min(axis=0), box.max(axis=0)
        lines.append(RecognisedLine(str(text), float(left), float(top), float(right), float(bottom), float(score)))
    return [line for line in lines if line.text.strip()]


@lru_cache(maxsize=2)
def _engine(is_large: bool) -> Any:
    """Loads the models once for a process, in less than a second; large pictures are shrunk, small ones enlarged."""
    try:
        import onnxruntime  # noqa: F401, PLC0415
        import rapidocr  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name not in {"rapidocr", "onnxruntime"}:
            raise
        raise MissingExtraError(FEATURE, EXTRA) from error
    models = Path(str(rapidocr.__file__)).parent / "models"
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,  # whether each line stands on its head; whole pages do, and are tried turned
            "Global.max_side_len": _LONGEST_SIDE,
            # Files are read in parallel processes; threads of the engine would only wait for each other's cores.
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            "Det.limit_type": "max" if is_large else "min",
            "Det.limit_side_len": _DETECTED_SIDE if is_large else _LEAST_DETECTED,
            "Rec.rec_batch_num": 1,  # lines of one batch are padded to the longest, which costs a third more
            "Det.model_path": str(models / _DETECTION),
            "Rec.model_path": str(models / _RECOGNITION),
        }
    )
