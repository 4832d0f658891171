"""The lines, rectangles and pictures drawn on a PDF page, in the shape that the layout library finds tables in."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .pdf_frame import Frame

if TYPE_CHECKING:
    from pypdfium2 import PdfPage  # type: ignore[import-untyped]

_DEEPEST_FORM = 6  # forms within forms; deeper ones are malformed
_STRAIGHT = 0.05  # points by which a line may lean and still be straight
_PATH, _IMAGE, _SHADING, _FORM = 2, 3, 4, 5  # kinds of objects, as the library numbers them
_MOVE = 2  # the segment that starts a shape

_Matrix = tuple[float, float, float, float, float, float]
_Point = tuple[float, float]


class _Paint(NamedTuple):
    filled: bool
    stroked: bool
    fill: tuple[float, ...]
    line: tuple[float, ...]
    width: float


def drawn_on(page: PdfPage, frame: Frame) -> dict[str, list[dict[str, Any]]]:
    """By kind (`line`, `rect`, `curve`, `image`), in the order in which they are drawn."""
    found: dict[str, list[dict[str, Any]]] = {}
    for kind, handle, matrix in _objects(page, page, (1, 0, 0, 1, 0, 0), 0):
        shapes = [_image(handle, frame, matrix)] if kind == _IMAGE else _shapes(handle, frame, matrix)
        for shape in shapes:
            found.setdefault(shape["object_type"], []).append(shape)
    return found


def _objects(page: PdfPage, holder: Any, matrix: _Matrix, depth: int) -> Iterator[tuple[int, Any, _Matrix]]:
    from pypdfium2.raw import (  # type: ignore[import-untyped]  # noqa: PLC0415
        FPDFFormObj_CountObjects,
        FPDFFormObj_GetObject,
        FPDFPage_CountObjects,
        FPDFPage_GetObject,
        FPDFPageObj_GetType,
    )

    count, get = (
        (FPDFPage_CountObjects, FPDFPage_GetObject) if depth == 0 else (FPDFFormObj_CountObjects, FPDFFormObj_GetObject)
    )
    for index in range(max(count(holder), 0)):
        handle = get(holder, index)
        kind = FPDFPageObj_GetType(handle)
        if kind == _FORM and depth < _DEEPEST_FORM:
            yield from _objects(page, handle, _product(_matrix(handle), matrix), depth + 1)
        elif kind in {_PATH, _IMAGE}:
            yield kind, handle, _product(_matrix(handle), matrix)


def _matrix(handle: Any) -> _Matrix:
    from pypdfium2.raw import FS_MATRIX, FPDFPageObj_GetMatrix  # noqa: PLC0415

    found = FS_MATRIX()
    if not FPDFPageObj_GetMatrix(handle, found):
        return (1, 0, 0, 1, 0, 0)
    return found.a, found.b, found.c, found.d, found.e, found.f


def _product(inner: _Matrix, outer: _Matrix) -> _Matrix:
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _moved(matrix: _Matrix, x: float, y: float, frame: Frame) -> _Point:
    a, b, c, d, e, f = matrix
    return frame.point(a * x + c * y + e, b * x + d * y + f)


def _image(handle: Any, frame: Frame, matrix: _Matrix) -> dict[str, Any]:
    del handle  # a picture fills the unit square of its matrix
    return _shape("image", [_moved(matrix, x, y, frame) for x, y in ((0, 0), (0, 1), (1, 0), (1, 1))], frame, None)


def _shapes(handle: Any, frame: Frame, matrix: _Matrix) -> Iterator[dict[str, Any]]:
    """The parts of a path: lines, rectangles along the page's sides, and everything else."""
    paint = _paint(handle)
    if not (paint.filled or paint.stroked):
        return  # only cuts off what is drawn later
    for points in _subpaths(handle, matrix, frame):
        yield _shape(_kind(points), points, frame, paint)


def _kind(points: list[_Point]) -> str:
    if len(points) == 2:
        return "line" if _is_straight(*points) else "curve"
    corners = points[:-1] if points[0] == points[-1] else points
    sides = zip(corners, [*corners[1:], corners[0]], strict=True)
    return "rect" if len(corners) == 4 and all(_is_straight(*side) for side in sides) else "curve"


def _is_straight(one: _Point, other: _Point) -> bool:
    return abs(one[0] - other[0]) <= _STRAIGHT or abs(one[1] - other[1]) <= _STRAIGHT


def _subpaths(handle: Any, matrix: _Matrix, frame: Frame) -> Iterator[list[_Point]]:
    from pypdfium2.raw import (  # noqa: PLC0415
        FPDFPath_CountSegments,
        FPDFPath_GetPathSegment,
        FPDFPathSegment_GetClose,
        FPDFPathSegment_GetPoint,
        FPDFPathSegment_GetType,
    )

    points: list[_Point] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(max(FPDFPath_CountSegments(handle), 0)):
        segment = FPDFPath_GetPathSegment(handle, index)
        FPDFPathSegment_GetPoint(segment, x, y)
        if FPDFPathSegment_GetType(segment) == _MOVE:
            if len(points) > 1:
                yield points
            points = []
        points.append(_moved(matrix, x.value, y.value, frame))
        if FPDFPathSegment_GetClose(segment) and len(points) > 2 and points[0] != points[-1]:
            points.append(points[0])
    if len(points) > 1:
        yield points


def _paint(handle: Any) -> _Paint:
    from pypdfium2.raw import (  # noqa: PLC0415
        FPDFPageObj_GetFillColor,
        FPDFPageObj_GetStrokeColor,
        FPDFPageObj_GetStrokeWidth,
        FPDFPath_GetDrawMode,
    )

    fill, stroke, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    FPDFPath_GetDrawMode(handle, fill, stroke)
    FPDFPageObj_GetStrokeWidth(handle, width)
    colors = [_color(read, handle) for read in (FPDFPageObj_GetFillColor, FPDFPageObj_GetStrokeColor)]
    return _Paint(fill.value != 0, stroke.value != 0, colors[0], colors[1], width.value)


def _color(read: Any, handle: Any) -> tuple[float, ...]:
    parts = [ctypes.c_uint() for _ in range(4)]
    return tuple(part.value / 255 for part in parts[:3]) if read(handle, *parts) else ()


def _shape(kind: str, points: list[_Point], frame: Frame, paint: _Paint | None) -> dict[str, Any]:
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    if kind == "line":  # leaning by less than is seen
        right, bottom = (left, bottom) if right - left <= _STRAIGHT else (right, top)
    return {
        "object_type": kind,
        **frame.place(left, top, right, bottom),
        "pts": points,
        "fill": paint is not None and paint.filled,
        "stroke": paint is not None and paint.stroked,
        "linewidth": paint.width if paint is not None else 0.0,
        "non_stroking_color": paint.fill if paint is not None else (),
        "stroking_color": paint.line if paint is not None else (),
    }
