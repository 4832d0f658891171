"""Whether a question states a calculation with all of its values."""

from __future__ import annotations

import re

from .models import SURE, Cue

# Numbers are taken whole or not at all: a message may hold thousands of digits, to be tried from each of them on.
_WHOLE = r"(?<!\d)\d++"
_NUMBER = rf"(?:[-+]?{_WHOLE}(?:,\d{{3}}(?!\d))*+(?:\.\d++)?\s?[万亿千百]?|\{{t\d{{1,2}}\}})"
_MOST_LISTED = 40
# A unit of up to four characters, without words that begin something else.
_UNIT = r"\s?(?:[a-z²³°%‰€$£¥]{1,6}|(?!的|除|乘|加|减|是|等|和|与|到|起|之|后|前|以)[\u4e00-\u9fff]{1,4}?)?\s?"
_MEASURE = (
    r"(?:[a-z/²³°]{1,8}"
    r"|[米元克吨升瓦时分秒天日周月年斤里亩度伏安帕焦卡人个千百万亿兆毫厘公平方立英尺寸磅顷小工作]{1,5})"
)
_DATE = r"(?:\d{4}[-/.年]\s?\d{1,2}(?:[-/.月]\s?\d{1,2}日?|月)|\d{1,2}月\d{1,2}[日号]|今天|明天|昨天|\{t\d{1,2}\})"
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_ENGLISH_DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTHS}(?:,?\s\d{{4}})?|{_MONTHS}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?"
    r"|\d{4}-\d{1,2}-\d{1,2}|today|tomorrow|\{t\d{1,2}\})"
)
_SPAN = rf"{_WHOLE}\s?(?:个)?(?:工作日|自然日|日历日|交易日|天|日|周|星期|月|年|季度)"
_WHICH_DAY = r"(?:哪[一]?[天日]|几[月]?[号日]|什么日(?:期|子)|何日|什么时候|几月几[号日]|日期是)"
_ENGLISH_SPAN = rf"{_WHOLE}\s(?:(?:working|business|calendar)\s)?(?:days?|weeks?|months?|years?)"

_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a percentage of a value",
        re.compile(
            rf"{_NUMBER}{_UNIT}的\s?(?:百分之[\d〇零一二两三四五六七八九十百点]+|(?<![\d.])\d[\d.]*+\s?[%‰]|{_WHOLE}\s?成|[一二两三四五六七八九]成)"
            rf"|(?<![\d.])\d[\d.]*+\s?(?:%|percent|per cent)\s?of\s(?:[a-z]{{3}}\s|[€$£¥])?{_NUMBER}"
            rf"|{_NUMBER}{_UNIT}(?:占|是){_NUMBER}{_UNIT}的?(?:百分之[几多]|多少百分)"
        ),
    ),
    (
        "an expression",
        re.compile(
            rf"{_NUMBER}{_UNIT}(?:[+*×÷^]|\s[-/x]\s)\s?{_NUMBER}"
            rf"|{_NUMBER}{_UNIT}(?:加上?|减去?|乘以?|除以|除(?!了|非))\s?{_NUMBER}"
            rf"|{_NUMBER}{_UNIT}(?:plus|minus|times|multiplied by|divided by|over)\s(?:[€$£¥])?{_NUMBER}"
        ),
    ),
    (
        "a conversion of units",
        re.compile(
            rf"{_NUMBER}\s?{_MEASURE}\s?(?:是|等于|合|折合|相当于|换算[成为]?|转换?[成为]|=)\s?(?:多少|几)个?\s?(?!钱){_MEASURE}"
            rf"|把?{_NUMBER}\s?{_MEASURE}\s?(?:换算|折算|折合|转换)[成为]?"
            rf"|\bconvert\s{_NUMBER}\s?[a-z/²³°]+"
            rf"|\bhow many [a-z/]+ (?:is|are|make|in|are in|are there in) {_NUMBER}\s?[a-z]"
            rf"|{_NUMBER}\s?[a-z/]+ (?:in|to|into) "
            r"(?:[kmgt]?wh?|[kcm]?m|km|kg|g|t|tons?|hours?|minutes?|days?|weeks?|months?)\b"
        ),
    ),
    (
        "a day reckoned from another",
        re.compile(
            rf"{_DATE}[^,.?]{{0,8}}?(?:[之往]?[后前]|以[后前]|起|算起|开始|经过|加上?|再过)[^,.?]{{0,6}}?{_SPAN}[^?]{{0,10}}{_WHICH_DAY}"
            rf"|{_DATE}的?(?:后|前)?(?:第)?{_SPAN}(?:[之以]?[后前])?[^?]{{0,4}}{_WHICH_DAY}"
            rf"|(?<![起在的到\u4e00-\u9fff]){_SPAN}(?:[之以]?[后前])[^?,]{{0,4}}{_WHICH_DAY}"
            rf"|{_ENGLISH_SPAN} (?:after|before|from|following|prior to) {_ENGLISH_DATE}"
        ),
    ),
    (
        "the days between two days",
        re.compile(
            rf"{_DATE}.{{0,4}}(?:到|至|和|与|-|~).{{0,3}}{_DATE}.{{0,8}}(?:多少|几)个?(?:工作日|自然日|天|日|周|星期|月|年)"
            rf"|how (?:many|long)[^?]{{0,30}}(?:between|from) {_ENGLISH_DATE} (?:and|to|until|till) {_ENGLISH_DATE}"
        ),
    ),
    (
        "a total of stated values",
        re.compile(
            rf"(?:单价|每[\u4e00-\u9fff]{{1,3}}|一[台个件套吨次人])[^?]{{0,8}}?{_NUMBER}[^?]{{0,20}}?{_NUMBER}[^?]{{0,14}}?"
            r"(?:一共|总共|共计|合计|总价|要多少钱|多少钱)"
            rf"|{_NUMBER}\s[a-z ]{{1,30}}(?:at|for) [€$£¥]?{_NUMBER}[^?]{{0,12}} each[^?]*"
            r"(?:total|altogether|in all|cost)"
            rf"|{_NUMBER}{_UNIT}(?:[,和与、及]\s?{_NUMBER}{_UNIT}){{1,{_MOST_LISTED}}}(?:的)?(?:和|总和|合计|平均数?|平均值|之和)(?:是|为|等于)?多少"
            rf"|(?:sum|average|mean|total) of {_NUMBER}(?:[a-z ]*,\s?{_NUMBER}){{0,{_MOST_LISTED}}}"
            rf"[a-z ]*,? and {_NUMBER}"
        ),
    ),
)
_BARE = re.compile(r"[\s\d.,()+\-*/×÷^%=?]+")
_OPERATOR = re.compile(r"\d\s*[+\-*/×÷^]\s*[\d(]")


def computing_cue(text: str) -> Cue | None:
    """What in a normalised question says that it is a calculation; None where a value of it stands elsewhere.

    Args:
        text: normalised; `{t1}` stands for a value that an earlier task finds.
    """
    if _BARE.fullmatch(text) and _OPERATOR.search(text):
        return Cue(1.0, "an expression")
    form = next((name for name, pattern in _FORMS if pattern.search(text)), None)
    return Cue(SURE, form) if form else None
