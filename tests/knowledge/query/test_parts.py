"""A question that names several documents searches each of them; one that names one or none is searched whole."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.catalogue import document
from veriloop.knowledge.query.names import NameIndex
from veriloop.knowledge.query.parts import by_edition, in_order_of_whole, interleave, plan_parts

NAMES = NameIndex(
    [
        document("晨星科技有限公司"),
        document("晨星科技有限公司上海分公司"),
        document("远山集团有限公司"),
        document("007 Northwind Traders Ltd"),
        document("Blue River Court"),
        document("员工手册_2023版"),
        document("员工手册_2025版"),
        document("合同"),
    ],
    {"远山集团有限公司": ["远山"], "northwind traders ltd": ["NWT Group"]},
)


def named(question: str) -> list[set[str]]:
    """The documents that each mention in a question means."""
    return [set(mention.doc_ids) for mention in NAMES.mentions(question)]


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("晨星科技有限公司和远山集团有限公司谁的收入更高？", [{"晨星科技有限公司"}, {"远山集团有限公司"}]),
        ("晨星科技有限公司上海分公司的地址", [{"晨星科技有限公司上海分公司"}]),
        (
            "Compare Northwind Traders Ltd. and Blue River, Court.",
            [{"007 Northwind Traders Ltd"}, {"Blue River Court"}],
        ),
        ("員工手冊怎麼說？", [{"员工手册_2023版", "员工手册_2025版"}]),
        ("员工手册2023版怎么说？", [{"员工手册_2023版"}]),
        ("合同里怎么说？", []),
        ("某某有限公司的地址", []),
        ("the Blue River Courtyard", []),
    ],
)
def test_names_of_documents_are_found_the_longest_first(question: str, documents: list[set[str]]) -> None:
    assert named(question) == documents


def test_a_name_that_many_documents_carry_means_none_of_them() -> None:
    index = NameIndex([document(f"远山集团有限公司{year}年报") for year in range(2010, 2020)])
    assert index.mentions("远山集团有限公司的收入") == ()


def test_each_part_keeps_its_own_name_only() -> None:
    question = "比较2019年晨星科技有限公司和2021年远山集团有限公司的净利润"
    parts = plan_parts(question, NAMES.mentions(question))
    assert [set(part.doc_ids or ()) for part in parts] == [{"晨星科技有限公司"}, {"远山集团有限公司"}]
    assert "远山" not in parts[0].text
    assert "晨星" not in parts[1].text
    assert all("净利润" in part.text for part in parts)


def test_two_editions_of_a_text_are_two_parts_that_keep_its_name() -> None:
    question = "2023版和2025版员工手册的年假有什么不同？"
    editions = {"员工手册_2023版": (2023,), "员工手册_2025版": (2025,)}
    parts = plan_parts(question, by_edition(NAMES.mentions(question), editions, {2023, 2025}))
    assert [set(part.doc_ids or ()) for part in parts] == [{"员工手册_2023版"}, {"员工手册_2025版"}]
    assert all("员工手册" in part.text for part in parts)


@pytest.mark.parametrize(
    "question", ["晨星科技有限公司的净利润是多少？", "净利润是多少？", "Blue River Court and Blue River Court"]
)
def test_one_document_or_none_is_searched_whole(question: str) -> None:
    assert plan_parts(question, NAMES.mentions(question)) == ()


def test_results_of_parts_take_turns_and_come_once() -> None:
    assert interleave(["ABC", "AXY", "Z"], 5, lambda one: one) == ["A", "Z", "B", "X", "C"]


def test_the_part_that_stands_first_in_the_whole_comes_first() -> None:
    assert in_order_of_whole(["bb", "aa", "cc"], "ab", lambda one: one) == ["aa", "bb", "cc"]


@given(st.lists(st.lists(st.integers(0, 20), unique=True, max_size=8), max_size=5), st.integers(1, 10))
def test_interleaving_loses_no_first_result_that_fits(results: list[list[int]], k: int) -> None:
    taken = interleave(results, k, lambda one: one)
    assert len(taken) == len(set(taken)) == min(k, len({one for part in results for one in part}))
    firsts = dict.fromkeys(part[0] for part in results if part)
    assert taken[: len(firsts)] == list(firsts)[:k]


@given(st.text(max_size=200) | st.text("晨星科技有限公司远山集团, 和NWT group", max_size=60))
def test_names_can_be_looked_for_in_any_text(question: str) -> None:
    mentions = NAMES.mentions(question)
    assert all(one.end <= other.start for one, other in pairwise(mentions))
