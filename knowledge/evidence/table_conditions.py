"""Which rows of a table a question means: all, or those that hold a name, a category or a result that it mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..text.normalise import fold_widths, has_chinese
from ..text.values import ValueKind
from .evidence_tables import EvidenceTable, Line, column_name
from .question import QuestionAnalysis

# A part of a cell's text (恒纳机械 of 恒纳机械（苏州）有限公司) names it from so many characters on.
_CHINESE_PART, _LATIN_PART = 4, 5
# Part of a title that a question names.
_LATIN_TITLE = 8
_EXCEPT = re.compile(
    r"除了?|不含|不包括|不计|以外|之外|排除|\b(?:except|excluding|without|other than|apart from)\b", re.IGNORECASE
)
# A name of one character stands at the beginning or behind a joint, and before a joint or 的.
_ONE_CHARACTER = re.compile(r"(?:(?<=[和与、及中里，,\s])|^)[\u4e00-\u9fff](?=[和与、及的])")


class Condition(NamedTuple):
    """What a row has to hold in one of its columns: a cell's text, or an id inside of it."""

    column: int
    text: str
    is_id: bool

    def holds(self, line: Line) -> bool:
        """Whether a row meets it."""
        cell = line.cells[self.column] if self.column < len(line.cells) else ""
        return meets(self.text, cell, is_id=self.is_id)


def meets(text: str, cell: str, *, is_id: bool) -> bool:
    """Whether a cell is a text, or, for an id, holds it whole (HN-3200 is not in HN-3200B)."""
    if not is_id:
        return cell == text
    return re.search(rf"(?<![A-Za-z0-9-]){re.escape(text)}(?![A-Za-z0-9])", cell, re.IGNORECASE) is not None


def conditions_of(question: QuestionAnalysis, table: EvidenceTable, column: int | None) -> tuple[Condition, ...] | None:
    """The conditions that a question sets on the rows, apart from those in the summed column.

    None where it is not clear which rows are meant: it excludes some (除…以外), names some by one character only, or a
    condition may or may not cover a longer name of the table (机组 and 机组（宽台面）).
    """
    if _EXCEPT.search(question.text):
        return None
    asked = _without(without_titles(question.text, table), [column_name(name) for name in table.names])
    if _names_by_one_character(question.text, table):
        return None
    by_id = list(_ids(question, table))
    ids = {(condition.column, condition.text.casefold()) for condition in by_id}
    by_text = [one for one in _cells(asked, table, column) if (one.column, fold_widths(one.text).casefold()) not in ids]
    found = [*by_id, *by_text]
    if any(_is_unclear(condition, table, found) for condition in found):
        return None
    return tuple(one for one in found if not all(one.holds(line) for line in table.rows))


def select(rows: Sequence[Line], conditions: Sequence[Condition]) -> tuple[Line, ...]:
    """The rows that meet one of the conditions on each column that has any."""
    columns = {condition.column for condition in conditions}
    return tuple(
        line for line in rows if all(any(c.holds(line) for c in conditions if c.column == column) for column in columns)
    )


def without_titles(text: str, table: EvidenceTable) -> str:
    """A question without the part of it that names the table's document or section: it says where to look.

    A part that holds the name of a column of amounts stays.
    """
    text = fold_widths(text)
    source = table.lines[0].source
    columns = [column_name(name) for index, name in enumerate(table.names) if name and table.is_measured(index)]
    for title in (source.document.search_title, *source.block.section_path):
        match = SequenceMatcher(
            None, fold_widths(title).casefold(), text.casefold(), autojunk=False
        ).find_longest_match()
        part = text[match.b : match.b + match.size]
        names_column = any(name.casefold() in part.casefold() for name in columns)
        if len(part.strip()) >= (_CHINESE_PART if has_chinese(part) else _LATIN_TITLE) and not names_column:
            text = text.replace(part, "\n")
    return text


def _without(text: str, parts: Sequence[str]) -> str:
    for part in sorted(parts, key=len, reverse=True):
        if len(part) > 1:
            text = text.replace(fold_widths(part), "\n")
    return text


def _ids(question: QuestionAnalysis, table: EvidenceTable) -> Iterator[Condition]:
    for value in question.values:
        if value.kind is ValueKind.IDENTIFIER:
            for column in range(len(table.names)):
                condition = Condition(column, fold_widths(value.raw), is_id=True)
                if any(condition.holds(line) for line in table.rows):
                    yield condition
                    break


def _cells(asked: str, table: EvidenceTable, numeric: int | None) -> Iterator[Condition]:
    """Cells that the question holds, the longest first, so that 不合格 is not read as 合格."""
    texts = {
        (index, line.cells[index])
        for line in table.rows
        for index in range(min(len(table.names), len(line.cells)))
        if index != numeric and len(line.cells[index]) > 1
    }
    columns = {index: [text for column, text in texts if column == index] for index in range(len(table.names))}
    rest = asked
    for index, text in sorted(texts, key=lambda pair: (-len(pair[1]), pair)):
        found = _word_in(fold_widths(text), rest)
        if found:
            rest = rest[: found[0]] + "\n" + rest[found[1] :]
            yield Condition(index, text, is_id=False)
        elif _names_in_part(text, rest, columns[index]):
            yield Condition(index, text, is_id=False)


def _word_in(text: str, asked: str) -> tuple[int, int] | None:
    if text.isdigit():
        return None
    edge = (r"(?<![A-Za-z0-9-])", r"(?![A-Za-z0-9-])") if not has_chinese(text) else ("", "")
    match = re.search(edge[0] + re.escape(text) + edge[1], asked, re.IGNORECASE)
    return match.span() if match else None


def _names_in_part(text: str, asked: str, others: Sequence[str]) -> bool:
    """Whether the question holds a part of the text that no other cell of the column has: of a Latin name its start."""
    cell = fold_widths(text).casefold()
    match = SequenceMatcher(None, cell, asked.casefold(), autojunk=False).find_longest_match()
    part = asked[match.b : match.b + match.size].strip()
    if not part[:1].isalnum() or len(part) < (_CHINESE_PART if has_chinese(part) else _LATIN_PART):
        return False
    if not has_chinese(part) and not (cell.startswith(part.casefold()) and _word_in(part, asked) is not None):
        return False
    return not any(part.casefold() in other.casefold() for other in others if other != text)


def _names_by_one_character(asked: str, table: EvidenceTable) -> bool:
    """Whether a question names a row whose label is a single character (甲和丙的): too short to be told from a word."""
    cells = {cell for line in table.rows for cell in line.cells if len(cell) == 1 and has_chinese(cell)}
    return any(found.group() in cells for found in _ONE_CHARACTER.finditer(asked))


def _is_unclear(condition: Condition, table: EvidenceTable, named: Sequence[Condition]) -> bool:
    """Whether another cell of the column, that the question does not name too, goes on where the text ends."""
    if condition.is_id:
        return False
    cells = {line.cells[condition.column] for line in table.rows if condition.column < len(line.cells)}
    cells -= {other.text for other in named if other.column == condition.column}
    return any(cell != condition.text and cell.startswith(condition.text) for cell in cells)
