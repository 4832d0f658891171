"""Whatever happens to the files that are derived from a library, it answers as before."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.documents import CONTRACT, POLICY, lexical_settings, write
from support.scripted_endpoint import ScriptedEndpoint, Turn
from support.vectors import HashEmbedder
from veriloop import Caller, Library, add_files
from veriloop.configs import Settings
from veriloop.configs.embedding_settings import EmbeddingSettings

OWNER = Caller.owner()
QUESTIONS = ("质量保证期多久", "hotel per night", "设备型号 HN-3200", "补充")

Answers = list[list[tuple[str, float]]]


def opened(folder: Path) -> Library:
    folder.mkdir(exist_ok=True)
    return Library(folder, lexical_settings(), HashEmbedder())


def answers(folder: Path) -> Answers:
    with opened(folder) as library:
        found = [library.search(question, caller=OWNER) for question in QUESTIONS]
    assert all(one.vectors_used for one in found)
    return [[(hit.block.block_id, round(hit.score, 4)) for hit in one.hits] for one in found]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("sound")
    with opened(base / "library") as library:
        for number in range(3):
            texts = {f"c{number}": f"{CONTRACT}\n第{number}号补充。\n", f"p{number}": POLICY}
            add_files(library, [write(base / f"documents{number}", **texts)])
            library.refresh()
    return base / "library"


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "copy"))


def index_files(library: Path) -> Iterator[Path]:
    yield from (path for path in sorted((library / "index").rglob("*")) if path.is_file())


def _flipped(data: bytes) -> bytes:
    place = random.Random(len(data)).randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="emptied"),
        pytest.param(lambda data: data[:9], id="cut off in its head"),
        pytest.param(lambda data: data[:-1], id="cut off at its end"),
        pytest.param(lambda data: data + b"x", id="longer"),
        pytest.param(lambda data: bytes(len(data)), id="zeros"),
        pytest.param(_flipped, id="one bit"),
        pytest.param(lambda data: data[:8] + b"\xff\xff\xff\xff" + data[12:], id="a head of four gigabytes"),
        pytest.param(lambda data: data.replace(b'"format":3', b'"format":9'), id="of a newer format"),
    ],
)
def test_a_damaged_index_file_changes_no_answer(sound: Path, copy: Path, damage: Callable[[bytes], bytes]) -> None:
    for path in index_files(copy):
        path.write_bytes(damage(path.read_bytes()))
    assert answers(copy) == answers(sound)


def _as_folders(library: Path) -> None:
    for path in list(index_files(library)):
        path.unlink()
        path.mkdir()


def _as_dangling_links(library: Path) -> None:
    for path in list(index_files(library)):
        path.unlink()
        path.symlink_to(library / "gone")


def _one_file(library: Path) -> None:
    shutil.rmtree(library / "index")
    (library / "index").write_text("not a folder", encoding="utf-8")


@pytest.mark.parametrize(
    "change", [_as_folders, _as_dangling_links, _one_file, lambda path: shutil.rmtree(path / "index")]
)
def test_what_stands_in_place_of_index_files_changes_no_answer(
    sound: Path, copy: Path, change: Callable[[Path], None]
) -> None:
    change(copy)
    assert answers(copy) == answers(sound)
    with opened(copy) as library:
        add_files(library, [write(copy.parent / "more", more="# 新文档\n\n另一号补充。")])
        (added,) = library.find_documents("more.md", OWNER)
        assert library.remove(added.doc_id)
    assert answers(copy) == answers(sound)


def _behind(endpoint: ScriptedEndpoint, dimension: int | None) -> Settings:
    given = {"base_url": endpoint.base_url, "model": "vectors", "request_seconds": 2, "dimension": dimension}
    return lexical_settings(embeddings=EmbeddingSettings.model_validate({"provider": "openai", **given}))


def test_a_library_is_looked_at_and_cleared_up_while_the_endpoint_of_its_vectors_is_down(
    tmp_path: Path, scripted_endpoint: ScriptedEndpoint
) -> None:
    settings = _behind(scripted_endpoint, None)
    with Library.open(tmp_path / "library", settings) as library:
        add_files(library, [write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)])
        assert library.search("质量保证期多久", caller=OWNER).vectors_used
    asked = len(scripted_endpoint.requests)
    with Library.open(tmp_path / "library", settings) as library:
        (contract,) = library.find_documents("contract.md", OWNER)
        assert library.blocks(contract.doc_id, OWNER)
        assert library.remove(contract.doc_id)
        assert len(library.documents(OWNER)) == 1
    assert len(scripted_endpoint.requests) == asked


def test_a_library_is_searched_by_words_while_the_endpoint_of_its_vectors_is_down(
    tmp_path: Path, scripted_endpoint: ScriptedEndpoint
) -> None:
    with Library.open(tmp_path / "library", _behind(scripted_endpoint, 8)) as library:
        add_files(library, [write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)])
        scripted_endpoint.script = [Turn(status=401, text="no such key")] * 9
        result = library.search("质量保证期多久", caller=OWNER)
    assert result.hits[0].document.name == "contract.md"
    assert not result.vectors_used
    assert "words alone" in result.notes[0]
