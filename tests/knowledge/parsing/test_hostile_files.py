"""Awkward files from the wild: each gives a document or one clear error."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import veriloop
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ParseOptions
from veriloop.knowledge.parsing import parse_file

_ROOT = Path(veriloop.__file__).parent
_DATA = Path(os.environ.get("VERILOOP_DATA", _ROOT.parent / "shared" / "data"))
_FILES = sorted(path for path in (_DATA / "hostile").rglob("*") if path.is_file())


@pytest.mark.slow
@pytest.mark.timeout(900)  # one file has 619 dense pages
@pytest.mark.skipif(not _FILES, reason="the folder 'hostile' of VERILOOP_DATA is not on this machine")
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_an_awkward_file_gives_a_document_or_one_clear_error(path: Path) -> None:
    try:
        document = parse_file(path, path.name)
    except InputFileError as error:
        assert error.path == path.name
        assert error.reason
    else:
        assert all(element.text for element in document.elements)


def test_without_the_optional_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from veriloop.knowledge.parsing import unstructured_reader

    def missing(name: str) -> object:
        raise ModuleNotFoundError(name, name="unstructured")

    monkeypatch.setattr(unstructured_reader, "import_module", missing)
    path = tmp_path / "a.rtf"
    path.write_bytes(rb"{\rtf1\ansi Hello}")
    with pytest.raises(InputFileError, match=r"veriloop\[unstructured\]"):
        parse_file(path, options=ParseOptions(readers={".rtf": "unstructured"}))


def test_without_its_language_pipeline_the_optional_package_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from veriloop.knowledge.parsing import unstructured_reader

    def partition(**_: object) -> list[object]:
        raise AssertionError("the package must not be asked: it would download")

    monkeypatch.setattr(unstructured_reader, "_partitioner", lambda: partition)
    monkeypatch.setattr(unstructured_reader, "find_spec", lambda name: None)
    path = tmp_path / "a.rtf"
    path.write_bytes(rb"{\rtf1\ansi Hello}")
    with pytest.raises(InputFileError, match="en_core_web_sm"):
        parse_file(path, options=ParseOptions(readers={".rtf": "unstructured"}))
