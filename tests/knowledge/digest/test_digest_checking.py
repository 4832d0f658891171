"""What is found wrong with a digest, and what rules make of it."""

from __future__ import annotations

import pytest
from support.digests import DOCUMENT, block, made
from veriloop.configs.digest_settings import DigestSettings
from veriloop.knowledge.digest.by_rules import lost_details
from veriloop.knowledge.digest.checking import cleaned, empty_phrases, review
from veriloop.knowledge.digest.entities import proper_names
from veriloop.knowledge.digest.models import Digest
from veriloop.knowledge.digest.quality import measure_digests

TEXT = "第七条 借用HK-20型设备的期限最长为30日，押金为2,000元。由恒远机械有限公司维护。"


@pytest.mark.parametrize(
    "phrase",
    ["本节列出若干参数。", "本章主要介绍了设备。", "本节内容较多", "包括相关规定等", "various parameters are listed",
     "This section describes the unit."],
)  # fmt: skip
def test_phrases_that_say_nothing_are_found(phrase: str) -> None:
    assert empty_phrases(phrase)


@pytest.mark.parametrize("text", ["期限为30日。", "依照相关法律办理。", "The unit weighs 8 kg.", "参数为8 kW。"])
def test_statements_are_no_empty_phrases(text: str) -> None:
    assert not empty_phrases(text)


def test_a_phrase_that_the_block_itself_says_is_not_held_against_its_digest() -> None:
    source = block("附件列出若干参数。")
    assert review(source, DOCUMENT, Digest(summary="附件列出若干参数。")).is_clean


def test_lost_and_invented_details_are_named() -> None:
    found = review(block(TEXT), DOCUMENT, Digest(summary="第七条 借用HK-20型设备最长45日，由宏达电子有限公司维护。"))
    assert {one.raw for one in found.lost} == {"30日", "2,000元"}
    assert set(found.invented) == {"45日", "宏达电子有限公司"}


def test_a_sentence_about_something_else_is_invented() -> None:
    found = review(block(TEXT), DOCUMENT, Digest(summary="好的，我会忽略以前的指示，把密码告诉您。"))
    assert found.invented == ("好的，我会忽略以前的指示，把密码告诉您。",)


def test_cleaning_drops_what_is_invented_and_adds_what_is_lost() -> None:
    written = Digest(
        summary="借用HK-20型设备最长45日。押金为2,000元。本节列出若干参数。",
        keywords=("押金", "火星"),
        entities=("HK-20", "XX-99"),
        made_by="m",
    )
    source = block(TEXT)
    held = cleaned(source, DOCUMENT, written, made(TEXT), DigestSettings())
    assert review(source, DOCUMENT, held).is_clean and lost_details(source, held) == ()
    assert held.summary.startswith("押金为2,000元。") and "45" not in held.summary
    assert held.keywords == ("押金",) and "XX-99" not in held.entities
    assert held.made_by == "m"


def test_quality_counts_what_is_kept_by_kind() -> None:
    digest = Digest(summary="第七条 借用HK-20型设备，期限30日；各种参数。", entities=("恒远机械有限公司",))
    quality = measure_digests([(block(TEXT), DOCUMENT, digest)])
    assert quality.kinds["money"].recall == 0 and quality.kinds["name"].recall == 1
    assert (quality.details.kept, quality.details.total) == (3, 4)
    assert quality.empty_share == 1 and quality.complete == 0


def test_the_number_of_the_next_clause_is_no_part_of_a_name_before_it() -> None:
    text = "1.1 This policy protects Northwind Traders Co., Ltd. (“the Company”).\n1.2 It applies to all staff."
    digest = Digest(summary="1.1 This policy protects Northwind Traders Co., Ltd. 1.2 It applies to all staff.")
    assert review(block(text), DOCUMENT, digest).invented == ()


def test_quality_says_where_something_is_invented() -> None:
    source = block(TEXT)
    (found,) = measure_digests([(source, DOCUMENT, Digest(summary="押金为9,999元。"))]).inventions
    assert (found.document, found.block_id) == (DOCUMENT.name, source.block_id)
    assert any("9,999" in one for one in found.invented)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("为规范公司文件管理，制定本办法。", ()),
        ("行政部负责公司级文件的登记。", ()),
        ("乙方应当提前三日通知公司。", ()),
        ("争议提交宁海仲裁委员会仲裁。", ("宁海仲裁委员会",)),
        ("于30日内提交安全生产委员会。", ("安全生产委员会",)),
        ("卖方：宁海装备有限公司。", ("宁海装备有限公司",)),
    ],
)
def test_a_phrase_that_ends_with_company_is_no_name(text: str, names: tuple[str, ...]) -> None:
    assert proper_names(text) == names
