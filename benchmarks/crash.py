"""Kills real `veriloop` processes at random moments and looks at what they leave; lets two write at once.

    python benchmarks/crash.py [--kills 100] [--rounds 20] [--files 24] [--seed 1]

After each kill: the library opens, SQLite's check finds nothing, every document in it is whole (its blocks are just
those of a library that was never killed), and a search finds it. In the end the library equals one that was never
killed, in documents, blocks and search results. The two writers must both end with exit code 0 and lose nothing while
a reader searches all the time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from veriloop import Caller, Library
from veriloop.configs import Settings, load_settings

OWNER = Caller.owner()
_COMMAND = (sys.executable, "-c", "from veriloop.serving.cli.main import main; main()")
_LONGEST_SECONDS = 120.0
_MOST_TRIES = 4
_WORDS = ("验收", "违约金", "质量保证期", "付款", "交货", "保密", "仲裁", "备件", "培训", "发票")


class KillReport(NamedTuple):
    """What the kills have left behind."""

    kills: int
    hit: dict[str, int]
    """commands that were killed while they ran, by name"""
    problems: tuple[str, ...]
    equal_in_the_end: bool
    seconds: float


class WriterReport(NamedTuple):
    """What became of two writers at once."""

    rounds: int
    lost: int
    failed: int
    reads: int
    failed_reads: int
    longest_read_seconds: float
    """listing all documents and opening one"""
    longest_search_seconds: float
    """with bringing the index up to what the writers have committed since the last one"""


def settings() -> Settings:
    """Words alone: what is killed is the writing, and vectors have a transaction of their own."""
    return load_settings(environment=dict(_environment()))


def _environment() -> Iterator[tuple[str, str]]:
    yield from ((name, value) for name, value in os.environ.items() if not name.startswith("VERILOOP_"))
    yield "VERILOOP_EMBEDDINGS__PROVIDER", "none"
    yield "VERILOOP_PARSING__PROCESSES", "1"
    # The processes that are started import what this one does.
    yield "PYTHONPATH", os.pathsep.join(filter(None, sys.path))


def write_folder(folder: Path, count: int, text: str = "") -> Path:
    """Documents of some blocks each, every one with a word of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        number_of = f"{folder.name}-{number}"
        clauses = (
            f"第{clause}条 编号 {number_of} 的合同规定{word}的期限为{clause + number}日。{text}"
            for clause, word in enumerate(_WORDS * 4, 1)
        )
        body = "\n\n".join(f"## {word}\n\n{clause}" for word, clause in zip(_WORDS * 4, clauses, strict=True))
        (folder / f"{number:03}.md").write_text(f"# 合同 {number_of}\n\n{body}\n", encoding="utf-8")
    return folder


def contents(library: Library) -> dict[str, tuple[str, ...]]:
    """Every document by name with its blocks."""
    documents = (summary.document for summary in library.documents(OWNER))
    return {d.name: tuple(block.text for block in library.blocks(d.doc_id, OWNER)) for d in documents}


def found(library: Library) -> dict[str, tuple[str, ...]]:
    """For each document the names of those that a search for it finds, best first."""
    documents = [summary.document for summary in library.documents(OWNER)]
    return {d.name: tuple(h.document.name for h in library.search(d.title, caller=OWNER).hits) for d in documents}


def killed_again_and_again(room: Path, kills: int, files: int, seed: int) -> KillReport:
    """Kill adding, syncing, removing and indexing processes, and look after each."""
    begun, draw = time.monotonic(), random.Random(seed)
    first, second = write_folder(room / "A", files), write_folder(room / "B", files, "另有约定的除外。")
    states = [_never_killed(room / f"whole-{name}", source) for name, source in (("A", first), ("B", second))]
    folder, library = room / "documents", room / "library"
    problems: list[str] = []
    hit: Counter[str] = Counter()
    shutil.copytree(first, folder)
    # Some commands end before their moment comes; they are looked at all the same.
    for number in range(_MOST_TRIES * kills):
        if hit.total() >= kills:
            break
        name, arguments = _next_command(draw, folder, (first, second), library)
        if _killed(arguments, library, draw.uniform(0.0, _usual_seconds(name, files))):
            hit[name] += 1
        problems += [f"kill {number} ({name}): {one}" for one in looked_at(library, states)]
    equal = _ends_equal(room, folder, first, library)
    return KillReport(hit.total(), dict(hit), tuple(problems), equal, time.monotonic() - begun)


def _usual_seconds(command: str, files: int) -> float:
    """About as long as the writing of a command takes."""
    return 0.5 + 0.1 * files if command in ("add", "sync") else 0.02 * files


def _next_command(draw: random.Random, folder: Path, sources: Sequence[Path], library: Path) -> tuple[str, list[str]]:
    """A command that has something to do: the folder holds other texts before it is added or synced."""
    name = draw.choice(("add", "add", "sync", "sync", "remove", "index"))
    if name in ("add", "sync"):
        shutil.rmtree(folder)
        shutil.copytree(draw.choice(sources), folder)
        if name == "sync":
            for path in draw.sample(sorted(folder.iterdir()), 4):
                path.unlink()
        return name, [name, str(folder)]
    if name == "remove" and (library / "library.sqlite").is_file():
        with Library.open(library, settings()) as opened:
            names = [summary.document.doc_id for summary in opened.documents(OWNER)]
        if len(names) > 3:
            return name, [name, *draw.sample(names, len(names) // 2)]
    return "index", ["index"]


def _killed(arguments: Sequence[str], library: Path, seconds: float) -> bool:
    """Run a command and kill it with its children so long after it began to write; False if it had ended before."""
    # One that was killed before has left its note.
    (library / "writer.json").unlink(missing_ok=True)
    process = subprocess.Popen(
        [*_COMMAND, *arguments, "--library", str(library)],
        env=dict(_environment()),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while not (library / "writer.json").is_file() and process.poll() is None:
        time.sleep(0.01)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        # Of the session that it leads: nobody else is in there.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
    return False


def looked_at(folder: Path, states: Sequence[dict[str, tuple[str, ...]]]) -> list[str]:
    """What is wrong with a library that was left behind."""
    if not (folder / "library.sqlite").is_file():
        return []
    problems = []
    with Library.open(folder, settings()) as library:
        if (problem := library.problem()) is not None:
            problems.append(f"SQLite's check: {problem}")
        held = contents(library)
        whole = [name for name, blocks in held.items() if any(state.get(name) == blocks for state in states)]
        problems += [f"{name} is in parts" for name in held.keys() - set(whole)]
        for name, hits in found(library).items():
            if name not in hits or not set(hits) <= held.keys():
                problems.append(f"a search for {name} finds {', '.join(hits) or 'nothing'}")
    return problems


def _never_killed(room: Path, source: Path) -> dict[str, tuple[str, ...]]:
    """What a library holds that was made of a folder without any kill."""
    folder = room / "documents"
    shutil.copytree(source, folder)
    _run(["add", str(folder)], room / "library")
    with Library.open(room / "library", settings()) as library:
        return contents(library)


def _ends_equal(room: Path, folder: Path, source: Path, library: Path) -> bool:
    """Whether the library, synced once more, equals one that was never killed."""
    shutil.rmtree(folder)
    shutil.copytree(source, folder)
    if _run(["sync", str(folder)], library) != 0:
        return False
    with Library.open(library, settings()) as killed, Library.open(room / "whole-A" / "library", settings()) as whole:
        return contents(killed) == contents(whole) and found(killed) == found(whole)


def _run(arguments: Sequence[str], library: Path) -> int:
    done = subprocess.run(
        [*_COMMAND, *arguments, "--library", str(library)],
        env=dict(_environment()),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=_LONGEST_SECONDS,
        check=False,
    )
    return done.returncode


def two_at_once(room: Path, rounds: int, files: int) -> WriterReport:
    """Two processes add different folders to one library at the same time while this one searches it."""
    lost = failed = 0
    with _reader(room / "library") as reads:
        for number in range(rounds):
            folders = [write_folder(room / f"{name}{number}", files) for name in ("left", "right")]
            with _both(folders, room / "library") as codes:
                failed += sum(code != 0 for code in codes)
        with Library.open(room / "library", settings()) as library:
            held = Counter(summary.document.source_uri for summary in library.documents(OWNER))
        for number in range(rounds):
            for name in ("left", "right"):
                files_there = (room / f"{name}{number}").resolve().iterdir()
                lost += sum(path.as_uri() not in held for path in files_there)
    return WriterReport(rounds, lost, failed, reads.count, reads.failed, reads.longest, reads.longest_search)


@contextmanager
def _both(folders: Sequence[Path], library: Path) -> Iterator[list[int]]:
    processes = [
        subprocess.Popen(
            [*_COMMAND, "add", str(folder), "--library", str(library)],
            env=dict(_environment()),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for folder in folders
    ]
    yield [process.wait(_LONGEST_SECONDS) for process in processes]


class _Reads:
    count = failed = 0
    longest = longest_search = 0.0


def _read_once(library: Library, reads: _Reads) -> None:
    begun = time.monotonic()
    documents = [summary.document for summary in library.documents(OWNER)]
    if documents and not library.blocks(documents[0].doc_id, OWNER):
        reads.failed += 1
    listed = time.monotonic()
    if documents and not library.search(documents[-1].title, caller=OWNER).hits:
        reads.failed += 1
    reads.longest = max(reads.longest, listed - begun)
    reads.longest_search = max(reads.longest_search, time.monotonic() - listed)


@contextmanager
def _reader(folder: Path) -> Iterator[_Reads]:
    """Reads all the time in a thread: lists the documents, opens one, searches."""
    reads, stopped = _Reads(), threading.Event()

    def read() -> None:
        with Library.open(folder, settings()) as library:
            while not stopped.wait(0.05):
                try:
                    _read_once(library, reads)
                except Exception:  # noqa: BLE001 - whatever a reader meets is what is counted
                    reads.failed += 1
                reads.count += 1

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield reads
    finally:
        stopped.set()
        thread.join()


def main() -> None:
    """Print both reports as JSON; exit code 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("kills", 100), ("rounds", 20), ("files", 24), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        kills = killed_again_and_again(Path(room) / "kills", chosen.kills, chosen.files, chosen.seed)
        print(json.dumps(kills._asdict(), ensure_ascii=False, indent=2), flush=True)  # noqa: T201
        writers = two_at_once(Path(room) / "writers", chosen.rounds, 4)
        print(json.dumps(writers._asdict(), indent=2))  # noqa: T201
    sys.exit(
        bool(kills.problems or not kills.equal_in_the_end or writers.lost or writers.failed or writers.failed_reads)
    )


if __name__ == "__main__":
    main()
