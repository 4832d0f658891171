"""Whether a hit is what a question needed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.evaluation.cases import RetrievalCase
from veriloop.evaluation.relevance import Ranking, holds, is_named, judge_hits, needed_items
from veriloop.knowledge.documents import Block, Document
from veriloop.knowledge.evidence.models import Span
from veriloop.knowledge.search import Hit
from veriloop.knowledge.text.normalise import normalise_match


def _document(name: str, title: str = "a title") -> Document:
    return Document(
        doc_id=name, version="1", title=title, source_uri=f"file:///{name}", name=name, media_type="text/plain",
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def _hit(rank: int, text: str, document: str) -> Hit:
    block = Block(block_id=f"b{rank}", doc_id=document, ordinal=0, text=text)
    return Hit(rank=rank, score=1, block=block, document=_document(document), focus=(Span(start=0, end=len(text)),))


def _case(**values: object) -> RetrievalCase:
    return RetrievalCase.model_validate({"id": "1", "question": "?", **values})


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("质量保证期为验收合格之日起24个月。", "第四条　质量保证期为\n验收合格之日起 24 个月，逾期不候"),
        ("質量保證期為驗收合格之日起24個月", "质量保证期为验收合格之日起２４个月"),
        ("Receipts must be handed in within 14 days.", "receipts must  be handed in\nwithin 14 days after the trip"),
    ],
)
def test_a_quote_is_found_whatever_its_blanks_punctuation_widths_and_script(quote: str, text: str) -> None:
    (item,) = needed_items(_case(evidence=[quote]))
    assert holds(item, normalise_match(text), _document("any.md"))


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        (r"应当具备下列条件：\n（一）有固定的场所", "应当具备下列条件：\n（一）有固定的场所"),
        (r"Receipts must be\r\nhanded in", "Receipts must be handed in"),
        (r"stored under C:\notes\temp by default", r"They are stored under C:\notes\temp by default."),
    ],
)
def test_a_line_break_that_was_escaped_twice_is_read_as_a_break_and_as_it_stands(quote: str, text: str) -> None:
    (item,) = needed_items(_case(evidence=[quote]))
    assert holds(item, normalise_match(text), _document("any.md"))


def test_only_the_first_sixty_characters_of_a_quote_must_stand_in_the_hit() -> None:
    quote = "".join(chr(0x4E00 + number) for number in range(100))
    (item,) = needed_items(_case(evidence=[quote]))
    assert holds(item, normalise_match(quote[:60]), _document("any.md"))
    assert not holds(item, normalise_match(quote[:59]), _document("any.md"))


def test_without_a_quote_of_nine_characters_any_wording_of_the_answer_will_do() -> None:
    (item,) = needed_items(_case(evidence=["24个月"], answers=["二十四个月", "两年"]))
    assert holds(item, normalise_match("保修两年。"), _document("any.md"))
    assert not holds(item, normalise_match("保修24个月。"), _document("any.md"))


def test_without_a_quote_and_an_answer_each_document_is_needed() -> None:
    items = needed_items(_case(documents=["a.md", "b.md", "a.md"], answers=["。"]))
    ranking = judge_hits(items, [_hit(1, "anything", "b.md"), _hit(2, "else", "c.md"), _hit(3, "more", "b.md")])
    assert ranking == Ranking(2, (frozenset({1}), frozenset(), frozenset({1})))


def test_nothing_is_needed_where_a_case_says_nothing() -> None:
    assert needed_items(_case(answers=["", "…"])) == ()


def test_a_quote_that_is_given_twice_is_needed_once() -> None:
    assert len(needed_items(_case(evidence=["within 14 days after", "Within 14 days, after."]))) == 1


def test_each_quote_is_an_item_and_must_stand_in_a_named_document() -> None:
    items = needed_items(_case(evidence=["nine characters", "fourteen days"], documents=["policy.docx"]))
    text = "Nine characters. Fourteen days."
    ranking = judge_hits(items, [_hit(1, text, "other.md"), _hit(2, text, "policy.docx")])
    assert ranking.hits == (frozenset(), frozenset({0, 1}))


@pytest.mark.parametrize(
    ("document", "title", "name"),
    [
        ("规章/采购办法.docx", "标题", "采购办法.docx"),
        ("规章/采购办法.docx", "标题", "采购办法"),
        ("规章/采购办法.docx", "标题", "规章/采购办法.docx"),
        ("采购办法.docx", "标题", "规章\\采购办法.docx"),
        ("a/Policy.PDF", "x", "policy.pdf"),
        ("7.md", "采购办法", "采购办法"),
        ("Green Fields Ltd..md", "x", "Green Fields Ltd..md"),
        ("release v1.2.md", "x", "release v1.2"),
    ],
)
def test_a_document_is_known_by_file_name_stem_path_and_title(document: str, title: str, name: str) -> None:
    assert is_named(_document(document, title), [name])


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ("采购办法（试行）.docx", "采购办法.docx"),
        ("north/report.md", "south/report.md"),
        ("release v1.2.md", "release v1.3"),
        ("report.md", ""),
        ("report.md", "/"),
    ],
)
def test_a_name_that_is_only_part_of_another_names_no_document(document: str, name: str) -> None:
    assert not is_named(_document(document), [name])


@given(st.lists(st.text(max_size=80), max_size=4), st.lists(st.text(max_size=20), max_size=3), st.text(max_size=200))
def test_what_is_quoted_stands_in_itself_and_judging_never_fails(
    evidence: list[str], documents: list[str], text: str
) -> None:
    items = needed_items(_case(evidence=evidence, documents=documents))
    ranking = judge_hits(items, [_hit(1, text, "a.md"), _hit(2, "".join(evidence), "b.md")])
    assert all(0 <= item < len(items) for held in ranking.hits for item in held)
    anywhere = needed_items(_case(evidence=evidence))
    for item in anywhere:
        assert any(text in normalise_match(item.quote) for text in item.texts)
