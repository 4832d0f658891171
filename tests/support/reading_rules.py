"""Rules whose answers stand where they refer to, in Chinese and English, and tables that run over several blocks."""

from __future__ import annotations

from pathlib import Path

from veriloop import Library, add_files
from veriloop.configs.settings import SplittingSettings

from .documents import lexical_settings, write

LENDING = """# 设备借用规定

## 第一章 总则

第一条 为规范公司设备的借用和归还，保障设备完好，制定本规定。
第二条 各部门的员工均可以按照本规定借用设备，借用时应当填写登记表。

## 第二章 归还

第八条 逾期归还设备的，按照本规定第十一条处理，并通知所在部门。
第九条 归还时由管理员检查设备的外观和功能，双方在登记表上签字。

## 第三章 附带条款

第十条 设备由技术部统一编号，编号贴在设备的正面。
第十一条 每迟一日扣减信用分2分，累计扣满10分的，三个月内不得再次申请。
第十二条 损坏设备的赔偿办法见《资产赔偿细则》。
"""
COMPENSATION = """# 资产赔偿细则

第一条 本细则适用于公司的固定资产。

## 标准

第五条 因使用不当造成设备损坏的，按照修理费用的80%赔偿；不能修复的，按照净值赔偿。
"""
LENDING_EN = """# Equipment lending rules

## 1 Scope

1.1 These rules govern the lending of equipment to members of staff.
1.2 Staff fill in the register when they borrow equipment from the store.

## 2 Late return

2.1 Equipment that is returned late is treated as set out in Section 4.2, and the department is informed.
2.2 The store manager inspects each item and signs the register together with the borrower.

## 3 Labels

3.1 Every item carries a number on its front, which the technical department gives out.

## 4 Penalties

4.1 Penalties are entered on the first working day of each month.
4.2 For each day of delay 3 points are taken off the account, and no new request is accepted for six weeks.
"""
SECRET = """# 内部处理细则

第十一条 每迟一日罚款888元，由财务部门执行。
逾期归还设备的，按照本细则罚款888元。
"""
SETTINGS = {"splitting": SplittingSettings(block_min=50, block_max=200, table_max=500, passage=100, overlap=20)}


def long_table() -> str:
    """A table that is split into several blocks, with notes under it."""
    rows = "\n".join(f"| 泵P-{number:03d} | {number * 10} 升 | 仓库{number % 7} |" for number in range(1, 61))
    head = "# 备件清单\n\n## 备件表\n\n| 备件 | 容量 | 位置 |\n| --- | --- | --- |\n"
    return f"{head}{rows}\n\n注：容量为出厂时的标称值，使用三年后按照标称值的90%计算。\n"


def reading_library(folder: Path, **settings: object) -> Library:
    """A library of all of them; the secret rule is for the board alone."""
    library = Library.open(folder / "library", lexical_settings(**{**SETTINGS, **settings}))
    texts = {"设备借用规定": LENDING, "资产赔偿细则": COMPENSATION, "equipment_lending": LENDING_EN}
    add_files(library, [write(folder / "open", **texts, 备件清单=long_table())])
    add_files(library, [write(folder / "secret", 内部处理细则=SECRET)], readers=frozenset({"board"}))
    return library
