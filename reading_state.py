"""The typed state of the reading loop: a question in, a `ReadingResult` out. All types may stand in a checkpoint."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, NotRequired

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from .decisions import DecidedBy, SubTask, TaskVerdict
from .knowledge.documents import Block, Document
from .knowledge.evidence.models import Evidence, Span
from .knowledge.query.models import SearchFilter
from .knowledge.questions.models import Combination
from .ledger import StepRecord, merged
from .models.budget import BudgetLimits, BudgetUsage


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReadingAction(StrEnum):
    """What a reader decides after a block (S0 §2)."""

    EXTRACT = "extract"
    """It bears on the question: a note is taken."""
    CONTINUE = "continue"
    """No note, but what follows in the document may bear on the question."""
    SKIP = "skip"
    """It does not bear on the question."""
    STOP = "stop"
    """The notes answer every sub-question; where the last block helped, a note was taken of it."""


class WhyRead(StrEnum):
    """What led to a block."""

    START = "start"
    """Named by the question, or by the section that it was asked to read."""
    CANDIDATE = "candidate"
    """Found by the search that narrows the directory."""
    SECTION = "section"
    """Follows in the section of a block that helped."""
    REFERENCE = "reference"
    """A note refers to it (见第X条, see Section X, 《…》)."""
    TABLE = "table"
    """Continues a table that helped, or holds its notes."""
    NEXT = "next"
    """Follows in the document."""
    FOLLOW_UP = "follow_up"
    """Found with a name that an earlier sub-question's answer brought."""


class ReadingStop(StrEnum):
    """Why reading ended."""

    SUFFICIENT = "sufficient"
    """Every sub-question is answered."""
    NOTHING_LEFT = "nothing_left"
    """No further block is promising."""
    MAX_BLOCKS = "max_blocks"
    """As many blocks as may be are read."""
    SECONDS = "seconds"
    """The time is over."""
    NOTHING_FOUND = "nothing_found"
    """There was no block to begin with."""


class Pointer(_Frozen):
    """A block that may be read next."""

    block_id: str
    document: Document
    why: WhyRead
    focus: tuple[Span, ...] = Field(default=(), description="where in the block to look, best first")
    score: float = 0.0
    label: str = Field(default="", description="its section or place in the document, for a list of blocks")
    summary: str = Field(default="", description="what it says, shortened, for a list of blocks")


class ReadBlock(_Frozen):
    """A block that was read, with what was decided after it."""

    block_id: str
    document: str = Field(description="the document's name")
    section_path: tuple[str, ...] = ()
    why: WhyRead
    action: ReadingAction
    reason: str = Field(description="why, in a few words")
    times: int = Field(default=1, ge=1, description="how often the block had been read by then")
    decided_by: DecidedBy = DecidedBy.RULES


class ReadingNote(_Frozen):
    """What was noted of a block; by rules the quotes themselves, by a model its own tidied words."""

    text: str
    block: Block
    document: Document
    quotes: tuple[Span, ...] = Field(default=(), description="the stretches of the block that the note rests on")
    parts: tuple[str, ...] = Field(default=(), description="the sub-questions that it bears on")
    score: float = 0.0
    decided_by: DecidedBy = DecidedBy.RULES


class ReadingResult(_Frozen):
    """What a reading brought."""

    question: str
    notes: tuple[ReadingNote, ...] = ()
    read: tuple[ReadBlock, ...] = Field(default=(), description="in the order of reading")
    beside: tuple[Evidence, ...] = Field(
        default=(), description="blocks without a note that came near the question: what they say helps to judge"
    )
    stop: ReadingStop
    open: tuple[str, ...] = Field(default=(), description="sub-questions that the notes do not answer")
    signals: tuple[str, ...] = Field(default=(), description="what points at a poor directory or a confused model")
    library_version: int = Field(ge=0)
    decided_by: DecidedBy = Field(default=DecidedBy.RULES, description="a tier where a model took part")
    usage: BudgetUsage | None = None


class ReadingRequest(_Frozen):
    """What a reader is asked to read up on."""

    question: str
    documents: tuple[str, ...] = ()
    section: str = ""
    filters: SearchFilter | None = None


class ReadingInput(TypedDict):
    """What a reading is given."""

    question: str
    documents: NotRequired[tuple[str, ...]]
    """Read only these, by title or file name; left out: all that the caller may read."""
    section: NotRequired[str]
    """Begin with the section or clause of this name."""
    filters: NotRequired[SearchFilter | None]
    """Which documents to read; left out: what the question says of them."""
    limits: NotRequired[BudgetLimits]
    """What it may cost; left out: the budget of a complex question."""


class ReadingOutput(TypedDict):
    """What a reading returns."""

    reading: ReadingResult


class ReadingState(ReadingInput, ReadingOutput, total=False):
    """Everything in between. Under each field stands the node that writes it."""

    trace_id: str
    """`plan`"""
    asked_by: str
    """`plan`: digest of the library and the caller; a reading that resumes must have the same ones."""
    library_version: int
    """`plan`"""
    asks_models: bool
    """`plan`: whether models decide, as far as they reply."""
    parts: tuple[SubTask, ...]
    """`plan`: the sub-questions."""
    combination: Combination
    """`plan`"""
    waiting: tuple[Pointer, ...]
    """`plan` and `decide`: the blocks that may be read, the next one first."""
    opened: tuple[Pointer, ...]
    """`read`: the blocks that were opened, each once, the first one first."""
    current: Evidence | None
    """`read`: the block that was just read."""
    current_why: WhyRead
    """`read`"""
    evidence: tuple[Evidence, ...]
    """`decide`: the blocks that notes were taken of."""
    near: tuple[Evidence, ...]
    """`decide`: blocks without a note that came near the question; they may answer together with later ones."""
    notes: tuple[ReadingNote, ...]
    """`decide`"""
    read: tuple[ReadBlock, ...]
    """`decide`"""
    verdicts: tuple[TaskVerdict, ...]
    """`decide`: how far the notes answer each sub-question."""
    signals: tuple[str, ...]
    """`decide`"""
    stop: ReadingStop | None
    """`plan`, `read` or `decide`: why reading is over, None while it is not."""
    steps: Annotated[tuple[StepRecord, ...], merged]
    """Every node."""
