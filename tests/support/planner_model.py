"""A well-behaved scripted model: it understands, plans, judges, reflects and answers, and keeps count."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from .responders import echo_evidence
from .scripted_endpoint import RecordedRequest


class PlannerModel:
    """Plays every decision sensibly.

    Args:
        parts: the sub-questions that it sees in the question.
        satisfied: whether it ever finds the evidence sufficient; if not, it asks for something else each time.
    """

    def __init__(self, *parts: str, satisfied: bool = True, combination: str = "list") -> None:
        self._parts = parts
        self._satisfied = satisfied
        self._combination = combination
        self.calls: Counter[str] = Counter()
        self.prompts: list[RecordedRequest] = []

    def __call__(self, request: RecordedRequest) -> str:
        """The reply to one request."""
        kind = request.schema or "text"
        self.calls[kind] += 1
        self.prompts.append(request)
        replies: dict[str, dict[str, Any]] = {
            "GateReply": {"complexity": 8, "sources": 8, "stakes": 8},
            "UnderstandReply": {
                "question_type": "multi_hop",
                "combination": self._combination,
                "parts": list(self._parts),
                "subjects": ["" for _ in self._parts],
            },
            "PlanReply": {"tasks": [self._task(n, part) for n, part in enumerate(self._parts, start=1)]},
            "JudgeReply": {"verdicts": [self._verdict(n) for n in range(1, 7)]},
            "ReflectReply": self._reflection(),
            "EntailReply": {"verdicts": [{"number": n, "supported": True} for n in range(1, 7)]},
        }
        return json.dumps(replies[kind], ensure_ascii=False) if kind in replies else echo_evidence(_messages(request))

    @staticmethod
    def _task(number: int, part: str) -> dict[str, Any]:
        return {"id": f"t{number}", "question": part, "tool": "search_documents", "arguments": {"query": part}}

    def _verdict(self, number: int) -> dict[str, Any]:
        how = "answered" if self._satisfied else "missing"
        return {"number": number, "quote": "", "sufficiency": how, "missing": "" if self._satisfied else "更多"}

    def _reflection(self) -> dict[str, Any]:
        things = ("验收的期限", "质量的保证", "逾期的违约金", "住宿的标准", "航班的舱位")
        thing = things[self.calls["ReflectReply"] % len(things)]
        queries = [{"id": f"t{n}", "query": f"{thing}是什么规定"} for n in range(1, 7)]
        return {"thought": "", "reason": "insufficient_evidence", "strategy": "rewrite_query", "queries": queries}


def _messages(request: RecordedRequest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = request.body["messages"]
    return found
