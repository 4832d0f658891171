"""A library cuts and searches by the words of its own dictionary, in Chinese and in English."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Library, add_files
from veriloop.configs import Settings, load_settings
from veriloop.errors import SettingsError

WORDS = "琉璃钛合页 静音铰链\nzentrik valve, quiet stop\n5G网关盒\n"
TEXTS = {
    "hinge": "# 五金目录\n\n门窗一律装配琉璃钛合页，每扇三副。",
    "tiles": "# 屋面材料\n\n琉璃瓦与钛板分别存放，合页另行领用。",
    "valve": "# Parts list\n\nEach boiler has one zentrik valve in front of the pump.",
    "other-valve": "# Tools\n\nThe zentrik key opens the box; a valve is not part of it.",
    "gateway": "# 网络设备\n\n每层机房放置一台5G网关盒。",
}


def settings(words: Path | None) -> Settings:
    search = load_settings().search.model_copy(update={"dictionary": words})
    return lexical_settings(search=search)


def dictionary(folder: Path, text: str, name: str = "words.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def filled(folder: Path, words: Path | None) -> Library:
    library = Library.open(folder / "library", settings(words))
    assert not add_files(library, [write(folder / "documents", **TEXTS)]).failed
    return library


def best(library: Library, query: str) -> str | None:
    hits = library.search(query).hits
    return hits[0].document.name.removesuffix(".md") if hits else None


@pytest.mark.parametrize(
    ("query", "word", "document"),
    [
        ("琉璃钛合页", "琉璃钛合页", "hinge"),
        ("哪里用到琉璃鈦合頁？", "琉璃钛合页", "hinge"),
        ("Where is the Zentrik Valve?", "zentrik valve", "valve"),
        ("５Ｇ网关盒在哪", "5g网关盒", "gateway"),
    ],
)
def test_a_word_of_the_dictionary_is_searched_as_a_whole(tmp_path: Path, query: str, word: str, document: str) -> None:
    with filled(tmp_path, dictionary(tmp_path, WORDS)) as library:
        result = library.search(query, explain=True)
        assert word in result.tokens
        assert result.hits[0].document.name == f"{document}.md"
        assert result.explanation is not None and word in result.explanation.hits[0].terms


@pytest.mark.parametrize(
    ("query", "document"), [("静音铰链有几副", "hinge"), ("静音铰链", "hinge"), ("How many quiet stops?", "valve")]
)
def test_a_synonym_finds_what_is_called_otherwise(tmp_path: Path, query: str, document: str) -> None:
    with filled(tmp_path / "without", None) as library:
        assert best(library, query) != document
    words = dictionary(tmp_path, WORDS + "quiet stops, zentrik valve\n")
    with filled(tmp_path / "with", words) as library:
        assert best(library, query) == document


def test_another_dictionary_makes_the_analyses_anew_and_the_same_one_does_not(tmp_path: Path) -> None:
    filled(tmp_path, None).close()
    words = dictionary(tmp_path, WORDS)
    with Library.open(tmp_path / "library", settings(words)) as taught:
        hit = taught.search("琉璃钛合页", explain=True)
        assert hit.explanation is not None and "琉璃钛合页" in hit.explanation.hits[0].terms
        assert taught.reindex_terms() == 0
    words.write_text(WORDS + "合页另行\n", encoding="utf-8")
    with Library.open(tmp_path / "library", settings(words)) as changed:
        assert changed.reindex_terms() == len(TEXTS)
    with Library.open(tmp_path / "library", settings(words)) as same:
        assert same.reindex_terms() == 0
        assert best(same, "合页另行") == "tiles"


def test_other_synonyms_alone_analyse_nothing_anew(tmp_path: Path) -> None:
    words = dictionary(tmp_path, "琉璃钛合页\n静音铰链\n")
    filled(tmp_path, words).close()
    words.write_text("琉璃钛合页 静音铰链\n", encoding="utf-8")
    with Library.open(tmp_path / "library", settings(words)) as library:
        assert library.reindex_terms() == 0
        assert best(library, "静音铰链") == "hinge"


def test_libraries_with_different_dictionaries_do_not_mix_in_one_process(tmp_path: Path) -> None:
    first = dictionary(tmp_path, "琉璃钛合页\n静音铰链 琉璃钛合页\n", "first.txt")
    second = dictionary(tmp_path, "zentrik valve,\n", "second.txt")
    with filled(tmp_path / "one", first) as one, filled(tmp_path / "two", second) as two:
        for _ in range(2):
            assert (
                "琉璃钛合页" in one.search("琉璃钛合页").tokens and "琉璃钛合页" not in two.search("琉璃钛合页").tokens
            )
            assert "zentrik valve" in two.search("zentrik valve").tokens
            assert "zentrik valve" not in one.search("zentrik valve").tokens
            assert best(one, "静音铰链") == "hinge" and best(two, "静音铰链") != "hinge"
        assert one.reindex_terms() == two.reindex_terms() == 0


def test_a_bad_dictionary_is_named_when_the_library_is_opened(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"search\.dictionary: .*missing\.txt cannot be read"):
        Library.open(tmp_path / "library", settings(tmp_path / "missing.txt"))
