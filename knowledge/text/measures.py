"""What a value and a unit are, and the physical units."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple


class ValueKind(StrEnum):
    """What a value says."""

    NUMBER = "number"
    PERCENT = "percent"
    MONEY = "money"
    QUANTITY = "quantity"
    DURATION = "duration"
    DATE = "date"
    TIME = "time"
    CLAUSE = "clause"
    ORDINAL = "ordinal"
    IDENTIFIER = "identifier"


class Unit(NamedTuple):
    """A unit as it is written: what it measures, its base unit and how many of those one of it is."""

    kind: ValueKind
    base: str
    factor: Decimal


def family(kind: ValueKind, base: str, members: dict[str, str]) -> dict[str, Unit]:
    """Spellings of one base unit: factor to spellings, those separated by bars."""
    return {
        spelling: Unit(kind, base, Decimal(factor))
        for factor, spellings in members.items()
        for spelling in spellings.split("|")
    }


MEASURES = {
    **family(
        ValueKind.QUANTITY,
        "m",
        {
            "1": "米|公尺|m|meter|meters|metre|metres",
            "0.01": "厘米|公分|cm",
            "0.001": "毫米|公厘|mm",
            "0.000001": "微米|μm|um",
            "0.000000001": "纳米|nm",
            "1000": "千米|公里|km|kilometers|kilometres",
            "500": "里",
            "0.0254": "英寸|inch|inches",
            "0.3048": "英尺|ft|feet",
            "1609.344": "英里|mile|miles",
        },
    ),
    **family(
        ValueKind.QUANTITY,
        "kg",
        {
            "1": "千克|公斤|kg|kilogram|kilograms",
            "0.5": "斤|市斤",
            "0.001": "克|g|gram|grams",
            "0.000001": "毫克|mg",
            "1000": "吨|公吨|噸|t|ton|tons|tonne|tonnes",
            "0.45359237": "磅|lb|lbs",
        },
    ),
    **family(
        ValueKind.QUANTITY,
        "m2",
        {
            "1": "平方米|平方公尺|平米|㎡|m²|m2|square meters|square metres",
            "1000000": "平方公里|平方千米|km²|km2",
            "10000": "公顷|公頃|hectare|hectares|ha",
            "0.0001": "平方厘米|cm²|cm2",
            "0.000001": "平方毫米|mm²|mm2",
        },
    ),
    **family(ValueKind.QUANTITY, "亩", {"1": "亩|畝"}),
    **family(
        ValueKind.QUANTITY,
        "m3",
        {
            "1": "立方米|m³|m3|cubic meters|cubic metres",
            "0.001": "升|公升|L|l|liter|liters|litre|litres",
            "0.000001": "毫升|ml|mL",
        },
    ),
    **family(
        ValueKind.QUANTITY,
        "W",
        {
            "1": "瓦|瓦特|W|watt|watts",
            "1000": "千瓦|kW|KW|kw|kilowatt|kilowatts",
            "1000000": "兆瓦|MW|megawatt|megawatts",
            "1000000000": "吉瓦|GW",
            "0.001": "mW",
        },
    ),
    **family(
        ValueKind.QUANTITY,
        "Wh",
        {"1": "瓦时|Wh", "1000": "千瓦时|千瓦·时|度电|kWh|KWh|kwh", "1000000": "兆瓦时|MWh", "1000000000": "GWh"},
    ),
    **family(ValueKind.QUANTITY, "VA", {"1": "VA", "1000": "kVA|KVA", "1000000": "MVA"}),
    **family(ValueKind.QUANTITY, "V", {"1": "伏|伏特|V|volt|volts", "1000": "千伏|kV|KV", "0.001": "毫伏|mV"}),
    **family(ValueKind.QUANTITY, "A", {"1": "安|安培|A|amp|amps|ampere|amperes", "0.001": "毫安|mA", "1000": "kA"}),
    **family(ValueKind.QUANTITY, "Ah", {"1": "安时|Ah", "0.001": "毫安时|mAh"}),
    **family(ValueKind.QUANTITY, "Ω", {"1": "欧姆|Ω|ohm|ohms", "1000": "kΩ", "1000000": "MΩ"}),
    **family(
        ValueKind.QUANTITY, "Hz", {"1": "赫兹|Hz", "1000": "千赫|kHz|KHz", "1000000": "兆赫|MHz", "1000000000": "GHz"}
    ),
    **family(
        ValueKind.QUANTITY, "Pa", {"1": "帕|Pa", "1000": "千帕|kPa|KPa", "1000000": "兆帕|MPa", "100000": "巴|bar"}
    ),
    **family(ValueKind.QUANTITY, "N", {"1": "牛顿|N", "1000": "千牛|kN"}),
    **family(ValueKind.QUANTITY, "N·m", {"1": "牛·米|牛米|N·m|Nm"}),
    **family(ValueKind.QUANTITY, "J", {"1": "焦耳|J", "1000": "千焦|kJ", "1000000": "MJ"}),
    **family(ValueKind.QUANTITY, "cal", {"1": "卡路里|cal", "1000": "千卡|大卡|kcal"}),
    **family(ValueKind.QUANTITY, "°C", {"1": "℃|°C|摄氏度|degrees Celsius"}),
    **family(ValueKind.QUANTITY, "°F", {"1": "℉|°F|华氏度"}),
    **family(ValueKind.QUANTITY, "°", {"1": "°|degrees"}),
    **family(ValueKind.QUANTITY, "dB", {"1": "分贝|dB"}),
    **family(ValueKind.QUANTITY, "rpm", {"1": "rpm|r/min|转/分|转/分钟|转每分"}),
    **family(
        ValueKind.QUANTITY,
        "km/h",
        {"1": "km/h|公里/小时|千米/小时|公里每小时|kph", "3.6": "m/s|米/秒|米每秒", "1.609344": "mph"},
    ),
    **family(
        ValueKind.QUANTITY,
        "bit/s",
        {"1": "bps/s|bit/s", "1000": "kbps|Kbps", "1000000": "Mbps|兆比特每秒", "1000000000": "Gbps"},
    ),
    **family(
        ValueKind.QUANTITY,
        "byte",
        {
            "1": "字节|B|byte|bytes",
            "1024": "KB|kB|KiB",
            "1048576": "MB|MiB|兆字节",
            "1073741824": "GB|GiB",
            "1099511627776": "TB|TiB",
            "1125899906842624": "PB",
        },
    ),
    **family(ValueKind.QUANTITY, "岁", {"1": "岁|周岁|歲|years old|years of age|year-old"}),
    **family(ValueKind.QUANTITY, "倍", {"1": "倍|times"}),
}
"""Spelling to unit. Symbols are case-sensitive (mW is not MW)."""
