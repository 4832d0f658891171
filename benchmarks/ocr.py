"""How many characters of pages with known text are recognised, and how long a page takes.

    python benchmarks/ocr.py                        # with a Chinese font of this machine
    python benchmarks/ocr.py --font NotoSansCJK.ttc # with this one

Pages of A4 are drawn at 200 dots per inch in Chinese and English, then spoilt as scanners do. Right is what the edit
distance leaves, blanks aside, of the characters of a page. Without a Chinese font only English is measured.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from rapidfuzz.distance import Levenshtein
from rich.console import Console
from rich.table import Table
from veriloop.knowledge.parsing import ocr, recognised

_WIDTH, _HEIGHT = 1654, 2339  # pixels: A4 at 200 dots per inch
_MARGIN = 200
_POINT = 200 / 72
_MOST_LINES = 16  # of a page: half a page of small print
_FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/System/Library/Fonts/PingFang.ttc",
    "C:/Windows/Fonts/simsun.ttc",
)
_LATIN = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
_CHINESE = [
    "第三条 供应商应当在合同签订后三十日内交付全部货物，逾期每日按合同金额的0.5%支付违约金。",
    "员工因公出差的，住宿标准为每人每天450元；乘坐火车、飞机的，凭票据实报销，超出部分自理。",
    "（一）设备的额定电压为380V，频率50Hz，绝缘等级F级，外壳防护等级不低于IP54。",
    "公司应于每年4月30日前披露上一年度报告，并在10个工作日内报送主管部门备案。",
    "检验人员须复核样品编号、数量与规格，发现不符的，立即隔离并填写《不合格品处理单》。",
    "本办法自2024年7月1日起施行，由人力资源部负责解释，原《考勤管理规定》同时废止。",
]
_ENGLISH = [
    "Article 3. The supplier shall deliver all goods within 30 days after signature of the contract.",
    "Travelling staff may claim up to 450 euros per night; anything beyond is borne by themselves.",
    "(a) The rated voltage is 380 V at 50 Hz, insulation class F, and degree of protection IP54.",
    "The annual report is published by 30 April and filed with the authority within 10 working days.",
    "Inspectors verify the number, quantity and size of samples, and isolate whatever does not conform.",
    "These rules enter into force on 1 July 2024; the former regulations on attendance are repealed.",
]

Spoil = Callable[[Image.Image], Image.Image]


def _noisy(page: Image.Image) -> Image.Image:
    noise = np.random.default_rng(7).normal(0, 18, (page.height, page.width))
    grey = np.asarray(page.filter(ImageFilter.GaussianBlur(1.1)), dtype=float) * 0.7 + 60
    return Image.fromarray(np.clip(grey + noise, 0, 255).astype("uint8"))


def _photocopied(page: Image.Image) -> Image.Image:
    return _noisy(page).point(lambda level: 255 if level > 195 else 0)


def _leaning(page: Image.Image) -> Image.Image:
    return page.rotate(2, expand=True, fillcolor=255, resample=Image.Resampling.BICUBIC)


_SPOILT: dict[str, Spoil] = {
    "clean": lambda page: page,
    "noisy and grey": _noisy,
    "photocopied": _photocopied,
    "leaning by 2°": _leaning,
    "on its side": lambda page: page.rotate(90, expand=True),
    "on its head": lambda page: page.rotate(180),
    "100 dots per inch": lambda page: page.resize((page.width // 2, page.height // 2)),
}


class Figures(NamedTuple):
    """Of one kind of page: the share of characters that are right, and seconds of processor time for a page."""

    language: str
    points: float
    spoilt: str
    right: float
    seconds: float


def measure(fonts: dict[str, Path], sizes: Sequence[float]) -> Iterator[Figures]:
    """Draw, spoil and read pages; the models are loaded before the clock runs."""
    ocr.read_picture(_page(["warm"], fonts["English"], 12))
    for language, sentences in (("Chinese", _CHINESE), ("English", _ENGLISH)):
        for points in sizes if language in fonts else ():
            lines = _lines(sentences, fonts[language], points)
            page = _page(lines, fonts[language], points)
            for name, spoil in _SPOILT.items():
                picture = spoil(page)
                start = time.process_time()
                parts = recognised.parts_of(ocr.read_picture(picture))
                seconds = time.process_time() - start
                right = _right("".join(lines), "".join(part.text for part in parts))
                yield Figures(language, points, name, right, round(seconds, 2))


def _lines(sentences: Sequence[str], font: Path, points: float) -> list[str]:
    """A page of text in lines as wide as the page."""
    drawn, draw = ImageFont.truetype(str(font), round(points * _POINT)), random.Random(3)
    order = [sentence for _ in range(4) for sentence in draw.sample(list(sentences), len(sentences))]
    lines: list[str] = []
    for sentence in order:
        chinese = " " not in sentence[8:]
        line = ""
        for part in list(sentence) if chinese else [f"{word} " for word in sentence.split(" ")]:
            if drawn.getlength(line + part.rstrip()) > _WIDTH - 2 * _MARGIN:
                lines.append(line.rstrip())
                line = ""
            line += part
        lines.append(line.rstrip())
    return lines[: min(_MOST_LINES, int((_HEIGHT - 2 * _MARGIN) / (1.6 * points * _POINT)))]


def _page(lines: Sequence[str], font: Path, points: float) -> Image.Image:
    page = Image.new("L", (_WIDTH, _HEIGHT), 255)
    drawn, draw = ImageFont.truetype(str(font), round(points * _POINT)), ImageDraw.Draw(page)
    for index, line in enumerate(lines):
        draw.text((_MARGIN, _MARGIN + round(index * 1.6 * points * _POINT)), line, fill=0, font=drawn)
    return page


def _right(expected: str, found: str) -> float:
    """The share of the expected characters that the edit distance leaves, blanks aside, from 0 to 1."""
    wanted, given = "".join(expected.split()), "".join(found.split())
    return round(max(0.0, 1 - Levenshtein.distance(wanted, given) / len(wanted)), 4)


def show(figures: Sequence[Figures]) -> None:
    """The figures as a table."""
    table = Table("language", "type size", "page", "characters right", "processor seconds")
    for one in figures:
        table.add_row(one.language, f"{one.points:g} pt", one.spoilt, f"{one.right:.1%}", f"{one.seconds:.1f}")
    Console(width=100, highlight=False).print(table)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--font", type=Path, help="a font with Chinese characters")
    parser.add_argument("--sizes", type=float, nargs="+", default=[9.0], metavar="POINTS")
    parser.add_argument("--json", action="store_true", help="print one JSON list instead of a table")
    given = parser.parse_args()
    if not ocr.available():
        parser.error("recognition is not installed: pip install 'veriloop[ocr]'")
    chinese = given.font or next((Path(name) for name in _FONTS if Path(name).exists()), None)
    latin = Path(_LATIN) if Path(_LATIN).exists() else chinese
    if latin is None:
        parser.error("no font was found: give one with --font")
    figures = []
    for one in measure({"English": latin, **({"Chinese": chinese} if chinese else {})}, given.sizes):
        sys.stderr.write(f"{one.language} {one.points:g} pt, {one.spoilt}: {one.right:.1%}, {one.seconds:.1f} s\n")
        figures.append(one)
    if given.json:
        sys.stdout.write(json.dumps([one._asdict() for one in figures], ensure_ascii=False, indent=1) + "\n")
    else:
        show(figures)


if __name__ == "__main__":
    main()
