# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Which documents an English question means: notices issued last year, the policy in force, the 2022 edition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from .periods import Period
from .reading import EditionsMeant, Meant

# Codes, rules and standards are issued by somebody else more often than they are documents of a library.
_KIND = r"polic(?:y|ies)|regulations?|notices?|circulars?|announcements?|bulletins?|contracts|minutes|reports?|manuals?|handbooks?|guides?|guidelines|procedures?|memos?|memoranda|letters?|documents?|files?"
_MANY = r"policies|regulations|notices|circulars|announcements|bulletins|contracts|agreements|minutes|reports|manuals|handbooks|guides|guidelines|procedures|memos|memoranda|letters|documents|files|specifications"
_DATED_BEFORE = re.compile(
    rf"\b(?P<document>{_KIND})\s+(?P<said>(?:(?:that|which)\s+(?:was|were|have\s+been)\s+|we\s+)?(?:issued|published|released|circulated|dated|written|signed|distributed|sent\s+out)(?:\s+by\s+[\w ]{{2,30}}?)?\s+)$",
    re.IGNORECASE,
)
_MANY_BEFORE = re.compile(rf"\b(?P<document>{_MANY})\s+(?P<said>(?:from\s+|of\s+|in\s+)?)$", re.IGNORECASE)
_WHICH_BEFORE = re.compile(
    rf"\b(?:which|what|all|any)\s+(?:[a-z]+\s+)?(?P<document>{_KIND})\s+(?P<said>(?:were|was|have\s+been|did\s+we)\s+(?:issued?|published?|released?|circulated?|dated|written|signed?|distributed?)\s+)$",
    re.IGNORECASE,
)
_OF_PERIOD = re.compile(
    r"(?P<said>'s)\s+(?:[a-z]+\s+)?(?P<document>minutes|notices?|circulars?|announcements?|contracts|memos?|letters)\b(?!\s+(?:of|value|volume|period|liabilit))",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"(?:from|since|after|before|between|until|in\s+the\s+(?:last|past))\b|(?:the\s+)?(?:last|past)\b", re.IGNORECASE
)
_ENDS = r"(?=$|[\s]*[,.?!;:]|\s+(?:say|state|allow|for|of|on|about|in|require|regarding|concerning|is|are|does|do|and|which|that|to|let|limit|cover|mention|prescribe|demand)s?\b)"
_TEXT = (
    r"(?:polic(?:y|ies)|regulations?|manuals?|handbooks?|guides?|guidelines?|procedures?|rules?|codes?\s+of\s+conduct)"
)
_NAMED = r"(?:(?!(?:of|in|on|the|for|and|ratio|year|assets?|liabilit\w+|tax)\b)[a-z][\w&-]*\s+){0,4}"
_CURRENT = re.compile(
    rf"\b(?P<said>(?:currently\s+(?:valid|effective|applicable)|current|latest|most\s+recent|newest|up-to-date)\s+(?:(?:version|edition|revision)\s+of\s+(?:the|our|its)?\s*)?){_NAMED}{_TEXT}{_ENDS}",
    re.IGNORECASE,
)
_IN_FORCE = re.compile(
    rf"\b(?:{_TEXT}|edition|version|revision)\s+(?P<said>(?:that\s+(?:is|are)\s+|which\s+(?:is|are)\s+)?(?:currently|now|presently|still)\s+(?:in\s+force|in\s+effect|valid|effective|applicable)|(?:that\s+(?:is|are)\s+)?in\s+(?:force|effect)(?:\s+(?:now|today|at\s+present))?)\b",
    re.IGNORECASE,
)
_IN_FORCE_BEFORE = re.compile(
    rf"\b{_TEXT}\s+(?P<said>(?:(?:that|which)\s+(?:was|were|is|are)\s+)?(?:in\s+(?:force|effect)|valid|effective|applicable)\s+(?:on|at|as\s+of|in)?\s*(?:the\s+)?)$",
    re.IGNORECASE,
)
# The policy of 2022, the 2022 travel policy, as it stood in March 2023: asked of a library that has older versions.
_RULE_OF = re.compile(
    rf"\b{_TEXT}(?P<said>\s+(?:(?:as\s+(?:of|at)|as\s+(?:it|they)\s+(?:stood|were|was|read)(?:\s+(?:in|on|at))?|of|from|back\s+in|in|on)\s+)?(?:the\s+year\s+)?)$",
    re.IGNORECASE,
)
_OF_RULE = re.compile(rf"(?P<said>(?:'s)?\s+){_NAMED}{_TEXT}{_ENDS}", re.IGNORECASE)
_WHICH_VERSION = re.compile(
    r"\b(?:which|what)\s+(?:is\s+the\s+)?(?:(?:current|latest|valid|newest)\s+)?(?:version|edition|revision|issue)\b",
    re.IGNORECASE,
)
_IN_TYPE = re.compile(
    r"^(?:please\s+)?(?:according\s+to|in|search|look\s+in|only\s+in|from|only)\s+(?:the\s+|our\s+|all\s+(?:the\s+)?)?(?P<kind>minutes|contracts|agreements|notices|circulars|reports|manuals|policies|letters|faq)\s*(?:,|\bonly\b)",
    re.IGNORECASE,
)
_ALL_OF_TYPE = re.compile(
    r"\b(?:which|what|all|any)\s+(?:of\s+(?:the|our)\s+)?(?P<kind>minutes|contracts|agreements|notices|circulars|reports|manuals|handbooks|letters)\s+(?:mention|say|state|contain|cover|refer|discuss|deal)\b",
    re.IGNORECASE,
)
_EDITION = re.compile(
    r"\b(?P<year>(?:19|20)\d\d)\s+(?:[a-z]+\s+){0,2}(?:editions?|versions?|revisions?)\b|\b(?:edition|version|revision)\s+(?:of\s+(?:the\s+year\s+)?)?(?P<behind>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_EDITION_ROW = re.compile(
    r"\b(?P<one>(?:19|20)\d\d)\s+(?:and|to|or)\s+(?:the\s+)?(?P<other>(?:19|20)\d\d)\s+(?:editions?|versions?|revisions?)\b",
    re.IGNORECASE,
)


def dated(text: str, periods: Sequence[Period]) -> Iterator[Meant]:
    """The documents of a period: issued, signed or dated then."""
    for period in periods:
        before = text[: period.start]
        found = _DATED_BEFORE.search(before) or _WHICH_BEFORE.search(before)
        many = _MANY_BEFORE.search(before) if found is None else None
        if many and not (many["said"].strip() or _FROM.match(text, period.start)):
            many = None
        if match := found or many:
            said = (match.start("said"), period.end)
            yield Meant(match.start(), period.end, match["document"], first=period.first, last=period.last, said=said)
        elif behind := _OF_PERIOD.match(text, period.end):
            said = (period.start, behind.end("said"))
            yield Meant(period.start, behind.end(), behind["document"], first=period.first, last=period.last, said=said)


def in_force(text: str, periods: Sequence[Period], today: date) -> Iterator[Meant]:
    """The edition in force today or on a day that is named; none where the edition itself is asked for."""
    if _WHICH_VERSION.search(text):
        return
    on_a_day = False
    for period in periods:
        if (found := _IN_FORCE_BEFORE.search(text[: period.start])) and period.last is not None:
            on_a_day = True
            day = period.last if period.first == period.last else min(period.last, today)
            yield Meant(found.start(), period.end, in_force_on=day, said=(found.start("said"), period.end))
    for pattern in () if on_a_day else (_CURRENT, _IN_FORCE):
        for match in pattern.finditer(text):
            yield Meant(match.start(), match.end(), in_force_on=today, said=match.span("said"))


def as_of(text: str, periods: Sequence[Period], today: date) -> Iterator[Meant]:
    """The rules as they were at a time, where older versions are kept: the policy of 2022, as it stood in 2022."""
    if _WHICH_VERSION.search(text):
        return
    for period in periods:
        if period.first is None or period.last is None or period.is_window:
            continue
        before = _RULE_OF.search(text[: period.start])
        behind = None if before else _OF_RULE.match(text, period.end)
        day = min(period.last, today)
        if before:
            yield Meant(before.start(), period.end, in_force_on=day, said=(before.start("said"), period.end))
        elif behind:
            yield Meant(period.start, behind.end(), in_force_on=day, said=(period.start, behind.end("said")))


def of_type(text: str) -> Iterator[Meant]:
    """Documents of a type that is named without a name of its own."""
    for pattern in (_IN_TYPE, _ALL_OF_TYPE):
        for found in pattern.finditer(text):
            yield Meant(*found.span("kind"), kind=found["kind"])


def of_domain(text: str, domains: Mapping[str, str]) -> Iterator[Meant]:
    """Documents of a domain: HR documents, policies in the finance domain."""
    for key, domain in domains.items():
        name = re.escape(key)
        found = re.search(
            rf"\b{name}\s+(?:{_MANY}|domain|area)\b|\bin\s+(?:the\s+)?{name}\s+(?:domain|area)\b", text, re.IGNORECASE
        )
        if found:
            yield Meant(found.start(), found.end(), domain=domain)


def editions(text: str) -> EditionsMeant:
    """The years of editions: the 2022 edition, version of 2024, the 2022 and 2024 editions."""
    found = list(_EDITION.finditer(text))
    rows = list(_EDITION_ROW.finditer(text))
    years = [match["year"] or match["behind"] for match in found]
    years += [year for row in rows for year in (row["one"], row["other"])]
    return EditionsMeant(frozenset(map(int, years)), tuple(match.group() for match in (*rows, *found)))
