"""Puts candidates in their final order: without a model by default, by a model's scores where one is configured."""

from .coverage import CoverageReranker, order_by_features
from .models import Candidate, Ranked, Reranker

__all__ = ["Candidate", "CoverageReranker", "Ranked", "Reranker", "order_by_features"]
