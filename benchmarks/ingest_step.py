"""One number of processes of `ingest.py`, in a program of its own; the last line that it prints is a JSON list."""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from corpora import files
from docx import Document as WordFile
from numpy.typing import NDArray
from scale_library import HashEmbedder
from veriloop import AddReport, Caller, Library, add_files
from veriloop.configs import Settings, load_settings
from veriloop.models.embeddings import make_embedder

INSERTED = "本次修订增加本款：自动化计量装置的核验周期由所在单位确定，并报主管部门备案。"
WATCH_SECONDS = 0.2
_FRONT = 4  # paragraphs that stand before the inserted one: the title and what belongs to it

Row = dict[str, Any]


class CountingEmbedder:
    """Counts the texts that an embedder is given.

    Args:
        embedder: makes the vectors.
    """

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder
        self.name, self.dimension = embedder.name, embedder.dimension
        self.texts = 0

    def embed_passages(self, texts: Sequence[str]) -> NDArray[Any]:
        """Vectors of shape (len(texts), dimension)."""
        self.texts += len(texts)
        vectors: NDArray[Any] = self._embedder.embed_passages(texts)
        return vectors

    def embed_query(self, text: str) -> NDArray[Any]:
        """One vector of shape (dimension,)."""
        vector: NDArray[Any] = self._embedder.embed_query(text)
        return vector


def _embedder(name: str, settings: Settings) -> CountingEmbedder | None:
    if name == "none":
        return None
    return CountingEmbedder(HashEmbedder() if name == "hash" else make_embedder(settings.embeddings))


def _settings(processes: int, ocr: bool) -> Settings:
    settings = load_settings(environment={})
    parsing = settings.parsing.model_copy(update={"processes": processes, "ocr": ocr})
    return settings.model_copy(update={"parsing": parsing})


def _copied(documents: int, folder: Path) -> list[Path]:
    folder.mkdir()
    return [Path(shutil.copy(file.path, folder)) for file in files("clauses", documents) if file.path is not None]


def _row(what: str, report: AddReport, embedder: CountingEmbedder | None) -> Row:
    seconds, blocks = report.seconds, report.blocks
    written = len(report.added) + len(report.updated)
    row: Row = {
        "what": what, "total_s": seconds.total, "read_s": seconds.read, "split_s": seconds.split,
        "index_s": seconds.index, "vectors_s": seconds.vectors, "documents/s": written / seconds.total,
        "blocks/s": blocks.added / seconds.total, "blocks_added": blocks.added, "blocks_kept": blocks.kept,
        "blocks_removed": blocks.removed, "failed_files": len(report.failed),
    }  # fmt: skip
    if embedder is not None:
        row["embedded"], embedder.texts = embedder.texts, 0
    row["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1_000_000 if sys.platform == "darwin" else 1_000
    )
    return row


class WorkerWatch:
    """Looks at the memory of the programs that this one has started, while it is entered; on Linux only.

    What the system itself keeps of them when they have ended counts this program's memory, too.
    """

    def __init__(self) -> None:
        self.megabytes: float | None = None
        self._ended = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> WorkerWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(WATCH_SECONDS):
            for task in Path("/proc/self/task").glob("*/children"):
                with suppress(OSError):
                    for child in task.read_text().split():
                        self._note(Path(f"/proc/{child}/status").read_text())

    def _note(self, status: str) -> None:
        found = re.search(r"VmHWM:\s+(\d+)", status)
        if found is not None and "python" in status.split("\n", 1)[0]:
            self.megabytes = max(self.megabytes or 0.0, int(found.group(1)) / 1_000)


def _insert_paragraph(path: Path) -> None:
    """Write a paragraph near the front of a Word file."""
    word = WordFile(str(path))
    paragraphs = word.paragraphs
    paragraphs[min(_FRONT, len(paragraphs) - 1)].insert_paragraph_before(INSERTED)
    word.save(str(path))


def _remove(library: Library, path: Path) -> Row:
    document = next(one for one in library.find_documents(path.name, Caller.owner()))
    blocks = len(library.blocks(document.doc_id, Caller.owner()))
    start = time.perf_counter()
    with library.writing("remove"):
        library.remove(document.doc_id)
        library.refresh()
    return {"what": "one removed", "total_s": time.perf_counter() - start, "blocks_removed": blocks}


def measure(arguments: argparse.Namespace) -> list[Row]:
    """Add all, change one in the middle of the list by size, remove it."""
    settings = _settings(arguments.processes, arguments.ocr)
    embedder = _embedder(arguments.embedder, settings)
    with tempfile.TemporaryDirectory() as temporary:
        documents = _copied(arguments.documents, Path(temporary) / "documents")
        chosen = sorted(documents, key=lambda path: path.stat().st_size)[len(documents) // 2]
        folder = Path(temporary) / "library"
        folder.mkdir()
        with Library(folder, settings, embedder) as library:
            with WorkerWatch() as watch:
                report = add_files(library, [chosen.parent], vector_minutes=10_000)
            rows = [_row("all added", report, embedder) | {"worker_mb": watch.megabytes}]
            _insert_paragraph(chosen)
            rows.append(_row("one changed", add_files(library, [chosen.parent], vector_minutes=10_000), embedder))
            rows.append(_remove(library, chosen))
    return rows


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, required=True)
    parser.add_argument("--processes", type=int, required=True)
    parser.add_argument("--embedder", default="hash")
    parser.add_argument("--ocr", action="store_true")
    sys.stdout.write(json.dumps(measure(parser.parse_args())) + "\n")


if __name__ == "__main__":
    main()
