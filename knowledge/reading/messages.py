"""What the process of a library and those that read files for it say to each other: JSON behind its length.

Not pickle: a reader that a hostile document has taken over must not be able to hand over more than data. Passwords
travel this way, never on a command line or in the environment, where other users of a machine may see them.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, TypeAdapter

from ...configs.settings import SplittingSettings
from ..analysis import decode, encode
from ..documents import Block, Document, Passage
from ..elements import ParsedDocument, ParseOptions
from ..query.vocabulary import Alias
from ..splitting import SplitDocument
from ..terms import DocumentTerms
from .protocol import CutDocument, Cutting

MOST_MESSAGE_BYTES = 512 * 1024 * 1024
_LENGTH = struct.Struct("!Q")


class _Message(BaseModel):
    # A file name may hold any bytes.
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")


class ParseTask(_Message):
    """Read this file."""

    kind: Literal["parse"] = "parse"
    path: bytes
    name: str
    options: ParseOptions
    passwords: tuple[str, ...] = Field(repr=False, description="of the options, which keep them hidden in JSON")

    @property
    def full_options(self) -> ParseOptions:
        """The options with the passwords."""
        return self.options.model_copy(update={"passwords": tuple(SecretStr(one) for one in self.passwords)})


class CutTask(_Message):
    """Cut this document."""

    kind: Literal["cut"] = "cut"
    parsed: ParsedDocument
    document: Document
    splitting: SplittingSettings
    dictionaries: tuple[Path, ...]

    @property
    def cutting(self) -> Cutting:
        """How to."""
        return Cutting(self.splitting, self.dictionaries)


class Ready(_Message):
    """The process has started."""

    kind: Literal["ready"] = "ready"


class Parsed(_Message):
    """A file was read."""

    kind: Literal["parsed"] = "parsed"
    parsed: ParsedDocument
    spent: bool = False


class Cut(_Message):
    """A document was cut."""

    kind: Literal["cut"] = "cut"
    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]
    analyser: str
    hashes: tuple[str, ...]
    analyses: tuple[str, ...]
    aliases: tuple[tuple[str, str], ...]
    spent: bool = False

    @classmethod
    def of(cls, made: CutDocument, *, spent: bool) -> Cut:
        """The message that carries a cut document."""
        split, terms = made
        return cls(
            blocks=split.blocks,
            passages=split.passages,
            analyser=terms.analyser,
            hashes=terms.hashes,
            analyses=tuple(encode(one) for one in terms.analyses),
            aliases=tuple((one.short, one.long) for one in terms.aliases),
            spent=spent,
        )

    def document(self) -> CutDocument:
        """The cut document.

        Raises:
            ValueError: the message is damaged.
        """
        terms = DocumentTerms(
            analyser=self.analyser,
            hashes=self.hashes,
            analyses=tuple(decode(one) for one in self.analyses),
            aliases=tuple(Alias(*one) for one in self.aliases),
        )
        if not len(self.passages) == len(terms.hashes) == len(terms.analyses):
            raise ValueError("not one analysis for each passage")
        return CutDocument(SplitDocument(self.blocks, self.passages), terms)


class Refused(_Message):
    """The file cannot be read; `reason` is fit for a user."""

    kind: Literal["refused"] = "refused"
    reason: str
    spent: bool = False


class Broken(_Message):
    """The reader itself has failed, and its process ends; `where` names the error and the line, no text."""

    kind: Literal["broken"] = "broken"
    where: str


Task = Annotated[ParseTask | CutTask, Field(discriminator="kind")]
Reply = Annotated[Ready | Parsed | Cut | Refused | Broken, Field(discriminator="kind")]
TASKS: TypeAdapter[ParseTask | CutTask] = TypeAdapter(Task)
REPLIES: TypeAdapter[Ready | Parsed | Cut | Refused | Broken] = TypeAdapter(Reply)


def write_message(stream: BinaryIO, content: bytes) -> None:
    """Send a message.

    Raises:
        OSError: the other side is gone.
    """
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def read_message(stream: BinaryIO) -> bytes | None:
    """The next message; None where the other side is gone, or says more than anybody may."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > MOST_MESSAGE_BYTES:
        return None
    content = stream.read(length)
    return content if len(content) == length else None
