"""Rule files and sidecars that were written to do harm: a clear refusal, soon."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.metadata import patterns
from veriloop.knowledge.metadata.folder_rules import read_rules
from veriloop.knowledge.metadata.patterns import matches
from veriloop.knowledge.metadata.yaml_text import UnusableFileError

_PIECES = st.sampled_from(["a", "b", "/", "*", "**", "**/", "?", "[ab]", "[!a]", "[a-b]"])


def _rules(folder: Path, text: str) -> Path:
    path = folder / "veriloop.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.timeout(30)
@pytest.mark.parametrize(("pattern", "path"), [("*a" * 12 + "b", "a" * 200), ("**/" * 12 + "b", "a/" * 60 + "c")])
def test_a_pattern_of_many_stars_takes_no_time(pattern: str, path: str) -> None:
    assert not matches(pattern, path)
    assert matches(pattern, path[:-1] + "b")


@given(
    st.lists(_PIECES, min_size=1, max_size=6).map("".join), st.lists(st.text("ab", min_size=1, max_size=3), min_size=1)
)
def test_both_ways_of_matching_agree(pattern: str, folders: list[str]) -> None:
    steps = patterns._steps(pattern)
    path = "/".join(folders[:4])
    assert patterns._walk(steps, path) is (patterns._compiled(steps).fullmatch(path) is not None)


@pytest.mark.parametrize("pattern", ["[z-a].pdf", "[a--b].pdf", "[[].pdf", "[\\].pdf"])
def test_odd_sets_of_characters_are_patterns_all_the_same(pattern: str) -> None:
    assert not matches(pattern, "é.pdf")


@pytest.mark.timeout(60)
def test_a_file_of_ten_thousand_unknown_fields_is_refused_in_one_short_line(tmp_path: Path) -> None:
    path = _rules(tmp_path, "\n".join(f"k{number}: 1" for number in range(10_000)))
    with pytest.raises(UnusableFileError, match="has a field that nobody knows") as refused:
        read_rules(path)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("text", ["domain: !!timestamp x", "domain: !!bool x", 'domain: !!int ""', "a: !!set {b}"])
def test_a_tag_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableFileError, match=re.escape("YAML tag")):
        read_rules(_rules(tmp_path, text))


@pytest.mark.timeout(30)
@pytest.mark.parametrize("text", ["authority: " + "9" * 100_000, "authority: 1:" + ":".join(["59"] * 50_000)])
def test_a_number_of_a_hundred_thousand_digits_is_no_number(text: str, tmp_path: Path) -> None:
    with pytest.raises(UnusableFileError, match="a value that is none"):
        read_rules(_rules(tmp_path, text))


def test_a_bad_file_is_read_once_for_all_documents_below_it(tmp_path: Path) -> None:
    path = _rules(tmp_path, "domain: [")
    for _ in range(2):
        with pytest.raises(UnusableFileError, match="is not valid YAML"):
            read_rules(path)
    path.write_text("domain: HR\n", encoding="utf-8")
    assert read_rules(path).defaults.description.domain == "HR"
