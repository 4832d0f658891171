"""Builds the graph: by rules, and on demand by a light model; what it costs is said first (S2 §5.1)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future

from pydantic import BaseModel, ConfigDict, Field

from ..configs.model_settings import ChatModelSettings, Tier
from ..errors import BudgetExceededError, ModelError, ModelUnavailableError, UsageError
from ..knowledge.graph.by_rules import MADE_BY, relations_of
from ..knowledge.graph.checking import Checked, Refusal
from ..knowledge.graph.ontology import Ontology
from ..knowledge.library import Library
from ..knowledge.store.relation_protocol import BlockRelations, BlockToRead, BuildProgress
from ..models.budget import Budget, BudgetLimits
from ..models.chat import ModelTiers
from ..models.metered import MeteredModels
from ..models.tokens import estimate_prompt, estimate_tokens
from ..nodes.by_model.relations import maker_name, relation_messages, relations_by_model
from .side_by_side import side_by_side

Told = Callable[[int, int], None]
"""Told how many blocks are done, and of how many."""

_SAMPLE = 40
_AT_ONCE = 200
_CALLS_OF_A_BLOCK = 2
"""A reply, and one correction of its form."""
_OUT_SHARE, _OUT_LEAST = 0.8, 60
"""Relations with their quotes take about so much of their block's tokens."""
_EXPANSION_SECONDS = 0.15
"""Of a search with expansion over one without: the median on two cores, see `docs/graph.md`."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Cost(_Frozen):
    """Tokens are upper estimates without a tokenizer."""

    calls: int = Field(default=0, ge=0)
    tokens_in: int = Field(default=0, ge=0)
    tokens_out: int = Field(default=0, ge=0)
    seconds: float = Field(default=0, ge=0)


class GraphEstimate(_Frozen):
    """The three costs of a graph (S2 §5.1)."""

    made_by: str
    blocks: int = Field(ge=0, description="that are still to be read")
    done: int = Field(ge=0)
    build: Cost = Field(description="of the blocks that are still to be read")
    upkeep: Cost = Field(description="of one changed block")
    query: Cost = Field(description="that one question costs more where searches follow the graph, at most")


class BuildReport(_Frozen):
    """What one build has done."""

    made_by: str
    read: int = Field(ge=0, description="blocks in this run")
    relations: int = Field(ge=0, description="kept in this run; of rules: all that there are")
    refused: dict[str, int] = Field(default_factory=dict, description="of a model's proposals, by reason")
    failed: int = Field(default=0, ge=0, description="blocks without a usable reply; the next build asks again")
    done: int = Field(ge=0)
    total: int = Field(ge=0)
    cost: Cost = Cost()
    stopped: str = Field(default="", description="why it ended before the last block; empty: it did not")


def estimate_rules(library: Library) -> GraphEstimate:
    """What the rules will cost: no call of a model, and seconds by a sample of the blocks."""
    progress = library.graph.progress()
    sample = library.graph.to_read(MADE_BY, _SAMPLE) or library.graph.to_read("", _SAMPLE)
    begun = time.perf_counter()
    for one in sample:
        relations_of(one.block, one.document)
    each = (time.perf_counter() - begun) / max(len(sample), 1)
    left = progress.total - progress.done
    return GraphEstimate(
        made_by=MADE_BY,
        blocks=left,
        done=progress.done,
        build=Cost(seconds=round(each * left, 2)),
        upkeep=Cost(seconds=round(each, 4)),
        query=_query_cost(library, sample),
    )


def estimate_model(library: Library, call_seconds: float) -> GraphEstimate:
    """What a model will cost; `call_seconds`: how long it takes to answer.

    Raises:
        UsageError: the settings name no model.
    """
    model, ontology = _required(library), library.graph.ontology
    made_by = maker_name(_name(library), ontology)
    tokens_in = tokens_out = blocks = 0
    for one in _to_read(library, made_by):
        blocks += 1
        tokens_in += estimate_prompt(relation_messages(one.block, one.document, ontology))
        tokens_out += min(model.max_output_tokens, _OUT_LEAST + int(_OUT_SHARE * estimate_tokens(one.block.text)))
    return GraphEstimate(
        made_by=made_by,
        blocks=blocks,
        done=library.graph.progress(made_by).done,
        build=Cost(
            calls=blocks, tokens_in=tokens_in, tokens_out=tokens_out,
            seconds=round(blocks * call_seconds / model.concurrent_calls, 1),
        ),
        upkeep=Cost(
            calls=min(blocks, 1), tokens_in=tokens_in // max(blocks, 1), tokens_out=tokens_out // max(blocks, 1),
            seconds=call_seconds,
        ),
        query=_query_cost(library, library.graph.to_read("", _SAMPLE)),
    )  # fmt: skip


def _query_cost(library: Library, sample: list[BlockToRead]) -> Cost:
    """Blocks that the graph adds to what a model reads; without a model they cost no tokens."""
    mean = sum(estimate_tokens(one.block.text) for one in sample) // max(len(sample), 1)
    return Cost(tokens_in=mean * library.settings.graph.expanded, seconds=_EXPANSION_SECONDS)


def build_by_rules(library: Library, told: Told | None = None) -> BuildReport:
    """Read what the rules have not read; stopping at any moment keeps all batches but the last one."""
    begun = time.monotonic()
    before = library.graph.progress()

    def tell(progress: BuildProgress) -> None:
        if told is not None:
            told(progress.done, progress.total)

    after = library.graph.build_by_rules(tell)
    return BuildReport(
        made_by=MADE_BY,
        read=after.done - before.done,
        relations=library.graph.made(MADE_BY),
        done=after.done,
        total=after.total,
        cost=Cost(seconds=round(time.monotonic() - begun, 2)),
    )


def build_by_model(
    library: Library, models: ModelTiers | None = None, *, seconds: float | None = None, told: Told | None = None
) -> BuildReport:
    """Have a light model read the blocks that it has not read; each is kept at once.

    Args:
        library: whose blocks.
        models: default: those of the library's settings.
        seconds: begin none after this time; None: go on to the end.
        told: after each block.

    Raises:
        UsageError: the settings name no model.
        SettingsError: the ontology that they name cannot be used.
    """
    settings = _required(library)
    assert library.settings.models is not None  # as a model is required
    run = _Run(library, models or ModelTiers(library.settings.models), settings, told)
    return run.report(run.make(None if seconds is None else time.monotonic() + seconds))


def _required(library: Library) -> ChatModelSettings:
    tiers = library.settings.models
    model = None if tiers is None else tiers.for_tier(Tier.LIGHT)
    if model is None:
        raise UsageError("no model is configured: leave --with-model away, or name one with a profile")
    return model


def _name(library: Library) -> str:
    assert library.settings.models is not None  # as a model is required
    return ModelTiers(library.settings.models).get(Tier.LIGHT).name


def _to_read(library: Library, made_by: str) -> Iterator[BlockToRead]:
    after = (0, -1)
    while batch := library.graph.to_read(made_by, _AT_ONCE, after=after):
        yield from batch
        after = batch[-1].number


class _Run:
    """One run of a model over the blocks that it has not read."""

    def __init__(self, library: Library, models: ModelTiers, settings: ChatModelSettings, told: Told | None) -> None:
        self._library = library
        self._models = models
        self._settings = settings
        self._told = told or (lambda _done, _total: None)
        self._ontology: Ontology | None = library.graph.ontology
        self._made_by = maker_name(models.get(Tier.LIGHT).name, self._ontology)
        self._before = library.graph.progress(self._made_by)
        self._begun = time.monotonic()
        self._refused: Counter[Refusal] = Counter()
        self._read = self._relations = self._failed = 0
        self._meters: list[Budget] = []

    def make(self, until: float | None) -> str:
        """Read block after block; why it ended early, empty where it did not."""
        waiting, places = _to_read(self._library, self._made_by), self._settings.concurrent_calls
        return side_by_side(waiting, self._one, self._note, places=places, until=until)

    def _note(self, future: Future[Checked]) -> str:
        """Count what has come; why nothing further should be asked, empty where it can."""
        try:
            checked = future.result()
        except ModelUnavailableError as error:
            return str(error)
        except (ModelError, BudgetExceededError):
            self._failed += 1
        else:
            self._read += 1
            self._relations += len(checked.relations)
            self._refused.update(checked.refused)
        self._told(self._before.done + self._read, self._before.total)
        return ""

    def _one(self, one: BlockToRead) -> Checked:
        calls = _CALLS_OF_A_BLOCK
        limits = BudgetLimits(
            tokens=calls * self._settings.context_window, steps=calls, seconds=calls * self._settings.request_seconds
        )
        meter = Budget(limits)
        self._meters.append(meter)
        checked = relations_by_model(one.block, one.document, self._ontology, MeteredModels(self._models, meter))
        self._library.graph.put(self._made_by, [BlockRelations(one.block.block_id, checked.relations)])
        return checked

    def report(self, stopped: str) -> BuildReport:
        """What has been done."""
        after = self._library.graph.progress(self._made_by)
        used = [meter.usage().tier(Tier.LIGHT) for meter in self._meters]
        return BuildReport(
            made_by=self._made_by,
            read=self._read,
            relations=self._relations,
            refused={str(reason): count for reason, count in sorted(self._refused.items())},
            failed=self._failed,
            done=after.done,
            total=after.total,
            cost=Cost(
                calls=sum(one.calls for one in used),
                tokens_in=sum(one.tokens_in for one in used),
                tokens_out=sum(one.tokens_out for one in used),
                seconds=round(time.monotonic() - self._begun, 2),
            ),
            stopped=stopped,
        )
