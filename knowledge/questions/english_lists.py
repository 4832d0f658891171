# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Several English questions in one, and one thing asked of several subjects: the question of each."""

from __future__ import annotations

import re

from .english_names import NameRow, bare_name, in_pairs, name_row
from .identities import english_identities
from .leads import own_leads
from .models import Combination, Decomposition, QuestionType
from .parts import Asked, Draft, assembled, led

_AUX = r"(?:is|are|was|were|do|does|did|can|could|may|must|should|shall|will|would|has|have|had)"
_WH = r"(?:how|what|when|where|who|whom|whose|which|why)"
_PREPOSITION = r"(?:for|by|in|on|at|to|from|with|of|under|after|within|until|since)"
_ASKS = re.compile(
    rf"(?:^|[,:]\s*)(?:(?:and|so|then|explain|describe|state|say)\s+)?(?:{_PREPOSITION}\s+)?{_WH}\b|^(?:and\s+)?{_AUX}\s",
    re.IGNORECASE,
)
_CUT = re.compile(
    rf"\s*[,;]?\s+and\s+(?:also\s+)?(?=(?:{_PREPOSITION}\s+)?(?:how|what|why|whom)\b|(?:{_PREPOSITION}\s+)?(?:when|where)\s*(?:\?|$|{_AUX}\b)|(?:by|from|to|at|in|on|for)\s+(?:which|whom|when)\b)"
    rf"|\s*[,;]\s+(?:and\s+)?(?:also\s+)?(?=(?:{_PREPOSITION}\s+)?(?:how\s+(?:is|are|was|were|do|does|did|can|much|many|long|often|soon|must|should)|what\s|why\s|(?:when|where)\s+{_AUX})|(?:{_AUX})\s+(?:it|they|i|we|he|she|the|there|this|that|these)\b)"
    rf"|\s*[,;]?\s+and\s+(?=(?:who|which|whose)\s+(?!{_PREPOSITION}\b)\w+)|\s+and\s+(?={_AUX}\s+(?:it|they|i|we|there|the\s)\b)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:who|which|that|when|where|how|what|why|whether)\s+(?!(?:is|are|was|were|do|does|did)\b)\w+", re.IGNORECASE
)
_ELLIPSIS = re.compile(
    rf"^(?:(?:{_PREPOSITION}\s+)?(?:how\s+(?:long|often|much|soon|far)|how\s+many(?:\s+[\w-]+)?|when|where|why)|{_PREPOSITION}\s+(?:whom|what|which)(?:\s+(?!{_AUX}\b)[\w-]+){{0,2}})$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    rf"^(?P<wh>(?:{_PREPOSITION}\s+)?(?:how\s+(?:many|much|long|often|soon)|{_WH})\b(?:\s+(?!{_AUX}\b)[\w'-]+)*?)\s+(?P<rest>{_AUX}\b.*)$",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?P<own>its|their|his|her)\b|\b(?P<it>(?-i:it|they|them|he|she))\b(?!\s+(?:is|was)\s+that)", re.IGNORECASE
)
_OF = re.compile(
    rf"\b(?:of|for)\s+(?P<np>(?:the|an?|our|this)\s+(?:(?!{_AUX}\b|{_PREPOSITION}\b|that\b|which\b)[\w'-]+\s*){{1,5}})",
    re.IGNORECASE,
)
_THE = re.compile(
    rf"\b{_AUX}\s+(?P<np>(?:the|a|an|our|my)\s+(?:(?!{_AUX}\b|{_PREPOSITION}\b|{_WH}\b|that\b)[\w'-]+(?:\s+|$)){{1,4}}?)(?={_PREPOSITION}\b|about\b|$|\w+(?:ed|en)\b|carried|made|paid|sent|held|due|valid)",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s(?P<tail>(?:of|for|at|in|under)\s+(?:(?:the|our|an?|this)\s+|[A-Z])[^,:;?]{2,60})$")
# What these words point at is seldom one phrase of the question before: such a question is left whole.
_POINTS_BACK = re.compile(
    r"\b(?:these|those|such|this|that)\s+\w+|\b(?:the|its|their)\s+(?:impact|effect|outcome|result|influence)s?\b(?!\s+of)|\bin\s+response\b",
    re.IGNORECASE,
)
_TWO_NOUNS = re.compile(
    r"^(?:(?P<ask>what)\s+(?:is|are|was|were)\s+)?the\s+(?P<one>[\w-]+(?:\s+[\w-]+){0,2})\s+and\s+the\s+(?P<other>[\w-]+(?:\s+[\w-]+){0,2}?)(?P<tail>\s+(?:of|for|in|under|at|on)\s+.+)?$",
    re.IGNORECASE,
)
_NOUN_ROW = re.compile(
    r"^(?P<ask>what\s+(?:are|were))\s+the\s+(?P<noun>[\w-]+(?:\s+[\w-]+){0,3}?s)\s+(?P<of>of|for)\s+(?P<items>the\s+[\w-]+(?:\s[\w-]+)?(?:,\s+the\s+[\w-]+(?:\s[\w-]+)?)*,?\s+and\s+the\s+[\w-]+(?:\s[\w-]+)?)$",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(
    r"^(?P<front>.+?)\b(?P<items>the\s+[\w-]+(?:\s[\w-]+){0,2}(?:,\s+the\s+[\w-]+(?:\s[\w-]+){0,2})*,?\s+and\s+the\s+[\w-]+(?:\s[\w-]+){0,2}?)(?P<after>(?:\s+[\w-]+){0,4})\s*,?\s+respectively$",
    re.IGNORECASE,
)
_YEARS = re.compile(
    r"^(?P<front>.+?)\s+in\s+(?P<years>(?:19|20)\d{2}(?:,\s(?:19|20)\d{2})*,?\sand\s(?:in\s)?(?:19|20)\d{2})(?P<after>(?:\s[\w-]+){0,4}?)\s*,?\srespectively$",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\b(?:between|jointly|together|each other|joint|average|mean|sum of|combined|altogether|in total|merger|partnership|merged|collaborat\w+|agreement|contract signed|both\s+sign)\b",
    re.IGNORECASE,
)
_ASK_WORD = re.compile(rf"\b{_WH}\b|^{_AUX}\s", re.IGNORECASE)


def english_subjects(asked: Asked) -> Decomposition | None:
    """A part for each subject of one question, or None."""
    body = asked.body.rstrip("?. ")
    if re.search(r"[?]\s*\w", asked.body) or not _ASK_WORD.search(body):
        return None
    drafts = _named_subjects(asked, body) or _common_subjects(asked, body)
    return assembled(drafts, "en", QuestionType.SINGLE_HOP, Combination.LIST)


def english_list(asked: Asked) -> Decomposition | None:
    """The questions of a text one by one, or None if it holds only one."""
    pieces = [piece for sentence in re.split(r"[?!]+\s*|(?<=[a-z]{3})[.;:]\s+", asked.body) for piece in _cut(sentence)]
    pieces = _merged(pieces)
    if linked := english_identities(asked, pieces):
        return linked
    if len(pieces) < 2 or any(_POINTS_BACK.search(piece) for piece in pieces[1:]):
        drafts = [Draft(led(asked.lead, text)) for text in _two_nouns(asked.body.rstrip("?. "))]
        return assembled(drafts, "en", QuestionType.SINGLE_HOP, Combination.LIST)
    first = pieces[0]
    if not _subject(first, asked) and any(_BACK.search(piece) for piece in pieces[1:]):
        return None
    texts = [first, *(_standing_alone(piece, first, asked) for piece in pieces[1:])]
    drafts = [Draft(led(asked.lead, text)) for text in texts]
    return assembled(drafts, "en", QuestionType.SINGLE_HOP, Combination.LIST)


def _named_subjects(asked: Asked, body: str) -> list[Draft]:
    row = name_row(body)
    if row is None or _TOGETHER.search(body):
        return []
    if re.search(r"\s(?:or|vs\.?|versus)\s", body[len(row.before) : len(body) - len(row.after)]):
        return []
    leads = own_leads(asked.lead, "en", len(row.items))
    before = _for_one(row)
    return [
        Draft(f"{lead}{before}{item}{after}", bare_name(item))
        for lead, (item, after) in zip(leads, in_pairs(row), strict=True)
    ]


def _for_one(row: NameRow) -> str:
    """What stands before several names as it reads before one."""
    before = re.sub(r"^(When|Where|What|Why|How)\s+(are|were)\s+$", lambda m: f"{m[1]} {_one(m[2])} ", row.before)
    before = re.sub(r"\bdo\s+$", "does ", before)
    before = re.sub(r"\bare\s+$", "is ", re.sub(r"\bwere\s+$", "was ", before))
    before = re.sub(r"\bdefendants\s+$", "defendant ", before)
    return re.sub(r"\bboth\s+$", "", before)


def _one(verb: str) -> str:
    return {"are": "is", "were": "was"}.get(verb.casefold(), verb)


def _common_subjects(asked: Asked, body: str) -> list[Draft]:
    """The X, the Y and the Z with one plural noun before them, or with `respectively` behind."""
    if found := _NOUN_ROW.match(body):
        items = _determined(found["items"])
        ask = found["ask"].replace("are", "is").replace("were", "was")
        noun = re.sub(r"(?<=[^s])s$", "", found["noun"])
        return [Draft(f"{asked.lead}{ask} the {noun} {found['of']} {item}", item) for item in items]
    if found := _RESPECTIVELY.match(body):
        front = re.sub(r"\bdo\s+$", "does ", found["front"])
        return [Draft(f"{asked.lead}{front}{item}{found['after']}", item) for item in _determined(found["items"])]
    if found := _YEARS.match(body):
        years = re.findall(r"\d{4}", found["years"])
        return [Draft(f"{asked.lead}{found['front']} in {year}{found['after']}", year) for year in years]
    return []


def _determined(items: str) -> list[str]:
    return [item.strip() for item in re.split(r",?\s+and\s+(?=the\b)|,\s+(?=the\b)", items) if item.strip()]


def _two_nouns(body: str) -> list[str]:
    """The warranty and the penalty: two articles name two things."""
    found = _TWO_NOUNS.match(body)
    if found is None or re.search(r"\b(?:between|difference|relation)", body):
        return []
    tail = found["tail"] or ""
    nouns = (found["one"], found["other"])
    return [f"What {'are' if re.search(r'[^s]s(?: involved)?$', noun) else 'is'} the {noun}{tail}" for noun in nouns]


def _cut(sentence: str) -> list[str]:
    """A sentence at the places where a further question begins."""
    if not _ASKS.search(sentence):
        return [sentence] if sentence.strip() else []
    pieces, begin = [], 0
    for cut in _CUT.finditer(sentence):
        before = sentence[begin : cut.start()]
        if _ASKS.search(before.strip()) and not _goes_on(before, sentence[cut.end() :]):
            pieces.append(before)
            begin = cut.end()
    return [piece.strip() for piece in (*pieces, sentence[begin:]) if piece.strip()]


def _goes_on(before: str, after: str) -> bool:
    """Whether a subordinate clause before goes on with the same word (employees who … and who …)."""
    word = re.match(rf"(?:{_PREPOSITION}\s+)?(\w+)", after)
    inside = [found.group().split()[0].casefold() for found in _RELATIVE.finditer(before, 6)]
    return word is not None and word.group(1).casefold() in inside


def _merged(pieces: list[str]) -> list[str]:
    """Statements before a question belong to it; those behind it, to the question before."""
    found: list[str] = []
    opening = ""
    for piece in pieces:
        if _ASKS.search(piece):
            found.append(f"{opening}{piece}")
            opening = ""
        elif re.match(r"(?:and|or|but)\b", piece, re.IGNORECASE) and found:
            found[-1] = f"{found[-1]}, {piece}"
        else:
            opening = f"{opening}{piece}, " if opening or not found else f"{piece}, "
    if opening and found:
        found[-1] = f"{found[-1]}, {opening}"
    return found


def _standing_alone(piece: str, first: str, asked: Asked) -> str:
    piece = re.sub(r"^(?:and|also|then)\s+", "", piece, flags=re.IGNORECASE)
    company = next((name for name in asked.names if name in first), "")
    if company and not any(name in piece for name in asked.names):
        piece = re.sub(r"\bthe company\b", company, piece)
    if _ELLIPSIS.match(piece):
        return _completed(piece, first)
    subject = _subject(first, asked)
    if subject and _BACK.search(piece):
        return _BACK.sub(lambda found: f"{subject}'s" if found["own"] else subject, piece, count=1)
    tail = (
        _TAIL.search(first)
        if re.match(r"(?:what|who|when|where)\s+(?:is|are|was|were)\s+the\b", first, re.IGNORECASE)
        else None
    )
    bare = re.fullmatch(rf"what\s+{_AUX}\s+the\s+[\w\s-]+", piece, re.IGNORECASE)
    if tail and bare and not re.search(rf"\s{_PREPOSITION}\s", piece):
        return f"{piece} {tail['tail']}"
    return piece


def _completed(ellipsis: str, first: str) -> str:
    """`and for how long?` with what the first question says of its subject."""
    if found := _OPENING.match(first):
        return f"{ellipsis} {found['rest']}"
    bare = re.sub(
        rf"^(?:{_PREPOSITION}\s+)?(?:how\s+(?:many|much|long|often)|{_WH})\s+", "", first, flags=re.IGNORECASE
    )
    return f"{ellipsis} do {bare}" if re.match(r"how many\b", first, re.IGNORECASE) else f"{first}, {ellipsis}"


def _subject(first: str, asked: Asked) -> str:
    if found := _OF.search(first):
        return found["np"].strip()
    if found := _THE.search(first):
        words = found["np"].split()
        # With `does` the last word before the object is the verb (does the contract start, does the policy say about).
        acts = found.group().split()[0].casefold() in ("do", "does", "did") and first[found.end() :][:3] not in (
            "of ",
            "for",
        )
        return " ".join(words[:-1] if acts and len(words) > 2 else words)
    return next((name for name in asked.names if name in first), "")
