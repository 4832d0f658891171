"""Which of several fitting sentences is quoted: definitions, aims, penalties, whole lists, several clauses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.documents import Block, Document
from veriloop.knowledge.evidence.cues import cue_share, cues_of, serves_another_purpose
from veriloop.knowledge.evidence.definitions import defined_term, definition_strength
from veriloop.knowledge.evidence.extract import allowed_units, extract_answer
from veriloop.knowledge.evidence.models import Evidence, Extract
from veriloop.knowledge.evidence.question import analyse_question

ARCHIVE = """第一条　为了加强样品管理，保证检测质量，根据国家有关规定，制定本办法。
第二条　样品的保管和处置，适用本办法。
第三条　样品库是集中保管样品的场所，样品库负责样品的接收和登记。
第四条　本办法所称样品，是指送检单位交付检测的材料、零件和制品。
第五条　送检单位不得有下列行为：
（一）以次充好；
（二）更换已经封存的样品。
第六条　样品保存期为两年。
第七条　违反本办法第五条规定的，由质量部给予警告，取消下一年度的送检资格。
第八条　本办法自2024年3月1日起施行。"""
POLICY = """Section 1 The purpose of this policy is to keep laboratory samples traceable.
Section 2 A sample store is the room where samples are kept, and the sample store is locked at night.
Section 3 "Sample" means any material or part that a client hands over for testing.
Section 4 Clients must not exchange sealed samples.
Section 5 Whoever breaks Section 4 receives a warning and is suspended for one year."""


def evidence(*texts: str, titles: tuple[str, ...] = ()) -> list[Evidence]:
    names = titles or ("样品管理办法",) * len(texts)
    return [
        Evidence(
            marker=number,
            block=Block(block_id=f"b{number}", doc_id=title, ordinal=number, text=text),
            document=Document(
                doc_id=title, version="1", title=title, source_uri=title, name=title,
                media_type="text/plain", updated_at=datetime.now(UTC),
            ),
            score=1 / number,
        )
        for number, (text, title) in enumerate(zip(texts, names, strict=True), 1)
    ]  # fmt: skip


def ask(question: str, *texts: str, titles: tuple[str, ...] = (), most: int = 1) -> Extract:
    return extract_answer(analyse_question(question), evidence(*texts, titles=titles), max_sentences=most)


@pytest.mark.parametrize(
    ("question", "text", "start"),
    [
        ("什么是样品？", ARCHIVE, "第四条"),
        ("样品是指什么？", ARCHIVE, "第四条"),
        ("What is a sample?", POLICY, "Section 3"),
        ('What does "sample" mean?', POLICY, "Section 3"),
    ],
)
def test_a_definition_is_answered_by_the_sentence_that_defines(question: str, text: str, start: str) -> None:
    assert ask(question, text).sentences[0].text.startswith(start)


@pytest.mark.parametrize(
    ("question", "text", "start"),
    [
        ("《样品管理办法》的主要目的是什么？", ARCHIVE, "第一条"),
        ("What is the purpose of the sample policy?", POLICY, "Section 1"),
    ],
)
def test_an_aim_is_answered_by_the_clause_that_states_it(question: str, text: str, start: str) -> None:
    assert ask(question, text).sentences[0].text.startswith(start)


@pytest.mark.parametrize(
    ("question", "text", "start"),
    [
        ("更换已经封存的样品会受到什么处罚？", ARCHIVE, "第七条"),
        ("What is the penalty for clients who exchange sealed samples?", POLICY, "Section 5"),
    ],
)
def test_a_penalty_that_names_the_broken_clause_by_its_number_is_quoted(question: str, text: str, start: str) -> None:
    assert any(sentence.text.startswith(start) for sentence in ask(question, text, most=2).sentences)


@pytest.mark.parametrize(
    ("question", "lead", "item", "labels"),
    [
        (
            "申请样品库资质应当具备哪些条件？",
            "申请样品库资质，应当具备下列条件：",
            "({})具有相应的保管设施、管理人员和应急预案；",
            "一二三四五六七八九十",
        ),
        (
            "Which documents are required to open a sample store?",
            "The following documents are required to open a sample store:",
            "({}) a signed and dated certificate about the premises;",
            "12345678",
        ),
    ],
)
def test_a_list_of_six_hundred_characters_is_quoted_whole(question: str, lead: str, item: str, labels: str) -> None:
    text = "\n".join((lead, *(item.format(label) for label in labels)))
    assert 200 < len(text) <= 600
    assert ask(question, text).sentences[0].text == text


def test_an_open_question_gets_a_long_clause_from_its_number_on_and_a_fact_its_sentence_alone() -> None:
    filler = "送检单位应当按照约定的时间送达，并与接收人员共同核对数量。" * 10
    text = f"第九条　{filler}超过约定时间三十日未领回的余样由质量部销毁。"
    assert ask("余样超过约定时间未领回的如何处理？", text).sentences[0].text.startswith("第九条")
    assert ask("余样由哪个部门销毁？", text).sentences[0].text == "超过约定时间三十日未领回的余样由质量部销毁。"


SEVERAL = """第一条　车间人员应当佩戴护目镜。
第二条　车间人员应当每日检查设备的接地。
第三条　车间人员应当在离开时切断设备电源。
第四条　食堂每日十一点开放。"""


def test_an_open_question_is_answered_by_up_to_three_clauses() -> None:
    assert len(ask("车间人员应当遵守哪些规定？", SEVERAL, most=2).sentences) == 3


def test_a_plain_fact_is_answered_by_no_more_than_two_sentences() -> None:
    assert len(ask("食堂每日几点开放？", SEVERAL, most=2).sentences) <= 2


def test_without_numbered_clauses_an_open_question_gets_no_third_sentence() -> None:
    text = SEVERAL
    for label in "一二三四":
        text = text.replace(f"第{label}条　", "")
    assert len(ask("车间人员应当遵守哪些规定？", text, most=2).sentences) <= 2


@pytest.mark.parametrize("question", ["车间人员应当遵守哪些规定？", "Please summarise the rules of the workshop."])
def test_who_wants_one_sentence_gets_one(question: str) -> None:
    assert allowed_units(analyse_question(question), 1) == 1
    assert allowed_units(analyse_question(question), 2) == 3


def test_the_same_rule_in_two_documents_is_quoted_once_and_cites_both() -> None:
    rule = "第六条　样品保存期为两年，自检测报告签发之日起计算。"
    extract = ask("样品保存期是多久？", rule, rule, titles=("样品管理办法", "样品管理暂行办法"), most=2)
    assert [len(sentence.quotes) for sentence in extract.sentences] == [2]


def test_the_document_that_the_question_names_is_preferred() -> None:
    texts = ("第六条　样品保存期为一年。", "第六条　样品保存期为两年。")
    extract = ask("《余样处置规定》中样品保存期是多久？", *texts, titles=("样品管理办法", "余样处置规定"))
    assert "两年" in extract.sentences[0].text


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("什么是样品？", "样品"),
        ("《样品管理办法》所称的样品是指什么？", "样品"),
        ("谁是送检单位？", "送检单位"),
        ("哪些单位属于送检单位？", "送检单位"),
        ("What is a sample store?", "sample store"),
        ("Who is considered a client?", "client"),
        ("样品保存几年？", ""),
        ("How long are samples kept?", ""),
    ],
)
def test_the_term_to_define_is_read_off_the_question(question: str, term: str) -> None:
    assert defined_term(question) == term


@pytest.mark.parametrize(
    ("question", "clear", "vague"),
    [
        ("什么是样品？", "本办法所称样品，是指送检的材料。", "样品是检测的基础。"),
        ("哪些馆属于民办馆？", "利用社会资金设立的馆为民办馆。", "民办馆应当登记。"),
        ("What is overtime?", "Overtime means hours beyond the agreed week.", "Overtime is paid monthly."),
    ],
)
def test_a_defining_verb_weighs_more_than_a_mention(question: str, clear: str, vague: str) -> None:
    assert definition_strength(question, clear) > definition_strength(question, vague)


@given(st.text(max_size=80), st.text(max_size=120))
def test_the_strength_of_a_definition_is_a_share(question: str, text: str) -> None:
    assert 0.0 <= definition_strength(question, text) <= 1.0
    assert 0.0 <= cue_share(question, text) <= 1.0


def test_a_title_raises_no_cue() -> None:
    assert cues_of("《样品管理办法》何时开始施行？") == cues_of("何时开始施行？")


@pytest.mark.parametrize(
    ("question", "other", "own"),
    [
        ("样品保存几年？", "违反本办法的，处以罚款。", "样品保存期为两年。"),
        ("申请人需要什么材料？", "为了规范申请，制定本办法。", "申请人应当提交申请书。"),
        ("How long are samples kept?", "Offenders are fined.", "Samples are kept for two years."),
    ],
)
def test_a_clause_of_another_kind_is_told_apart(question: str, other: str, own: str) -> None:
    assert serves_another_purpose(question, other)
    assert not serves_another_purpose(question, own)


def test_a_penalty_clause_answers_a_question_about_penalties() -> None:
    assert not serves_another_purpose("更换样品会受到什么处罚？", "违反本办法的，处以罚款。")
    assert not serves_another_purpose("What is the penalty?", "Offenders are fined.")


def test_vectors_help_to_choose_the_clause_for_an_open_question_only() -> None:
    sources = evidence("第一条　车间人员应当佩戴护目镜。\n第二条　仓库人员应当佩戴手套。\n第三条　罚款为30元。")

    def prefers(word: str) -> Callable[[Sequence[str]], list[float]]:
        return lambda texts: [0.95 if word in text else 0.75 for text in texts]

    for word in ("手套", "护目镜"):
        found = extract_answer(analyse_question("人员应当如何佩戴？"), sources, similarity=prefers(word))
        assert word in found.sentences[0].text
    asked = analyse_question("罚款是多少元？")
    assert extract_answer(asked, sources, similarity=prefers("手套")) == extract_answer(asked, sources)
