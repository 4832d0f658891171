"""Runs the questions of an evaluation over a library and puts the report together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from ..errors import UsageError
from ..knowledge.documents import Caller, Document
from ..knowledge.library import Library
from ..knowledge.query.applying import admitted
from ..knowledge.query.facts import facts_of
from ..knowledge.search import Hit, SearchResult
from ..knowledge.text.sentences import split_sentences
from ..knowledge.text.tokens import tokenise
from .attribution import CANDIDATES, MIN_TERM_SHARE, Bench, Excluded, attribute
from .bootstrap import DEFAULT_SEED, RESAMPLES
from .cases import RetrievalCase
from .closeness import QuestionTerms, focus_text, searched_text_of_hit
from .figures import JudgedCase, group_figures
from .metrics import DEFAULT_DEPTHS, ORDER_DEPTH, measures
from .relevance import NeededItem, Ranking, judge_hits, needed_items
from .reports import Cause, CauseCount, Miss, RetrievalReport, Unusable
from .scores import MissCloseness, QuestionScores, miss_closeness, score_report
from .shelf import Shelf

_SEARCHED = frozenset({Cause.VOCABULARY_GAP, Cause.RANKED_TOO_LOW})
# Vectors of sentences cost about 50 ms each on a CPU: beyond this many misses the conclusion would not change.
_COMPARED_MISSES = 100

Progress = Callable[[int, int], None]


class RetrievalOptions(NamedTuple):
    """How retrieval is measured.

    `depths` are the k of hit, recall and precision; a question without a relevant hit within the largest is a miss.
    `among` are the ids of the documents to search, None for all. `seed` and `resamples` are the bootstrap's.
    """

    depths: tuple[int, ...] = DEFAULT_DEPTHS
    seed: int = DEFAULT_SEED
    resamples: int = RESAMPLES
    min_term_share: float = MIN_TERM_SHARE
    among: Collection[str] | None = None


DEFAULT_OPTIONS = RetrievalOptions()


class _Outcome(NamedTuple):
    """What became of one question that could be asked."""

    judged: JudgedCase
    vectors_used: bool
    scores: QuestionScores | None = None
    miss: Miss | None = None
    closeness: MissCloseness | None = None


def sample_cases(cases: Sequence[RetrievalCase], limit: int | None, seed: int) -> Sequence[RetrievalCase]:
    """At most `limit` cases, drawn by chance from the seed, in their order."""
    if limit is None or limit >= len(cases):
        return cases
    return [cases[number] for number in sorted(Random(seed).sample(range(len(cases)), limit))]


def evaluate_retrieval(
    library: Library,
    cases: Sequence[RetrievalCase],
    *,
    caller: Caller | None = None,
    options: RetrievalOptions = DEFAULT_OPTIONS,
    excluded: Excluded | None = None,
    progress: Progress | None = None,
) -> RetrievalReport:
    """Search for every case, and report figures, misses with their causes, and the scores of hits.

    Args:
        library: what is searched.
        cases: the questions.
        caller: on whose behalf; default: someone who may read only documents open to everyone.
        options: depths, seed, filter.
        excluded: whether a filter of the host leaves a document out, besides `options.among` and the filter that the
            search reads from the question.
        progress: told after each question how many are done, and of how many.

    Raises:
        UsageError: not one of the questions can be used.
    """
    run = _Run(library, caller or Caller(), options, excluded)
    outcomes: list[_Outcome] = []
    unusable: list[Unusable] = []
    for number, case in enumerate(cases, start=1):
        try:
            outcomes.append(run.outcome(case))
        except UsageError as error:
            unusable.append(Unusable(id=case.id, reason=str(error)))
        if progress is not None:
            progress(number, len(cases))
    if not outcomes:
        reason = f" (the first: {unusable[0].id}: {unusable[0].reason})" if unusable else ""
        raise UsageError(f"none of the {len(cases)} questions can be used{reason}")
    return _report(library, outcomes, unusable, options)


def _report(
    library: Library, outcomes: Sequence[_Outcome], unusable: Sequence[Unusable], options: RetrievalOptions
) -> RetrievalReport:
    misses = tuple(outcome.miss for outcome in outcomes if outcome.miss is not None)
    judged = [outcome.judged for outcome in outcomes]
    return RetrievalReport(
        library_version=library.version,
        questions=len(outcomes),
        unusable=tuple(unusable),
        depth=max(options.depths),
        vectors_used=any(outcome.vectors_used for outcome in outcomes),
        seed=options.seed,
        resamples=options.resamples,
        groups=group_figures(judged, measures(options.depths), options.seed, options.resamples),
        causes=tuple(CauseCount(cause=c, misses=sum(miss.cause is c for miss in misses)) for c in Cause),
        misses=misses,
        scores=score_report(
            [outcome.scores for outcome in outcomes if outcome.scores is not None],
            [outcome.closeness for outcome in outcomes if outcome.closeness is not None],
        ),
    )


class _Run:
    """One evaluation: what all its questions share."""

    def __init__(self, library: Library, caller: Caller, options: RetrievalOptions, excluded: Excluded | None) -> None:
        self._library = library
        self._options = options
        self._excluded = excluded
        self._depth = max(options.depths)
        self._compared = 0
        self._bench = Bench(
            library=library,
            caller=caller,
            shelf=Shelf(library, caller),
            weigh=library.idf(caller),
            excluded=lambda document: False,
            depth=self._depth,
            min_term_share=options.min_term_share,
        )
        self._facts = facts_of(self._bench.shelf.documents)

    def _is_excluded(self, left_in: Collection[str] | None, document: Document) -> bool:
        among = self._options.among
        return (
            (among is not None and document.doc_id not in among)
            or (left_in is not None and document.doc_id not in left_in)
            or (self._excluded is not None and self._excluded(document))
        )

    def _search(self, case: RetrievalCase, *, explain: bool = False) -> SearchResult:
        k = max(CANDIDATES, self._depth, ORDER_DEPTH)
        return self._library.search(
            case.question, k=k, caller=self._bench.caller, among=self._options.among, explain=explain
        )

    def _attribute(self, case: RetrievalCase, items: Sequence[NeededItem]) -> Miss:
        result = self._search(case, explain=True)
        excluded = partial(self._is_excluded, admitted(result.filter, self._facts))
        return attribute(case, items, result, self._bench._replace(excluded=excluded))

    def outcome(self, case: RetrievalCase) -> _Outcome:
        """Asks one question.

        Raises:
            UsageError: it cannot be asked, or nothing says what should be found.
        """
        items = needed_items(case)
        if case.answerable and not items:
            raise UsageError("neither evidence nor answers nor documents say what should be found")
        result = self._search(case)
        if not case.answerable:
            return _Outcome(JudgedCase(case, None, not result.hits), result.vectors_used)
        ranking = judge_hits(items, result.hits, self._bench.shelf.flatten)
        judged = JudgedCase(case, ranking, not result.hits)
        scores = self._scores(result, ranking)
        if any(ranking.hits[: self._depth]):
            return _Outcome(judged, result.vectors_used, scores)
        miss = self._attribute(case, items)
        return _Outcome(judged, result.vectors_used, scores, miss, self._closeness(result, miss, scores))

    def _scores(self, result: SearchResult, ranking: Ranking) -> QuestionScores:
        right = next((hit for hit, held in zip(result.hits, ranking.hits, strict=True) if held), None)
        wrong = next((hit for hit, held in zip(result.hits, ranking.hits, strict=True) if not held), None)
        terms = self._terms(result)

        def share(hit: Hit | None) -> float | None:
            return None if hit is None else terms.share(searched_text_of_hit(hit))

        return QuestionScores(
            None if right is None else right.score, None if wrong is None else wrong.score, share(right), share(wrong)
        )

    def _closeness(self, result: SearchResult, miss: Miss, scores: QuestionScores) -> MissCloseness | None:
        comparable = miss.cause in _SEARCHED and miss.quote and scores.irrelevant_share is not None
        if not comparable or self._compared >= _COMPARED_MISSES:
            return None
        self._compared += 1
        text = focus_text(result.hits[0])
        sentences = [text[span.start : span.end] for span in split_sentences(text)]
        compare = self._library.similarity(miss.question) or self._share_compare(result)
        return miss_closeness(compare, miss.quote, sentences, scores.irrelevant_share or 0.0)

    def _terms(self, result: SearchResult) -> QuestionTerms:
        return QuestionTerms.of(tokenise(result.query, for_query=True), self._bench.weigh)

    def _share_compare(self, result: SearchResult) -> Callable[[Sequence[str]], list[float]]:
        terms = self._terms(result)
        return lambda texts: [terms.share(text) for text in texts]
