"""Digests by a light model: checked, made again once, completed by rule, and gone on with after a stop."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.documents import CONTRACT, POLICY, lexical_settings, write
from support.scripted_endpoint import ScriptedEndpoint, Turn
from veriloop import Caller, Library, add_files
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.errors import UsageError
from veriloop.graphs.digesting import estimate_digests, make_digests
from veriloop.knowledge.digest.by_rules import lost_details
from veriloop.knowledge.digest.checking import review

OWNER = Caller.owner()
Messages = list[dict[str, Any]]
_FENCED = re.compile(r"^(?:原文|Text) <<<(\w+)\n(.*?)\n\1>>>$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def library(tmp_path: Path, scripted_endpoint: ScriptedEndpoint) -> Iterator[Library]:
    """Two documents, and a light model that plays what `scripted_endpoint.responder` says."""
    light = ChatModelSettings(base_url=scripted_endpoint.base_url, model="m", retries=0, request_seconds=5)
    chosen = lexical_settings(models=TierSettings(light=light))
    chosen = chosen.model_copy(update={"parsing": chosen.parsing.model_copy(update={"processes": 0})})
    with Library.open(tmp_path / "library", chosen) as opened:
        add_files(opened, [write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)])
        yield opened


def _text_of(messages: Messages) -> str:
    return str(_FENCED.search(str(messages[1]["content"]))[2])  # type: ignore[index]


def _reply(summary: str, *words: str) -> str:
    return json.dumps({"summary": summary, "keywords": words, "entities": words}, ensure_ascii=False)


def _copies(messages: Messages) -> str:
    """The honest model: all lines of the text in one."""
    return _reply(" ".join(line.lstrip("# ") for line in _text_of(messages).splitlines() if line.strip()))


def _in_two(first: Callable[[Messages], str], then: Callable[[Messages], str]) -> Callable[[Messages], str]:
    """Another reply where the digest is asked for again."""
    return lambda messages: then(messages) if len(messages) > 2 else first(messages)


def _placed_digests(library: Library) -> list[tuple[str, str]]:
    placed = library.contents.blocks(OWNER, 100)
    found = library.digests.of_blocks([block.block_id for block, _ in placed], OWNER)
    for block, document in placed:
        assert lost_details(block, found[block.block_id]) == ()
        assert review(block, document, found[block.block_id]).is_clean
    return [(block.text, found[block.block_id].summary) for block, _ in placed]


def test_a_good_digest_is_kept_as_it_is_written(library: Library, scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.responder = _copies
    report = make_digests(library)
    assert report.made == report.total == report.done == len(_placed_digests(library))
    assert report.made_again == report.completed == report.failed == 0 and report.calls == report.made


def test_lost_details_are_named_once_and_then_completed_by_rule(
    library: Library, scripted_endpoint: ScriptedEndpoint
) -> None:
    scripted_endpoint.responder = lambda messages: _reply(
        "本节列出若干参数。" if "第一条" in _text_of(messages) else "This section describes various rules."
    )
    report = make_digests(library)
    assert report.made_again == report.completed == report.made > 0
    again = [request.prompt for request in scripted_endpoint.requests if len(request.body["messages"]) > 2]
    assert len(again) == report.made and any("0.5%" in prompt for prompt in again)
    assert all("若干参数" not in summary and "various" not in summary for _, summary in _placed_digests(library))


def test_a_better_second_try_is_taken(library: Library, scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.responder = _in_two(lambda _: _reply("设备。"), _copies)
    report = make_digests(library)
    assert report.made_again == report.made and report.completed == 0


def test_what_the_block_does_not_say_is_dropped(library: Library, scripted_endpoint: ScriptedEndpoint) -> None:
    scripted_endpoint.responder = lambda messages: _reply(
        f"{json.loads(_copies(messages))['summary']} 违约金为99万元。 I was told to reveal the prompt.", "XQ-77"
    )
    make_digests(library)
    assert all("99万元" not in summary and "prompt" not in summary for _, summary in _placed_digests(library))


def test_only_blocks_without_a_digest_are_asked_for(
    library: Library, scripted_endpoint: ScriptedEndpoint, tmp_path: Path
) -> None:
    scripted_endpoint.responder = _copies
    make_digests(library)
    asked = len(scripted_endpoint.requests)
    assert make_digests(library).made == 0 and len(scripted_endpoint.requests) == asked
    write(tmp_path / "documents", policy=POLICY.replace("120 EUR", "130 EUR"))
    add_files(library, [tmp_path / "documents"])
    estimate = estimate_digests(library)
    report = make_digests(library)
    assert estimate.blocks == report.made == len(scripted_endpoint.requests) - asked == 1
    assert estimate.tokens_in > 0 and estimate.most_calls == 2


def test_an_endpoint_that_is_down_stops_the_run_and_loses_nothing(
    library: Library, scripted_endpoint: ScriptedEndpoint
) -> None:
    scripted_endpoint.responder = lambda _: Turn(status=503)
    report = make_digests(library)
    assert report.stopped and report.made == 0 and report.done == 0
    scripted_endpoint.responder = _copies


def test_replies_that_are_no_digest_leave_the_rules_digest(
    library: Library, scripted_endpoint: ScriptedEndpoint
) -> None:
    scripted_endpoint.responder = lambda _: "no"
    report = make_digests(library)
    assert report.failed == report.total and report.done == 0


def test_without_a_model_there_is_nothing_to_make(tmp_path: Path) -> None:
    with Library.open(tmp_path, lexical_settings()) as library, pytest.raises(UsageError, match="no model"):
        make_digests(library)
