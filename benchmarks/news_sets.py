"""Questions with a handful of passages each: passages that answer, that answer falsely, and that do not answer."""

from __future__ import annotations

import random
from itertools import chain, zip_longest
from typing import NamedTuple

import corpora
from facts import Fact
from pydantic import BaseModel, ConfigDict, Field

MODES = ("noise", "negatives", "disagree")
CONFLICT_SET = "ramdocs"


class NewsRecord(BaseModel):
    """One line of a file of `news/`; the passages of several facts stand in lists of their own."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int
    query: str
    answer: str | tuple[str | Fact, ...]
    fakeanswer: str | tuple[str | Fact, ...] = ()
    positive: tuple[str | tuple[str, ...], ...] = ()
    positive_wrong: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()


class Passage(BaseModel):
    """A document of `ramdocs`: ``correct``, ``misinfo`` or ``noise``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    type: str


class ConflictRecord(BaseModel):
    """One line of `ramdocs`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    documents: tuple[Passage, ...]
    gold_answers: tuple[str, ...]
    wrong_answers: tuple[str, ...] = Field(default=())


class Pool(NamedTuple):
    """A question with all its passages, sorted by what they do."""

    set_name: str
    number: int
    question: str
    facts: tuple[Fact, ...]
    wrong: Fact
    true: tuple[str, ...]
    false: tuple[str, ...]
    noise: tuple[str, ...]


class Trial(NamedTuple):
    """A question with the passages of its library."""

    pool: Pool
    mode: str
    passages: tuple[str, ...]


def set_names() -> list[str]:
    """The sets that are present."""
    return [*sorted(path.stem for path in (corpora.data_folder() / "news").glob("*.jsonl")), CONFLICT_SET]


def pools(name: str) -> list[Pool]:
    """All questions of a set."""
    folder = corpora.data_folder() / ("conflicts" if name == CONFLICT_SET else "news")
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    if name == CONFLICT_SET:
        return [_conflict_pool(i, ConflictRecord.model_validate_json(line)) for i, line in enumerate(lines)]
    return [_news_pool(name, NewsRecord.model_validate_json(line)) for line in lines]


def _news_pool(name: str, record: NewsRecord) -> Pool:
    facts = _facts(record.answer)
    right = set(chain.from_iterable(facts))
    lists = [(entry,) if isinstance(entry, str) else entry for entry in record.positive]
    true = lists if all(isinstance(entry, str) for entry in record.positive) else list(zip_longest(*lists))
    return Pool(
        set_name=name,
        number=record.id,
        question=record.query,
        facts=facts,
        wrong=tuple(value for fact in _facts(record.fakeanswer) for value in fact if value not in right),
        true=tuple(text for text in chain.from_iterable(true) if text),
        false=record.positive_wrong,
        noise=record.negative,
    )


def _facts(answer: str | tuple[str | Fact, ...]) -> tuple[Fact, ...]:
    entries = (answer,) if isinstance(answer, str) else answer
    return tuple((entry,) if isinstance(entry, str) else entry for entry in entries)


def _conflict_pool(number: int, record: ConflictRecord) -> Pool:
    by_type = {
        kind: tuple(p.text for p in record.documents if p.type == kind) for kind in ("correct", "misinfo", "noise")
    }
    return Pool(
        set_name=CONFLICT_SET,
        number=number,
        question=record.question,
        facts=tuple((answer,) for answer in record.gold_answers),
        wrong=tuple(dict.fromkeys(record.wrong_answers)),
        true=by_type["correct"],
        false=by_type["misinfo"],
        noise=by_type["noise"],
    )


def trial(pool: Pool, mode: str, size: int, noise: float, chance: random.Random) -> Trial | None:
    """The passages of one library in random order; None where the set has none of the kind for this mode."""
    if mode == "disagree" and not (pool.true and pool.false and pool.wrong):
        return None
    if mode == "negatives" and not pool.noise:
        return None
    everything = (*pool.true, *pool.false, *pool.noise)
    idle = pool.noise[: round(size * noise)]
    each = max(1, size // 2)
    chosen = {
        "noise": (*pool.true[: size - len(idle)], *idle),
        "negatives": pool.noise[:size],
        "disagree": everything if pool.set_name == CONFLICT_SET else (*pool.true[:each], *pool.false[:each]),
    }[mode]
    return Trial(pool, mode, tuple(chance.sample(chosen, len(chosen))))
