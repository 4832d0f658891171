"""The reading loop: plan → read → decide → … → conclude (S0). `graph` works alone, and as a node of larger graphs.

result = graph.invoke({"question": "…"}, context=Context(library=library))["reading"]
"""

from __future__ import annotations

from typing import Literal, cast

from langchain_core.runnables.config import var_child_runnable_config
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..context import Context
from ..ledger import Replay
from ..models.allowance import allowance
from ..nodes.reading.conclude import conclude
from ..nodes.reading.decide import decide
from ..nodes.reading.plan import plan
from ..nodes.reading.read import read
from ..reading_state import ReadingInput, ReadingOutput, ReadingRequest, ReadingResult, ReadingState
from ..tools.assembly import ToolNeeds
from ..tools.registry import ToolRegistry

ReadingGraph = CompiledStateGraph[ReadingState, Context, ReadingInput, ReadingOutput]

# Two supersteps a block, 50 blocks at most (`reading.max_blocks`), and the two ends; LangGraph's own limit brakes
# nothing.
MOST_SUPERSTEPS = 110


def goes_on(state: ReadingState) -> Literal["read", "conclude"]:
    """Whether a further block is read."""
    return "read" if state.get("stop") is None else "conclude"


def has_block(state: ReadingState) -> Literal["decide", "conclude"]:
    """Whether a block could be opened."""
    return "decide" if state.get("stop") is None else "conclude"


def build_reading(name: str = "reading") -> ReadingGraph:
    """The compiled loop, without a checkpointer of its own."""
    builder = StateGraph(ReadingState, Context, input_schema=ReadingInput, output_schema=ReadingOutput)
    builder.add_node("plan", plan)
    builder.add_node("read", read)
    builder.add_node("decide", decide)
    builder.add_node("conclude", conclude)
    builder.add_edge(START, "plan")
    builder.add_conditional_edges("plan", goes_on)
    builder.add_conditional_edges("read", has_block)
    builder.add_conditional_edges("decide", goes_on)
    builder.add_edge("conclude", END)
    return builder.compile(name=name).with_config(recursion_limit=MOST_SUPERSTEPS)


graph = build_reading()
# As a tool the loop runs to its end or not at all: a step that runs again reads again.
_inside = build_reading()
_inside.checkpointer = False


def read_up(request: ReadingRequest, needs: ToolNeeds) -> ReadingResult:
    """Run the loop for a tool: on behalf of the tool's caller, within what the calling step lends it."""
    lent = allowance()
    has_models = lent is not None and lent.models is not None
    context = Context(
        library=needs.library,
        caller=needs.caller,
        models=lent.models if lent is not None else None,
        tools=ToolRegistry(()),
        filters=needs.within,
        # Whoever lends no models allows none, whatever the settings name.
        replay=None if lent is None or has_models else Replay((), 0),
    )
    asked = ReadingInput(question=request.question, documents=request.documents, section=request.section)
    if lent is not None:
        asked["limits"] = lent.limits
    if request.filters is not None:
        asked["filters"] = request.filters
    # The run around it has a checkpointer and a stream of its own.
    token = var_child_runnable_config.set(None)
    try:
        return cast(ReadingOutput, _inside.invoke(asked, context=context))["reading"]
    finally:
        var_child_runnable_config.reset(token)
