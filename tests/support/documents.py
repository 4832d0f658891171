"""Small documents that tests write themselves, and libraries filled with them."""

from __future__ import annotations

from pathlib import Path

from veriloop import Library, add_files
from veriloop.configs import Settings, load_settings
from veriloop.graphs.adding import AddReport

CONTRACT = """# 设备采购合同

## 第一章 验收

第一条 甲方应当自收到验收申请之日起10个工作日内组织验收。
第二条 设备型号为HN-3200，额定功率为8 kW。

## 第二章 违约责任

第三条 乙方逾期交货的，每逾期一日按合同总价的0.5%支付违约金。
第四条 质量保证期为自验收合格之日起24个月。
"""

POLICY = """# Travel policy

## Hotels

Employees may spend at most 120 EUR per night on a hotel.
Receipts must be handed in within 14 days after the trip.

## Flights

Business class is not allowed on flights shorter than six hours.
"""

SECRET = """# 薪酬方案

总经理的年薪为300万元，代号为金丝雀。
"""


def lexical_settings(**sections: object) -> Settings:
    """Settings without vectors: fast, and the same on every platform. Whole sections can be given by name."""
    return load_settings(environment={"VERILOOP_EMBEDDINGS__PROVIDER": "none"}).model_copy(
        update={"embeddings": load_settings().embeddings.model_copy(update={"provider": "none"}), **sections}
    )


def write(folder: Path, **texts: str) -> Path:
    """Markdown files by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def filled(folder: Path, *, settings: Settings | None = None, readers: frozenset[str] | None = None) -> Library:
    """A library with a contract in Chinese and a policy in English."""
    library = Library.open(folder / "library", settings or lexical_settings())
    report: AddReport = add_files(
        library, [write(folder / "documents", contract=CONTRACT, policy=POLICY)], readers=readers
    )
    assert not report.failed
    return library
