"""How well real files are read, against `unstructured` alone and plain text extraction, in the same run.

    VERILOOP_DATA=… python benchmarks/parsing.py            # every file of documents/ and hostile/
    VERILOOP_DATA=… python benchmarks/parsing.py --checked  # only those with hand-checked facts
    VERILOOP_DATA=… python benchmarks/parsing.py --misses   # names each fact that Veriloop does not hold

The facts are in `parsing_truth.yaml`, checked by eye on the files themselves. A cell is right if its value stands in
the row of its label; a pair, if it also stands under its header. Readers without tables get both where everything
stands on one line. A file that is refused because it holds only pictures has reported its pages. Peers that are not
installed are left out, with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from parsing_matching import Marks, mark
from parsing_readers import READERS
from parsing_run import FileResult, read_files
from parsing_truth import FileTruth, load_truth
from rich.console import Console
from rich.table import Table

_FOLDERS = ("documents", "hostile")
_FILE_SECONDS = 120.0
_TABLE_WIDTH = 150
_ONLY_PICTURES = "hold only pictures"


class Share(NamedTuple):
    """How many of how many."""

    held: int
    of: int

    def __str__(self) -> str:
        return f"{self.held} of {self.of}" + (f" ({self.held / self.of:.0%})" if self.of else "")


class Figures(NamedTuple):
    """What one reader has come to; shares over all facts, also those of files that did not go in."""

    cells: Share
    pairs: Share
    labels: Share
    relations: Share | None
    leaked: Share
    order: Share
    pictures: Share
    files: Share
    seconds: float


class Report(NamedTuple):
    """Figures, failures with reasons and facts missed, by reader, and the peers that were left out."""

    figures: Mapping[str, Figures]
    failures: Mapping[str, Mapping[str, str]]
    misses: Mapping[str, Mapping[str, Sequence[str]]]
    left_out: Mapping[str, str]


def measure(
    names: Iterable[str], folder: Path, truths: Sequence[FileTruth], files: Sequence[str], limit: float
) -> Report:
    """Run the readers one after another."""
    figures, failures, misses, left_out = {}, {}, {}, {}
    for name in names:
        reason = READERS[name].missing()
        if reason is not None:
            left_out[name] = reason
            continue
        results = {result.file: result for result in _told(name, read_files(name, folder, files, limit))}
        marks = {truth.file: _marked(truth, results[truth.file]) for truth in truths}
        figures[name] = _figures(truths, marks, results)
        failures[name] = {file: result.reason for file, result in results.items() if result.reading is None}
        misses[name] = {file: found.missed for file, found in marks.items() if found.missed}
    return Report(figures, failures, misses, left_out)


def _told(name: str, results: Iterable[FileResult]) -> Iterable[FileResult]:
    for result in results:
        sys.stderr.write(f"{name:14}{result.seconds:8.2f} s  {result.file}  {result.reason}\n")
        yield result


def _marked(truth: FileTruth, result: FileResult) -> Marks:
    if result.reading is None:
        reported = len(truth.pictures) if _ONLY_PICTURES in result.reason else 0
        return Marks(pictures=reported, missed=(f"not read: {result.reason}",))
    return mark(truth, result.reading)


def _figures(truths: Sequence[FileTruth], marks: Mapping[str, Marks], results: Mapping[str, FileResult]) -> Figures:
    cells = sum(len(truth.cells) for truth in truths)
    headings = [fact for truth in truths for fact in truth.headings]
    under = sum(bool(fact.under) for fact in headings)
    # Running lines can only leak from files that were read.
    lines = sum(len(truth.furniture) for truth in truths if results[truth.file].reading is not None)
    found = list(marks.values())
    has_levels = all(entry.relations is not None for entry in found)
    return Figures(
        cells=Share(sum(entry.cells for entry in found), cells),
        pairs=Share(sum(entry.pairs for entry in found), cells),
        labels=Share(sum(entry.labels for entry in found), len(headings)),
        relations=Share(sum(entry.relations or 0 for entry in found), under) if has_levels else None,
        leaked=Share(sum(entry.leaked for entry in found), lines),
        order=Share(sum(entry.ordered for entry in found), sum(len(truth.order) for truth in truths)),
        pictures=Share(sum(entry.pictures for entry in found), sum(len(truth.pictures) for truth in truths)),
        files=Share(sum(result.reading is not None for result in results.values()), len(results)),
        seconds=round(sum(result.seconds for result in results.values()), 1),
    )


_TITLES = {
    "cells": "cells beside their label",
    "pairs": "and under their header",
    "labels": "headings and clause labels kept",
    "relations": "and under the right heading",
    "leaked": "running lines leaked",
    "order": "pairs in reading order",
    "pictures": "picture pages read or reported",
    "files": "files read",
    "seconds": "seconds",
}


def show(report: Report, *, with_misses: bool) -> None:
    """The figures as a table, then the failures."""
    console = Console(width=_TABLE_WIDTH, highlight=False, emoji=False)
    table = Table("", *report.figures)
    for field, title in _TITLES.items():
        values = (getattr(figures, field) for figures in report.figures.values())
        table.add_row(title, *("–" if value is None else str(value) for value in values))
    console.print(table)
    for name, reason in report.left_out.items():
        console.print(f"{name} left out: {reason}", markup=False)
    for name, failures in report.failures.items():
        console.print(f"\n{name}: {len(failures)} not read", markup=False)
        for file, reason in failures.items():
            console.print(f"  {file}: {reason}", markup=False, soft_wrap=True)
    if with_misses:
        for file, missed in report.misses.get("veriloop", {}).items():
            console.print(f"\n{file}", *(f"  {line}" for line in missed), sep="\n", markup=False, soft_wrap=True)


def as_json(report: Report) -> str:
    """The report as one JSON object."""
    figures = {
        name: {
            field: value._asdict() if isinstance(value, Share) else value for field, value in found._asdict().items()
        }
        for name, found in report.figures.items()
    }
    return json.dumps({**report._asdict(), "figures": figures}, ensure_ascii=False, indent=1)


def _files(folder: Path, truths: Sequence[FileTruth], *, only_checked: bool) -> list[str]:
    if only_checked:
        return [truth.file for truth in truths]
    return sorted(
        path.relative_to(folder).as_posix() for top in _FOLDERS for path in (folder / top).rglob("*") if path.is_file()
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", nargs="+", choices=READERS, default=list(READERS), metavar="READER")
    parser.add_argument("--checked", action="store_true", help="only the files with hand-checked facts")
    parser.add_argument(
        "--file-seconds", type=float, default=_FILE_SECONDS, help="for one file; then it counts as lost"
    )
    parser.add_argument("--misses", action="store_true", help="name each fact that Veriloop does not hold")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    given = parser.parse_args()
    data = os.environ.get("VERILOOP_DATA")
    if not data:
        parser.error("VERILOOP_DATA does not name the folder of the data")
    folder, truths = Path(data), load_truth()
    files = _files(folder, truths, only_checked=given.checked)
    report = measure(given.readers, folder, truths, files, given.file_seconds)
    if given.json:
        sys.stdout.write(as_json(report) + "\n")
    else:
        show(report, with_misses=given.misses)


if __name__ == "__main__":
    main()
