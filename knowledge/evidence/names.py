"""Proper names in questions and sentences, found by their form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..text.values import find_values

_NOT_WORDS = re.compile(r"[\W_]+")
_CHINESE_NAME = re.compile(
    r"(?:(?![了哪的什么谁何是])[\u4e00-\u9fffA-Za-z0-9（）()]){2,30}?(?:有限责任公司|股份有限公司|有限公司|集团公司|公司|集团|人民法院|法院|银行|大学|研究院|委员会)"
    r"|[\u4e00-\u9fff]某{1,2}(?:[甲乙丙丁])?"
)
_NAME_LEADS = re.compile(
    r"^(?:根据|依据|按照|依照|关于|对于|请问|在|于|由|被|与|和|对|从|比较|截至|判决书|的|年|月|日|\d+年|\d+月)+"
)
_ENGLISH_NAME = re.compile(
    r"(?<![A-Za-z0-9])[A-Z][A-Za-z0-9&'.-]*(?:,?\s+(?:(?:of|and|the|for|de|van|von)\s+)?(?:[A-Z][A-Za-z0-9&'.-]*|\d+(?![\d.]*\d)))*"
)
# Capitals that begin a sentence or a title of office are no part of a name.
_SENTENCE_STARTS = frozenset(
    [
        "what",
        "which",
        "who",
        "whom",
        "whose",
        "when",
        "where",
        "why",
        "how",
        "is",
        "are",
        "was",
        "were",
        "do",
        "does",
        "did",
        "can",
        "could",
        "may",
        "must",
        "should",
        "shall",
        "will",
        "would",
        "has",
        "have",
        "had",
        "according",
        "in",
        "on",
        "at",
        "by",
        "for",
        "from",
        "please",
        "list",
        "describe",
        "summarize",
        "summarise",
        "compare",
        "explain",
        "give",
        "tell",
        "the",
        "a",
        "an",
        "if",
        "under",
        "during",
        "after",
        "before",
        "to",
        "of",
        "and",
        "i",
        "ceo",
        "cfo",
        "cto",
        "chief",
        "judge",
        "chairman",
        "president",
        "director",
        "mr",
        "mrs",
        "ms",
        "dr",
    ]
)


def names_in(text: str) -> tuple[str, ...]:
    """Organisations, anonymised persons (王某某) and Latin proper names, each once, in the text's own words."""
    chinese = (_NAME_LEADS.sub("", match.group()) for match in _CHINESE_NAME.finditer(text))
    found = dict.fromkeys((*(name for name in chinese if len(name) > 1), *_latin_names(text)))
    return tuple(name for name in found if not any(name != other and name in other for other in found))


def _latin_names(text: str) -> Iterator[str]:
    for match in _ENGLISH_NAME.finditer(text):
        parts = match.group().split(" ")
        while parts and parts[0].casefold().strip(",.") in _SENTENCE_STARTS:
            parts = parts[1:]
        name = " ".join(parts).strip(" ,.").removesuffix("'s")
        if len(_NOT_WORDS.sub("", name)) > 1 and not _is_value(name):
            yield name


def _is_value(name: str) -> bool:
    return any(value.end - value.start == len(name) for value in find_values(name))
