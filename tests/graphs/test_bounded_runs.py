"""The host bounds every search of a run to domains or a day; neither question nor model widens that."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tries
from hypothesis import strategies as st
from support.documents import lexical_settings, write
from support.shell import run_command
from veriloop import Caller, Library, add_files, build_agent
from veriloop.context import DEFAULT_LIBRARY
from veriloop.graphs.replaying import replay
from veriloop.knowledge.description import Description
from veriloop.knowledge.query.models import SearchFilter
from veriloop.tools.search_documents import SearchArguments, make_search_documents

OWNER = Caller.owner()
HR = "# 人事规定\n\n审批时限为2个工作日。\n\nThe approval deadline is two days."
IT = "# 信息规定\n\n审批时限为5个工作日。\n\nThe approval deadline is five days."
LAB = "# 实验室规定\n\n审批时限为9个工作日。\n\nThe approval deadline is nine days."
ZH, EN = "审批时限是几个工作日？", "How many days is the approval deadline?"
SAID = {("HR", ZH): "2个工作日", ("IT", ZH): "5个工作日", ("HR", EN): "two days", ("IT", EN): "five days"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("bounded")
    with Library.open(folder / DEFAULT_LIBRARY, lexical_settings()) as opened:
        for domain, text in {"HR": HR, "IT": IT, "LAB": LAB}.items():
            add_files(opened, [write(folder / domain, **{domain: text})], described=Description(domain=domain))
        old = "---\neffective_from: {0}\n---\n# 车辆规定\n\n用车由{1}批准。"
        for day, who in (("2020-01-01", "队长"), ("2024-01-01", "处长")):
            add_files(opened, [write(folder / "HR", 车辆=old.format(day, who))], described=Description(domain="HR"))
        yield opened


def bound(*domains: str, day: date | None = None) -> SearchFilter:
    return SearchFilter(domains=frozenset(domains), in_force_on=day)


@pytest.mark.parametrize(("domain", "question"), SAID)
def test_an_answer_comes_from_the_domain_that_was_asked_for(library: Library, domain: str, question: str) -> None:
    answer = build_agent(library, caller=OWNER, filters=bound(domain.lower())).ask(question)
    assert SAID[domain, question] in answer.text
    assert {citation.document for citation in answer.citations} == {f"{domain}.md"}
    assert not answer.conflicts


@pytest.mark.parametrize("routes", [("linear",), ("two_step",), ("loop",)])
def test_a_question_that_names_another_domain_finds_nothing_there(library: Library, routes: tuple[str, ...]) -> None:
    answer = build_agent(library, caller=OWNER, filters=bound("HR"), routes=routes).ask("LAB类文件中审批时限是几日？")
    assert "9" not in answer.text and {citation.document for citation in answer.citations} <= {"HR.md"}


def test_what_was_in_force_on_a_day_is_asked_for_whatever_the_question_says(library: Library) -> None:
    for day, who in ((date(2021, 5, 1), "队长"), (date(2024, 5, 1), "处长")):
        agent = build_agent(library, caller=OWNER, filters=bound(day=day))
        assert who in agent.ask("用车由谁批准？").text
        assert who in agent.ask("现行的车辆规定中，用车由谁批准？").text


NAMES = st.lists(st.sampled_from(["HR", "IT", "LAB", "all", "hr", "x", "信息规定", "LAB.md"]), max_size=3)


@given(NAMES, NAMES, st.sampled_from([None, "2021-01-01", "today"]), st.sampled_from([ZH, EN, "IT类文件的审批时限"]))
@tries(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_arguments_of_a_tool_reach_beyond_the_bounds(
    library: Library, domains: list[str], documents: list[str], day: str | None, query: str
) -> None:
    tool = make_search_documents(library, OWNER, bound("HR", day=date(2021, 1, 1)))
    arguments = SearchArguments.model_validate(
        {"query": query, "domains": domains, "documents": documents, "in_force_on": day}
    )
    found = tool.run(arguments).hits
    assert {hit.document.domain for hit in found} <= {"HR"}
    assert not any("处长" in hit.text for hit in found)


def test_a_run_is_recorded_with_its_bounds_and_repeated_within_them(library: Library) -> None:
    chosen = bound("IT", day=date(2024, 5, 1))
    answer = build_agent(library, caller=OWNER, filters=chosen).ask(ZH)
    trace = library.trace(answer.trace_id, OWNER)
    assert trace is not None and trace.filters == chosen
    assert replay(library, trace).differences == ()
    other = build_agent(library, caller=OWNER).ask("用车由谁批准？")
    unbounded = library.trace(other.trace_id, OWNER)
    assert unbounded is not None and unbounded.filters is None


def test_ask_takes_domains_and_a_day(
    library: Library, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")

    def ask(question: str, *options: str) -> str:
        return run_command(capsys, monkeypatch, "ask", question, *options, "--library", str(library.folder)).out

    assert "2个工作日" in ask(ZH, "--domain", "HR") and "5个工作日" in ask(ZH, "--domain", "IT")
    assert {"2个", "5个"} <= {part for part in ("2个", "5个", "9个") if part in ask(ZH, "--domain", "HR,IT")}
    assert "队长" in ask("用车由谁批准？", "--in-force-on", "2021-05-01")
    refused = run_command(capsys, monkeypatch, "ask", ZH, "--in-force-on", "soon", "--library", str(library.folder))
    assert refused.code == 2 and "--in-force-on" in refused.err
