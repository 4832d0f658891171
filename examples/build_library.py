"""Builds the Office and PDF files of the example library from the texts in ``sources/``.

    python examples/build_library.py --font /path/to/wqy-microhei.ttc

The font goes into the PDFs as a subset, so it must contain Chinese and its licence must allow embedding. The
Markdown, HTML, CSV and TXT files in ``library/`` are written by hand and are left alone.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from sources.markup import Edition, read_source
from sources.office_files import write_docx, write_xlsx
from sources.pdf_files import register_font, write_pdf
from sources.slides import write_pptx

EXAMPLES = Path(__file__).resolve().parent
DEFAULT_FONT = Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc")
FONT_VARIABLE = "EXAMPLE_LIBRARY_FONT"


def build(target: Path) -> None:
    """Write the eleven built files into a folder that exists; the font must be registered."""
    texts = EXAMPLES / "sources"
    for edition, handbook, safety in (
        (Edition.OLD, "2023版", "2022版"),
        (Edition.NEW, "2025版", "2024版"),
    ):
        write_docx(read_source(texts / "handbook.txt", edition), target / f"员工手册_{handbook}.docx")
        write_pdf(read_source(texts / "safety.txt", edition), target / f"安全生产管理规定_{safety}.pdf")
    write_pdf(read_source(texts / "contract.txt"), target / "采购合同_YZ-CG-2025-017.pdf")
    datasheet = target / "DCU-560_技术规格书.pdf"
    write_pdf(read_source(texts / "datasheet.txt"), datasheet, repeat_table_header=False)
    write_docx(read_source(texts / "acceptance.txt"), target / "验收记录_YZ-CG-2025-017.docx")
    write_docx(read_source(texts / "it_policy.txt"), target / "IT_Security_Policy.docx")
    write_xlsx(read_source(texts / "equipment.txt"), target / "设备技术参数表.xlsx")
    write_pptx(read_source(texts / "project.txt"), target / "产线智能化升级项目计划.pptx")


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(description="Builds the example library's Office and PDF files.")
    parser.add_argument("--font", type=Path, default=Path(os.environ.get(FONT_VARIABLE, DEFAULT_FONT)))
    parser.add_argument("--target", type=Path, default=EXAMPLES / "library")
    arguments = parser.parse_args()
    if not arguments.font.is_file():
        parser.error(
            f"the font {arguments.font} does not exist: install WenQuanYi Micro Hei (Apache-2.0; on Debian: "
            f"apt-get install fonts-wqy-microhei) or name another Chinese TrueType font with --font or "
            f"{FONT_VARIABLE}"
        )
    arguments.target.mkdir(parents=True, exist_ok=True)
    register_font(arguments.font)
    build(arguments.target)


if __name__ == "__main__":
    main()
