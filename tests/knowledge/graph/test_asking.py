# ruff: noqa: E501 - texts and cases are read in one piece
"""What the graph of a library says, to whom, and what it costs where there is very much of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.documents import write
from support.graph_documents import SECRET, graph_library, open_graph_library
from veriloop import Caller, Library, add_files
from veriloop.knowledge.graph.asking import MOST_OF_ONE, GraphAnswer, GraphQuestion
from veriloop.knowledge.graph.by_rules import MADE_BY
from veriloop.knowledge.graph.models import Entity, Relation
from veriloop.knowledge.graph.names import entity_key
from veriloop.knowledge.store.relation_protocol import BlockRelations

OWNER = Caller.owner()
ANYBODY = Caller()
BOSS = Caller(readers=frozenset({"boss"}))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with graph_library(tmp_path_factory.mktemp("graph")) as opened:
        yield opened


def ask(library: Library, *question: str, hops: int = 1, caller: Caller = ANYBODY) -> GraphAnswer:
    entity, relation, other = (*question, "", "", "")[:3]
    return library.graph.ask(GraphQuestion(entity, relation, other, hops), caller)


@pytest.mark.parametrize(
    ("entity", "relation", "ends"),
    [
        ("晨曦制造有限公司", "供应商", ("启明仪器有限公司",)),
        ("设备采购合同", "乙方", ("启明仪器有限公司",)),
        ("《设备采购合同》", "甲方", ("晨曦制造有限公司",)),
        ("Northwind Traders Ltd", "supplier", ("Brightline Instruments Ltd",)),
        ("Master Supply Agreement", "buyer", ("Northwind Traders Ltd",)),
        ("仪器管理办法", "取代", ("仪器管理暂行办法",)),
        ("Inspection Policy", "replaces", ("Incoming Goods Policy",)),
        ("HK-35", "量程", ("350 mm",)),
        ("设备采购合同", "编号", ("QX-CG-2031-08",)),
        ("QX-CG-2031-08", "编号", ("设备采购合同",)),
        ("Brightline Instruments Ltd", "founded", ("1998",)),
    ],
)
def test_a_relation_of_an_entity_leads_to_what_it_names(
    library: Library, entity: str, relation: str, ends: tuple[str, ...]
) -> None:
    answer = ask(library, entity, relation)
    assert answer.ends == ends
    step = answer.ways[0].steps[0]
    assert step.block.text[step.relation.start : step.relation.end].strip()


def test_who_refers_to_a_clause_is_found_in_its_document_and_in_others(library: Library) -> None:
    inside = {
        (w.steps[0].document.name, w.steps[0].relation.subject.name)
        for w in ask(library, "设备采购合同第二条", "引用").ways
    }
    assert inside == {
        ("purchase.md", "第三条"), ("purchase.md", "第四条"), ("rules.md", "第三条"),
    }  # fmt: skip
    english = ask(library, "Section 1 of the Master Supply Agreement", "refers to")
    assert {way.steps[0].document.name for way in english.ways} >= {"master.md"}


def test_a_reference_to_a_clause_that_the_document_does_not_have_is_no_way(tmp_path: Path) -> None:
    with open_graph_library(tmp_path) as library:
        add_files(
            library, [write(tmp_path / "d", a="# 办法\n\n第一条 按照第九十九条办理。\n\n第二条 按照第一条办理。\n")]
        )
        targets = [way.steps[0].relation.object.name for way in ask(library, "办法第一条", "引用").ways]
        assert targets == ["第一条"]
        assert not ask(library, "办法第九十九条", "引用").ways


def test_two_entities_are_connected_over_one_that_both_speak_of(library: Library) -> None:
    answer = ask(library, "晨曦制造有限公司", "", "HK-35", hops=2)
    assert answer.ways
    assert {step.document.name for step in answer.ways[0].steps} == {"purchase.md"}
    direct = ask(library, "晨曦制造有限公司", "", "启明仪器有限公司")
    assert direct.ways[0].steps[0].relation.predicate == "supplier"


def test_a_second_hop_goes_on_from_what_the_first_one_reached(library: Library) -> None:
    reached = {end for way in ask(library, "晨曦制造有限公司", hops=2).ways if len(way.steps) == 2 for end in
               (way.steps[1].relation.subject.name, way.steps[1].relation.object.name)}  # fmt: skip
    assert "2001年5月" in reached


def test_other_names_of_an_entity_are_one_with_it(library: Library) -> None:
    answer = ask(library, "晨曦制造有限公司")
    assert {"晨曦制造有限公司", "甲方"} <= set(answer.names)


def test_an_unknown_entity_is_said_to_be_unknown(library: Library) -> None:
    answer = ask(library, "不存在的公司")
    assert (answer.known, answer.ways, answer.ends) == (False, (), ())


def test_contradicting_statements_are_shown_with_their_places_to_those_who_may_read_both(library: Library) -> None:
    both = ask(library, "启明仪器有限公司", caller=BOSS).conflicts
    assert [{step.document.name for step in one.relations} for one in both] == [{"dated.md", "secret.md"}]
    assert ask(library, "启明仪器有限公司").conflicts == ()


def test_a_hidden_document_is_in_no_way_count_name_or_conflict(library: Library, tmp_path: Path) -> None:
    with open_graph_library(tmp_path) as without:
        open_ones = library.folder.parent / "open"
        add_files(without, [open_ones])
        for question in (
            ("启明仪器有限公司",), ("晨曦制造有限公司",), ("金丝雀有限公司",), ("金丝雀协议",), ("仪器管理办法", "被取代"),
            ("设备采购合同第二条", "引用"), ("晨曦制造有限公司", "", "金丝雀有限公司"), ("secret.md",),
        ):  # fmt: skip
            for hops in (1, 2):
                shown = [_plain(ask(one, *question, hops=hops)) for one in (library, without)]
                assert shown[0] == shown[1]
        assert library.graph.counts(ANYBODY) == without.graph.counts(ANYBODY)
        assert library.graph.counts(BOSS).relations > without.graph.counts(BOSS).relations
    assert ask(library, "仪器管理办法", "被取代", caller=BOSS).ways


def _plain(answer: GraphAnswer) -> object:
    ways = [[(step.relation, step.document.name) for step in way.steps] for way in answer.ways]
    # The ids of documents are drawn from where their files are: the same ones here.
    return answer.known, ways, answer.ends, answer.names, len(answer.conflicts)


def test_relations_go_and_come_with_the_text_of_their_block(tmp_path: Path) -> None:
    with open_graph_library(tmp_path) as library:
        folder = write(
            tmp_path / "d",
            a="# 名录\n\n启明仪器有限公司成立于2001年5月。\n",
            b="# 办法\n\n第一条 见第二条。\n\n第二条 无。\n",
        )
        add_files(library, [folder])
        assert ask(library, "启明仪器有限公司", "成立于").ends == ("2001年5月",)
        write(folder, a="# 名录\n\n启明仪器有限公司成立于2002年6月。\n")
        add_files(library, [folder])
        assert ask(library, "启明仪器有限公司", "成立于").ends == ("2002年6月",)
        library.remove(library.find_documents("a.md", OWNER)[0].doc_id)
        assert not ask(library, "启明仪器有限公司", caller=OWNER).known
        stored = library._store._query(
            "SELECT count(*) FROM relations WHERE subject LIKE '%启明%' OR object LIKE '%启明%'"
        )
        assert stored[0][0] == 0
        assert ask(library, "办法第二条", "引用").ways


def test_readers_that_change_open_and_close_the_relations_at_once(tmp_path: Path) -> None:
    with open_graph_library(tmp_path) as library:
        add_files(library, [write(tmp_path / "d", secret=SECRET)])
        assert ask(library, "金丝雀协议").known
        doc_id = library.find_documents("secret.md", OWNER)[0].doc_id
        library.set_readers(doc_id, frozenset({"boss"}))
        assert not ask(library, "金丝雀协议").known
        assert not library.graph.is_built(ANYBODY)
        assert library.graph.is_built(BOSS)


def test_an_entity_of_very_many_relations_is_read_in_bounds(tmp_path: Path) -> None:
    with open_graph_library(tmp_path) as library:
        add_files(library, [write(tmp_path / "d", a="# 甲\n\n枢纽有限公司成立于2001年5月。\n")])
        block = library.blocks(library.find_documents("a.md", OWNER)[0].doc_id, OWNER)[0]
        hub = Entity("枢纽有限公司", "organisation", entity_key("枢纽有限公司"))
        many = tuple(
            Relation(hub, "supplier", Entity(f"商{number}", "organisation", f"商{number}"), 0, 3)
            for number in range(20_000)
        )
        library.graph.put("model:test", [BlockRelations(block.block_id, many)])
        answer = ask(library, "枢纽有限公司", hops=2)
        assert 0 < len(answer.ways) <= MOST_OF_ONE
        assert ask(library, "枢纽有限公司", "", "商19999").ways
        assert ask(library, "商7", hops=2).ways
        assert library.graph.counts(OWNER).makers["model:test"] == 20_000


def test_names_that_look_like_statements_markup_or_orders_are_only_names(tmp_path: Path) -> None:
    rows = "| 型号 | 供应商 |\n| --- | --- |\n| X'); DROP TABLE relations;-- | <script>alert(1)</script> |\n| Y%_\" OR 1=1 | \u202e乙\x07司 |\n"
    with open_graph_library(tmp_path) as library:
        add_files(library, [write(tmp_path / "d", a=f"# 表\n\n{rows}\n")])
        assert ask(library, "X'); DROP TABLE relations;--", "供应商").ends == ("alert(1)",)
        assert ask(library, "' OR 2=2 --").known is False
        assert ask(library, "%").known is False
        assert ask(library, "\x00\ud800").known is False
        assert library.graph.counts(OWNER).relations


def test_clauses_that_refer_to_one_another_in_a_circle_end(tmp_path: Path) -> None:
    with open_graph_library(tmp_path) as library:
        add_files(library, [write(tmp_path / "d", a="# 办法\n\n第一条 见第二条。\n\n第二条 见第一条、第二条。\n")])
        assert ask(library, "办法第一条", hops=2).ways
        assert ask(library, "办法第一条", "", "办法第二条", hops=2).ways


def test_a_build_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    with open_graph_library(tmp_path, enabled=False) as library:
        texts = {
            f"d{n}": f"# 文件{n}\n\n" + "\n\n".join(f"第{i}条 见第1条。" * 12 for i in range(1, 12)) for n in range(10)
        }
        add_files(library, [write(tmp_path / "d", **texts)])
        total = library.graph.progress().total
        assert total > 8
        first = library.graph.to_read(MADE_BY, 3)
        library.graph.put(MADE_BY, [BlockRelations(one.block.block_id, ()) for one in first])

    class StoppedError(Exception):
        pass

    def stop(_progress: object) -> None:
        raise StoppedError

    with open_graph_library(tmp_path, enabled=False) as library:
        assert library.graph.progress().done == 3
        with pytest.raises(StoppedError):
            library.graph.build_by_rules(stop)
    with open_graph_library(tmp_path, enabled=False) as library:
        assert library.graph.progress().done > 3
        library.graph.build_by_rules()
        assert library.graph.progress().done == total
        assert library.graph.to_read(MADE_BY, 3) == []
        before = library.graph.counts(OWNER)
        library.graph.build_by_rules()
        assert library.graph.counts(OWNER) == before


def test_adding_builds_the_graph_only_where_it_is_enabled(tmp_path: Path) -> None:
    for enabled in (False, True):
        with open_graph_library(tmp_path / str(enabled), enabled=enabled) as library:
            add_files(library, [write(tmp_path / "d", a="# 甲\n\n启明仪器有限公司成立于2001年5月。\n")])
            assert library.graph.is_built(OWNER) is enabled


def test_a_part_of_a_name_is_taken_for_the_only_entity_that_holds_it(library: Library) -> None:
    answer = ask(library, "启明仪器", "成立于")
    assert (answer.taken, answer.ends) == ("启明仪器有限公司", ("2001年5月",))
    assert ask(library, "Brightline", "founded").taken == "Brightline Instruments Ltd"
    assert ask(library, "启明仪器有限公司").taken == ""


def test_near_names_are_offered_for_an_unknown_one_to_those_who_may_read_them(library: Library) -> None:
    assert "启明仪器有限公司" in ask(library, "启朋仪器有限公司").near
    assert {"晨曦制造有限公司", "启明仪器有限公司"} <= set(ask(library, "有限公司").near)
    assert "Northwind Traders Ltd" in ask(library, "Northwint Traders Ltd").near
    assert not ask(library, "金丝雀有限").taken and not any(
        "金丝雀" in name for name in ask(library, "金丝雀有限").near
    )
    assert ask(library, "金丝雀有限", caller=BOSS).taken == "金丝雀有限公司"
    assert ask(library, "不存在的事物").near == ()
