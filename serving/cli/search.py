"""`veriloop search`: the blocks that bear on a query, and why they rank as they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, ProfileOption, caller_of, open_library
from .output import print_json, say, stdout, visible

if TYPE_CHECKING:
    from ...knowledge.search import Hit, SearchResult

_NOTHING_FOUND = 3
_PREVIEW_CHARACTERS = 160


def search(
    query: Annotated[str, typer.Argument(help="What to look for, in natural language.")],
    k: Annotated[int, typer.Option("--k", min=1, max=50, help="How many blocks at most.")] = 10,
    explain: Annotated[bool, typer.Option("--explain", help="Show tokens and the rank in each leg.")] = False,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Find the blocks that bear on a query, best first."""
    result = open_library(library, profile).search(query, k=k, caller=caller_of(caller))
    if json:
        print_json(search_document(result))
    else:
        _print_result(result, explain=explain)
    if not result.hits:
        raise typer.Exit(_NOTHING_FOUND)


def search_document(result: SearchResult) -> dict[str, object]:
    """The documented JSON shape of a search."""
    return {
        "query": result.query,
        "library_version": result.library_version,
        "hits": [_hit_document(hit) for hit in result.hits],
        "tokens": list(result.tokens),
        "vectors_used": result.vectors_used,
    }


def _hit_document(hit: Hit) -> dict[str, object]:
    return {
        "rank": hit.rank,
        "score": hit.score,
        "document": hit.document.name,
        "title": hit.document.title,
        "section_path": list(hit.block.section_path),
        "page": hit.block.page_first,
        "block_id": hit.block.block_id,
        "text": hit.text,
        "lexical_rank": hit.lexical_rank,
        "vector_rank": hit.vector_rank,
        "fused_rank": hit.fused_rank,
    }


def _print_result(result: SearchResult, *, explain: bool) -> None:
    if not result.hits:
        say("nothing found")
    for hit in result.hits:
        place = [hit.document.name, *hit.block.section_path]
        page = "" if hit.block.page_first is None else f" (p. {hit.block.page_first})"
        say(f"{hit.rank}. {' › '.join(place)}{page}  {hit.block.block_id}", style="bold")
        text = " ".join(hit.block.text[hit.focus[0].start : hit.focus[0].end].split())
        say(f"   {text[:_PREVIEW_CHARACTERS]}")
    if explain:
        say(f"\ntokens: {' '.join(result.tokens)}")
        stdout.print(_explanation(result))


def _explanation(result: SearchResult) -> Table:
    table = Table("rank", "score", "lexical", "vector", "fused", "document", box=None)
    for hit in result.hits:
        ranks = ("–" if rank is None else str(rank) for rank in (hit.lexical_rank, hit.vector_rank, hit.fused_rank))
        table.add_row(str(hit.rank), f"{hit.score:.3f}", *ranks, escape(visible(hit.document.name)))
    return table
