# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Short forms and other names that a document defines (以下简称“X”, 又称, hereinafter "X", Full Name (FN))."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..text.normalise import fold_widths, has_chinese
from .vocabulary import Alias

_SHORTEST = 2
_QUOTES = "\"'“”‘’「」『』《》〈〉"
_Q = rf"[{_QUOTES}]?"
_RUN = r"[^\s,，。;；:：、!?！？()（）\[\]【】《》\"“”‘’|<>]"
_NAME = rf"(?P<long>《[^》]{{2,40}}》|[“\"][^”\"]{{2,40}}[”\"]|{_RUN}{{2,40}})"
_SHORT = rf"{_Q}(?P<short>[^\s,，。;；:：、()（）{_QUOTES}]{{2,20}}){_Q}"

_SHORT_FORM = re.compile(
    rf"{_NAME}\s*[,，]?\s*[(\[]\s*(?:以下|下文|后文|本文|此后)?(?:均|统一)?(?:简称|下称)为?\s*[:：]?\s*{_SHORT}\s*[)\],，、;；]"
)
_SHORT_FORM_OPEN = re.compile(rf"{_NAME}[,，]\s*(?:以下)?简称为?\s*[:：]?\s*[“\"](?P<short>[^”\"]{{2,20}})[”\"]")
_OTHER_NAME = re.compile(
    rf"(?:^|(?<=[\s,，。;；、:：]))(?P<long>{_RUN}{{2,14}})\s*[,，(]\s*(?:又|也|亦|俗|或|别|曾|旧|通)称(?:为|作|之为|名)?\s*[:：]?\s*{_SHORT}(?=\s*[)\],，。;；、]|$)"
)
_ABBREVIATED = re.compile(
    rf"{_NAME}\s*[,，(]?\s*(?:英文|其)?(?:缩写|简写|简称)(?:为|是|作|:|：)\s*{_Q}(?P<short>[A-Za-z][A-Za-z0-9&-]{{1,9}})"
)
_LATIN_BEHIND = re.compile(
    r"(?P<long>[\u4e00-\u9fff]{3,16})\s*\(\s*(?P<full>[A-Z][A-Za-z -]{6,60}[,，]\s*)?(?P<short>[A-Z][A-Z&-]{1,7})\s*\)"
)
_INITIALS = re.compile(
    r"(?<![\w'&/-])(?P<long>(?:[A-Za-z][\w'&/-]{0,30}[ ]+){1,7}[A-Za-z][\w'&/-]{0,30})\s*\(\s*(?:the\s+)?[\"'“]?(?P<short>[A-Z][A-Za-z&-]{1,9})[\"'”]?\s*\)"
)
_INITIALS_BEFORE = re.compile(
    r"\b(?P<short>[A-Z][A-Z&-]{1,8})\s*\(\s*(?P<long>(?:[A-Za-z][\w'&/-]{0,30}[ ]+){1,7}[A-Za-z][\w'&/-]{0,30})\s*\)"
)
_HEREINAFTER = re.compile(
    r"(?<![\w'&/-])(?P<long>(?:[A-Z][\w'&.-]{0,30},?[ ]+){1,6}[A-Z][\w'&.-]{0,30})\s*,?\s*\(?\s*hereinafter(?:\s+(?:referred\s+to\s+as|called))?\s*(?:the\s+)?[\"'“](?P<short>[A-Z][^\"'”]{1,30})[\"'”]"
)
_KNOWN_AS = re.compile(
    r"(?<![\w'-])(?P<long>(?:[A-Za-z][\w'-]{0,30}[ ]+){0,3}[A-Za-z][\w'-]{0,30})\s*[,(]\s*(?:also|commonly|formerly)\s+(?:known|referred\s+to)\s+as\s+(?:the\s+)?[\"'“]?(?P<short>[A-Za-z][\w' -]{1,30}?)[\"'”]?\s*[,).;]",
    re.IGNORECASE,
)
_TRIGGERS = re.compile(
    r"[简下又也亦俗别曾旧通或]称|缩写|简写|hereinafter|known as|referred to as|\([\"'“ ]*[A-Z]|[A-Z]\s*\(",
    re.IGNORECASE,
)

# What a party or paper is called inside one document only: elsewhere the same word means another one.
_ROLE = re.compile(
    r"^(?:甲|乙|丙|丁|买|卖|供|需|双|各|委托|受托|出租|承租|发包|承包|借款|贷款|许可|被许可|披露|接收|服务|采购)(?:方|人)$"
    r"|^本?(?:公司|企业|单位|合同|协议|办法|规定|条例|制度|手册|法|规则|细则|通知|方案|项目|平台|系统|产品|设备|集团|银行|学校|用户|客户|标准|指南|意见|工程|决定|通则|规范|条约|公约|总局|商品|货物|机构|部门|中心)$"
    r"|^(?:the |this )?(?:company|agreement|contract|party|parties|buyer|seller|supplier|customer|client|policy|employee|employer|services?|products?|licensor|licensee|landlord|tenant|corporation|group|borrower|lender|plan|act|procuratorate|court|plaintiff|defendant|project|us|we|our)$",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"^(?:根据|依据|按照|依照|遵照|为了?|由|在|对于?|和|与|及|或者?|经|向|将|把|是指|是|指|即|所称的?|本[法条办规][例法定]?所称|包括|从|关于|因|以|如|受|被|其|该|的|了|于|使用|采用|通过|实施|建立|应当|负责|签订|组建|成立)+"
)
_INNER_LEAD = re.compile(
    r".*(?:根据|依据|按照|依照|所称的?|是指|应当|采用|使用|通过|建立|实施|引入|负责|委托|享受|缴纳|缴存|办理|写入|接入|录入|设立|成立|的|了|为|对|由|在|与|和|及|或|被|向|于|而)(?=[\u4e00-\u9fff]{2})"
)
# A clause, not a name.
_NO_NAME = re.compile(r"[是有在被将应为会而以向称名的了]|^年|^\d")
_LAST_LETTERS = 3
"""A short form ends with one of this many last letters of its name (委员会: 委)."""
_LONGEST_BESIDE_LATIN = 10


def aliases_in(text: str) -> Iterator[Alias]:
    """The short forms and other names that a text defines; a short form must stand for its name by its own letters.

    Names that hold in one document only (甲方, the Company) are left out.
    """
    folded = fold_widths(text)
    if not _TRIGGERS.search(folded):
        return
    for pattern in (_SHORT_FORM, _SHORT_FORM_OPEN, _ABBREVIATED, _LATIN_BEHIND):
        for found in pattern.finditer(folded):
            yield from _defined(found["short"], found["long"])
    for found in (*_INITIALS.finditer(folded), *_INITIALS_BEFORE.finditer(folded)):
        if long := _words_of_initials(found["short"], found["long"]):
            yield Alias(found["short"], long)
    for pattern in (_HEREINAFTER, _KNOWN_AS, _OTHER_NAME):
        for found in pattern.finditer(folded):
            yield from _named(found["short"], found["long"])


def _clean(name: str) -> str:
    bare = name.strip(f" {_QUOTES}-*_#")
    return re.sub(r"\s+", "" if has_chinese(bare) else " ", bare)


def _defined(short: str, long: str) -> Iterator[Alias]:
    is_title = long.startswith(("《", '"', "“"))
    short, long = _clean(short), _clean(long)
    if _ROLE.match(short) or len(short) < _SHORTEST:
        return
    name = long if is_title else _LEADS.sub("", _INNER_LEAD.sub("", long))
    if has_chinese(short):
        name = _stood_for(short, name, is_title=is_title)
    elif not has_chinese(name) or len(name) > _LONGEST_BESIDE_LATIN:
        return
    if len(name) > _SHORTEST and name != short:
        yield Alias(short, name)


def _stood_for(short: str, long: str, *, is_title: bool) -> str:
    """The end of a phrase in which the letters of a short form stand in order, as short as can be; empty for none.

    A short form that is the end of its name (公积金 of 住房公积金) is none: its own words find the name already.
    """
    position = len(long)
    if long.endswith(short) or short[-1] not in long[-_LAST_LETTERS:]:
        return ""
    for letter in reversed(short):
        position = long.rfind(letter, 0, position)
        if position < 0:
            return ""
    # A name of about its short form's length may begin before the first letter that is kept (带薪年休假, 年假).
    return long if is_title or len(long) <= 2 * len(short) + 2 else long[position:]


def _words_of_initials(short: str, long: str) -> str | None:
    """The last words of a phrase whose initials are the short form (small words may be left out); None for none."""
    letters = [letter for letter in short.casefold() if letter.isalpha()]
    words = re.split(r"[\s/-]+", long)
    position = len(words)
    for letter in reversed(letters):
        position -= 1
        while position >= 0 and words[position].casefold() in ("of", "and", "the", "for", "in", "on", "to", "&"):
            position -= 1
        if position < 0 or not words[position].casefold().startswith(letter):
            return None
    return " ".join(words[position:]) if len(letters) > 1 else None


def _named(short: str, long: str) -> Iterator[Alias]:
    short, long = _clean(short), _clean(_LEADS.sub("", long))
    words = long.split()
    if (
        _NO_NAME.search(long)
        or re.search(r"[或和与]", short)
        or _ROLE.match(short)
        or _ROLE.match(long)
        or short.casefold() == long.casefold()
    ):
        return
    if len(long) >= _SHORTEST and len(words) <= 7:
        yield Alias(short, long)


def document_aliases(texts: Iterable[str]) -> tuple[Alias, ...]:
    """The short forms and other names that a document defines, each once; about 0.4 s for a million characters.

    Args:
        texts: of its blocks.
    """
    return tuple(dict.fromkeys(alias for text in texts for alias in aliases_in(text)))
