"""The agent over HTTP through LangServe (extra `serve`), for applications that speak LangChain's protocol."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import ConfigDict
from typing_extensions import TypedDict  # LangServe's schemas refuse that of `typing` before Python 3.12

from ..errors import MissingExtraError
from ..graphs.session import Agent, build_agent
from ..knowledge.documents import Caller
from ..knowledge.library import Library
from ..state import Answer

if TYPE_CHECKING:
    from fastapi import FastAPI

PATH = "/veriloop"


class QuestionInput(TypedDict):
    """What a client sends; other fields are refused, so that nobody believes to have chosen a caller."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    question: str


def langserve_runnable(agent: Agent) -> Runnable[QuestionInput, dict[str, Any]]:
    """The agent with plain input and output: ``{"question": …}`` in, the fields of an `Answer` as JSON out.

    The client's configuration is not handed on; the library and the caller are those of the agent.
    """

    def answer(given: QuestionInput) -> dict[str, Any]:
        return agent.invoke({"question": given["question"]})["answer"].model_dump(mode="json")

    async def answer_async(given: QuestionInput) -> dict[str, Any]:
        output = await agent.ainvoke({"question": given["question"]})
        return output["answer"].model_dump(mode="json")

    runnable = RunnableLambda(answer, afunc=answer_async, name="veriloop")
    return runnable.with_types(input_type=QuestionInput, output_type=Answer)  # type: ignore[arg-type]


def create_app(library: Library, caller: Caller | None = None) -> FastAPI:
    """A web application that answers at ``/veriloop/invoke``, ``/batch`` and ``/stream``, and says ``/health``.

    It knows no users: whoever reaches it reads on behalf of `caller`. Serve it on the loopback address, or behind a
    gateway that checks who asks.

    Args:
        library: what is asked.
        caller: on whose behalf all clients ask; default: someone who may read only documents open to everyone.

    Raises:
        MissingExtraError: the extra `serve` is not installed.
    """
    if any(find_spec(module) is None for module in ("fastapi", "langserve", "sse_starlette")):
        raise MissingExtraError("serving over HTTP", "serve")
    from fastapi import FastAPI  # noqa: PLC0415 – optional
    from langserve import add_routes  # noqa: PLC0415 – optional

    # The generated pages of documentation would load scripts from another host.
    app = FastAPI(title="Veriloop", docs_url=None, redoc_url=None)
    add_routes(
        app,
        langserve_runnable(build_agent(library, caller=caller)),
        path=PATH,
        config_keys=(),
        # Not `stream_log` and `stream_events`, which send the whole state of a run to the client.
        enabled_endpoints=("invoke", "batch", "stream", "input_schema", "output_schema"),
        enable_feedback_endpoint=False,
    )
    app.add_api_route("/health", lambda: {"status": "ok", "library_version": library.version}, methods=["GET"])
    return app
