"""A real server answers over HTTP what the agent answers, and a client cannot become someone else (extra: serve)."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from support.documents import SECRET, filled, write
from veriloop import Caller, Library, add_files, build_agent
from veriloop.errors import MissingExtraError
from veriloop.serving import langserve as serving
from veriloop.serving.langserve import QuestionInput, create_app, langserve_runnable
from veriloop.state import Answer

needs_serve = pytest.mark.skipif(
    any(find_spec(module) is None for module in ("langserve", "fastapi", "uvicorn", "sse_starlette")),
    reason="needs the extra `serve`: pip install -e '.[serve]'",
)
extras = [pytest.mark.extras, needs_serve]

QUESTIONS = {
    "验收应当在多少个工作日内组织？": "10个工作日",
    "How much may employees spend per night on a hotel?": "120 EUR",
}
SALARY = "总经理的年薪是多少？"


class Served(NamedTuple):
    """A running server and the library behind it."""

    url: str
    library: Library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with filled(tmp_path) as library:
        add_files(library, [write(tmp_path / "closed", salary=SECRET)], readers=frozenset({"board"}))
        yield library


def _serve(library: Library, caller: Caller | None = None) -> Iterator[Served]:
    import uvicorn

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(create_app(library, caller), log_level="error", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", library)
        finally:
            server.should_exit = True
            thread.join(30)


@pytest.fixture
def served(library: Library) -> Iterator[Served]:
    yield from _serve(library)


@pytest.fixture
def served_to_board(library: Library) -> Iterator[Served]:
    yield from _serve(library, Caller(readers=frozenset({"board"})))


def call(url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def refusal(url: str, body: dict[str, Any] | None = None) -> int:
    with pytest.raises(urllib.error.HTTPError) as caught:
        call(url, body)
    with caught.value as response:
        return response.code


def without_run(answer: Answer) -> dict[str, Any]:
    """What two runs of one question share."""
    return answer.model_dump(mode="json", exclude={"usage", "trace_id"})


class TestOverHttp:
    """The endpoints as any program sees them."""

    pytestmark = extras

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_a_question_is_answered_as_in_process(self, question: str, served: Served) -> None:
        output = call(f"{served.url}/veriloop/invoke", {"input": {"question": question}})["output"]
        answer = Answer.model_validate(output)
        assert QUESTIONS[question] in answer.text
        assert answer.citations
        assert without_run(answer) == without_run(build_agent(served.library).ask(question))

    def test_several_questions_are_answered_in_one_call(self, served: Served) -> None:
        inputs = [{"question": question} for question in QUESTIONS]
        outputs = call(f"{served.url}/veriloop/batch", {"inputs": inputs})["output"]
        assert [output["question"] for output in outputs] == list(QUESTIONS)
        assert all(part in output["text"] for part, output in zip(QUESTIONS.values(), outputs, strict=True))

    def test_the_input_has_a_question_and_nothing_else(self, served: Served) -> None:
        request = urllib.request.Request(f"{served.url}/veriloop/input_schema", method="GET")
        with urllib.request.urlopen(request, timeout=60) as response:
            schema = json.load(response)
        schema = schema["$defs"]["QuestionInput"] if "$ref" in schema else schema
        assert schema["properties"] == {"question": {"title": "Question", "type": "string"}}
        assert (schema["required"], schema["additionalProperties"]) == (["question"], False)

    def test_the_output_schema_is_that_of_an_answer(self, served: Served) -> None:
        schema = call(f"{served.url}/veriloop/output_schema")
        assert set(schema["properties"]) == set(Answer.model_fields)

    def test_an_empty_question_gets_an_answer_that_says_so(self, served: Served) -> None:
        output = call(f"{served.url}/veriloop/invoke", {"input": {"question": "  "}})["output"]
        assert Answer.model_validate(output).status == "clarify"

    def test_the_server_says_that_it_is_well(self, served: Served) -> None:
        assert call(f"{served.url}/health") == {"status": "ok", "library_version": served.library.version}

    def test_the_api_describes_itself(self, served: Served) -> None:
        assert "/veriloop/invoke" in call(f"{served.url}/openapi.json")["paths"]

    @pytest.mark.parametrize("path", ["playground/", "stream_log", "stream_events", "config_schema", "feedback"])
    def test_other_endpoints_of_langserve_are_closed(self, path: str, served: Served) -> None:
        assert refusal(f"{served.url}/veriloop/{path}") == 404
        assert refusal(f"{served.url}/veriloop/{path}", {"input": {"question": "?"}}) == 404


class TestRemoteRunnable:
    """LangServe's own client."""

    pytestmark = extras

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_it_invokes_batches_and_streams(self, question: str, served: Served) -> None:
        from langserve import RemoteRunnable

        remote: Any = RemoteRunnable(f"{served.url}/veriloop/")
        answers = [
            remote.invoke({"question": question}),
            *remote.batch([{"question": question}] * 2),
            *remote.stream({"question": question}),
        ]
        assert len(answers) == 4
        assert all(QUESTIONS[question] in answer["text"] for answer in answers)


CLAIMS: list[dict[str, Any]] = [
    {"input": {"question": SALARY, "readers": ["board"]}},
    {"input": {"question": SALARY, "caller": {"is_owner": True}}},
]
IGNORED: list[dict[str, Any]] = [
    {"input": {"question": SALARY}},
    {"input": {"question": SALARY}, "config": {"configurable": {"caller": {"is_owner": True}}}},
    {"input": {"question": SALARY}, "kwargs": {"context": {"caller": {"is_owner": True}}}},
    {"input": {"question": SALARY}, "config": {"metadata": {"caller": "owner"}}, "context": {"is_owner": True}},
]


class TestCaller:
    """On whose behalf is read is the host's decision."""

    pytestmark = extras

    @pytest.mark.parametrize("body", CLAIMS)
    def test_a_claim_to_be_someone_is_refused(self, body: dict[str, Any], served: Served) -> None:
        assert refusal(f"{served.url}/veriloop/invoke", body) == 422

    @pytest.mark.parametrize("body", IGNORED)
    def test_what_is_not_refused_does_not_help(self, body: dict[str, Any], served: Served) -> None:
        output = call(f"{served.url}/veriloop/invoke", body)["output"]
        shown = json.dumps(output, ensure_ascii=False)
        assert "300万" not in shown
        assert "薪酬" not in shown

    def test_the_host_can_serve_a_closed_document_to_its_readers(self, served_to_board: Served) -> None:
        output = call(f"{served_to_board.url}/veriloop/invoke", {"input": {"question": SALARY}})["output"]
        assert "300万元" in output["text"]


def test_the_adapter_itself_needs_no_extra(library: Library) -> None:
    runnable = langserve_runnable(build_agent(library))
    for question, expected in QUESTIONS.items():
        assert expected in runnable.invoke(cast(QuestionInput, {"question": question}))["text"]


def test_without_the_extra_serving_names_it(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"serving over HTTP .*veriloop\[serve\]"):
        create_app(library)
