"""Prompts: Markdown files beside this module, one a decision and language, with a version in front."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Literal, NamedTuple

from ..errors import SettingsError, UsageError
from .hidden import visible

Language = Literal["zh", "en"]

_FRONT = re.compile(r"\A---\n(?P<front>.*?)\n---\n", re.DOTALL)
_VERSION = re.compile(r"^version:\s*(\d+)\s*$", re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FIELD = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")
_KEY_DIGITS = 8


class Prompt(NamedTuple):
    """A prompt's text with its `{{fields}}` still open, and the version that a trace records."""

    name: str
    version: int
    language: Language
    text: str

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields that `render` must be given."""
        return frozenset(_FIELD.findall(self.text))


@cache
def load_prompt(name: str, language: Language) -> Prompt:
    """The prompt of a decision in a language.

    Raises:
        UsageError: there is no such prompt.
        SettingsError: the file does not open with its version.
    """
    source = files(__package__).joinpath(language, f"{name}.md")
    if not _NAME.fullmatch(name) or not source.is_file():
        raise UsageError(f"no prompt {name!r} in language {language!r}")
    return parse_prompt(name, language, source.read_text(encoding="utf-8"))


def parse_prompt(name: str, language: Language, source: str) -> Prompt:
    """A prompt from the text of its file.

    Raises:
        SettingsError: it does not open with `---`, `version: N`, `---`.
    """
    source = source.replace("\r\n", "\n")
    front = _FRONT.match(source)
    version = _VERSION.search(front["front"]) if front else None
    if front is None or version is None:
        raise SettingsError(f"prompt {language}/{name}.md must open with ---, a line 'version: 1', ---")
    return Prompt(name, int(version[1]), language, source[front.end() :].strip())


def render(prompt: Prompt, **fields: str) -> str:
    """The prompt's text with every `{{field}}` replaced; what is put in is not looked at again.

    Raises:
        UsageError: a field is missing, or the prompt has no such field.
    """
    given = frozenset(fields)
    if given != prompt.fields:
        missing, unknown = sorted(prompt.fields - given), sorted(given - prompt.fields)
        raise UsageError(f"prompt {prompt.language}/{prompt.name}: missing {missing}, unknown {unknown}")
    return _FIELD.sub(lambda match: fields[match[1]], prompt.text)


def fence(text: str, marker: str) -> str:
    """Document text as data: between two lines that carry a key which the text does not contain.

    The key is derived from the text, so that equal prompts stay equal and can be cached and replayed. Whoever
    writes a document can neither guess it beforehand nor close the fence: a key that does occur is changed.

    Args:
        text: what the document says; shown as `hidden.visible` gives it.
        marker: how the answer refers to it, such as `[1]`.
    """
    text = visible(text)
    key = _unused_key(text)
    return f"{marker} <<<{key}\n{text}\n{key}>>>"


def _unused_key(text: str) -> str:
    digest = sha256(text.encode("utf-8", "surrogatepass"))
    while (key := digest.hexdigest()[:_KEY_DIGITS]) in text:
        digest.update(b"+")
    return key
