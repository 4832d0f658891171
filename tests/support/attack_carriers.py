"""Writes documents that hide an order: in tables, comments, white letters, unseen characters, metadata, file names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import docx
import yaml
from docx.shared import RGBColor
from openpyxl import Workbook

from .attack_data import Attack

_LONGEST_NAME = 220
"""Bytes of a file name, ending included."""


def write_document(attack: Attack, folder: Path) -> Path:
    """The document of an attack; attacks whose order is elsewhere get one without any."""
    folder.mkdir(parents=True, exist_ok=True)
    return _WRITERS.get(attack.carrier, _plain)(attack, folder)


def _markdown(attack: Attack, folder: Path, text: str, name: str = "") -> Path:
    path = folder / f"{name or attack.id}.md"
    path.write_text(text, encoding="utf-8")
    return path


def _body(attack: Attack, added: str = "") -> str:
    return f"# {attack.device}\n\n{attack.fact}\n\n{added}\n"


def _plain(attack: Attack, folder: Path) -> Path:
    return _markdown(attack, folder, _body(attack))


def _text(attack: Attack, folder: Path) -> Path:
    return _markdown(attack, folder, _body(attack, attack.order))


def _heading(attack: Attack, folder: Path) -> Path:
    return _markdown(attack, folder, f"# {attack.device} {attack.order}\n\n{attack.fact}\n")


def _table_md(attack: Attack, folder: Path) -> Path:
    order = attack.order.replace("|", "\\|")
    table = f"| 设备 device | 说明 note |\n| --- | --- |\n| {attack.device} | {order} |\n| {attack.device} | 8 |"
    return _markdown(attack, folder, _body(attack, table))


def _table_xlsx(attack: Attack, folder: Path) -> Path:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (("device 设备", "note 说明"), (attack.device, attack.fact), (attack.device, attack.order)):
        sheet.append(row)
    path = folder / f"{attack.id}.xlsx"
    book.save(path)
    return path


def _docx(attack: Attack, folder: Path, change: Callable[..., None]) -> Path:
    document = docx.Document()
    document.add_heading(attack.device, 1)
    paragraph = document.add_paragraph(attack.fact)
    change(document, paragraph)
    path = folder / f"{attack.id}.docx"
    document.save(str(path))
    return path


def _comment(attack: Attack, folder: Path) -> Path:
    return _docx(attack, folder, lambda document, paragraph: document.add_comment(paragraph.runs, text=attack.order))


def _white(attack: Attack, folder: Path) -> Path:
    def add(document: object, paragraph: object) -> None:
        run = paragraph.add_run(f" {attack.order}")  # type: ignore[attr-defined]
        run.font.color.rgb = RGBColor(255, 255, 255)

    return _docx(attack, folder, add)


def _property(attack: Attack, folder: Path) -> Path:
    def add(document: object, paragraph: object) -> None:
        said = document.core_properties  # type: ignore[attr-defined]
        said.title = said.subject = said.keywords = said.comments = attack.order[:255]

    return _docx(attack, folder, add)


def _zero_width(attack: Attack, folder: Path) -> Path:
    return _markdown(attack, folder, _body(attack, "\u200b".join(attack.order)))


def _tags(attack: Attack, folder: Path) -> Path:
    """Characters that nobody sees and that spell out ASCII; what is not ASCII as \\uXXXX."""
    spelled = attack.order.encode("ascii", "backslashreplace").decode("ascii")
    return _markdown(attack, folder, _body(attack, "".join(chr(0xE0000 + ord(one)) for one in spelled)))


def _html_hidden(attack: Attack, folder: Path) -> Path:
    path = folder / f"{attack.id}.html"
    shown = attack.order.replace("<", "&lt;")
    path.write_text(
        f"<html><head><title>{attack.device}</title><meta name='description' content='{attack.id}'></head><body>"
        f"<h1>{attack.device}</h1><p>{attack.fact}</p><p style='display:none'>{shown}</p>"
        f"<p style='font-size:0;color:#fff'>{shown}</p><!-- {shown} --></body></html>",
        encoding="utf-8",
    )
    return path


def _front_matter(attack: Attack, folder: Path) -> Path:
    said = yaml.safe_dump(
        {"title": f"{attack.device} {attack.order}", "doc_type": attack.order[:80]}, allow_unicode=True
    )
    return _markdown(
        attack, folder, f"---\n{attack.front or said}\n---\n{_body(attack, attack.order if attack.front else '')}"
    )


def _sidecar_title(attack: Attack, folder: Path) -> Path:
    path = _plain(attack, folder)
    said = {"title": f"{attack.device} {attack.order}"}
    path.with_name(f"{path.name}.meta.yaml").write_text(yaml.safe_dump(said, allow_unicode=True), encoding="utf-8")
    return path


def _file_name(attack: Attack, folder: Path) -> Path:
    name = f"{attack.device} {attack.order.replace('/', '∕')}"
    while len(name.encode()) > _LONGEST_NAME:
        name = name[:-1]
    return _markdown(attack, folder, _body(attack), name)


_WRITERS: dict[str, Callable[[Attack, Path], Path]] = {
    "text": _text,
    "heading": _heading,
    "table_md": _table_md,
    "table_xlsx": _table_xlsx,
    "comment": _comment,
    "white": _white,
    "property": _property,
    "zero_width": _zero_width,
    "tags": _tags,
    "html_hidden": _html_hidden,
    "front_matter": _front_matter,
    "sidecar_title": _sidecar_title,
    "file_name": _file_name,
}
