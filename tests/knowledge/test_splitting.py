"""Blocks and passages keep the document's text, order and structure."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from veriloop.configs.settings import SplittingSettings
from veriloop.knowledge.documents import Block, BlockKind
from veriloop.knowledge.elements import Element, ElementKind, ParsedDocument
from veriloop.knowledge.splitting import SplitDocument, split_document

SMALL = SplittingSettings(block_min=50, block_max=200, table_max=500, passage=80, overlap=20)
HEADING, PARAGRAPH, TABLE = ElementKind.HEADING, ElementKind.PARAGRAPH, ElementKind.TABLE

words = st.text(alphabet="甲乙丙丁。，abc 12\n", min_size=1, max_size=300).filter(lambda t: bool(t.strip()))
elements = st.lists(
    st.one_of(
        st.builds(lambda t, n: Element(kind=HEADING, text=t.strip()[:20], level=n), words, st.integers(1, 4)),
        st.builds(lambda t: Element(kind=PARAGRAPH, text=t), words),
        st.builds(
            lambda rows: Element(kind=TABLE, text="\n".join(["| 名称 | 值 |", "| --- | --- |", *rows])),
            st.lists(st.integers(0, 999).map(lambda n: f"| 项目{n} | {n} kW |"), min_size=1, max_size=60),
        ),
    ),
    max_size=12,
)


def split(*parts: Element, settings: SplittingSettings = SMALL) -> SplitDocument:
    return split_document(ParsedDocument(media_type="text/plain", elements=parts), "doc", settings)


def heading(text: str, level: int) -> Element:
    return Element(kind=HEADING, text=text, level=level)


def paragraph(text: str, page: int | None = None) -> Element:
    return Element(kind=PARAGRAPH, text=text, page=page)


def table(rows: int) -> Element:
    lines = ["| 型号 | 功率 |", "| --- | --- |", *(f"| HN-{n} | {n} kW |" for n in range(rows))]
    return Element(kind=TABLE, text="\n".join(lines))


@given(elements)
def test_no_character_of_the_text_is_lost_and_the_order_is_kept(parts: list[Element]) -> None:
    wanted = "".join("".join(part.text.split()) for part in parts if part.kind is not TABLE)
    found = "".join(
        "".join(line.split())
        for block in split(*parts).blocks
        for line in block.text.splitlines()
        if not line.startswith("|")
    )
    assert found == wanted


@given(elements)
def test_blocks_stay_within_their_size_and_ordinals_count_up(parts: list[Element]) -> None:
    blocks = split(*parts).blocks
    assert [block.ordinal for block in blocks] == list(range(len(blocks)))
    assert len({block.block_id for block in blocks}) == len(blocks)
    for block in blocks:
        # Headings and a caption may stand in front of what fills a block.
        slack = 4 * 21 + 60
        assert len(block.text) <= (SMALL.table_max if block.kind is BlockKind.TABLE else SMALL.block_max) + slack


@given(elements)
def test_passages_cover_their_block_in_windows_of_at_most_the_limit(parts: list[Element]) -> None:
    document = split(*parts)
    for block in document.blocks:
        windows = [p for p in document.passages if p.block_id == block.block_id]
        covered = set().union(*(range(p.start, p.end) for p in windows)) if windows else set()
        assert all(i in covered or block.text[i].isspace() for i in range(len(block.text)))
        assert all(0 < p.end - p.start <= SMALL.passage for p in windows)


def test_a_heading_stays_with_the_text_below_it_and_gives_the_section_path() -> None:
    document = split(heading("第一章 总则", 1), heading("第一条 目的", 2), paragraph("为了规范管理。"))
    (block,) = document.blocks
    assert block.text == "第一章 总则\n第一条 目的\n为了规范管理。"
    assert block.section_path == ("第一章 总则", "第一条 目的") or block.section_path == ("第一章 总则",)


def test_short_clauses_under_one_heading_share_a_block() -> None:
    clauses = [paragraph(f"第{n}条 内容。") for n in "一二三四"]
    assert len(split(heading("第一章", 1), *clauses).blocks) == 1


def test_chapters_are_not_mixed() -> None:
    document = split(heading("第一章", 1), paragraph("甲。"), heading("第二章", 1), paragraph("乙。"))
    assert [block.section_path for block in document.blocks] == [("第一章",), ("第二章",)]


def test_a_table_stays_whole_with_its_caption() -> None:
    document = split(paragraph("说明。" * 30), paragraph("表1 单位：kW"), table(8))
    assert document.blocks[-1].kind is BlockKind.TABLE
    assert document.blocks[-1].text.startswith("表1 单位：kW\n| 型号 | 功率 |")


def test_each_part_of_a_long_table_repeats_the_header() -> None:
    blocks = split(table(100)).blocks
    assert len(blocks) > 1
    assert all(block.text.startswith("| 型号 | 功率 |\n| --- | --- |\n| HN-") for block in blocks)
    assert sum(block.text.count("| HN-") for block in blocks) == 100


def test_a_long_paragraph_is_cut_at_sentence_ends() -> None:
    blocks = split(paragraph("这是一个完整的句子，有二十来个汉字左右。" * 40)).blocks
    assert len(blocks) > 1
    assert all(block.text.endswith("。") for block in blocks)


def test_a_block_knows_the_pages_it_runs_over() -> None:
    (block,) = split(paragraph("甲。", page=3), paragraph("乙。", page=4)).blocks
    assert (block.page_first, block.page_last) == (3, 4)


def test_unchanged_blocks_keep_their_ids_when_a_paragraph_is_inserted_before_them() -> None:
    tail = [heading("第二章", 1), paragraph("第二条 " + "内容" * 80 + "。")]
    before = split(heading("第一章", 1), paragraph("甲。"), *tail).blocks
    after = split(heading("第一章", 1), paragraph("新增的一段。" * 20), paragraph("甲。"), *tail).blocks
    assert before[-1].block_id == after[-1].block_id


def test_equal_texts_in_one_document_have_different_ids() -> None:
    parts = [heading("一", 1), paragraph("同样。"), heading("二", 1), heading("一", 1), paragraph("同样。")]
    blocks: tuple[Block, ...] = split(*parts).blocks
    assert len({block.block_id for block in blocks}) == len(blocks)
