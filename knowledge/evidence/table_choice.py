# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Which table, which of its rows and which column a question asks to compute over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..questions.models import Combination
from ..text.normalise import has_chinese
from ..text.values import Value, ValueKind
from .amounts import MEASURED
from .evidence_tables import EvidenceTable, Line, cell_of, column_name, read_tables, same_measure
from .models import Evidence
from .nearest_value_hints import is_hinted, is_hinted_name
from .phrases import content_words, word_share
from .question import QuestionAnalysis
from .question_words import GENERIC_NOUNS
from .shown_cells import withholds_amount
from .table_conditions import Condition, conditions_of, select, without_titles
from .table_counts import counts_agree, without_counts
from .terms import question_terms, terms, value_keys

EXTREMES = {Combination.LARGEST: 1, Combination.SMALLEST: -1}
"""Which end of a column is looked for."""
_AGGREGATES = re.compile(
    r"多少[万亿千]?元|合计|总计|总共|一共|共计|总和|总额|总数|加起来|加总|求和|累计|平均值?|均值|(?:更|最|较|比较)?(?:便宜|贵)|最(?:高|低|大|小|多|少|长|短|重|轻|快|慢|早|晚)(?:的|值)?"
    r"|[多哪][少个家台项种条款些]|几[个家台项种条款]|各项|各|所有|全部|每|(?<=[表单录册书划同据])[里中内上]"
    r"|\b(?:total|sum|altogether|combined|overall|average|mean|maximum|minimum|highest|lowest|largest|smallest|biggest|greatest|longest|shortest|heaviest|lightest"
    r"|most expensive|least expensive|cheapest|dearest|latest|earliest|most|least|count|number of|how many|how much|add up|rows?|entries|items?|lines?|all|every|each|there|table|list(?:ed)?)\b",
    re.IGNORECASE,
)
# Verbs that say how the rows came about, or what is done with them, and leave none out.
_NEUTRAL = re.compile(
    "采购|购买|购置|支付|付款|花费|需要|列出|计算|涉及|包含|包括|供应|提供|生产|负责|承担|安排|计划|完成|报价|记录"
    "|buy|bought|purchas|pay|paid|spend|spent|cost|plan|planned|keep|kept|made|mak|need|order|ordered|offer|quot"
)
COVERED = 0.5
"""Share of a word that has to stand in a text for the text to name it."""
# One column is asked for if its rating stands so far above the next.
_CLEARLY = 0.15
_HINTED = 0.5
# The only column of amounts needs not be named where it is called no more than this.
_PLAIN_COLUMN = re.compile(r"金额|数额|费用|款项|数值|amounts?|values?|sum", re.IGNORECASE)


class Picked(NamedTuple):
    """The part of a table that a question is about."""

    table: EvidenceTable
    rows: tuple[Line, ...]
    conditions: tuple[Condition, ...]
    fit: tuple[bool, bool, float]
    """Whether the question names some of its rows, and one of its columns; how much of the question its own headings
    and columns hold that the title does not."""


class Column(NamedTuple):
    """A column of the picked rows, with its values."""

    place: int
    values: list[Value]


def pick_table(combination: Combination, question: QuestionAnalysis, evidence: Sequence[Evidence]) -> Picked | None:
    """The table that holds all that the question names, with the rows that it means; None where it is not clear."""
    picks = [pick for table in read_tables(evidence) if (pick := _pick(combination, question, table)) is not None]
    best = max((pick.fit for pick in picks), default=None)
    fitting = [pick for pick in picks if pick.fit == best]
    if len({pick.table.lines[0].source.document.doc_id for pick in fitting}) != 1:
        return None
    # Tables of one document that fit alike: the one that the search put first.
    return min(fitting, key=lambda pick: (pick.table.lines[0].source.marker, pick.table.lines[0].row.start))


def _pick(combination: Combination, question: QuestionAnalysis, table: EvidenceTable) -> Picked | None:
    conditions = conditions_of(question, table, None) if table.rows else None
    if conditions is None:
        return None
    rows = select(table.rows, conditions)
    named = " ".join(condition.text for condition in conditions)
    things = [w for w in _named_words(question, without_titles(question.text, table)) if not _is_neutral(w)]
    if (
        not rows
        or not counts_agree(question.text, table, rows)
        or _share(question, things, "\n".join((table.context, *table.names, named))) < 1
    ):
        return None
    in_title = terms(table.title)
    further = [word for word in _named_words(question, question.text) if word_share(word, in_title) < COVERED]
    own = _share(question, further, "\n".join((table.own_context, *table.names, named)))
    picked = Picked(table, rows, conditions, (bool(conditions), False, own))
    has_column = combination is Combination.COUNT or asked_column(combination, question, picked) is not None
    return picked._replace(fit=(bool(conditions), has_column, own))


def _share(question: QuestionAnalysis, words: Sequence[str], context: str) -> float:
    """Share of some words and of the question's values in a table's headings, columns and conditions.

    A word that only some cells hold, and that is no condition, does not count: it would restrict the rows.
    """
    held = terms(context)
    covered = [word_share(word, held) >= COVERED for word in words]
    keys = value_keys(context)
    said = without_counts(question.text)
    named = [value for value in question.values if value.raw in said]
    covered += [value.key in keys or value.raw.casefold() in context.casefold() for value in named]
    return sum(covered) / len(covered) if covered else 1.0


def _is_neutral(word: str) -> bool:
    return word in GENERIC_NOUNS or _NEUTRAL.fullmatch(word) is not None


def _named_words(question: QuestionAnalysis, text: str) -> Iterator[str]:
    """The words of a question's text apart from its values and those that only say what to compute."""
    text = without_counts(text)
    for value in sorted(question.values, key=lambda value: -len(value.raw)):
        text = text.replace(value.raw, " ")
    for word in content_words(_AGGREGATES.sub(" ", text)):
        is_syllable = len(word) == 1 and has_chinese(word)
        if not is_syllable:
            yield word


def asked_column(combination: Combination, question: QuestionAnalysis, picked: Picked) -> Column | None:
    """The column of amounts (of dates, too, for an extreme) that is asked for; None where several may be.

    None, too, where the question names a column as clearly that does not give an amount in every row.
    """
    kinds = MEASURED | {ValueKind.DATE} if combination in EXTREMES else MEASURED
    asked = without_titles(question.text, picked.table)
    rated: list[tuple[float, Column]] = []
    unread = 0.0
    for index, name in enumerate(picked.table.names):
        values = same_measure(picked.table.amounts_of(index, picked.rows))
        if values and values[0].kind in kinds and not picked.table.is_index(index):
            rated.append((_column_rating(asked, name, values[0]), Column(index, values)))
        elif _lacks_amounts(picked, index):
            unread = max(unread, _name_share(asked, name) + (_HINTED if is_hinted_name(asked, name) else 0.0))
    rated.sort(key=lambda pair: -pair[0])
    if not rated or (unread and unread >= rated[0][0]) or (len(rated) > 1 and rated[0][0] - rated[1][0] < _CLEARLY):
        return None
    name = column_name(picked.table.names[rated[0][1].place])
    return rated[0][1] if rated[0][0] > 0 or _PLAIN_COLUMN.fullmatch(name) else None


def _lacks_amounts(picked: Picked, column: int) -> bool:
    """Whether a column is one of amounts that some of the rows do not give, or not in one unit."""
    cells = [cell_of(line, column) for line in picked.rows]
    withheld = any(withholds_amount(cell) for cell in cells if cell)
    return not picked.table.is_index(column) and (withheld or picked.table.is_measured(column))


def _name_share(asked: str, name: str) -> float:
    words = content_words(column_name(name))
    held = question_terms(asked)
    return sum(word_share(word, held) for word in words) / len(words) if words else 0.0


def _column_rating(asked: str, name: str, value: Value) -> float:
    return _name_share(asked, name) + (_HINTED if is_hinted(asked, value) else 0.0)
