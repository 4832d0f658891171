"""A digest in so many tokens: the sentences that bear on a question first, then its details."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...models.tokens import estimate_tokens
from ..digest.clipping import whole_part
from ..digest.details import by_worth, details_in, distinct
from ..digest.models import Digest
from ..text.sentences import split_sentences
from ..text.tokens import tokenise

_GAP = " … "


def shortened(digest: Digest, tokens: int, asked: Collection[str] = ()) -> str:
    """The summary, or of a longer one what is asked for and, for the rest of the room, its details.

    Args:
        digest: of a block.
        tokens: at most, estimated.
        asked: the search tokens of the question; empty: there is none, and the first sentence comes first.
    """
    summary = digest.summary
    if estimate_tokens(summary) <= tokens:
        return summary
    spans = split_sentences(summary, at_semicolons=True)
    pieces = [piece for span in spans if (piece := summary[span.start : span.end]).strip("… ")]
    order = sorted(range(len(pieces)), key=lambda i: -len(frozenset(asked).intersection(tokenise(pieces[i]))))
    chosen, left = list[int](), tokens
    for i in order if asked else range(len(pieces)):
        cost = estimate_tokens(pieces[i]) + 1
        if cost <= left:
            chosen.append(i)
            left -= cost
    kept = _GAP.join(pieces[i] for i in sorted(chosen)) or cut(pieces[order[0]], tokens)
    rest = " ".join(piece for i, piece in enumerate(pieces) if i not in chosen)
    return _with_details(kept, rest, tokens - estimate_tokens(kept))


def cut(text: str, tokens: int) -> str:
    """The beginning of a text in so many tokens, estimated."""
    if estimate_tokens(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate_tokens(text[:middle]) < tokens else (low, middle - 1)
    return f"{whole_part(text, low)}…" if low else ""


def listed(names: Sequence[str], tokens: int, between: str) -> str:
    """As many names as fit, in order."""
    found = ""
    for name in names:
        longer = f"{found}{between}{name}" if found else name
        if estimate_tokens(longer) > tokens:
            return f"{found} …" if found else ""
        found = longer
    return found


def _with_details(kept: str, rest: str, room: int) -> str:
    room -= estimate_tokens(_GAP)
    details = [one.raw for one in by_worth(distinct(details_in(rest))) if one.raw not in kept]
    said = listed(details, room, "; ") if details else ""
    return f"{kept}{_GAP}{said}" if said else kept
