"""A document that the caller may not read changes nothing of what the caller is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.documents import CONTRACT, POLICY, lexical_settings, write
from support.vectors import HashEmbedder
from veriloop import Caller, Library, add_files
from veriloop.knowledge.vectors import Embedder

ALICE = Caller(readers=frozenset({"alice"}))
BOSS = Caller(readers=frozenset({"boss"}))
OPEN = {
    "contract": CONTRACT,
    "policy": POLICY,
    "手册_2024版": "# 员工手册\n\n年休假为十五天。雀划不适用。CMP is unknown.\n",
    "通知": "# 放假通知\n\n发布日期：2026年10月8日\n\n国庆节放假七天。\n",
}
CANARIES = {
    "金丝雀计划_2025版": (
        "# 金丝雀计划通知\n\n发布日期：2026年11月1日\n\n金丝雀计划（以下简称“雀划”）的验收由甲方负责。"
        "Canary Master Plan (CMP) 规定，质量保证期内逾期违约金为合同总价的9%，酒店每晚 120 EUR。\n"
    ),
    "手册_2025版": "# 员工手册\n\n年休假为四十天。\n",
    "copy": CONTRACT.replace("24个月", "36个月"),
}
QUESTIONS = (
    *("金丝雀计划是什么", "雀划由谁负责", "CMP", "金丝雀计划通知和设备采购合同的违约金", "2025版手册的年休假"),
    *("2024版和2025版员工手册", "现行有效的员工手册的年休假", "最近两个月发布的通知", "通知里的放假", "质量保证期多长"),
    *("合同总价的0.5%", "hotel per night", "HN-3200 额定功率", "甲方", "的", "设备采购合同第三条"),
)
# Numbers of the library itself, and what adding a file draws by chance or from the clock.
_NOT_COMPARED = {"library_version", "updated_at", "source_uri"}


def _embedder() -> Embedder:
    return HashEmbedder()


def shown(folder: Path, embedder: Embedder | None, *, canaries: bool, first: bool = False) -> Any:
    """Everything that Alice is shown, to the last digit."""
    (folder / "library").mkdir(parents=True)
    with Library(folder / "library", lexical_settings(), embedder) as library:
        if not first:
            add_files(library, [write(folder / "open", **OPEN)])
        if canaries:
            add_files(library, [write(folder / "hidden", **CANARIES)], readers=frozenset({"boss"}))
        if first:
            add_files(library, [write(folder / "open", **OPEN)])
        if canaries:
            assert "金丝雀计划_2025版.md" in {hit.document.name for hit in library.search("雀划", caller=BOSS).hits}
        found = [library.search(question, caller=ALICE, explain=True).model_dump(mode="json") for question in QUESTIONS]
        named = [[str(one.doc_id) for one in library.find_documents(name, ALICE)] for name in CANARIES]
        weighed = [library.idf(ALICE)(term) for term in ("金丝雀", "雀划", "cmp", "合同", "天")]
    return _compared([found, named, weighed])


def _compared(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _compared(one) for key, one in value.items() if key not in _NOT_COMPARED}
    return [_compared(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("first", [False, True], ids=["later", "earlier"])
@pytest.mark.parametrize("embedder", [lambda: None, _embedder], ids=["words", "vectors"])
def test_hidden_documents_change_nothing_that_a_caller_is_shown(
    tmp_path: Path, embedder: Callable[[], Embedder | None], first: bool
) -> None:
    without = shown(tmp_path / "without", embedder(), canaries=False)
    with_canaries = shown(tmp_path / "with", embedder(), canaries=True, first=first)
    assert _by_name(with_canaries) == _by_name(without)
    text = json.dumps(with_canaries, ensure_ascii=False)
    assert not any(word in text for word in ("四十天", "36个月", "9%", "Canary"))


def _by_name(value: Any) -> str:
    """As text, with the ids of documents and blocks, which hold the path of the file, as numbers in order."""
    numbers: dict[str, int] = {}

    def named(one: Any, key: str = "") -> Any:
        if isinstance(one, dict):
            return {name: named(inner, name) for name, inner in one.items()}
        if isinstance(one, list):
            return [named(inner, key) for inner in one]
        return numbers.setdefault(one, len(numbers)) if key in ("doc_id", "block_id", "duplicate_of") and one else one

    return json.dumps(named(value), ensure_ascii=False, indent=1)
