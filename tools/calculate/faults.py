"""Why something cannot be computed: each reason with its words in both languages."""

from __future__ import annotations

from enum import StrEnum

from ...errors import CalculationError


class Fault(StrEnum):
    """What is wrong with an expression."""

    MIXED_UNITS = "mixed_units"
    DIVISION_BY_ZERO = "division_by_zero"
    NO_SUCH_DAY = "no_such_day"
    OUTSIDE_OF_YEARS = "outside_of_years"
    NO_DURATION = "no_duration"
    BROKEN_DURATION = "broken_duration"
    DAYS_ONLY_ADDED = "days_only_added"
    NEEDS_DAYS = "needs_days"
    NO_QUANTITY = "no_quantity"
    WORKDAYS_TOO_MANY = "workdays_too_many"
    DAYS_TOO_MANY = "days_too_many"
    ARGUMENTS = "arguments"
    ROUND_ARGUMENTS = "round_arguments"
    ROUND_DECIMALS = "round_decimals"
    TWO_UNITS = "two_units"
    UNIT_TWICE = "unit_twice"
    UNKNOWN_UNIT = "unknown_unit"
    NO_RESULT_YET = "no_result_yet"
    NO_NUMBER = "no_number"
    TOO_MANY_DIGITS = "too_many_digits"
    TOO_LONG = "too_long"
    EXPONENT_UNIT = "exponent_unit"
    EXPONENT_RANGE = "exponent_range"
    POWER_TOO_LONG = "power_too_long"
    ROOT_UNIT = "root_unit"
    ROOT_NEGATIVE = "root_negative"
    LONG_EXPRESSION = "long_expression"
    EMPTY = "empty"
    UNREAD = "unread"
    ENDS_EARLY = "ends_early"
    MANY_PARTS = "many_parts"
    DEEP = "deep"
    UNCLEAR_LIST = "unclear_list"


IMPOSSIBLE = frozenset(
    kind.value
    for kind in (
        Fault.MIXED_UNITS, Fault.DIVISION_BY_ZERO, Fault.NO_SUCH_DAY, Fault.OUTSIDE_OF_YEARS, Fault.NO_DURATION,
        Fault.BROKEN_DURATION, Fault.DAYS_ONLY_ADDED, Fault.WORKDAYS_TOO_MANY, Fault.DAYS_TOO_MANY, Fault.TOO_LONG,
        Fault.EXPONENT_UNIT, Fault.EXPONENT_RANGE, Fault.POWER_TOO_LONG, Fault.ROOT_UNIT, Fault.ROOT_NEGATIVE,
    )
)  # fmt: skip
"""Kinds of faults in what is asked for, and not in how it is written: another expression would not help."""

_SAID: dict[Fault, tuple[str, str]] = {
    Fault.MIXED_UNITS: ("{one}和{other}不能{done_zh}：{why_zh}", "{one_en} and {other_en} cannot be {done}: {why}"),
    Fault.DIVISION_BY_ZERO: ("除数不能为 0", "division by zero: the divisor must not be 0"),
    Fault.NO_SUCH_DAY: ("没有 {day} 这一天，请更正日期", "there is no day {day}: correct the date"),
    Fault.OUTSIDE_OF_YEARS: ("日期超出了公元 1 年到 9999 年", "the date lies outside the years 1 to 9999"),
    Fault.NO_DURATION: (
        "日期和{name}不能相加：请用天、工作日、个月或年",
        "a date and {name_en} cannot be added: use 天/days, 工作日/working days, 个月/months or 年/years",
    ),
    Fault.BROKEN_DURATION: (
        "从某一天起只能推算整天、整个工作日或整月",
        "only whole days, working days and months are counted on from a date",
    ),
    Fault.DAYS_ONLY_ADDED: (
        "{text}：日期只能加上或减去时长，或者两个日期相减",
        "{text}: days and durations can be added, days subtracted, nothing else",
    ),
    Fault.NEEDS_DAYS: ("这个函数要的是日期，写作 2025-03-01", "this function takes days, written as 2025-03-01"),
    Fault.NO_QUANTITY: (
        "{value}不是数量：只有数字（带或不带单位）才能计算",
        "{value} is no quantity: only numbers, with or without a unit, can be computed with",
    ),
    Fault.WORKDAYS_TOO_MANY: ("最多推算 {most} 个工作日", "at most {most} working days are counted on"),
    Fault.DAYS_TOO_MANY: ("最多在 {most} 天内数工作日", "working days are counted over at most {most} days"),
    Fault.ARGUMENTS: (
        "{name} 需要 {count} 个参数，这里有 {given} 个",
        "{name} takes {count} argument(s), this one has {given}",
    ),
    Fault.ROUND_ARGUMENTS: (
        "round 的参数是一个数值和（可选的）小数位数",
        "round takes a value and, if wanted, the number of decimals",
    ),
    Fault.ROUND_DECIMALS: (
        "round 的小数位数是 -{most} 到 {most} 的整数",
        "round takes whole numbers of decimals from -{most} to {most}",
    ),
    Fault.TWO_UNITS: (
        "{one}和{other}都说明了 {number} 的单位：请去掉一个",
        "{one} and {other} both say what {number} is: leave one out",
    ),
    Fault.UNIT_TWICE: ("（{text}）已经有单位：请去掉{unit}", "({text}) has a unit already: leave {unit} out"),
    Fault.UNKNOWN_UNIT: ("不认识单位“{unit}”", "'{unit}' is no unit that is known"),
    Fault.NO_RESULT_YET: ("{name} 还没有结果：请直接写出数值", "{name} has no result yet: write the value itself"),
    Fault.NO_NUMBER: ("“{text}”不是数：请写成数字", "'{text}' is no number: write it in digits"),
    Fault.TOO_MANY_DIGITS: (
        "数字超过 {most} 位：请写得短一些",
        "a number of more than {most} digits: give a shorter one",
    ),
    Fault.TOO_LONG: (
        "计算过程中的数太大：请用较小的数或指数",
        "a number on the way grows too long: use smaller numbers or exponents",
    ),
    Fault.EXPONENT_UNIT: ("指数不能有单位，这里是{unit}", "an exponent has no unit, this one has {unit}"),
    Fault.EXPONENT_RANGE: ("指数的范围是 -{most} 到 {most}", "exponents go from -{most} to {most}"),
    Fault.POWER_TOO_LONG: (
        "乘方的结果太大：请用较小的数或指数",
        "the power grows too long: use a smaller number or exponent",
    ),
    Fault.ROOT_UNIT: (
        "只有不带单位的数才能开方，这里是{unit}",
        "only bare numbers have broken powers, this one has {unit}",
    ),
    Fault.ROOT_NEGATIVE: ("负数不能开方", "a negative number has no broken power"),
    Fault.LONG_EXPRESSION: (
        "算式有 {length} 个字符，上限是 {most}",
        "the expression has {length} characters; at most {most}",
    ),
    Fault.EMPTY: ("算式是空的：请写一个，例如 1200 * 30%", "the expression is empty: write one, such as 1200 * 30%"),
    Fault.UNREAD: (
        "看不懂“{before}”后面的“{rest}”：请写数字、单位和 + - * / ^ ( )",
        "cannot read '{rest}' behind '{before}': write numbers, units and + - * / ^ ( )",
    ),
    Fault.ENDS_EARLY: (
        "算式没有写完：“{before}”后面缺了内容",
        "the expression ends too early: something is missing behind '{before}'",
    ),
    Fault.MANY_PARTS: (
        "算式太长：最多 {most} 次运算",
        "the expression has too many parts; at most {most} operations are taken",
    ),
    Fault.DEEP: (
        "括号超过 {most} 层：请写得简单一些",
        "parentheses are nested more than {most} deep: write it flatter",
    ),
    Fault.UNCLEAR_LIST: (
        "{text} 可能是一个数，也可能是几个：请用分号隔开",
        "{text} may be one number or several: part arguments by ;",
    ),
}


def fault(kind: Fault, **fields: object) -> CalculationError:
    """The error of a kind; fields are inserted as they are, never read as templates."""
    chinese, english = _SAID[kind]
    for name, value in fields.items():
        mark = "{" + name + "}"
        chinese, english = chinese.replace(mark, str(value)), english.replace(mark, str(value))
    return CalculationError(english, kind=kind.value, chinese=chinese)
