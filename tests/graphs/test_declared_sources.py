"""What is declared and fails, or cannot be used, is told as that, and takes nothing else away; tools are added."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel
from support.api_server import ApiServer, Reply
from support.documents import filled, lexical_settings
from veriloop import Answer, Caller, Library, build_agent
from veriloop.configs.api_settings import ApiSettings
from veriloop.configs.database_settings import DatabaseSettings
from veriloop.configs.settings import Settings
from veriloop.state import AnswerStatus
from veriloop.tools.assembly import ToolNeeds, make_offers
from veriloop.tools.contracts import ArgumentsFound, Tool, ToolOutput
from veriloop.tools.results import result_hit
from veriloop.tools.soundness import declared_problems

EXAMPLE = Path(__file__).parents[2] / "examples" / "orders_api.yaml"
IN_DOCUMENTS = "How much may employees spend per night on a hotel?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with ApiServer() as api:
        api.reply = Reply({"error": "no such order"}, status=404)
        orders = ApiSettings(
            file=EXAMPLE, base_url=api.base_url, allow_http=True, allow_private=True,
            operations=("get_order", "cancel_order"),
        )  # fmt: skip
        folder = tmp_path_factory.mktemp("declared")
        apis = {
            "orders": orders,
            "secret": orders.model_copy(
                update={"operations": ("salary",), "headers": {"Authorization": "env:VERY_UNSET"}}
            ),
            "gone": ApiSettings(file=folder / "none.yaml"),
        }
        databases = {"sales": DatabaseSettings(path=folder / "none.db", tables=("orders",))}
        with filled(folder, settings=with_tools(apis=apis, databases=databases)) as opened:
            yield opened


def with_tools(**sections: object) -> Settings:
    settings = lexical_settings()
    return settings.model_copy(update={"tools": settings.tools.model_copy(update=sections)})


def ask(library: Library, question: str) -> Answer:
    return build_agent(library, caller=Caller.owner()).ask(question)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("订单SO-20391到哪了？", "对方返回状态 404"),
        ("Where is order SO-20391?", "status 404"),
        ("请帮我取消订单SO-20391", "还需要说明：reason"),
        ("Please cancel order SO-20391", "please also state: reason"),
    ],
)
def test_a_call_that_failed_or_lacks_something_is_told_and_not_that_documents_lack_it(
    library: Library, question: str, said: str
) -> None:
    answer = ask(library, question)
    assert answer.status is AnswerStatus.INSUFFICIENT and answer.library_version == library.version
    assert said in answer.text and not any(said in note for note in answer.notes)
    assert "资料库" not in answer.text and "documents" not in answer.text


def test_what_is_broken_is_reported_and_stops_no_question(library: Library) -> None:
    offers = make_offers(ToolNeeds(library, Caller.owner()))
    assert "call_api" in {tool.name for tool in offers.tools}
    assert "call_api gone" in {one.name for one in offers.missing}
    assert [one.name for one in declared_problems(library, Caller.owner())] == ["call_api gone", "query_sql sales"]
    assert "120" in ask(library, IN_DOCUMENTS).text
    notes = "\n".join(ask(library, "火星基地的预算是多少？").notes)
    assert "call_api gone" in notes and "query_sql sales" in notes


class Harbour(BaseModel):
    harbour: str


def tide_table(name: str) -> Tool:
    def by_rules(question: str) -> ArgumentsFound | None:
        return ArgumentsFound({"harbour": "Husum"}, 0.95) if "high water in Husum" in question else None

    def run(arguments: Harbour) -> ToolOutput:
        text = f"High water in {arguments.harbour} is at 06:12."
        return ToolOutput(hits=(result_hit(name, "harbour office", text),), short_answer="06:12")

    return Tool(name=name, description="High water at a harbour.", arguments=Harbour, run=run, by_rules=by_rules)


def test_a_tool_of_ones_own_joins_the_products(library: Library) -> None:
    agent = build_agent(library, tools=[tide_table("tides")])
    assert "06:12" in agent.ask("When is high water in Husum?").text
    assert "120" in agent.ask(IN_DOCUMENTS).text


def test_a_tool_of_the_same_name_takes_the_place_of_the_products_and_only_tools_that_of_all(library: Library) -> None:
    agent = build_agent(library, tools=[tide_table("calculate")])
    assert "06:12" in agent.ask("When is high water in Husum?").text
    assert "120" in agent.ask(IN_DOCUMENTS).text
    alone = build_agent(library, only_tools=[tide_table("search_documents")])
    assert "120" not in alone.ask(IN_DOCUMENTS).text
