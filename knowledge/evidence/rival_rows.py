"""Whether rows of two tables disagree: another cell under the same column for the same label."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..text.normalise import normalise
from .question import QuestionAnalysis
from .same_values import Answer, Difference, is_same_answer, stated_in
from .table_rows import ASKED_COLUMN, TableRow
from .terms import terms
from .units import Unit
from .weighing import Weigh, coverage


class _Cells(NamedTuple):
    column: str
    mine: Answer
    theirs: Answer


def difference_of_rows(question: QuestionAnalysis, mine: Unit, theirs: Unit, weigh: Weigh) -> Difference | None:
    """The cell that is asked for, where two documents fill it differently; rows of one document are different things.

    Where the question does not say which column it means, rows are compared only if a single cell differs.
    """
    if mine.row is None or theirs.row is None or mine.source.document.doc_id == theirs.source.document.doc_id:
        return None
    if not mine.row.label or normalise(mine.row.label) != normalise(theirs.row.label):
        return None
    unlike = list(_unlike_cells(mine.row, theirs.row))
    asked = [cells for cells in unlike if coverage(terms(cells.column), question.terms, weigh) >= ASKED_COLUMN]
    chosen = asked or unlike
    return Difference(chosen[0].mine, chosen[0].theirs) if len(chosen) == 1 else None


def _unlike_cells(mine: TableRow, theirs: TableRow) -> Iterator[_Cells]:
    foreign = {normalise(name): cell for name, cell in zip(theirs.names, theirs.cells, strict=False)}
    for name, cell in list(zip(mine.names, mine.cells, strict=False))[1:]:
        other = foreign.get(normalise(name), "")
        answers = Answer(cell, stated_in(cell)), Answer(other, stated_in(other))
        if cell and other and not is_same_answer(*answers):
            yield _Cells(name, *answers)
