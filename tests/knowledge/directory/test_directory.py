"""What a reader is shown of a library: whole, narrowed by a question, within its tokens and the caller's rights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.documents import CONTRACT, POLICY, SECRET, lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.knowledge.description import Description
from veriloop.knowledge.directory import open_document, view_directory
from veriloop.knowledge.query.models import SearchFilter
from veriloop.models.tokens import estimate_tokens

PUBLIC = Caller()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Two open documents, 30 short rules in a domain of their own, and one for the boss alone."""
    folder = tmp_path_factory.mktemp("directory")
    chosen = lexical_settings()
    chosen = chosen.model_copy(update={"parsing": chosen.parsing.model_copy(update={"processes": 0})})
    with Library.open(folder / "library", chosen) as opened:
        add_files(opened, [write(folder / "open", contract=CONTRACT, policy=POLICY)])
        rules = {
            f"rule{n:02}": f"# 操作规程{n:02}\n\n## 开机\n\n第{n}号机组的预热时间为{n + 10}分钟。\n" for n in range(30)
        }
        add_files(opened, [write(folder / "rules", **rules)], described=Description(domain="设备"))
        add_files(opened, [write(folder / "boss", secret=SECRET)], readers=frozenset({"boss"}))
        yield opened


def test_a_small_library_is_shown_whole_with_a_digest_of_every_block(library: Library) -> None:
    contract = library.find_documents("contract.md", PUBLIC)[0]
    view = view_directory(library, PUBLIC, tokens=2_000, among=[contract.doc_id])
    assert view.is_whole
    assert {entry.block.block_id for entry in view.entries} == {b.block_id for b in library.blocks(contract.doc_id)}
    assert [line.level for line in view.lines][:3] == ["library", "document", "section"]
    assert "第三条 乙方逾期交货的" in view.text and "24个月" in view.text


def test_a_large_one_is_narrowed_to_what_a_question_is_about(library: Library) -> None:
    view = view_directory(library, PUBLIC, question="质量保证期是多久？", tokens=500)
    assert not view.is_whole and view.tokens <= 500
    assert view.entries[0].document.name == "contract.md" and "24个月" in view.text
    assert view.lines[0].documents == 32  # the counts are of everything that the caller may read
    assert {line.label: line.documents for line in view.lines if line.level == "domain" and line.label == "设备"} == {
        "设备": 30
    }


def test_blocks_are_numbered_by_promise_and_stand_in_reading_order(library: Library) -> None:
    view = view_directory(library, PUBLIC, question="机组的预热时间", tokens=900)
    shown = [line for line in view.lines if line.level == "block"]
    assert shown and all(line.summary in view.text for line in shown)
    assert {line.block_id for line in shown} == {entry.block.block_id for entry in view.entries}
    names = [entry.document.name for entry in sorted(view.entries, key=lambda one: one.document.name)]
    in_text = [line.doc_id for line in view.lines if line.level == "document" and line.doc_id]
    order = {entry.document.doc_id: entry.document.name for entry in view.entries}
    assert [order[one] for one in in_text if one in order] == sorted(set(names))
    assert all(f"[{number}] " in view.text for number in range(1, len(view.entries) + 1))


def test_without_a_question_documents_are_named_and_the_rest_counted(library: Library) -> None:
    view = view_directory(library, PUBLIC, tokens=200)
    named = [line for line in view.lines if line.level == "document" and line.doc_id]
    rest = next(line for line in view.lines if line.level == "document" and not line.doc_id)
    assert named and len(named) + rest.documents == 32
    assert {"设备采购", "操作规程"} <= {line.label[:4] for line in named}  # of every domain in turn


def test_nothing_of_a_document_for_others_shows(library: Library) -> None:
    for question in ("", "总经理的年薪是多少？金丝雀"):
        view = view_directory(library, PUBLIC, question=question, tokens=5_000)
        assert "薪酬" not in view.text and "300万" not in view.text and view.lines[0].documents == 32
    seen = view_directory(library, Caller(readers=frozenset({"boss"})), question="总经理的年薪", tokens=5_000)
    assert "300万元" in seen.text and seen.lines[0].documents == 33


def test_bounds_hold_for_every_level(library: Library) -> None:
    view = view_directory(
        library, PUBLIC, question="验收", tokens=3_000, within=SearchFilter(domains=frozenset({"设备"}))
    )
    assert view.lines[0].documents == 30 and "合同" not in view.text
    secret = library.find_documents("secret.md", Caller.owner())[0].doc_id
    assert view_directory(library, PUBLIC, tokens=500, among=[secret]).entries == ()


def test_a_document_or_a_section_of_it_can_be_opened(library: Library) -> None:
    contract = library.find_documents("contract.md", PUBLIC)[0]
    whole = open_document(library, PUBLIC, contract.doc_id, tokens=1_000)
    assert whole.is_whole and len(whole.entries) == len(library.blocks(contract.doc_id))
    path = whole.entries[-1].block.section_path
    part = open_document(library, PUBLIC, contract.doc_id, section=path, tokens=1_000)
    assert {entry.block.section_path for entry in part.entries} == {path}
    secret = library.find_documents("secret.md", Caller.owner())[0]
    assert open_document(library, PUBLIC, secret.doc_id, tokens=1_000).lines == ()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(60, 3_000), st.sampled_from(["", "质量保证期", "预热时间", "hotel per night", "？？"]))
def test_the_text_never_takes_more_than_its_tokens(library: Library, tokens: int, question: str) -> None:
    view = view_directory(library, PUBLIC, question=question, tokens=tokens)
    assert view.tokens == estimate_tokens(view.text) <= tokens
    assert view.lines[0].level == "library"


def test_an_empty_library_has_an_empty_directory(tmp_path: Path) -> None:
    with Library.open(tmp_path, lexical_settings()) as empty:
        view = view_directory(empty, Caller.owner(), question="x", tokens=200)
    assert view.is_whole and view.entries == () and view.lines[0].documents == 0
