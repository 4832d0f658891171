"""Digests of models stand with their block: for who may read it, and as long as it is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.documents import CONTRACT, lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.knowledge.digest.models import Digest
from veriloop.knowledge.digest.of_library import digests_of

OWNER = Caller.owner()
LONG = f"{CONTRACT}\n## 第三章 保养\n\n{'设备应当保持整洁，每日擦拭。' * 200}\n"


@pytest.fixture
def digested(tmp_path: Path) -> tuple[Library, Path, str]:
    """A library with a contract for alice, one of whose blocks a model has digested."""
    chosen = lexical_settings()
    chosen = chosen.model_copy(update={"parsing": chosen.parsing.model_copy(update={"processes": 0})})
    folder = write(tmp_path / "documents", contract=LONG)
    library = Library.open(tmp_path / "library", chosen)
    add_files(library, [folder], readers=frozenset({"alice"}))
    doc_id = library.documents(OWNER)[0].document.doc_id
    block = library.blocks(doc_id, OWNER)[-1]
    assert library.digests.put(block.block_id, Digest(summary="由模型写成。", made_by="m"))
    return library, folder, block.block_id


def test_a_digest_is_used_for_those_who_may_read_its_document_only(digested: tuple[Library, Path, str]) -> None:
    library, _, block_id = digested
    assert library.digests.of_blocks([block_id], Caller()) == {}
    assert library.digests.of_blocks([block_id], Caller(readers=frozenset({"alice"})))[block_id].made_by == "m"


def test_blocks_without_one_have_the_rules_digest(digested: tuple[Library, Path, str]) -> None:
    library, _, block_id = digested
    placed = library.contents.blocks(OWNER, 100)
    made = {
        block.block_id: one.made_by for (block, _), one in zip(placed, digests_of(library, OWNER, placed), strict=True)
    }
    assert made.pop(block_id) == "m" and set(made.values()) == {"rules"}
    assert {one.made_by for one in digests_of(library, OWNER, placed, only_rules=True)} == {"rules"}


def test_unchanged_blocks_keep_theirs_and_a_removed_document_takes_all_along(
    digested: tuple[Library, Path, str],
) -> None:
    library, folder, block_id = digested
    done, total = library.digests.progress()
    write(folder, contract=f"# 新的开头\n\n{'前言。' * 300}\n\n{LONG}")
    add_files(library, [folder])
    assert library.digests.progress().done == done == 1 and library.digests.progress().total > total
    assert block_id not in {block.block_id for block, _ in library.digests.missing(100)}
    library.remove(library.documents(OWNER)[0].document.doc_id)
    assert library.digests.progress() == (0, 0)
    assert not library.digests.put(block_id, Digest(summary="太晚了。", made_by="m"))


def test_what_is_missing_comes_in_slices(digested: tuple[Library, Path, str]) -> None:
    library, _, _ = digested
    found, after = list[str](), ""
    while part := library.digests.missing(1, after=after):
        after = part[-1][0].block_id
        found.append(after)
    done, total = library.digests.progress()
    assert len(set(found)) == len(found) == total - done
    assert library.digests.clear() == 1 and library.digests.progress().done == 0
