"""Units of time, money and counting, and the words that name numbered parts, on top of `measures`."""

from __future__ import annotations

from decimal import Decimal

from .measures import MEASURES, Unit, ValueKind, family

__all__ = ["CLAUSE_UNITS", "CURRENCY_SIGNS", "ORDINAL_UNITS", "UNITS", "Unit", "ValueKind"]

_Q, _D, _M, _P = ValueKind.QUANTITY, ValueKind.DURATION, ValueKind.MONEY, ValueKind.PERCENT

# Calendar and clock units are not interchanged (24 小时 is not 1 天, 30 天 is not 1 个月): contracts tell them apart.
_DURATIONS = {
    **family(
        _D,
        "second",
        {
            "1": "秒|秒钟|秒鐘|s|sec|secs|second|seconds",
            "0.001": "毫秒|ms|millisecond|milliseconds",
            "60": "分钟|分鐘|min|mins|minute|minutes",
            "3600": "小时|个小时|小時|個小時|钟头|个钟头|h|hr|hrs|hour|hours",
        },
    ),
    **family(
        _D,
        "day",
        {
            "1": "天|日|自然日|个自然日|日历日|昼夜|day|days|calendar day|calendar days",
            "7": "周|星期|个星期|礼拜|个礼拜|週|個星期|week|weeks",
        },
    ),
    **family(
        _D,
        "workday",
        {
            "1": "工作日|个工作日|個工作日|交易日|个交易日|business day|business days|working day|"
            "working days|workday|workdays|trading day|trading days"
        },
    ),
    **family(
        _D,
        "month",
        {"1": "个月|個月|month|months", "3": "个季度|個季度", "12": "年|周年|週年|个年度|个会计年度|year|years"},
    ),
}

_MONEY = {
    **family(_M, "CNY", {"1": "元|元人民币|人民币|块|块钱|圆|CNY|RMB|yuan", "0.1": "角", "0.01": "分钱"}),
    **family(_M, "USD", {"1": "美元|美金|USD|US dollar|US dollars|dollar|dollars", "0.01": "美分|cents|cent"}),
    **family(_M, "EUR", {"1": "欧元|歐元|EUR|euro|euros"}),
    **family(_M, "GBP", {"1": "英镑|英鎊|GBP|pound sterling|pounds sterling"}),
    **family(_M, "HKD", {"1": "港元|港币|港幣|HKD"}),
    **family(_M, "JPY", {"1": "日元|日圆|日圓|JPY|yen"}),
    **family(_M, "TWD", {"1": "新台币|新臺幣|台币|TWD|NTD"}),
    **family(_M, "KRW", {"1": "韩元|韓元|KRW|won"}),
}

_PERCENT = {
    **family(_P, "%", {"1": "%|percent|per cent|pct", "0.1": "‰"}),
    **family(
        _P,
        "percentage point",
        {
            "1": "个百分点|個百分點|百分点|percentage point|percentage points|pp",
            "0.01": "个基点|基点|bp|bps|basis point|basis points",
        },
    ),
}

# Counted things keep their classifier: 3 项 and 3 人 are different statements.
_COUNTS = {
    **{
        name: Unit(_Q, name, Decimal(1))
        for name in [
            "个",
            "项",
            "条",
            "件",
            "台",
            "套",
            "份",
            "家",
            "次",
            "种",
            "类",
            "批",
            "张",
            "辆",
            "座",
            "艘",
            "架",
            "部",
            "篇",
            "章",
            "户",
            "处",
            "位",
            "株",
            "头",
            "只",
            "支",
            "把",
            "根",
            "块",
            "颗",
            "层",
            "栋",
            "幢",
            "间",
            "所",
            "门",
            "盏",
            "枚",
            "幅",
            "册",
            "本",
            "页",
            "字",
            "票",
            "股",
            "轮",
            "届",
            "档",
            "级",
            "组",
            "队",
            "班",
            "期",
            "笔",
            "起",
            "场",
            "步",
            "点",
            "国",
            "省",
            "市",
            "县",
            "村",
        ]
    },
    **family(_Q, "人", {"1": "人|名|人次|people|persons|person|employees"}),
    **family(_Q, "个", {"1": "個|items|item"}),
    **family(_Q, "项", {"1": "項"}),
    **family(_Q, "种", {"1": "種"}),
    **family(_Q, "条", {"1": "條"}),
    **family(_Q, "台", {"1": "臺"}),
    **family(_Q, "张", {"1": "張"}),
    **family(_Q, "类", {"1": "類"}),
    **family(_Q, "辆", {"1": "輛"}),
}

UNITS: dict[str, Unit] = {**_COUNTS, **MEASURES, **_PERCENT, **_MONEY, **_DURATIONS}
"""Every spelling that is read, with its meaning. Symbols are case-sensitive (mW is not MW)."""

CURRENCY_SIGNS = {
    "¥": "CNY",
    "$": "USD",
    "US$": "USD",
    "€": "EUR",
    "£": "GBP",
    "HK$": "HKD",
    "NT$": "TWD",
    "RMB": "CNY",
    "CNY": "CNY",
    "USD": "USD",
    "EUR": "EUR",
    "GBP": "GBP",
    "HKD": "HKD",
    "JPY": "JPY",
    "人民币": "CNY",
    "人民幣": "CNY",
}
"""What stands before an amount of money."""

CLAUSE_UNITS = {
    "条": "条",
    "條": "条",
    "款": "款",
    "项": "项",
    "項": "项",
    "目": "目",
    "章": "章",
    "节": "节",
    "節": "节",
    "编": "编",
    "編": "编",
    "article": "条",
    "articles": "条",
    "art.": "条",
    "clause": "条",
    "clauses": "条",
    "chapter": "章",
    "section": "节",
    "sections": "节",
    "sec.": "节",
    "§": "节",
    "paragraph": "款",
    "subparagraph": "项",
    "part": "编",
    "item": "项",
    "附件": "附件",
    "附录": "附件",
    "附錄": "附件",
    "附表": "附表",
    "annex": "附件",
    "appendix": "附件",
    "schedule": "附表",
    "attachment": "附件",
}
"""Words that name a numbered part of a document, in one vocabulary for both languages."""

ORDINAL_UNITS = "号次期批届名位代类级页卷版步阶段轮组层季个"
"""What a Chinese ordinal counts, as in 第3次 or 第5号."""
