"""English comparisons: which subjects, which value of theirs, and how the values decide."""

from __future__ import annotations

import re
from typing import NamedTuple

from .asked_values import ENGLISH_ADJECTIVES, ENGLISH_MEASURES
from .editions import english_editions
from .english_contrasts import contrast
from .english_names import alternatives, bare_name, in_pairs, name_row
from .english_values import direct_question, event_question, value_of
from .leads import own_leads
from .models import Combination, Decomposition, QuestionType
from .parts import Asked, Draft, assembled, led

_COMP = rf"(?:{ENGLISH_ADJECTIVES})"
_COMPARE = re.compile(
    r"^(?:please\s+)?compare\s+(?P<body>.+?)[.:;,]\s+(?:and\s+)?(?P<tail>(?:which|who|whose|where)\b.+)$", re.IGNORECASE
)
_LAST_QUESTION = re.compile(
    r"^(?:please\s+)?compare\s+(?P<body>.+)(?:[.:;,])\s+(?:and\s+)?(?P<tail>(?:which|who|whose)\b.+)$",
    re.IGNORECASE | re.DOTALL,
)
_OR_TAIL = re.compile(
    r"^(?P<ask>(?:which|who|whose|what)\b[^?]*?)[,:]\s*(?P<items>[^?]{1,120}?\s+or\s+[^?,]{1,80}(?:,\s(?:Inc|Ltd|LLC|Co|Corp)\.?)?)$",
    re.IGNORECASE,
)
# Without a comma only names show where the choice begins: Which was founded first Alpha or Beta?
_OR_BARE = re.compile(
    rf"^(?P<ask>(?i:which|who|whose|what)\b[^?]*?\b{_COMP})\s+(?P<items>(?:[Tt]he\s+)?[A-Z][^?,]{{0,80}}?\s+or\s+(?:[Tt]he\s+)?[A-Z][^?,]{{0,80}})$"
)
_INSERTED = re.compile(
    r"^(?P<which>(?:which|who|what)(?:\s+\w+)?),\s*(?P<items>[^?]{1,120}?\s+or\s+[^?]{1,80}),\s*(?P<ask>[^,?]+)$",
    re.IGNORECASE,
)
_OF_THEM = re.compile(
    r"^which\s+of\s+(?P<items>.+?\s+and\s+.+?)\s+(?P<ask>(?:is|was|are|were|has|had|have|costs?|weighs?|lasts?|took|takes)\b.+)$",
    re.IGNORECASE,
)
_DID = re.compile(
    rf"^(?i:did|does|do|was|is|has)\s+(?P<one>{{item}})\s+or\s+(?P<other>{{item}})\s+(?P<ask>\w+\s+(?:the\s+|an?\s+)?{_COMP}\b.*)$".replace(
        "{item}", r"(?:the\s+)?[A-Z][^?]*?"
    )
)
_MORE_THAN = re.compile(
    rf"^how\s+(?:much|many(?:\s+(?:days|years|months|hours|weeks))?)\s+(?P<comp>{_COMP})(?:\s+(?P<noun>[\w\s-]{{2,30}}?))?\s+(?P<aux>is|was|are|were|does|do|did)\s+(?P<one>.+?)(?:\s+(?P<verb>costs?|weighs?|last|have|has|take))?\s+than\s+(?P<other>.+)$",
    re.IGNORECASE,
)
_BY_THAN = re.compile(
    rf"^by\s+how\s+much\s+(?P<aux>is|was|are|were|does|did)\s+(?P<one>.+?)\s+(?P<comp>{_COMP})\s+than\s+(?P<other>.+)$",
    re.IGNORECASE,
)
_IS_THAN = re.compile(
    rf"^(?P<aux>is|was|are|were)\s+(?P<one>.+?)\s+(?P<comp>{_COMP})\s+than\s+(?P<other>.+)$", re.IGNORECASE
)
# Is the bonus higher for A or for B?
_IS_FOR = re.compile(
    rf"^(?P<aux>is|was|are|were)\s+(?P<thing>(?:the|a|an)\s+.+?)\s+(?P<comp>{_COMP})\s+(?P<preposition>for|in|at|under|with|on)\s+(?P<one>.+?)\s+(?:or|than)\s+(?:(?P=preposition)\s+)?(?P<other>.+)$",
    re.IGNORECASE,
)
_THAT_OF = re.compile(r"^(?:that|those|the\s+ones?)\s+(?P<preposition>of|for|in|at)\s+(?P<item>.+)$", re.IGNORECASE)
_WHICH_NOUN = re.compile(
    rf"^(?:which|whose|what)\s+(?P<noun>.+?)\s+(?P<aux>is|was|are|were|must\s+be|should\s+be|shall\s+be|has\s+to\s+be|have\s+to\s+be)\s+(?:the\s+)?(?P<comp>{_COMP})$",
    re.IGNORECASE,
)
_BY_HOW_MUCH = re.compile(
    r"^(?:and\s+)?by\s+how\s+many\s+[\w-]+(?:\s+[\w-]+)?$|^(?:and\s+)?(?:by\s+)?how\s+much(?:\s+(?:more|less|longer|higher|larger|cheaper))?$|^(?:and\s+)?what\s+is\s+the\s+difference$",
    re.IGNORECASE,
)
_FURTHER = re.compile(
    r"(?:[.?;:]|,)\s+(?:and\s+)?(?=(?:how|what|why|when|where|who|which|by how|does|did|do|is|was|can)\b)",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?P<own>its|their|his|her)\b|\b(?P<it>it|they|that (?:company|one|offer|supplier))\b", re.IGNORECASE
)


class _Found(NamedTuple):
    combination: Combination
    drafts: list[Draft]
    follow_ups: list[str]


def english_comparison(asked: Asked) -> Decomposition | None:
    """The parts of a comparison, or None if the question is none."""
    if editions := english_editions(asked):
        return editions
    body = asked.body.rstrip("?.! ")
    if "," not in body and not re.search(
        r"\b(?:compare|differ|difference|which|than|versus|or|conflict|distinction)", body, re.IGNORECASE
    ):
        return None
    found = _compare_then_ask(body) or _choice(body) or _than(body)
    if found is None and (row := contrast(body)):
        found = _Found(row.combination, [Draft(text, subject) for text, subject in row.parts], row.follow_ups)
    if found is None or len(found.drafts) < 2:
        return None
    leads = own_leads(asked.lead, "en", len(found.drafts))
    drafts = [draft._replace(text=led(lead, draft.text)) for lead, draft in zip(leads, found.drafts, strict=True)]
    return _with_follow_ups(asked, body, found._replace(drafts=drafts))


def _compare_then_ask(body: str) -> _Found | None:
    """Compare the profit of A in 2019 and B in 2021. Which had more?"""
    found = _COMPARE.match(body)
    row = name_row(found["body"]) if found else None
    while found and row is None and (longer := _LAST_QUESTION.match(body)) and longer["body"] != found["body"]:
        found, row = longer, name_row(longer["body"])
    if found is None or row is None:
        return None
    ask, *follow_ups = _FURTHER.split(found["tail"])
    measure = _measure(ask)
    if measure is None:
        return None
    verdict, adjective = measure
    timed = verdict in (Combination.EARLIER, Combination.LATER)
    drafts = [
        Draft(
            event_question(row.before, item, after)
            if timed
            else direct_question(row.before, item, after, ask, adjective),
            bare_name(item),
        )
        for item, after in in_pairs(row)
    ]
    return _Found(verdict, drafts, follow_ups)


def _choice(body: str) -> _Found | None:
    """Which is heavier, A or B? / Which of A and B …? / Did A or B pay the higher fine?"""
    first, *follow_ups = _FURTHER.split(body)
    for text, rest in ((first, follow_ups), (body, [])):
        if found := _OR_TAIL.match(text) or _OR_BARE.match(text):
            items, ask = alternatives(found["items"]), found["ask"]
        elif found := _INSERTED.match(text):
            items, ask = alternatives(found["items"]), f"{found['which']} {found['ask']}"
        elif found := _OF_THEM.match(text):
            items, ask = _of_items(found["items"]), f"which {found['ask']}"
        elif found := _DID.match(text):
            items, ask = [found["one"], found["other"]], f"which {found['ask']}"
        else:
            continue
        measure = None if _names_another(ask) else _measure(ask)
        if measure is not None and (owned := _owned(items, ask)):
            return _Found(measure[0], owned, rest)
        items = _with_kind(items, ask)
        if measure is not None and 2 <= len(items) <= 6:
            drafts = [Draft(direct_question("", item, "", ask, measure[1]), item) for item in items]
            return _Found(measure[0], drafts, rest)
    return None


def _owned(items: list[str], ask: str) -> list[Draft]:
    """Which password must be longer, that of A or that of B: how long the password of each must be."""
    those = [_THAT_OF.match(item) for item in items]
    found = _WHICH_NOUN.match(ask)
    if found is None or len(items) < 2:
        return []
    thing = [(one["preposition"], one["item"]) for one in those if one is not None]
    if len(thing) < len(items):
        return []
    return [
        Draft(value_of(f"the {found['noun']} {preposition} {item}", found["aux"], found["comp"]), item)
        for preposition, item in thing
    ]


def _with_kind(items: list[str], ask: str) -> list[str]:
    """Which edition …, the 2023 or the 2025 one: the year stands for the edition of that year."""
    kind = re.match(r"which\s+(\w+)\s", ask, re.IGNORECASE)
    return [re.sub(r"^(?:the\s+)?(\d{4})(?:\s+one)?$", rf"the \1 {kind[1]}", item) if kind else item for item in items]


def _names_another(ask: str) -> bool:
    """Whether the choice only helps to name what is asked about (the manager of the plant that is larger, A or B)."""
    return re.match(r"(?:who|what)\s+(?:is|was)\s+the\s.+\s(?:that|which|with|who)\s", ask, re.IGNORECASE) is not None


def _of_items(text: str) -> list[str]:
    """Suppliers of A and B: the supplier of A, the supplier of B."""
    shared = re.match(r"(?:the\s+)?(?P<noun>[\w-]+?)s(?P<of>\s+of)?\s+(?=(?:the\s+)?[A-Z])", text)
    if shared is None:
        return alternatives(text)
    joint = shared["of"] or ""
    article = "the " if joint else ""
    return [f"{article}{shared['noun']}{joint} {item}" for item in alternatives(text[shared.end() :])]


def _measure(ask: str) -> tuple[Combination, str] | None:
    """How the values decide; the adjective is the last one, before any subordinate clause."""
    found = list(re.finditer(rf"\b{_COMP}\b", ask, re.IGNORECASE))
    if not found:
        return None
    chosen = next(
        (one for one in found if one.group().casefold() not in ("more", "most", "less", "least", "last")), found[0]
    )
    adjective = chosen.group().casefold()
    return ENGLISH_MEASURES[adjective].combination, adjective


def _than(body: str) -> _Found | None:
    """How much more does A cost than B? / Is A heavier than B?"""
    first, *follow_ups = _FURTHER.split(body)
    if found := _IS_FOR.match(first):
        front = f"{found['thing']} {found['preposition']}"
        drafts = [
            Draft(value_of(f"{front} {item}", found["aux"], found["comp"]), item)
            for item in found.group("one", "other")
        ]
        return _Found(ENGLISH_MEASURES[found["comp"].casefold()].combination, drafts, follow_ups)
    for pattern in (_MORE_THAN, _BY_THAN, _IS_THAN):
        if found := pattern.match(first):
            break
    else:
        return None
    groups = found.groupdict()
    adjective = found["comp"].casefold()
    combination = ENGLISH_MEASURES[adjective].combination if pattern is _IS_THAN else Combination.DIFFERENCE
    ask = f"which {groups.get('verb') or 'is'} {adjective} {groups.get('noun') or ''}".strip()
    one, other = found["one"].strip(), found["other"].strip()
    attribute = re.match(r"^(?P<attribute>the\s+[\w\s-]+?\s+(?:of|for|at)\s+)(?P<item>.+)$", one, re.IGNORECASE)
    if attribute:
        front = attribute["attribute"]
        other = re.sub(rf"^(?:that\s+(?:of|for|at)\s+|{re.escape(front)})", "", other, flags=re.IGNORECASE)
        drafts = [Draft(f"What {groups['aux'].casefold()} {front}{item}", item) for item in (attribute["item"], other)]
    else:
        drafts = [Draft(direct_question("", item, "", ask, adjective), item) for item in (one, other)]
    return _Found(combination, drafts, follow_ups)


def _with_follow_ups(asked: Asked, body: str, found: _Found) -> Decomposition | None:
    further = [text for text in found.follow_ups if not _BY_HOW_MUCH.match(text.strip())]
    combination = Combination.DIFFERENCE if len(further) < len(found.follow_ups) else found.combination
    if not further:
        return assembled(found.drafts, "en", QuestionType.COMPARISON, combination)
    whole = body[: body.find(further[0])].rstrip(" ,.?;:")
    whole = f"{asked.lead}{re.sub(r'[,.;:]?[ ]+and$', '', whole)}"
    if _BACK.search(further[0]):
        linked = [Draft(_of_winner(text), depends_on=("q1",)) for text in further]
        return assembled([Draft(whole), *linked], "en", QuestionType.COMPARISON, Combination.CHAIN)
    drafts = [*found.drafts, *(Draft(led(asked.lead, text)) for text in further)]
    return assembled(drafts, "en", QuestionType.COMPARISON, Combination.LIST)


def _of_winner(text: str) -> str:
    linked = _BACK.sub(lambda back: "{q1}'s" if back["own"] else "{q1}", text, count=1)
    return linked if "{q1}" in linked else f"For {{q1}}: {text}"
