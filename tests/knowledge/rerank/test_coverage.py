"""The reranker that needs no model puts the passage that answers first."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from veriloop.knowledge.analysis import analyse_text
from veriloop.knowledge.rerank import Candidate, Ranked, order_by_features
from veriloop.knowledge.rerank.features import Question, longest_shared


def candidate(row: int, text: str, title: str = "", section: str = "", score: float = 0.5) -> Candidate:
    return Candidate(row, score, analyse_text(title, [section] if section else [], text), section)


def ordered(question: str, candidates: Sequence[Candidate]) -> list[Ranked]:
    asked = Question(question, lambda term: 1.0)
    return order_by_features(question, {one.row: asked.judge(one).features for one in candidates})


def first(question: str, *candidates: Candidate) -> int:
    return ordered(question, candidates)[0].row


@pytest.mark.parametrize(
    ("question", "title", "other"),
    [
        ("《采购管理办法》的验收期限", "采购管理办法", "仓库管理办法"),
        ("notice period in the Leave Policy", "Leave Policy", "Travel Policy"),
    ],
)
def test_the_document_that_the_question_names_comes_first(question: str, title: str, other: str) -> None:
    assert first(question, candidate(0, "期限 period", other), candidate(1, "期限 period", title)) == 1


@pytest.mark.parametrize(
    ("question", "title", "naming", "answering"),
    [
        ("星河制造有限公司何时收购北方铸件", "星河制造有限公司", "星河制造有限公司成立。", "收购北方铸件于三月。"),
        ("When did Galaxy Works Ltd acquire Northern Castings", "Galaxy Works Ltd",
         "Galaxy Works Ltd was founded long ago.", "It acquired Northern Castings in March."),
    ],
)  # fmt: skip
def test_repeating_the_title_does_not_beat_answering(question: str, title: str, naming: str, answering: str) -> None:
    assert first(question, candidate(0, naming, title), candidate(1, answering, title)) == 1


@pytest.mark.parametrize(
    ("question", "beside", "answering"),
    [
        (
            "拒不参加比对会有什么后果？",
            "各单位参加比对应当提前报名。",
            "拒不参加比对的，由主管部门责令改正，并处罚款。",
        ),
        ("申请许可需要什么条件？", "申请许可应当缴纳费用。", "申请许可应当具备下列条件：（一）有固定场所。"),
        ("什么是平年？", "平年与闰年交替出现。", "平年是指二月有二十八天的年份。"),
        ("本办法适用于外聘人员吗？", "外聘人员由人事部管理。", "外聘人员适用本办法。"),
        ("办理登记要提交哪些材料？", "办理登记在服务大厅。", "办理登记应当提交下列材料：申请书、身份证明。"),
        ("How long is the retention period?", "The retention period is reviewed.", "The retention period is 5 years."),
    ],
)
def test_the_text_that_gives_an_answer_of_the_kind_asked_for_comes_first(
    question: str, beside: str, answering: str
) -> None:
    assert first(question, candidate(0, beside), candidate(1, answering)) == 1


@pytest.mark.parametrize(
    ("question", "loose", "together"),
    [
        ("return on equity in 2017", "On return, the equity desk was renamed.", "Its return on equity rose."),
        ("差旅费报销标准", "标准由报销差旅的费用部门定。", "差旅费报销标准如下。"),
    ],
)
def test_words_that_stand_together_as_in_the_question_beat_scattered_ones(
    question: str, loose: str, together: str
) -> None:
    assert first(question, candidate(0, loose), candidate(1, together)) == 1


@pytest.mark.parametrize("question", ["PPR-9087 的额定功率", "What is the rated power of PPR-9087?"])
def test_the_id_that_is_asked_for_beats_its_neighbours(question: str) -> None:
    others = [candidate(row, f"PPR-908{row} 额定功率 rated power 55 kW") for row in range(5)]
    assert first(question, *others, candidate(9, "PPR-9087 额定功率 rated power 55 kW")) == 9


def test_reranking_keeps_every_candidate_and_the_given_order_of_equals() -> None:
    candidates = [candidate(row, "同样的文字", "题") for row in (5, 3, 9)]
    assert [ranked.row for ranked in ordered("无关 question", candidates)] == [5, 3, 9]
    assert ordered("anything", []) == []


TEXTS = st.text(alphabet="验收期限为五个工作日。，what is the period 5 days HN-3200\n|", max_size=60)


@given(question=TEXTS, title=TEXTS, section=TEXTS, text=TEXTS)
def test_every_feature_lies_between_0_and_1(question: str, title: str, section: str, text: str) -> None:
    asked = Question(question, lambda term: 2.0 if len(term) > 1 else 0.0, rarest=2.0)
    judged = asked.judge(Candidate(0, 1.0, analyse_text(title, [section], text), section))
    assert all(-1e-9 <= feature <= 1 + 1e-9 for feature in judged.features)
    assert 0 <= judged.relevance <= 1


@given(text=TEXTS.map(lambda text: text.replace("\n", "")))
def test_a_sentence_holds_all_of_itself(text: str) -> None:
    # "3。2" is two sentences of a document, and in a question, which is read whole, a decimal.
    assume(not re.search(r"[0-9]。[0-9]", text))
    asked = Question(text, lambda term: 1.0)
    assert asked.judge(candidate(0, text)).relevance >= 1 - 1e-9


@given(first_text=st.text("ab中", max_size=12), second_text=st.text("ab中", max_size=12))
def test_the_longest_shared_stretch_is_that_of_the_definition(first_text: str, second_text: str) -> None:
    pieces = {
        first_text[i:j] for i in range(len(first_text)) for j in range(i, len(first_text) + 1)
    } | {""}  # fmt: skip
    assert longest_shared(first_text, second_text) == max(len(piece) for piece in pieces if piece in second_text)
