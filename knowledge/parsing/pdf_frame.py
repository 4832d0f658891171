"""Where things are on a PDF page as a person sees it: from the top left, turned the way it is to be read."""

from __future__ import annotations

from typing import NamedTuple


class Frame(NamedTuple):
    """The visible part of a page in the file's own coordinates, and how far it is turned clockwise for reading.

    Lengths in points, `turn` in degrees: 0, 90, 180 or 270.
    """

    left: float
    bottom: float
    right: float
    top: float
    turn: int

    @property
    def width(self) -> float:
        """The width as it is read."""
        return self.top - self.bottom if self.turn % 180 else self.right - self.left

    @property
    def height(self) -> float:
        """The height as it is read."""
        return self.right - self.left if self.turn % 180 else self.top - self.bottom

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point as distances from the left and the top of the page as it is read."""
        if self.turn == 0:
            return x - self.left, self.top - y
        if self.turn == 90:
            return y - self.bottom, x - self.left
        if self.turn == 180:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """A rectangle as left, top, right, bottom."""
        (ax, ay), (bx, by) = self.point(x0, y0), self.point(x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def place(self, left: float, top: float, right: float, bottom: float) -> dict[str, float]:
        """A rectangle under the names that the layout library gives its measures."""
        return {
            "x0": left,
            "x1": right,
            "top": top,
            "bottom": bottom,
            "doctop": top,
            "y0": self.height - bottom,
            "y1": self.height - top,
            "width": right - left,
            "height": bottom - top,
        }

    def turned(self, degrees: int) -> Frame:
        """The same page, turned further."""
        return self._replace(turn=(self.turn + degrees) % 360)
