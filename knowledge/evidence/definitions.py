# ruff: noqa: E501 - patterns are read in one piece
"""Whether a sentence defines the thing whose definition is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..text.normalise import has_chinese, normalise
from .terms import characters, folded, terms

# Everything is compared in normalised form: lower case, simplified characters, ASCII punctuation.
_END = r"(?=[?.]|$)"
_ASKED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:什么(?:是|叫做?|叫作)|何谓|何为|谁是)(?P<term>[^,.?]{{1,40}}?){_END}",
        rf"(?P<term>[^,.?]{{1,40}}?)(?:一词|这个词)?(?:(?:主要)?是?指的?是?(?:什么|哪|谁)|(?:是|为)什么(?:意思|含义|东西|机构|组织|行为|活动|文件)?{_END}|的(?:定义|含义|概念|意思))",
        rf"(?:如何|怎样|怎么)(?:定义|界定|理解|解释)(?P<term>[^,.?]{{1,40}}?){_END}",
        rf"(?:哪些|哪种|哪类|什么样|何种|什么).{{0,24}}?(?:属于|称为|算是|算作|视为|被定义为|被认定为|认定为|可以认定为)(?P<term>[^,.?什哪]{{1,30}}?){_END}",
        rf"\b(?:what|which|who)\b[^,.?]{{0,40}}? (?:is|are|be) (?:considered|deemed|treated as|regarded as|defined as|called) (?:to be )?(?:an? )?(?P<term>[^,.?]{{2,60}}?){_END}",
        rf"\b(?:what|who) (?:is|are|counts? as|qualif(?:y|ies) as) (?:an? |the )?(?P<term>[^,.?]{{2,60}}?){_END}",
        rf"\b(?:what is meant by|mean by|definition of|define) (?:an? |the )?(?:the term )?(?P<term>[^,.?]{{2,60}}?){_END}",
        r"\bwhat (?:does|do) (?:an? |the )?(?:term )?(?P<term>[^,.?]{2,60}?) (?:mean|refer to)",
    )
)
_SCOPE = re.compile(
    r"^(?:(?:根据|按照|依据|在|依照)?\"[^\"]*\"(?:中|里|对|规定)*(?:所称|所说)?的?|.{2,20}(?:所称|所说)的?)"
)
_ADVERB = re.compile(r"(?:具体|主要|一般|到底|究竟|分别)$")
_MARKS = "\"'“”‘’「」『』《》<>* "
_SUBJECT_START = re.compile(
    r"^(?:\(.{1,3}\)|[一二三四五六七八九十]{1,3}、|\d{1,2}(?:\.\d+)*[、. ]|第.{1,6}条\s*)*\s*(?:(?:本|该|前款|上款|这里)[\u4e00-\u9fff]{0,8}?(?:所称|所说)的?|(?:所称|所谓)的?|其中|in this [a-z]+ |for the purposes? of [^,]* |the term |the |an? )?"
)
_CLEAR = r"(?:是指|系指|均指|指的是|,指|:指|专指|指(?![定导标出示挥令明数])|shall mean|means?\b|refers? to|(?:is|are) defined as|denotes?\b)"
_VAGUE = r"(?:它?(?:主要)?由(?=[^,.;]{1,80}(?:组成|构成))|,?是(?!否)|为(?!了)|即|(?:is|are) (?:an?|the|any|every|all|those)\b|consists? of|comprises?)"
_FORWARD = {
    weight: re.compile(
        rf"(?P<subject>[^,.;:\n!?()]{{2,40}}?)(?:\([^()]{{0,60}}\))?[\"'”』」》]?\s*(?:\([^()]{{0,60}}\))?,?\s*{verb}"
    )
    for weight, verb in ((1.0, _CLEAR), (0.5, _VAGUE))
}
_BACKWARD = re.compile(
    r"(?:(?:统称|简称|合称)为?|称为|称作|叫做|视为|认定为|属于|为(?=[^,.;]{2,12}[.;])|(?:is|are) (?:called|known as|referred to as|considered|deemed|treated as|regarded as)(?: an?| the)?)\s*[\"'“『「《]?(?P<subject>[^,.;:\n!?()\"]{2,40})"
)
_BACKWARD_WEIGHT = 0.7


@lru_cache(maxsize=512)
def defined_term(question: str) -> str:
    """The thing whose definition a question asks for, in normalised form; empty for any other question."""
    text = normalise(question)
    for pattern in _ASKED:
        if match := pattern.search(text):
            term = _ADVERB.sub("", match["term"].strip())
            return _SCOPE.sub("", term).strip(_MARKS) or term.strip(_MARKS)
    return ""


def definition_strength(question: str, text: str) -> float:
    """How clearly a text defines what the question wants defined; 0 for a question that wants something else.

    1 where the asked term is the subject of a defining verb (本法所称X，是指…; "X" means …), ½ for a mere "is",
    less where the subject is only similar (a longer or shorter name).
    """
    term = defined_term(question)
    if not term:
        return 0.0
    return max((weight * _likeness(term, subject) for weight, subject in _subjects(folded(text))), default=0.0)


def _subjects(text: str) -> Iterator[tuple[float, str]]:
    for weight, pattern in _FORWARD.items():
        for match in pattern.finditer(text):
            yield weight, _SUBJECT_START.sub("", match["subject"].strip(_MARKS)).strip(_MARKS)
    for match in _BACKWARD.finditer(text):
        yield _BACKWARD_WEIGHT, match["subject"].strip(_MARKS)


def _likeness(term: str, subject: str) -> float:
    """1 for the same words, falling with the square of what the two do not share."""
    parts = characters if has_chinese(term) else terms
    mine, theirs = parts(term), parts(subject)
    total = len(mine) + len(theirs)
    return (2 * len(mine & theirs) / total) ** 2 if total else 0.0
