"""The documentation names what there is: links lead somewhere; commands, options and settings exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from pydantic import BaseModel
from veriloop.configs.settings import Settings
from veriloop.serving.cli.main import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_LINK = re.compile(r"\]\((?!https?:|mailto:)(?P<path>[^)#\s]*)(?:#(?P<anchor>[^)\s]+))?\)")
_FENCE = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(?P<text>(?:[\w./-]*/)?veriloop [a-z][^`]*)`")
_CALL = re.compile(r"(?:^|[\s/(])veriloop\s+(?P<words>[a-z].*)")
_OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*|-[a-z])(?![\w-])")
_SETTING = re.compile(r"^\| `(?P<first>[a-z_]+(?:\.[a-z_]+)+)`(?P<rest>[^|]*)\|", re.MULTILINE)


def ids(paths: list[Path]) -> list[str]:
    return [path.name for path in paths]


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=ids(PAGES))
def test_every_link_leads_to_a_file_and_a_heading_that_are_there(page: Path) -> None:
    broken = []
    for found in _LINK.finditer(page.read_text(encoding="utf-8")):
        target = page.parent / found["path"] if found["path"] else page
        is_there = target.exists() and (
            not found["anchor"] or found["anchor"] in anchors(target.read_text(encoding="utf-8"))
        )
        if not is_there:
            broken.append(found.group())
    assert broken == []


def calls(text: str) -> Iterator[str]:
    """What is typed after `veriloop`, in blocks of commands and between backticks."""
    for fence in _FENCE.finditer(text):
        if fence["kind"] in ("sh", "bash", "console"):
            for line in fence["text"].replace("\\\n", " ").splitlines():
                bare = re.sub(r"\s#\s.*|^#.*", "", line)
                yield from (found["words"] for found in _CALL.finditer(bare))
    for inline in _INLINE.finditer(_FENCE.sub("", text)):
        yield from (found["words"] for found in _CALL.finditer(inline["text"]))


def fault_of(words: str) -> str | None:
    """What a call names that there is not."""
    command: Any = typer.main.get_command(app)
    for word in words.split():
        commands: dict[str, Any] | None = getattr(command, "commands", None)
        if commands is None or word.startswith("-"):
            break
        name = word.strip(".,;:|")
        if name not in commands:
            return f"no command {name!r} in {words!r}"
        command = commands[name]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"--help"}
    typed = re.sub(r"\"[^\"]*\"|'[^']*'|[|&;>].*", "", words)
    unknown = set(_OPTION.findall(typed)) - known - {"--version"}
    return f"{sorted(unknown)} in {words!r}" if unknown else None


@pytest.mark.parametrize("page", PAGES, ids=ids(PAGES))
def test_every_command_and_option_that_is_shown_exists(page: Path) -> None:
    assert [fault for words in calls(page.read_text(encoding="utf-8")) if (fault := fault_of(words))] == []


def test_commands_and_options_that_do_not_exist_are_noticed() -> None:
    assert fault_of("graph show X --hops 2") is None and fault_of("ask 'what --is it'") is None
    assert fault_of("grph show X") and fault_of("graph shw X") and fault_of("graph show X --hop 2")


def has_setting(path: str) -> bool:
    """Whether a dotted name is a setting; `NAME` and what stands under a mapping are the user's own."""
    model: object = Settings
    for part in path.split("."):
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            return True
        if part not in model.model_fields:
            return False
        model = model.model_fields[part].annotation
    return True


def test_every_setting_in_the_table_exists() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    named = []
    for row in _SETTING.finditer(text):
        section = row["first"].rpartition(".")[0]
        named += [row["first"], *(f"{section}.{name}" for name in re.findall(r"`([a-z_]+)`", row["rest"]))]
    assert len(named) > 40
    assert [name for name in named if not has_setting(name)] == []
    assert not has_setting("search.no_such") and has_setting("search.keep")
