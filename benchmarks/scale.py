"""Measures how search grows with the library: 4,000 to 200,000 made-up blocks, in one run with what it is built on.

    python benchmarks/scale.py [--blocks 4000 40000 200000] [--no-vectors] [--no-peers] [--keep DIR] [--json]

Milliseconds leave out the embedding of the question; `index_s` leaves out the making of the vectors (`--json` has its
parts), `put_s` is the share of it for writing documents, `build_mb` the most memory that the writer held. The library
is written by one process and read by another, whose memory is what a server needs. `--keep` leaves the libraries in a
folder; those found there are read, not built again. `add_s` is the time from handing over one more document to the
search that finds it. Peers hold ready tokens and vectors in memory, and neither store nor filter nor rerank: BM25 by
bm25s and rank_bm25 over the tokens that Veriloop indexes (rank_bm25 up to 10,000 blocks), exact FAISS over the
vectors. Building 200,000 blocks takes about ten minutes by words, many more with vectors.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from peers.measuring import run_isolated
from rich.console import Console
from rich.markup import escape
from rich.table import Table

STEP = Path(__file__).with_name("scale_step.py")
DEFAULT_BLOCKS = (4_000, 40_000, 200_000)
RANK_BM25_BLOCKS = 10_000
STEP_SECONDS = 4 * 3_600
TABLE_WIDTH = 180
COLUMNS = (
    "blocks", "search", "median_ms", "p95_ms", "cpu_ms", "times Veriloop", "filtered_ms", "found", "put_s", "index_s",
    "index_cpu_s", "build_mb", "open_s", "add_s", "memory_mb", "disk_mb",
)  # fmt: skip

Row = dict[str, Any]


def run_step(step: str, blocks: int, folder: Path, arguments: argparse.Namespace) -> Row:
    """The figures of one step, made by a process of its own; `failed` says why there are none."""
    command = [sys.executable, str(STEP), step, "--blocks", str(blocks), "--folder", str(folder)]
    command += ["--questions", str(arguments.questions), *(["--no-vectors"] if arguments.no_vectors else [])]
    ended = run_isolated(command, STEP_SECONDS, show=True)
    return {"failed": ended.reason} if ended.reason else dict(json.loads(ended.output.splitlines()[-1]))


def measure(blocks: int, folder: Path, arguments: argparse.Namespace) -> list[Row]:
    """All rows of one size, Veriloop's first."""
    built = {} if (folder / "built.json").is_file() else run_step("build", blocks, folder, arguments)
    rows = [built if "failed" in built else run_step("read", blocks, folder, arguments)]
    rows[0]["search"] = "veriloop"
    peers = [] if arguments.no_peers else ["bm25s", *(["rank-bm25"] if blocks <= RANK_BM25_BLOCKS else [])]
    if peers and not arguments.no_vectors:
        peers.append("faiss")
    rows += [_peer(peer, blocks, folder, arguments) for peer in peers]
    own = rows[0].get("median_ms")
    for row in rows:
        row["blocks"] = blocks
        row["times Veriloop"] = row["median_ms"] / own if own and "median_ms" in row else None
    return rows


def _peer(peer: str, blocks: int, folder: Path, arguments: argparse.Namespace) -> Row:
    if find_spec(peer.replace("-", "_")) is None:
        return {"search": peer, "missing": "not installed: pip install 'veriloop[bench]'"}
    return run_step(peer, blocks, folder, arguments) | {"search": peer}


def show(rows: list[Row]) -> None:
    """The rows as a table."""
    table = Table(*COLUMNS, title="search without embedding the question")
    for row in rows:
        table.add_row(*(_cell(row.get(name)) for name in COLUMNS))
        for reason in ("failed", "missing"):
            if reason in row:
                table.add_row("", escape(f"{reason}: {row[reason]}"))
    Console(width=TABLE_WIDTH).print(table)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.3g}" if abs(value) < 100 else f"{value:,.0f}"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, nargs="+", default=list(DEFAULT_BLOCKS))
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--no-vectors", action="store_true", help="words alone")
    parser.add_argument("--no-peers", action="store_true", help="Veriloop alone")
    parser.add_argument("--keep", type=Path, help="folder that keeps the libraries for the next run")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    return parser.parse_args()


def main() -> None:
    """Run from the command line."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as temporary:
        root = arguments.keep or Path(temporary)
        kind = "words" if arguments.no_vectors else "vectors"
        rows = [row for n in arguments.blocks for row in measure(n, root / f"{kind}-{n}", arguments)]
    if arguments.json:
        sys.stdout.write(json.dumps({"rows": rows}, ensure_ascii=False, indent=1) + "\n")
    else:
        show(rows)
    if any("failed" in row for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
