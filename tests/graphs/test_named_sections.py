"""A question for several things that a heading names is answered by the whole section, and by nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.documents import lexical_settings, write
from veriloop import Agent, Caller, Library, add_files, build_agent

SITE = """# 北线泵站运行手册

本手册适用于北线泵站。

## 一、巡检项目

巡检项目见下表。

| 项目 | 周期 |
| --- | --- |
| 轴承温度 | 每班 |
| 密封泄漏 | 每日 |
| 阀门行程 | 每周 |

## 二、停泵条件

振动速度超过 7.1 mm/s。
轴承温度高于 85 ℃。
进口压力低于 0.2 MPa。

## 三、联系人

值班长周启明负责全部巡检记录。
"""
GUIDE = """# Harbour Guide

## Visitor rules

Visitors register at gate 2. Visitors wear a helmet. Dogs stay outside.

## Fees

The mooring fee is 40 euros a night.

## Towing

A tug is ordered one day ahead.
"""


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    folder = tmp_path_factory.mktemp("sections")
    (folder / "library").mkdir()
    library = Library(folder / "library", lexical_settings(), None)
    add_files(library, [write(folder / "d", pump=SITE, harbour=GUIDE)])
    return build_agent(library, caller=Caller.owner())


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("北线泵站有哪些巡检项目？", ("轴承温度", "密封泄漏", "阀门行程")),
        ("北线泵站的停泵条件有哪些？", ("7.1 mm/s", "85 ℃", "0.2 MPa")),
        ("What are the visitor rules of the harbour?", ("gate 2", "helmet", "Dogs")),
    ],
)
def test_all_that_stands_under_the_heading_is_told_and_cited(
    agent: Agent, question: str, told: tuple[str, ...]
) -> None:
    answer = agent.ask(question)
    assert all(item in answer.text for item in told), answer.text
    assert answer.citations


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("What is the mooring fee?", "40 euros", "tug"),
        ("谁负责全部巡检记录？", "周启明", "密封泄漏"),
    ],
)
def test_a_plain_fact_brings_no_section_along(agent: Agent, question: str, told: str, other: str) -> None:
    answer = agent.ask(question)
    assert told in answer.text
    assert other not in answer.text


def test_a_long_section_is_not_read_out(tmp_path: Path) -> None:
    rows = "\n".join(f"| 部件{n} | {n} mm |" for n in range(1, 40))
    text = f"# 量具清单\n\n## 部件尺寸\n\n| 部件 | 尺寸 |\n| --- | --- |\n{rows}\n"
    (tmp_path / "library").mkdir()
    with Library(tmp_path / "library", lexical_settings(), None) as library:
        add_files(library, [write(tmp_path / "d", parts=text)])
        answer = build_agent(library, caller=Caller.owner()).ask("量具清单里有哪些部件尺寸？")
    assert answer.text.count("部件") < 15
