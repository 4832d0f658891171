"""Documents that exist by title only, for rules that look at nothing else."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cache

from veriloop.knowledge.documents import Document
from veriloop.knowledge.query.facts import LibraryFacts, facts_of

TITLES = (
    "员工手册_2023版",
    "员工手册_2025版",
    "采购合同_A",
    "安全生产管理规定_2022版",
    "会议纪要_2025-09-26",
    "关于放假的通知",
    "2024年度工作报告",
    "Travel policy",
    "Minutes 2025-09-26",
    "Notice of move",
    "Employee Handbook 2022 edition",
    "Employee Handbook 2024 edition",
)


def document(
    title: str,
    *,
    doc_type: str | None = None,
    domain: str | None = None,
    authority: int = 0,
    published: date | None = None,
    begins: date | None = None,
    ends: date | None = None,
) -> Document:
    """A document whose id is its title."""
    return Document(
        doc_id=title,
        version="1",
        title=title,
        source_uri=f"file:///{title}.md",
        name=f"{title}.md",
        media_type="text/markdown",
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
        doc_type=doc_type,
        domain=domain,
        authority=authority,
        published_at=published,
        effective_from=begins,
        effective_to=ends,
    )


@cache
def facts() -> LibraryFacts:
    """The facts about a small library with documents of many types, two domains and two texts with editions."""
    domains = {"采购合同_A": "财务", "Travel policy": "HR"}
    return facts_of([document(title, domain=domains.get(title)) for title in TITLES])
