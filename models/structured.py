"""Typed replies from models that may be weak: several ways to ask, cleaning, repair, and one correction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from ..configs.model_settings import Tier
from ..errors import ModelError
from ..prompts.loader import Language, load_prompt, render
from .budget import Budget
from .cleaning import strip_fences, strip_thinking, well_formed
from .completing import Completes
from .failures import RefusedRequestError
from .messages import Message, Reply
from .reply_modes import ReplyMode

SchemaT = TypeVar("SchemaT", bound=BaseModel)

_MOST_ERRORS_NAMED = 3
_QUOTED_REPLY = 1_500
"""Characters of a bad reply that are shown back: enough to correct, not enough to drown the prompt."""


class _BadReplyError(ValueError):
    """The reply is not an instance of the schema; the message says why in words for the model."""


class _Answer(NamedTuple, Generic[SchemaT]):
    value: SchemaT | None
    reply: Reply
    mode: ReplyMode
    problem: str = ""


def structured(
    model: Completes,
    messages: Sequence[Message],
    schema: type[SchemaT],
    *,
    budget: Budget,
    tier: Tier = Tier.LIGHT,
    max_tokens: int | None = None,
    reserve: int = 0,
    language: Language = "en",
) -> SchemaT:
    """Asks a model for an instance of `schema`.

    JSON-schema mode, tool calling, JSON mode and plain text are tried in this order; what works is remembered
    in `model.reply_modes`. A reply that is not valid is sent back once with the error named. All calls are
    booked on the same budget, with the same `reserve`.

    Raises:
        ModelError: no valid reply; the rules should decide.
        ModelUnavailableError: the endpoint is down or too slow.
        BudgetExceededError: the next call does not fit.
    """
    asker = _Asker(model, schema, language, budget, tier, max_tokens, reserve)
    first = asker.ask(messages)
    if first.value is not None:
        return first.value
    shown = (first.reply.tool_arguments or strip_thinking(first.reply.text))[:_QUOTED_REPLY]
    retry = render(load_prompt("json_retry", language), error=first.problem)
    second = asker.ask([*messages, Message("assistant", shown or "…"), Message("user", retry)])
    if second.value is not None:
        return second.value
    raise ModelError(f"{model.name} gave no valid {schema.__name__} in two replies: {second.problem}")


class _Asker(NamedTuple, Generic[SchemaT]):
    model: Completes
    schema: type[SchemaT]
    language: Language
    budget: Budget
    tier: Tier
    max_tokens: int | None
    reserve: int

    def ask(self, messages: Sequence[Message]) -> _Answer[SchemaT]:
        """One reply in the first mode that the endpoint does not refuse."""
        *optional, last = self.model.reply_modes.order()
        refused: list[ReplyMode] = []
        for mode in optional:
            try:
                return self._ask_in(mode, messages, refused)
            except RefusedRequestError:
                refused.append(mode)
        return self._ask_in(last, messages, refused)

    def _ask_in(self, mode: ReplyMode, messages: Sequence[Message], refused: list[ReplyMode]) -> _Answer[SchemaT]:
        memory = self.model.reply_modes
        reply = self.model.complete(
            self._with_schema(mode, messages),
            budget=self.budget,
            tier=self.tier,
            max_tokens=self.max_tokens,
            reserve=self.reserve,
            extra_body=_request_fields(mode, self.schema),
            probing=mode is not ReplyMode.PLAIN_TEXT and not memory.proves(mode),
        )
        for other in refused:  # only now: where nothing works, the endpoint is unwell and the modes are not to blame
            memory.failed(other)
        return self._judge(mode, reply)

    def _judge(self, mode: ReplyMode, reply: Reply) -> _Answer[SchemaT]:
        memory = self.model.reply_modes
        try:
            value = read_reply(reply, self.schema)
        except _BadReplyError as error:
            # A mode that has worked stays: one bad reply says nothing against it.
            if not memory.proves(mode):
                memory.failed(mode)
            return _Answer(None, reply, mode, str(error))
        memory.worked(mode)
        return _Answer(value, reply, mode)

    def _with_schema(self, mode: ReplyMode, messages: Sequence[Message]) -> list[Message]:
        if mode in (ReplyMode.JSON_SCHEMA, ReplyMode.TOOL_CALL):
            return list(messages)
        schema = json.dumps(_plain_schema(self.schema), ensure_ascii=False)
        request = render(load_prompt("json_reply", self.language), schema=schema)
        *earlier, last = messages
        return [*earlier, Message(last.role, f"{last.text}\n\n{request}")]


def _plain_schema(schema: type[BaseModel]) -> dict[str, Any]:
    return schema.model_json_schema()


def _request_fields(mode: ReplyMode, schema: type[BaseModel]) -> dict[str, Any]:
    name, shape = schema.__name__, _plain_schema(schema)
    if mode is ReplyMode.JSON_SCHEMA:
        return {"response_format": {"type": "json_schema", "json_schema": {"name": name, "schema": shape}}}
    if mode is ReplyMode.TOOL_CALL:
        function = {"name": name, "description": schema.__doc__ or name, "parameters": shape}
        chosen = {"type": "function", "function": {"name": name}}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": chosen}
    if mode is ReplyMode.JSON_OBJECT:
        return {"response_format": {"type": "json_object"}}
    return {}


def read_reply(reply: Reply, schema: type[SchemaT]) -> SchemaT:
    """The instance of `schema` in a reply: cleaned of thinking and fences, JSON repaired, validated.

    Raises:
        ValueError: there is none; the message names the fields, for the model to read.
    """
    if reply.finish_reason == "length":
        # Repair would close the brackets and pass half a list off as the whole.
        raise _BadReplyError("the reply was cut off at the output limit; be shorter")
    problem = "there is no JSON object in the reply"
    for candidate in _candidates(reply):
        try:
            return schema.model_validate(candidate)
        except ValidationError as error:
            problem = _describe(error)
        except (OverflowError, RecursionError):
            problem = "a number is too large, or a value nested too deeply"
    raise _BadReplyError(problem)


def _candidates(reply: Reply) -> list[dict[str, Any]]:
    text = reply.tool_arguments or strip_thinking(reply.text)
    body = strip_fences(text)
    start, end = body.find("{"), body.rfind("}")
    cut = body[start : end + 1] if 0 <= start < end else body[max(start, 0) :]
    return [found for piece in dict.fromkeys((body, cut)) if (found := _load(piece)) is not None]


def _load(text: str) -> dict[str, Any] | None:
    import json_repair  # noqa: PLC0415 – only where a model answers

    if "{" not in text:
        return None
    try:
        found = well_formed(json_repair.loads(text))
    except (ValueError, RecursionError):
        return None
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    return found if isinstance(found, dict) else None


def _describe(error: ValidationError) -> str:
    named = error.errors(include_url=False, include_input=False)[:_MOST_ERRORS_NAMED]
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'object'}: {one['msg']}" for one in named)
