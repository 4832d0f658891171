"""`veriloop doctor`: whether everything is in place, and what to do where it is not."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from ...errors import VeriloopError
from ...knowledge.text.counting import counted
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    ProfileOption,
    caller_of,
    open_library,
    refuse_others,
)
from .output import print_json, say, tell_waiting
from .parse_scores import GOOD_SCORE, ParseScore, parse_scores, summary_of, unread_lines

if TYPE_CHECKING:
    from ...knowledge.documents import Caller
    from ...knowledge.library import Library

_PROBLEM = 1
# What stands for an extra: installed means that the extra is.
_EXTRAS = {
    "ocr": "rapidocr",
    "unstructured": "unstructured",
    "bge": "FlagEmbedding",
    "serve": "langserve",
    "studio": "langgraph-cli",
}


class Finding(NamedTuple):
    """One thing that was looked at."""

    subject: str
    state: Literal["ok", "note", "problem"]
    message: str


def doctor(
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="First make index files anew and remove what belongs to nothing.")
    ] = False,
    worst: Annotated[
        int, typer.Option("--worst", min=0, help="Show so many of the documents that were read worst; --json has all.")
    ] = 5,
    json: JsonOption = False,
) -> None:
    """Look at the installation, the settings and the library; exit code 1 where something is broken."""
    repaired = _repaired(library, profile, caller) if repair else []
    looked_at = _library(library, profile, caller, worst)
    findings = [_python(), *_extras(), _office(), *repaired, *looked_at.findings]
    if json:
        print_json([*(finding._asdict() for finding in findings), *(one.as_document() for one in looked_at.scores)])
    else:
        findings += [Finding("parse", "note", one.described(library)) for one in looked_at.worst]
        for finding in findings:
            say(f"{finding.state:8}{finding.subject:20}{finding.message}")
    if any(finding.state == "problem" for finding in findings):
        raise typer.Exit(_PROBLEM)


def _repaired(folder: Path, profile: str | None, caller: str | None) -> list[Finding]:
    from ...knowledge.repairing import repair  # noqa: PLC0415 - `--help` should not wait for it

    refuse_others(caller, "doctor --repair")
    try:
        with open_library(folder, profile) as opened:
            made = repair(opened, opened.refresh, tell_waiting)
    except VeriloopError as error:
        return [Finding("repair", "problem", str(error))]
    lost = [Finding("repair", "problem", f"{name}: was incomplete and was removed; add it again") for name in made.lost]
    return [*(Finding("repair", "ok", done) for done in made.done), *lost]


def _python() -> Finding:
    return Finding("installation", "ok", f"veriloop {version('veriloop')}, Python {platform.python_version()}")


def _extras() -> list[Finding]:
    findings = []
    for extra, distribution in _EXTRAS.items():
        try:
            findings.append(Finding(f"extra {extra}", "ok", f"{distribution} {version(distribution)}"))
        except PackageNotFoundError:
            findings.append(Finding(f"extra {extra}", "note", f"not installed: pip install 'veriloop[{extra}]'"))
    return findings


def _office() -> Finding:
    from ...knowledge.parsing import libreoffice  # noqa: PLC0415 - `--help` should not wait for it

    found = libreoffice.program()
    if found is None:
        return Finding("LibreOffice", "note", "not found: .doc, .xls and .ppt are not read; install it to read them")
    return Finding("LibreOffice", "ok", found)


class _LookedAt(NamedTuple):
    """What was found of a library; `worst` are the first of `scores` that are not good."""

    findings: list[Finding]
    scores: Sequence[ParseScore] = ()
    worst: Sequence[ParseScore] = ()


def _library(folder: Path, profile: str | None, caller: str | None, worst: int) -> _LookedAt:
    try:
        opened = open_library(folder, profile)
        opened.refresh()
    except VeriloopError as error:
        return _LookedAt([Finding("library", "problem", str(error))])
    with opened:
        asking = caller_of(caller)
        scores = parse_scores(opened, asking)
        findings = [
            _contents(opened, asking),
            _vectors(opened, asking),
            *(Finding("unread", "note", line) for line in unread_lines(scores)),
            *_reranker(opened),
            _models(opened),
            *_tools(opened, asking),
            *([Finding("parsing", "ok", summary_of(scores))] if scores else []),
        ]
        return _LookedAt(findings, scores, [one for one in scores if one.worth < GOOD_SCORE][:worst])


def _contents(library: Library, caller: Caller) -> Finding:
    problem = library.problem()
    if problem is not None:
        return Finding("library", "problem", f"{problem}: restore a backup or add the documents to a new library")
    versions = library.documents(caller, with_tombstones=True)
    present, kept = ([one.blocks for one in versions if one.document.status.value == s] for s in ("active", "replaced"))
    earlier = f"; {_size(kept, 'earlier version')}" if kept else ""
    # The counter also counts changes of documents that this caller may not see.
    changes = f", version {library.version}" if caller.is_owner else ""
    return Finding("library", "ok", f"{_size(present, 'document')}{earlier}{changes}")


def _size(blocks: Sequence[int], noun: str) -> str:
    """How many there are and how many blocks they have."""
    return f"{counted(len(blocks), noun)}, {counted(sum(blocks), 'block')}"


def _vectors(library: Library, caller: Caller) -> Finding:
    from ...models.embeddings import embedder_status  # noqa: PLC0415 - `--help` should not wait for it

    reason = embedder_status(library.settings.embeddings)
    if reason is not None:
        return Finding("vectors", "note", reason)
    if not caller.is_owner:
        # How many passages there are would tell of documents that this caller may not see.
        return Finding("vectors", "ok", "made by the library's owner")
    unused = library.unused_vectors()
    if unused is not None:
        return Finding("vectors", "problem", unused)
    progress = library.vector_progress()
    if progress.done < progress.total:
        message = (
            f"{progress.done:,} of {progress.total:,} passages; finish with: veriloop index --library {library.folder}"
        )
        return Finding("vectors", "note", message)
    return Finding("vectors", "ok", f"all of {progress.total:,} passages{_model(library)}")


def _reranker(library: Library) -> list[Finding]:
    """Whether the rerank model of the settings can be loaded; nothing where none is set."""
    from ...models.rerankers import make_pair_scorer  # noqa: PLC0415 - `--help` should not wait for it

    try:
        scorer = make_pair_scorer(library.settings.rerank)
    except VeriloopError as error:
        return [Finding("rerank model", "problem", str(error))]
    return [] if scorer is None else [Finding("rerank model", "ok", scorer.name)]


def _tools(library: Library, caller: Caller) -> list[Finding]:
    """What the settings declare for tools; nothing is called, and no server is started."""
    from ...graphs.reading import read_up  # noqa: PLC0415 - `--help` should not wait for it
    from ...tools.assembly import ToolNeeds, make_tools  # noqa: PLC0415
    from ...tools.soundness import declared_problems, idle_policies  # noqa: PLC0415

    broken = [Finding(one.name, "problem", one.reason) for one in declared_problems(library, caller)]
    settings = library.settings.tools
    # Servers and plug-ins bring tools that are known only once they are started or loaded.
    is_all = not settings.mcp and not settings.plugins
    offered = make_tools(ToolNeeds(library, caller, reader=read_up)) if is_all else ()
    idle = [Finding(one.name, "note", one.reason) for one in idle_policies(library, offered)] if is_all else []
    declared = counted(len(settings.apis) + len(settings.databases) + len(settings.mcp), "declared source")
    return [*broken, *idle, *([] if broken else [Finding("tools", "ok", declared)])]


def _model(library: Library) -> str:
    """Which model the vectors are of, what is known of its similarities, and whether it is being changed."""
    state = library.vector_state()
    if state is None:
        return ""
    known = state.floor
    floor = "" if known is None or known.cosine is None else f"; floor {known.cosine:.3f} ({known.method})"
    next_model = "" if state.next_model is None else f"; vectors of {state.next_model} are being made"
    return f", {state.model}{floor}{next_model}"


def _models(library: Library) -> Finding:
    if library.settings.models is None:
        return Finding("models", "ok", "none configured: rules decide, answers are quoted")
    named = {tier: getattr(library.settings.models, tier) for tier in ("light", "mid", "strong")}
    names = ", ".join(f"{tier} {model.model}" for tier, model in named.items() if model is not None)
    return Finding("models", "ok", f"{names} (not contacted)")
