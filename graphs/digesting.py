"""Makes the digests that a light model writes: only of blocks without one, side by side, and to be gone on with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future

from pydantic import BaseModel, ConfigDict, Field

from ..configs.model_settings import ChatModelSettings, Tier
from ..errors import BudgetExceededError, ModelError, ModelUnavailableError, UsageError
from ..knowledge.digest.of_library import DigestMaker
from ..knowledge.documents import Caller
from ..knowledge.library import Library
from ..knowledge.store.contents import Placed
from ..models.budget import Budget, BudgetLimits
from ..models.chat import ModelTiers
from ..models.metered import MeteredModels
from ..models.tokens import estimate_prompt, estimate_tokens
from ..nodes.by_model.digest import MadeDigest, digest_by_model, digest_messages
from .side_by_side import side_by_side

Progress = Callable[[int, int], None]
"""Told how many blocks are done, and of how many."""

_AT_ONCE = 200
"""Blocks read from the store at a time."""
_CALLS_OF_A_BLOCK = 4
"""At most: a digest and one made again, each with one correction of its form."""
_OUT_SHARE, _OUT_LEAST = 0.6, 80
"""A digest takes about so much of its block's tokens, and at least these for its fields."""


class DigestEstimate(BaseModel):
    """What digests of the blocks that have none will cost; tokens are upper estimates without a tokenizer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    blocks: int = Field(ge=0, description="without a digest")
    done: int = Field(ge=0, description="with one")
    calls: int = Field(ge=0, description="one a block")
    tokens_in: int = Field(ge=0)
    tokens_out: int = Field(ge=0)
    most_calls: int = Field(ge=0, description="if every digest is made again once")
    most_tokens_in: int = Field(ge=0)
    most_tokens_out: int = Field(ge=0)


class DigestReport(BaseModel):
    """What one run has made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(description="name of the model and its endpoint")
    made: int = Field(ge=0)
    made_again: int = Field(ge=0, description="of these, asked for twice since something was lost or invented")
    completed: int = Field(ge=0, description="of these, completed or cleaned by rule")
    failed: int = Field(ge=0, description="blocks whose replies could not be used; the rules' digests serve")
    done: int = Field(ge=0, description="blocks with a digest now")
    total: int = Field(ge=0)
    calls: int = Field(ge=0)
    tokens_in: int = Field(ge=0)
    tokens_out: int = Field(ge=0)
    seconds: float = Field(ge=0)
    stopped: str = Field(default="", description="why it ended before the last block; empty: it did not")


def light_model(library: Library) -> ChatModelSettings | None:
    """The model that writes digests; None where the settings name none, and the rules make them when needed."""
    models = library.settings.models
    return None if models is None else models.for_tier(Tier.LIGHT)


def estimate_digests(library: Library) -> DigestEstimate:
    """What it will cost to make the digests that are missing."""
    model = _required(library)
    tokens_in = tokens_out = blocks = 0
    for block, document in _missing(library):
        blocks += 1
        tokens_in += estimate_prompt(digest_messages(block, document, library.settings.digest))
        tokens_out += min(model.max_output_tokens, _OUT_LEAST + int(_OUT_SHARE * estimate_tokens(block.text)))
    return DigestEstimate(
        blocks=blocks, done=library.digests.progress().done, calls=blocks, tokens_in=tokens_in, tokens_out=tokens_out,
        most_calls=2 * blocks, most_tokens_in=2 * tokens_in + 2 * tokens_out, most_tokens_out=2 * tokens_out,
    )  # fmt: skip


def make_digests(
    library: Library,
    models: ModelTiers | None = None,
    *,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> DigestReport:
    """Make the digests that are missing; each is kept at once, so that stopping at any moment loses none.

    Args:
        library: whose blocks.
        models: default: those of the library's settings.
        seconds: begin none after this time; None: go on to the end.
        progress: told after each block.

    Raises:
        UsageError: the settings name no model.
    """
    model = _required(library)
    assert library.settings.models is not None  # as a model is required
    run = _Run(library, models or ModelTiers(library.settings.models), model, progress)
    return run.report(run.make(None if seconds is None else time.monotonic() + seconds))


def _required(library: Library) -> ChatModelSettings:
    model = light_model(library)
    if model is None:
        raise UsageError("no model is configured: the rules make digests when they are needed, nothing to prepare")
    return model


def _missing(library: Library) -> Iterator[Placed]:
    after = ""
    while found := library.digests.missing(_AT_ONCE, after=after):
        yield from found
        after = found[-1][0].block_id


class _Run:
    """One run over the blocks without a digest."""

    def __init__(
        self, library: Library, models: ModelTiers, model: ChatModelSettings, progress: Progress | None
    ) -> None:
        self._library = library
        self._models = models
        self._model = model
        self._progress = progress or (lambda _done, _total: None)
        self._fallbacks = DigestMaker(library, library.idf(Caller.owner()))
        self._began = time.monotonic()
        self._before = library.digests.progress()
        self._made: list[MadeDigest] = []
        self._failed = 0
        self._meters: list[Budget] = []

    def make(self, until: float | None) -> str:
        """Digest block after block; why it ended early, empty where it did not."""
        places = self._model.concurrent_calls
        return side_by_side(_missing(self._library), self._one, self._note, places=places, until=until)

    def _note(self, future: Future[MadeDigest | None]) -> str:
        """Count what has come; why nothing further should be asked, empty where it can."""
        try:
            made = future.result()
        except ModelUnavailableError as error:
            return str(error)
        except (ModelError, BudgetExceededError):
            self._failed += 1
            made = None
        if made is not None:
            self._made.append(made)
        self._progress(self._before.done + len(self._made), self._before.total)
        return ""

    def _one(self, placed: Placed) -> MadeDigest | None:
        """Digest a block and keep the result; None where the block is gone by then."""
        block, document = placed
        meter = Budget(self._limits())
        self._meters.append(meter)
        access = MeteredModels(self._models, meter)
        fallback = self._fallbacks.digest(block, document)
        name = self._models.get(Tier.LIGHT).name
        made = digest_by_model(block, document, fallback, self._library.settings.digest, name, access)
        return made if self._library.digests.put(block.block_id, made.digest) else None

    def _limits(self) -> BudgetLimits:
        calls = _CALLS_OF_A_BLOCK
        return BudgetLimits(
            tokens=calls * self._model.context_window, steps=calls, seconds=calls * self._model.request_seconds
        )

    def report(self, stopped: str) -> DigestReport:
        """What has been made."""
        after = self._library.digests.progress()
        used = [meter.usage().tier(Tier.LIGHT) for meter in self._meters]
        return DigestReport(
            model=self._models.get(Tier.LIGHT).name,
            made=len(self._made),
            made_again=sum(one.was_made_again for one in self._made),
            completed=sum(one.was_completed for one in self._made),
            failed=self._failed,
            done=after.done,
            total=after.total,
            calls=sum(one.calls for one in used),
            tokens_in=sum(one.tokens_in for one in used),
            tokens_out=sum(one.tokens_out for one in used),
            seconds=time.monotonic() - self._began,
            stopped=stopped,
        )
