"""Graph expansion on and off (S2 §5.3): are all supporting documents of a multi-hop question among the first k hits?

    python benchmarks/graph_expansion.py --set hotpotqa [--n 50] [--work DIR] [--hops 1 2] [--expanded 3] [--answers]

The public sets are found through VERILOOP_DATA: `hotpotqa`, `musique` (one paragraph a document), `companies`
(multi-hop questions and those over several documents).
The library is filled once (`--work` keeps it) and searched by words alone, or with vectors where the settings ask for
them and `--vectors-minutes` allows it. Milliseconds are those of a search. With `--answers` each question is also
answered by rules, with and without expansion: a fact counts if an expected answer stands in the text.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import corpora
from reporting import compare, mean, percentile, show
from veriloop import Caller, Library, add_files, build_agent
from veriloop.configs import Settings, load_settings
from veriloop.configs.graph_settings import GraphSettings

OWNER = Caller.owner()
SETS = ("hotpotqa", "musique", "companies")
MULTI_HOP = ("multi_hop", "multi_doc_integration", "multi_doc_compare", "multi_doc_time")
KS = (5, 10)


class Setting(NamedTuple):
    """A way of searching."""

    name: str
    graph: GraphSettings


class Outcome(NamedTuple):
    """What a search found of one question."""

    all_found: dict[int, bool]
    share: float
    milliseconds: float


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, required=True, dest="name")
    parser.add_argument("--n", type=int, default=0, help="questions; 0: all")
    parser.add_argument("--hops", type=int, nargs="+", choices=(1, 2), default=[1, 2])
    parser.add_argument("--expanded", type=int, default=3, help="of the hits, the last ones at most")
    parser.add_argument("--work", type=Path, help="folder that keeps the library for the next run")
    parser.add_argument("--vectors-minutes", type=float, default=0.0, help="how long to make vectors; 0: words alone")
    parser.add_argument("--answers", action="store_true", help="also answer each question by rules")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    return parser.parse_args()


def _settings(graph: GraphSettings, *, vectors: bool) -> Settings:
    settings = load_settings()
    update: dict[str, object] = {"graph": graph}
    if not vectors:
        update["embeddings"] = settings.embeddings.model_copy(update={"provider": "none"})
    return settings.model_copy(update=update)


def _fill(name: str, folder: Path, minutes: float) -> float:
    """Fill a library, unless it is there; returns the seconds that the graph took."""
    if not (folder / "library").exists():
        documents = folder / "documents"
        documents.mkdir(parents=True)
        paths = []
        for file in corpora.files(name, 0):
            path = file.path or documents / f"{file.name}.md"
            if file.path is None:
                path.write_text(file.text, encoding="utf-8")
            paths.append(path)
        with Library.open(folder / "library", _settings(GraphSettings(), vectors=minutes > 0)) as library:
            add_files(library, paths, vector_minutes=minutes)
    with Library.open(folder / "library", _settings(GraphSettings(), vectors=minutes > 0)) as library:
        begun = time.perf_counter()
        library.graph.build_by_rules()
        return time.perf_counter() - begun


def _questions(name: str, n: int) -> list[corpora.Question]:
    found = [q for q in corpora.questions(name) if len(q.documents) > 1 or q.type in MULTI_HOP]
    random.Random(corpora.SAMPLE_SEED).shuffle(found)
    return found[: n or None]


def _search(library: Library, question: corpora.Question) -> Outcome:
    begun = time.perf_counter()
    hits = library.search(question.text, k=max(KS), caller=OWNER).hits
    milliseconds = (time.perf_counter() - begun) * 1000
    texts = [(Path(hit.document.name).name, corpora.bare(hit.text)) for hit in hits]
    found = {k: [_is_found(one, question, texts[:k]) for one in _wanted(question)] for k in KS}
    share = sum(found[max(KS)]) / len(found[max(KS)])
    return Outcome({k: all(parts) for k, parts in found.items()}, share, milliseconds)


def _wanted(question: corpora.Question) -> Sequence[tuple[str, str]]:
    """What has to be found: each quoted text, or where nothing is quoted each document."""
    quoted = [("", text) for text in question.wanted]
    return quoted or [(document, "") for document in question.documents]


def _is_found(wanted: tuple[str, str], question: corpora.Question, texts: Sequence[tuple[str, str]]) -> bool:
    document, quote = wanted
    names = {Path(name).stem for name in ((document,) if document else question.documents)}
    return any(Path(name).stem in names and quote in text for name, text in texts)


def _measure(name: str, folder: Path, settings: Sequence[Setting], arguments: argparse.Namespace) -> dict[str, object]:
    questions = _questions(name, arguments.n)
    figures: dict[str, dict[str, dict[str, float | int | None]]] = {}
    good: dict[str, dict[str, bool]] = {}
    for setting in settings:
        chosen = _settings(setting.graph, vectors=arguments.vectors_minutes > 0)
        with Library.open(folder / "library", chosen) as library:
            library.search("warm up", caller=OWNER)
            outcomes = {question.id: _search(library, question) for question in questions}
            groups = {"all": questions} | {
                kind: [q for q in questions if q.type == kind] for kind in sorted({q.type for q in questions})
            }
            figures[setting.name] = {
                group: _row([outcomes[q.id] for q in chosen_questions]) for group, chosen_questions in groups.items()
            }
            if arguments.answers:
                figures[setting.name]["all"]["facts"] = _facts(library, name, questions)
        good[setting.name] = {key: one.all_found[max(KS)] for key, one in outcomes.items()}
    first, *others = good
    paired = {other: compare(good[first], good[other])._asdict() for other in others}
    return {"questions": len(questions), "figures": figures, "paired": paired}


def _row(outcomes: Sequence[Outcome]) -> dict[str, float | int | None]:
    times = [one.milliseconds for one in outcomes]
    return {
        "n": len(outcomes),
        **{f"all@{k}": mean([one.all_found[k] for one in outcomes]) for k in KS},
        "share@10": mean([one.share for one in outcomes]),
        "ms": round(statistics.median(times)),
        "ms p95": round(percentile(times, 95)),
        "ms max": round(max(times)),
    }


def _facts(library: Library, name: str, questions: Sequence[corpora.Question]) -> float | None:
    """The share of the questions of whose expected answers one stands in the answer by rules."""
    expected = corpora.expected_answers(name)
    agent = build_agent(library, caller=OWNER)
    right = []
    for question in questions:
        text = corpora.bare(agent.ask(question.text).text)
        wanted = [corpora.bare(one) for one in expected.get(question.id, ()) if corpora.bare(one)]
        right.append(any(one in text for one in wanted) if wanted else None)
    return mean(right)


def main() -> None:
    """Run from the command line."""
    arguments = _arguments()
    settings = [Setting("off", GraphSettings())]
    for hops in arguments.hops:
        graph = GraphSettings(expand=True, hops=hops, expanded=arguments.expanded)
        settings.append(Setting(f"{hops} hop{'s' if hops > 1 else ''}", graph))
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.work or Path(temporary)
        seconds = _fill(arguments.name, folder, arguments.vectors_minutes)
        report = _measure(arguments.name, folder, settings, arguments)
        report["graph_seconds"] = round(seconds, 1)
        with Library.open(folder / "library", _settings(GraphSettings(), vectors=False)) as library:
            report["relations"] = library.graph.counts(OWNER).relations
    if arguments.json:
        sys.stdout.write(json.dumps(report, ensure_ascii=False, indent=1) + "\n")
        return
    show(report["figures"], f"{arguments.name}: {report['questions']} questions, {report['relations']} relations")  # type: ignore[arg-type]
    sys.stdout.write(json.dumps(report["paired"], ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
