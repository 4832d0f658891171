"""What no reply can be is cut, cleaned or refused; it never becomes an exception of another kind."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from support.scripted_endpoint import ScriptedEndpoint, Turn
from veriloop.configs.model_settings import ChatModelSettings, Tier
from veriloop.errors import ModelError
from veriloop.models.budget import Budget, BudgetLimits
from veriloop.models.chat import ChatModel
from veriloop.models.cleaning import well_formed
from veriloop.models.messages import Message
from veriloop.models.structured import structured
from veriloop.nodes.by_model.gate import GateReply, scores_of

PROMPT = [Message("user", "?")]


class Named(BaseModel):
    """A decision with a text and a number."""

    name: str = ""
    number: int = 0


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


def model(endpoint: ScriptedEndpoint) -> ChatModel:
    return ChatModel(ChatModelSettings(base_url=endpoint.base_url, model="scripted", retries=0, max_output_tokens=200))


def budget() -> Budget:
    return Budget(BudgetLimits.for_class("complex"))


@pytest.mark.timeout(60)  # minutes pass where replies are not cut
@pytest.mark.parametrize(
    "text",
    ["{" * 200_000, '{"' * 150_000, "<think>" * 400_000, '{"name": ' + "[" * 20_000, '{"number": ' + "9" * 5_000 + "}"],
    ids=["braces", "quotes", "thinking", "nested", "huge number"],
)
def test_an_absurd_reply_is_refused(endpoint: ScriptedEndpoint, text: str) -> None:
    endpoint.script = [text, text]
    with pytest.raises(ModelError):
        structured(model(endpoint), PROMPT, Named, budget=budget(), language="en")


def test_a_reply_beyond_its_limit_is_cut_and_says_so(endpoint: ScriptedEndpoint) -> None:
    endpoint.script = ["句子。" * 100_000]
    reply = model(endpoint).complete(PROMPT, budget=budget())
    assert reply.finish_reason == "length"
    assert len(reply.text) < 10_000


def test_halves_of_characters_become_question_marks(endpoint: ScriptedEndpoint) -> None:
    endpoint.script = ['{"name": "a\\ud800b", "number": 1}']
    found = structured(model(endpoint), PROMPT, Named, budget=budget(), language="en")
    assert found.name.encode("utf-8")


@pytest.mark.parametrize("usage", [(-5, 3), (0, 0), (10**20, 1)], ids=["negative", "nothing", "huge"])
def test_a_usage_that_cannot_be_is_charged_in_full(endpoint: ScriptedEndpoint, usage: tuple[int, int]) -> None:
    endpoint.script = [Turn(text="ok", usage=usage)]
    meter = budget()
    assert model(endpoint).complete(PROMPT, budget=meter).usage is None
    assert 200 <= meter.usage().tokens < 1_000


def test_a_number_with_four_hundred_digits_makes_no_score_beyond_the_scale() -> None:
    reply = GateReply.model_validate({"complexity": "9" * 400, "sources": 1, "stakes": 1})
    assert scores_of(reply).complexity <= 10


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_sound_values_stay_as_they_are(value: Any) -> None:
    assert well_formed(value) == value


class _Bomb(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        return

    def do_POST(self) -> None:
        content = gzip.compress(b" " * 50_000_000)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def test_a_reply_that_would_unfold_to_gigabytes_is_not_unfolded() -> None:
    server = HTTPServer(("127.0.0.1", 0), _Bomb)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        settings = ChatModelSettings(
            base_url=f"http://127.0.0.1:{server.server_address[1]}/v1", model="bomb", retries=0
        )
        with pytest.raises(ModelError):
            ChatModel(settings).complete(PROMPT, budget=budget(), tier=Tier.STRONG)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
