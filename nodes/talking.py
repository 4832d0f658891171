"""Messages to the conversation itself (note this, what did I ask before): answered directly, without any search."""

from __future__ import annotations

from typing import cast

from ..context import Resources
from ..knowledge.memory.conversation import Talk, talk_in
from ..knowledge.memory.statements import statement_in
from ..knowledge.text.normalise import well_formed
from ..prompts.loader import Language
from ..state import AgentState
from ..tools.choosing.rules import LOOKUP_MEMORY
from ..tools.search_documents import SEARCH_DOCUMENTS
from .by_rules.tool_tasks import choose
from .memories import can_be_noted
from .messages import message
from .recording import Step


def talks(question: str, step: Step) -> Talk | None:
    """What a message wants of the conversation; None where it is for a tool (记得提交报销单) or asks something."""
    found = talk_in(well_formed(question))
    if found is None or found is Talk.LAST_QUESTION:
        return found
    return found if choose(question, step.given.tools).tool in (SEARCH_DOCUMENTS, LOOKUP_MEMORY) else None


def asked_before(state: AgentState, asked_by: str) -> str:
    """The question before this one, of the same person in the same conversation; empty: there is none.

    The run before has left its answer in the state of the thread. Questions for the question before do not count.
    """
    before = state.get("answer")
    if before is None or state.get("asked_by") != asked_by:
        return ""
    if talk_in(before.question) is Talk.LAST_QUESTION:
        return state.get("asked_before", "")
    return before.question


def direct_reply(state: AgentState, step: Step, thread_id: str) -> str:
    """The reply to a message that needs no search."""
    language = cast(Language, state["analysis"].language)
    question = well_formed(str(state["question"] or ""))
    talk = talks(question, step)
    if talk is None:
        return message("hello", language)
    if talk is Talk.LAST_QUESTION:
        before = state.get("asked_before", "") if step.given.settings.memory.enabled else ""
        return message("last_question" if before else "no_last_question", language, said=before)
    return message(_noted(talk, step.given, thread_id), language, said=statement_in(question) or "")


def _noted(talk: Talk, given: Resources, thread_id: str) -> str:
    """Whether a statement is remembered: for the owner, and for others within their conversation."""
    if not given.settings.memory.enabled or not given.settings.memory.keep:
        return "not_noted_off"
    if talk is Talk.STEERS:
        return "not_noted_steers"
    return "noted" if can_be_noted(given, thread_id) else "not_noted_nobody"
