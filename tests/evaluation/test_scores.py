"""Score distributions, and the conclusion that tells block size from model mismatch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from veriloop.evaluation.reports import Verdict
from veriloop.evaluation.scores import MissCloseness, QuestionScores, conclude, miss_closeness, score_report

FOUND = [0.6, 0.7, 0.8, 0.9]
"""Shares of terms in right hits; their median is 0.75."""

maybe = st.none() | st.floats(-1, 3)


def test_wrong_hits_that_hold_as_much_of_the_question_as_right_ones_are_look_alikes() -> None:
    verdict, sentence = conclude(FOUND, [MissCloseness(0.8, 0.5, 0.4)] * 4 + [MissCloseness(0.2, 0.5, 0.4)] * 2)
    assert verdict is Verdict.LOOK_ALIKES
    assert sentence.startswith("in 4 of 6 misses")


def test_texts_that_are_closer_alone_than_what_came_point_to_block_size() -> None:
    verdict, sentence = conclude(FOUND, [MissCloseness(0.3, 0.8, 0.5)] * 5 + [MissCloseness(0.9, 0.1, 0.5)])
    assert verdict is Verdict.BLOCK_SIZE
    assert sentence.startswith("in 5 of 6 misses") and "smaller blocks" in sentence


def test_texts_that_are_no_closer_even_alone_point_to_the_model() -> None:
    verdict, sentence = conclude(FOUND, [MissCloseness(0.3, 0.4, 0.5)] * 5 + [MissCloseness(0.3, 0.9, 0.5)])
    assert verdict is Verdict.MODEL_MISMATCH
    assert sentence.startswith("in 5 of 6 misses") and "synonyms" in sentence


def test_nothing_is_concluded_from_few_misses_or_without_a_right_hit() -> None:
    assert conclude(FOUND, [MissCloseness(0.3, 0.4, 0.5)] * 4)[0] is Verdict.TOO_FEW
    assert conclude([], [MissCloseness(0.3, 0.4, 0.5)] * 9)[0] is Verdict.TOO_FEW


def test_a_quote_is_compared_with_the_closest_sentence_that_came() -> None:
    closeness = {"引文": 0.4, "one": 0.1, "two": 0.7}

    def compare(texts: object) -> list[float]:
        assert isinstance(texts, list)
        return [closeness[text] for text in texts]

    assert miss_closeness(compare, "引文", ["one", "two"], 0.5) == MissCloseness(0.5, 0.4, 0.7)
    assert miss_closeness(compare, "引文", [], 0.5) == MissCloseness(0.5, 0.4, 0.0)


def test_separation_counts_questions_whose_right_hit_scores_higher() -> None:
    pairs = [(0.9, 0.2), (0.8, 0.8), (0.3, 0.6), (0.7, None), (None, 0.9), (0.6, 0.1)]
    report = score_report([QuestionScores(right, wrong, None, None) for right, wrong in pairs], [])
    assert report.separation == 0.5
    assert (report.relevant.hits, report.irrelevant.hits) == (5, 5)
    assert (
        report.relevant.deciles[0] == 0.3 and report.relevant.deciles[5] == 0.7 and report.relevant.deciles[-1] == 0.9
    )


@given(st.lists(st.builds(QuestionScores, maybe, maybe, maybe, maybe), max_size=30))
def test_every_hit_stands_in_one_bin_and_deciles_rise(questions: list[QuestionScores]) -> None:
    report = score_report(questions, [])
    for distribution, column in ((report.relevant, 0), (report.irrelevant, 1)):
        scores = [question[column] for question in questions if question[column] is not None]
        assert distribution.hits == len(scores) == sum(distribution.histogram)
        assert list(distribution.deciles) == sorted(distribution.deciles)
        assert len(distribution.histogram) == len(report.edges) - 1
    assert list(report.edges) == sorted(set(report.edges))
