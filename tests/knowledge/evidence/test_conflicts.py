"""Sources that disagree about a question are found, and those that only look so are not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.documents import Block, Document
from veriloop.knowledge.evidence.conflicts import MOST_SIDES, find_conflict
from veriloop.knowledge.evidence.extract import extract_answer
from veriloop.knowledge.evidence.models import Conflict, Evidence, Extract
from veriloop.knowledge.evidence.precedence import preferred_side
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.evidence.units import cut_units


class Source(NamedTuple):
    """A document of one block, as a test writes it."""

    text: str
    name: str = ""
    section: tuple[str, ...] = ()
    authority: int = 0
    published: date | None = None
    effective: date | None = None
    expires: date | None = None


def evidence(*sources: Source | str) -> list[Evidence]:
    given_sources = [Source(source) if isinstance(source, str) else source for source in sources]
    return [_evidence(number, source) for number, source in enumerate(given_sources, 1)]


def _evidence(number: int, source: Source) -> Evidence:
    name = source.name or f"文档{chr(96 + number)}.md"
    return Evidence(
        marker=number,
        block=Block(block_id=f"b{number}", doc_id=name, ordinal=number, section_path=source.section, text=source.text),
        document=Document(
            doc_id=name, version="1", title=name.rsplit(".", 1)[0], source_uri=name, name=name,
            media_type="text/plain", authority=source.authority, published_at=source.published,
            effective_from=source.effective, effective_to=source.expires, updated_at=datetime(2025, 1, 1, tzinfo=UTC),
        ),
        score=1 / number,
    )  # fmt: skip


def ask(question: str, *sources: Source | str) -> Conflict | None:
    analysis, found = analyse_question(question), evidence(*sources)
    return find_conflict(analysis, found, extract_answer(analysis, found))


def values_of(conflict: Conflict | None) -> set[str]:
    return {side.value for side in conflict.sides} if conflict else set()


@pytest.mark.parametrize(
    ("question", "one", "other", "values"),
    [
        (
            "样机的保修期是多久？",
            "样机的保修期为24个月，自验收合格之日起计算。",
            "样机的保修期为36个月，自验收合格之日起计算。",
            {"24个月", "36个月"},
        ),
        (
            "仓库门禁卡的押金是多少元？",
            "领取仓库门禁卡时，应当交纳押金200元。",
            "仓库门禁卡的押金为300元，领取时交纳。",
            {"200元", "300元"},
        ),
        (
            "北区数据中心哪一年投入使用？",
            "北区数据中心于2019年投入使用，由运维部管理。",
            "北区数据中心于2017年投入使用，由运维部管理。",
            {"2019年", "2017年"},
        ),
        (
            "How long is the warranty of the pump?",
            "The warranty of the pump is 24 months from the date of delivery.",
            "The warranty of the pump is 36 months from the date of delivery.",
            {"24 months", "36 months"},
        ),
        (
            "When was the Hilltop warehouse built?",
            "The Hilltop warehouse was built in 1902 by the harbour board.",
            "The Hilltop warehouse was built in 1885 by the harbour board.",
            {"1902", "1885"},
        ),
        (
            "What percentage of the deposit is refunded after a cancellation?",
            "After a cancellation 80% of the deposit is refunded to the client.",
            "After a cancellation 60% of the deposit is refunded to the client.",
            {"80%", "60%"},
        ),
    ],
)
def test_two_values_for_the_same_thing_are_a_conflict(question: str, one: str, other: str, values: set[str]) -> None:
    assert values_of(ask(question, one, other)) == values


@pytest.mark.parametrize(
    ("question", "one", "other", "values"),
    [
        (
            "灵犀项目的负责人是谁？",
            "灵犀项目的负责人是王建国，办公地点在三号楼。",
            "灵犀项目的负责人是李晓梅，办公地点在三号楼。",
            {"王建国", "李晓梅"},
        ),
        (
            "年度会议在哪个城市举行？",
            "本公司年度会议将在杭州举行，全体经理参加。",
            "本公司年度会议将在苏州举行，全体经理参加。",
            {"杭州", "苏州"},
        ),
        (
            "Who is the head of the Lyra project?",
            "The head of the Lyra project is Anna Keller, who works in building three.",
            "The head of the Lyra project is Peter Novak, who works in building three.",
            {"Anna Keller", "Peter Novak"},
        ),
        (
            "What is the material of the housing?",
            "The material of the housing is aluminium and the surface is painted grey.",
            "The material of the housing is polycarbonate and the surface is painted grey.",
            {"aluminium", "polycarbonate"},
        ),
    ],
)
def test_two_names_in_the_place_of_the_answer_are_a_conflict(
    question: str, one: str, other: str, values: set[str]
) -> None:
    assert values_of(ask(question, one, other)) == values


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("访客可以进入三号实验室吗？", "访客可以进入三号实验室参观。", "访客不得进入三号实验室参观。"),
        (
            "May visitors enter the clean room?",
            "Visitors may enter the clean room during office hours.",
            "Visitors must not enter the clean room during office hours.",
        ),
    ],
)
def test_leave_and_ban_are_a_conflict(question: str, one: str, other: str) -> None:
    conflict = ask(question, one, other)
    assert conflict is not None
    assert {side.statement.text for side in conflict.sides} == {one, other}


NO_CONFLICT = [
    # another spelling or unit
    ("验收应当在多少天内完成？", "甲方应当在10个工作日内完成验收。", "甲方应当在十个工作日内完成验收。"),
    ("设备的总价是多少？", "设备的总价为1.5万元，含税。", "设备的总价为15,000元，含税。"),
    ("How long is the notice period?", "The notice period is 30 days.", "The notice period is thirty (30) days."),
    # another precision
    ("新厂房何时竣工？", "新厂房于2019年10月竣工并投产。", "新厂房于2019年10月5日竣工并投产。"),
    ("宁河镇有多少人口？", "宁河镇的人口为3559人，多数务农。", "宁河镇的人口约3600人，多数务农。"),
    (
        "How many people live in Marlow?",
        "In Marlow live 3,559 people in three quarters.",
        "In Marlow live about 3,600 people in three quarters.",
    ),
    # an upper and a lower bound
    ("客房的住宿费标准是多少元？", "客房的住宿费标准不超过300元。", "客房的住宿费标准不低于150元。"),
    (
        "How many staff does a shift need?",
        "A shift of the plant needs at least 4 people.",
        "A shift of the plant needs at most 9 people.",
    ),
    # the rule and its exception
    ("试用期是多久？", "新员工的试用期一般为三个月。", "但技术岗位新员工的试用期为六个月。"),
    (
        "How long is the probation period?",
        "The probation period of new staff is generally three months.",
        "However, the probation period of new managers is six months.",
    ),
    # another model, another company, another year
    ("HN-3200的额定功率是多少？", "HN-3200的额定功率为30 kW。", "HN-3200B的额定功率为37 kW。"),
    ("How much does model AX-100 cost?", "Model AX-100 costs 300 EUR apiece.", "Model AX-200 costs 450 EUR apiece."),
    ("蓝天公司成立于哪一年？", "蓝天公司成立于2001年，总部在南京。", "绿地公司成立于2005年，总部在南京。"),
    ("2022年的营业收入是多少？", "2022年的营业收入为120万元。", "2021年的营业收入为95万元。"),
    (
        "What was the revenue in 2022?",
        "In 2022 the revenue of the group was 120 million EUR.",
        "In 2021 the revenue of the group was 95 million EUR.",
    ),
    # a difference beside the point
    ("灵犀项目的负责人是谁？", "灵犀项目的负责人是王建国，预算为20万元。", "灵犀项目的负责人是王建国，预算为30万元。"),
    (
        "Who is the head of the Lyra project?",
        "The head of the Lyra project is Anna Keller in building three.",
        "The head of the Lyra project is Anna Keller in building four.",
    ),
    # only another wording
    ("谁负责档案的保管？", "档案的保管由综合管理部负责。", "综合管理部负责保管档案。"),
    (
        "摊位转租应当采取什么方式？",
        "摊位转租应当采取书面方式，超过转租合同约定的进场日期满三日未进场的，收取当月租金百分之十的空置费。",
        "摊位转租应当采取书面方式，超过转租合同约定的进场期限满3日未进场的，收取当月租金10%的空置费。",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("question", "one", "other"), NO_CONFLICT)
def test_what_can_both_be_right_is_no_conflict(question: str, one: str, other: str) -> None:
    assert ask(question, one, other) is None
    assert ask(question, other, one) is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("差旅补助是多少元？", "国内差旅补助为100元，国外差旅补助为300元。"),
        ("班车几点发车？", "班车每日7:30至8:30发车。\n晚班班车18:00发车。"),
        ("How many days of leave are there?", "Leave is 10 to 15 days.\nUp to 5 days of leave may be carried over."),
    ],
)
def test_one_source_does_not_contradict_itself(question: str, text: str) -> None:
    assert ask(question, text) is None


TABLE = "| 岗位 | 年休假天数 | 说明 |\n| --- | --- | --- |\n| 一线操作工 | {} | 全年有效 |\n| 质检员 | {} | 全年有效 |"


def test_rows_of_one_table_are_no_conflict_but_the_same_row_of_two_tables_is() -> None:
    question = "质检员的年休假天数是多少天？"
    assert ask(question, TABLE.format("5天", "7天")) is None
    conflict = ask(question, TABLE.format("5天", "7天"), TABLE.format("5天", "9天"))
    assert values_of(conflict) == {"7天", "9天"}
    assert conflict is not None
    assert all("质检员" in side.statement.text and len(side.statement.quotes) == 2 for side in conflict.sides)


def test_titles_that_differ_in_a_model_number_are_about_different_things() -> None:
    question, text = "额定电压是多少伏？", "额定电压为{} V，允许偏差见附录。"
    sheets = [
        Source(text.format(volts), f"{model} 技术规格书.pdf") for volts, model in ((220, "DCU-560"), (380, "DCU-780"))
    ]
    assert ask(question, *sheets) is None
    assert ask(question, sheets[0], Source(text.format(380), "维修手册.pdf")) is not None


OLD = Source("新员工的试用期为三个月，自入职之日起计算。", "员工手册_2023版.docx")
NEW = Source("新员工的试用期为两个月，自入职之日起计算。", "员工手册_2025版.docx")
OLD_EN = Source("New employees are on probation for three months after joining.", "Staff handbook 2023 edition.docx")
NEW_EN = Source("New employees are on probation for two months after joining.", "Staff handbook 2025 edition.docx")


@pytest.mark.parametrize(
    ("question", "old", "new", "editions"),
    [
        ("新员工的试用期是多久？", OLD, NEW, ("2025版", "2023版")),
        ("How long are new employees on probation?", OLD_EN, NEW_EN, ("2025 edition", "2023 edition")),
    ],
)
def test_of_two_editions_the_newer_one_is_preferred(
    question: str, old: Source, new: Source, editions: tuple[str, str]
) -> None:
    for sources in ((old, new), (new, old)):
        conflict = ask(question, *sources)
        assert conflict is not None and conflict.preferred is not None
        assert conflict.reason == "newer_edition"
        assert conflict.sides[conflict.preferred].document == new.name
        assert {side.dated for side in conflict.sides} == set(editions)


@pytest.mark.parametrize("year", ["2023", "2025"])
def test_who_names_an_edition_is_not_shown_the_other(year: str) -> None:
    assert ask(f"{year}版员工手册规定的新员工试用期是多久？", OLD, NEW) is None
    assert ask(f"How long are new employees on probation in the {year} edition?", OLD_EN, NEW_EN) is None


QUESTION, SAYS = "样品库的保存期限是多少天？", "样品库的保存期限为{}天，到期后销毁。"


def side_of(conflict: Conflict | None) -> str:
    assert conflict is not None
    return "" if conflict.preferred is None else conflict.sides[conflict.preferred].value


SIXTY, NINETY = Source(SAYS.format(60)), Source(SAYS.format(90))
EARLY, LATE = date(2021, 5, 1), date(2024, 5, 1)


@pytest.mark.parametrize(
    ("winner", "loser", "reason"),
    [
        (SIXTY._replace(effective=LATE), NINETY._replace(effective=EARLY), "newer_edition"),
        (SIXTY, NINETY._replace(expires=EARLY), "newer_edition"),
        (SIXTY._replace(published=LATE), NINETY._replace(published=EARLY), "newer_edition"),
        (SIXTY._replace(authority=80), NINETY._replace(authority=20), "higher_authority"),
        (SIXTY._replace(published=LATE, authority=10), NINETY._replace(published=EARLY, authority=90), "newer_edition"),
    ],
)
def test_the_text_in_force_wins_then_the_higher_authority(winner: Source, loser: Source, reason: str) -> None:
    for sources in ((winner, loser), (loser, winner)):
        conflict = ask(QUESTION, *sources)
        assert side_of(conflict) == "60天"
        assert conflict is not None and conflict.reason == reason


def preferred(question: str, *sources: Source) -> tuple[int | None, str]:
    units = [cut_units(one)[0] for one in evidence(*sources)]
    precedence = preferred_side(analyse_question(question), units)
    return precedence.preferred, precedence.reason


def test_the_text_that_holds_more_of_the_question_wins_last() -> None:
    question = "冷藏样品在样品库的保存期限是多少天？"
    special = SIXTY._replace(section=("冷藏样品",))
    assert preferred(question, NINETY, special) == (1, "more_specific")
    assert preferred(question, NINETY._replace(authority=5), special) == (0, "higher_authority")
    assert preferred(QUESTION, NINETY, special) == (None, "unclear")
    assert preferred(question, NINETY._replace(section=("冷藏样品",)), special) == (None, "unclear")


def test_a_winner_beats_every_other_side() -> None:
    dates = (date(2021, 1, 1), date(2024, 1, 1), date(2024, 1, 1))
    sides = [Source(SAYS.format(days), effective=day) for days, day in zip((30, 60, 90), dates, strict=True)]
    assert preferred(QUESTION, *sides[:2]) == (1, "newer_edition")
    assert preferred(QUESTION, *sides) == (None, "unclear")


def test_three_copies_of_a_statement_stand_first_and_do_not_win() -> None:
    conflict = ask(QUESTION, SAYS.format(60), SAYS.format(90), SAYS.format(90), SAYS.format(90))
    assert conflict is not None
    assert [side.value for side in conflict.sides] == ["90天", "60天"]
    assert (conflict.preferred, conflict.reason) == (None, "unclear")


def test_copies_do_not_outweigh_a_newer_edition() -> None:
    old = [Source(OLD.text, f"{name}_2023版.docx") for name in ("员工手册", "手册摘要", "入职指南")]
    conflict = ask("新员工的试用期是多久？", NEW, *old)
    assert conflict is not None
    assert conflict.sides[0].value == "三个月"
    assert conflict.preferred is None or conflict.sides[conflict.preferred].value == "两个月"


def test_no_more_than_four_values_are_shown_each_once() -> None:
    conflict = ask(QUESTION, *(SAYS.format(days) for days in (10, 20, 30, 40, 50, 60, "三十")))
    assert conflict is not None
    assert len(conflict.sides) == MOST_SIDES
    assert len(values_of(conflict)) == MOST_SIDES
    assert not {"30天", "三十天"} <= values_of(conflict)


def test_a_date_that_the_text_calls_its_own_is_given_in_its_words() -> None:
    conflict = ask(
        QUESTION,
        Source(SAYS.format(60) + "\n发布日期：2024年3月1日"),
        Source(SAYS.format(90), published=date(2020, 1, 2)),
    )
    assert conflict is not None
    assert {side.value: side.dated for side in conflict.sides} == {"60天": "2024年3月1日", "90天": "2020-01-02"}


def test_without_an_answer_there_is_no_conflict() -> None:
    analysis, sources = analyse_question(QUESTION), evidence(SAYS.format(60), SAYS.format(90))
    assert find_conflict(analysis, sources, Extract(confidence=0.0)) is None
    assert find_conflict(analysis, [], Extract(confidence=0.0)) is None


DAYS = st.integers(min_value=2, max_value=999)
TEMPLATES = [
    (QUESTION, SAYS),
    ("How many days are samples kept in the store?", "Samples are kept in the store for {} days and then destroyed."),
]


@given(st.sampled_from(TEMPLATES), DAYS, DAYS)
def test_a_sentence_with_its_number_changed_conflicts_and_unchanged_does_not(
    template: tuple[str, str], one: int, other: int
) -> None:
    question, text = template
    conflict = ask(question, text.format(one), text.format(other))
    assert (conflict is None) == (one == other)
    if conflict is not None:
        assert {str(one), str(other)} == {"".join(filter(str.isdigit, side.value)) for side in conflict.sides}


CHINESE_DIGITS = "零一二三四五六七八九"


def spelt(number: int) -> str:
    """A number from 2 to 99 in Chinese numerals."""
    tens, ones = divmod(number, 10)
    head = "" if not tens else "十" if tens == 1 else f"{CHINESE_DIGITS[tens]}十"
    return head + (CHINESE_DIGITS[ones] if ones or not tens else "")


OTHER_SPELLINGS = [
    "样品库的保存期限为{}天，到期后销毁。",
    "样品庫的保存期限為{}天，到期後銷毀。",
    "样品库的保存期限为 {} 天,到期后销毁.",
]


@given(st.integers(min_value=2, max_value=99), st.sampled_from(OTHER_SPELLINGS))
def test_the_same_sentence_in_other_spelling_never_conflicts(days: int, text: str) -> None:
    full_width = str(days).translate({ord(digit): ord(digit) + 0xFEE0 for digit in "0123456789"})
    for other in (str(days), spelt(days), full_width):
        assert ask(QUESTION, SAYS.format(days), text.format(other)) is None


@given(
    st.permutations(
        [SAYS.format(60), SAYS.format(90), SAYS.format("六十"), "销毁由质量部负责。", "样品库每周盘点一次。"]
    )
)
def test_the_order_of_the_evidence_does_not_change_which_values_are_found(texts: Sequence[str]) -> None:
    found = {value.replace("六十", "60") for value in values_of(ask(QUESTION, *texts))}
    assert found == {"60天", "90天"}


@given(st.lists(st.text(max_size=80), min_size=1, max_size=4), st.text(max_size=40))
def test_any_text_can_be_compared(texts: list[str], question: str) -> None:
    conflict = ask(question or "样品？", *texts)
    for side in conflict.sides if conflict else ():
        assert any(side.statement.quotes[0].text in text for text in texts)
