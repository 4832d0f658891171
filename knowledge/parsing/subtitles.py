"""The reader of subtitles and transcripts (SRT, WebVTT): what is said, without numbers and times."""

from __future__ import annotations

import html
import re
from pathlib import Path

from ..elements import ParsedDocument, ParseOptions
from . import outline
from .files import read_bytes, undecodable
from .lines import clean, ends_sentence, join_lines
from .text import decode

_TIMES = re.compile(r"^\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}\s*-->.*$", re.MULTILINE)
_SPEAKER = re.compile(r"<v(?:\.[^ >]*)?\s+([^>]+)>")
_TAGS = re.compile(r"<[^>\n]{0,80}>|\{\\[^}\n]*\}")
_LONGEST = 400  # characters of a paragraph, where no sentence ends


class SubtitleParser:
    """Reads subtitles; cues are joined to paragraphs at the ends of sentences."""

    media_types = ("application/x-subrip", "text/vtt")

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`."""
        text = decode(read_bytes(path))
        if text is None:
            raise undecodable(path)
        return outline.finish(path, media_type, _paragraphs(clean(text)), first_heading_names=False)


def _paragraphs(text: str) -> list[outline.Part]:
    paragraphs: list[list[str]] = [[]]
    for line in _lines(text):
        speaks = _SPEAKER.search(line) is not None
        if paragraphs[-1] and (speaks or line.startswith("- ") or _is_whole(paragraphs[-1])):
            paragraphs.append([])
        paragraphs[-1].append(_plain(line))
    return [outline.paragraph(join_lines(lines)) for lines in paragraphs]


def _is_whole(lines: list[str]) -> bool:
    return ends_sentence(lines[-1]) or sum(map(len, lines)) > _LONGEST


def _lines(text: str) -> list[str]:
    """The lines of all cues: what stands behind a line with times, up to the number or the name of the next."""
    head, *cues = _TIMES.split(text)
    lines: list[str] = []
    for index, cue in enumerate(cues):
        blocks = [block.split("\n") for block in re.split(r"\n\s*\n", cue.strip("\n")) if block.strip()]
        if len(blocks) > 1 and index < len(cues) - 1 and len(blocks[-1]) == 1:
            blocks.pop()  # the number or the name of the next cue
        lines += [line for block in blocks for line in block if not block[0].startswith(("NOTE", "STYLE", "REGION"))]
    if not cues:
        lines = head.split("\n")
    return [line for line in lines if _plain(line)]


def _plain(line: str) -> str:
    return html.unescape(_TAGS.sub("", _SPEAKER.sub(r"\1: ", line))).strip()


READER = SubtitleParser()
