# ruff: noqa: E501 - patterns are read in one piece
"""Sums up a whole document by quoting: the first thing that each of its sections says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from ..documents import Document
from ..editions import edition_of
from ..query.titles import joined
from .models import Evidence, ExtractedSentence
from .units import LABEL, Unit, cut_units

_ASKING = re.compile(
    r"^\s*(?:请问?|请你|帮我|帮忙|麻烦你?|能否|能不能)*(?:简要|简单|大致|简短)?地?(?:总结|概括|概述|归纳|综述|简述|介绍|梳理|汇总)(?:一下|下)?(?:一下)?"
    r"|^\s*(?:please\s+|(?:can|could)\s+you\s+(?:please\s+)?)?(?:briefly\s+)?(?:summari[sz]e|sum\s+up|outline|give\s+(?:me\s+)?(?:an?\s+)?(?:brief\s+|short\s+)?(?:overview|summary|outline)\s+of)\s+(?:the\s+(?:main|key)\s+(?:points|contents?)\s+of\s+)?(?:the\s+|our\s+|this\s+)?",
    re.IGNORECASE,
)
_CONTENTS = re.compile(
    r"的?(?:主要|核心|基本|全部)?(?:内容|要点|大意|概要|概况|规定)?[\s?。!.？！]*$|[\s?.!]+$", re.IGNORECASE
)
_SHORTEST_NAME = 3
_CONFIDENCE = 0.7
"""The sentences are the document's own; whether they are its main ones, rules cannot tell."""


def summed_up(question: str) -> str:
    """What a question wants summed up as a whole (总结一下员工手册), without the words that ask; empty if it does not."""
    name = _CONTENTS.sub("", without_asking(question), count=1).strip(' 《》"“”')
    return name if len(joined(name)) >= _SHORTEST_NAME else ""


def without_asking(question: str) -> str:
    """A question for a summary without the words that ask for one; empty where it asks for none, or of nothing."""
    opening = _ASKING.match(question)
    rest = question[opening.end() :].strip() if opening else ""
    return rest if len(joined(rest)) >= _SHORTEST_NAME else ""


def overview(question: str, evidence: Sequence[Evidence], most: int) -> tuple[ExtractedSentence, ...]:
    """The first sentences of the sections of the document that a question wants summed up, in its order.

    Empty where the question is another one, or none of the evidence is of a document of that name.

    Args:
        question: as asked.
        evidence: best first; of several editions the one that stands first counts.
        most: how many sentences.
    """
    name = joined(summed_up(question))
    meant = next((one.document.doc_id for one in evidence if name and is_called(one.document, name)), None)
    own = sorted((one for one in evidence if one.document.doc_id == meant), key=lambda one: one.block.ordinal)
    units = [unit for unit in map(_first, own) if unit is not None]
    if len(units) < most:
        units += [unit for one in own for unit in cut_units(one) if says_something(unit) and unit not in units]
    chosen = sorted(units[:most], key=lambda unit: (unit.source.block.ordinal, unit.start))
    return tuple(ExtractedSentence(text=unit.text, quotes=(unit.quote(),), score=_CONFIDENCE) for unit in chosen)


def is_called(document: Document, name: str) -> bool:
    """Whether a document has just this title or file name, its edition aside; `name` as `joined` spells it."""
    stem = PurePosixPath(document.name).stem
    names = {joined(document.title), joined(stem), edition_of(stem).title, edition_of(document.title).title}
    return name in names or edition_of(name).title in names


def _first(source: Evidence) -> Unit | None:
    return next((unit for unit in cut_units(source) if says_something(unit)), None)


def says_something(unit: Unit) -> bool:
    """A form's label and what stands beside a name in a line of its own (文件编号：…, · Edition 2) say little."""
    is_beside = unit.text.lstrip().startswith(("·", "|", "•"))
    return unit.row is None and not unit.is_heading and not is_beside and LABEL.match(unit.text) is None
