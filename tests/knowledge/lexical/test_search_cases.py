"""What people type finds the document that it means among many others, in Chinese and in English."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.knowledge.index_files import IndexFiles
from veriloop.knowledge.library import STORE_FILE
from veriloop.knowledge.store import SqliteStore
from veriloop.knowledge.text.tokens import tokeniser

TEXTS = {
    "codes": "# 车辆登记\n\n三码合一是指车架号、发动机号与合格证号一致。",
    "health": "# 员工关怀\n\n公司每年安排一次健康检查。",
    "part": "# 备件目录\n\n备件PPR-9087适用于二号生产线，更换周期为半年。",
    "machine": "# 设备台账\n\n设备HN-3200安装在一楼机房，额定功率为8千瓦。",
    "address": "# 网络说明\n\n服务器的IP地址由信息部维护。",
    "twelve": "# 仓储规定\n\n第十二条 仓库应当每月盘点一次。",
    "eleven": "# 仓储规定续\n\n第十一条 仓库应当每周清扫。",
    "two": "# 仓储补充\n\n第二条 仓库应当每日巡查，共十项。",
    "day": "# 通知\n\n新制度自2024年8月1日起施行。",
    "other-day": "# 通知二\n\n旧制度自2023年7月1日起废止，8月2日公告。",
    "safe": "# 编号\n\n保险柜的号码为123。",
    "prize": "# 奖励办法\n\n一等奖奖金为1.5万元。",
    "other-prize": "# 奖励办法二\n\n二等奖奖金为5000元。",
    "pudong": "# 办公地点\n\n总部位于上海市浦东新区张江路。",
    "hohhot": "# 分公司\n\n北方分公司设在呼和浩特市赛罕区。",
    "drawer": "# 宿舍\n\n钥匙放在抽屉里，后面还有备用的。",
    "tax": "# 财务\n\n公司依法纳税，由财务部申报。",
    "reply": "# 采购流程\n\n供应商应当在5个工作日内回复。",
    "delivery": "# 采购流程二\n\n供应商应当在7个工作日内发货。",
    "thanks": "# 致辞\n\n我们感谢各位。",
    "c": "# 课程\n\nC语言课程每周三次。",
    "r": "# 课程二\n\nR语言课程每周两次。",
    "lease": "# Contracts\n\nA long-term lease runs for ten years.",
    "mail": "# Contact\n\nSend an email to the service desk.",
    "policy": "# Insurance\n\nEach policy covers one vehicle.",
    "pump": "# Pump\n\nThe pump is rated at 15 kW.",
    "play": "# Play\n\nTo be, or not to be: that is the question.",
    "chat": "# Chat\n\nThe team answered with 😀 and went on.",
    "database": "# Database\n\nNever run SELECT * FROM users in production.",
    "computers": "# 部门\n\nIT部门负责电脑。",
}

CHINESE = (
    "仓库 部门 设备 管理 合同 人员 安全 检查 规定 车辆 登记 资料 申请 批准 负责 时间 地点 通知 服务 奖金 课程 费用"
)
ENGLISH = (
    "warehouse department equipment contract safety report vehicle term service desk lease pump question team data"
)


def distractors() -> dict[str, str]:
    """Documents of the same words, with ids, clauses, dates and amounts of their own."""
    draw = random.Random(1)
    texts = {}
    for number in range(160):
        clauses = ("".join(draw.choices(CHINESE.split(), k=5)) for _ in range(6))
        english = " ".join(draw.choices(ENGLISH.split(), k=30))
        body = "，".join(clauses) if number % 2 else f"The {english} of the {draw.choice(ENGLISH.split())} is in it"
        own = f"{draw.choice('ABK')}{draw.choice('PRT')}-{draw.randint(1000, 9999)} 第{draw.randint(20, 99)}条"
        rest = f"2022年{draw.randint(1, 12)}月{draw.randint(1, 28)}日 {draw.randint(200, 900)}元"
        texts[f"filler{number}"] = f"# Notes\n\n{body}。 {own} {rest}"
    return texts


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("cases")
    with Library.open(folder / "library", lexical_settings()) as opened:
        report = add_files(opened, [write(folder / "documents", **TEXTS, **distractors())])
        assert not report.failed
        yield opened


def names(library: Library, query: str) -> list[str]:
    return [hit.document.name.removesuffix(".md") for hit in library.search(query, caller=Caller.owner()).hits]


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("三码", "codes"), ("什么是三码", "codes"), ("健康", "health"),
        ("PPR-9087", "part"), ("PPR9087", "part"), ("ppr 9087", "part"), ("ＰＰＲ－９０８７", "part"),
        ("PPR—9087", "part"),
        ("HN-3200", "machine"), ("HN3200的功率", "machine"), ("服务器IP是啥", "address"), ("服务器 IP", "address"),
        ("第12条", "twelve"), ("第十二条", "twelve"), ("第１２条的内容是什么", "twelve"), ("第二条", "two"),
        ("2024/8/1", "day"), ("2024年8月1日", "day"), ("2024-08-01", "day"), ("8月1日", "day"),
        ("１２３", "safe"), ("1.5万元", "prize"), ("15000元", "prize"), ("15,000元奖金", "prize"),
        ("奖金，1.5万元", "prize"),
        ("浦东新区", "pudong"), ("浦東新區", "pudong"), ("呼和浩特", "hohhot"), ("抽屜裡", "drawer"),
        ("後面", "drawer"),
        ("long term", "lease"), ("long-term", "lease"), ("longterm", "lease"),
        ("e-mail", "mail"), ("email", "mail"), ("E-Mails", "mail"), ("policies", "policy"),
        ("15千瓦", "pump"), ("8kW", "machine"), ("功率多少kW", "machine"),
        ("5个工作日", "reply"), ("五个工作日", "reply"), ("7 working days", "delivery"),
        ("😀", "chat"), ("SELECT * FROM x", "database"), ("C语言", "c"), ("R语言", "r"), ("IT部门", "computers"),
        ("问" * 2_000 + "三码合一" * 500, "codes"),
    ],
)  # fmt: skip
def test_a_query_finds_what_it_means_first(library: Library, query: str, document: str) -> None:
    assert names(library, query)[:1] == [document]


@pytest.mark.parametrize(
    ("query", "document"),
    [("税", "tax"), ("稅？", "tax"), ("我们", "thanks"), ("我們", "thanks"), ("to be or not to be", "play")],
)
def test_the_lexical_leg_finds_where_single_characters_and_stop_words_stand(
    library: Library, query: str, document: str
) -> None:
    store = SqliteStore(library.folder / STORE_FILE)
    try:
        rows = IndexFiles(library.folder / "index", store, library.settings.search).lexical()
        best, _ = rows.bm25.search(tokeniser().query_tokens(query), 1)[0]
        ids = {mark.number: mark.doc_id for mark in store.document_marks()}
    finally:
        store.close()
    (found,) = library.find_documents(f"{document}.md", Caller.owner())
    assert ids[int(rows.documents[best])] == found.doc_id


@pytest.mark.parametrize("query", ["。，！？", "...", "-- '", "\\", "()[]{}", "鸸鹋", "😺"])
def test_what_stands_nowhere_finds_nothing(library: Library, query: str) -> None:
    assert names(library, query) == []


@pytest.mark.parametrize("query", ["' OR 1=1 --", ".*[a-z]+", "的", "the", "%", "a*", "NEAR(a b)", '"', "x" * 4_000])
def test_no_query_is_taken_for_a_command(library: Library, query: str) -> None:
    names(library, query)
    assert names(library, "PPR-9087")[:1] == ["part"]
