"""Normalising, sentences and tokens treat Chinese and English alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.text.normalise import fold_widths, normalise, normalise_match
from veriloop.knowledge.text.sentences import split_sentences
from veriloop.knowledge.text.tokens import add_words, stem, tokenise

TEXTS = st.text(alphabet="甲乙丙。！？；“”（）.!?;\"' \n|aBc1", max_size=80) | st.text(max_size=80)


def sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("資料庫", "资料库"), ("ＡＢＣ１２", "abc12"), ("“引用”", '"引用"'), ("A  b\n c", "a b c"), ("甲，乙", "甲,乙")],
)
def test_what_reads_the_same_is_normalised_to_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


def test_a_quote_matches_across_line_breaks_and_punctuation() -> None:
    assert normalise_match("「驗收，\n期限」") == normalise_match("验收期限")
    assert normalise_match("The “final”\nreport.") == normalise_match("the final report")


@given(st.text(max_size=80))
def test_folding_widths_keeps_offsets(text: str) -> None:
    assert len(fold_widths(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他说：“好。”然后走了。完", ["他说：“好。”", "然后走了。", "完"]),
        ("甲；乙。丙！", ["甲；乙。", "丙！"]),
        ("Dr. Smith paid $3.5 million. He left.", ["Dr. Smith paid $3.5 million.", "He left."]),
        ("See Art. 5 of PPR-9087. Done!", ["See Art. 5 of PPR-9087.", "Done!"]),
        ("| a. b | c。d |\n| 1 | 2 |", ["| a. b | c。d |", "| 1 | 2 |"]),
        ("one line\nanother", ["one line", "another"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_items_of_a_clause_are_separate_only_on_request() -> None:
    assert len(split_sentences("甲；乙；丙。")) == 1
    assert len(split_sentences("甲；乙；丙。", at_semicolons=True)) == 3


@given(TEXTS)
def test_sentences_are_ordered_disjoint_trimmed_and_cover_all_text(text: str) -> None:
    end, rest = 0, ""
    for span in split_sentences(text):
        assert end <= span.start < span.end
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        rest += text[end : span.start]
        end = span.end
    assert not (rest + text[end:]).strip()


def test_an_id_is_found_whole_and_by_its_parts() -> None:
    assert {"=PPR-9087", "ppr", "9087"} <= set(tokenise("型号PPR-9087"))


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("2024/8/1", "2024年8月1日"),
        ("8月1日", "2024-08-01"),
        ("第12条", "第十二条"),
        ("1.5万元", "15000元"),
        ("2024", "2024/8/1"),
    ],
)
def test_a_value_in_a_question_meets_every_spelling_in_a_passage(question: str, passage: str) -> None:
    asked = set(tokenise(question, for_query=True))
    assert asked & set(tokenise(passage))


def test_words_that_only_ask_are_left_out_of_questions() -> None:
    assert tokenise("什么？", for_query=True) == tokenise("What is it?", for_query=True) == []


def test_an_unknown_word_is_found_by_its_character_pairs() -> None:
    assert "三码" in tokenise("三码合一") and "三码" in tokenise("什么是三码", for_query=True)


def test_a_word_that_was_taught_is_kept_whole() -> None:
    add_words(["琉璃钛合页"])
    assert "琉璃钛合页" in tokenise("更换琉璃钛合页时")


@pytest.mark.parametrize(("one", "other"), [("policies", "policy"), ("approved", "approves"), ("planning", "plans")])
def test_english_endings_do_not_separate_words(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@given(st.text(max_size=60))
def test_the_same_text_gives_the_same_tokens_and_none_is_empty(text: str) -> None:
    assert tokenise(text) == tokenise(text) and all(tokenise(text))
