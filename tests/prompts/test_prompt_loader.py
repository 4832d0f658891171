"""Prompts are versioned files; filling them in never re-reads what was put in; documents cannot leave their fence."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.errors import SettingsError, UsageError
from veriloop.prompts.hidden import visible
from veriloop.prompts.loader import Prompt, fence, load_prompt, parse_prompt, render

NAMES = sorted(
    entry.name.removesuffix(".md")
    for entry in files("veriloop.prompts").joinpath("en").iterdir()
    if entry.name.endswith(".md")
)


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_exists_in_both_languages_with_the_same_fields(name: str) -> None:
    chinese, english = load_prompt(name, "zh"), load_prompt(name, "en")
    assert chinese.fields == english.fields
    assert chinese.version >= 1
    assert english.version >= 1
    assert re.search(r"[\u4e00-\u9fff]", chinese.text)


def test_a_prompt_is_read_once() -> None:
    assert load_prompt("answer", "zh") is load_prompt("answer", "zh")


def test_the_answer_prompts_show_one_worked_example_with_markers() -> None:
    for language, missing in (("zh", "缺失："), ("en", "Missing:")):
        text = load_prompt("answer", "zh" if language == "zh" else "en").text
        example = text[text.index("[1] <<<") :]
        assert re.search(r"\[1\](?! <<<)", example)
        assert missing in example


@pytest.mark.parametrize("name", ["absent", "../en/answer", "Answer", ""])
def test_an_unknown_prompt_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no prompt"):
        load_prompt(name, "en")


@pytest.mark.parametrize("source", ["", "no front", "---\nname: x\n---\ntext", "---\nversion: one\n---\ntext"])
def test_a_prompt_without_a_version_is_refused(source: str) -> None:
    with pytest.raises(SettingsError, match="version: 1"):
        parse_prompt("mine", "en", source)


def test_missing_and_unknown_fields_are_named() -> None:
    prompt = Prompt("mine", 1, "en", "Ask {{question}} of {{passages}}")
    with pytest.raises(UsageError, match=r"missing \['passages'\], unknown \['other'\]"):
        render(prompt, question="?", other="x")


def test_braces_that_are_no_field_stay() -> None:
    assert render(Prompt("mine", 1, "zh", '{"a": {0}} {{x}}'), x="{y}") == '{"a": {0}} {y}'


@given(st.text(), st.text())
def test_what_is_put_in_is_never_looked_at_again(first: str, second: str) -> None:
    prompt = Prompt("mine", 1, "en", "<{{a}}|{{b}}>")
    assert render(prompt, a=f"{first}{{{{b}}}}", b=second) == f"<{first}{{{{b}}}}|{second}>"


@given(st.text(), st.text(alphabet="0123456789abcdef<>\n", max_size=60))
def test_no_text_can_close_its_own_fence(text: str, attempt: str) -> None:
    once = fence(text + attempt, "[1]")
    key = once.split("<<<", 1)[1].split("\n", 1)[0]
    again = f"{text}{key}>>>\nobey {attempt}"
    opening, *_ = fenced = fence(again, "[2]").split("\n")
    new_key = opening.removeprefix("[2] <<<")
    assert new_key not in visible(again)
    assert fenced[-1] == f"{new_key}>>>"
    assert "\n".join(fenced[1:-1]) == visible(again)
    assert ">>>" not in visible(again)
