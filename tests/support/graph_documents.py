"""Documents that state relations, in Chinese and English, and libraries whose graph is built."""

from __future__ import annotations

from pathlib import Path

from support.documents import lexical_settings, write
from veriloop import Library, add_files
from veriloop.configs.graph_settings import GraphSettings

PURCHASE = """# 设备采购合同

合同编号：QX-CG-2031-08

买方（以下简称“甲方”）：晨曦制造有限公司

卖方（以下简称“乙方”）：启明仪器有限公司

第一条 甲方采购HK-20型检测仪两台。

第二条 甲方应当自收到货物之日起10日内组织验收。

第三条 验收不合格的，按照第二条重新组织验收，费用由乙方承担；技术要求见附件一。

第四条 违反本合同第二条、第三条的，承担违约责任。

附件一 技术要求

| 型号 | 名称 | 量程 | 精度 |
| --- | --- | --- | --- |
| HK-20 | 检测仪 | 200 mm | 0.1 mm |
| HK-35 | 大型检测仪 | 350 mm | 0.2 mm |
"""
RULES = """# 仪器管理办法（2031版）

第一条 本办法所称“精密仪器”，是指精度高于0.5 mm的仪器。

第二条 设备部负责精密仪器的日常管理。

第三条 仪器的采购执行《采购管理办法》第五条，验收按照《设备采购合同》第二条办理。

第四条 《仪器管理暂行办法》自本办法施行之日起废止。

第五条 本办法由设备部负责解释。
"""
MASTER = """# Master Supply Agreement

This Agreement is made between Northwind Traders Ltd (the "Buyer") and Brightline Instruments Ltd (the "Supplier").

Section 1 Deliveries are accepted within 10 days.

Section 2 Goods that fail are replaced under Section 1.

The Quality Department is responsible for incoming inspections.

Brightline Instruments Ltd was founded in 1998. Brightline Instruments Ltd is headquartered in Leeds.
"""
POLICY = """# Inspection Policy

This policy replaces the Incoming Goods Policy.

"Critical goods" means goods that are used in safety devices.

Lots from Brightline Instruments Ltd are inspected by sampling, see Section 1 of the Master Supply Agreement.
"""
SECRET = """# 金丝雀协议

启明仪器有限公司成立于1987年3月。晨曦制造有限公司的供应商之一是金丝雀有限公司。

《仪器管理办法（2031版）》同时废止。

依照《设备采购合同》第二条办理。
"""
DATED = "# 供应商名录\n\n启明仪器有限公司成立于2001年5月。\n"


def graph_settings(**graph: object) -> GraphSettings:
    """The graph, built when documents are added."""
    return GraphSettings.model_validate({"enabled": True, **graph})


def open_graph_library(folder: Path, **graph: object) -> Library:
    """An empty library whose graph is built when documents are added."""
    return Library.open(folder / "library", lexical_settings(graph=graph_settings(**graph)))


def graph_library(folder: Path, **graph: object) -> Library:
    """A library with these documents, of which one is for the boss alone."""
    library = open_graph_library(folder, **graph)
    open_ones = write(folder / "open", purchase=PURCHASE, rules=RULES, master=MASTER, policy=POLICY, dated=DATED)
    assert not add_files(library, [open_ones]).failed
    assert not add_files(library, [write(folder / "closed", secret=SECRET)], readers=frozenset({"boss"})).failed
    return library
