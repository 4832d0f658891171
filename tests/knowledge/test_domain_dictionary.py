"""The user's dictionary file: what it may hold, and what is said of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.errors import SettingsError
from veriloop.knowledge.analysis import analyser_name
from veriloop.knowledge.text.dictionary import NO_DICTIONARY, DomainDictionary, read_dictionary

WORDS = st.text("甲乙丙ab9", min_size=1, max_size=5).filter(lambda word: word.strip())


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "words.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_words_and_synonyms_are_read_in_normalised_form(tmp_path: Path) -> None:
    chinese = "\ufeff# 词表\n琉璃鈦合頁\n\nHR 人力资源部 人事部  # 部门\n资产负债表；資產負債表\n"
    text = f"{chinese}PPE, Personal Protective Equipment\n"
    found = read_dictionary(written(tmp_path, text))
    assert set(found.words) >= {"琉璃钛合页", "hr", "人事部", "ppe", "personal protective equipment", "资产负债表"}
    assert found.synonyms_of("ＨＲ") == ("人力资源部", "人事部")
    assert found.synonyms_of("personal protective equipment") == ("ppe",)
    assert found.synonyms_of("资产负债表") == found.synonyms_of("unknown") == ()


def test_a_word_of_several_groups_has_the_synonyms_of_each(tmp_path: Path) -> None:
    found = read_dictionary(written(tmp_path, "甲 乙\n甲 丙\n"))
    assert found.synonyms_of("甲") == ("乙", "丙")
    assert found.synonyms_of("乙") == ("甲",)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("好词\n---\n", 2, "no word"),
        (b"\xe5\xa5\xbd\n\xff\xfe\n", 2, "not UTF-8"),
        ("词 " + "长" * 65, 1, "65 characters"),
        ("a\nb\n,;\n", 3, "no word"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str | bytes, line: int, reason: str) -> None:
    with pytest.raises(SettingsError, match=rf"words\.txt, line {line}: .*{reason}"):
        read_dictionary(written(tmp_path, text))


@pytest.mark.parametrize("name", ["missing.txt", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match=r"search\.dictionary: .*cannot be read"):
        read_dictionary(tmp_path / name)


def test_without_a_file_there_is_no_dictionary(tmp_path: Path) -> None:
    assert read_dictionary(None) is NO_DICTIONARY
    assert read_dictionary(written(tmp_path, "# nothing yet\n\n")) == NO_DICTIONARY
    assert analyser_name(NO_DICTIONARY.digest) == analyser_name()


@given(st.lists(WORDS, max_size=5), st.lists(WORDS, max_size=5))
def test_analyses_are_made_anew_exactly_if_the_words_are_others(one: list[str], other: list[str]) -> None:
    first, second = DomainDictionary(one), DomainDictionary(other)
    assert (first.digest == second.digest) == (set(one) == set(other))
    assert analyser_name(first.digest) != analyser_name() or not one
    assert (first == second) == (set(one) == set(other)) and (first != second or hash(first) == hash(second))
