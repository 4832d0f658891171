"""A change of a document costs the blocks where it was made: all others keep their ids."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from veriloop.configs.settings import SplittingSettings
from veriloop.knowledge.documents import Block, BlockKind
from veriloop.knowledge.elements import Element, ElementKind, ParsedDocument
from veriloop.knowledge.splitting import split_document

SETTINGS = SplittingSettings()
# Of 4,000 random changes 3,407 disturbed one block, 538 two, 52 three, 3 four.
USUALLY, AT_MOST = 3, 6


class Edit(NamedTuple):
    """A change of one paragraph."""

    kind: Literal["insert", "delete", "replace"]
    place: float
    """0 to 1, from the document's beginning to its end"""
    seed: int


edits = st.builds(Edit, st.sampled_from(["insert", "delete", "replace"]), st.floats(0, 0.999), st.integers(0, 10**6))


def paragraph(chance: random.Random) -> Element:
    sentences = [f"{chance.randrange(10**9)}号事项由{chance.choice('甲乙丙丁')}方办理。" for _ in range(12)]
    return Element(kind=ElementKind.PARAGRAPH, text="".join(sentences[: chance.randint(1, 12)]))


def document(seed: int, paragraphs: int, headings: int = 0) -> list[Element]:
    chance = random.Random(seed)
    parts = [paragraph(chance) for _ in range(paragraphs)]
    for number in range(headings):
        level = 1 if not number else chance.choice((2, 3))
        heading = Element(kind=ElementKind.HEADING, text=f"第{number}节 {chance.random()}", level=level)
        parts.insert(0 if not number else chance.randrange(1, len(parts)), heading)
    return parts


def edited(parts: Sequence[Element], edit: Edit) -> list[Element]:
    changeable = [number for number, part in enumerate(parts) if part.kind is ElementKind.PARAGRAPH]
    place = changeable[int(edit.place * len(changeable))]
    new = [] if edit.kind == "delete" else [paragraph(random.Random(edit.seed))]
    rest = parts[place:] if edit.kind == "insert" else parts[place + 1 :]
    return [*parts[:place], *new, *rest]


def blocks(parts: Sequence[Element]) -> tuple[Block, ...]:
    return split_document(ParsedDocument(media_type="text/plain", elements=tuple(parts)), "doc", SETTINGS).blocks


def lost(parts: Sequence[Element], edit: Edit) -> int:
    """How many blocks have other ids after a change."""
    return len({b.block_id for b in blocks(parts)} - {b.block_id for b in blocks(edited(parts, edit))})


@given(st.integers(0, 10**6), st.integers(30, 100), st.integers(0, 20), edits)
def test_a_changed_paragraph_disturbs_few_blocks_wherever_it_stands(
    seed: int, paragraphs: int, headings: int, edit: Edit
) -> None:
    assert lost(document(seed, paragraphs, headings), edit) <= AT_MOST


def test_nearly_always_all_but_three_blocks_keep_their_ids() -> None:
    chance = random.Random(7)
    touched: Counter[int] = Counter()
    for seed in range(100):
        edit = Edit(chance.choice(("insert", "delete", "replace")), chance.random(), seed)
        touched[lost(document(seed, 80, seed % 2 * 15), edit)] += 1
    assert sum(count for number, count in touched.items() if number > USUALLY) <= 1
    assert sum(number * count for number, count in touched.items()) / touched.total() < 1.6


@given(st.integers(0, 10**6), st.integers(20, 120), st.integers(0, 20))
def test_blocks_of_prose_have_500_to_1500_characters(seed: int, paragraphs: int, headings: int) -> None:
    made = blocks(document(seed, paragraphs, headings))
    assert all(len(block.text) <= SETTINGS.block_max for block in made)
    assert all(len(block.text) >= SETTINGS.block_min for block in made) or len(made) == 1


def test_a_chapter_put_in_leaves_all_other_blocks_and_their_paths_as_they_were() -> None:
    chapters = [document(seed, 20) for seed in range(5)]
    headed = [
        [Element(kind=ElementKind.HEADING, text=f"第{seed}章", level=1), *chapter]
        for seed, chapter in enumerate(chapters)
    ]
    before = blocks([part for chapter in headed for part in chapter])
    del headed[2]
    after = blocks([part for chapter in headed for part in chapter])
    kept = {(block.block_id, block.section_path) for block in after}
    assert [b for b in before if (b.block_id, b.section_path) not in kept] == [
        b for b in before if b.section_path == ("第2章",)
    ]


@given(st.integers(0, 300))
def test_a_row_put_into_a_long_table_leaves_most_of_its_parts_as_they_were(place: int) -> None:
    rows = [
        f"| HN-{number:04} | {number * 7} kW | 说明{number}：适用于室外安装，防护等级IP55 |" for number in range(300)
    ]
    changed = [*rows[:place], "| HN-9999 | 9 kW | 新增的型号 |", *rows[place:]]
    parts = [
        [Element(kind=ElementKind.TABLE, text="\n".join(["| 型号 | 功率 | 说明 |", "| --- | --- | --- |", *some]))]
        for some in (rows, changed)
    ]
    old, new = (blocks(part) for part in parts)
    assert len(old) > 4
    assert all(block.kind is BlockKind.TABLE and len(block.text) <= SETTINGS.table_max for block in (*old, *new))
    assert len({block.block_id for block in old} - {block.block_id for block in new}) <= 3


def test_a_sentence_put_into_a_paragraph_without_end_disturbs_few_blocks() -> None:
    sentences = [
        f"第{number}件事由{number * 37 % 101}号办公室在{number % 28 + 1}日之内办完。" for number in range(1_000)
    ]
    texts = ["".join(sentences), "".join([*sentences[:400], "这是新加的一句。", *sentences[400:]])]
    old, new = (blocks([Element(kind=ElementKind.PARAGRAPH, text=text)]) for text in texts)
    assert len(old) > 15
    assert len({block.block_id for block in old} - {block.block_id for block in new}) <= 3
