# ruff: noqa: E501 - patterns are read in one piece
"""Tables of roles and duties: who holds which role, and who is responsible for what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...evidence.table_rows import TableRow, read_rows
from ...text.normalise import normalise
from ..models import Entity, Kind, Predicate, Relation
from ..names import entity
from .text import RuleText

MOST_ROWS = 200
"""Of a block: a longer list is data."""
_LONGEST_CELL = 120
_LONGEST_NAME = 30
_ROLE = re.compile(r"角色|岗位|职务|职位|职责岗位|role|position|job title|function")
_PERSON = re.compile(r"姓名|人员|成员|担任人|人员姓名|name|person|member|holder|who")
_BODY = re.compile(
    r"(?:责任|负责|主管|牵头|归口)?(?:部门|单位|机构|科室)|department|team|unit|(?:responsible|owning) department"
)
_OWNER = re.compile(
    r"负责人|责任人|主责人|经办人|负责人员|owner|responsible(?: person| party)?|person in charge|lead|assignee"
)
_DUTY = re.compile(
    r"(?:主要|岗位|工作|部门)?职责|(?:主要)?职责范围|负责(?:事项|内容|工作|范围|的?工作)?|分工|工作分工|responsibilit(?:y|ies)|responsible for|duty|duties|in charge of"
)
_TASK = re.compile(
    r"里程碑|任务|事项|工作|工作内容|活动|项目|阶段|步骤|措施|milestones?|tasks?|activit(?:y|ies)|work packages?|actions?|deliverables?"
)
_ROLE_END = re.compile(
    r"^(?P<area>.{2,20}?)(?:工作)?(?:负责人|主管|经理|专员|责任人|管理员)$|^(?P<en>.{2,40}?) (?:manager|lead|leader|head|officer|owner|coordinator)$",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"[、,，;；/]|(?<=[\u4e00-\u9fff])[和与及](?=[\u4e00-\u9fff])|(?<=[A-Za-z])[和与及]|\s+(?:and|&)\s+|\band\s+"
)
_NO_AREA = frozenset({"项目", "部门", "总", "project", "general", "team", "department"})
_NOTHING = re.compile(r"[-–—/\\\s]*|n/?a|无|暂无|待定|tbd|同上", re.IGNORECASE)


class _Columns(NamedTuple):
    """Where a table says what; None: it does not."""

    doer: int
    role: int | None
    duties: int | None
    task: int | None


def role_tables(text: RuleText) -> Iterator[Relation | None]:
    """The rows of tables whose header names a person or department and a role, duties or tasks."""
    for row in read_rows(text.text)[:MOST_ROWS]:
        columns = _columns(row.names)
        doer = None if columns is None else _doer(_cell(row, columns.doer), row.names[columns.doer])
        if columns is not None and doer is not None:
            yield from _of_row(row, columns, doer)


def _columns(names: Sequence[str]) -> _Columns | None:
    role, person, duties = (_place(names, pattern) for pattern in (_ROLE, _PERSON, _DUTY))
    owner, task, body = (_place(names, pattern) for pattern in (_OWNER, _TASK, _BODY))
    if person is not None and (role is not None or duties is not None):
        return _Columns(person, role, duties, None)
    if owner is not None and task is not None:
        return _Columns(owner, None, None, task)
    doer = next((place for place in (owner, body, role) if place is not None), None)
    if doer is None or duties is None or doer == duties:
        return None
    return _Columns(doer, None, duties, None)


def _place(names: Sequence[str], pattern: re.Pattern[str]) -> int | None:
    return next((place for place, name in enumerate(names) if pattern.fullmatch(normalise(name).strip())), None)


def _of_row(row: TableRow, columns: _Columns, doer: Entity) -> Iterator[Relation | None]:
    if (role := _said(row, columns.role)) is not None:
        yield _stated(doer, Predicate.HOLDS_ROLE, entity(role, Kind.ROLE), row)
        area = _ROLE_END.match(role)
        named = "" if area is None else (area["area"] or area["en"] or "")
        if named and normalise(named) not in _NO_AREA:
            yield _stated(doer, Predicate.RESPONSIBLE_FOR, entity(named, Kind.TASK), row)
    for place in (columns.duties, columns.task):
        said = _said(row, place)
        for part in () if said is None else dict.fromkeys((said, *_PARTS.split(said))):
            yield _stated(doer, Predicate.RESPONSIBLE_FOR, entity(part, Kind.TASK), row)


def _stated(doer: Entity, predicate: str, other: Entity | None, row: TableRow) -> Relation | None:
    return None if other is None or other.key == doer.key else Relation(doer, predicate, other, row.start, row.end)


def _doer(cell: str, column: str) -> Entity | None:
    if len(cell) > _LONGEST_NAME or _NOTHING.fullmatch(cell) or re.search(r"\d", cell):
        return None
    is_person = _PERSON.fullmatch(normalise(column)) or _OWNER.fullmatch(normalise(column))
    return entity(cell, Kind.PERSON if is_person else Kind.ORGANISATION)


def _said(row: TableRow, place: int | None) -> str | None:
    cell = "" if place is None else _cell(row, place)
    return None if _NOTHING.fullmatch(cell) or len(cell) > _LONGEST_CELL else cell


def _cell(row: TableRow, place: int) -> str:
    return " ".join(row.cells[place].split()) if place < len(row.cells) else ""
