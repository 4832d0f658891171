"""Reading files in processes of their own: what they hand over, what they may take, and what is left of them."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from docx import Document as WordFile
from pydantic import SecretStr
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas
from support.documents import CONTRACT
from veriloop.configs.settings import SplittingSettings
from veriloop.errors import InputFileError
from veriloop.knowledge.documents import Document
from veriloop.knowledge.elements import ParseOptions
from veriloop.knowledge.reading import Cutting, DirectReader, IsolatedReader, ReadLimits
from veriloop.knowledge.reading.ending import end_group

OPTIONS = ParseOptions()
LARGE = ReadLimits(seconds=120, megabytes=3_000)
needs_proc = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs the process list of Linux")


@pytest.fixture(scope="module")
def reader() -> Iterator[IsolatedReader]:
    with closing(IsolatedReader(1, LARGE)) as made:
        yield made


def _document(name: str) -> Document:
    return Document(
        doc_id="d1", version="v1", title="设备采购合同", source_uri=f"file:///{name}", name=name,
        media_type="text/markdown", updated_at=datetime.now(UTC),
    )  # fmt: skip


def _contract(folder: Path) -> Path:
    path = folder / "合同 📄\n.md"
    path.write_text(CONTRACT, encoding="utf-8")
    return path


def _endless(folder: Path) -> Path:
    """A file whose reading never ends: nobody writes to the pipe."""
    path = folder / "endless.txt"
    os.mkfifo(path)
    return path


@contextmanager
def _being_read(path: Path) -> Iterator[None]:
    """Until somebody has begun to read the file; who does then waits for its content as long as this is entered."""
    deadline = time.monotonic() + 60
    while True:
        try:
            writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            break
        except OSError as error:
            assert error.errno == errno.ENXIO
            assert time.monotonic() < deadline
            time.sleep(0.02)
    yield
    os.close(writer)


def _children(parent: int | None = None) -> set[int]:
    """The processes that a process (this one) has started, looked for among all: its threads come and go."""
    found = set()
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            started_by = int(place.read_text(errors="replace").rpartition(")")[2].split()[1])
            if started_by == (parent or os.getpid()):
                found.add(int(place.parent.name))
    return found


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # ended, and nobody has asked how


def _are_gone(processes: set[int]) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if not any(_runs(one) for one in processes):
            return True
        time.sleep(0.05)
    return False


def test_another_process_reads_and_cuts_a_document_just_like_this_one(reader: IsolatedReader, tmp_path: Path) -> None:
    path, cutting = _contract(tmp_path), Cutting(SplittingSettings())
    parsed = reader.parse(path, "contract.md", OPTIONS)
    assert parsed == DirectReader().parse(path, "contract.md", OPTIONS)
    document = _document("contract.md")
    assert reader.cut(parsed, document, cutting) == DirectReader().cut(parsed, document, cutting)


def test_the_dictionary_of_the_domain_is_used_in_the_other_process_too(reader: IsolatedReader, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("验收申请之日\n", encoding="utf-8")
    parsed, cutting = reader.parse(_contract(tmp_path), "contract.md", OPTIONS), Cutting(SplittingSettings(), (words,))
    cut = reader.cut(parsed, _document("contract.md"), cutting)
    assert cut == DirectReader().cut(parsed, _document("contract.md"), cutting)
    assert (
        cut.terms.analyser != reader.cut(parsed, _document("contract.md"), Cutting(SplittingSettings())).terms.analyser
    )


def test_a_file_that_takes_too_long_is_given_up_and_the_next_one_is_read(tmp_path: Path) -> None:
    reader = IsolatedReader(1, ReadLimits(seconds=3, megabytes=3_000))
    with closing(reader):
        with pytest.raises(InputFileError, match=r"endless\.txt: takes longer than 3 s"):
            reader.parse(_endless(tmp_path), "endless.txt", OPTIONS)
        assert reader.parse(_contract(tmp_path), "contract.md", OPTIONS).elements


def test_a_file_that_takes_too_much_memory_is_refused_and_the_next_one_is_read(tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_bytes("验收时限为十个工作日。\n".encode() * 1_000_000)
    reader = IsolatedReader(1, ReadLimits(seconds=120, megabytes=100))
    with closing(reader):
        with pytest.raises(InputFileError, match=r"large\.txt: takes more than 100 MB"):
            reader.parse(large, "large.txt", OPTIONS)
        assert reader.parse(_contract(tmp_path), "contract.md", OPTIONS).elements


@needs_proc
def test_a_crash_is_reported_for_its_file_alone(tmp_path: Path) -> None:
    before, reader, path = _children(), IsolatedReader(1, LARGE), _endless(tmp_path)
    with closing(reader), ThreadPoolExecutor(1) as executor:
        reading = executor.submit(reader.parse, path, "endless.txt", OPTIONS)
        with _being_read(path):
            (started,) = _children() - before
            os.kill(started, signal.SIGSEGV)
            with pytest.raises(InputFileError, match=r"endless\.txt: cannot be read: its reader crashed \(SIGSEGV\)"):
                reading.result(timeout=60)
        assert reader.parse(_contract(tmp_path), "contract.md", OPTIONS).elements


def test_a_password_opens_a_file_in_the_other_process_and_stands_in_no_list_of_processes(
    reader: IsolatedReader, tmp_path: Path
) -> None:
    path = tmp_path / "secret.pdf"
    canvas = Canvas(str(path), encrypt=StandardEncryption("goldfinch", ownerPassword="owner"))
    canvas.drawString(72, 720, "Acceptance takes ten working days.")
    canvas.save()
    with pytest.raises(InputFileError, match="is encrypted"):
        reader.parse(path, "secret.pdf", OPTIONS)
    parsed = reader.parse(path, "secret.pdf", ParseOptions(passwords=(SecretStr("wrong"), SecretStr("goldfinch"))))
    assert "ten working days" in parsed.elements[0].text
    listed = subprocess.run(["ps", "axeww"], capture_output=True, text=True, check=True).stdout
    assert "goldfinch" not in listed


@needs_proc
def test_closing_ends_what_is_being_read_and_leaves_no_process(tmp_path: Path) -> None:
    before, reader, path = _children(), IsolatedReader(2, LARGE), _endless(tmp_path)
    with ThreadPoolExecutor(1) as executor:
        reading = executor.submit(reader.parse, path, "endless.txt", OPTIONS)
        with _being_read(path):
            started = _children() - before
            reader.close()
            with pytest.raises(InputFileError, match="the addition was ended"):
                reading.result(timeout=60)
    assert _are_gone(started)
    with pytest.raises(InputFileError, match="the addition was ended"):
        reader.parse(_contract(tmp_path), "contract.md", OPTIONS)


_ORPHANS = """
import sys, threading
from pathlib import Path
from veriloop.knowledge.elements import ParseOptions
from veriloop.knowledge.reading import IsolatedReader, ReadLimits
reader = IsolatedReader(1, ReadLimits(120, 3000))
reader.parse(Path(sys.argv[1]), "contract.md", ParseOptions())
print("read", flush=True)
reader.parse(Path(sys.argv[2]), "endless.txt", ParseOptions())
"""


@needs_proc
def test_workers_end_when_their_parent_is_killed_even_while_they_read(tmp_path: Path) -> None:
    path = _endless(tmp_path)
    command = [sys.executable, "-c", _ORPHANS, str(_contract(tmp_path)), str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "read\n"
        started = _children(parent.pid)
        assert started
        with _being_read(path):
            parent.kill()
            assert _are_gone(started)


def test_a_folder_of_documents_is_not_searched_for_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "csv.py").write_text("raise SystemExit('taken over')", encoding="utf-8")
    (tmp_path / "json.py").write_text("raise SystemExit('taken over')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    reader = IsolatedReader(1, LARGE)
    with closing(reader):
        assert reader.parse(_contract(tmp_path), "contract.md", OPTIONS).elements


def test_a_word_file_goes_through_with_everything_that_was_read_of_it(reader: IsolatedReader, tmp_path: Path) -> None:
    word = WordFile()
    word.add_heading("设备采购合同", 1)
    word.add_table(2, 2).cell(0, 0).text = "型号"
    word.core_properties.author = "王"
    word.save(str(tmp_path / "a.docx"))
    assert reader.parse(tmp_path / "a.docx", "a.docx", OPTIONS) == DirectReader().parse(
        tmp_path / "a.docx", "a.docx", OPTIONS
    )


@needs_proc
def test_what_a_process_has_started_ends_with_it_wherever_it_went(tmp_path: Path) -> None:
    # A grandchild in a session of its own, as programs that convert files are started.
    started = (
        "import subprocess, time; print(subprocess.Popen(['sleep', '600'], start_new_session=True).pid, flush=True)"
    )
    command = [sys.executable, "-c", f"{started}; time.sleep(600)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as parent:
        assert parent.stdout is not None
        grandchild = int(parent.stdout.readline())
        end_group(parent.pid)
        assert parent.wait(timeout=60) == -signal.SIGKILL
    assert _are_gone({grandchild})
