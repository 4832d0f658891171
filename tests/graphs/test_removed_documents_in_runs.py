"""A document that is removed, or closed to some, is gone from the runs that wait as well, to the last byte."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from support.documents import filled
from veriloop import Answer, Caller, Library, build_agent
from veriloop.errors import UsageError
from veriloop.graphs.checkpoints import THREADS_FILE, kept_threads
from veriloop.graphs.session import Agent
from veriloop.knowledge.backup import restore_backup, write_backup
from veriloop.knowledge.store import SqliteStore
from veriloop.knowledge.upkeep import STORE_FILE
from veriloop.tools.approval.journal import Journal
from veriloop.tools.approval.records import CallState
from veriloop.tools.registry import Permission
from veriloop.tools.search_documents import make_search_documents

QUESTION = "HN-3200和HN-4100的质量保证期哪个长？"
TEXT = "HN-3200，额定功率为8 kW".encode()


class Waiting(NamedTuple):
    """A run that has read the contract with a person's consent, and waits for consent to read on."""

    library: Library
    saver: BaseCheckpointSaver[Any]
    agent: Agent
    answer: Answer

    @property
    def journal(self) -> Journal:
        return Journal(self.library.folder)

    @property
    def contract(self) -> str:
        return next(one.document.doc_id for one in self.library.documents() if one.document.name == "contract.md")

    def kept(self) -> bool:
        """Whether the text stands in any file beside the library."""
        files = [*self.library.folder.glob("threads.sqlite*"), *self.library.folder.glob("approvals.sqlite*")]
        assert len(files) >= 2
        return any(TEXT in file.read_bytes() for file in files)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Waiting]:
    with filled(tmp_path) as library, kept_threads(library) as saver:
        tool = replace(make_search_documents(library, Caller()), permission=Permission.SENSITIVE)
        agent = build_agent(library, only_tools=[tool], routes=["two_step"], checkpointer=saver)
        answer = agent.ask(QUESTION)
        first = answer.approvals[0]
        answer = agent.resume(answer.thread_id, {first.approval_id: {"decision": "approve", "digest": first.digest}})
        assert answer.approvals
        yield Waiting(library, saver, agent, answer)


def ended(run: Waiting, comment: str) -> None:
    assert not run.kept()
    (request,) = run.answer.approvals
    call = run.journal.get(request.approval_id)
    assert call.state is CallState.REJECTED and comment in call.comment and call.request.evidence == ()
    assert run.journal.log()[-1].event == "reject"
    with pytest.raises(UsageError, match="no thread"):
        run.agent.resume(run.answer.thread_id, {request.approval_id: {"decision": "approve", "digest": request.digest}})


def test_a_removed_document_ends_the_runs_that_have_read_it(run: Waiting) -> None:
    assert run.kept()
    run.library.remove(run.contract)
    ended(run, "removed")


def test_a_document_that_is_closed_ends_the_runs_that_have_read_it(run: Waiting) -> None:
    run.library.set_readers(run.contract, frozenset({"hr"}))
    ended(run, "closed")


def test_a_run_goes_on_when_another_document_is_removed(run: Waiting) -> None:
    other = next(one.document.doc_id for one in run.library.documents() if one.document.name == "policy.md")
    run.library.remove(other)
    (request,) = run.answer.approvals
    answer = run.agent.resume(run.answer.thread_id, {request.approval_id: {"decision": "reject"}})
    assert not answer.approvals


def test_a_run_that_was_under_way_when_its_document_was_removed_ends_before_it_goes_on(run: Waiting) -> None:
    with closing(SqliteStore(run.library.folder / STORE_FILE)) as store:  # the run was kept after the removal
        store.remove_document(run.contract)
    assert run.kept()
    (request,) = run.answer.approvals
    with pytest.raises(UsageError, match="no thread"):
        run.agent.resume(run.answer.thread_id, {request.approval_id: {"decision": "approve", "digest": request.digest}})
    assert not run.kept()


def test_a_backup_holds_no_runs_and_its_restoring_ends_those_that_are_here(run: Waiting, tmp_path: Path) -> None:
    backup = tmp_path / "backup.zip"
    write_backup(run.library.folder, backup)
    run.library.close()
    restore_backup(backup, run.library.folder, replace=True)
    call = run.journal.get(run.answer.approvals[0].approval_id)
    assert call.state is CallState.REJECTED and "restored" in call.comment
    assert not list(run.saver.list(None))
    elsewhere = tmp_path / "elsewhere"
    restore_backup(backup, elsewhere)
    assert not Journal(elsewhere).exists and not (elsewhere / THREADS_FILE).exists()
