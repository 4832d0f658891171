"""How filters are put into words, in both languages."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple


class Wording(NamedTuple):
    """The phrases of one language."""

    separator: str
    comma: str
    documents: str
    document: str
    types: str
    domains: str
    between: str
    since: str
    until: str
    in_force: str
    editions: str
    authority: str
    added: str
    parts: str
    nothing_left: str

    def listed(self, words: Iterable[str]) -> str:
        """Words in order, with the language's comma."""
        return self.comma.join(sorted(words))

    def only(self, count: int) -> str:
        """That so many documents are searched."""
        return (self.document if count == 1 else self.documents).format(count)

    def period(self, first: date | None, last: date | None) -> str:
        """A period in words; empty for none."""
        if first and last:
            return self.between.format(first, last)
        if first:
            return self.since.format(first)
        return self.until.format(last) if last else ""


WORDING = {
    "zh": Wording(
        separator="；",
        comma="、",
        documents="限{0}份文档",
        document="限{0}份文档",
        types="类型：{0}",
        domains="领域：{0}",
        between="日期：{0}至{1}（日期不明的文档保留）",
        since="日期：{0}起（日期不明的文档保留）",
        until="日期：{0}止（日期不明的文档保留）",
        in_force="{0}有效",
        editions="版本：{0}",
        authority="权威级别不低于{0}",
        added="“{0}”也按“{1}”检索",
        parts="问题提到{0}份文档，逐一检索",
        nothing_left="没有符合条件的文档（{0}）",
    ),
    "en": Wording(
        separator="; ",
        comma=", ",
        documents="{0} documents only",
        document="{0} document only",
        types="type: {0}",
        domains="domain: {0}",
        between="dated {0} to {1} (documents without a date stay in)",
        since="dated {0} or later (documents without a date stay in)",
        until="dated {0} or earlier (documents without a date stay in)",
        in_force="in force on {0}",
        editions="edition: {0}",
        authority="authority {0} or higher",
        added='"{0}" is searched as "{1}", too',
        parts="the question names {0} documents: each is searched",
        nothing_left="no document meets the filter ({0})",
    ),
}
