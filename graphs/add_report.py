"""What an addition reports: while it goes on, and in the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

from ..knowledge.store import VectorProgress
from ..nodes.ingest.state import BlockChange, Outcome, SourceFile


class FailedFile(BaseModel):
    """A file that did not go in, and why."""

    model_config = ConfigDict(frozen=True)

    path: str
    reason: str


class UnreadPages(BaseModel):
    """A document that went in, with pages that nothing could be read from."""

    model_config = ConfigDict(frozen=True)

    path: str
    pages: tuple[int, ...]


class StageSeconds(BaseModel):
    """How long each stage took. Files go side by side, so that `read` and `split` may add up to more than `total`."""

    model_config = ConfigDict(frozen=True)

    read: float = Field(default=0.0, ge=0, description="reading files and looking for changes, summed over the files")
    split: float = Field(default=0.0, ge=0, description="cutting into blocks, passages and words, likewise")
    index: float = Field(default=0.0, ge=0, description="writing the documents and the index files")
    vectors: float = Field(default=0.0, ge=0, description="making vectors")
    total: float = Field(default=0.0, ge=0, description="from the beginning to the end, by the clock")


class AddReport(BaseModel):
    """What became of the files of one call."""

    model_config = ConfigDict(frozen=True)

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    failed: tuple[FailedFile, ...] = ()
    unread: tuple[UnreadPages, ...] = ()
    library_version: int = Field(ge=0)
    blocks: BlockChange = Field(default=BlockChange(), description="of the files that were added or updated")
    vectors_made: int = Field(default=0, ge=0, description="passages that got a vector in this call")
    vectors_done: int = Field(default=0, description="passages with a vector")
    vectors_total: int = Field(default=0, description="passages in all")
    vectors_problem: str = Field(default="", description="why the model made no more vectors; empty if it did not fail")
    seconds: StageSeconds = StageSeconds()


class FileProgress(NamedTuple):
    """How far an addition is."""

    done: int
    total: int
    name: str


class AddListener(Protocol):
    """Told how an addition goes, always by the thread that called `add_files`."""

    def waiting(self, holder: str) -> None:
        """Another process is writing."""

    def file(self, progress: FileProgress) -> None:
        """A file is about to be read; at the end once more without a name."""

    def vectors(self, progress: VectorProgress) -> None:
        """A batch of vectors was stored."""


class Silent:
    """A listener that ignores everything."""

    def waiting(self, holder: str) -> None:
        """Ignored."""

    def file(self, progress: FileProgress) -> None:
        """Ignored."""

    def vectors(self, progress: VectorProgress) -> None:
        """Ignored."""


class FileResult(NamedTuple):
    """What became of one file."""

    source: SourceFile
    outcome: Outcome
    reason: str = ""
    unread_pages: tuple[int, ...] = ()
    change: BlockChange = BlockChange()
    read_seconds: float = 0.0
    split_seconds: float = 0.0
    index_seconds: float = 0.0


class VectorResult(NamedTuple):
    """What became of the vectors."""

    made: int
    progress: VectorProgress
    problem: str


def make_report(
    results: Iterable[FileResult],
    refused: Iterable[FailedFile],
    vectors: VectorResult,
    library_version: int,
    seconds: StageSeconds,
) -> AddReport:
    """The report on these results, which are in the order of the files.

    Args:
        results: of the files that were tried.
        refused: the files that were not tried.
        vectors: what became of them.
        library_version: after all of it.
        seconds: what was measured beside the files' own times, which are added.
    """
    found = list(results)

    def names(outcome: Outcome) -> tuple[str, ...]:
        return tuple(one.source.name for one in found if one.outcome is outcome)

    return AddReport(
        added=names(Outcome.ADDED),
        updated=names(Outcome.UPDATED),
        unchanged=names(Outcome.UNCHANGED),
        failed=(*refused, *(_failed(one) for one in found if one.outcome is Outcome.FAILED)),
        unread=tuple(UnreadPages(path=one.source.name, pages=one.unread_pages) for one in found if one.unread_pages),
        library_version=library_version,
        blocks=sum((one.change for one in found), BlockChange()),
        vectors_made=vectors.made,
        vectors_done=vectors.progress.done,
        vectors_total=vectors.progress.total,
        vectors_problem=vectors.problem,
        seconds=_rounded(seconds, found),
    )


def _failed(result: FileResult) -> FailedFile:
    return FailedFile(path=result.source.name, reason=result.reason)


def _rounded(seconds: StageSeconds, results: Iterable[FileResult]) -> StageSeconds:
    found = list(results)
    return StageSeconds(
        read=round(seconds.read + sum(one.read_seconds for one in found), 3),
        split=round(sum(one.split_seconds for one in found), 3),
        index=round(seconds.index + sum(one.index_seconds for one in found), 3),
        vectors=round(seconds.vectors, 3),
        total=round(seconds.total, 3),
    )
