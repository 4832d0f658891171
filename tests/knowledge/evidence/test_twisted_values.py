"""A right number said of the wrong thing, or as the wrong kind of bound, is not supported."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from veriloop.knowledge.documents import Block, Document
from veriloop.knowledge.evidence.bounds import bounds
from veriloop.knowledge.evidence.check import check_answer
from veriloop.knowledge.evidence.models import Evidence

ROOMS = ("The deposit for room R101 is exactly 201 dollars.", "The deposit for room R102 is exactly 202 dollars.")
MODELS = ("HN-3200的额定功率为30 kW。", "HN-3200B的额定功率为37 kW。")
LIMITS = (
    "甲方收到书面申请之后，验收应当在10个工作日内完成。",
    "住宿费用不超过300元。",
    "Receipts are kept for at least 5 years.",
)


def sources(*texts: str) -> tuple[Evidence, ...]:
    document = Document(
        doc_id="d", version="v", title="t", source_uri="file:///t", name="t", media_type="text/plain",
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    blocks = [Block(block_id=f"b{i}", doc_id="d", ordinal=i, text=text) for i, text in enumerate(texts)]
    return tuple(Evidence(marker=i, block=block, document=document, score=1.0) for i, block in enumerate(blocks, 1))


def supported(sentence: str, markers: tuple[int, ...], texts: tuple[str, ...]) -> bool:
    return check_answer([(sentence, markers)], sources(*texts))[0].supported


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("The deposit for room R102 is 201 dollars.", ROOMS),
        ("The deposit for rooms R101 and R102 is 201 dollars.", ROOMS),
        ("HN-3200B的额定功率为30 kW。", MODELS),
    ],
)
def test_a_subject_of_one_passage_and_a_number_of_another_make_no_support(
    sentence: str, texts: tuple[str, ...]
) -> None:
    assert not supported(sentence, (1, 2), texts)


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("The deposit for room R101 is 201 dollars and that for room R102 is 202 dollars.", ROOMS),
        ("HN-3200的额定功率为30 kW，HN-3200B的额定功率为37 kW。", MODELS),
    ],
)
def test_each_half_of_a_comparison_may_come_from_its_own_passage(sentence: str, texts: tuple[str, ...]) -> None:
    assert supported(sentence, (1, 2), texts)


@pytest.mark.parametrize(
    ("sentence", "marker"),
    [
        ("验收应当至少用10个工作日完成。", 1),
        ("住宿费用至少300元。", 2),
        ("Receipts are kept for at most 5 years.", 3),
        ("The deposit is at least 201 dollars.", 4),
    ],
)
def test_a_bound_that_the_source_does_not_set_is_a_fault(sentence: str, marker: int) -> None:
    assert not supported(sentence, (marker,), (*LIMITS, ROOMS[0]))


@pytest.mark.parametrize(
    ("sentence", "marker"),
    [
        ("甲方收到书面申请之后，验收应当在最多10个工作日内完成。", 1),
        ("住宿费用最多300元。", 2),
        ("Receipts are kept for no less than 5 years.", 3),
    ],
)
def test_the_same_bound_in_other_words_is_none(sentence: str, marker: int) -> None:
    assert supported(sentence, (marker,), LIMITS)


def test_a_denied_comparison_is_read_as_the_bound_that_it_is() -> None:
    assert [bound.direction.value for bound in bounds("不超过300元，超过5年，不少于3人，3天以内")] == [
        "upper", "lower", "lower", "upper",
    ]  # fmt: skip
