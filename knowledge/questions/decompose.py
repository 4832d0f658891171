"""Takes a question apart: its parts, each a question that stands alone, and how their answers combine."""

from __future__ import annotations

from collections.abc import Callable

from ..evidence.question import QuestionAnalysis
from .chains import chain
from .comparisons import chinese_comparison, is_open_contrast
from .connectives import chinese_list
from .english_comparisons import english_comparison
from .english_contrasts import is_open_contrast as is_open_contrast_in_english
from .english_lists import english_list, english_subjects
from .kinds import asks_for_effects, question_type
from .listed_meanings import is_one_list
from .means import several_means
from .models import Combination, Decomposition, QuestionType, SubQuestion
from .parts import Asked, Draft, asked, asked_part, assembled, finished, single
from .several_subjects import chinese_subjects
from .shared_time import in_shared_time
from .tables import arithmetic, without_follow_up
from .versions import asks_for_version

LONGEST_QUESTION = 500
"""Characters; a longer text is a pasted passage and no question that rules take apart."""

# Lists within lists within a list: what is nested deeper is no question that people ask.
_DEEPEST = 3

_Rule = Callable[[Asked], Decomposition | None]
# In order: the first that finds several parts decides.
_CHINESE_RULES: tuple[_Rule, ...] = (chinese_comparison, several_means, chain, chinese_subjects, chinese_list)
_ENGLISH_RULES: tuple[_Rule, ...] = (english_comparison, several_means, chain, english_subjects, english_list)


def decompose(question: QuestionAnalysis) -> Decomposition:
    """Take a question apart by rules.

    Never fails and never guesses: a text of which it is not clear that it asks several things, or how, is one part.
    Parts carry what they share (scope, subject, year) and are in the question's language; a Chinese question that is
    taken apart is put into simplified characters.
    """
    read = asked(question)
    if len(read.text) > LONGEST_QUESTION:
        return single(question, QuestionType.SINGLE_HOP)
    kind = question_type(question, read)
    if kind in (QuestionType.CHITCHAT, QuestionType.CLARIFY):
        return single(question, kind)
    shorter = without_follow_up(read)
    if shorter is not None and kind is QuestionType.SINGLE_HOP and _parts(shorter, _DEEPEST) is None:
        return _computed(shorter)
    if is_one_list(read):
        return single(question, kind)
    parts = in_shared_time(read, _parts(read, _DEEPEST), lambda bare: _parts(bare, _DEEPEST))
    return _of_kind(parts, kind, read) if parts is not None else _one_part(question, read, kind)


def _computed(read: Asked) -> Decomposition:
    part = SubQuestion(id="q1", text=finished(read.text, read.language))
    combination = arithmetic(read) or Combination.SINGLE
    return Decomposition(question_type=QuestionType.SINGLE_HOP, combination=combination, parts=(part,))


def _parts(read: Asked, depth: int) -> Decomposition | None:
    """What the rules find, lists made flat; None for a question with one part."""
    found = _found(read)
    if found is not None and found.combination is Combination.LIST and not any(p.depends_on for p in found.parts):
        return _flat(found, read.language, depth)
    return found


def _found(read: Asked) -> Decomposition | None:
    """What the first rule that fires finds."""
    compare, *rules = _CHINESE_RULES if read.language == "zh" else _ENGLISH_RULES
    compared = compare(read)
    if compared is not None or _only_for_version(read):
        return compared
    return next((found for rule in rules if (found := rule(read))), None)


def _flat(parts: Decomposition, language: str, depth: int) -> Decomposition | None:
    """A list whose parts are lists themselves as one list; None where it has no end or too many parts."""
    if depth == 0:
        return None
    drafts: list[Draft] = []
    for part in parts.parts:
        inner = _found(asked_part(part.text))
        if inner is None or inner.combination is not Combination.LIST:
            drafts.append(Draft(part.text, part.subject))
            continue
        flat = _flat(inner, language, depth - 1)
        if flat is None:
            return None
        drafts += [Draft(one.text, one.subject or part.subject) for one in flat.parts]
    return assembled(drafts, language, parts.question_type, Combination.LIST)


def _only_for_version(read: Asked) -> bool:
    return asks_for_version(read) and read.text.count("?") < 2


def _of_kind(parts: Decomposition, kind: QuestionType, read: Asked) -> Decomposition:
    """A list is of the kind of its whole: parts of a summary are summaries, of a synthesis several hops."""
    if parts.question_type is not QuestionType.SINGLE_HOP:
        return parts
    if asks_for_effects(read):
        kind = QuestionType.MULTI_HOP
    return parts.model_copy(update={"question_type": kind})


def _one_part(question: QuestionAnalysis, read: Asked, kind: QuestionType) -> Decomposition:
    if _only_for_version(read):
        return single(question, QuestionType.SINGLE_HOP, Combination.VERSION)
    chinese = question.language == "zh"
    if is_open_contrast(read) if chinese else is_open_contrast_in_english(read.body):
        return single(question, QuestionType.COMPARISON, Combination.CONTRAST)
    computed = arithmetic(read)
    if computed is not None and kind is QuestionType.SINGLE_HOP:
        return single(question, kind, computed)
    return single(question, kind)
