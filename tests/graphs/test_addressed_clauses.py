"""Numbered parts that a question names are looked up by their label, quoted whole, and missed aloud."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.documents import lexical_settings, write
from veriloop import Agent, Answer, Caller, Library, add_files, build_agent
from veriloop.decisions import Route
from veriloop.state import AnswerStatus

_HIRE = "租赁合同_ZL-2024-08"
_FILES = {
    _HIRE: """# 叉车租赁合同

第一条 租赁物为三台电动叉车。

第二条 租金

2.1 租金为每台每月4200元，按季支付。

2.2 逾期支付的，每日按欠付租金的0.08%支付违约金。

| 档位 | 每月工时 | 加收 |
| --- | --- | --- |
| 一档 | 200小时以内 | 0元 |
| 二档 | 300小时以内 | 600元 |

第三条 出租人应当在接到报修后二日内维修。

承租人自行维修的，应当事先取得出租人的书面同意。

依照前款规定发生的费用由出租人承担。

附件一 交接清单

钥匙六把，充电机三台。
""",
    "仓储管理办法（2021版）": """# 仓储管理办法（2021版）

第一条 仓库每周盘点一次。

第三条 危险品单独存放，距离热源三米。
""",
    "仓储管理办法（2024版）": """# 仓储管理办法（2024版）

第一章 总则

第一条 仓库每月盘点一次。

第二条 盘点由仓储部负责，下列人员参加：

（一）仓库主管；

（二）财务部会计；

（三）使用部门代表。

第二章 危险品

第三条 危险品单独存放，距离热源五米。

第四条 违反第三条的，按照叉车租赁合同第二条处理。
""",
    "Crane Safety Code": """# Crane Safety Code

## 1. Inspection

### 1.1 Daily inspection

1.1.1 The operator checks hooks and ropes before each shift.

1.1.2 Defects are written down in the crane log.

### 1.2 Yearly inspection

1.2.1 A surveyor inspects each crane every 11 months.

## 2. Loads

2.1 No load exceeds 80% of the rated capacity.

Table 2 Signal colours

| Colour | Meaning |
| --- | --- |
| Amber | slow down |
| Violet | clear the area |
""",
}
_SECRET = "# 保密协议\n\n第七条 代号为青鸾的项目不得对外提及。\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("addressed")
    with Library.open(folder / "library", lexical_settings()) as opened:
        add_files(opened, [write(folder / "open", **_FILES)])
        add_files(opened, [write(folder / "closed", 保密协议=_SECRET)], readers=frozenset({"board"}))
        yield opened


@pytest.fixture(scope="module")
def agent(library: Library) -> Agent:
    return build_agent(library)


def cited(answer: Answer) -> set[str]:
    return {citation.document for citation in answer.citations}


@pytest.mark.parametrize(
    ("question", "held", "left_out"),
    [
        ("叉车租赁合同第二条全文", ["2.1 租金为每台每月4200元", "0.08%", "二档", "600元"], ["第三条"]),
        ("租赁合同第2.2款怎么规定？", ["每日按欠付租金的0.08%"], ["4200", "出租人应当"]),
        ("租赁合同第2条第1款是什么？", ["每台每月4200元"], ["0.08%"]),
        ("租赁合同第三条第二款的内容", ["承租人自行维修的"], ["二日内维修", "依照前款"]),
        ("租赁合同附件一的内容", ["钥匙六把，充电机三台"], ["第三条"]),
        ("《仓储管理办法》第三条", ["距离热源五米"], ["三米", "第四条"]),
        ("2021版仓储管理办法第三条是什么", ["距离热源三米"], ["五米"]),
        ("仓储管理办法第二章有哪些内容", ["第三条 危险品", "第四条 违反"], ["盘点"]),
        ("仓储管理办法第一条和第三条的全文", ["每月盘点一次", "五米"], ["仓储部"]),
        ("仓储管理办法第二条第（二）项", ["财务部会计"], ["仓库主管", "使用部门"]),
        ("What does Section 1.1 of the Crane Safety Code say?", ["hooks and ropes", "crane log"], ["surveyor", "80%"]),
        ("Quote section 1.2.1 of the Safety Code in full", ["every 11 months"], ["hooks"]),
        ("Show me Table 2 of the Crane Safety Code", ["Amber", "clear the area"], ["80%"]),
    ],
)
def test_a_named_part_is_quoted_whole_and_nothing_else(
    agent: Agent, question: str, held: list[str], left_out: list[str]
) -> None:
    answer = agent.ask(question)
    assert answer.status is AnswerStatus.ANSWERED
    assert all(text in answer.text for text in held)
    assert not any(text in answer.text for text in left_out)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("租赁合同第十九条的全文", "中没有第十九条"),
        ("租赁合同第十九条约定的租金是多少？", "中没有第十九条"),
        ("《销售管理办法》第一条的内容是什么", "没有名为《销售管理办法》的文件"),
        ("What does Section 9.4 of the Crane Safety Code say?", "has no Section 9.4"),
        ("What does Annex C of the Crane Safety Code say?", "has no Annex C"),
    ],
)
def test_a_part_that_is_not_there_is_missed_aloud_and_no_neighbour_is_quoted(
    agent: Agent, question: str, said: str
) -> None:
    answer = agent.ask(question)
    assert answer.status is AnswerStatus.INSUFFICIENT
    assert said in answer.text
    assert not answer.citations


@pytest.mark.parametrize(
    ("question", "fact", "other"),
    [
        ("租赁合同第二条约定的违约金是每日多少？", "0.08%", "二日内"),
        ("根据仓储管理办法第三条，危险品距离热源几米？", "五米", "三米"),
        ("What does Section 1.2.1 say about surveyors?", "11 months", "80%"),
    ],
)
def test_a_fact_is_sought_in_the_part_that_is_named(agent: Agent, question: str, fact: str, other: str) -> None:
    answer = agent.ask(question)
    assert fact in answer.text and other not in answer.text


def test_where_no_document_is_named_all_that_have_the_part_are_quoted_side_by_side(agent: Agent) -> None:
    answer = agent.ask("第三条全文")
    assert {name.split(".")[0] for name in cited(answer)} == {_HIRE, "仓储管理办法（2024版）"}
    assert "《租赁合同_ZL-2024-08.md》：第三条" in answer.text


def test_a_part_of_a_document_that_the_caller_may_not_read_does_not_show(library: Library, agent: Agent) -> None:
    hidden = agent.ask("保密协议第七条的内容")
    assert "青鸾" not in hidden.model_dump_json() and not hidden.citations
    board = build_agent(library, caller=Caller(readers=frozenset({"board"})))
    assert "青鸾" in board.ask("保密协议第七条的内容").text


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("盘点有哪些人员参加？", ["仓库主管", "财务部会计", "使用部门代表"]),
        ("Which signal colours are there and what do they mean?", ["Amber", "slow down", "Violet", "clear the area"]),
        ("租金加收有哪些档位？", ["一档", "二档"]),
    ],
)
def test_a_list_is_quoted_with_all_its_items(agent: Agent, question: str, held: list[str]) -> None:
    answer = agent.ask(question)
    assert all(text in answer.text for text in held)
    assert not answer.missing


def test_a_clause_that_refers_to_the_paragraph_before_it_is_completed_by_that(agent: Agent) -> None:
    answer = agent.ask("自行维修的费用由谁承担？")
    assert "由出租人承担" in answer.text and "取得出租人的书面同意" in answer.text


def test_a_clause_of_a_document_that_is_named_without_quotation_marks_is_read(agent: Agent) -> None:
    answer = agent.ask("违反仓储管理办法第三条的怎么处理？")
    assert "按照叉车租赁合同第二条处理" in answer.text and "每台每月4200元" in answer.text
    assert answer.route is Route.READING
