"""Measures how fast passages are embedded: in the order they come or by length, by batch size, by threads.

    python benchmarks/embedding.py [--passages 96] [--repeat 3] [--json]

The model is that of the settings (VERILOOP_EMBEDDINGS__…); the passages are made up, Chinese and English, of 40 to 512
characters with title and section path as they are searched. Each figure is the median of repetitions that take turns
(first each setting once, then each again), every one in a process of its own, because OpenMP reads its threads when it
starts; loading the model and a first batch are not counted. `padding` is the share of characters that a model computes
in vain which fills each text up to the longest of its batch. `×` compares with the first row of the same run. On a
busy machine look at the CPU time of a passage: more threads get a larger share of the cores, at the others' expense.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from peers.measuring import run_isolated
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scale_library import GeneratedLibrary
from veriloop.configs import load_settings
from veriloop.knowledge.documents import Passage
from veriloop.knowledge.searchable import searchable_text
from veriloop.models.embeddings import make_embedder

SEED = 5
WINDOW_BATCHES = 8
STEP_SECONDS = 3_600
LENGTHS = (40, 512)


class Setting(NamedTuple):
    """One way of embedding: texts by length or as they come, texts in a call of the model, threads (0: its choice)."""

    by_length: bool
    batch: int
    threads: int

    @property
    def label(self) -> str:
        """As it is shown."""
        threads = f"{self.threads} threads" if self.threads else "threads as they are"
        return f"{'by length' if self.by_length else 'as they come'}, {self.batch} a batch, {threads}"


def settings_to_measure() -> list[Setting]:
    """The first is what all others are compared with."""
    cores = len(os.sched_getaffinity(0))
    return [
        Setting(False, 32, 0),
        Setting(True, 32, 0),
        Setting(True, 8, 0),
        Setting(False, 1, 0),
        Setting(True, 32, 1),
        Setting(True, 32, 4 * cores),
    ]


def passages(count: int) -> list[str]:
    """Made-up passages as they are searched, of very different lengths."""
    chance = random.Random(SEED)
    found: list[str] = []
    for document, split in GeneratedLibrary(count, load_settings(environment={}).splitting).documents():
        for block in split.blocks:
            longer = block.text * (1 + LENGTHS[1] // len(block.text))
            shown = block.model_copy(update={"text": longer[: chance.randint(*LENGTHS)]})
            whole = Passage(block_id=block.block_id, start=0, end=len(shown.text))
            found.append(searchable_text(document, shown, whole))
    return chance.sample(found, count)


def batches(texts: Sequence[str], setting: Setting) -> list[Sequence[str]]:
    """The texts in calls of the model; by length within as many of them as are taken from a library together."""
    window = setting.batch * WINDOW_BATCHES if setting.by_length else len(texts)
    found: list[Sequence[str]] = []
    for start in range(0, len(texts), window):
        some = list(texts[start : start + window])
        if setting.by_length:
            some.sort(key=len)
        found += [some[at : at + setting.batch] for at in range(0, len(some), setting.batch)]
    return found


def padding(parts: Sequence[Sequence[str]]) -> float:
    """Share of the characters that only fill texts up to the longest of their batch."""
    filled = sum(len(max(part, key=len)) * len(part) for part in parts)
    return 1 - sum(len(text) for part in parts for text in part) / filled


def step(setting: Setting, count: int) -> tuple[float, float]:
    """Seconds, and seconds of CPU time, that it takes to embed the passages."""
    if setting.threads:
        os.environ["OMP_NUM_THREADS"] = str(setting.threads)
    chosen = load_settings().embeddings.model_copy(update={"batch_size": setting.batch})
    embedder = make_embedder(chosen)
    if embedder is None:
        raise SystemExit("the settings name no embedding model: VERILOOP_EMBEDDINGS__PROVIDER is none")
    parts = batches(passages(count), setting)
    embedder.embed_passages(parts[0][:1])
    start, cpu = time.perf_counter(), time.process_time()
    for part in parts:
        embedder.embed_passages(part)
    return time.perf_counter() - start, time.process_time() - cpu


def measure(count: int, repeat: int) -> list[dict[str, float | str]]:
    """The figures of every setting, by turns.

    Raises:
        SystemExit: a step failed, with its reason.
    """
    chosen, seconds = settings_to_measure(), dict[Setting, list[float]]()
    cpu = dict[Setting, list[float]]()
    for setting in track(chosen * repeat, "settings", console=Console(stderr=True)):
        command = [sys.executable, str(Path(__file__)), "--passages", str(count), "--step", json.dumps(setting)]
        ended = run_isolated(command, STEP_SECONDS)
        if ended.reason:
            raise SystemExit(f"{setting.label}: {ended.reason}")
        wall, busy = json.loads(ended.output)
        seconds.setdefault(setting, []).append(wall)
        cpu.setdefault(setting, []).append(busy)
    rates = {setting: count / statistics.median(spent) for setting, spent in seconds.items()}
    texts = passages(count)
    return [
        {
            "setting": setting.label,
            "passages_s": rate,
            "times": rate / rates[chosen[0]],
            "slowest_s": count / max(seconds[setting]),
            "fastest_s": count / min(seconds[setting]),
            "cpu_ms": 1_000 * statistics.median(cpu[setting]) / count,
            "padding": padding(batches(texts, setting)),
        }
        for setting, rate in rates.items()
    ]


def show(rows: Sequence[dict[str, float | str]]) -> None:
    """The rows as a table."""
    table = Table("setting", "passages / s", "×", "slowest", "fastest", "CPU ms each", "padding")
    for row in rows:
        table.add_row(*(value if isinstance(value, str) else f"{value:.2f}" for value in row.values()))
    Console(width=120).print(table)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=96)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        sys.stdout.write(json.dumps(step(Setting(*json.loads(arguments.step)), arguments.passages)))
        return
    rows = measure(arguments.passages, arguments.repeat)
    if arguments.json:
        sys.stdout.write(json.dumps({"rows": rows}, ensure_ascii=False, indent=1) + "\n")
    else:
        show(rows)


if __name__ == "__main__":
    main()
