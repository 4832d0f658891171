"""Question files: what is read, and what is refused with file, line and reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from veriloop.errors import UsageError
from veriloop.evaluation.cases import RetrievalCase, read_cases

ZH: dict[str, Any] = {
    "id": "q1", "question": "保修期多长？", "answers": ["24个月"], "documents": ["合同.docx"],
    "evidence": ["保修期为24个月"], "type": "fact", "language": "zh", "answerable": True,
}  # fmt: skip
EN: dict[str, Any] = {"id": "q2", "question": "How long is the warranty?", "evidence": ["two years"], "language": "en"}


def _file(folder: Path, *lines: object) -> Path:
    path = folder / "cases.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_cases_in_both_languages_are_read_in_order_with_unknown_keys_ignored(tmp_path: Path) -> None:
    path = _file(tmp_path, {**ZH, "section": "第三章", "page": 7}, "", EN)
    assert read_cases(path) == (RetrievalCase(**ZH), RetrievalCase(**EN))


def test_a_case_without_an_id_is_named_by_its_line(tmp_path: Path) -> None:
    cases = read_cases(
        _file(tmp_path, "", {"question": "甲"}, {"question": "b", "id": None}, {"question": "c", "id": 9})
    )
    assert [case.id for case in cases] == ["2", "3", "9"]


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes("\ufeff".encode() + json.dumps(ZH).encode() + b"\r\n" + json.dumps(EN).encode() + b"\r\n")
    assert [case.id for case in read_cases(path)] == ["q1", "q2"]


def test_a_line_separator_inside_a_string_does_not_end_the_line(tmp_path: Path) -> None:
    path = _file(tmp_path, {**EN, "question": "one\u2028two"})
    assert read_cases(path)[0].question == "one\u2028two"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"question": "甲"', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[1, 2]", "is not a JSON object"),
        ('{"id": "x"}', "question: field required"),
        ('{"question": 7.5e3, "answers": "yes"}', "answers: input should be a valid tuple"),
        ('{"question": "a", "evidence": [["b"]]}', "evidence.0: input should be a valid string"),
        ('{"question": "\\ud800"}', "holds half of a character"),
        ('{"question": "a", "answerable": "perhaps"}', "answerable: input should be a valid boolean"),
    ],
)
def test_a_bad_line_is_refused_with_file_line_and_reason(tmp_path: Path, line: str, reason: str) -> None:
    path = _file(tmp_path, ZH, "", line)
    with pytest.raises(UsageError) as refused:
        read_cases(path)
    assert str(refused.value).startswith(f"{path}, line 3: {reason}")
    assert "\n" not in str(refused.value)


def test_an_id_that_occurs_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="line 3: the id 'q1' stands in line 1 already"):
        read_cases(_file(tmp_path, ZH, EN, ZH))


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="holds no questions"):
        read_cases(_file(tmp_path, text))


@pytest.mark.parametrize(
    ("encoding", "message"),
    [("gbk", "line 2: must be UTF-8, and looks like GBK"), ("utf-16", "must be UTF-8, and looks like UTF-16")],
)
def test_another_encoding_is_refused_by_its_name(tmp_path: Path, encoding: str, message: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes("\n".join(json.dumps(case, ensure_ascii=False) for case in (EN, ZH)).encode(encoding))
    with pytest.raises(UsageError, match=message):
        read_cases(path)


def test_utf_16_without_its_mark_and_bytes_of_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    for data in (json.dumps(EN).encode("utf-16-le"), b'{"question": "\xff\xff"}'):
        path.write_bytes(data)
        with pytest.raises(UsageError, match="must be UTF-8"):
            read_cases(path)


def test_a_file_that_is_not_there_or_is_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(UsageError, match="cannot be read"):
            read_cases(path)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(data)
    with pytest.raises(UsageError):
        read_cases(path)
