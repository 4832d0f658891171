"""Reads small YAML files strictly: what is unclear is refused, since the reading rights of documents hang on it."""

from __future__ import annotations

import os
import stat
from collections import Counter
from pathlib import Path

import yaml

_LONGEST_NUMBER = 40
"""Characters of a number or date; what is longer is a text that only looks like one."""
_LONGEST_PROBLEM = 300
"""Characters of a message, which may name what stands in the file."""
_NUMBERS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "timestamp"))
_MOST_BYTES = 262_144
"""A rule file of a thousand rules has a tenth of this."""


class UnusableFileError(ValueError):
    """A metadata file that cannot be relied on; the message says why, without its name, in a line of bounded length."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem if len(problem) <= _LONGEST_PROBLEM else f"{problem[:_LONGEST_PROBLEM]}…")


class _Loader(yaml.SafeLoader):
    """Plain data only: no tags, no references (they can grow without bound), no key twice."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise UnusableFileError("holds a YAML reference (*name): write the value out")
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if getattr(event, "tag", None) not in {None, "!"}:
            raise UnusableFileError("holds a YAML tag (!name): write the value alone")
        node = super().compose_node(parent, index)
        if isinstance(node, yaml.ScalarNode) and node.tag in _NUMBERS and len(node.value) > _LONGEST_NUMBER:
            node.tag = "tag:yaml.org,2002:str"
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        twice = sorted(str(key) for key, count in Counter(keys).items() if count > 1)
        if twice:
            raise UnusableFileError(f"says {twice[0]!r} twice: keep one")
        return super().construct_mapping(node, deep)


def read_mapping(path: Path) -> dict[str, object]:
    """The fields of a YAML file; an empty file has none.

    Raises:
        UnusableFileError: it is no regular file, too large, not YAML, or not a list of fields.
    """
    try:
        found = yaml.load(_content(path), Loader=_Loader)
    except yaml.YAMLError as error:
        raise UnusableFileError(f"is not valid YAML ({_where(error)})") from error
    except RecursionError as error:
        raise UnusableFileError("is nested too deeply") from error
    except UnusableFileError:
        raise
    except ValueError as error:  # dates that do not exist, bytes that are no text
        raise UnusableFileError(f"cannot be understood ({error})") from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UnusableFileError("holds no fields: write lines such as `domain: HR`")
    return {str(key): value for key, value in found.items()}


def _content(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnusableFileError("is no regular file")
        with path.open("rb") as stream:
            content = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UnusableFileError(f"cannot be read ({os.strerror(error.errno or 0)})") from error
    if len(content) > _MOST_BYTES:
        raise UnusableFileError(f"has more than {_MOST_BYTES:,} bytes")
    return content


def _where(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "unreadable"
    return problem if mark is None else f"line {mark.line + 1}: {problem}"
