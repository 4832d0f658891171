"""What the rules look at: a block of a document, cut into sentences."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from ...documents import Block, Document
from ...text.normalise import fold_widths, has_chinese, well_formed
from ...text.sentences import Span, split_sentences
from ..models import Entity, Relation
from ..names import document_entity

_LONGEST_SPAN = 600
_CHINESE_FORM = re.compile(
    r"(?:股份有限公司|有限责任公司|有限公司|责任公司|股份公司|集团公司|集团|银行|大学|法院|研究院|委员会)$"
)
_NO_NAME = re.compile(r"[了着过并及以对将被从由向在与和或是有使让等为把给该各其本此]|^(?:公司|集团|我)")


def is_organisation(name: str) -> bool:
    """Whether a Chinese text that ends like the name of an organisation holds nothing but one; others may be names."""
    form = _CHINESE_FORM.search(name)
    return not has_chinese(name) or (form is not None and not _NO_NAME.search(name[: form.start()]))


class RuleText:
    """A block as the rules read it.

    Args:
        block: the block.
        document: its document; only its id and title are used, so that a block is read anew when its text changes.
    """

    def __init__(self, block: Block, document: Document) -> None:
        self.block = block
        self.doc_id = document.doc_id
        self.document = document_entity(document.doc_id, document.title)
        self.text = well_formed(block.text)
        self.folded = fold_widths(self.text)

    @cached_property
    def sentences(self) -> list[Span]:
        """Its sentences and table rows."""
        return list(split_sentences(self.folded))

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.sentences]

    def sentence_at(self, offset: int) -> Span:
        """The sentence that an offset stands in."""
        place = max(0, bisect_right(self._starts, offset) - 1)
        return self.sentences[place] if self.sentences else Span(0, len(self.text))

    def stated(
        self, subject: Entity | None, predicate: str, other: Entity | None, start: int, end: int
    ) -> Relation | None:
        """A relation that the sentence around a match states; None where an end of it is no name, or both are one."""
        if subject is None or other is None or subject.key == other.key:
            return None
        first, last = self.sentence_at(start), self.sentence_at(max(start, end - 1))
        if last.end - first.start > _LONGEST_SPAN:
            return Relation(subject, predicate, other, start, end)
        return Relation(subject, predicate, other, min(first.start, start), max(last.end, end))
