"""Building the graph with a model: what it costs, what is kept, what is refused, and that it goes on after a stop."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from support.scripted_endpoint import RecordedRequest, ScriptedEndpoint, Turn
from veriloop import Caller, Library, add_files
from veriloop.configs.graph_settings import GraphSettings
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.errors import UsageError
from veriloop.graphs.graph_building import build_by_model, build_by_rules, estimate_model, estimate_rules
from veriloop.knowledge.graph.asking import GraphQuestion

OWNER = Caller.owner()
DOCUMENTS = {
    "zh": "# 设备台账\n\nHK-20型检测仪由设备部保管，制造商为启明仪器有限公司。\n",
    "en": "# Asset list\n\nThe HK-35 gauge is kept by the Quality Department and made by Brightline Ltd.\n",
}
ONTOLOGY = """
types: [company, device, department]
relations:
  maker: {domain: [device], range: [company], functional: true, labels: [制造商, manufacturer]}
"""
GOOD = {
    "zh": {"quote": "制造商为启明仪器有限公司", "subject": "HK-20", "subject_type": "device", "relation": "制造商",
           "object": "启明仪器有限公司", "object_type": "company"},
    "en": {"quote": "made by Brightline Ltd", "subject": "HK-35", "subject_type": "device", "relation": "maker",
           "object": "Brightline Ltd", "object_type": "company"},
}  # fmt: skip


def reply(request: RecordedRequest) -> str:
    language = "zh" if "台账" in request.prompt else "en"
    invented = {**GOOD[language], "object": "Imaginary Holdings"}
    disallowed = {**GOOD[language], "relation": "kept by"}
    return json.dumps({"relations": [GOOD[language], invented, disallowed]}, ensure_ascii=False)


def opened(folder: Path, endpoint: ScriptedEndpoint | None = None, ontology: str | None = ONTOLOGY) -> Library:
    file = folder / "ontology.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(ontology or "", encoding="utf-8")
    graph = GraphSettings(enabled=True, ontology=file if ontology else None)
    model = None if endpoint is None else TierSettings(
        light=ChatModelSettings(base_url=endpoint.base_url, model="small", concurrent_calls=1, retries=0)
    )  # fmt: skip
    return Library.open(folder / "library", lexical_settings(graph=graph, models=model))


def filled(folder: Path, endpoint: ScriptedEndpoint | None = None, ontology: str | None = ONTOLOGY) -> Library:
    library = opened(folder, endpoint, ontology)
    add_files(library, [write(folder / "d", **DOCUMENTS)])
    return library


def served(player: Callable[[RecordedRequest], str | Turn]) -> ScriptedEndpoint:
    return ScriptedEndpoint(player=player)


def test_a_model_adds_what_the_blocks_say_and_the_ontology_allows(tmp_path: Path) -> None:
    with served(reply) as endpoint, filled(tmp_path, endpoint) as library:
        report = build_by_model(library)
        assert (report.read, report.relations, report.done, report.total, report.failed) == (2, 2, 2, 2, 0)
        assert report.refused == {"invented_name": 2, "unknown_relation": 2}
        assert report.cost.calls >= 2
        answer = library.graph.ask(GraphQuestion("HK-20", "制造商"), Caller())
        assert answer.ends == ("启明仪器有限公司",)
        assert answer.ways[0].steps[0].made_by.startswith("model:small@")
        assert library.graph.ask(GraphQuestion("HK-35", "manufacturer"), Caller()).ends == ("Brightline Ltd",)


def test_a_block_is_shown_fenced_and_once_and_only_changed_ones_again(tmp_path: Path) -> None:
    with served(reply) as endpoint, filled(tmp_path, endpoint) as library:
        build_by_model(library)
        asked = len(endpoint.requests)
        assert all("<<<" in request.prompt and "maker" in request.prompt for request in endpoint.requests)
        assert build_by_model(library).read == 0
        assert len(endpoint.requests) == asked
        write(tmp_path / "d", zh=DOCUMENTS["zh"].replace("保管", "管理"))
        add_files(library, [tmp_path / "d"])
        assert build_by_model(library).read == 1


def test_another_ontology_reads_the_blocks_again_and_drops_what_the_first_one_allowed(tmp_path: Path) -> None:
    with served(reply) as endpoint:
        with filled(tmp_path, endpoint) as library:
            build_by_model(library)
        with opened(tmp_path, endpoint, ONTOLOGY.replace("maker", "creator").replace("制造商, ", "")) as library:
            report = build_by_model(library)
            assert (report.read, report.relations) == (2, 0)
            assert not [name for name in library.graph.counts(OWNER).makers if name.startswith("model:")]


def test_a_model_that_fails_leaves_its_blocks_to_the_next_build(tmp_path: Path) -> None:
    broken = True

    def player(request: RecordedRequest) -> str:
        return "no json at all" if broken and "Asset" in request.prompt else reply(request)

    with served(player) as endpoint, filled(tmp_path, endpoint) as library:
        report = build_by_model(library)
        assert (report.read, report.failed, report.done) == (1, 1, 1)
        broken = False
        report = build_by_model(library)
        assert (report.read, report.failed, report.done) == (1, 0, 2)


def test_an_endpoint_that_is_down_ends_the_build_with_the_reason(tmp_path: Path) -> None:
    with served(lambda _request: Turn(status=503)) as endpoint, filled(tmp_path, endpoint) as library:
        report = build_by_model(library)
        assert report.stopped
        assert report.read == 0
        assert library.graph.ask(GraphQuestion("设备台账"), Caller()).known


def test_no_time_left_asks_nothing(tmp_path: Path) -> None:
    with served(reply) as endpoint, filled(tmp_path, endpoint) as library:
        report = build_by_model(library, seconds=0)
        assert (report.read, report.stopped) == (0, "the time is used up")
        assert not endpoint.requests


def test_the_three_costs_are_said_first(tmp_path: Path) -> None:
    with served(reply) as endpoint, filled(tmp_path, endpoint) as library:
        estimated = estimate_model(library, 2.0)
        assert (estimated.blocks, estimated.build.calls, estimated.upkeep.calls) == (2, 2, 1)
        assert estimated.build.tokens_in > estimated.upkeep.tokens_in > 0
        assert estimated.query.tokens_in > 0
        assert not endpoint.requests
        build_by_model(library)
        assert estimate_model(library, 2.0).blocks == 0
        by_rules = estimate_rules(library)
        assert (by_rules.blocks, by_rules.done, by_rules.build.calls) == (0, 2, 0)


def test_the_rules_report_what_they_read(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        library.graph.forget("rules:")
        told: list[tuple[int, int]] = []
        report = build_by_rules(library, lambda done, total: told.append((done, total)))
        assert (report.read, report.done, report.total) == (2, 2, 2)
        assert report.relations > 0
        assert told == [(2, 2)]


def test_without_a_model_the_rules_are_all_that_there_is(tmp_path: Path) -> None:
    with filled(tmp_path) as library, pytest.raises(UsageError, match="no model is configured"):
        build_by_model(library)
