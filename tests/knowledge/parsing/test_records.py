"""JSON, JSON Lines, notebooks and subtitles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ElementKind, ParsedDocument, ParseNoteKind
from veriloop.knowledge.parsing import parse_file


def read(folder: Path, name: str, content: object) -> ParsedDocument:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return parse_file(path)


def texts(document: ParsedDocument) -> list[str]:
    return [element.text for element in document.elements]


RECORDS = [
    {"型号": "HN-1", "价格": {"单价": 120, "产地": "上海"}, "标签": ["新", "热"]},
    {"型号": "HN-2", "价格": {"单价": 90.5, "产地": "上海"}, "停产": True},
    {"型号": "HN-3", "价格": {"单价": 70, "产地": "上海"}, "标签": [], "停产": None},
]
TABLE = [
    "| 型号 | 价格 / 单价 | 价格 / 产地 | 标签 | 停产 |",
    "| --- | --- | --- | --- | --- |",
    "| HN-1 | 120 | 上海 | 新; 热 |  |",
    "| HN-2 | 90.5 | 上海 |  | true |",
    "| HN-3 | 70 | 上海 |  |  |",
]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_records_that_are_alike_are_one_table(name: str, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(record) for record in RECORDS)
    document = read(tmp_path, name, lines if name == "a.jsonl" else RECORDS)
    assert [element.kind for element in document.elements] == [ElementKind.TABLE]
    assert document.elements[0].text.splitlines() == TABLE


def test_other_values_keep_their_keys_on_the_way_to_them(tmp_path: Path) -> None:
    value = {"名称": "差旅", "标准": {"住宿": 500, "城市": ["北京", "上海"]}, "附表": RECORDS[:2], "空": None}
    document = read(tmp_path, "a.json", value)
    assert [(element.kind.value, element.level, element.text.split("\n")[0]) for element in document.elements] == [
        ("paragraph", None, "名称: 差旅"),
        ("heading", 1, "标准"),
        ("paragraph", None, "住宿: 500"),
        ("heading", 2, "城市"),
        ("list_item", None, "北京"),
        ("list_item", None, "上海"),
        ("heading", 1, "附表"),
        ("table", None, TABLE[0]),
    ]


def test_records_with_long_texts_stay_texts(tmp_path: Path) -> None:
    records = [{"id": number, "text": "规定" * 400} for number in range(3)]
    assert ElementKind.TABLE not in {element.kind for element in read(tmp_path, "a.json", records).elements}


def test_broken_lines_of_records_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, "a.jsonl", '{"a": 1, "b": 2}\n{"a": 3,\n{"a": 5, "b": 6}\n')
    assert document.elements[0].text.endswith("| 1 | 2 |\n| 5 | 6 |")
    assert [(note.kind, note.detail) for note in document.notes] == [
        (ParseNoteKind.UNREAD, "lines that are not JSON: 2")
    ]


def test_what_is_no_json_is_read_as_text_and_says_so(tmp_path: Path) -> None:
    document = read(tmp_path, "a.json", '{"amount": "120 EUR", "hotel":')
    assert "120 EUR" in texts(document)[0]
    assert document.notes[0].kind is ParseNoteKind.SIMPLIFIED


SHOWN = "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>"


def test_a_notebook_gives_its_texts_programs_and_results(tmp_path: Path) -> None:
    notebook = {
        "nbformat": 4,
        "cells": [
            {"cell_type": "markdown", "source": ["# 分析\n", "\n", "说明。"]},
            {"cell_type": "code", "source": "print(1 + 1)", "outputs": [{"text": ["2\n"]}]},
            {"cell_type": "code", "source": "t", "outputs": [{"data": {"text/html": SHOWN}}]},
            {"cell_type": "raw", "source": None},
        ],
    }  # fmt: skip
    document = read(tmp_path, "a.ipynb", notebook)
    assert texts(document) == ["分析", "说明。", "print(1 + 1)", "2", "t", "| a |\n| --- |\n| 1 |"]
    assert document.title == "分析"


SRT = (
    "1\n00:00:01,000 --> 00:00:02,000\n各位同事，\n\n2\n00:00:02,000 --> 00:00:04,000\n<i>会议</i>现在开始。\n\n"
    "3\n00:00:05,000 --> 00:00:06,000\n- Thank you.\n- Welcome.\n"
)
VTT = (
    "WEBVTT\n\nNOTE internal\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v 李伟>各位同事，\n\n"
    "00:02.000 --> 00:04.000\n会议现在开始。\n\n00:05.000 --> 00:06.000\n<v Ann>Thank you &amp; welcome.\n"
)


def test_subtitles_are_read_as_what_is_said(tmp_path: Path) -> None:
    assert texts(read(tmp_path, "a.srt", SRT)) == ["各位同事，会议现在开始。", "- Thank you.", "- Welcome."]
    assert texts(read(tmp_path, "a.vtt", VTT)) == ["李伟: 各位同事，会议现在开始。", "Ann: Thank you & welcome."]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)


@given(json_values)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_json_gives_a_document_or_one_clear_error(tmp_path: Path, value: object) -> None:
    try:
        assert all(texts(read(tmp_path, "a.json", json.dumps(value))))
    except InputFileError as error:
        assert "nothing to index" in error.reason


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 50_000, "9" * 6_000])
def test_json_that_is_made_to_exhaust_the_reader_is_refused_or_read_plainly(content: str, tmp_path: Path) -> None:
    try:
        assert texts(read(tmp_path, "a.json", content))
    except InputFileError as error:
        assert error.reason
