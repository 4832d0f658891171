"""What a search can be called with, checked before it runs."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ..knowledge.library import MAX_QUERY_CHARACTERS
from ..knowledge.query.dating import Interval, interval_of
from ..knowledge.query.models import SearchFilter
from ..knowledge.text.normalise import well_formed
from ..knowledge.text.values import ValueKind, find_values

_MOST_NAMES = 20
_LONGEST_NAME = 200


def _days_of(text: str) -> Interval:
    """The days that a date of any precision or spelling means (2024-03-01, 2024年3月, 2024, today).

    Raises:
        ValueError: it names none.
    """
    spelling = well_formed(text).strip()
    if spelling.casefold() in ("today", "今天", "now", "现在"):
        return Interval(date.today(), date.today())
    written = [v.canonical for v in find_values(spelling) if v.kind is ValueKind.DATE and v.raw == spelling]
    found = interval_of(written[0] if written else spelling)
    if found is None:
        raise ValueError("this is no day: write it as 2024-03-01")
    return found


def _days(value: Any) -> Interval | None:
    """The days that a value means; None for blanks: weak models fill in every argument.

    A bare year may come as a number, which would otherwise be read as seconds since 1970.

    Raises:
        ValueError: it means none.
    """
    if isinstance(value, date):
        return Interval(value, value)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError("this is no day: write it as 2024-03-01")
    return _days_of(str(value))


def _first_day(value: Any) -> date | None:
    found = _days(value)
    return found.first if found else None


def _last_day(value: Any) -> date | None:
    found = _days(value)
    return found.last if found else None


def _names(value: Any) -> Any:
    """One name for a list of one; blank names say nothing."""
    if value is None or isinstance(value, str):
        value = [value or ""]
    if isinstance(value, list | tuple | set | frozenset):
        return [one for one in value if not isinstance(one, str) or one.strip()]
    return value


Name = Annotated[str, Field(min_length=1, max_length=_LONGEST_NAME)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_names)]
FirstDay = Annotated[date | None, BeforeValidator(_first_day)]
LastDay = Annotated[date | None, BeforeValidator(_last_day)]


class SearchArguments(BaseModel):
    """What the search tool is called with. The caller is no argument: whose rights hold is fixed for the run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str = Field(min_length=1, max_length=MAX_QUERY_CHARACTERS, description="a question in natural language")
    documents: tuple[str, ...] = Field(
        default=(), max_length=_MOST_NAMES, description="search only these, by title or file name; empty: all"
    )
    doc_types: Names = Field(
        default=(), max_length=_MOST_NAMES, description="only these types: contract, notice, minutes, policy (or 合同…)"
    )
    domains: Names = Field(
        default=(), max_length=_MOST_NAMES, description="only these domains, as the library has them"
    )
    dated_from: FirstDay = Field(default=None, description="only documents dated this day (2024-03-01) or later")
    dated_to: LastDay = Field(default=None, description="only documents dated this day or earlier")
    in_force_on: LastDay = Field(default=None, description="only editions in force on this day, or `today`")
    k: int = Field(default=8, ge=1, le=50, description="how many blocks at most")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        self.filters()
        return self

    def filters(self) -> SearchFilter | None:
        """Which documents the arguments mean; None: what the query says of them.

        Raises:
            ValueError: the period ends before it begins.
        """
        chosen = SearchFilter(
            doc_types=frozenset(self.doc_types),
            domains=frozenset(self.domains),
            dated_from=self.dated_from,
            dated_to=self.dated_to,
            in_force_on=self.in_force_on,
        )
        return None if chosen.is_empty else chosen
