"""Business areas are searched apart: texts do not mix unless that is asked for, and nobody learns of hidden ones."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs.domain_settings import DomainSettings
from veriloop.configs.settings import ParsingSettings
from veriloop.knowledge.description import Description
from veriloop.knowledge.domain_choice import CLEARLY, route
from veriloop.knowledge.query.models import SearchFilter
from veriloop.knowledge.search import DomainChoice, SearchResult

OWNER = Caller.owner()
HR = "# 人事管理办法\n\n员工请假应当在3日之前提交审批表，由部门负责人审批。\n\n审批时限为2个工作日。"
IT = "# 信息系统管理办法\n\n系统权限的开通应当提交审批表，由信息中心审批。\n\n审批时限为5个工作日。服务器每月巡检一次。"
LAB = "# 实验室管理办法\n\n试剂的领用应当提交审批表。\n\n审批时限为9个工作日。"


def add(
    library: Library, folder: Path, domain: str | None, readers: frozenset[str] | None = None, **texts: str
) -> None:
    add_files(library, [write(folder, **texts)], described=Description(domain=domain), readers=readers)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    settings = lexical_settings()
    domains = {"IT": DomainSettings(words=("信息中心",)), "HR": DomainSettings(keep=1)}
    with Library.open(tmp_path / "library", settings.model_copy(update={"domains": domains})) as opened:
        add(opened, tmp_path / "hr", "HR", 人事=HR)
        add(opened, tmp_path / "it", "IT", 信息=IT)
        add(opened, tmp_path / "lab", "LAB", frozenset({"chemists"}), 实验室=LAB)
        yield opened


def domains(result: SearchResult) -> list[str | None]:
    return [hit.document.domain for hit in result.hits]


def test_a_question_that_one_domain_clearly_answers_better_is_answered_from_it_alone(library: Library) -> None:
    found = library.search("员工请假应当提前几日提交审批表？", caller=OWNER)
    assert set(domains(found)) == {"HR"}
    assert found.domains is not None and found.domains.used == ("HR",)


def test_hits_of_domains_that_are_nearly_as_good_stand_one_domain_after_the_other(library: Library) -> None:
    found = domains(library.search("审批时限是几个工作日？", caller=OWNER))
    assert len(set(found)) > 1
    assert len([1 for last, this in pairwise(found) if last != this]) == len(set(found)) - 1


def test_a_domain_named_by_a_filter_by_its_words_or_by_the_question_is_searched_alone(library: Library) -> None:
    by_filter = library.search("审批时限", caller=OWNER, filters=SearchFilter(domains=frozenset({"it"})))
    by_words = library.search("信息中心的审批时限是几个工作日？", caller=OWNER)
    by_question = library.search("HR类文件中审批时限是几个工作日？", caller=OWNER)
    assert [set(domains(found)) for found in (by_filter, by_words, by_question)] == [{"IT"}, {"IT"}, {"HR"}]


def test_several_domains_or_all_of_them_can_be_asked_for(library: Library) -> None:
    several = library.search("审批时限", caller=OWNER, filters=SearchFilter(domains=frozenset({"HR", "LAB"})))
    everything = library.search("请假的审批时限", caller=OWNER, filters=SearchFilter(domains=frozenset({"all"})))
    assert set(domains(several)) == {"HR", "LAB"}
    assert set(domains(everything)) == {"HR", "IT", "LAB"}


@pytest.mark.parametrize("day", [None, date(2020, 1, 1)])
def test_several_domains_together_give_no_more_hits_than_were_asked_for(library: Library, day: date | None) -> None:
    for named in ({"all"}, {"HR", "IT"}):
        for k in (1, 2, 3, 4):
            chosen = SearchFilter(domains=frozenset(named), in_force_on=day)
            found = library.search("审批表由谁审批，审批时限是几个工作日？", k=k, caller=OWNER, filters=chosen)
            assert found.domains is not None and 0 < len(found.hits) <= k
            assert set(domains(found)) == set(found.domains.used)
            shown = len(found.domains.used)
            assert shown == min(k, shown + len(found.domains.others)), "each domain has a hit as long as there is room"


def test_an_other_domain_is_worth_a_remark_only_where_it_is_nearly_as_good(library: Library) -> None:
    clear = library.search("员工请假应当提前几日提交审批表？", caller=OWNER).domains
    assert clear is not None and clear.others and not clear.doubt("en")
    crowded = library.search("审批时限是几个工作日？", caller=OWNER, k=1).domains
    assert crowded is not None and crowded.close
    assert all(name in crowded.doubt("zh") for name in (*crowded.used, *crowded.close))


def test_a_domain_that_the_caller_may_not_read_is_not_named_and_changes_nothing(
    library: Library, tmp_path: Path
) -> None:
    with Library.open(tmp_path / "without", library.settings) as without:
        add(without, tmp_path / "hr", "HR", 人事=HR)
        add(without, tmp_path / "it", "IT", 信息=IT)
        for query in ("审批时限是几个工作日？", "试剂的领用", "LAB类文件的审批时限"):
            for filters in (None, SearchFilter(domains=frozenset({"LAB"})), SearchFilter(domains=frozenset({"all"}))):
                here, there = (one.search(query, filters=filters) for one in (library, without))
                assert domains(here) == domains(there)
                assert (here.notes, here.domains) == (there.notes, there.domains)
                assert [hit.score for hit in here.hits] == [hit.score for hit in there.hits]


def test_domains_are_kept_apart_on_a_day_too(library: Library, tmp_path: Path) -> None:
    for day in (date.today(), date(2020, 5, 1)):
        on = SearchFilter(in_force_on=day)
        found = library.search("员工请假应当提前几日提交审批表？", caller=OWNER, filters=on)
        assert set(domains(found)) == {"HR"}
        assert found.domains is not None and found.domains.used == ("HR",)
        both = on.model_copy(update={"domains": frozenset({"all"})})
        assert set(domains(library.search("审批时限", caller=OWNER, filters=both))) == {"HR", "IT", "LAB"}
        hidden = library.search("试剂的领用", filters=on)
        assert hidden.domains is None or "LAB" not in (*hidden.domains.used, *hidden.domains.others)
        # The second day is one on which another version was in force.
        add(library, tmp_path / "hr", "HR", 人事=f"---\neffective_from: 2024-01-01\n---\n{HR.replace('3日', '4日')}")
    assert "在3日之前" in found.hits[0].text


def test_a_library_of_many_domains_is_searched_with_few_open_files(tmp_path: Path) -> None:
    settings = lexical_settings(parsing=ParsingSettings(processes=0))
    folder = tmp_path / "documents"
    write(
        folder, **{f"n{n}": f"---\ndomain: D{n}\n---\n# 办法{n}\n\n第{n}号仪器的检定周期为{n}日。" for n in range(40)}
    )
    with Library.open(tmp_path / "library", settings) as many:
        add_files(many, [folder])
        assert many.search("第37号仪器的检定周期", caller=OWNER).hits[0].document.domain == "D37"
        assert many.search("完全没有的词语", caller=OWNER).domains is None
        everything = many.search("检定周期", k=40, caller=OWNER, filters=SearchFilter(domains=frozenset({"all"})))
        assert everything.domains is not None and len(everything.domains.used) == 40
        opened = [link for link in Path("/proc/self/fd").glob("*") if str(tmp_path) in _target(link)]
        assert len(opened) < 40 * 4


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


def test_an_explanation_covers_the_hits_of_every_domain_and_says_why_they_are_shown(library: Library) -> None:
    chosen = {
        "员工请假应当提前几日提交审批表？": DomainChoice.CLEARLY_BEST,
        "信息中心的审批时限是几个工作日？": DomainChoice.BY_WORDS,
        "审批时限是几个工作日？": DomainChoice.NEARLY_EQUAL,
        "HR类文件中审批时限是几个工作日？": DomainChoice.NAMED,
    }
    for query, why in chosen.items():
        result = library.search(query, caller=OWNER, explain=True)
        told = result.explanation
        assert told is not None and result.domains is not None and told.domains_chosen is why
        assert [one.block_id for one in told.hits] == [hit.block.block_id for hit in result.hits]
        assert set(told.domains) == {*result.domains.used, *result.domains.others}
        assert max(told.domains, key=lambda name: told.domains[name]) == result.domains.used[0]


def test_each_domain_keeps_as_many_hits_as_its_settings_say(library: Library, tmp_path: Path) -> None:
    add(library, tmp_path / "more", "HR", 奖惩="# 奖惩办法\n\n员工请假未经审批的，按旷工处理。")
    hr = SearchFilter(domains=frozenset({"HR"}))
    assert len(library.search("员工请假审批", caller=OWNER, filters=hr).hits) == 1
    assert len(library.search("员工请假审批", caller=OWNER, filters=hr, k=5).hits) == 2


def test_what_is_added_to_a_domain_or_leaves_it_is_seen_by_the_next_search(library: Library, tmp_path: Path) -> None:
    it = SearchFilter(domains=frozenset({"IT"}))
    assert not library.search("机房门禁卡", caller=OWNER, filters=it).hits
    add(library, tmp_path / "new", "IT", 机房="# 机房规定\n\n机房门禁卡由值班员保管。")
    assert domains(library.search("机房门禁卡", caller=OWNER, filters=it)) == ["IT"]
    add(library, tmp_path / "new", "HR", 机房="# 机房规定\n\n机房门禁卡由值班员保管。")
    assert not library.search("机房门禁卡", caller=OWNER, filters=it).hits


def test_a_word_is_weighed_by_how_rare_it_is_in_its_domain_alone(library: Library, tmp_path: Path) -> None:
    it = SearchFilter(domains=frozenset({"IT"}))
    before = library.search("服务器巡检", caller=OWNER, filters=it).hits[0].score
    add(
        library,
        tmp_path / "noise",
        "HR",
        None,
        **{f"巡检{n}": f"# 记录{n}\n\n服务器巡检由员工{n}负责。" for n in range(12)},
    )
    assert library.search("服务器巡检", caller=OWNER, filters=it).hits[0].score == before


def test_a_library_of_one_domain_says_nothing_of_domains(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        add(library, tmp_path / "in", None, a=HR, b=IT)
        found = library.search("审批时限是几个工作日？", caller=OWNER)
    assert len(found.hits) == 2
    assert not found.notes and found.domains is None


shares = st.dictionaries(st.sampled_from(["", "HR", "IT", "LAB", "QA"]), st.floats(0, 1))


@given(shares)
def test_the_best_domain_is_always_used_and_every_domain_with_hits_is_told_of_once(held: dict[str, float]) -> None:
    chosen = route(held)
    assert sorted((*chosen.used, *chosen.others)) == sorted(held)
    if held:
        assert held[chosen.used[0]] == max(held.values())
        assert all(held[chosen.used[0]] - held[name] < CLEARLY for name in chosen.used)


def test_domains_are_told_in_either_language() -> None:
    chosen = route({"HR": 0.9, "": 0.2})
    assert chosen.describe("zh") == "取自领域：HR；其他领域也有结果：（未分领域）"
    assert chosen.describe("en") == "from the domain: HR; others had hits, too: (no domain)"
