"""The tool that looks up what was said and answered before; it is data, and never evidence of what a document says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from ..knowledge.asking import documents_within
from ..knowledge.documents import Caller
from ..knowledge.library import MAX_QUERY_CHARACTERS, Library
from ..knowledge.memory import MemoryEntry, MemoryLabel, memory_of
from ..knowledge.memory.memory import MOST_COMPARED
from ..knowledge.query.models import SearchFilter
from ..knowledge.search import Hit
from ..knowledge.text.normalise import has_chinese, normalise
from .choosing.cues import memory_cue
from .contracts import ArgumentsFound, Category, Tool, ToolOutput
from .results import result_hit

LOOKUP_MEMORY = "lookup_memory"
MOST_ENTRIES = 5
"""That a call brings: those that concern the question, never all there are (S3 §5.3)."""

_LABELS = {
    "zh": {
        MemoryLabel.USER_STATEMENT: "用户陈述",
        MemoryLabel.SYSTEM_CONCLUSION: "系统结论",
        MemoryLabel.TEMPORARY: "临时数据",
    },
    "en": {
        MemoryLabel.USER_STATEMENT: "user statement",
        MemoryLabel.SYSTEM_CONCLUSION: "system conclusion",
        MemoryLabel.TEMPORARY: "temporary data",
    },
}
_SOURCE = {"zh": "记忆", "en": "memory"}
_NOTE = {
    "zh": "标为“记忆”的内容来自先前的问答，不是文档原文；与文档不一致时，以文档为准。",
    "en": "What is cited as memory is from earlier questions, not from a document; documents hold where they differ.",
}
_EXAMPLES = (
    "我之前问过的验收期限是多少？",
    "我上一个问题是什么？",
    "What did you say earlier about the hotel limit?",
    "Which department do I work in?",
)
_ABOUT_ONESELF = re.compile(
    r"我(?:现在)?(?:在|是|属于)(?:哪|什么)(?:一?个)?(?:部门|岗位|团队|公司|科室)|我的(?:部门|岗位|职位|职务|角色|偏好)(?:是什么|是哪|叫什么)"
    r"|\b(?:which|what) (?:department|team|office|group) (?:do i (?:work|belong)|am i)|\bwhere do i work\b"
    r"|\bwhat(?:'s| is) my (?:role|job|position|department|team|office|preference)"
)
_LIKELY = 0.7


class LookupMemoryArguments(BaseModel):
    """What is looked for. Whose memory it is, and of which conversation, is fixed for the run and is no argument."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str = Field(min_length=1, max_length=MAX_QUERY_CHARACTERS, description="what was talked about")
    label: MemoryLabel | None = Field(
        default=None, description="only what the user has said, what was concluded, or temporary data; default: any"
    )


def make_lookup_memory(
    library: Library, caller: Caller, thread_id: str = "", within: SearchFilter | None = None
) -> Tool | None:
    """The tool for one run; None where memory is switched off.

    Args:
        library: whose memory it is.
        caller: on whose behalf it runs.
        thread_id: the conversation; empty: none.
        within: bounds of every search of the run; what rests on documents outside of them stays unsaid.
    """
    if not library.settings.memory.enabled:
        return None

    def run(arguments: LookupMemoryArguments) -> ToolOutput:
        recalled = memory_of(library).recall(
            arguments.query, caller, thread_id, label=arguments.label, most=MOST_COMPARED
        )
        found = _within(recalled, library, caller, within)[:MOST_ENTRIES]
        language = "zh" if has_chinese(arguments.query) else "en"
        return ToolOutput(
            hits=tuple(_hit(entry, language) for entry in found), notes=(_NOTE[language],) if found else ()
        )

    return Tool(
        name=LOOKUP_MEMORY,
        description=(
            "Look up what was asked and answered before, and what the user has said of themselves, such as their "
            "department or what they prefer. It is data with a date, not evidence of what a document says."
        ),
        not_for="Not for what documents say: search them, also where something similar was asked before.",
        category=Category.MEMORY,
        arguments=LookupMemoryArguments,
        run=run,
        timeout_seconds=10.0,
        examples=_EXAMPLES,
        by_rules=_arguments_for,
    )


def _arguments_for(question: str) -> ArgumentsFound | None:
    text = normalise(question)
    cue = memory_cue(text)
    if cue is not None:
        return ArgumentsFound({"query": question}, cue.confidence, reason=cue.reason)
    if not _ABOUT_ONESELF.search(text):
        return None
    arguments = {"query": question, "label": MemoryLabel.USER_STATEMENT.value}
    return ArgumentsFound(arguments, _LIKELY, reason="asks what the user has said of themselves")


def _within(
    entries: Sequence[MemoryEntry], library: Library, caller: Caller, within: SearchFilter | None
) -> Sequence[MemoryEntry]:
    if within is None:
        return entries
    if within.in_force_on is not None:
        # What was concluded from the present versions says nothing of those of a day.
        return [entry for entry in entries if not entry.documents]
    present = [one.document for one in library.documents(caller)]
    inside = {document.doc_id for document in documents_within(present, within)}
    return [entry for entry in entries if entry.documents.keys() <= inside]


def _hit(entry: MemoryEntry, language: str) -> Hit:
    day, label = entry.created_at.date().isoformat(), _LABELS[language][entry.label]
    colon = "：" if language == "zh" else ": "
    return result_hit(LOOKUP_MEMORY, _SOURCE[language], f"{day} {label}{colon}{entry.text}", section=(label, day))
