"""Models that misbehave, in random mixtures, and the question they are asked: what no run may be hurt by."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple

from .responders import broken_json, echo_evidence, fenced, obeys_injected_text, passages_in, thinking
from .scripted_endpoint import RecordedRequest, Turn


class Trait(StrEnum):
    """A way to misbehave."""

    WANTS_MORE = "always wants more"
    REPEATS_CALL = "repeats the same call"
    ALTERNATES = "alternates between two calls"
    ONE_WORD = "changes one word each time"
    BROKEN_JSON = "broken JSON in 30 % of replies"
    FENCED = "replies in a code fence"
    THINKS = "thinks aloud first"
    OTHER_LANGUAGE = "replies in the wrong language"
    EMPTY = "empty replies"
    ENDLESS = "40,000 tokens"
    CONTRADICTS = "contradicts itself"
    LOSES_CONFIDENCE = "loses confidence"
    INVENTS_MARKERS = "invents markers"
    INVENTS_QUOTES = "invents quotes"
    INVENTS_NUMBERS = "invents numbers"
    SWAPS_UNITS = "swaps 8 kW for 8 MW"
    DROPS_NOT = "drops a 不 or a not"
    OTHER_THING = "gives the value of another thing"
    SHORTENS_WORKDAYS = "changes 10 个工作日 to 10 天"
    OBEYS = "obeys an instruction in a document"
    TOO_MANY = "HTTP 429"
    FAILS = "HTTP 500"
    HANGS = "hangs"
    DROPS = "drops the connection"
    PLANS_CYCLE = "plans a cycle"
    PLANS_MANY = "plans 40 sub-tasks"
    PLANS_UNKNOWN = "plans an unknown tool"
    PLANS_BADLY = "plans bad arguments"
    SAYS_SUPPORTED = "calls everything supported"


_CHANCES: dict[Trait, tuple[float, Turn]] = {
    Trait.EMPTY: (0.4, Turn(text="")),
    Trait.TOO_MANY: (0.4, Turn(status=429)),
    Trait.FAILS: (0.4, Turn(status=500)),
    Trait.HANGS: (0.15, Turn(fault="hang")),
    Trait.DROPS: (0.3, Turn(text="x" * 200, fault="drop")),
}
_DIGIT = re.compile(r"\d(?!\d*\])")
_POWER = re.compile(r"\d+ kW")
_NOT = re.compile(r"不(?=得|能|可|超过|少于)|\bnot ")


class Mixture(NamedTuple):
    """One random model and the route-deciding class of question it is asked."""

    seed: int
    traits: frozenset[Trait]

    @classmethod
    def of(cls, seed: int) -> Mixture:
        """One to five traits, by chance."""
        chance = Random(seed)
        return cls(seed, frozenset(chance.sample(list(Trait), chance.randint(1, 5))))


class Adversary:
    """Plays a mixture: a helpful model except for its traits."""

    def __init__(self, mixture: Mixture) -> None:
        self._traits = mixture.traits
        self._chance = Random(mixture.seed)
        self._count = 0

    def __call__(self, request: RecordedRequest) -> Turn:
        """The reply to one request."""
        self._count += 1
        for trait, (share, turn) in _CHANCES.items():
            if trait in self._traits and self._chance.random() < share:
                return turn
        schema = request.schema
        text = self._decision(schema, request) if schema else self._text(request)
        return self._shaped(text, int(request.body.get("max_tokens") or 800), is_json=bool(schema))

    def _shaped(self, text: str, limit: int, *, is_json: bool) -> Turn:
        if Trait.ENDLESS in self._traits and self._chance.random() < 0.3:
            # It would go on for 40,000 tokens; endpoints cut a reply at the limit that they are given.
            return Turn(text=(text + "and so on, " * 20_000)[: limit * 4], usage=(500, limit), finish_reason="length")
        if is_json and Trait.BROKEN_JSON in self._traits and self._chance.random() < 0.3:
            text = broken_json(text)
        if Trait.FENCED in self._traits:
            text = fenced(text)
        if Trait.THINKS in self._traits:
            text = thinking(text)
        return Turn(text=text)

    def _decision(self, schema: str, request: RecordedRequest) -> str:
        makers: dict[str, Callable[[RecordedRequest], Any]] = {
            "GateReply": lambda _: {"complexity": 8, "sources": 8, "stakes": 8},
            "UnderstandReply": self._understanding,
            "PlanReply": self._plan,
            "JudgeReply": self._judgement,
            "ReflectReply": self._reflection,
            "EntailReply": self._entailment,
        }
        reply = makers[schema](request) if schema in makers else {}
        text = json.dumps(reply, ensure_ascii=False)
        return text.replace("answered", "已回答") if Trait.OTHER_LANGUAGE in self._traits else text

    def _understanding(self, request: RecordedRequest) -> dict[str, Any]:
        parts = ["验收期限是多少个工作日？", "HN-3200的额定功率是多少？"]
        return {"question_type": "multi_hop", "combination": "list", "parts": parts, "subjects": ["", ""]}

    def _plan(self, request: RecordedRequest) -> dict[str, Any]:
        def task(number: int, tool: str = "search_documents", **fields: Any) -> dict[str, Any]:
            query = f"第{number}项的内容是什么？ what is item {number}?"
            return {"id": f"t{number}", "question": query, "tool": tool, "arguments": {"query": query}, **fields}

        tasks = [task(1), task(2)]
        if Trait.PLANS_CYCLE in self._traits:
            tasks = [task(1, depends_on=["t2"]), task(2, depends_on=["t1"])]
        if Trait.PLANS_MANY in self._traits:
            tasks = [task(number) for number in range(1, 41)]
        if Trait.PLANS_UNKNOWN in self._traits:
            tasks = [task(1, tool="launch_rocket"), task(2)]
        if Trait.PLANS_BADLY in self._traits:
            tasks = [{**task(1), "arguments": {"query": "", "k": 900}}]
        return {"tasks": tasks}

    def _judgement(self, request: RecordedRequest) -> dict[str, Any]:
        words = ["missing"] if Trait.WANTS_MORE in self._traits else ["answered", "partly", "missing"]
        said = [
            {"number": n, "quote": "", "sufficiency": self._chance.choice(words), "missing": "更多"} for n in (1, 2)
        ]
        return {"verdicts": said}

    def _reflection(self, request: RecordedRequest) -> dict[str, Any]:
        query = f"还缺什么 {self._chance.random():.6f} 内容"
        if Trait.REPEATS_CALL in self._traits:
            query = "设备的验收期限到底是多少个工作日呢"
        if Trait.ALTERNATES in self._traits:
            query = ("设备验收期限是多久", "出差住宿标准是多少")[self._count % 2]
        if Trait.ONE_WORD in self._traits:
            query = f"合同里关于设备验收与付款期限的规定到底是什么{'甲乙丙丁戊'[self._count % 5]}"
        unsure = "不确定，可能不对" if Trait.LOSES_CONFIDENCE in self._traits else ""
        queries = [{"id": f"t{n}", "query": query} for n in (1, 2)]
        return {"thought": unsure, "reason": "insufficient_evidence", "strategy": "rewrite_query", "queries": queries}

    def _entailment(self, request: RecordedRequest) -> dict[str, Any]:
        supported = Trait.SAYS_SUPPORTED in self._traits or self._chance.random() < 0.5
        return {"verdicts": [{"number": n, "supported": supported} for n in range(1, 6)]}

    def _text(self, request: RecordedRequest) -> str:
        """An answer, or sentences written once more."""
        messages = request.body["messages"]
        obeys = Trait.OBEYS in self._traits
        text = obeys_injected_text(messages) if obeys else echo_evidence(messages)
        changes: list[tuple[Trait, Callable[[str], str]]] = [
            (Trait.INVENTS_NUMBERS, lambda t: _DIGIT.sub(lambda d: str((int(d.group()) + 3) % 10), t)),
            (Trait.SWAPS_UNITS, lambda t: t.replace("kW", "MW").replace("EUR", "USD")),
            (Trait.OTHER_THING, lambda t: _exchanged(t, request)),
            (Trait.DROPS_NOT, lambda t: _NOT.sub("", t)),
            (Trait.SHORTENS_WORKDAYS, lambda t: t.replace("个工作日", "天").replace("working days", "days")),
            (Trait.INVENTS_MARKERS, lambda t: re.sub(r"\[\d+\]", "[97]", t)),
            (Trait.INVENTS_QUOTES, lambda t: f"{t}\n双方约定违约金另计77万元[1]。"),
            (Trait.CONTRADICTS, lambda t: f"{t}\n额定功率为9 kW[1]。\n验收期限为3个工作日[1]。"),
            (Trait.OTHER_LANGUAGE, lambda t: f"As the passages say, it is 55 MW[1].\n{t}"),
            (Trait.LOSES_CONFIDENCE, lambda t: f"我不确定，可能不对。\n{t}"),
        ]
        for trait, change in changes:
            if trait in self._traits:
                text = change(text)
        return text


def _exchanged(text: str, request: RecordedRequest) -> str:
    """The answer with each power replaced by another one that stands in the passages."""
    powers = _POWER.findall("\n".join(passage for _, passage in passages_in(request.body["messages"])))

    def other(found: re.Match[str]) -> str:
        return next((power for power in powers if power != found.group()), found.group())

    return _POWER.sub(other, text)
