"""How a parse is scored: what is found wrong with it, and that more of it never makes the score better."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.elements import (
    Doubt,
    Element,
    ElementKind,
    NumberLoss,
    ParsedDocument,
    ParseNote,
    ParseNoteKind,
)
from veriloop.knowledge.garbled import garbling, is_unlikely_chinese, spaced_characters
from veriloop.knowledge.quality import Fault, quality_of

PDF = "application/pdf"
CLAUSE = "甲方应当自收到验收申请之日起十个工作日内组织验收，逾期未验收的视为验收合格。"
ENGLISH = "Employees may spend at most 120 EUR per night on a hotel, as stated on page 3 of the policy."
TABLE = "| 型号 | 功率 |\n| --- | --- |\n| HN-1 | 8 kW |\n| HN-2 | 9 kW |"
GOOD = (
    Element(kind=ElementKind.HEADING, text="第一章 验收", level=1, page=1),
    Element(kind=ElementKind.PARAGRAPH, text=CLAUSE, page=1),
    Element(kind=ElementKind.PARAGRAPH, text=ENGLISH, page=2),
    Element(kind=ElementKind.TABLE, text=TABLE, page=2),
)


def parsed(*more: Element, **fields: object) -> ParsedDocument:
    return ParsedDocument(**{"media_type": PDF, "elements": (*GOOD, *more), "pages": 4, **fields})


def paragraph(text: str, page: int = 1, doubt: Doubt | None = None) -> Element:
    return Element(kind=ElementKind.PARAGRAPH, text=text, page=page, doubt=doubt)


def table(text: str, page: int = 3, doubt: Doubt | None = None) -> Element:
    return Element(kind=ElementKind.TABLE, text=text, page=page, doubt=doubt)


def faults(document: ParsedDocument) -> dict[Fault, tuple[int, ...]]:
    return {finding.fault: finding.pages for finding in quality_of(document).findings}


def test_a_parse_without_faults_has_the_full_score() -> None:
    assert quality_of(parsed()).score == 1.0
    assert quality_of(parsed()).findings == ()


@pytest.mark.parametrize(
    ("document", "fault", "pages"),
    [
        (parsed(unread_pages=(3, 4)), Fault.UNREAD, (3, 4)),
        (parsed(paragraph("(cid:12)(cid:7)(cid:99)(cid:3)", 3)), Fault.GARBLED, (3,)),
        (parsed(paragraph("验收\ufffd\ufffd\ufffd\ufffd\ufffd合格", 2)), Fault.GARBLED, (2,)),
        (parsed(paragraph("锟斤拷锟斤拷锟斤拷", 2)), Fault.GARBLED, (2,)),
        (parsed(paragraph("验收合格的产品".encode().decode("cp1252", "replace"), 3)), Fault.GARBLED, (3,)),
        (parsed(paragraph("验收合格的产品清单".encode("gbk").decode("latin-1"), 3)), Fault.GARBLED, (3,)),
        (parsed(paragraph("Zürich café naïve".encode().decode("latin-1"), 3)), Fault.GARBLED, (3,)),
        (parsed(paragraph("\ue001\ue002\ue003\ue004\ue005", 3)), Fault.GARBLED, (3,)),
        (parsed(paragraph("验 收 合 格 的 产 品", 3)), Fault.SPACED, (3,)),
        (parsed(paragraph("——", 3), paragraph("□ □", 4)), Fault.EMPTY, (3, 4)),
        (parsed(table("|  |  |  |\n| --- | --- | --- |\n| 甲 | 8 | 9 |")), Fault.HEADLESS, (3,)),
        (parsed(table("| 12 | 13 |\n| --- | --- |\n| 14 | 15 |")), Fault.HEADLESS, (3,)),
        (parsed(table(TABLE, doubt=Doubt.HEADER)), Fault.HEADLESS, (3,)),
        (parsed(table("| 名称 | 数量 |\n| --- | --- |\n| 螺丝 | 8 | 9 |")), Fault.RAGGED, (3,)),
        (parsed(table("| 名称 |  |\n| --- | --- |\n| 螺丝 |  |")), Fault.RAGGED, (3,)),
        (parsed(number_losses=(NumberLoss(page=2, counted=20, lost=9),)), Fault.LOST_NUMBERS, (2,)),
        (parsed(paragraph(CLAUSE, 3, Doubt.ORDER)), Fault.GUESSED, (3,)),
        (
            parsed(notes=(ParseNote(kind=ParseNoteKind.CUT_SHORT, detail="Sheet1", page=4),)),
            Fault.LEFT_OUT,
            (4,),
        ),
    ],
)
def test_each_fault_is_named_with_its_pages_and_costs_score(
    document: ParsedDocument, fault: Fault, pages: tuple[int, ...]
) -> None:
    assert faults(document) == {fault: pages}
    assert quality_of(document).score < 1.0


def test_a_long_text_without_headings_is_noticed_and_a_short_one_is_not() -> None:
    long = ParsedDocument(media_type="text/plain", elements=tuple(paragraph(CLAUSE) for _ in range(300)))
    short = long.model_copy(update={"elements": long.elements[:5]})
    assert faults(long) == {Fault.NO_HEADINGS: ()}
    assert faults(short) == {}


def test_a_pdf_of_many_pages_whose_text_is_all_on_one_is_noticed() -> None:
    crowded = parsed(*(paragraph(ENGLISH, 3) for _ in range(60)), pages=9)
    spread = parsed(*(paragraph(ENGLISH, page) for page in range(1, 10)), pages=9)
    assert faults(crowded) == {Fault.CROWDED: (3,)}
    assert faults(spread) == {}


def test_a_few_lost_numbers_among_many_are_tolerated() -> None:
    assert faults(parsed(number_losses=(NumberLoss(page=1, counted=400, lost=2),))) == {}
    assert faults(parsed(number_losses=(NumberLoss(page=1, counted=400, lost=8),))) == {}


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        CLAUSE,
        "Größe, Übung, façade, Æsir, naïveté, Ångström",
        "Tiếng Việt được viết bằng chữ Quốc ngữ",
        "Crème brûlée à la carte — “déjà vu”…",
        "• \uf0b7 item of a list with a symbol font",
        "是吗？？真的？ what?",
        "±0.5 °C, 10 µm², ½ × ¾",
        "烫的水和屯门",
    ],
)
def test_what_people_write_in_any_language_is_not_garbled(text: str) -> None:
    assert garbling(text).characters == 0


def test_characters_that_no_chinese_text_consists_of_are_noticed() -> None:
    text = "公司的员工在合同期内应当遵守本章程的规定，并对其所知的商业信息予以保密。" * 40
    misread = text.encode().decode("gbk", "ignore")
    assert is_unlikely_chinese(misread)
    assert not is_unlikely_chinese(text)
    assert not is_unlikely_chinese("這是本公司為員工而訂立的規則，其內容對所有的人都有效。" * 40)
    assert not is_unlikely_chinese("健康診断の受診票に記入して、保険証の番号をどうぞお書きください。" * 60)


def test_words_that_stand_apart_are_told_from_characters_that_do() -> None:
    assert spaced_characters("验 收 合 格 的 产 品") == 7
    assert spaced_characters("第一章 总则 第二章 验收 第三章 附则") == 0


elements = st.lists(
    st.builds(
        Element,
        kind=st.sampled_from([ElementKind.PARAGRAPH, ElementKind.LIST_ITEM, ElementKind.TABLE]),
        text=st.one_of(st.sampled_from([CLAUSE, ENGLISH, TABLE, "锟斤拷", "—", ""]), st.text(max_size=60)),
        page=st.integers(1, 9),
        doubt=st.one_of(st.none(), st.sampled_from(Doubt)),
    ),
    max_size=12,
)
documents = st.builds(
    ParsedDocument,
    media_type=st.sampled_from([PDF, "text/plain"]),
    elements=elements.map(tuple),
    pages=st.one_of(st.none(), st.integers(0, 12)),
    unread_pages=st.sets(st.integers(1, 12), max_size=12).map(lambda pages: tuple(sorted(pages))),
    number_losses=st.lists(
        st.tuples(st.integers(0, 50), st.integers(0, 50)).map(
            lambda pair: NumberLoss(counted=max(pair), lost=min(pair))
        ),
        max_size=4,
    ).map(tuple),
)


@given(documents)
def test_every_score_and_share_lies_between_nothing_and_all(document: ParsedDocument) -> None:
    quality = quality_of(document)
    assert 0 <= quality.score <= 1
    assert all(0 <= finding.share <= 1 and finding.count > 0 for finding in quality.findings)


@given(documents, st.integers(1, 12))
def test_one_more_unread_page_never_raises_the_score(document: ParsedDocument, page: int) -> None:
    worse = document.model_copy(update={"unread_pages": tuple(sorted({*document.unread_pages, page}))})
    assert quality_of(worse).score <= quality_of(document).score


@given(documents, st.integers(1, 40))
def test_more_lost_numbers_never_raise_the_score(document: ParsedDocument, more: int) -> None:
    losses = tuple(one.model_copy(update={"lost": min(one.lost + more, one.counted)}) for one in document.number_losses)
    worse = document.model_copy(update={"number_losses": losses})
    assert quality_of(worse).score <= quality_of(document).score


@given(st.integers(1, 60), st.integers(1, 60))
def test_more_garbled_text_in_place_of_readable_never_raises_the_score(first: int, second: int) -> None:
    few, many = sorted((first, second))
    scores = [quality_of(parsed(paragraph("\ufffd" * wrong + "文" * (60 - wrong)))).score for wrong in (few, many)]
    assert scores[0] >= scores[1]
