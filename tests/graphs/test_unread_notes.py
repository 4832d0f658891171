"""An answer says which pages of its sources could not be read, in the question's language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from support.documents import CONTRACT, lexical_settings, write
from veriloop import Library, add_files, build_agent
from veriloop.configs import load_settings
from veriloop.state import AnswerStatus

TEXTS = {"pumps": "The cooling pump P-77 is serviced every 90 days.", "保养手册": "冷却塔每隔90天清洗一次。"}


def scanned(path: Path, text: str, unread: int) -> None:
    """A page of text, then pages that are a picture without any writing on it."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    canvas = Canvas(str(path))
    canvas.setFont("STSong-Light", 14)
    canvas.drawString(72, 700, text)
    canvas.showPage()
    picture = ImageReader(Image.linear_gradient("L").resize((500, 700)).convert("RGB"))
    for _ in range(unread):
        canvas.drawImage(picture, 0, 0, 595, 842)
        canvas.showPage()
    canvas.save()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Two half-scanned manuals and a contract that was read whole, without recognition of pictures."""
    place = tmp_path_factory.mktemp("unread")
    parsing = load_settings().parsing.model_copy(update={"ocr": False, "processes": 0})
    folder = write(place / "documents", contract=CONTRACT)
    scanned(folder / "pumps.pdf", TEXTS["pumps"], 2)
    scanned(folder / "保养手册.pdf", TEXTS["保养手册"], 3)
    with Library.open(place / "library", lexical_settings(parsing=parsing)) as opened:
        report = add_files(opened, [folder])
        assert {one.path: one.pages for one in report.unread} == {"pumps.pdf": (2, 3), "保养手册.pdf": (2, 3, 4)}
        yield opened


@pytest.mark.parametrize(
    ("question", "said", "note"),
    [
        ("冷却塔隔多少天清洗一次？", "90天", "注意：保养手册.pdf 有 3 页未能读出（第 2、3、4 页）。"),
        (
            "How often is the cooling pump P-77 serviced?",
            "90 days",
            "Note: 2 pages of pumps.pdf could not be read (p. 2, 3).",
        ),
    ],
    ids=["zh", "en"],
)
def test_an_answer_names_the_pages_of_its_source_that_could_not_be_read(
    library: Library, question: str, said: str, note: str
) -> None:
    answer = build_agent(library).ask(question)
    assert answer.status is AnswerStatus.ANSWERED
    assert said in answer.text
    assert answer.notes == (note,)


def test_an_answer_from_documents_that_were_read_whole_has_no_such_note(library: Library) -> None:
    answer = build_agent(library).ask("质量保证期是多久？")
    assert "24个月" in answer.text
    assert answer.notes == ()
