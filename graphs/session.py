"""The agent as a Python object: a library and a caller bound to the graph."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast
from uuid import uuid4

from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.runtime import Runtime
from langgraph.types import Command, StateSnapshot

from ..context import Context, resources
from ..errors import UsageError
from ..state import AgentInput, AgentOutput, Answer
from ..tools.approval.editing import edited_call
from ..tools.approval.journal import Journal
from ..tools.approval.models import ApprovalRequest
from ..tools.registry import Permission
from .agent import graph
from .waiting import (
    Decisions,
    Waiting,
    edit_of,
    end_orphaned,
    paused_answer,
    resume_values,
    waiting_calls,
    without_settled,
)

_INTERRUPT = "__interrupt__"


class StepEvent(NamedTuple):
    """A node has finished: its name and what it wrote."""

    node: str
    update: dict[str, Any]


class Agent(Runnable[AgentInput, AgentOutput]):
    """Answers questions over one library on behalf of one caller. As a Runnable it is a node of larger graphs.

    With a checkpointer of its own it keeps its runs by thread: one that needs a person's consent waits, and `resume`
    goes on with it, in another process too. Inside a larger graph the checkpointer of that graph counts.
    """

    def __init__(self, context: Context, checkpointer: BaseCheckpointSaver[Any] | None = None) -> None:
        self.context = context
        self._checkpointer = checkpointer
        self._graph = graph if checkpointer is None else graph.copy({"checkpointer": checkpointer})

    @property
    def identity(self) -> str:
        """Digest of the library and the caller: runs go on for the one for whom they began."""
        return resources(Runtime(context=self.context)).identity

    @property
    def may_need_consent(self) -> bool:
        """Whether some call that the agent can make needs a person's consent."""
        given = resources(Runtime(context=self.context))
        policies = given.settings.tools.approval.policies
        asks_readers = any(one.decision == "ask" and one.permission in ("*", "read") for one in policies)
        return asks_readers or any(tool.permission is not Permission.READ for tool in given.tools.tools)

    def ask(self, question: str, thread_id: str | None = None) -> Answer:
        """Answer one question; always an answer object, whatever fails on the way.

        Args:
            question: in Chinese or English.
            thread_id: where the run is kept, if the agent has a checkpointer; default: a new one. An answer whose
                status is `needs_approval` names it.

        Raises:
            UsageError: a thread is named without a checkpointer, or it belongs to another caller or library.
        """
        if thread_id is None and self._checkpointer is None:
            return self.invoke({"question": question})["answer"]
        return self.invoke({"question": question}, _thread(thread_id or new_thread()))["answer"]

    def pending(self, thread_id: str) -> tuple[ApprovalRequest, ...]:
        """The calls of a thread that wait for a person; none where the thread is empty: its run is over.

        Raises:
            UsageError: see `ask`.
        """
        if not thread_id:
            return ()
        return tuple(one.request for one in self._waiting(self._snapshot(thread_id)) if not one.is_decided)

    def resume(self, thread_id: str, decisions: Decisions) -> Answer:
        """Go on with a run that waits, or that was broken off.

        What is not decided here goes on waiting; so does a call that was edited.

        A decision that arrives a second time changes nothing: the run's answer is returned as it is.

        Args:
            thread_id: of the run.
            decisions: by approval id. Consent and edits name the digest of the request that they are about.

        Raises:
            UsageError: see `ask`; or a decision is about no call of this run, malformed, or about other arguments; or
                an edit could not run.
        """
        for _ in self.resume_steps(thread_id, decisions):
            pass
        return self.answer(thread_id)

    def answer(self, thread_id: str) -> Answer:
        """The answer of a thread's last run, or what it waits for.

        Raises:
            UsageError: see `ask`; or the thread has no answer yet.
        """
        snapshot = self._snapshot(thread_id)
        if snapshot.interrupts:
            version = resources(Runtime(context=self.context)).library.version
            return paused_answer(snapshot, self._waiting(snapshot), thread_id, version)
        found = _answer_of(snapshot)
        if found is None:
            raise UsageError(f"the run of thread {thread_id!r} was broken off before it had an answer: resume it")
        return found

    @property
    def keeps_threads(self) -> bool:
        """Whether it has a checkpointer of its own."""
        return self._checkpointer is not None

    def forget(self, thread_id: str) -> None:
        """Delete what is kept of a thread of this caller."""
        if self._checkpointer is not None and self._state(thread_id).values:
            self._checkpointer.delete_thread(thread_id)

    def can_go_on(self, thread_id: str, tool: str) -> bool:
        """Whether the run of a thread can be resumed here: it is kept here, and this agent has its tool."""
        if not thread_id or tool not in resources(Runtime(context=self.context)).tools:
            return False
        try:
            return bool(self._state(thread_id).values)
        except UsageError:
            return False

    def steps(self, question: str, thread_id: str | None = None) -> Iterator[StepEvent]:
        """The run as it goes: an event for each node that has finished; `deliver` brings the answer.

        A run that waits for a person ends without one; `answer` says what it waits for.
        """
        yield from self._events({"question": question}, None if thread_id is None else self._own(thread_id))

    def resume_steps(self, thread_id: str, decisions: Decisions) -> Iterator[StepEvent]:
        """`resume` as it goes."""
        end_orphaned(resources(Runtime(context=self.context)).library)
        snapshot = self._snapshot(thread_id)
        waiting = self._waiting(snapshot)
        fresh = without_settled(decisions, waiting, snapshot.values.get("trace_id", ""), self._journal)
        values = resume_values(waiting, fresh)
        self._refuse_unsound_edits(waiting, fresh)
        is_broken_off = not snapshot.interrupts and _answer_of(snapshot) is None
        if not values and not decisions and not is_broken_off:
            raise UsageError(
                f"thread {thread_id!r} waits for a decision about one of its pending calls, or for nothing"
            )
        if values:
            yield from self._events(Command(resume=values), _thread(thread_id))
        elif is_broken_off:
            yield from self._events(None, _thread(thread_id))

    def edit_problem(self, request: ApprovalRequest, arguments: Mapping[str, Any]) -> str:
        """Why an edit of a call that waits could not run; empty: it could.

        Args:
            request: about the call.
            arguments: those that change; see `tools.approval.editing.edited_arguments`.
        """
        given = resources(Runtime(context=self.context))
        policies = given.settings.tools.approval.policies
        found = edited_call(request.tool, request.arguments, arguments, given.tools, policies)
        return found if isinstance(found, str) else ""

    def _refuse_unsound_edits(self, waiting: Iterable[Waiting], decisions: Decisions) -> None:
        """Raises UsageError for an edit that could not run; the call goes on waiting as it is."""
        for one in waiting:
            edit = edit_of(decisions.get(one.request.approval_id))
            problem = self.edit_problem(one.request, edit) if edit is not None and not one.is_decided else ""
            if problem:
                raise UsageError(f"call {one.request.approval_id}: {problem}; nothing was changed")

    def _events(self, given: AgentInput | Command[Any] | None, config: RunnableConfig | None) -> Iterator[StepEvent]:
        stream = self._graph.stream(given, config, context=self.context, stream_mode="updates", subgraphs=True)
        for _, update in cast(Iterator[tuple[Any, dict[str, Any]]], stream):
            for node, written in update.items():
                if node != _INTERRUPT:
                    yield StepEvent(node, written or {})

    @property
    def _journal(self) -> Journal:
        return Journal(resources(Runtime(context=self.context)).library.folder)

    def _waiting(self, snapshot: StateSnapshot) -> tuple[Waiting, ...]:
        return waiting_calls(snapshot.interrupts, self._journal)

    def _snapshot(self, thread_id: str) -> StateSnapshot:
        """The thread as it stands.

        Raises:
            UsageError: there is none, or it belongs to somebody else: nobody learns which.
        """
        found = self._state(thread_id)
        if not found.values:
            raise UsageError(f"there is no thread {thread_id!r} of this caller here")
        return found

    def _state(self, thread_id: str) -> StateSnapshot:
        if self._checkpointer is None:
            raise UsageError("this agent keeps no threads: give build_agent a checkpointer")
        found = self._graph.get_state(_thread(thread_id), subgraphs=True)
        if found.values and found.values.get("asked_by", self.identity) != self.identity:
            raise UsageError(f"there is no thread {thread_id!r} of this caller here")
        return found

    def _own(self, thread_id: str) -> RunnableConfig:
        """The configuration for a thread in which this caller may ask; raises like `_snapshot`."""
        self._state(thread_id)
        return _thread(thread_id)

    def invoke(self, input: AgentInput, config: RunnableConfig | None = None, **kwargs: Any) -> AgentOutput:
        """Run the graph with this agent's library and caller.

        With a checkpointer of its own, and outside of other graphs, a run that waits for a person returns an answer
        that says so.
        """
        if self._checkpointer is None or _is_inside(config):
            return cast(AgentOutput, self._graph.invoke(input, config, context=self.context, **kwargs))
        thread_id = str((config or {}).get("configurable", {}).get("thread_id") or new_thread())
        merged = merge_configs(config, self._own(thread_id))
        output = self._graph.invoke(input, merged, context=self.context, **kwargs)
        if _INTERRUPT in output:
            return AgentOutput(answer=self.answer(thread_id))
        return cast(AgentOutput, output)

    async def ainvoke(self, input: AgentInput, config: RunnableConfig | None = None, **kwargs: Any) -> AgentOutput:
        """Run the graph without blocking the event loop: LangGraph runs the nodes in threads.

        A checkpointer of the agent's own is used synchronously, in a thread.
        """
        if self._checkpointer is None or _is_inside(config):
            return cast(AgentOutput, await self._graph.ainvoke(input, config, context=self.context, **kwargs))
        return await asyncio.to_thread(self.invoke, input, config, **kwargs)


def new_thread() -> str:
    """A name for a thread that nobody can guess."""
    return uuid4().hex


def _thread(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


def _answer_of(snapshot: StateSnapshot) -> Answer | None:
    """The answer of the last run; a run that was broken off leaves that of the one before in place."""
    found = snapshot.values.get("answer")
    return found if isinstance(found, Answer) and found.trace_id == snapshot.values.get("trace_id") else None


def _is_inside(config: RunnableConfig | None) -> bool:
    """Whether the agent runs as a node of a larger graph, whose checkpointer counts."""
    return "__pregel_task_id" in (config or {}).get("configurable", {})
