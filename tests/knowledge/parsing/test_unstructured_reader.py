"""Files that the settings give to the real package `unstructured`.

The language pipeline that it wants is an empty one, installed for the tests as the reader's docstring tells users to.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from importlib.util import find_spec
from pathlib import Path

import pytest
import veriloop
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ElementKind, ParsedDocument, ParseOptions
from veriloop.knowledge.parsing import parse_file, unstructured_reader

pytestmark = [
    pytest.mark.slow,  # importing the package and spaCy alone takes ten seconds
    pytest.mark.extras,
    pytest.mark.skipif(
        find_spec("unstructured") is None, reason="needs the extra `unstructured`: pip install -e '.[unstructured]'"
    ),
    # How `unstructured` has pandas read old workbooks; pandas means to drop both in its next major version.
    pytest.mark.filterwarnings("ignore:The xlrd engine is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:ExcelFile.parse is deprecated:DeprecationWarning"),
]

ROOT = Path(veriloop.__file__).parent
DATA = Path(os.environ.get("VERILOOP_DATA", ROOT.parent / "shared" / "data"))
FOLDERS = ("legacy", "email", "other_office")
HOSTILE = sorted(path for name in FOLDERS for path in (DATA / "hostile" / name).glob("*"))

ZH = "甲方应当自收到验收申请之日起10个工作日内组织验收。"
EN = "Employees may spend at most 120 EUR per night on a hotel."


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the module path that holds an empty spaCy pipeline as an installed package."""
    import spacy

    folder = tmp_path_factory.mktemp("pipeline")
    language = spacy.blank("en", meta={"name": "core_web_sm", "version": "0.0.0"})
    language.add_pipe("sentencizer")
    package = folder / "en_core_web_sm"
    package.mkdir()
    language.to_disk(package)
    (package / "__init__.py").write_text(
        textwrap.dedent("""
            from pathlib import Path
            from spacy.util import load_model_from_path

            def load(**overrides):
                return load_model_from_path(Path(__file__).parent, **overrides)
        """)
    )
    information = folder / "en_core_web_sm-0.0.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: en_core_web_sm\nVersion: 0.0.0\n")
    return folder


@pytest.fixture
def read(pipeline: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], ParsedDocument]:
    """`parse_file` where the pipeline is installed and the package chosen."""
    monkeypatch.syspath_prepend(pipeline)
    return by_unstructured


def by_unstructured(path: Path) -> ParsedDocument:
    return parse_file(path, options=ParseOptions(readers={path.suffix.lower(): "unstructured"}))


def texts(document: ParsedDocument) -> list[str]:
    return [element.text for element in document.elements]


def mail(path: Path, *, charset: str = "utf-8", html: bool = False) -> Path:
    message = EmailMessage()
    message["Subject"] = "验收安排 Acceptance"
    message["From"] = "Li Wei <li@example.com>"
    message["To"] = "team@example.com"
    message["Date"] = "Mon, 01 Sep 2025 09:00:00 +0800"
    message.set_content(f"各位同事：\n\n{ZH}\n\n{EN}\n\n1. 验收清单\n2. 测试报告\n", charset=charset)
    if html:
        message.add_alternative(
            f"<html><body><h2>一、验收</h2><p>{ZH}</p><p>{EN}</p>"
            "<table><tr><th>型号</th><th>功率</th></tr><tr><td>HN-3200</td><td>8 kW</td></tr></table></body></html>",
            subtype="html",
            charset=charset,
        )
    path.write_bytes(message.as_bytes())
    return path


@pytest.mark.parametrize("charset", ["utf-8", "gb18030"])
def test_a_mail_gives_its_subject_its_people_and_its_text(
    charset: str, tmp_path: Path, read: Callable[[Path], ParsedDocument]
) -> None:
    document = read(mail(tmp_path / "a.eml", charset=charset))
    assert document.media_type == "message/rfc822"
    assert document.title == "验收安排 Acceptance"
    assert texts(document)[1:3] == ["From: Li Wei <li@example.com>", "To: team@example.com"]
    assert ZH in texts(document)
    assert EN in texts(document)


def test_sentences_of_a_mail_are_not_taken_for_headings(tmp_path: Path, read: Callable[[Path], ParsedDocument]) -> None:
    document = read(mail(tmp_path / "a.eml"))
    headings = [element.text for element in document.elements if element.kind is ElementKind.HEADING]
    assert headings == ["验收安排 Acceptance"]


def test_a_mail_in_html_keeps_headings_and_tables(tmp_path: Path, read: Callable[[Path], ParsedDocument]) -> None:
    document = read(mail(tmp_path / "a.eml", html=True))
    kinds = {element.text.split("\n")[0]: element.kind for element in document.elements}
    assert kinds["一、验收"] is ElementKind.HEADING
    assert kinds["| 型号 | 功率 |"] is ElementKind.TABLE
    assert kinds[ZH] is kinds[EN] is ElementKind.PARAGRAPH


@pytest.mark.parametrize("name", ["a.docx", "a.html", "a.md", "a.txt"])
def test_it_can_be_chosen_for_formats_that_have_a_reader_here(
    name: str, tmp_path: Path, read: Callable[[Path], ParsedDocument]
) -> None:
    path = tmp_path / name
    if path.suffix == ".docx":
        import docx

        made = docx.Document()
        made.add_paragraph(ZH)
        made.save(str(path))
    else:
        path.write_text(
            f"<!doctype html><html><body><p>{ZH}</p></body></html>" if path.suffix == ".html" else ZH, "utf-8"
        )
    assert (read(path).reader, texts(read(path))) == ("unstructured", [ZH])
    assert parse_file(path).reader != "unstructured"


def test_a_mail_with_a_recording_attached_is_read_without_it(
    tmp_path: Path, read: Callable[[Path], ParsedDocument]
) -> None:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "录音", "a@example.com", "b@example.com"
    message.set_content(f"{ZH}\n\n{EN}\n")
    message.add_attachment(b"ID3" + bytes(500), maintype="audio", subtype="mpeg", filename="a.mp3")
    path = tmp_path / "a.eml"
    path.write_bytes(message.as_bytes())
    assert texts(read(path))[-2:] == [ZH, EN]


def rtf(path: Path) -> Path:
    escaped = "".join(f"\\u{ord(character)}?" for character in ZH)
    path.write_text(rf"{{\rtf1\ansi {escaped}\par\par {EN}\par}}", encoding="ascii")
    return path


def epub(path: Path) -> Path:
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
        '<rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="i">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>手册</dc:title>'
        '<dc:language>zh</dc:language><dc:identifier id="i">1</dc:identifier></metadata>'
        '<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c"/></spine></package>'
    )
    chapter = (
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>c</title></head>'
        f"<body><h1>验收</h1><p>{ZH}</p><p>{EN}</p></body></html>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("a.opf", package)
        archive.writestr("c.xhtml", chapter)
    return path


def odt(path: Path) -> Path:
    media_type = "application/vnd.oasis.opendocument.text"
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{media_type}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    office = "urn:oasis:names:tc:opendocument:xmlns:"
    content = (
        f'<office:document-content xmlns:office="{office}office:1.0" xmlns:text="{office}text:1.0"><office:body>'
        f'<office:text><text:h text:outline-level="1">验收</text:h><text:p>{ZH}</text:p><text:p>{EN}</text:p>'
        "</office:text></office:body></office:document-content>"
    )
    styles = (
        f'<office:document-styles xmlns:office="{office}office:1.0"><office:font-face-decls/><office:styles/>'
        "<office:automatic-styles/><office:master-styles/></office:document-styles>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", media_type)
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", content)
        archive.writestr("styles.xml", styles)
    return path


def old_office(stream: str) -> Callable[[Path], Path]:
    """Nothing but what tells the kind of an old Office file: the container's mark and the name of a stream."""

    def make(path: Path) -> Path:
        path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + stream.encode("utf-16-le") + bytes(512))
        return path

    return make


MADE: dict[str, Callable[[Path], Path]] = {"rtf": rtf, "epub": epub, "odt": odt}
has_pandoc = pytest.mark.skipif(
    shutil.which("pandoc") is None or find_spec("pypandoc") is None,
    reason="needs pandoc: install the program pandoc, and pip install pypandoc",
)


@has_pandoc
@pytest.mark.parametrize("kind", MADE)
def test_with_pandoc_the_text_is_read(kind: str, tmp_path: Path, read: Callable[[Path], ParsedDocument]) -> None:
    document = read(MADE[kind](tmp_path / f"a.{kind}"))
    assert texts(document)[-2:] == [ZH, EN]
    headings = [element.text for element in document.elements if element.kind is ElementKind.HEADING]
    assert headings == ([] if kind == "rtf" else ["验收"])


NEEDS = [
    ("a.rtf", rtf, "pandoc"),
    ("a.epub", epub, "pandoc"),
    ("a.odt", odt, "pandoc"),
    ("a.doc", old_office("WordDocument"), "LibreOffice"),
    ("a.ppt", old_office("PowerPoint Document"), "LibreOffice"),
]


@pytest.mark.parametrize(("name", "make", "program"), NEEDS, ids=[name for name, _, _ in NEEDS])
def test_without_the_program_that_a_format_needs_it_is_named(
    name: str,
    make: Callable[[Path], Path],
    program: str,
    tmp_path: Path,
    read: Callable[[Path], ParsedDocument],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputFileError, match=rf"needs the program .*install {program}.*, or save the file as"):
        read(make(tmp_path / name))


def test_without_the_package_for_old_workbooks_it_is_named(
    tmp_path: Path, read: Callable[[Path], ParsedDocument], monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = {"xlrd", "msoffcrypto"}
    monkeypatch.setattr(
        unstructured_reader, "find_spec", lambda name, real=find_spec: None if name in absent else real(name)
    )
    with pytest.raises(InputFileError, match=r"package xlrd and .*pip install 'unstructured\[xlsx\]'.* as \.xlsx"):
        read(old_office("Workbook")(tmp_path / "a.xls"))


def test_a_module_that_spacy_would_not_find_is_not_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "en_empty_pipeline").mkdir()
    (tmp_path / "en_empty_pipeline" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(unstructured_reader, "_PIPELINE", "en_empty_pipeline")
    with pytest.raises(InputFileError, match="spaCy pipeline en_empty_pipeline, which is not installed"):
        by_unstructured(mail(tmp_path / "a.eml"))


@pytest.mark.parametrize("cut", [10, 60, 300])
@pytest.mark.parametrize("make", [rtf, mail, old_office("__properties_version1.0"), old_office("Workbook")])
def test_a_file_that_is_cut_short_gives_a_document_or_one_clear_error(
    make: Callable[[Path], Path], cut: int, tmp_path: Path, read: Callable[[Path], ParsedDocument]
) -> None:
    path = make(tmp_path / "a.eml")
    path.write_bytes(path.read_bytes()[:-cut])
    try:
        assert all(texts(read(path)))
    except InputFileError as error:
        assert error.path == str(path)
        assert "\n" not in error.reason


@pytest.mark.skipif(not HOSTILE, reason="the folder 'hostile' of VERILOOP_DATA is not on this machine")
@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.name)
def test_an_old_or_foreign_file_gives_a_document_or_one_clear_error(
    path: Path, read: Callable[[Path], ParsedDocument]
) -> None:
    try:
        assert all(texts(read(path)))
    except InputFileError as error:
        assert error.path == str(path)
        assert "\n" not in error.reason


def test_neither_import_nor_reading_asks_the_network_or_prints(pipeline: Path, tmp_path: Path) -> None:
    """In a process of its own, as the package reports to its maker when it is imported, in silence."""
    code = f"""
        import sys, socket
        sys.path.insert(0, {str(pipeline)!r})
        def refuse(*arguments, **options):
            sys.stderr.write(f"network: {{arguments}}")
            raise OSError("no network here")
        socket.getaddrinfo = socket.socket.connect = refuse
        from pathlib import Path
        from veriloop.knowledge.elements import ParseOptions
        from veriloop.knowledge.parsing import parse_file
        parse_file(Path({str(mail(tmp_path / "a.eml"))!r}), options=ParseOptions(readers={{".eml": "unstructured"}}))
        import threading
        for thread in threading.enumerate():
            if thread is not threading.current_thread():
                thread.join(5)
    """
    environment = {name: text for name, text in os.environ.items() if name not in unstructured_reader._QUIET}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, env=environment
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
