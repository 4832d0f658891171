"""Computes the tree of an expression, from its leaves up: the value, and the expression as it was understood."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ...knowledge.text.units import CURRENCY_SIGNS
from .calendar_days import WorkCalendar
from .days import add_days, add_months, whole_count
from .faults import Fault, fault
from .functions import FUNCTIONS_BY_NAME, Scope, need_quantity
from .grammar import FUNCTIONS, TODAY, parse
from .quantities import Quantity, add, convert, measured, multiply, raise_to, spelled
from .values import Statement, Value
from .vocabulary import DAY, SECOND, WORKDAY, Unit, unit_named
from .written_numbers import read_number

if TYPE_CHECKING:
    from lark import Token

_SECONDS_OF_DAY = 86_400
_BETWEEN = {"zh": "{0} 至 {1}", "en": "{0} to {1}"}
_COMPOSED = re.compile(r"[+×÷^]| - |^-")


class Part(NamedTuple):
    """A part of an expression: what it is worth, and how it reads."""

    value: Value
    text: str


class Calculation:
    """One calculation; `notes` say what was assumed on the way.

    Args:
        calendar: which days are working days.
        language: `zh` or `en`, of the notes and the names of units that come in.
        today: what 今天 means.
    """

    def __init__(self, calendar: WorkCalendar, language: str, today: date) -> None:
        self.scope = Scope(calendar, language, [])
        self._today = today
        self._handlers: dict[str, Callable[[list[Part | Token]], Part]] = {
            "quantity": self._quantity,
            "day": self._day,
            "group": self._group,
            "call": self._call,
            "convert": self._convert,
            "add": lambda held: self._sum(held, 1),
            "subtract": lambda held: self._sum(held, -1),
            "multiply": lambda held: self._product(held, 1),
            "divide": lambda held: self._product(held, -1),
            "raised": self._raised,
            "negative": self._negative,
            "positive": lambda held: _parts(held)[0],
            "placeholder": self._placeholder,
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """Each once."""
        return tuple(dict.fromkeys(self.scope.notes))

    def compute(self, expression: str) -> Part:
        """The value of an expression.

        Raises:
            CalculationError: it cannot be read or computed.
            SettingsError: the calendar that it needs cannot be read.
        """
        from lark import Tree  # noqa: PLC0415

        tree = parse(expression)
        done: dict[int, Part] = {}
        # Leaves come first, so that no depth of the tree meets Python's limit on recursion.
        for node in tree.iter_subtrees():
            held = [done[id(child)] if isinstance(child, Tree) else child for child in node.children]
            done[id(node)] = self._handlers[str(node.data)](held)
        return done[id(tree)]

    def _quantity(self, held: list[Part | Token]) -> Part:
        named = [(str(token.type), str(token)) for token in held if not isinstance(token, Part)]
        number = next(text for kind, text in named if kind == "NUMBER")
        units = [_unit(text) for kind, text in named if kind == "UNIT"]
        signs = [_unit(CURRENCY_SIGNS[text.strip()]) for kind, text in named if kind == "SIGN"]
        if signs and units and signs[0].dimension != units[0].dimension:
            raise fault(Fault.TWO_UNITS, one=signs[0].name, other=units[0].name, number=number)
        value = measured(
            read_number(number), *(units or signs), per=[_per(t) for kind, t in named if kind == "PER_UNIT"]
        )
        return Part(value, spelled(value)[0])

    def _day(self, held: list[Part | Token]) -> Part:
        word = str(held[0]).casefold()
        if word in TODAY:
            day = add_days(self._today, TODAY[word])
            return Part(day, f"{held[0]} ({day.isoformat()})")
        try:
            day = date.fromisoformat(word)
        except ValueError as error:
            raise fault(Fault.NO_SUCH_DAY, day=word) from error
        return Part(day, day.isoformat())

    def _group(self, held: list[Part | Token]) -> Part:
        (inner,) = _parts(held)
        named = [(str(token.type), str(token)) for token in held if not isinstance(token, Part)]
        units = [_unit(text) for kind, text in named if kind == "UNIT"]
        per = [_per(text) for kind, text in named if kind == "PER_UNIT"]
        if not units and not per:
            return Part(inner.value, f"({inner.text})" if _COMPOSED.search(inner.text) else inner.text)
        bare = need_quantity(inner.value)
        if bare.dimension:
            raise fault(Fault.UNIT_TWICE, text=inner.text, unit=(units or per)[0].name)
        value = measured(bare.amount, *units, per=per)._replace(is_rounded=bare.is_rounded)
        return Part(value, f"({inner.text}) {value.unit_name}")

    def _call(self, held: list[Part | Token]) -> Part:
        name = FUNCTIONS[str(held[0]).casefold()]
        parts = _parts(held[1:])
        value = FUNCTIONS_BY_NAME[name](self.scope, [part.value for part in parts])
        if isinstance(value, Statement):
            return Part(value, parts[0].text)
        if name in ("days", "workdays"):
            return Part(value, _BETWEEN[self.scope.language].format(*(part.text for part in parts)))
        return Part(value, f"{held[0]}({', '.join(part.text for part in parts)})")

    def _convert(self, held: list[Part | Token]) -> Part:
        (inner,) = _parts(held)
        unit, value = _unit(str(held[-1])), need_quantity(inner.value)
        bases = (value.dimension, unit.dimension)
        if bases in ((((SECOND, 1),), ((DAY, 1),)), (((DAY, 1),), ((SECOND, 1),))):
            to_days = bases[1] == ((DAY, 1),)
            amount = value.amount / _SECONDS_OF_DAY if to_days else value.amount * _SECONDS_OF_DAY
            self.scope.note("hours")
            return Part(Quantity(amount, ((unit, 1),), value.is_rounded), inner.text)
        return Part(convert(value, unit), inner.text)

    def _sum(self, held: list[Part | Token], sign: int) -> Part:
        left, right = _parts(held)
        text = f"{left.text} {'+' if sign > 0 else '-'} {right.text}"
        if isinstance(left.value, Quantity) and isinstance(right.value, Quantity):
            self._warn_of_percent(left.value, right.value)
            return Part(add(left.value, right.value, sign), text)
        if isinstance(left.value, date) and isinstance(right.value, date) and sign < 0:
            days = Fraction((left.value - right.value).days)
            return Part(self.scope.counted(days, DAY), text)
        if isinstance(left.value, date) and isinstance(right.value, Quantity):
            return Part(self._moved(left.value, right.value, sign), text)
        if isinstance(right.value, date) and isinstance(left.value, Quantity) and sign > 0:
            return Part(self._moved(right.value, left.value, sign), text)
        raise fault(Fault.DAYS_ONLY_ADDED, text=text)

    def _moved(self, day: date, duration: Quantity, sign: int) -> date:
        count = sign * whole_count(duration)
        ((base, _),) = duration.dimension
        if base == DAY:
            return add_days(day, count)
        if base == WORKDAY:
            moved = self.scope.calendar.after(day, count)
            self.scope.note_calendar(day, moved)
            self.scope.note("start")
            return moved
        found = add_months(day, count)
        if found.is_shortened:
            self.scope.note("month_end")
        return found.day

    def _warn_of_percent(self, left: Quantity, right: Quantity) -> None:
        percents = [bool(one.units) and not one.dimension for one in (left, right)]
        other = right if percents[0] else left
        if sum(percents) == 1 and not other.dimension and abs(other.amount) != 1:
            self.scope.note("percent")

    def _product(self, held: list[Part | Token], sign: int) -> Part:
        left, right = _parts(held)
        value = multiply(need_quantity(left.value), need_quantity(right.value), sign)
        return Part(value, f"{left.text} {'×' if sign > 0 else '÷'} {right.text}")

    def _raised(self, held: list[Part | Token]) -> Part:
        base, exponent = _parts(held)
        return Part(raise_to(need_quantity(base.value), need_quantity(exponent.value)), f"{base.text}^{exponent.text}")

    def _negative(self, held: list[Part | Token]) -> Part:
        (inner,) = _parts(held)
        value = need_quantity(inner.value)
        return Part(value._replace(amount=-value.amount), f"-{inner.text}")

    def _placeholder(self, held: list[Part | Token]) -> Part:
        raise fault(Fault.NO_RESULT_YET, name=held[0])


def _parts(held: list[Part | Token]) -> list[Part]:
    return [one for one in held if isinstance(one, Part)]


def _unit(spelling: str) -> Unit:
    unit = unit_named(spelling.strip(" -"))
    if unit is None:
        raise fault(Fault.UNKNOWN_UNIT, unit=spelling.strip())
    return unit


def _per(text: str) -> Unit:
    return _unit(text.lstrip("/每 "))
