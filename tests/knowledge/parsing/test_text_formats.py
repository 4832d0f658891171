"""Plain text, Markdown, CSV and HTML through the one entry."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from veriloop.errors import InputFileError
from veriloop.knowledge.description import Description
from veriloop.knowledge.elements import ElementKind, ParsedDocument
from veriloop.knowledge.parsing import parse_file, supported_suffixes

_CHINESE = (
    "采购管理办法\n第一章 总则\n第一条 为了规范采购行为，制定本办法。\n第二条 采购金额超过五万元的，应当公开招标。\n"
)
_TRADITIONAL = (
    "員工請假辦法\n員工請假應於三日前以書面提出申請，經主管核准後始得離開。\n病假超過三日者，應檢附醫院證明。\n"
)
_ENGLISH = "Leave Policy\n\nEmployees may take up to twenty days of paid leave each year.\n"


def _parse(folder: Path, name: str, content: str | bytes, encoding: str = "utf-8") -> ParsedDocument:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return parse_file(path)


def _kinds(document: ParsedDocument) -> list[ElementKind]:
    return [element.kind for element in document.elements]


def _text(document: ParsedDocument) -> str:
    return "\n".join(element.text for element in document.elements)


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "gb18030", "gbk", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"],
)
def test_chinese_text_is_read_in_any_common_encoding(tmp_path: Path, encoding: str) -> None:
    document = _parse(tmp_path, "办法.txt", _CHINESE, encoding)
    assert document.title == "采购管理办法"
    assert "采购金额超过五万元的，应当公开招标。" in _text(document)


@pytest.mark.parametrize("encoding", ["utf-8", "big5", "cp950", "utf-16"])
def test_traditional_chinese_text_is_read_in_any_common_encoding(tmp_path: Path, encoding: str) -> None:
    assert "經主管核准後始得離開" in _text(_parse(tmp_path, "a.txt", _TRADITIONAL, encoding))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32-be", "ascii", "cp1252"])
def test_english_text_is_read_in_any_common_encoding(tmp_path: Path, encoding: str) -> None:
    document = _parse(tmp_path, "a.txt", _ENGLISH, encoding)
    assert document.title == "Leave Policy"
    assert "twenty days of paid leave" in _text(document)


def test_japanese_text_is_not_taken_for_chinese(tmp_path: Path) -> None:
    assert "名前,年齢,住所" in _text(_parse(tmp_path, "a.txt", "これは名前,年齢,住所のれいです。\n", "cp932"))


def test_chapters_become_headings_and_clauses_stay_text(tmp_path: Path) -> None:
    document = _parse(tmp_path, "a.txt", _CHINESE)
    assert [(element.kind.value, element.level) for element in document.elements] == [
        ("heading", 1),
        ("heading", 2),
        ("paragraph", None),
        ("paragraph", None),
    ]
    assert document.elements[2].text.startswith("第一条 ")


def test_wrapped_english_lines_are_joined_and_broken_words_mended(tmp_path: Path) -> None:
    text = (
        "The supplier shall deliver the goods to the place that the purchase\n"
        "order names, at the risk of the supplier, and shall notify the pur-\n"
        "chasing department on the day before the delivery.\n"
    )
    assert "notify the purchasing department" in _text(_parse(tmp_path, "a.txt", text))


def test_numbered_short_lines_through_the_text_are_headings(tmp_path: Path) -> None:
    text = "1. Scope\n\nThis policy applies to all.\n\n2. Duties\n\nEveryone reports.\n\n3. Penalties\n\nNone.\n"
    assert _kinds(_parse(tmp_path, "a.txt", text)).count(ElementKind.HEADING) == 3


def test_a_numbered_list_stays_a_list(tmp_path: Path) -> None:
    text = "办理材料\n1. 身份证\n2. 申请表\n3. 照片\n"
    assert _kinds(_parse(tmp_path, "a.txt", text)).count(ElementKind.LIST_ITEM) == 3


def test_markdown_keeps_headings_lists_and_tables(tmp_path: Path) -> None:
    front = "---\ntitle: 差旅制度\ndate: 2026-01-15\n---\n"
    text = front + "# 标准\n\n- 交通\n- 住宿\n\n| 城市 | 限额 |\n|---|---|\n| 北京 | **500** |\n"
    document = _parse(tmp_path, "a.md", text)
    assert document.title == "差旅制度"
    assert document.published_at == date(2026, 1, 15)
    assert _kinds(document) == [ElementKind.HEADING, ElementKind.LIST_ITEM, ElementKind.LIST_ITEM, ElementKind.TABLE]
    assert document.elements[-1].text == "| 城市 | 限额 |\n| --- | --- |\n| 北京 | 500 |"


FRONT = "---\ntitle: 差旅办法\n类型: 制度\neffective_from: 2026-02-30\n失效日期: 2027年1月31日\nlayout: page\n---\n"


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_front_matter_describes_the_document_and_is_no_text(name: str, tmp_path: Path) -> None:
    text = "住宿标准每晚500元。"
    body = f"<html><body><p>{text}</p></body></html>" if name == "a.html" else text
    document = _parse(tmp_path, name, FRONT.replace("\n", "\r\n") + body)
    assert _text(document) == text
    assert document.described == Description(title="差旅办法", doc_type="制度", effective_to=date(2027, 1, 31))


def test_front_matter_with_wide_colons_is_understood(tmp_path: Path) -> None:
    document = _parse(tmp_path, "a.md", "---\n标题：差旅办法\n替代：《旧办法》\n---\n正文如下。\n")
    assert document.described == Description(title="差旅办法", replaces=("旧办法",))


def test_text_between_two_rules_stays_text(tmp_path: Path) -> None:
    document = _parse(tmp_path, "a.md", "---\nJust a sentence between rules.\n---\nMore.\n")
    assert "Just a sentence between rules." in _text(document)


def test_front_matter_that_grows_without_bound_is_harmless(tmp_path: Path) -> None:
    bomb = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    document = _parse(tmp_path, "a.md", f"---\na0: &a0 x\n{bomb}replaces: *a29\n---\nBody.\n")
    assert _text(document).endswith("Body.")


def test_the_head_of_a_page_describes_it(tmp_path: Path) -> None:
    head = (
        "<meta name='DC.Date' content='2026-01-15'><meta name='dcterms.replaces' content='Old policy'>"
        "<meta property='og:type' content='article'><meta name='effective_date' content='1 February 2026'>"
    )
    document = _parse(
        tmp_path, "a.html", f"<html><head><title>Leave</title>{head}</head><body><p>Text.</p></body></html>"
    )
    assert document.described == Description(
        published_at=date(2026, 1, 15), effective_from=date(2026, 2, 1), replaces=("Old policy",)
    )


def test_markdown_numbers_ordered_lists(tmp_path: Path) -> None:
    document = _parse(tmp_path, "a.md", "3. Third step\n4. Fourth step\n")
    assert [element.text for element in document.elements] == ["3. Third step", "4. Fourth step"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_is_one_table_whatever_its_delimiter(tmp_path: Path, delimiter: str) -> None:
    text = f"姓名{delimiter}部门\n张三{delimiter}研发\n李四{delimiter}市场\n"
    document = _parse(tmp_path, "a.csv", text, "gb18030")
    assert document.elements[0].text == "| 姓名 | 部门 |\n| --- | --- |\n| 张三 | 研发 |\n| 李四 | 市场 |"


def test_html_gives_the_text_without_scripts_and_navigation(tmp_path: Path) -> None:
    page = (
        "<html><head><meta charset='gb2312'><title>通知</title><script>var x</script></head><body><nav>首页</nav>"
        "<h1>放假通知</h1><p>国庆节放假<b>七天</b>。</p><ol><li>值班</li><li>安全</li></ol></body></html>"
    )
    document = _parse(tmp_path, "a.html", page, "gb18030")
    assert document.title == "通知"
    assert [element.text for element in document.elements] == ["放假通知", "国庆节放假七天。", "1. 值班", "2. 安全"]


def test_html_tables_repeat_spanning_cells(tmp_path: Path) -> None:
    page = (
        "<table><tr><th rowspan=2>Grade</th><th colspan=2>Limit</th></tr><tr><th>Hotel</th><th>Meals</th></tr>"
        "<tr><td>A</td><td>500</td><td>100</td></tr></table>"
    )
    table = _parse(tmp_path, "a.html", f"<html><body>{page}</body></html>").elements[0].text
    assert table.splitlines()[0] == "| Grade | Limit / Hotel | Limit / Meals |"


def test_the_content_decides_where_the_suffix_is_wrong(tmp_path: Path) -> None:
    assert (
        _parse(tmp_path, "page.pdf", "<!doctype html><html><body><p>Hello there</p></body></html>").media_type
        == "text/html"
    )


@pytest.mark.parametrize("content", [b"", b"  \n\t \n", b"\xef\xbb\xbf", b"<html><body></body></html>"])
def test_a_file_without_text_is_named_as_empty(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputFileError, match="nothing to index"):
        _parse(tmp_path, "a.txt", content)


@pytest.mark.parametrize(
    "content", [b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 8, b"\x89PNG\r\n\x1a\n" + bytes(64)]
)
def test_a_file_that_is_no_document_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputFileError):
        _parse(tmp_path, "a.txt", content)


def test_errors_call_the_file_by_the_name_that_the_user_gave(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"^制度/缺失\.txt: cannot be opened"):
        parse_file(tmp_path / "missing.txt", "制度/缺失.txt")


def test_the_supported_suffixes_are_lower_case_with_a_dot() -> None:
    assert {".pdf", ".docx", ".xlsx", ".pptx", ".md", ".txt", ".csv", ".html"} <= supported_suffixes()
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in supported_suffixes())


@pytest.mark.parametrize("suffix", [".txt", ".md", ".csv", ".html", ".xml"])
@given(content=st.binary(max_size=300))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_bytes_give_a_document_or_a_clear_error(tmp_path: Path, suffix: str, content: bytes) -> None:
    try:
        assert _parse(tmp_path, f"a{suffix}", content).elements
    except InputFileError as error:
        assert error.reason
