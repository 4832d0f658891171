"""How a rival statement differs from the one that answers: in a value, in a name or phrase, in what it denies."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.values import ValueKind
from .differing_pieces import LONGEST_PIECE, Alignment, Piece, align, weight_of
from .name_pieces import PUNCTUATION, are_other_names
from .negation import denials, disagreeing_piece
from .phrases import content_words
from .question import QuestionAnalysis
from .reworded_values import difference_in_other_words, of_kinds
from .rival_rows import difference_of_rows
from .same_values import Answer, Difference, Stated, are_comparable, is_same_answer, is_same_value
from .terms import question_terms, terms
from .units import Unit
from .wanted_answers import AnswerForm, WantedValues, answer_form, wanted_values
from .weighing import Weigh

# Sentences that have less in common are no other wording of each other (see `differing_pieces.Alignment`).
NEARLY_SAME = 0.6
# For an open question every word may be the answer: only sentences that are all but the same are compared.
NEARLY_SAME_OPEN = 0.75
# Weight of what two sentences have to share (Chinese characters, other words twice).
LEAST_COMMON = 8
# What stands around a value in a differing piece weighs no more than this; otherwise more than the answer differs.
_AROUND_VALUE = 8

_MEASURED = frozenset(ValueKind) - {ValueKind.CLAUSE, ValueKind.IDENTIFIER, ValueKind.ORDINAL}
_CAPITALISED = re.compile(r"(?<![A-Za-z])[A-Z]")
_EXCEPTION = re.compile(
    r"\s*(?:但|但是|然而|除.{1,30}外|例外|特殊情况|however\b|but\b|except\b|unless\b|notwithstanding\b)", re.IGNORECASE
)


def difference(
    question: QuestionAnalysis, mine: Unit, theirs: Unit, weigh: Weigh, *, reworded: bool
) -> Difference | None:
    """In what a rival contradicts the statement that answers; None where both can be right.

    Both are taken to speak of the same subject (see `subjects.is_same_subject`).

    Args:
        question: what is asked.
        mine: the statement that answers.
        theirs: its rival.
        weigh: of a term.
        reworded: also compare values in sentences that are not nearly the same.
    """
    if mine.row is not None and theirs.row is not None:
        return difference_of_rows(question, mine, theirs, weigh)
    if mine.row is None and theirs.row is None:
        if _is_exception(mine) != _is_exception(theirs):
            return None
        aligned = align(mine.text, theirs.text)
        if aligned.likeness >= NEARLY_SAME and aligned.common >= LEAST_COMMON:
            return _of_pieces(question, aligned, mine.text, theirs.text)
    return difference_in_other_words(question, mine, theirs, weigh) if reworded else None


def _is_exception(unit: Unit) -> bool:
    return _EXCEPTION.match(unit.text) is not None


def _of_pieces(question: QuestionAnalysis, aligned: Alignment, mine: str, theirs: str) -> Difference | None:
    """The one piece in which nearly equal sentences differ, if that is where the answer lies."""
    pieces = [piece for piece in aligned.pieces if not _says_the_same(piece, mine, theirs)]
    wanted, form = wanted_values(question), answer_form(question)
    if wanted is not None:
        answers = [piece for piece in pieces if _differs_in_value(question, wanted, piece, mine, theirs)]
        others = [piece for piece in pieces if piece not in answers]
        shared = terms(mine) & terms(theirs)
        is_apart = any(_tells_apart(question, piece, shared) for piece in others)
        return None if is_apart else _only_difference(answers, mine, theirs)
    if form is not AnswerForm.NAME and aligned.likeness < NEARLY_SAME_OPEN:
        return None
    if form is not AnswerForm.NAME and (denied := _denied(pieces, mine, theirs)) is not None:
        return denied
    answers = [piece for piece in pieces if _is_other_answer(question, form, piece)]
    others = [piece for piece in pieces if piece not in answers]
    return None if any(_is_content(piece) for piece in others) else _only_difference(answers, mine, theirs)


def _only_difference(answers: Sequence[Piece], mine: str, theirs: str) -> Difference | None:
    """The differing answer, if it is one and the same throughout the sentence."""
    found = [_difference_of(piece, mine, theirs) for piece in answers]
    is_one = all(is_same_answer(a, b) for other in found[1:] for a, b in zip(found[0], other, strict=True))
    return found[0] if found and is_one else None


def _difference_of(piece: Piece, mine: str, theirs: str) -> Difference:
    return Difference(
        Answer(piece.mine, tuple(Stated(value, mine) for value in piece.my_values)),
        Answer(piece.theirs, tuple(Stated(value, theirs) for value in piece.their_values)),
    )


def _says_the_same(piece: Piece, mine: str, theirs: str) -> bool:
    """Whether a difference is only one of spelling, precision or wording."""
    if not piece.is_replacement:
        return False
    return is_same_answer(*_difference_of(piece, mine, theirs)) or terms(piece.mine) == terms(piece.theirs) != set()


def _differs_in_value(question: QuestionAnalysis, wanted: WantedValues, piece: Piece, mine: str, theirs: str) -> bool:
    """Whether values of the wanted kind stand against each other here, and hardly anything else."""
    if not _is_mainly_values(piece):
        return False
    for kinds in wanted:
        own, foreign = (of_kinds(question, found, kinds) for found in (piece.my_values, piece.their_values))
        if not own or len(own) != len(foreign):
            continue
        pairs = [(Stated(a, mine), Stated(b, theirs)) for a, b in zip(own, foreign, strict=True)]
        unlike = [pair for pair in pairs if not is_same_value(*pair)]
        return bool(unlike) and all(
            one.value.kind is other.value.kind and are_comparable(one, other) for one, other in unlike
        )
    return False


def _is_mainly_values(piece: Piece) -> bool:
    for text, found in ((piece.mine, piece.my_values), (piece.theirs, piece.their_values)):
        rest = text
        for value in found:
            rest = rest.replace(value.raw, " ")
        if not found or PUNCTUATION.search(rest) or weight_of(rest) > _AROUND_VALUE:
            return False
    return True


def _tells_apart(question: QuestionAnalysis, piece: Piece, shared: frozenset[str]) -> bool:
    """Whether a further difference makes the sentences speak of different things."""
    both = f"{piece.mine} {piece.theirs}"
    if any(value.kind is not ValueKind.CLAUSE for value in (*piece.my_values, *piece.their_values)):
        return True
    if denials(piece.mine) != denials(piece.theirs) or (piece.is_replacement and _CAPITALISED.search(both)):
        return True
    return bool((question_terms(both) & (question.terms | question.focus_terms)) - shared) and piece.is_replacement


def _is_content(piece: Piece) -> bool:
    """Whether a difference is more than a word of grammar."""
    if any(value.kind is not ValueKind.CLAUSE for value in (*piece.my_values, *piece.their_values)):
        return True
    return bool(content_words(piece.mine) or content_words(piece.theirs)) and piece.is_replacement


def _is_other_answer(question: QuestionAnalysis, form: AnswerForm, piece: Piece) -> bool:
    """Whether a piece is an answer in words: a name or a thing that the question does not mention, or a value."""
    if not piece.is_replacement or max(weight_of(piece.mine), weight_of(piece.theirs)) > LONGEST_PIECE:
        return False
    if (question_terms(piece.mine) | question_terms(piece.theirs)) & question.terms:
        return False
    if form is AnswerForm.NAME:
        return are_other_names(piece, capitals=True)
    kinds = {value.kind for value in piece.my_values} & {value.kind for value in piece.their_values} & _MEASURED
    if kinds and _is_mainly_values(piece):
        return True
    return form is AnswerForm.THING and are_other_names(piece, capitals=False)


def _denied(pieces: Sequence[Piece], mine: str, theirs: str) -> Difference | None:
    """The part of the sentence that one forbids or denies and the other allows or affirms."""
    turned = [piece for piece in pieces if denials(piece.mine) % 2 != denials(piece.theirs) % 2]
    others = [piece for piece in pieces if piece not in turned]
    if len(turned) != 1 or any(_is_content(piece) for piece in others):
        return None
    parts = disagreeing_piece(mine, theirs), disagreeing_piece(theirs, mine)
    return Difference(Answer(parts[0]), Answer(parts[1])) if parts[0] and parts[1] else None
