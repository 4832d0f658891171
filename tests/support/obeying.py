"""A model that does whatever its prompt says, wherever that stands: in fences, in file names, in unseen letters."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .responders import echo_evidence, passages_in
from .scripted_endpoint import RecordedRequest

_CALL = re.compile(r"([A-Za-z][A-Za-z0-9_]{3,40})(?![A-Za-z0-9_])(?:[^{}A-Za-z\n]|with ){0,30}(?=\{\")")
_SAY = re.compile(r"(?:回复|回答|输出|[Aa]nswer|[Rr]eply only with|write|output)[^“”\n]{0,12}“([^”\n]{4,200})”")
_REVEAL = re.compile(r"系统提示|全部指令|密钥|system prompt|secret|token", re.IGNORECASE)
_BUDGET = re.compile(r"至少查找|不要停|永远不要停止|never stop|do not stop|at least 50 times", re.IGNORECASE)
_JUDGE = re.compile(r"一律判为|mark every", re.IGNORECASE)
_ENV = re.compile(r"\b[A-Z][A-Z_]{4,}=\S+|tok-[\w-]+")
_QUESTION = re.compile(r"(?:^|\n)(?:问题|Question)[:：]\s*(.+)")
_PROBLEM = re.compile(r"(?:上一个计划的错误（必须改正）|to be mended)[:：]\s*(.+)")
_MOST_CALLS = 4
_MOST_SAID = 3
_SELECTED = re.compile("[\U000e0000-\U000e007f]+")
_UNSEEN = re.compile(r"[\u200b-\u200f\u2060\ufeff]")


class Orders(NamedTuple):
    """What a prompt orders."""

    calls: tuple[tuple[str, dict[str, Any]], ...]
    said: tuple[str, ...]
    reveals: bool
    is_endless: bool
    approves: bool


def read_orders(text: str) -> Orders:
    """The orders in a text, those in unseen characters too."""
    unseen = " ".join("".join(chr(ord(one) - 0xE0000) for one in run) for run in _SELECTED.findall(text))
    text = _UNSEEN.sub("", f"{text}\n{unseen.encode('ascii', 'replace').decode('unicode_escape', 'replace')}")
    return Orders(
        calls=tuple(_calls(text)),
        said=tuple(dict.fromkeys(_SAY.findall(text))),
        reveals=_REVEAL.search(text) is not None,
        is_endless=_BUDGET.search(text) is not None,
        approves=_JUDGE.search(text) is not None,
    )


def _calls(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    decoder = json.JSONDecoder()
    position = 0
    while match := _CALL.search(text, position):
        position = match.end()
        try:
            arguments, position = decoder.raw_decode(text, match.end())
        except json.JSONDecodeError:
            continue
        if isinstance(arguments, dict):
            yield match[1], arguments


class Obedient:
    """Plays every decision as the orders in its prompts want it, and else so that more of them come to its eyes.

    Args:
        parts: of the question.
        honest_calls: what it would call for the question without any order, by tool.
    """

    def __init__(self, parts: tuple[str, ...] = (), honest_calls: tuple[tuple[str, dict[str, Any]], ...] = ()) -> None:
        self._parts = parts
        self._honest = honest_calls
        self._reflected = 0
        self.prompts: list[str] = []

    def saw(self, sign: str) -> bool:
        """Whether a sign stood in one of its prompts, letter by letter."""
        return any(sign in prompt for prompt in self.prompts)

    def __call__(self, request: RecordedRequest) -> str:
        """The reply to one request."""
        messages = request.body["messages"]
        shown = "\n".join(str(message["content"]) for message in messages[1:])
        self.prompts.append("\n".join(str(message["content"]) for message in messages))
        orders = read_orders(shown)
        schema = request.schema
        if not schema:
            return self._answer(messages, orders)
        makers: dict[str, Callable[[], dict[str, Any]]] = {
            "GateReply": lambda: {"complexity": 8, "sources": 8, "stakes": 8},
            "UnderstandReply": lambda: self._understanding(shown),
            "PlanReply": lambda: self._plan(shown, orders),
            "JudgeReply": lambda: self._judgement(orders),
            "ReflectReply": lambda: self._reflection(orders),
            "EntailReply": lambda: {"verdicts": [{"number": n, "added": "", "supported": True} for n in range(1, 9)]},
            "CategoryReply": lambda: {"categories": ["actions", "data", "documents"]},
            "ToolReply": lambda: self._choice(shown, orders),
            "ReadPlanReply": lambda: {"blocks": [1, 2, 3]},
            "ReadReply": lambda: self._reading(orders),
        }
        reply: dict[str, Any] = makers[schema]() if schema in makers else {"summary": " ".join(orders.said) or "x"}
        return json.dumps(reply, ensure_ascii=False)

    def _understanding(self, shown: str) -> dict[str, Any]:
        asked = _QUESTION.search(shown)
        parts = list(self._parts) or [asked[1].strip() if asked else "?"]
        return {"question_type": "multi_hop", "combination": "list", "parts": parts, "subjects": [""] * len(parts)}

    def _plan(self, shown: str, orders: Orders) -> dict[str, Any]:
        asked = _QUESTION.search(shown)
        question = asked[1].strip() if asked else "?"
        ordered = dict.fromkeys((tool, json.dumps(arguments)) for tool, arguments in orders.calls)
        wanted = [(tool, json.loads(arguments)) for tool, arguments in list(ordered)[-_MOST_CALLS:]]
        calls: list[tuple[str, dict[str, Any]]] = [*self._honest, *wanted]
        problem = _PROBLEM.search(shown)
        if problem and not problem[1].startswith(("（无）", "(none)")):
            # What could not run is left out, so that the rest of the orders does.
            calls = [(tool, a) for tool, a in calls if f"- {tool}:" in shown and tool == "call_api"]
        calls = [*calls, *(("search_documents", {"query": part}) for part in self._parts or (question,))]
        if orders.is_endless:
            calls = calls * (40 // len(calls))
        tasks = [
            {"id": f"t{n}", "question": self._asked(a, question), "tool": tool, "arguments": a, "depends_on": []}
            for n, (tool, a) in enumerate(calls, start=1)
        ]
        return {"tasks": tasks}

    def _asked(self, arguments: dict[str, Any], question: str) -> str:
        """What a task is for; what its own tools bring answers nothing, so that it is shown when it plans anew."""
        if any(arguments == honest for _, honest in self._honest):
            return self._parts[-1] if self._parts else question
        return str(arguments.get("query", question))

    @staticmethod
    def _choice(shown: str, orders: Orders) -> dict[str, Any]:
        ordered = (tool for tool, _ in orders.calls if f"- {tool}:" in shown)
        return {"tool": next(ordered, "search_documents")}

    def _judgement(self, orders: Orders) -> dict[str, Any]:
        satisfied = orders.approves or (self._reflected > 1 and not orders.is_endless)
        said = orders.said[0] if orders.said else ""
        how = "answered" if satisfied else "missing"
        return {
            "verdicts": [
                {"number": n, "answer": said, "sufficiency": how, "missing": "" if satisfied else "更多"}
                for n in range(1, 8)
            ]
        }

    def _reflection(self, orders: Orders) -> dict[str, Any]:
        self._reflected += 1
        strategy = "replan" if self._reflected == 1 else "rewrite_query"
        query = orders.said[0] if orders.said else f"额定功率 rated power {self._reflected}"
        queries = [{"id": f"t{n}", "query": f"{query} {self._reflected}"} for n in range(1, 7)]
        return {"thought": query, "reason": "insufficient_evidence", "strategy": strategy, "queries": queries}

    @staticmethod
    def _reading(orders: Orders) -> dict[str, Any]:
        said = orders.said[0] if orders.said else ""
        action = "continue" if orders.is_endless or orders.calls else "extract"
        return {"answered": [], "missing": "", "action": action, "quote": said, "note": said, "next_block": "1"}

    @staticmethod
    def _answer(messages: list[dict[str, Any]], orders: Orders) -> str:
        lines = [f"{said}[{n}]。" for n, said in enumerate(orders.said[:_MOST_SAID], start=1)]
        lines += list(orders.said[:_MOST_SAID])
        if orders.reveals:
            everything = "\n".join(str(message["content"]) for message in messages)
            system = str(messages[0]["content"]).replace("\n", " ")
            lines += [f"{system[:400]}[1]。", system, *_ENV.findall(everything)]
        numbers = "".join(f"[{number}]" for number, _ in passages_in(messages)[:2])
        return "\n".join([*lines, f"所有责任均已免除{numbers}[97]。", echo_evidence(messages)])
