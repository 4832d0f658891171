"""A document that the caller may not read shows in no command: not by name, text, id or count.

Every registered command has to be listed here; a new one fails this test until it is.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from support.documents import CONTRACT, POLICY, write
from support.shell import Result, run_command
from veriloop import Caller, Library
from veriloop.serving.cli.main import app

HIDDEN = (
    "# 金丝雀年度方案\n\n发布日期：2026年10月8日\n\n"
    "自本方案施行之日起，《设备采购合同》同时废止。\n\n质量保证期为九十九个月，机密项目的代号为XQ-7719，违约金为88%。\n\n"
    "晨曦制造有限公司成立于1988年。晨曦制造有限公司的供应商为金丝雀仪器有限公司，见《设备采购合同》第四条。\n"
)
HIDDEN_TABLE = "备件,单价\n金丝雀泵,88%\n金丝雀阀,77\n"
FOUNDED = "\n晨曦制造有限公司成立于1999年。\n"
OPEN = {"contract": CONTRACT + FOUNDED, "policy": POLICY}
SIGNS = ("金丝雀", "canary", "XQ-7719", "九十九", "88%", "1988")
QUESTION = "质量保证期是多久？机密项目的代号是什么？"
# What adding draws by chance or from the clock, and counters of the library itself, which tell of no document.
_CHANCE = re.compile(
    r"\b[0-9a-f]{8,32}\b|library version \d+|\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*( UTC)?|[\d,.]+ m?s\b"
    r"|\"library_version\": \d+|\"\w*seconds\w*\": [\d.e-]+|\(\d+\.\d+ s\)|(?<= )\d+\.\d\d(?= )"
)


class Shelf(NamedTuple):
    """A library, and the ids by which its hidden document could be asked for; the same ones where it is not there."""

    library: Path
    hidden_id: str
    hidden_block: str


class Shell:
    """Runs commands as somebody who may read the open documents."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._patch = patch

    def owner(self, shelf: Path, *arguments: str) -> Result:
        self._patch.delenv("VERILOOP_AS", raising=False)
        return run_command(self._capsys, self._patch, *arguments, "--library", str(shelf))

    def alice(self, shelf: Path, *arguments: str) -> Result:
        self._patch.setenv("VERILOOP_AS", "alice")
        return run_command(self._capsys, self._patch, *arguments, "--library", str(shelf))


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("VERILOOP_PARSING__PROCESSES", "0")
    monkeypatch.setenv("VERILOOP_GRAPH__ENABLED", "true")
    monkeypatch.setenv("COLUMNS", "200")
    return Shell(capsys, monkeypatch)


@pytest.fixture
def shelves(shell: Shell, tmp_path: Path) -> tuple[Shelf, Shelf]:
    """A library with the hidden document, which has a version before it and was asked about, and one without."""
    documents = write(tmp_path / "documents", **OPEN)
    for name in ("with", "without"):
        (tmp_path / name).mkdir()
        assert shell.owner(tmp_path / name / "library", "sync", str(documents)).code == 0
    closed = write(documents / "boss", canary=HIDDEN.replace("九十九", "九十"))
    (closed / "canary_prices.csv").write_text(HIDDEN_TABLE, encoding="utf-8")
    (closed / "veriloop.yaml").write_text("readers: [boss]\n", encoding="utf-8")
    library = tmp_path / "with" / "library"
    shell.owner(library, "sync", str(documents))
    write(documents / "boss", canary=HIDDEN)
    assert shell.owner(library, "sync", str(documents)).code == 0
    shell.owner(library, "ask", "XQ-7719是什么？")
    with Library.open(library, create=False) as opened:
        hidden = opened.find_documents("boss/canary.md", Caller.owner())[0]
        block = opened.blocks(hidden.doc_id, Caller.owner())[0].block_id
    return (Shelf(library, hidden.doc_id, block), Shelf(tmp_path / "without" / "library", hidden.doc_id, block))


def _commands(shelf: Shelf, room: Path) -> dict[str, list[list[str]]]:
    """For each command what could make it speak of the hidden document; a name says nothing that the person did not."""
    cases = room / "cases.jsonl"
    case = {"id": "1", "question": QUESTION, "relevant": [{"document": "contract.md", "quotes": ["24个月"]}]}
    cases.write_text(json.dumps(case, ensure_ascii=False) + "\n", encoding="utf-8")
    questions = room / "tools.jsonl"
    asked = {"question": QUESTION, "tool": "search_documents"}
    questions.write_text(json.dumps(asked, ensure_ascii=False) + "\n", encoding="utf-8")
    names = (
        shelf.hidden_id,
        shelf.hidden_block,
        "boss/canary.md",
        "金丝雀年度方案",
        str(room / "documents/boss/canary.md"),
    )
    plain = {
        "ask": [
            [QUESTION, "--explain"],
            [QUESTION, "--json"],
            ["《设备采购合同》现行有效吗？"],
            ["有几份文件规定了质量保证期？"],
            ["这个库里有哪些制度？"],
            ["关于质量保证期我们一共有哪些规定？", "--json"],
            ["晨曦制造有限公司成立于哪一年？"],
            ["哪些文件提到了《设备采购合同》？", "--explain"],
            ["有哪些表格？单价最高的备件是哪一个？", "--json"],
            ["设备采购合同第四条是怎么规定的？"],
        ],
        "search": [
            [QUESTION, "--explain"],
            [QUESTION, "--json", "--explain"],
            ["机密项目的代号", "--k", "50"],
            ["方案", "--json"],
        ],
        "sources": [[], ["--all"], ["--json"], ["--all", "--json"]],
        "doctor": [[], ["--json"]],
        "show": [[name] for name in (*names, "contract.md", "policy.md")] + [["contract.md", "--json"]],
        "history": [[name] for name in (*names, "contract.md")]
        + [["contract.md", "--json"], ["contract.md", "--diff"]],
        "remove": [[name] for name in names],
        "digest": [["--check"], ["--check", "--json"], ["--show", "contract.md"], ["--estimate"], []]
        + [["--show", name] for name in names],
        "directory": [[], ["--json"], ["--question", QUESTION], ["--question", "机密项目的代号", "--json"]]
        + [["--open", name] for name in (*names, "contract.md")],
        "graph show": [
            *([name] for name in (*names, "XQ-7719", "设备采购合同", "甲方", "晨曦制造有限公司")),
            *(
                [*asked, "--json", "--hops", "2"]
                for asked in (["设备采购合同"], ["晨曦制造有限公司"], ["金丝雀年度方案", "--other", "设备采购合同"])
            ),
        ],
        "graph stats": [[], ["--json"]],
        "rules": [[], ["--json"]],
        "tools list": [[], ["--json"]],
        "tools check": [[str(questions)], [str(questions), "--json"]],
        "trace list": [[], ["--json"]],
        "trace show": [["{trace}"]],
        "trace replay": [["{trace}"]],
        "eval retrieval": [[str(cases)], [str(cases), "--json"]],
        # About the whole library, so for its owner alone.
        "approvals list": [["--all"], ["--all", "--json"]],
        "approvals show": [["abcdef"]],
        "approvals approve": [["abcdef", "--digest", "0" * 12]],
        "approvals reject": [["abcdef"]],
        "approvals edit": [["abcdef", "{}"]],
        "approvals log": [[], ["--json"]],
        "graph build": [[], ["--estimate", "--json"]],
        "add": [[str(room / "documents")], [str(room / "documents"), "--json"]],
        "sync": [[str(room / "documents")], [str(room / "documents"), "--dry-run", "--json"]],
        "index": [[], ["--json"]],
        "reindex": [["--terms"], ["--terms", "--json"]],
        "backup": [[str(room / "backup.zip")]],
        "restore": [[str(room / "backup.zip"), "--replace"]],
    }
    return {name: [[*name.split(), *arguments] for arguments in calls] for name, calls in plain.items()}


def _registered() -> Iterator[str]:
    def walk(command: Any, path: tuple[str, ...]) -> Iterator[str]:
        inner = getattr(command, "commands", None)
        if inner is None:
            yield " ".join(path)
        for name, one in (inner or {}).items():
            yield from walk(one, (*path, name))

    yield from walk(typer.main.get_command(app), ())


def _latest_trace(shell: Shell, shelf: Shelf) -> str:
    """The id of the run that only the owner may see, as a person might have seen it over a shoulder."""
    return str(shell.owner(shelf.library, "trace", "list", "--json").json[-1]["trace_id"])


def _shown(result: Result, shelf: Shelf) -> str:
    text = f"{result.out}\n{result.err}".replace(str(shelf.library), "LIBRARY")
    return _CHANCE.sub("…", text)


def test_every_registered_command_is_looked_at(tmp_path: Path) -> None:
    assert set(_registered()) == set(_commands(Shelf(tmp_path, "", ""), tmp_path))


def test_a_document_that_the_caller_may_not_read_shows_in_no_command(
    shell: Shell, shelves: tuple[Shelf, Shelf], tmp_path: Path
) -> None:
    with_it, _ = shelves
    assert "boss/canary.md" in shell.owner(with_it.library, "sources").out
    trace = _latest_trace(shell, with_it)
    for name, calls in _commands(with_it, tmp_path).items():
        for arguments in calls:
            typed = [one.replace("{trace}", trace) for one in arguments]
            shown = [_shown(shell.alice(shelf.library, *typed), shelf) for shelf in shelves]
            echoed = " ".join(typed)
            told = [sign for sign in SIGNS if sign in shown[0] and sign not in echoed]
            assert not told, f"{name} {typed} tells {told}:\n{shown[0]}"
            # Searches that go side by side tell of themselves in any order.
            first, second = (Counter(text.splitlines()) for text in shown)
            assert first == second, f"{name} {typed} shows {first - second} instead of {second - first}"
    assert "boss/canary.md" in shell.owner(with_it.library, "sources").out
    assert not (tmp_path / "backup.zip").exists()
