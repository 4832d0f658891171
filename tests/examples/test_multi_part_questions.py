"""The questions of several parts ask for what the example documents really say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.benchmarks import benchmark
from support.documents import lexical_settings
from veriloop import Caller, Library, add_files

ROOT = Path(__file__).parent.parent.parent
QUESTIONS = ROOT / "examples" / "multi_part_questions.jsonl"
LOOP = benchmark("loop")
FACTS = benchmark("facts")
CASES = LOOP.read_cases(QUESTIONS)
_BLANKS = re.compile(r"[\s|]")


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The text of each example document, as the library's blocks hold it."""
    with Library.open(tmp_path_factory.mktemp("library"), lexical_settings()) as library:
        assert not add_files(library, [ROOT / "examples" / "library"]).failed
        documents = [summary.document for summary in library.documents(Caller.owner())]
        yield {
            document.name: "\n".join(block.text for block in library.blocks(document.doc_id, Caller.owner()))
            for document in documents
        }


def _bare(text: str) -> str:
    return _BLANKS.sub("", text)


def test_the_set_holds_the_four_kinds_in_both_languages() -> None:
    types = Counter(case.type for case in CASES)
    assert types == {"multi_hop": 20, "comparison": 20, "conflict": 10, "unanswerable": 10}
    assert Counter(case.language for case in CASES)["en"] >= 24
    assert len({case.id for case in CASES}) == len({case.question for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_evidence_stands_in_the_documents_named(case: Any, texts: dict[str, str]) -> None:
    bare = {name: _bare(texts[name]) for name in case.documents}
    quoted = {name for piece in case.evidence for name, text in bare.items() if _bare(piece) in text}
    for piece in case.evidence:
        assert any(_bare(piece) in text for text in bare.values()), piece
    assert quoted == set(case.documents)  # and no document is named without evidence in it


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_fact_stands_in_the_documents_named(case: Any, texts: dict[str, str]) -> None:
    joined = "\n".join(texts[name] for name in case.documents)
    assert FACTS.missing_facts(joined, case.all_of) == []
    assert not FACTS.missing_facts("\n".join(case.evidence), case.all_of)


@pytest.mark.parametrize("case", [case for case in CASES if case.computed], ids=lambda case: case.id)
def test_every_computed_value_follows_from_quoted_operands(case: Any) -> None:
    computed, evidence = case.computed, "\n".join(case.evidence)
    assert _number(computed.values[0]) == _result(computed.operation, computed.operands)
    assert not FACTS.missing_facts(evidence, [(operand, _chinese_date(operand)) for operand in computed.operands])


def _result(operation: str, operands: tuple[str, ...]) -> Decimal:
    if operation == "count":
        return Decimal(len(operands))
    if operation == "days":
        first, second = (date.fromisoformat(operand) for operand in operands)
        return Decimal(abs((second - first).days))
    numbers = [_number(operand) for operand in operands]
    return sum(numbers, Decimal()) if operation == "sum" else abs(numbers[0] - numbers[1])


def _number(text: str) -> Decimal:
    found = re.search(r"\d+(?:\.\d+)?", text.replace(",", ""))
    assert found is not None
    return Decimal(found.group())


def _chinese_date(text: str) -> str:
    return re.sub(r"^(\d{4})-0?(\d+)-0?(\d+)$", r"\1年\2月\3日", text)


@pytest.mark.parametrize("case", [case for case in CASES if case.type == "conflict"], ids=lambda case: case.id)
def test_conflicting_values_stand_in_different_documents(case: Any, texts: dict[str, str]) -> None:
    (first, second), (quoted, other) = case.all_of, case.evidence
    assert FACTS.states(quoted, first)
    assert FACTS.states(other, second) and not FACTS.states(quoted, second)
    assert _holders(quoted, texts) and _holders(other, texts)
    assert _holders(quoted, texts).isdisjoint(_holders(other, texts))
    assert not re.search(r"20\d\d|现行|版|edition", case.question)
    assert not case.current or case.current in case.all_of


def _holders(piece: str, texts: dict[str, str]) -> set[str]:
    return {name for name, text in texts.items() if _bare(piece) in _bare(text)}


def test_partly_answerable_questions_say_what_must_be_found_and_what_is_missing() -> None:
    unanswerable = [case for case in CASES if case.type == "unanswerable"]
    partly = [case for case in unanswerable if case.is_partly_answerable]
    assert len(partly) >= 4
    assert all(case.all_of and case.missing for case in partly)
    assert all(not case.all_of and not case.documents for case in unanswerable if not case.answerable)
    assert all(case.missing for case in unanswerable)


@pytest.mark.parametrize("case", [case for case in CASES if case.winner], ids=lambda case: case.id)
def test_a_winner_counts_only_where_a_sentence_says_that_it_wins(case: Any) -> None:
    winner, loser = case.winner[0], case.losers[0]
    says: dict[str, str] = {"zh": "{0}更突出，超过{1}。", "en": "The {0} is greater than the {1}."}
    claim = says[case.language]
    assert FACTS.concludes(claim.format(winner, loser), case.winner, case.losers)
    assert not FACTS.concludes(claim.format(loser, winner), case.winner, case.losers)
    assert not FACTS.concludes("\n".join(case.evidence), case.winner, case.losers)


@pytest.mark.slow
def test_the_present_agent_is_judged_on_every_question(tmp_path: Path) -> None:
    routes: ModuleType = benchmark("routes")
    multi_part: ModuleType = benchmark("multi_part")
    with Library.open(tmp_path, lexical_settings()) as library:
        add_files(library, [ROOT / "examples" / "library"])
        agent = routes.agent_for(library, "linear")
        outcomes = [multi_part.judge(case, routes.ask(agent, case.question)) for case in CASES]
    groups = LOOP.grouped(outcomes)
    assert groups["all"]["n"] == 60
    assert groups["multi_hop"]["any_cited"] > 0.5
    assert groups["unanswerable"]["rightly_refused"] is not None
