"""What digests keep of their blocks, on their own: details, names, empty phrases; by rules, or by a model.

    python benchmarks/digests.py                                  # examples/library, and VERILOOP_DATA where it is set
    python benchmarks/digests.py --base-url http://127.0.0.1:8000/v1 --model NAME --blocks 50

Besides the product's own reading of values, which rules and check share, the runs of digits of each block are looked
for in its digest: whatever the rules take for a value, no digits may be lost or invented.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from veriloop import Caller, Library, add_files
from veriloop.configs import Settings, load_settings
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.graphs.digesting import make_digests
from veriloop.knowledge.digest.by_rules import text_of
from veriloop.knowledge.digest.models import Digest
from veriloop.knowledge.digest.of_library import digests_of
from veriloop.knowledge.digest.quality import measure_digests
from veriloop.knowledge.documents import Block, Document

ROOT = Path(__file__).parent.parent
_DIGITS = re.compile(r"\d+")
_LABEL = re.compile(r"^[ \t#>*•·-]*[（(]?\d{1,2}[)）.、．](?!\d)", re.MULTILINE)
_ERRORS = Console(stderr=True)
Digested = tuple[Block, Document, Digest]


def sets(sample: int) -> Iterator[tuple[str, list[Path]]]:
    """The documents of each set: the examples, and every so-and-so-many-th of the public ones."""
    yield "examples", [ROOT / "examples" / "library"]
    data = os.environ.get("VERILOOP_DATA")
    for name in ("clauses", "tables") if data else ():
        folder = Path(str(data)) / name
        found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES)
        if found:
            yield name, found[:: max(1, len(found) // sample)][:sample]


_SUFFIXES = frozenset({".docx", ".pdf", ".md", ".txt", ".html", ".xlsx", ".csv", ".pptx"})


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Without vectors; with the light model that is named."""
    settings = load_settings()
    without = settings.embeddings.model_copy(update={"provider": "none"})
    here = settings.parsing.model_copy(update={"processes": 0})
    settings = settings.model_copy(update={"embeddings": without, "parsing": here})
    if not arguments.base_url:
        return settings
    light = ChatModelSettings(
        base_url=arguments.base_url, model=arguments.model, api_key=arguments.api_key or None,
        request_seconds=arguments.seconds, concurrent_calls=arguments.places,
    )  # fmt: skip
    return settings.model_copy(update={"models": TierSettings(light=light)})


def measure(library: Library, blocks: int | None) -> dict[str, object]:
    """The figures of one library, whose digests are made here."""
    caller = Caller.owner()
    made = _by_model(library) if library.settings.models is not None else {}
    placed = library.contents.blocks(caller, -1)
    placed = placed if blocks is None else placed[:: max(1, len(placed) // blocks)][:blocks]
    library.idf(caller)
    digests_of(library, caller, placed[:1])
    began = time.process_time()
    digests = digests_of(library, caller, placed)
    milliseconds = (time.process_time() - began) * 1000 / max(1, len(placed))
    digested = [(block, document, digest) for (block, document), digest in zip(placed, digests, strict=True)]
    quality = measure_digests(digested)
    recall = {kind: round(one.recall, 4) for kind, one in quality.kinds.items()}
    return {
        "blocks": quality.blocks,
        "by_model": quality.by_model,
        "details": quality.details.total,
        "recall": round(quality.details.recall, 4),
        "recall_by_kind": recall,
        "complete": round(quality.complete / max(1, quality.blocks), 4),
        "empty_share": quality.empty_share,
        "invented_share": quality.with_inventions / max(1, quality.blocks),
        **_digits(digested),
        "summary_share": round(quality.summary_characters / max(1, quality.characters), 3),
        "cpu_ms_a_block": round(milliseconds, 2),
        **made,
    }


def _digits(digested: Sequence[Digested]) -> dict[str, float]:
    """Share of the blocks' runs of digits that are kept, and of the digests' that stand in no block."""
    there = kept = said = invented = 0
    for block, document, digest in digested:
        wanted = set(_DIGITS.findall(_LABEL.sub("", block.text)))
        told = set(_DIGITS.findall(text_of(digest)))
        source = "\n".join((document.title, document.name, *block.section_path, block.text))
        there, kept = there + len(wanted), kept + len(wanted & told)
        said, invented = said + len(told), invented + len(told - set(_DIGITS.findall(source)))
    return {"digits_kept": round(kept / max(1, there), 4), "digits_invented": round(invented / max(1, said), 4)}


def _by_model(library: Library) -> dict[str, object]:
    with Progress(console=_ERRORS) as bar:
        task = bar.add_task("digests", total=None)
        report = make_digests(library, progress=lambda done, total: bar.update(task, completed=done, total=total))
    return {"model": report.model_dump(mode="json")}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every set; prints one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=50, help="documents of each public set")
    parser.add_argument("--blocks", type=int, default=None, help="of each set, at most")
    parser.add_argument("--set", dest="only", default="", help="only this one: examples, clauses, tables")
    parser.add_argument("--base-url", default="", help="of an OpenAI-compatible endpoint; without it rules digest")
    parser.add_argument("--model", default="light")
    parser.add_argument("--api-key", default=os.environ.get("OPENAI_API_KEY", ""))
    parser.add_argument("--seconds", type=float, default=120.0, help="for one call")
    parser.add_argument("--places", type=int, default=2, help="calls at the same time")
    given = parser.parse_args(arguments)
    figures: dict[str, object] = {}
    for name, paths in sets(given.sample):
        if given.only in ("", name):
            with tempfile.TemporaryDirectory() as folder, Library.open(folder, settings_of(given)) as library:
                add_files(library, paths)
                figures[name] = measure(library, given.blocks)
    sys.stdout.write(json.dumps(figures, ensure_ascii=False, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
