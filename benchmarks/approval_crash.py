"""Kills processes at random moments while they carry out an approved call, and counts what arrived at the service.

    python benchmarks/approval_crash.py [--tries 200] [--kind both] [--seed 1]

Each try asks a question whose call needs consent, and gives it: in one process, or in two at once. The processes are
killed (SIGKILL) at random moments, half of them around the call itself, and started again, up to three times; the last
one may end by itself. The service is a real one over HTTP on this machine. Half of the tries are for a service that
tells repetitions by their key, and must have carried out the call exactly once. The other half are for one that does
not: there the call must not arrive twice, and where its outcome was lost the answer must say so.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from veriloop import Answer, Library, add_files, build_agent
from veriloop.configs import load_settings
from veriloop.graphs.checkpoints import kept_threads
from veriloop.graphs.session import Agent
from veriloop.tools.contracts import CALL_KEY
from veriloop.tools.registry import Permission, Tool, ToolOutput
from veriloop.tools.results import result_hit
from veriloop.tools.search_documents import SEARCH_DOCUMENTS, SearchArguments

QUESTION = "HN-3200的额定功率是多少？"
_MOST_KILLS = 3
_LONGEST_SECONDS = 120.0
# About as long as a process takes from the decision to the answer.
_RUN_SECONDS = 0.4
# Before and after the service does what it is asked: moments that a kill can hit.
_SERVICE_SECONDS = 0.02
_ENVIRONMENT = {"VERILOOP_EMBEDDINGS__PROVIDER": "none"}


class Service:
    """Carries out each key once, or every request; counts both."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self.effects: Counter[str] = Counter()
        self.arrived = threading.Event()
        """Set when any request comes in; whoever waits for the next one clears it."""
        self._lock = threading.Lock()

    def take(self, key: str, *, tells_repetitions: bool) -> None:
        """One request."""
        self.arrived.set()
        time.sleep(_SERVICE_SECONDS)
        with self._lock:
            self.requests[key] += 1
            if not tells_repetitions or not self.effects[key]:
                self.effects[key] += 1
        time.sleep(_SERVICE_SECONDS)


@contextmanager
def serving(service: Service) -> Iterator[str]:
    """The service on a free port of this machine; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            service.take(self.headers["Idempotency-Key"], tells_repetitions=self.path == "/idempotent")
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            try:
                self.wfile.write(b"ok")
            except OSError:  # the one that asked has been killed
                return

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def booking(url: str, *, idempotent: bool) -> Tool:
    """A tool in the place of the search, so that rules plan its calls; it writes to the service."""

    def run(arguments: SearchArguments) -> ToolOutput:
        path = "idempotent" if idempotent else "plain"
        headers = {"Idempotency-Key": CALL_KEY.get()}
        httpx.post(f"{url}/{path}", content=arguments.query, headers=headers, timeout=10, trust_env=False)
        return ToolOutput(hits=(result_hit("book", "service", f"{arguments.query}已登记。"),), short_answer="已登记")

    return Tool(
        name=SEARCH_DOCUMENTS,
        description="Books what is asked for.",
        arguments=SearchArguments,
        run=run,
        permission=Permission.WRITE,
        idempotent=idempotent,
    )


@contextmanager
def agent_of(folder: Path, url: str, *, idempotent: bool) -> Iterator[Agent]:
    """The agent as every process has it: all that they share is the library's folder and the service."""
    with Library.open(folder, load_settings(environment=_ENVIRONMENT)) as library, kept_threads(library) as saver:
        tools = [booking(url, idempotent=idempotent)]
        yield build_agent(library, only_tools=tools, routes=["two_step"], checkpointer=saver)


class Approval(NamedTuple):
    """Everything that a process is given."""

    folder: str
    url: str
    idempotent: bool
    thread_id: str
    approval_id: str
    digest: str


def approve(given: Approval, begun: Connection) -> None:
    """What a process does: it says when it begins, and hands the decision to the run."""
    with agent_of(Path(given.folder), given.url, idempotent=given.idempotent) as agent:
        begun.send(True)
        said = {"decision": "approve", "digest": given.digest, "decided_by": "benchmark"}
        agent.resume(given.thread_id, {given.approval_id: said})


class Try(NamedTuple):
    """What came of one approved call."""

    idempotent: bool
    kills: int
    requests: int
    effects: int
    uncertain: bool
    """whether the answer says that the outcome is not known"""
    done: bool
    """whether the answer says that the call was carried out"""

    @property
    def problem(self) -> str:
        """What must not happen; empty: it did not."""
        if self.idempotent:
            return "" if self.effects == 1 and self.done else f"carried out {self.effects} times"
        if self.effects > 1:
            return f"carried out {self.effects} times"
        if self.done == self.uncertain:
            return "the answer says neither or both"
        return "the answer says that it was carried out" if self.done and not self.effects else ""


class Report(NamedTuple):
    """All tries."""

    tries: int
    kills: int
    idempotent_tries: int
    idempotent_carried_out_once: int
    other_carried_out_once: int
    repeated_requests: int
    reported_uncertain: int
    problems: tuple[str, ...]
    seconds: float


def measure(room: Path, tries: int, seed: int, kind: str = "both") -> Report:
    """Make so many tries; of both kinds, every second one is for the service that does not tell repetitions."""
    begun, draw, service = time.monotonic(), random.Random(seed), Service()
    folder = room / "library"
    documents = room / "documents"
    documents.mkdir(parents=True)
    (documents / "sheet.md").write_text("# 设备\n\nHN-3200的额定功率为8 kW。\n", encoding="utf-8")
    with Library.open(folder, load_settings(environment=_ENVIRONMENT)) as library:
        add_files(library, [documents])
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["approval_crash", "veriloop.graphs.session"])
    with serving(service) as url:
        kinds = {"idempotent": (True,), "plain": (False,)}.get(kind, (True, False))
        made = [
            _tried(folder, url, service, draw, context, idempotent=kinds[number % len(kinds)])
            for number in range(tries)
        ]
    problems = tuple(f"try {number}: {one.problem}" for number, one in enumerate(made) if one.problem)
    return Report(
        tries=tries,
        kills=sum(one.kills for one in made),
        idempotent_tries=sum(one.idempotent for one in made),
        idempotent_carried_out_once=sum(one.effects == 1 for one in made if one.idempotent),
        other_carried_out_once=sum(one.effects == 1 for one in made if not one.idempotent),
        repeated_requests=sum(max(0, one.requests - 1) for one in made),
        reported_uncertain=sum(one.uncertain for one in made),
        problems=problems,
        seconds=round(time.monotonic() - begun, 1),
    )


def _tried(folder: Path, url: str, service: Service, draw: random.Random, context: Any, *, idempotent: bool) -> Try:
    with agent_of(folder, url, idempotent=idempotent) as agent:
        asked = agent.ask(QUESTION)
    request = asked.approvals[0]
    given = Approval(str(folder), url, idempotent, asked.thread_id, request.approval_id, request.digest)
    kills = sum(_killed(given, service, draw, context) for _ in range(draw.randint(1, _MOST_KILLS)))
    _finished(given, context)
    with agent_of(folder, url, idempotent=idempotent) as agent:
        answer = agent.answer(asked.thread_id)
    key = request.approval_id
    return Try(
        idempotent, kills, service.requests[key], service.effects[key], *_said(answer),
    )  # fmt: skip


def _said(answer: Answer) -> tuple[bool, bool]:
    return "无法确定" in answer.text, "已登记" in answer.text


def _start(given: Approval, context: Any) -> tuple[Any, Connection]:
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=approve, args=(given, theirs))
    process.start()
    theirs.close()
    return process, mine


def _killed(given: Approval, service: Service, draw: random.Random, context: Any) -> int:
    """Start one process or two, and kill them at a random moment; how many were hit."""
    service.arrived.clear()
    started = [_start(given, context) for _ in range(draw.choice((1, 1, 2)))]
    started[0][1].poll(_LONGEST_SECONDS)
    if draw.random() < 0.5:
        while not service.arrived.wait(0.01) and any(process.is_alive() for process, _ in started):
            pass
        time.sleep(draw.uniform(0.0, 4 * _SERVICE_SECONDS))
    else:
        time.sleep(draw.uniform(0.0, _RUN_SECONDS))
    hit = 0
    for process, pipe in started:
        hit += process.is_alive()
        process.kill()
        process.join()
        pipe.close()
    return hit


def _finished(given: Approval, context: Any) -> None:
    process, pipe = _start(given, context)
    process.join(_LONGEST_SECONDS)
    pipe.close()
    if process.exitcode != 0:
        raise RuntimeError(f"the last process of call {given.approval_id} ended with {process.exitcode}")


def main() -> None:
    """Print the report; exit code 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=("both", "idempotent", "plain"), default="both", help="of service")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        report = measure(Path(room), chosen.tries, chosen.seed, chosen.kind)
    print(json.dumps(report._asdict(), ensure_ascii=False, indent=2))  # noqa: T201
    sys.exit(bool(report.problems))


if __name__ == "__main__":
    main()
