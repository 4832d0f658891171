"""Puts candidates in their final order without a model (see `features.Question` and `weights`)."""

from .coverage import order_by_features
from .models import Candidate, Ranked

__all__ = ["Candidate", "Ranked", "order_by_features"]
