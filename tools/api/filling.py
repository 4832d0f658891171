"""Fills the parameters of an operation from a question, by their types; what is not said, or unclear, is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ...knowledge.text.normalise import fold_widths, normalise
from ...knowledge.text.values import Value, ValueKind, find_values
from .checking import is_valid
from .models import Operation, Parameter

_QUOTED = re.compile(r"[“\"「『](?P<text>[^”\"」』\n]{1,300})[”\"」』]")
_NAMED = re.compile(
    r"(?:给|为|替|帮)(?P<text>(?![我你他她它您咱])[\u4e00-\u9fff]{2,4}?)(?=的|在|申请|创建|提交|办理|预订|订|开|查|增加|添加|发|请|，|,|$)"
    r"|\b(?:for|to)\s+(?P<english>[A-Z][\w'-]+(?:\s+[A-Z][\w'-]+){0,3})"
)
_EARLIER = re.compile(r"\{t\d{1,2}\}")
_START = re.compile(r"start|from|begin|since|after|开始|起|自")
_END = re.compile(r"end|until|till|before|\bto\b|结束|止|至")
_IDENTIFYING = re.compile(r"(?:^|_|\b)(?:id|no|number|code|key|sku)$|编号|单号|代码|型号|工号|号$")
_NUMBERS = frozenset({ValueKind.NUMBER, ValueKind.QUANTITY, ValueKind.MONEY, ValueKind.PERCENT, ValueKind.DURATION})
_SPLIT_NAME = re.compile(r"[_\-. ]+|(?<=[a-z])(?=[A-Z])")
_AFTER_LABEL = r"\s*(?:是|为|:|：|=|＝|is\b)\s*[“\"「]?(?P<text>[^，。；,;”\"」?？!！\n]{1,200})"
_BEHIND_LABEL = r"\s*(?P<text>[^\s，。；,;”\"」?？!！的]{2,40}?)(?=的|，|。|,|$)"
_REASON = re.compile(r"\b(?:reason|cause|justification|why)\b|原因|理由|缘由|事由|缘故")
_GOES_ON = r"请|麻烦|谢谢|多谢|所以|因此|帮我|并且?|另外|please\b|thanks?\b|so\b|and\b"
_STATED = re.compile(
    r"^\s*(?:因为?|由于|鉴于|because(?:\s+of)?\b|due\s+to\b|owing\s+to\b)\s*(?P<leading>[^，。；,;?？!！\n]{1,200})[，,]"
    r"|(?:(?:原因|理由|缘由|事由)\s*(?:是|为|:|：)|因为|由于|鉴于"
    r"|\breason\s*(?:is\b|:|：|=)(?:\s*that\b)?|\bbecause(?:\s+of)?\b|\bdue\s+to\b|\bowing\s+to\b|\bon\s+account\s+of\b"
    r"|\bon\s+the\s+grounds\s+that\b)\s*[“\"「]?(?P<text>[^。；;”\"」?？!！\n]{1,200}?)"
    rf"(?=\s*(?:[。；;”\"」?？!！\n]|[，,]\s*(?:{_GOES_ON})|\.\s|\.?\s*$))",
    re.IGNORECASE,
)
"""A reason that is given before or behind what is to be done."""


class _Place(NamedTuple):
    """A stretch of the question that may fill a parameter."""

    start: int
    end: int
    value: Any


def filled_parameters(question: str, operation: Operation) -> dict[str, Any]:
    """The parameters that the question says, each valid by itself; a stretch of the question fills one at most."""
    return _Filler(question, operation).filled()


class _Filler:
    """Goes from what is surest (labels, enumerations, patterns) to what is left over."""

    def __init__(self, question: str, operation: Operation) -> None:
        self._question = question
        self._operation = operation
        self._values = find_values(question)
        self._taken: list[_Place] = []
        self._found: dict[str, Any] = {}

    def filled(self) -> dict[str, Any]:
        steps: tuple[Callable[[Parameter], Iterator[_Place]], ...] = (
            self._enumerated,
            self._reasoned,
            self._labelled,
            self._of_pattern,
            self._dated,
            self._numbered,
            self._identified,
            self._said,
        )
        for step in steps:
            for parameter in self._operation.parameters:
                if parameter.name not in self._found:
                    self._take(parameter, list(step(parameter)))
        return {one.name: self._found[one.name] for one in self._operation.parameters if one.name in self._found}

    def _take(self, parameter: Parameter, places: list[_Place]) -> None:
        fitting = [one for one in places if self._is_free(one) and is_valid(one.value, parameter.schema)]
        if len({str(one.value) for one in fitting}) == 1:
            self._found[parameter.name] = fitting[0].value
            self._taken.append(fitting[0])

    def _is_free(self, place: _Place) -> bool:
        return all(place.end <= taken.start or place.start >= taken.end for taken in self._taken)

    def _enumerated(self, parameter: Parameter) -> Iterator[_Place]:
        """A value of an enumeration that stands in the question."""
        question = fold_widths(self._question).casefold()
        for value in parameter.schema.get("enum") or ():
            text = re.escape(str(value).casefold())
            pattern = rf"(?<![a-z0-9]){text}(?![a-z0-9])"
            yield from (_Place(*match.span(), value) for match in re.finditer(pattern, question) if value is not None)

    def _reasoned(self, parameter: Parameter) -> Iterator[_Place]:
        """Why something is to be done (因为…, 原因是…, because …), for a parameter that is the reason."""
        named = f"{' '.join(_SPLIT_NAME.split(parameter.name))} {parameter.description}".casefold()
        if "string" not in _kinds(parameter.schema) or not _REASON.search(named):
            return
        for match in _STATED.finditer(self._question):
            group = "leading" if match["leading"] else "text"
            start, text = match.start(group), match[group]
            yield _Place(start, start + len(text), text.strip())

    def _labelled(self, parameter: Parameter) -> Iterator[_Place]:
        """What stands behind a parameter's name or description: 原因是…, reason: …"""
        for label in _labels(parameter):
            pattern = rf"{re.escape(label)}{_AFTER_LABEL}"
            for match in re.finditer(pattern, self._question, re.IGNORECASE):
                value = _typed(match["text"].strip(), parameter.schema)
                if value is not None:
                    yield _Place(*match.span("text"), value)

    def _of_pattern(self, parameter: Parameter) -> Iterator[_Place]:
        pattern = parameter.schema.get("pattern")
        if not isinstance(pattern, str):
            return
        for match in re.finditer(r"[A-Za-z0-9][\w.\-/#]*", fold_widths(self._question), re.ASCII):
            text = match.group().rstrip(".-/")
            yield _Place(match.start(), match.start() + len(text), text)

    def _dated(self, parameter: Parameter) -> Iterator[_Place]:
        """A day; of two, the first is where something starts and the second where it ends."""
        if parameter.schema.get("format") != "date":
            return
        days = [
            one
            for one in self._values
            if one.kind is ValueKind.DATE and re.fullmatch(r"\d{4}-\d\d-\d\d", one.canonical)
        ]
        name = normalise(f"{' '.join(_SPLIT_NAME.split(parameter.name))} {parameter.description}")
        if len(days) == 2 and bool(_START.search(name)) is not bool(_END.search(name)):
            days = days[:1] if _START.search(name) else days[1:]
        yield from (_Place(one.start, one.end, one.canonical) for one in days)

    def _numbered(self, parameter: Parameter) -> Iterator[_Place]:
        """A number; where there are several, the one that the parameter's words stand next to."""
        if not _kinds(parameter.schema) & {"integer", "number"}:
            return
        numbers = [
            one for one in self._values if one.kind in _NUMBERS and self._is_free(_Place(one.start, one.end, ""))
        ]
        near = [one for one in numbers if any(label in self._around(one) for label in _labels(parameter))]
        for one in near or numbers:
            value = _typed(one.canonical, parameter.schema)
            if value is not None:
                yield _Place(one.start, one.end, value)

    def _around(self, value: Value) -> str:
        return self._question[max(value.start - 12, 0) : value.end + 6].casefold()

    def _identified(self, parameter: Parameter) -> Iterator[_Place]:
        """An id or a long number, for parameters that are named like one."""
        names = (" ".join(_SPLIT_NAME.split(parameter.name)).casefold(), parameter.description.casefold())
        if "string" not in _kinds(parameter.schema) or not any(_IDENTIFYING.search(name.strip()) for name in names):
            return
        for one in self._values:
            if one.kind is ValueKind.IDENTIFIER or (one.kind is ValueKind.NUMBER and one.raw.isdigit()):
                yield _Place(one.start, one.end, one.raw)
        yield from (_Place(*match.span(), match.group()) for match in _EARLIER.finditer(self._question))

    def _said(self, parameter: Parameter) -> Iterator[_Place]:
        """For the only text that is still needed: what stands in quotes, a name, or an earlier answer."""
        open_texts = [
            one.name
            for one in self._operation.parameters
            if one.required
            and one.name not in self._found
            and "string" in _kinds(one.schema)
            and "format" not in one.schema
        ]
        if open_texts != [parameter.name]:
            return
        for pattern in (_QUOTED, _EARLIER, _NAMED):
            matches = list(pattern.finditer(self._question))
            for match in matches:
                group = next((name for name, text in match.groupdict().items() if text), 0)
                yield _Place(*match.span(group), match[group])
            if matches:
                return
        for label in _labels(parameter):
            for match in re.finditer(f"(?<![是为:：]){re.escape(label)}{_BEHIND_LABEL}", self._question, re.IGNORECASE):
                yield _Place(*match.span("text"), match["text"])


def _kinds(schema: Mapping[str, Any]) -> frozenset[str]:
    kind = schema.get("type", "string")
    return frozenset([kind] if isinstance(kind, str) else kind)


def _labels(parameter: Parameter) -> tuple[str, ...]:
    """What a parameter is called in a question; the first words of its description, and its name."""
    name = " ".join(_SPLIT_NAME.split(parameter.name)).casefold()
    described = re.split(r"[\s,，。;；:：(（/]", parameter.description.strip())[0].casefold()
    return tuple(dict.fromkeys(label for label in (parameter.name.casefold(), name, described) if len(label) > 1))


def _typed(text: str, schema: Mapping[str, Any]) -> Any:
    """A text as the type that a schema wants; None where it is not of that type."""
    kinds = _kinds(schema)
    if "string" in kinds:
        return text
    try:
        if "integer" in kinds:
            return int(text)
        return float(text) if "number" in kinds else None
    except ValueError:
        return None
