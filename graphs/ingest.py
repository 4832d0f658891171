"""The way of a file into the library: parse → split → index."""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..nodes.ingest.index import index
from ..nodes.ingest.parse import parse
from ..nodes.ingest.split import split
from ..nodes.ingest.state import IngestContext, IngestInput, IngestOutput, IngestState, Outcome


def after_parse(state: IngestState) -> Literal["split", "__end__"]:
    """Go on only with a file that was read."""
    return "split" if "parsed" in state else "__end__"


def after_split(state: IngestState) -> Literal["index", "__end__"]:
    """Go on only with a document that has text."""
    return "__end__" if state["outcome"] is Outcome.FAILED else "index"


def build_ingest() -> CompiledStateGraph[IngestState, IngestContext, IngestInput, IngestOutput]:
    """The compiled graph; it takes one file a run."""
    builder = StateGraph(IngestState, IngestContext, input_schema=IngestInput, output_schema=IngestOutput)
    builder.add_node("parse", parse)
    builder.add_node("split", split)
    builder.add_node("index", index)
    builder.add_edge(START, "parse")
    builder.add_conditional_edges("parse", after_parse)
    builder.add_conditional_edges("split", after_split)
    builder.add_edge("index", END)
    return builder.compile(name="ingest")
