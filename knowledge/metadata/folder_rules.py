"""`veriloop.yaml`: what holds for the documents of a folder and everything below it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from .patterns import MOST_CHARACTERS, matches
from .statement import Statement, first_of, read_statement
from .yaml_text import UnusableFileError, read_mapping

_RULES = ("rules", "规则")
_MATCH = ("match", "匹配")
_ROOT = ("root", "根")


class FolderRule(NamedTuple):
    """What holds for the files that one of the patterns matches."""

    patterns: tuple[str, ...]
    statement: Statement


class FolderRules(NamedTuple):
    """A rule file."""

    defaults: Statement
    rules: tuple[FolderRule, ...]
    is_root: bool
    """whether the folders above say nothing here"""

    def statement_of(self, path: str) -> Statement:
        """What they say of a file by its path relative to their folder; of several rules the last goes first."""
        meant = (rule.statement for rule in reversed(self.rules) if any(matches(one, path) for one in rule.patterns))
        return first_of((*meant, self.defaults))


def read_rules(path: Path) -> FolderRules:
    """A rule file; of the same state of a file it is read once.

    Raises:
        UnusableFileError: it cannot be read or is unclear.
    """
    try:
        state = path.stat()
    except OSError as error:
        raise UnusableFileError(f"cannot be read ({error.strerror})") from error
    found = _read_once(path, (state.st_mtime_ns, state.st_size, state.st_ino))
    if isinstance(found, UnusableFileError):
        raise found
    return found


@lru_cache(maxsize=1_024)
def _read_once(path: Path, _state: tuple[int, int, int]) -> FolderRules | UnusableFileError:
    """The rules, or what is wrong with them: a thousand documents may lie below one bad file."""
    try:
        return _read(path)
    except UnusableFileError as error:
        return UnusableFileError(str(error))


def _read(path: Path) -> FolderRules:
    fields = read_mapping(path)
    listed = _take(fields, _RULES)
    is_root = _take(fields, _ROOT)
    if not isinstance(is_root, bool | None):
        raise UnusableFileError(f"says root: {str(is_root)[:80]!r}: write true or false")
    if not isinstance(listed, list | None):
        raise UnusableFileError("has rules that are no list: begin each with `- match: …`")
    return FolderRules(read_statement(fields), tuple(_rule(one) for one in listed or ()), bool(is_root))


def _rule(given: object) -> FolderRule:
    if not isinstance(given, Mapping):
        raise UnusableFileError("has a rule that is no list of fields: begin it with `- match: …`")
    fields = {str(key): value for key, value in given.items()}
    found = _take(fields, _MATCH)
    patterns = [found] if isinstance(found, str) else found
    if (
        not isinstance(patterns, list)
        or not patterns
        or not all(isinstance(p, str) and p.strip("/ ") for p in patterns)
    ):
        raise UnusableFileError("has a rule without a pattern: write `match: '*.pdf'` or a list of patterns")
    if not fields:
        raise UnusableFileError(f"has a rule for {patterns[0][:80]!r} that says nothing")
    if any(len(pattern) > MOST_CHARACTERS for pattern in patterns):
        raise UnusableFileError(f"has a pattern of more than {MOST_CHARACTERS} characters: shorten it")
    return FolderRule(tuple(patterns), read_statement(fields))


def _take(fields: dict[str, object], names: tuple[str, ...]) -> object:
    given = [key for key in fields if key.strip().casefold() in names]
    if len(given) > 1:
        raise UnusableFileError(f"says the same twice: {given[0]!r} and {given[1]!r}")
    return fields.pop(given[0]) if given else None
