"""Each miss has one cause: every cause really occurs in a small library, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs import Settings
from veriloop.evaluation.cases import RetrievalCase
from veriloop.evaluation.reports import Cause, Miss, RetrievalReport
from veriloop.evaluation.retrieval import RetrievalOptions, evaluate_retrieval
from veriloop.knowledge.text.normalise import normalise_match

REFUNDS = {
    "zh": "# 售后条例\n\n收到退回商品之日起九日内将货款返还给客户，不收取任何手续费。\n",
    "en": "# Refund rules\n\nRefunds are settled within nine days of receiving returned goods, free of charge.\n",
}
FOOD = {
    "zh": "# 食堂须知\n\n食堂每日十一点半开放午餐，周末休息。\n",
    "en": "# Canteen notice\n\nThe canteen serves lunch from half past eleven and is closed on weekends.\n",
}
REFUND_QUOTES = {"zh": "收到退回商品之日起九日内将货款返还给客户", "en": "Refunds are settled within nine days"}
REFUND_QUESTIONS = {"zh": "多少天退回货款给客户？", "en": "Within how many days are refunds settled?"}
languages = pytest.mark.parametrize("language", ["zh", "en"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "documents"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", lexical_settings()) as opened:
        yield opened


def _add(library: Library, folder: Path, **texts: str) -> None:
    assert not add_files(library, [write(folder, **texts)]).failed


def _case(question: str, quote: str, *documents: str, language: str = "") -> RetrievalCase:
    return RetrievalCase(id="1", question=question, evidence=(quote,), documents=documents, language=language)


def _report(library: Library, case: RetrievalCase, *depths: int) -> RetrievalReport:
    options = RetrievalOptions(depths=depths or (1, 5, 10))
    return evaluate_retrieval(library, [case], caller=Caller.owner(), options=options)


def _miss(library: Library, case: RetrievalCase, *depths: int) -> Miss:
    report = _report(library, case, *depths)
    (miss,) = report.misses
    assert {count.cause: count.misses for count in report.causes} == {c: int(c is miss.cause) for c in Cause}
    return miss


@languages
def test_a_question_whose_passage_comes_is_no_miss(library: Library, folder: Path, language: str) -> None:
    _add(library, folder, refunds=REFUNDS[language], food=FOOD[language])
    report = _report(library, _case(REFUND_QUESTIONS[language], REFUND_QUOTES[language], "refunds.md"))
    assert report.misses == ()
    assert {figure.mean for figure in report.groups[0].figures if figure.measure.startswith(("hit", "mrr"))} == {1.0}


@languages
def test_the_text_of_a_removed_document_is_not_parsed_for_want_of_the_document(
    library: Library, folder: Path, language: str
) -> None:
    _add(library, folder, refunds=REFUNDS[language], food=FOOD[language])
    case = _case(REFUND_QUESTIONS[language], REFUND_QUOTES[language], "refunds.md")
    (document,) = library.find_documents("refunds", Caller.owner())
    library.remove(document.doc_id)
    miss = _miss(library, case)
    assert miss.cause is Cause.NOT_PARSED
    assert miss.detail == "not in the library, or closed to this caller: refunds.md"
    assert miss.wanted is None


@languages
def test_a_document_that_the_caller_may_not_read_is_as_good_as_absent(
    library: Library, folder: Path, language: str
) -> None:
    add_files(library, [write(folder, refunds=REFUNDS[language])], readers=frozenset({"hr"}))
    case = _case(REFUND_QUESTIONS[language], REFUND_QUOTES[language], "refunds.md")
    closed = evaluate_retrieval(library, [case], caller=Caller(readers=frozenset({"sales"})))
    _add(library, folder / "other", food=FOOD[language])
    library.remove(library.find_documents("refunds", Caller.owner())[0].doc_id)
    absent = evaluate_retrieval(library, [case], caller=Caller(readers=frozenset({"sales"})))
    assert closed.misses[0].cause is Cause.NOT_PARSED
    assert closed.misses[0].wanted is None
    assert closed.misses[0].detail == absent.misses[0].detail


@languages
def test_a_text_that_stands_nowhere_in_its_document_is_not_parsed_and_shows_where_it_parts(
    library: Library, folder: Path, language: str
) -> None:
    _add(library, folder, refunds=REFUNDS[language])
    quote = REFUND_QUOTES[language].replace("九日", "十九日").replace("nine", "ninety")
    miss = _miss(library, _case(REFUND_QUESTIONS[language], quote, "refunds.md"))
    assert miss.cause is Cause.NOT_PARSED
    assert miss.detail.startswith("the text stands nowhere in refunds.md; ")
    assert {"zh": "收到退回商品之日起|十九日内", "en": "within" + "nine|tydays"}[language][:8] in miss.detail
    assert miss.wanted is not None and miss.wanted.document == "refunds.md"
    assert miss.ranks.final == 1


@languages
def test_a_text_that_has_nothing_in_common_with_its_document_names_no_passage(
    library: Library, folder: Path, language: str
) -> None:
    _add(library, folder, food=FOOD[language])
    miss = _miss(library, _case(REFUND_QUESTIONS[language], REFUND_QUOTES[language], "food.md"))
    assert (miss.cause, miss.detail) == (Cause.NOT_PARSED, "the text stands nowhere in food.md")
    assert miss.wanted is None and miss.term_share is None


@languages
def test_a_text_that_another_document_holds_is_not_parsed_and_the_hit_with_it_is_named(
    library: Library, folder: Path, language: str
) -> None:
    _add(library, folder, refunds=REFUNDS[language], food=FOOD[language])
    miss = _miss(library, _case(REFUND_QUESTIONS[language], REFUND_QUOTES[language], "food.md"))
    assert miss.cause is Cause.NOT_PARSED
    assert miss.detail == "the text stands nowhere in food.md; hit 1 holds it, in refunds.md"


def _long_paragraph(language: str) -> str:
    sentence = {
        "zh": "第{}号仓库的货架须由值班人员按月逐一清点。",
        "en": "Shelf number {} is counted by the keeper on duty. ",
    }
    return "# 仓库 warehouse\n\n" + "".join(sentence[language].format(number) for number in range(101, 221))


@languages
def test_a_text_over_the_border_of_two_blocks_is_split(library: Library, folder: Path, language: str) -> None:
    _add(library, folder, stock=_long_paragraph(language))
    (document,) = library.find_documents("stock", Caller.owner())
    first, second = library.blocks(document.doc_id, Caller.owner())[:2]
    quote = first.text.rstrip()[-20:] + second.text[:25]
    question = {"zh": "货架由谁清点？", "en": "Who counts the shelves?"}[language]
    miss = _miss(library, _case(question, quote, "stock.md"))
    assert miss.cause is Cause.SPLIT
    assert miss.detail.startswith("the text runs over 2 blocks")
    assert miss.wanted is not None and miss.wanted.block_id == first.block_id
    assert normalise_match(miss.wanted.snippet) in normalise_match(quote)


@languages
def test_the_text_of_a_document_outside_the_searched_ones_is_filtered_out(
    library: Library, folder: Path, language: str
) -> None:
    _add(library, folder, refunds=REFUNDS[language], food=FOOD[language])
    case = _case(REFUND_QUESTIONS[language], REFUND_QUOTES[language], "refunds.md")
    (food,) = library.find_documents("food", Caller.owner())
    options = RetrievalOptions(among=[food.doc_id])
    (miss,) = evaluate_retrieval(library, [case], caller=Caller.owner(), options=options).misses
    assert miss.cause is Cause.FILTERED_OUT
    assert miss.wanted is not None and miss.wanted.document == "refunds.md"


@languages
def test_a_filter_that_the_host_tells_of_is_a_cause_too(library: Library, folder: Path, language: str) -> None:
    _add(library, folder, refunds=REFUNDS[language], food=FOOD[language])
    case = _case(REFUND_QUESTIONS[language], REFUND_QUOTES[language], "refunds.md")
    (food,) = library.find_documents("food", Caller.owner())
    (miss,) = evaluate_retrieval(
        library,
        [case],
        caller=Caller.owner(),
        options=RetrievalOptions(among=[food.doc_id]),
        excluded=lambda document: document.name == "refunds.md",
    ).misses
    assert miss.cause is Cause.FILTERED_OUT


@pytest.mark.parametrize(
    ("title", "question", "quote"),
    [
        ("员工手册_{}版", "2023版员工手册规定的试用期是多久？", "新入职员工的试用期为两个月"),
        (
            "Staff Handbook {} edition",
            "How long is probation in the 2023 edition of the Staff Handbook?",
            "New staff are on probation for two months",
        ),
    ],
)
def test_a_filter_that_the_question_states_is_a_cause_with_its_words(
    library: Library, folder: Path, title: str, question: str, quote: str
) -> None:
    names = {year: title.format(year) for year in ("2023", "2025")}
    texts = {name: f"# {name}\n\n{quote} ({year}).\n" for year, name in names.items()}
    _add(library, folder, **texts, food=FOOD["zh"], notice=FOOD["en"])
    miss = _miss(library, _case(question, quote, f"{names['2025']}.md"))
    assert miss.cause is Cause.FILTERED_OUT
    assert miss.detail.startswith(f"a filter of the search left out {names['2025']}.md: ") and "2023" in miss.detail


@pytest.mark.parametrize(
    ("language", "question", "lacking"),
    [
        ("zh", "怎样申请报销车费？", {"申请", "报销", "车费"}),
        ("en", "How can I get my money back?", {"money", "back"}),
    ],
)
def test_a_question_in_other_words_is_a_vocabulary_gap(
    library: Library, folder: Path, language: str, question: str, lacking: set[str]
) -> None:
    travel = "# 乘机与乘坐火车的票据\n\n因公产生的交通支出凭票据找财务部门领取，每月二十日截止。\n"
    _add(library, folder, refunds=travel if language == "zh" else REFUNDS["en"], food=FOOD[language])
    quote = "因公产生的交通支出凭票据找财务部门领取" if language == "zh" else REFUND_QUOTES["en"]
    miss = _miss(library, _case(question, quote, "refunds.md"))
    assert miss.cause is Cause.VOCABULARY_GAP
    assert miss.wanted is not None and miss.wanted.document == "refunds.md"
    assert miss.term_share == 0
    assert lacking <= set(miss.lacking)
    assert miss.ranks.final is None and miss.ranks.lexical is None


def _rivals(language: str) -> dict[str, str]:
    """Short documents that say again and again what is asked for, each of another machine."""
    text = {
        "zh": "# {0}号设备质量保证期\n\n质量保证期：{0}号设备的质量保证期为{1}个月，质量保证期内免费。\n",
        "en": "# Machine {0}\n\nWarranty period: the warranty period of machine {0} lasts {1} months.\n",
    }
    return {f"rival{n}": text[language].format(n * 37, n + 3) for n in range(1, 14)}


def _notices(language: str) -> dict[str, str]:
    """Documents about other things, so that the words of the question tell documents apart."""
    text = {
        "zh": "# 通知{0}\n\n食堂第{0}次调整菜单，周末休息。\n",
        "en": "# Notice {0}\n\nThe canteen changes menu {0}.\n",
    }
    return {f"notice{n}": text[language].format(n) for n in range(1, 41)}


def _add_rivals(library: Library, folder: Path, language: str) -> None:
    _add(library, folder, terms=FAR_BEHIND[language], **_rivals(language), **_notices(language))


FAR_BEHIND = {
    "zh": "# 综合约定\n\n双方另行约定付款、运输、保险与争议解决的方式。本机组的质量保证期为七年半，自通电之日起算。\n",
    "en": "# General terms\n\nPayment, transport and insurance are agreed elsewhere. This unit has a warranty of seven "
    "and a half years, and that period begins on the day on which power is connected.\n",
}
FAR_QUOTES = {"zh": "本机组的质量保证期为七年半", "en": "This unit has a warranty of seven and a half years"}
FAR_QUESTIONS = {"zh": "质量保证期是多久？", "en": "How long is the warranty period?"}


@languages
def test_a_passage_behind_many_that_look_alike_is_ranked_too_low(library: Library, folder: Path, language: str) -> None:
    _add_rivals(library, folder, language)
    miss = _miss(library, _case(FAR_QUESTIONS[language], FAR_QUOTES[language], "terms.md"), 1)
    assert miss.cause is Cause.RANKED_TOO_LOW
    assert miss.ranks.final is not None and miss.ranks.final > 1
    assert miss.ranks.lexical is not None and miss.ranks.vector is None
    assert miss.detail == (f"rank {miss.ranks.final}, wanted within 1; rank {miss.ranks.lexical} in the lexical leg")
    assert miss.wanted is not None and normalise_match(miss.wanted.snippet).startswith(
        normalise_match(FAR_QUOTES[language])
    )
    assert miss.instead is not None and miss.instead.document.startswith("rival")


@languages
def test_a_passage_that_shares_the_words_but_is_no_candidate_is_ranked_too_low(
    tmp_path: Path, folder: Path, language: str
) -> None:
    settings: Settings = lexical_settings()
    settings = settings.model_copy(update={"search": settings.search.model_copy(update={"candidates": 5})})
    with Library.open(tmp_path / "library", settings) as library:
        _add_rivals(library, folder, language)
        question = {"zh": "质量保证期", "en": "warranty period"}[language]
        miss = _miss(library, _case(question, FAR_QUOTES[language], "terms.md"))
    assert miss.cause is Cause.RANKED_TOO_LOW
    assert miss.detail.startswith("behind all candidates")
    assert (miss.ranks.final, miss.ranks.in_document) == (None, 1)
    assert miss.term_share is not None and miss.term_share >= 0.45


@languages
def test_a_passage_that_gives_way_to_its_near_duplicate_is_ranked_too_low(
    library: Library, folder: Path, language: str
) -> None:
    _add(library, folder, a_copy=REFUNDS[language], original=REFUNDS[language], food=FOOD[language])
    found = library.search(REFUND_QUESTIONS[language], caller=Caller.owner()).hits[0].document.name
    other = ({"a_copy.md", "original.md"} - {found}).pop()
    miss = _miss(library, _case(REFUND_QUESTIONS[language], REFUND_QUOTES[language], other))
    assert miss.cause is Cause.RANKED_TOO_LOW
    assert (
        miss.detail
        == f"left out as a near-duplicate of hit 1, in {found}; rank {miss.ranks.lexical} in the lexical leg"
    )


@languages
def test_a_question_of_several_quotes_has_the_cause_of_the_one_that_got_furthest(
    library: Library, folder: Path, language: str
) -> None:
    _add_rivals(library, folder, language)
    case = _case(FAR_QUESTIONS[language], FAR_QUOTES[language], "terms.md", "gone.md")
    absent = "这一句话在哪份文件里都没有写过" if language == "zh" else "this sentence stands in no document at all"
    for evidence in ((absent, FAR_QUOTES[language]), (FAR_QUOTES[language], absent)):
        miss = _miss(library, case.model_copy(update={"evidence": evidence}), 1)
        assert (miss.cause, miss.quote) == (Cause.RANKED_TOO_LOW, FAR_QUOTES[language])


@languages
def test_without_documents_and_quotes_the_answer_is_looked_for_everywhere(
    library: Library, folder: Path, language: str
) -> None:
    _add(library, folder, refunds=REFUNDS[language], food=FOOD[language])
    answer = {"zh": "九日内", "en": "nine days"}[language]
    case = RetrievalCase(id="1", question=REFUND_QUESTIONS[language], answers=("never", answer))
    assert _report(library, case).misses == ()
    lost = _miss(library, case.model_copy(update={"answers": ("never",)}))
    assert (lost.cause, lost.detail) == (Cause.NOT_PARSED, "the text stands nowhere in any document")


@languages
def test_a_document_without_a_quote_is_missed_as_a_whole(library: Library, folder: Path, language: str) -> None:
    _add_rivals(library, folder, language)
    case = RetrievalCase(id="1", question=FAR_QUESTIONS[language], documents=("terms.md",))
    miss = _miss(library, case, 1)
    assert miss.cause is Cause.RANKED_TOO_LOW
    assert miss.wanted is not None and miss.wanted.document == "terms.md"
