"""Questions about the library as a whole are answered document by document, each sentence with its citation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.documents import CONTRACT, POLICY, SECRET, lexical_settings, write
from veriloop import Caller, Library, add_files, build_agent
from veriloop.state import Answer

RULE = (
    "# 采购管理办法\n\n## 总则\n\n本办法适用于公司的全部采购。\n\n## 采购方式\n\n单项采购金额超过5万元的，应当招标。\n"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("overview")
    chosen = lexical_settings()
    chosen = chosen.model_copy(update={"parsing": chosen.parsing.model_copy(update={"processes": 0})})
    with Library.open(folder / "library", chosen) as opened:
        add_files(opened, [write(folder / "open", contract=CONTRACT, policy=POLICY, rule=RULE)])
        secret = SECRET + "\n采购部总经理的采购奖金应当保密。\n"
        add_files(opened, [write(folder / "boss", secret=secret)], readers=frozenset({"boss"}))
        yield opened


def _ask(library: Library, question: str, caller: Caller | None = None) -> Answer:
    return build_agent(library, caller=caller or Caller()).ask(question)


def test_what_is_in_the_library(library: Library) -> None:
    answer = _ask(library, "这个库里有哪些内容？")
    assert {citation.document for citation in answer.citations} == {"contract.md", "policy.md", "rule.md"}
    assert "《采购管理办法》：本办法适用于公司的全部采购。" in answer.text
    assert any("共有 3 份文档" in note for note in answer.notes)
    assert "薪酬" not in answer.text


def test_which_rules_there_are_in_english(library: Library) -> None:
    answer = _ask(library, "Which policies do we have?")
    assert {citation.document for citation in answer.citations} == {"policy.md", "rule.md"}


def test_all_that_is_said_about_one_matter(library: Library) -> None:
    answer = _ask(library, "关于采购我们一共有哪些规定？")
    assert "单项采购金额超过5万元的，应当招标" in answer.text
    assert "保密" not in answer.text and "policy.md" not in {citation.document for citation in answer.citations}
    seen = _ask(library, "关于采购我们一共有哪些规定？", Caller(readers=frozenset({"boss"})))
    assert "应当保密" in seen.text


def test_every_citation_holds_the_quote(library: Library) -> None:
    for question in ("本知识库涵盖哪些主题？", "关于采购我们一共有哪些规定？"):
        for citation in _ask(library, question).citations:
            found = library.block(citation.block_id)
            assert found is not None and found[0].text[citation.start : citation.end] == citation.quote
