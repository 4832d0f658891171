"""Queries of nothing but stop words or a single character are searched by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Library, add_files


@pytest.mark.parametrize(
    ("query", "document"),
    [("税", "tax.md"), ("稅？", "tax.md"), ("我们", "thanks.md"), ("to be or not to be", "play.md")],
)
def test_single_characters_and_stop_words_find_where_they_stand(tmp_path: Path, query: str, document: str) -> None:
    texts = {
        "tax": "# 财务\n\n公司依法纳税，由财务部申报。",
        "thanks": "# 致辞\n\n我们感谢各位。",
        "play": "# Play\n\nTo be, or not to be: that is the question.",
        "check": "# 体检\n\n员工每年体检一次。",
        "pump": "# Pump\n\nThe pump runs at night.",
    }
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        add_files(library, [write(tmp_path / "documents", **texts)])
        hits = library.search(query).hits
        assert hits and hits[0].document.name == document
