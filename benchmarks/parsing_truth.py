"""Hand-checked facts about real files: cells, headings, running lines, order and pages that are only pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict

TRUTH_FILE = Path(__file__).parent / "parsing_truth.yaml"


class CellFact(NamedTuple):
    """A value that stands under a header and beside a label; each of them in one or several parts."""

    value: str
    header: tuple[str, ...]
    row: tuple[str, ...]


class HeadingFact(NamedTuple):
    """How a heading or clause begins, and how one above it begins; empty where that is not checked."""

    label: str
    under: str


class OrderFact(NamedTuple):
    """Two snippets in reading order."""

    first: str
    later: str


class PictureFact(NamedTuple):
    """A page that is only a picture, and words that a person reads on it; empty where none were noted."""

    page: int
    says: str


def _fields(line: object, count: int) -> list[str]:
    fields = [field.strip() for field in str(line).split("|")]
    if len(fields) != count:
        raise ValueError(f"{line!r} has {len(fields)} fields, not {count}")
    return fields


def _parts(field: str, joint: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in field.split(joint))


def _cell(line: object) -> CellFact:
    value, header, row = _fields(line, 3)
    return CellFact(value, _parts(header, " / "), _parts(row, " & "))


def _picture(line: object) -> PictureFact:
    page, says = _fields(line, 2)
    return PictureFact(int(page), says)


class FileTruth(BaseModel):
    """What stands in one file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    cells: tuple[Annotated[CellFact, BeforeValidator(_cell)], ...] = ()
    headings: tuple[Annotated[HeadingFact, BeforeValidator(lambda line: HeadingFact(*_fields(line, 2)))], ...] = ()
    furniture: tuple[str, ...] = ()
    order: tuple[Annotated[OrderFact, BeforeValidator(lambda line: OrderFact(*_fields(line, 2)))], ...] = ()
    pictures: tuple[Annotated[PictureFact, BeforeValidator(_picture)], ...] = ()


def load_truth(path: Path = TRUTH_FILE) -> Sequence[FileTruth]:
    """All facts by file; every scalar is text, so that 25.0 stays what it is."""
    return [FileTruth(**entry) for entry in yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)]
