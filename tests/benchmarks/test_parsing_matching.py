"""How the parsing benchmark decides whether a reading holds a fact."""

from __future__ import annotations

from typing import Any

import pytest
from support.benchmarks import benchmark

matching = benchmark("parsing_matching")
truth = benchmark("parsing_truth")
readers = benchmark("parsing_readers")

ROWS = (("型号", "功率 / 额定"), ("HN-1", "1,250"), ("HN-2", "12"))


def piece(**fields: Any) -> Any:
    return matching.Piece(**fields)


def marks(facts: dict[str, Any], *pieces: Any, **fields: Any) -> Any:
    return matching.mark(truth.FileTruth(file="a", **facts), matching.Reading(tuple(pieces), **fields))


@pytest.mark.parametrize(
    ("fact", "cells", "pairs"),
    [
        ("1250 | 功率 / 额定 | HN-1", 1, 1),
        ("12 | 型号 | HN-2", 1, 0),
        ("12 | 功率 | HN-1", 0, 0),
        ("125 | 功率 | HN-1", 0, 0),
    ],
)
def test_a_value_counts_in_the_row_of_its_label_and_under_its_header(fact: str, cells: int, pairs: int) -> None:
    found = marks({"cells": [fact]}, piece(rows=ROWS), names_header=True)
    assert (found.cells, found.pairs) == (cells, pairs)


def test_who_names_a_header_is_held_to_it_and_others_may_have_it_in_any_row_above() -> None:
    rows = (("表一", "表一"), *ROWS)
    fact = {"cells": ["12 | 功率 | HN-2"]}
    assert marks(fact, piece(rows=rows), names_header=True).pairs == 0
    assert marks(fact, piece(rows=rows)).pairs == 1


def test_without_tables_everything_must_stand_on_one_line() -> None:
    fact = {"cells": ["12 | 功率 | HN-2"]}
    assert marks(fact, piece(text="HN-2 功率 12")).pairs == 1
    assert marks(fact, piece(text="HN-2 功率 125")).cells == 0
    assert marks(fact, piece(text="HN-2\n功率 12")).cells == 0


def test_headings_count_with_what_they_stand_under() -> None:
    facts = {"headings": ["5.1 Results | 5", "6.1 Other | 5"]}
    pieces = [
        piece(text="5 Experiments", level=1),
        piece(text="5.1 Results", level=2),
        piece(text="6 End", level=1),
        piece(text="6.1 Other", level=2),
    ]
    found = marks(facts, *pieces)
    assert (found.labels, found.relations) == (2, 1)
    assert marks(facts, *pieces, has_levels=False).relations is None


@pytest.mark.parametrize(("line", "leaked"), [("=Page 3", 1), ("^Page", 1), ("*age 3", 1), ("=Page", 0), ("^3", 0)])
def test_running_lines_leak_as_a_whole_at_the_beginning_or_anywhere(line: str, leaked: int) -> None:
    assert marks({"furniture": [line]}, piece(text="Text\nPage 3")).leaked == leaked


def test_a_picture_page_is_accounted_for_by_its_words_or_by_being_named() -> None:
    fact = {"pictures": ["2 | lorem"]}
    assert marks(fact, piece(text="Lorem", page=2)).pictures == 0
    assert marks(fact, piece(text="a lorem", page=2)).pictures == 1
    assert marks(fact, unread=frozenset({2})).pictures == 1


def test_the_hand_checked_facts_are_whole_and_many() -> None:
    facts = truth.load_truth()
    assert len({one.file for one in facts}) == len(facts) >= 25
    assert sum(len(one.cells) for one in facts) >= 150
    assert sum(len(one.headings) for one in facts) >= 60
    assert sum(len(one.furniture) for one in facts) >= 40
    assert sum(len(one.order) for one in facts) >= 20


def test_rows_of_markdown_are_read_with_their_escapes() -> None:
    assert readers.markdown_rows("| a\\|b | c |\n| --- | --- |\n| 1<br>2 |  |") == (("a|b", "c"), ("1\n2", ""))
