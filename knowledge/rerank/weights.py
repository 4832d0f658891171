"""What each feature counts, as fitted and measured by `benchmarks/rerank_weights.py`.

Fitted on half of the questions about Chinese regulations, company and court reports in both languages and traditional
Chinese encyclopedia paragraphs, searched by words; the script prints the comparison on the other half. `values` was
fitted to 0.1 and 0, as few of those questions hold ids and numbers; its weight is what puts the id that is asked for
before its neighbours.
"""

from .features import RankFeatures

CHINESE = RankFeatures(
    fused=1.0, headings=0.2, whole_title=0.47, title_phrase=0.27, covered=0.36, sentence=0.3, titled_sentence=0.36,
    phrase=0.19, pairs=0.03, values=0.15, neighbour=0.29, early=0.24, kind=0.1, kind_close=0.02, kind_section=0.14,
    penalty=0.23, condition=0.1, meaning=0.17, scope=0.3, papers=0.3, time=0.05, purpose=0.14, principle=0.13,
)  # fmt: skip
"""For questions with Chinese in them."""

ENGLISH = RankFeatures(
    fused=1.0, headings=0.0, whole_title=0.4, title_phrase=0.23, covered=0.0, sentence=0.29, titled_sentence=0.0,
    phrase=0.64, pairs=0.31, values=0.15, neighbour=0.44, early=0.11, kind=0.0, kind_close=0.0, kind_section=0.0,
    time=0.16,
)  # fmt: skip
"""For all others. What was fitted to 0 stays 0: the kinds of answers that regulations give did not help reports."""
