# ruff: noqa: E501 - patterns are read in one piece
"""The things that a text names: organisations, people, documents, defined terms, words of the user's dictionary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..evidence.names import names_in
from ..query.aliases import aliases_in
from ..text.dictionary import DomainDictionary
from ..text.normalise import normalise
from ..text.sentences import split_sentences

_TITLE = re.compile(r"《([^《》\n]{2,40})》")
_PERSON = re.compile(
    r"(?:联系人|负责人|经办人|审批人|审核人|批准人|编制人?|验收人|项目经理|主持人|主持|记录人?|法定代表人|代表人?|签字|出席|列席)\s*[:：]\s*(?P<name>[\u4e00-\u9fff·]{2,4})(?![\u4e00-\u9fff])"
)
_OPENING = re.compile(r"^[\W\d_]+")
# What runs into a name is part of a sentence: 公司设安全生产委员会 names a committee, 新员工应当接受公司 nobody.
_CLAUSE = re.compile(
    r"应当|包括|适用|接受|维护|结合|按照|不得|可以|必须|或者|[在且按与由被将把于对向非的其各本]|(?<!建)设(?![备计施])|内容"
    r"|规范|负责|保守|保护|承接|通知|报送|报告|上报|提交|递交|带离|离开|批准|审批|加强|代表|遵守|违反|服从|损害|泄露|促进|确保|保证|保障|使用|提供|承担|支付|赔偿"
    r"|(?<=日)经|[和及](?=公司$)"
)
_SHORTEST_REST = 4
_CAPITALISED = re.compile(r"[A-Z][a-z'’-]*")
_TERM_DEFINED = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        r"所[称谓](?:的)?[“\"「]?(?P<term>[^，,。；;：:“”\"「」\s]{2,20}?)[”\"」]?[，,]?\s*(?:是指|系指|均指|指(?![定导标出示挥令明数]))",
        r"[“\"「](?P<term>[^”\"」\n]{2,40})[”\"」]\s*[，,]?\s*(?:是指|系指|均指|指(?![定导标出示挥令明数])|shall mean|means|refers to|is defined as)",
        r"(?:^|[。；;])[^\S\n]*(?:[（(]?[一二三四五六七八九十\d]{1,3}[)）、.．]\s*)?(?P<term>[\u4e00-\u9fffA-Za-z]{2,16}?)[，,：:]?\s*(?:是指|系指)",
    )
)


@lru_cache(maxsize=4_096)
def defined_terms(text: str) -> tuple[str, ...]:
    """The terms that a text defines: by a verb (X 是指, "X" means), as a short form or as another name."""
    said = (match["term"].strip() for pattern in _TERM_DEFINED for match in pattern.finditer(text))
    named = (form for alias in aliases_in(text) for form in (alias.short, alias.long))
    return tuple(dict.fromkeys((*said, *named)))


@lru_cache(maxsize=4_096)
def named_things(text: str) -> tuple[str, ...]:
    """Documents, organisations, people and defined terms of a text, each once, in the text's own words."""
    titles = tuple(_TITLE.findall(text))
    people = tuple(match["name"] for match in _PERSON.finditer(text))
    return tuple(dict.fromkeys((*defined_terms(text), *titles, *proper_names(text), *people)))


@lru_cache(maxsize=4_096)
def proper_names(text: str) -> tuple[str, ...]:
    """The proper names of a text, sentence by sentence; a mere capital at the start of one is none."""
    found = (name for start, end in split_sentences(text) for name in _names_of(text[start:end]))
    return tuple(dict.fromkeys(found))


def _names_of(sentence: str) -> Iterator[str]:
    for cell in sentence.split("|"):
        start = _OPENING.sub("", cell)
        for name in names_in(cell):
            own = _CLAUSE.split(name)[-1]
            is_opening = _CAPITALISED.fullmatch(name) and start.startswith(name)
            if not is_opening and (own == name or len(own) >= _SHORTEST_REST):
                yield own


def dictionary_words_in(text: str, dictionary: DomainDictionary) -> tuple[str, ...]:
    """The user's words that a text holds, as the dictionary spells them."""
    if not dictionary.words:
        return ()
    normal = normalise(text)
    return tuple(word for word in dictionary.words if word in normal)
