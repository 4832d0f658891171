"""What stands around a quote, and how sources are numbered."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.documents import Block, BlockKind, Document
from veriloop.knowledge.evidence.models import Evidence, Quote, SentenceCheck, Span
from veriloop.nodes.citations import cite, context_span
from veriloop.nodes.passages import PLANS, readable_part, shown

CLAUSES = "第一章 总则\n第一条 甲。\n第二条 乙应当如下：\n（一）丙；\n（二）丁。\n第三条 戊。"
TABLE = "| 型号 | 功率 |\n| --- | --- |\n| HN-1 | 1 kW |\n| HN-2 | 2 kW |"


def span_of(text: str, part: str) -> Span:
    start = text.index(part)
    return Span(start=start, end=start + len(part))


def evidence(marker: int, text: str, kind: BlockKind = BlockKind.TEXT, focus: tuple[Span, ...] = ()) -> Evidence:
    document = Document(
        doc_id="d",
        version="v",
        title="规定",
        source_uri="file:///r.md",
        name="r.md",
        media_type="text/markdown",
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    block = Block(block_id=f"b{marker}", doc_id="d", ordinal=marker, kind=kind, text=text)
    return Evidence(marker=marker, block=block, document=document, score=1.0, focus=focus)


def quote(source: Evidence, part: str) -> Quote:
    span = span_of(source.block.text, part)
    return Quote(marker=source.marker, block_id=source.block.block_id, span=span, text=part)


@pytest.mark.parametrize(
    ("part", "around"),
    [
        ("甲。", "第一条 甲。"),
        ("（一）丙；", "第二条 乙应当如下：\n（一）丙；\n（二）丁。"),
        ("戊", "第三条 戊。"),
    ],
)
def test_the_text_around_a_quote_is_its_clause(part: str, around: str) -> None:
    span = context_span(CLAUSES, span_of(CLAUSES, part), BlockKind.TEXT)
    assert CLAUSES[span.start : span.end] == around


def test_the_text_around_a_table_cell_is_its_row() -> None:
    span = context_span(TABLE, span_of(TABLE, "2 kW"), BlockKind.TABLE)
    assert TABLE[span.start : span.end] == "| HN-2 | 2 kW |"


@given(st.text(alphabet="第一二条 甲。\n", min_size=1, max_size=400), st.data())
def test_the_text_around_a_quote_always_contains_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    for kind in BlockKind:
        around = context_span(text, Span(start=start, end=end), kind)
        assert around.start <= start and end <= around.end <= len(text)


def test_markers_count_up_in_order_of_appearance_and_quotes_of_one_block_share_one() -> None:
    first, second = evidence(5, CLAUSES), evidence(2, TABLE, BlockKind.TABLE)
    checks = (
        SentenceCheck(text="二千瓦。", supported=True, quotes=(quote(second, "2 kW"),), score=1),
        SentenceCheck(text="编造。", supported=False, score=0),
        SentenceCheck(text="甲丙。", supported=True, quotes=(quote(first, "甲。"), quote(first, "丙")), score=1),
    )
    cited = cite(checks, (first, second))
    assert cited.sentences == ("二千瓦。[1]", "甲丙。[2]")
    assert [(c.marker, c.block_id) for c in cited.citations] == [(1, "b2"), (2, "b5"), (2, "b5")]


@pytest.mark.parametrize("plan", PLANS)
def test_a_reading_plan_bounds_what_a_model_is_shown(plan: object) -> None:
    sources = [evidence(n, "很长的条文内容。" * 400, focus=(Span(start=900, end=1200),)) for n in range(1, 12)]
    texts = shown(sources, plan)  # type: ignore[arg-type]
    assert len(texts) <= 8
    assert all(len(text) < 1_700 for text in texts)


def test_the_part_shown_of_a_long_table_has_its_header() -> None:
    rows = "\n".join(f"| HN-{n} | {n} kW |" for n in range(200))
    text = f"| 型号 | 功率 |\n| --- | --- |\n{rows}"
    source = evidence(1, text, BlockKind.TABLE, focus=(span_of(text, "| HN-150 | 150 kW |"),))
    part = readable_part(source, 300)
    assert part.startswith("| 型号 | 功率 |") and "| HN-150 | 150 kW |" in part
