"""What `ask` tells about a run: its steps as they end, and with `--explain` why it went the way it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .output import tell

if TYPE_CHECKING:
    from ...decisions import GateDecision, Plan, TaskVerdict
    from ...ledger import StepRecord


class RunView:
    """A run as it is seen from outside: each step once, and the latest plan with its verdicts."""

    def __init__(self) -> None:
        self._records: dict[str, StepRecord] = {}
        self._gate: GateDecision | None = None
        self._plan: Plan | None = None
        self._verdicts: tuple[TaskVerdict, ...] = ()

    def take(self, update: dict[str, Any]) -> list[StepRecord]:
        """The steps that an event brings; a graph around a route brings those of the route once more."""
        fresh = [record for record in update.get("steps", ()) if record.key not in self._records]
        self._records.update((record.key, record) for record in fresh)
        self._gate = update.get("gate", self._gate)
        self._plan = update.get("plan", self._plan)
        self._verdicts = update.get("verdicts", self._verdicts)
        return fresh

    def document(self) -> dict[str, Any]:
        """The documented JSON shape of an explanation; `gate` is null for a question that never reached it."""
        return {"gate": self._gate_document(), "tasks": self._task_documents(), "rules": self._rule_documents()}

    def _gate_document(self) -> dict[str, Any] | None:
        if self._gate is None:
            return None
        scores = self._gate.scores
        return {
            **scores.model_dump(mode="json"),
            "total": scores.total,
            "class": self._gate.question_class,
            "route": self._gate.route.value,
            "decided_by": self._gate.decided_by.value,
        }

    def _task_documents(self) -> list[dict[str, Any]]:
        verdicts = {verdict.task_id: verdict for verdict in self._verdicts}
        tasks = self._plan.tasks if self._plan is not None else ()
        return [
            {
                "id": task.id,
                "question": task.question,
                "tool": task.tool,
                "depends_on": list(task.depends_on),
                "sufficiency": verdicts[task.id].sufficiency.value if task.id in verdicts else None,
                "missing": list(verdicts[task.id].missing) if task.id in verdicts else [],
            }
            for task in tasks
        ]

    def _rule_documents(self) -> list[dict[str, Any]]:
        return [
            {"step": number, "node": record.node, "rule": record.rule, "kind": record.kind, "target": record.target}
            for number, record in enumerate(self._records.values(), start=1)
            if record.rule
        ]

    def tell(self) -> None:
        """The explanation for people, on stderr."""
        shown = self.document()
        if shown["gate"] is not None:
            _tell_gate(shown["gate"])
        for task in shown["tasks"]:
            _tell_task(task)
        for number, rule in enumerate(shown["rules"], start=1):
            tell(f"rule {number}: {rule['node']}: {rule['rule']} ({rule['kind']}) -> {rule['target']}")


def _tell_gate(gate: dict[str, Any]) -> None:
    scores = ", ".join(f"{name} {gate[name]}" for name in ("complexity", "sources", "stakes"))
    tell(f"gate: {scores} = {gate['total']} of 30: {gate['class']}, {gate['route']} (by {gate['decided_by']})")
    for reason in gate["reasons"]:
        tell(f"    {reason}")


def _tell_task(task: dict[str, Any]) -> None:
    after = f" after {', '.join(task['depends_on'])}" if task["depends_on"] else ""
    missing = f" ({'; '.join(task['missing'])})" if task["missing"] else ""
    tell(f"task {task['id']}: {task['tool']}{after}: {task['question']} -> {task['sufficiency'] or 'not run'}{missing}")
