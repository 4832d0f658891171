"""Exact quantities: numbers with a unit, whose dimensions are never mixed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from decimal import Context, Decimal, DecimalException
from fractions import Fraction
from typing import NamedTuple

from ...knowledge.text.normalise import has_chinese
from .faults import Fault, fault
from .vocabulary import Dimension, Unit, unit_named, units_of, usual_units
from .written_numbers import MOST_BITS, checked, show, to_decimal

LARGEST_EXPONENT = 1_000
_ROOT_DIGITS = 50
_LARGEST_CHECKED = 12
_SUPERSCRIPTS = {1: "", 2: "²", 3: "³"}
_DEGREES = {"°C": (Fraction(1), Fraction(0)), "°F": (Fraction(5, 9), Fraction(-160, 9))}
"""Degrees Celsius that one degree is, and that its zero is."""
NO_UNIT: tuple[tuple[Unit, int], ...] = ()


class Quantity(NamedTuple):
    """An amount in base units of its dimension, with the units in which it is shown."""

    amount: Fraction
    units: tuple[tuple[Unit, int], ...] = NO_UNIT
    is_rounded: bool = False
    """Whether a root has made it inexact."""

    @property
    def dimension(self) -> Dimension:
        """What it measures."""
        return _product_of(self.units)

    @property
    def factor(self) -> Fraction:
        """How many base units one of the shown unit is."""
        return math.prod((unit.factor**exponent for unit, exponent in self.units), start=Fraction(1))

    @property
    def number(self) -> Fraction:
        """The amount in the shown unit."""
        return self.amount / self.factor

    @property
    def unit_name(self) -> str:
        """The shown unit as it is written, such as 元/台; empty for a bare number."""
        above = [f"{unit.name}{_power(exponent)}" for unit, exponent in self.units if exponent > 0]
        below = [f"/{unit.name}{_power(-exponent)}" for unit, exponent in self.units if exponent < 0]
        return ("·".join(above) or ("1" if below else "")) + "".join(below)


def measured(number: Fraction, *units: Unit, per: Iterable[Unit] = ()) -> Quantity:
    """So many of a unit, per others."""
    shown = (*((unit, 1) for unit in units), *((unit, -1) for unit in per))
    bare = Quantity(number, shown)
    return bare._replace(amount=number * bare.factor)


_DONE = {"added": "相加", "subtracted": "相减", "compared": "比较", "converted into each other": "互相换算"}
_WHY = {
    "percent": ("请说明是谁的百分比，例如 100 元 × (1 + 5%)", "say of what the percentage is, as in 100 元 × (1 + 5%)"),
    "workdays": (
        "自然日和工作日的算法不同；请从某一天起算，例如 2025-03-01 + 3 工作日",
        "days and working days are counted differently; begin with a date, as in 2025-03-01 + 3 工作日",
    ),
    "durations": (
        "它们之间没有固定的换算关系；请从某一天起算，例如 2025-03-01 + 1 个月",
        "they have no fixed relation; begin with a date, as in 2025-03-01 + 1 个月",
    ),
    "currencies": ("需要汇率，例如 5 USD × 7.1 元/USD", "an exchange rate is needed, as in 5 USD × 7.1 元/USD"),
    "no_unit": (
        "一个有单位，另一个没有；请给出相同的单位",
        "one has a unit and the other has none; give both the same unit",
    ),
    "different": ("它们量的不是同一种东西", "they measure different things"),
}


def add(left: Quantity, right: Quantity, sign: int = 1) -> Quantity:
    """The sum, or with sign -1 the difference, in the left one's unit.

    Raises:
        CalculationError: they measure different things.
    """
    require_same(left, right, "added" if sign > 0 else "subtracted")
    units = left.units if left.units or left.number == 0 else NO_UNIT
    if left.dimension == () and not (left.units and right.units):
        units = NO_UNIT
    return Quantity(checked(left.amount + sign * right.amount), units, left.is_rounded or right.is_rounded)


def require_same(left: Quantity, right: Quantity, done: str) -> None:
    """Refuse what measures different things.

    Raises:
        CalculationError: it does; the message names both.
    """
    if left.dimension == right.dimension:
        return
    raise fault(
        Fault.MIXED_UNITS,
        one=left.unit_name or "没有单位的数",
        other=right.unit_name or "没有单位的数",
        one_en=left.unit_name or "a bare number",
        other_en=right.unit_name or "a bare number",
        done_zh=_DONE[done],
        done=done,
        **_why(left, right),
    )


def _why(left: Quantity, right: Quantity) -> dict[str, str]:
    bases = {base for one in (left, right) for base, _ in one.dimension}
    if "%" in (left.unit_name, right.unit_name):
        why = "percent"
    elif {"day", "workday"} == bases:
        why = "workdays"
    elif bases <= {"day", "workday", "month", "second"}:
        why = "durations"
    elif len(bases) > 1 and all(len(base) == 3 and base.isupper() for base in bases):
        why = "currencies"
    else:
        why = "no_unit" if () in (left.dimension, right.dimension) else "different"
    chinese, english = _WHY[why]
    return {"why_zh": chinese, "why": english}


def multiply(left: Quantity, right: Quantity, sign: int = 1) -> Quantity:
    """The product, or with sign -1 the quotient.

    Raises:
        CalculationError: division by zero.
    """
    if sign < 0 and right.amount == 0:
        raise fault(Fault.DIVISION_BY_ZERO)
    amount = checked(left.amount * right.amount**sign)
    units = _merged(left, right, sign)
    return Quantity(amount, units, left.is_rounded or right.is_rounded)


def _merged(left: Quantity, right: Quantity, sign: int) -> tuple[tuple[Unit, int], ...]:
    shown = (*left.units, *((unit, sign * exponent) for unit, exponent in right.units))
    if not _product_of(shown):
        # Half of 30 % of something is a number; only percent of percent stays one.
        stays = sign > 0 and left.units and right.units and len(left.units) == len(right.units) == 1
        return left.units if stays and left.units == right.units and not left.dimension else NO_UNIT
    kept = _named(tuple(_cancelled((unit, exponent) for unit, exponent in shown if unit.dimension)))
    others = [unit for unit, _ in kept if not unit.is_count]
    return tuple((u, e) for u, e in kept if not (others and u.is_count and e > 0))


def _cancelled(shown: Iterable[tuple[Unit, int]]) -> Iterator[tuple[Unit, int]]:
    """Units of one dimension become the first of them."""
    kept: dict[Dimension, tuple[Unit, int]] = {}
    for unit, exponent in shown:
        first, before = kept.get(unit.dimension, (unit, 0))
        kept[unit.dimension] = (first, before + exponent)
    return (pair for pair in kept.values() if pair[1])


def _named(shown: tuple[tuple[Unit, int], ...]) -> tuple[tuple[Unit, int], ...]:
    """One unit for several where there is one: kWh for kW·h, m² for m·m."""
    if not shown or (len(shown) == 1 and shown[0][1] == 1):
        return shown
    whole = Quantity(Fraction(1), shown)
    names = units_of(whole.dimension, whole.factor) or usual_units(whole.dimension)
    chinese = has_chinese("".join(unit.name for unit, _ in shown))
    fitting = [name for name in names if has_chinese(name) == chinese] or list(names)
    unit = unit_named(fitting[0]) if fitting else None
    return ((unit, 1),) if unit else shown


def _product_of(shown: Iterable[tuple[Unit, int]]) -> Dimension:
    exponents: dict[str, int] = {}
    for unit, exponent in shown:
        for base, power in unit.dimension:
            exponents[base] = exponents.get(base, 0) + power * exponent
    return tuple(sorted((base, power) for base, power in exponents.items() if power))


def raise_to(base: Quantity, exponent: Quantity) -> Quantity:
    """A power. Whole exponents are exact; others (the yearly growth of several years) need a positive bare number.

    Raises:
        CalculationError: the exponent is too large or has a unit, or the power is not a real number.
    """
    if exponent.dimension:
        raise fault(Fault.EXPONENT_UNIT, unit=exponent.unit_name)
    if abs(exponent.amount) > LARGEST_EXPONENT:
        raise fault(Fault.EXPONENT_RANGE, most=LARGEST_EXPONENT)
    if exponent.amount.denominator != 1:
        return _root(base, exponent)
    power = int(exponent.amount)
    if base.amount == 0 and power < 0:
        raise fault(Fault.DIVISION_BY_ZERO)
    bits = max(base.amount.numerator.bit_length(), base.amount.denominator.bit_length())
    if bits * abs(power) > MOST_BITS * 2:
        raise fault(Fault.POWER_TOO_LONG)
    units = _named(tuple((u, e * power) for u, e in base.units if u.dimension and power))
    return Quantity(checked(base.amount**power), units, base.is_rounded)


def _root(base: Quantity, exponent: Quantity) -> Quantity:
    if base.dimension:
        raise fault(Fault.ROOT_UNIT, unit=base.unit_name)
    if base.amount < 0:
        raise fault(Fault.ROOT_NEGATIVE)
    context = Context(prec=_ROOT_DIGITS, Emax=999, Emin=-999)
    try:
        power = context.power(to_decimal(base.amount, _ROOT_DIGITS), to_decimal(exponent.amount, _ROOT_DIGITS))
    except DecimalException as error:
        raise fault(Fault.POWER_TOO_LONG) from error
    root, above, below = Fraction(_without_dust(power)), exponent.amount.numerator, exponent.amount.denominator
    is_small = max(abs(above), below) <= _LARGEST_CHECKED
    is_exact = is_small and base.amount != 0 and root**below == base.amount**above
    return Quantity(checked(root), NO_UNIT, base.is_rounded or not is_exact)


def _without_dust(power: Decimal) -> Decimal:
    """A root that comes out even, without the error of its last digits."""
    return Context(prec=_ROOT_DIGITS - 5).plus(power)


def convert(value: Quantity, unit: Unit) -> Quantity:
    """The same quantity in another unit.

    Raises:
        CalculationError: the unit measures something else.
    """
    shown = ((unit, 1),)
    target = Quantity(Fraction(1), shown, value.is_rounded)
    degrees = tuple(one.dimension[0][0] if len(one.dimension) == 1 else "" for one in (value, target))
    if degrees[0] != degrees[1] and all(name in _DEGREES for name in degrees):
        size, zero = _DEGREES[degrees[0]]
        other_size, other_zero = _DEGREES[degrees[1]]
        return target._replace(amount=(value.amount * size + zero - other_zero) / other_size)
    require_same(value, target, "converted into each other")
    return value._replace(units=shown)


def spelled(value: Quantity) -> tuple[str, bool]:
    """The quantity in words, and whether that is rounded."""
    number, is_rounded = show(value.number)
    name = value.unit_name
    gap = "" if not name or name[0] in "%‰‱℃℉°" else " "
    return f"{number}{gap}{name}", is_rounded or value.is_rounded


def _power(exponent: int) -> str:
    return _SUPERSCRIPTS.get(exponent, f"^{exponent}")
