"""`veriloop eval retrieval` as scripts and people use it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.documents import CONTRACT, POLICY, SECRET, write
from support.shell import Result, run_command

CASES: list[dict[str, Any]] = [
    {
        "id": "zh-1", "question": "质量保证期是多久？", "documents": ["contract.md"], "type": "期限", "language": "zh",
        "evidence": ["质量保证期为自验收合格之日起24个月"],
    },
    {
        "id": "zh-2", "question": "合同总价是多少？", "documents": ["gone.md"], "type": "金额", "language": "zh",
        "evidence": ["合同总价为人民币三百二十万元"],
    },
    {
        "id": "en-1", "question": "How much may a hotel cost per night?", "documents": ["policy.md"], "type": "amount",
        "language": "en", "evidence": ["Employees may spend at most 120 EUR per night on a hotel."],
    },
    {
        "id": "en-2", "question": "zzyzx qwertz?", "type": "refusal", "language": "en", "answerable": False,
    },
]  # fmt: skip


class Evaluation:
    """Runs the command in this process over one small library."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.library = folder / "library"
        self.cases = folder / "cases.jsonl"
        self._capsys = capsys
        self._patch = patch
        self.write(*CASES)

    def write(self, *cases: dict[str, Any]) -> None:
        """Put these questions into the file."""
        self.cases.write_text("\n".join(json.dumps(c, ensure_ascii=False) for c in cases), encoding="utf-8")

    def __call__(self, *arguments: str) -> Result:
        return self.run("eval", "retrieval", str(self.cases), *arguments)

    def run(self, *arguments: str) -> Result:
        """Any command over the library."""
        return run_command(self._capsys, self._patch, *arguments, "--library", str(self.library))


@pytest.fixture
def evaluation(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Evaluation:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    command = Evaluation(tmp_path, capsys, monkeypatch)
    documents = write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)
    assert command.run("add", str(documents)).code == 0
    return command


def _figure(report: Any, kind: str, name: str, measure: str) -> float:
    (group,) = (group for group in report["groups"] if (group["kind"], group["name"]) == (kind, name))
    (figure,) = (figure for figure in group["figures"] if figure["measure"] == measure)
    assert figure["low"] <= figure["mean"] <= figure["high"]
    return float(figure["mean"])


def test_figures_are_given_over_all_questions_by_type_and_by_language(evaluation: Evaluation) -> None:
    result = evaluation("--json")
    assert result.code == 0
    report = result.json
    assert (report["questions"], report["unusable"], report["depth"]) == (4, [], 10)
    assert _figure(report, "all", "all", "hit@1") == pytest.approx(2 / 3, abs=1e-4)
    assert _figure(report, "language", "zh", "mrr@10") == 0.5
    assert _figure(report, "language", "en", "ndcg@10") == 1
    assert _figure(report, "type", "金额", "recall@5") == 0
    assert report["groups"][0]["nothing_found"]["mean"] == 1
    assert report["groups"][0]["unanswerable"] == 1


def test_the_json_has_the_documented_fields(evaluation: Evaluation) -> None:
    report = evaluation("--json", "--min", "hit@5>=0.1").json
    assert set(report) == {
        "library_version", "questions", "unusable", "depth", "vectors_used", "seed", "resamples", "groups", "causes",
        "misses", "scores", "minimums",
    }  # fmt: skip
    (miss,) = report["misses"]
    assert set(miss) == {
        "id", "question", "type", "language", "cause", "detail", "quote", "wanted", "ranks", "term_share", "lacking",
        "instead",
    }  # fmt: skip
    assert (miss["id"], miss["cause"]) == ("zh-2", "not parsed")
    assert set(report["scores"]) == {"edges", "relevant", "irrelevant", "separation", "verdict", "sentence"}


def test_people_see_tables_on_stdout_and_progress_on_stderr(evaluation: Evaluation) -> None:
    result = evaluation("--k", "1,3")
    assert result.code == 0
    for expected in ("hit@3", "type 金额", "language en", "0.667 (", "nothing found", "misses: 1 of 3", "zh-2"):
        assert expected in result.out
    assert "not in the library, or closed to this caller: gone.md" in result.out
    assert "questions: 4 of 4" in result.err and "questions:" not in result.out


def test_a_minimum_that_is_missed_ends_with_4_and_one_that_is_met_with_0(evaluation: Evaluation) -> None:
    met = evaluation("--min", "hit@5>=0.6", "--min", "NOTHING_FOUND>=1", "--json")
    assert (met.code, [one["met"] for one in met.json["minimums"]]) == (0, [True, True])
    missed = evaluation("--min", "hit@5>=0.6", "--min", "mrr@10 >= 0.7")
    assert missed.code == 4
    assert "met: hit@5 >= 0.6: 0.667" in missed.out and "MISSED: mrr@10 >= 0.7: 0.667" in missed.out


def test_a_minimum_for_what_no_question_measures_is_missed(evaluation: Evaluation) -> None:
    evaluation.write(CASES[0])
    result = evaluation("--min", "nothing_found>=0")
    assert result.code == 4
    assert "not measured" in result.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--min", "hit@7>=0.5"], "hit@7 is not measured; what is: hit@1, hit@5"),
        (["--min", "hit@5>0.5"], "is no minimum"),
        (["--min", "hit@5>=50"], "shares from 0 to 1"),
        (["--min", "hit@5>=0.5.5"], "is not a number"),
        (["--k", "0,5"], "whole numbers from 1 to 100"),
        (["--k", "²"], "whole numbers from 1 to 100"),
        (["--k", ","], "whole numbers from 1 to 100"),
        (["--limit", "0"], "limit"),
        (["--misses", "/no/such/folder/misses.jsonl"], "cannot be written"),
    ],
)
def test_a_wrong_option_is_refused_before_anything_is_searched(
    evaluation: Evaluation, arguments: list[str], message: str
) -> None:
    result = evaluation(*arguments)
    assert result.code == 2
    assert message in result.err and "questions: " not in result.err


def test_a_bad_line_is_a_usage_error_in_words_and_as_json(evaluation: Evaluation) -> None:
    evaluation.cases.write_text('{"question": "甲"}\n{"question": 乙}\n', encoding="utf-8")
    result = evaluation("--json")
    assert result.code == 2
    assert "cases.jsonl, line 2: is not JSON" in result.json["error"]


def test_unusable_questions_are_counted_and_reported_and_the_rest_is_measured(evaluation: Evaluation) -> None:
    empty = {**CASES[0], "id": "empty", "question": "  "}
    long = {**CASES[0], "id": "long", "question": "保修" * 3_000}
    vague = {"id": "vague", "question": "What?"}
    evaluation.write(CASES[0], empty, long, vague)
    result = evaluation("--json")
    assert result.code == 0
    reasons = {one["id"]: one["reason"] for one in result.json["unusable"]}
    assert "empty" in reasons["empty"] and "6,000 characters" in reasons["long"] and "neither" in reasons["vague"]
    assert result.json["questions"] == 1
    assert "3 questions could not be used" in evaluation().out


def test_a_file_of_nothing_but_unusable_questions_is_a_usage_error(evaluation: Evaluation) -> None:
    evaluation.write({**CASES[0], "question": ""})
    result = evaluation()
    assert result.code == 2
    assert "none of the 1 questions can be used (the first: zh-1: the query is empty" in result.err


@pytest.mark.parametrize(
    "question", ["?", "！！！", "的", "' OR 1=1; --", "(a+)+$", "NEAR(* OR", "\u0000", "[red]x[/]"]
)
def test_hostile_questions_are_measured_or_reported_but_never_fatal(evaluation: Evaluation, question: str) -> None:
    evaluation.write(CASES[0], {**CASES[2], "question": question, "id": "odd [red]"})
    result = evaluation()
    assert result.code == 0
    # It is measured like the other one, and named where its document was not found.
    assert result.out.startswith("2 questions") or "odd [red]" in result.out


def test_every_miss_goes_to_the_file_and_the_same_seed_draws_the_same_sample(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    lost = [
        {**CASES[1], "id": f"lost-{number}", "evidence": [f"第{number}份附件的总价为三百万元"]} for number in range(12)
    ]
    evaluation.write(*lost)
    file = tmp_path / "misses.jsonl"
    result = evaluation("--limit", "8", "--seed", "5", "--misses", str(file))
    assert "… and 3 more" in result.out
    written = [json.loads(line)["id"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(written) == 8 and written == sorted(written, key=lambda name: int(name.split("-")[1]))
    evaluation("--limit", "8", "--seed", "5", "--misses", str(file))
    assert [json.loads(line)["id"] for line in file.read_text(encoding="utf-8").splitlines()] == written
    assert evaluation("--limit", "8", "--seed", "6", "--json").json["misses"] != result.out


def test_an_evaluation_on_behalf_of_others_tells_nothing_of_what_they_may_not_read(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    evaluation.run("add", str(write(tmp_path / "closed", secret=SECRET)), "--readers", "hr")
    evaluation.write(
        {
            "id": "s",
            "question": "总经理的年薪是多少？",
            "documents": ["secret.md"],
            "evidence": ["总经理的年薪为300万元"],
        }
    )
    assert _figure(evaluation("--json").json, "all", "all", "hit@1") == 1
    result = evaluation("--json", "--as", "sales")
    assert _figure(result.json, "all", "all", "hit@1") == 0
    assert result.json["misses"][0]["wanted"] is None
    assert "金丝雀" not in result.out and "薪酬方案" not in result.out


def test_an_empty_library_misses_every_question_for_want_of_its_document(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    evaluation.run("remove", "contract.md", "policy.md")
    report = evaluation("--json").json
    assert {miss["cause"] for miss in report["misses"]} == {"not parsed"}
    assert _figure(report, "all", "all", "recall@10") == 0
    assert report["scores"]["relevant"]["hits"] == report["scores"]["irrelevant"]["hits"] == 0


def test_a_folder_without_a_library_is_refused(evaluation: Evaluation, tmp_path: Path) -> None:
    evaluation.library = tmp_path / "nowhere"
    assert evaluation().code == 2
    assert not evaluation.library.exists()
