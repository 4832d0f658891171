# ruff: noqa: E501 - texts are read in one piece
"""Searches that follow the graph from their first hits: what they add, to whom, and what they leave as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from support.graph_documents import graph_settings
from veriloop import Caller, Library, add_files
from veriloop.knowledge.query.models import SearchFilter

ANYBODY = Caller()
QUESTION = "Which instrument did the composer of Amber Rivers play?"
OPEN = {
    "film": "# Amber Rivers\n\nAmber Rivers is a film of 2031. Its music was written by Lena Marlowe.\n",
    "person": "# Lena Marlowe\n\nLena Marlowe was born in Graz and has given concerts on the cello since 2019.\n",
    **{
        f"noise{number}": f"# Composer number {number}\n\nA composer may play an instrument; this one did play number {number}.\n"
        for number in range(12)
    },
}
HIDDEN = "# Lena Marlowe, a private note\n\nLena Marlowe is also known as The Canary and plays the harp.\n"


def opened(folder: Path, **graph: object) -> Library:
    return Library.open(folder / "library", lexical_settings(graph=graph_settings(**graph)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("expanding")
    with opened(made) as library:
        add_files(library, [write(made / "open", **OPEN)])
        add_files(library, [write(made / "closed", hidden=HIDDEN)], readers=frozenset({"boss"}))
    yield made


def names(library: Library, caller: Caller = ANYBODY, k: int = 6, **how: object) -> list[str]:
    return [hit.document.name for hit in library.search(QUESTION, k=k, caller=caller, **how).hits]  # type: ignore[arg-type]


def test_a_search_follows_the_graph_to_a_block_that_none_of_its_words_find(folder: Path) -> None:
    with opened(folder) as plain, opened(folder, expand=True) as expanding:
        before, after = names(plain), names(expanding)
        assert "film.md" in before
        assert "person.md" not in before
        assert "person.md" in after
        # The first hits stay as they are, and there are no more than were asked for.
        assert after[:3] == before[:3]
        assert len(after) == len(before)
        hit = next(
            one for one in expanding.search(QUESTION, k=6, caller=ANYBODY).hits if one.document.name == "person.md"
        )
        assert hit.block.text[hit.focus[0].start : hit.focus[0].end]
        assert [one.rank for one in expanding.search(QUESTION, k=6).hits] == list(range(1, 7))


def test_a_hidden_document_is_not_followed_and_changes_nothing(folder: Path, tmp_path: Path) -> None:
    with opened(folder, expand=True, hops=2) as library, opened(tmp_path, expand=True, hops=2) as without:
        add_files(without, [folder / "open"])
        assert names(library) == names(without)
        assert "hidden.md" in names(library, Caller(readers=frozenset({"boss"})))


def test_the_bounds_of_a_search_hold_for_what_the_graph_leads_to(folder: Path) -> None:
    with opened(folder, expand=True) as library:
        film = library.find_documents("film.md", ANYBODY)[0].doc_id
        assert names(library, among=[film]) == ["film.md"]
        assert names(library, filters=SearchFilter(doc_types=frozenset({"contract"}))) == []
        assert names(library, k=1) == names(library, k=6)[:1]


def test_without_relations_an_expanding_search_is_a_plain_one(folder: Path, tmp_path: Path) -> None:
    with opened(tmp_path, enabled=False, expand=True) as bare, opened(folder) as plain:
        add_files(bare, [folder / "open"])
        assert names(bare) == names(plain)
