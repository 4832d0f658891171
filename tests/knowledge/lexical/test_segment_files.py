"""A segment's file gives back what was written, and anything else is recognised."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from veriloop.errors import LibraryFormatError
from veriloop.knowledge.lexical.segment import IndexedRow, RowOwner, Segment, build_segment
from veriloop.knowledge.lexical.segment_file import FORMAT, load_segment, save_segment

ROWS = [["甲", "乙", "甲"], [], ["contract", "=CNY 15000"]]


def built(rows: list[list[str]]) -> Segment:
    indexed = [IndexedRow(10 + number, row) for number, row in enumerate(rows)]
    return build_segment(indexed, [RowOwner(3, 2**64 - 1, len(rows))])


def saved(folder: Path, segment: Segment) -> Path:
    path = folder / "one.seg"
    save_segment(segment, path, folder / "one.tmp")
    return path


@pytest.mark.parametrize("rows", [ROWS, [], [[]]])
def test_a_saved_segment_is_read_back_as_it_was(tmp_path: Path, rows: list[list[str]]) -> None:
    segment = built(rows)
    loaded = load_segment(saved(tmp_path, segment))
    for one, other in zip(map(np.asarray, loaded), map(np.asarray, segment), strict=True):
        assert np.array_equal(one, other)
        assert one.dtype == other.dtype
    assert not list(tmp_path.glob("*.tmp"))


def test_a_segment_can_be_read_on_after_its_file_has_been_removed(tmp_path: Path) -> None:
    path = saved(tmp_path, built(ROWS))
    loaded = load_segment(path)
    path.unlink()
    assert loaded.passage_ids.tolist() == [10, 11, 12]
    with pytest.raises(FileNotFoundError):
        load_segment(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_a_changed_or_cut_file_is_never_taken_for_a_sound_one(tmp_path: Path, data: st.DataObject) -> None:
    path = saved(tmp_path, built(ROWS))
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content) - 1))]
    else:
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    damaged = tmp_path / "damaged.seg"
    damaged.write_bytes(content)
    with pytest.raises(LibraryFormatError, match=r"damaged\.seg.*rebuilt"):
        load_segment(damaged)


def test_a_file_of_a_newer_format_says_so(tmp_path: Path) -> None:
    path = saved(tmp_path, built(ROWS))
    content = path.read_bytes()
    length = struct.unpack_from("<8sII", content)[1]
    head = json.loads(content[16 : 16 + length])
    text = json.dumps({**head, "format": FORMAT + 1, "added": True}).encode()
    path.write_bytes(struct.pack("<8sII", content[:8], len(text), zlib.crc32(text)) + text + content[16 + length :])
    with pytest.raises(LibraryFormatError, match=f"format {FORMAT + 1}"):
        load_segment(path)


def test_what_cannot_be_written_leaves_the_place_empty(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        save_segment(built(ROWS), tmp_path / "one.seg", tmp_path / "missing" / "one.tmp")
    assert not list(tmp_path.iterdir())
