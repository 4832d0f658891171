"""What a search is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from ..documents import Caller
from ..query.models import SearchQuery
from ..replacing import Superseded
from ..text.tokens import Tokeniser


class SearchRequest(NamedTuple):
    """What is searched, on whose behalf."""

    query: SearchQuery
    caller: Caller
    k: int
    today: date
    doc_ids: frozenset[str] | None = None
    """The documents that filters leave in; None: all that the caller may read."""
    explain: bool = False
    words: Tokeniser | None = None
    """What cuts the query into terms, as it has cut what is searched; None: what the search was made with."""
    superseded: Mapping[str, Superseded] = MappingProxyType({})
    """The documents that another one has replaced by now, by id."""
