"""Units of measure, money, time and counting, each with its base unit and factor."""

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


def _family(kind: ValueKind, base: str, members: dict[str, str]) -> dict[str, Unit]:
    return {
        spelling: Unit(kind, base, Decimal(factor))
        for factor, spellings in members.items()
        for spelling in spellings.split("|")
    }


_Q, _D, _M, _P = ValueKind.QUANTITY, ValueKind.DURATION, ValueKind.MONEY, ValueKind.PERCENT

# Calendar and clock units are not interchanged (24 小时 is not 1 天, 30 天 is not 1 个月): contracts tell them apart.
_DURATIONS = {
    **_family(_D, "second", {"1": "秒|秒钟|秒鐘|s|sec|secs|second|seconds", "0.001": "毫秒|ms|millisecond|milliseconds",
                             "60": "分钟|分鐘|min|mins|minute|minutes",
                             "3600": "小时|个小时|小時|個小時|钟头|个钟头|h|hr|hrs|hour|hours"}),
    **_family(_D, "day", {"1": "天|日|自然日|个自然日|日历日|昼夜|day|days|calendar day|calendar days",
                          "7": "周|星期|个星期|礼拜|个礼拜|週|個星期|week|weeks"}),
    **_family(_D, "workday", {"1": "工作日|个工作日|個工作日|交易日|个交易日|business day|business days|working day|"
                                   "working days|workday|workdays|trading day|trading days"}),
    **_family(_D, "month", {"1": "个月|個月|month|months", "3": "个季度|個季度",
                            "12": "年|周年|週年|个年度|个会计年度|year|years"}),
}

_MONEY = {
    **_family(_M, "CNY", {"1": "元|元人民币|人民币|块|块钱|圆|CNY|RMB|yuan", "0.1": "角", "0.01": "分钱"}),
    **_family(_M, "USD", {"1": "美元|美金|USD|US dollar|US dollars|dollar|dollars", "0.01": "美分|cents|cent"}),
    **_family(_M, "EUR", {"1": "欧元|歐元|EUR|euro|euros"}),
    **_family(_M, "GBP", {"1": "英镑|英鎊|GBP|pound sterling|pounds sterling"}),
    **_family(_M, "HKD", {"1": "港元|港币|港幣|HKD"}),
    **_family(_M, "JPY", {"1": "日元|日圆|日圓|JPY|yen"}),
    **_family(_M, "TWD", {"1": "新台币|新臺幣|台币|TWD|NTD"}),
    **_family(_M, "KRW", {"1": "韩元|韓元|KRW|won"}),
}

_PERCENT = {
    **_family(_P, "%", {"1": "%|percent|per cent|pct", "0.1": "‰"}),
    **_family(_P, "percentage point", {"1": "个百分点|個百分點|百分点|percentage point|percentage points|pp",
                                       "0.01": "个基点|基点|bp|bps|basis point|basis points"}),
}

_MEASURES = {
    **_family(_Q, "m", {"1": "米|公尺|m|meter|meters|metre|metres", "0.01": "厘米|公分|cm", "0.001": "毫米|公厘|mm",
                        "0.000001": "微米|μm|um", "0.000000001": "纳米|nm", "1000": "千米|公里|km|kilometers|kilometres",
                        "500": "里", "0.0254": "英寸|inch|inches", "0.3048": "英尺|ft|feet", "1609.344": "英里|mile|miles"}),
    **_family(_Q, "kg", {"1": "千克|公斤|kg|kilogram|kilograms", "0.5": "斤|市斤", "0.001": "克|g|gram|grams",
                         "0.000001": "毫克|mg", "1000": "吨|公吨|噸|t|ton|tons|tonne|tonnes", "0.45359237": "磅|lb|lbs"}),
    **_family(_Q, "m2", {"1": "平方米|平方公尺|平米|㎡|m²|m2|square meters|square metres", "1000000": "平方公里|平方千米|km²|km2",
                         "10000": "公顷|公頃|hectare|hectares|ha", "0.0001": "平方厘米|cm²|cm2", "0.000001": "平方毫米|mm²|mm2"}),
    **_family(_Q, "亩", {"1": "亩|畝"}),
    **_family(_Q, "m3", {"1": "立方米|m³|m3|cubic meters|cubic metres", "0.001": "升|公升|L|l|liter|liters|litre|litres",
                         "0.000001": "毫升|ml|mL"}),
    **_family(_Q, "W", {"1": "瓦|瓦特|W|watt|watts", "1000": "千瓦|kW|KW|kw|kilowatt|kilowatts",
                        "1000000": "兆瓦|MW|megawatt|megawatts", "1000000000": "吉瓦|GW", "0.001": "mW"}),
    **_family(_Q, "Wh", {"1": "瓦时|Wh", "1000": "千瓦时|千瓦·时|度电|kWh|KWh|kwh", "1000000": "兆瓦时|MWh", "1000000000": "GWh"}),
    **_family(_Q, "VA", {"1": "VA", "1000": "kVA|KVA", "1000000": "MVA"}),
    **_family(_Q, "V", {"1": "伏|伏特|V|volt|volts", "1000": "千伏|kV|KV", "0.001": "毫伏|mV"}),
    **_family(_Q, "A", {"1": "安|安培|A|amp|amps|ampere|amperes", "0.001": "毫安|mA", "1000": "kA"}),
    **_family(_Q, "Ah", {"1": "安时|Ah", "0.001": "毫安时|mAh"}),
    **_family(_Q, "Ω", {"1": "欧姆|Ω|ohm|ohms", "1000": "kΩ", "1000000": "MΩ"}),
    **_family(_Q, "Hz", {"1": "赫兹|Hz", "1000": "千赫|kHz|KHz", "1000000": "兆赫|MHz", "1000000000": "GHz"}),
    **_family(_Q, "Pa", {"1": "帕|Pa", "1000": "千帕|kPa|KPa", "1000000": "兆帕|MPa", "100000": "巴|bar"}),
    **_family(_Q, "N", {"1": "牛顿|N", "1000": "千牛|kN"}),
    **_family(_Q, "N·m", {"1": "牛·米|牛米|N·m|Nm"}),
    **_family(_Q, "J", {"1": "焦耳|J", "1000": "千焦|kJ", "1000000": "MJ"}),
    **_family(_Q, "cal", {"1": "卡路里|cal", "1000": "千卡|大卡|kcal"}),
    **_family(_Q, "°C", {"1": "℃|°C|摄氏度|degrees Celsius"}), **_family(_Q, "°F", {"1": "℉|°F|华氏度"}),
    **_family(_Q, "°", {"1": "°|degrees"}), **_family(_Q, "dB", {"1": "分贝|dB"}),
    **_family(_Q, "rpm", {"1": "rpm|r/min|转/分|转/分钟|转每分"}),
    **_family(_Q, "km/h", {"1": "km/h|公里/小时|千米/小时|公里每小时|kph", "3.6": "m/s|米/秒|米每秒", "1.609344": "mph"}),
    **_family(_Q, "bit/s", {"1": "bps/s|bit/s", "1000": "kbps|Kbps", "1000000": "Mbps|兆比特每秒", "1000000000": "Gbps"}),
    **_family(_Q, "byte", {"1": "字节|B|byte|bytes", "1024": "KB|kB|KiB", "1048576": "MB|MiB|兆字节", "1073741824": "GB|GiB",
                           "1099511627776": "TB|TiB", "1125899906842624": "PB"}),
    **_family(_Q, "岁", {"1": "岁|周岁|歲|years old|years of age|year-old"}),
    **_family(_Q, "倍", {"1": "倍|times"}),
}

# Counted things keep their classifier: 3 项 and 3 人 are different statements.
_COUNTS = {
    **{name: Unit(_Q, name, Decimal(1)) for name in "个 项 条 件 台 套 份 家 次 种 类 批 张 辆 座 艘 架 部 篇 章 户 处 位 株 头 只 "
       "支 把 根 块 颗 层 栋 幢 间 所 门 盏 枚 幅 册 本 页 字 票 股 轮 届 档 级 组 队 班 期 笔 起 场 步 点 国 省 市 县 村".split()},
    **_family(_Q, "人", {"1": "人|名|人次|people|persons|person|employees"}),
    **_family(_Q, "个", {"1": "個|items|item"}), **_family(_Q, "项", {"1": "項"}), **_family(_Q, "种", {"1": "種"}),
    **_family(_Q, "条", {"1": "條"}), **_family(_Q, "台", {"1": "臺"}), **_family(_Q, "张", {"1": "張"}),
    **_family(_Q, "类", {"1": "類"}), **_family(_Q, "辆", {"1": "輛"}),
}

UNITS: dict[str, Unit] = {**_COUNTS, **_MEASURES, **_PERCENT, **_MONEY, **_DURATIONS}
"""Every spelling that is read, with its meaning. Symbols are case-sensitive (mW is not MW)."""

CURRENCY_SIGNS = {"¥": "CNY", "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "HK$": "HKD", "NT$": "TWD",
                  "RMB": "CNY", "CNY": "CNY", "USD": "USD", "EUR": "EUR", "GBP": "GBP", "HKD": "HKD", "JPY": "JPY",
                  "人民币": "CNY", "人民幣": "CNY"}
"""What stands before an amount of money."""

CLAUSE_UNITS = {
    "条": "条", "條": "条", "款": "款", "项": "项", "項": "项", "目": "目", "章": "章", "节": "节", "節": "节",
    "编": "编", "編": "编", "article": "条", "articles": "条", "art.": "条", "clause": "条", "clauses": "条",
    "chapter": "章", "section": "节", "sections": "节", "sec.": "节", "§": "节", "paragraph": "款", "subparagraph": "项",
    "part": "编", "item": "项", "附件": "附件", "附录": "附件", "附錄": "附件", "附表": "附表", "annex": "附件",
    "appendix": "附件", "schedule": "附表", "attachment": "附件",
}
"""Words that name a numbered part of a document, in one vocabulary for both languages."""

ORDINAL_UNITS = "号次期批届名位代类级页卷版步阶段轮组层季个"
"""What a Chinese ordinal counts, as in 第3次 or 第5号."""
