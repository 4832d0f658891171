"""How long the directory of a large library takes, and what memory: made-up documents of several domains.

    python benchmarks/directory_scale.py --blocks 200000 --folder DIR

The library is written into DIR where it is not there yet (minutes for 200,000 blocks), and kept.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from peers.measuring import Lapper, grown, resident_megabytes
from rich.console import Console
from rich.progress import track
from scale_library import BLOCKS_PER_DOCUMENT, GeneratedLibrary
from veriloop import Caller, Library
from veriloop.configs import load_settings
from veriloop.knowledge.directory import open_document, view_directory
from veriloop.knowledge.text.tokens import tokenise

_DOMAINS = 12
_TOKENS = 3_000
_ERRORS = Console(stderr=True)
Figures = dict[str, float | None]


def build(folder: Path, blocks: int) -> None:
    """Write the library where it is not there yet; a run that was stopped goes on."""
    settings = load_settings(environment={})
    folder.mkdir(parents=True, exist_ok=True)
    generated = GeneratedLibrary(blocks, settings.splitting)
    with Library(folder, settings, None) as library:
        there = {one.document.doc_id for one in library.documents(Caller.owner())}
        for number in track(range(generated.size), "documents", console=_ERRORS):
            document, split = generated.document(number)
            if document.doc_id not in there:
                domain = f"area {number % _DOMAINS:02}"
                library.put(document.model_copy(update={"domain": domain}), split)
        library.refresh()


def measure(folder: Path, blocks: int, questions: int) -> Figures:
    """Seconds of the first view without and with a question, of later ones, and of opening one document."""
    settings = load_settings(environment={})
    asked = [one.text for one in GeneratedLibrary(blocks, settings.splitting).questions(questions)]
    tokenise("预热 warm-up")
    gc.collect()
    before, caller = resident_megabytes(), Caller.owner()
    with Library(folder, settings, None) as library:
        plain, first, later, opening = Lapper(), Lapper(), Lapper(), Lapper()
        with plain:
            top = view_directory(library, caller, tokens=_TOKENS)
        after_plain = grown(before, resident_megabytes())
        with first:
            view = view_directory(library, caller, question=asked[0], tokens=_TOKENS)
        for question in asked[1:]:
            with later:
                view = view_directory(library, caller, question=question, tokens=_TOKENS)
        with opening:
            open_document(library, caller, view.entries[0].document.doc_id, tokens=_TOKENS)
        return {
            "documents": -(-blocks // BLOCKS_PER_DOCUMENT),
            "blocks": blocks,
            "top_s": plain.seconds,
            "top_memory_mb": after_plain,
            "top_tokens": top.tokens,
            "first_question_s": first.seconds,
            "later_question_s": later.seconds / max(1, len(asked) - 1),
            "memory_mb": grown(before, resident_megabytes()),
            "entries": len(view.entries),
            "tokens": view.tokens,
            "open_document_s": opening.seconds,
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Build and measure; prints one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="of the library")
    parser.add_argument("--blocks", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=10)
    given = parser.parse_args(arguments)
    build(given.folder, given.blocks)
    sys.stdout.write(json.dumps(measure(given.folder, given.blocks, given.questions), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
