"""`veriloop search`: the blocks that bear on a query, and why they rank as they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError
from .ages import age_of
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    ProfileOption,
    caller_of,
    day,
    names,
    open_library,
)
from .output import print_json, say, tell
from .search_explained import print_explanation
from .wording import place_of

if TYPE_CHECKING:
    from ...knowledge.query.models import SearchFilter
    from ...knowledge.search import Hit, SearchResult

_NOTHING_FOUND = 3
_PREVIEW_CHARACTERS = 160


def search(
    query: Annotated[str, typer.Argument(help="What to look for, in natural language.")],
    k: Annotated[int, typer.Option("--k", min=1, max=50, help="How many blocks at most.")] = 10,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show tokens, ranks and scores, and what was left out and why.")
    ] = False,
    doc_type: Annotated[
        str | None, typer.Option("--type", help="Only these types of documents (comma-separated: contract, 通知 …).")
    ] = None,
    domain: Annotated[str | None, typer.Option(help="Only these domains (comma-separated).")] = None,
    dated_from: Annotated[str | None, typer.Option("--from", help="Only documents of this day or later.")] = None,
    dated_to: Annotated[str | None, typer.Option("--to", help="Only documents of this day or earlier.")] = None,
    in_force_on: Annotated[
        str | None, typer.Option("--in-force-on", help="Only what is in force on this day (2024-03-01, today).")
    ] = None,
    no_filters: Annotated[
        bool, typer.Option("--no-filters", help="Read no filter from the query; search every document.")
    ] = False,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Find the blocks that bear on a query, best first."""
    filters = _filter(doc_type, domain, dated_from, dated_to, in_force_on, no_filters=no_filters)
    result = open_library(library, profile).search(
        query, k=k, caller=caller_of(caller), filters=filters, explain=explain
    )
    if json:
        print_json(search_document(result))
    else:
        _print_result(result)
    if not result.hits:
        raise typer.Exit(_NOTHING_FOUND)


def _filter(
    doc_type: str | None,
    domain: str | None,
    dated_from: str | None,
    dated_to: str | None,
    in_force_on: str | None,
    *,
    no_filters: bool,
) -> SearchFilter | None:
    """The filter of the options; None, which reads it from the query, where there is none of them.

    Raises:
        UsageError: an option names no day, or the period ends before it begins.
    """
    from ...knowledge.query.models import SearchFilter  # noqa: PLC0415 - `--help` should not wait for it

    given = (doc_type, domain, dated_from, dated_to, in_force_on)
    if all(option is None for option in given):
        return SearchFilter() if no_filters else None
    first, last = day(dated_from, "--from"), day(dated_to, "--to")
    if first and last and last < first:
        raise UsageError(f"--to {last} is before --from {first}")
    return SearchFilter(
        doc_types=names(doc_type or ""),
        domains=names(domain or ""),
        dated_from=first,
        dated_to=last,
        in_force_on=day(in_force_on, "--in-force-on"),
    )


def search_document(result: SearchResult) -> dict[str, object]:
    """The documented JSON shape of a search."""
    return {
        "query": result.query,
        "library_version": result.library_version,
        "hits": [_hit_document(hit) for hit in result.hits],
        "tokens": list(result.tokens),
        "filter": result.filter.model_dump(mode="json", exclude_defaults=True),
        "vectors_used": result.vectors_used,
        "notes": list(result.notes),
        **({} if result.domains is None else {"domains": result.domains.model_dump(mode="json")}),
        **({} if result.explanation is None else {"explanation": result.explanation.model_dump(mode="json")}),
    }


def _hit_document(hit: Hit) -> dict[str, object]:
    return {
        "rank": hit.rank,
        "score": hit.score,
        "document": hit.document.name,
        "title": hit.document.title,
        "version": hit.document.version,
        "status": hit.document.status.value,
        "replaced_at": None if hit.document.replaced_at is None else hit.document.replaced_at.isoformat(),
        "superseded_by": hit.document.superseded_by,
        "section_path": list(hit.block.section_path),
        "page": hit.block.page_first,
        "block_id": hit.block.block_id,
        "text": hit.text,
        "lexical_rank": hit.lexical_rank,
        "vector_rank": hit.vector_rank,
        "sparse_rank": hit.sparse_rank,
        "fused_rank": hit.fused_rank,
    }


def _print_result(result: SearchResult) -> None:
    from ...knowledge.text.normalise import has_chinese  # noqa: PLC0415 - `--help` should not wait for it

    language = "zh" if has_chinese(result.query) else "en"
    if not result.filter.is_empty:
        say(f"filter: {result.filter.describe(language)}")
    if result.domains is not None:
        say(result.domains.describe(language))
    for note in result.notes:
        tell(note)
    if not result.hits:
        say("nothing found")
    for hit in result.hits:
        place = [hit.document.name, *hit.block.section_path]
        age = age_of(hit.document)
        first = hit.block.page_first
        page = "" if first is None else f" ({place_of(first, hit.document.media_type)})"
        say(f"{hit.rank}. {' › '.join(place)}{page}  {hit.block.block_id}{age}", style="bold")
        text = " ".join(hit.block.text[hit.focus[0].start : hit.focus[0].end].split())
        say(f"   {text[:_PREVIEW_CHARACTERS]}")
    print_explanation(result)
