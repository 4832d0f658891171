"""The agent over HTTP through LangServe (extra `serve`), for applications that speak LangChain's protocol."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NotRequired

from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import ConfigDict
from typing_extensions import TypedDict  # LangServe's schemas refuse that of `typing` before Python 3.12

from ..errors import MissingExtraError, UsageError
from ..graphs.assembly import build_agent
from ..graphs.checkpoints import kept_threads
from ..graphs.session import Agent, new_thread
from ..graphs.waiting import drop_expired
from ..knowledge.documents import Caller
from ..knowledge.library import Library
from ..state import Answer

if TYPE_CHECKING:
    from fastapi import FastAPI, Request
    from fastapi.responses import JSONResponse

PATH = "/veriloop"
# Who has decided: the adapter knows no users, a gateway in front of it does.
_CLIENT = "client over HTTP"
_UNPROCESSABLE = 422
_TOKEN = re.compile(r"[0-9A-Za-z-]{1,64}")
"""What names of threads are made of."""


_SHAPES = ("QuestionInput", "ResumeInput")
"""Of inputs: pydantic names them where it says what is wrong."""


class QuestionInput(TypedDict):
    """What a client sends; other fields are refused, so that nobody believes to have chosen a caller."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    question: str


class DecisionInput(TypedDict):
    """What a client has decided about one call."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    approval_id: str
    decision: Literal["approve", "edit", "reject"]
    digest: NotRequired[str]
    """Of the request that is decided; consent and edits need it."""
    arguments: NotRequired[dict[str, Any]]
    """Of an edit: what should run instead."""
    comment: NotRequired[str]


class ResumeInput(TypedDict):
    """What a client sends to go on with a run that waits; the answer has named the thread."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    thread_id: str
    resume: list[DecisionInput]


def langserve_runnable(agent: Agent) -> Runnable[Any, dict[str, Any]]:
    """The agent with plain input and output: ``{"question": …}`` in, the fields of an `Answer` as JSON out.

    The client's configuration is not handed on; the library and the caller are those of the agent. Where the agent
    keeps threads, an answer that needs consent names one, and ``{"thread_id": …, "resume": […]}`` goes on with it.
    """
    return _resumable(agent) if agent.keeps_threads else _plain(agent)


def _resumable(agent: Agent) -> Runnable[QuestionInput | ResumeInput, dict[str, Any]]:
    def answer(given: Any) -> dict[str, Any]:
        token = given["thread_id"] if "resume" in given else new_thread()
        if not _TOKEN.fullmatch(token):
            raise UsageError("there is no such thread of this caller here")
        # With the caller in its name no client's thread can be that of another caller of the same file.
        thread_id = f"{agent.identity}-{token}"
        if "resume" in given:
            try:
                found = agent.resume(thread_id, _decisions(given["resume"]))
            except UsageError as error:
                raise UsageError(str(error).replace(thread_id, token)) from None
        else:
            found = agent.ask(given["question"], thread_id)
            if not found.approvals:
                agent.forget(thread_id)
        return found.model_copy(update={"thread_id": token if found.approvals else ""}).model_dump(mode="json")

    runnable = RunnableLambda(answer, name="veriloop")
    return runnable.with_types(input_type=QuestionInput | ResumeInput, output_type=Answer)  # type: ignore[arg-type]


def _decisions(given: list[DecisionInput]) -> dict[str, dict[str, Any]]:
    """The decisions by call.

    Raises:
        UsageError: two are about one call, and nobody can tell which one counts.
    """
    found = {one["approval_id"]: _decision(one) for one in given}
    if len(found) < len(given):
        raise UsageError("two of these decisions are about one call: send one for each")
    return found


def _decision(given: DecisionInput) -> dict[str, Any]:
    return {**{name: value for name, value in given.items() if name != "approval_id"}, "decided_by": _CLIENT}


def _plain(agent: Agent) -> Runnable[QuestionInput, dict[str, Any]]:
    def answer(given: QuestionInput) -> dict[str, Any]:
        return agent.invoke({"question": given["question"]})["answer"].model_dump(mode="json")

    async def answer_async(given: QuestionInput) -> dict[str, Any]:
        output = await agent.ainvoke({"question": given["question"]})
        return output["answer"].model_dump(mode="json")

    runnable = RunnableLambda(answer, afunc=answer_async, name="veriloop")
    return runnable.with_types(input_type=QuestionInput, output_type=Answer)  # type: ignore[arg-type]


def create_app(library: Library, caller: Caller | None = None) -> FastAPI:
    """A web application that answers at ``/veriloop/invoke``, ``/batch`` and ``/stream``, and says ``/health``.

    It knows no users: whoever reaches it reads on behalf of `caller`, and whoever is told of a run that waits may agree
    to its calls. Serve it on the loopback address, or behind a gateway that checks who asks and who may agree. Runs
    that wait are kept beside the library, and go on after a restart.

    Args:
        library: what is asked.
        caller: on whose behalf all clients ask; default: someone who may read only documents open to everyone.

    Raises:
        MissingExtraError: the extra `serve` is not installed.
    """
    if any(find_spec(module) is None for module in ("fastapi", "langserve", "sse_starlette")):
        raise MissingExtraError("serving over HTTP", "serve")
    from fastapi import FastAPI  # noqa: PLC0415 – optional
    from fastapi.exceptions import RequestValidationError  # noqa: PLC0415 – optional
    from langserve import add_routes  # noqa: PLC0415 – optional

    agent, resources = build_agent(library, caller=caller), ExitStack()
    if agent.may_need_consent:
        drop_expired(library)
        agent = build_agent(library, caller=caller, checkpointer=resources.enter_context(kept_threads(library)))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        with resources:
            yield

    # The generated pages of documentation would load scripts from another host.
    app = FastAPI(title="Veriloop", docs_url=None, redoc_url=None, lifespan=lifespan)
    app.add_exception_handler(UsageError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    add_routes(
        app,
        langserve_runnable(agent),
        path=PATH,
        config_keys=(),
        # Not `stream_log` and `stream_events`, which send the whole state of a run to the client.
        enabled_endpoints=("invoke", "batch", "stream", "input_schema", "output_schema"),
        enable_feedback_endpoint=False,
    )
    app.add_api_route("/health", lambda: {"status": "ok", "library_version": library.version}, methods=["GET"])
    return app


async def _refused(_: Request, error: Exception) -> JSONResponse:
    """What a client has asked for cannot be done: a thread that is not theirs, a decision that is none."""
    from fastapi.responses import JSONResponse  # noqa: PLC0415 – optional

    return JSONResponse({"detail": str(error)}, status_code=_UNPROCESSABLE)


async def _malformed(_: Request, error: Exception) -> JSONResponse:
    """Input of neither shape: the one reason, and not what is wrong with it by every shape that there is."""
    from fastapi.exceptions import RequestValidationError  # noqa: PLC0415 – optional
    from fastapi.responses import JSONResponse  # noqa: PLC0415 – optional

    faults = error.errors() if isinstance(error, RequestValidationError) else ()
    return JSONResponse({"detail": malformed_reason(faults)}, status_code=_UNPROCESSABLE)


def malformed_reason(faults: Sequence[Any]) -> str:
    """What is wrong with an input: by the shape that it comes nearest to, the first fault."""
    by_shape: dict[str, list[Any]] = {}
    for fault in faults:
        place = fault.get("loc", ()) if isinstance(fault, dict) else ()
        by_shape.setdefault(str(place[0]) if place and place[0] in _SHAPES else "", []).append(fault)
    if not by_shape:
        return "the request cannot be read"
    fault = min(by_shape.values(), key=len)[0]
    if not isinstance(fault, dict):
        return str(fault)
    place = ".".join(str(part) for part in fault.get("loc", ()) if part not in _SHAPES)
    return f"{place}: {fault.get('msg', 'cannot be read')}" if place else str(fault.get("msg", "cannot be read"))
