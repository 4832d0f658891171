"""Normalising, sentences and tokens treat Chinese and English alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.text.dictionary import DomainDictionary
from veriloop.knowledge.text.normalise import fold_widths, normalise, normalise_match
from veriloop.knowledge.text.sentences import split_sentences
from veriloop.knowledge.text.tokens import character_marks, stem, stop_word_marks, tokenise, tokeniser

TEXTS = st.text(alphabet="甲乙丙。！？；“”（）.!?;\"' \n|aBc1", max_size=80) | st.text(max_size=80)


def sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("資料庫", "资料库"), ("ＡＢＣ１２", "abc12"), ("“引用”", '"引用"'), ("A  b\n c", "a b c"), ("甲，乙", "甲,乙")],
)
def test_what_reads_the_same_is_normalised_to_the_same(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


def test_a_quote_matches_across_line_breaks_and_punctuation() -> None:
    assert normalise_match("「驗收，\n期限」") == normalise_match("验收期限")
    assert normalise_match("The “final”\nreport.") == normalise_match("the final report")


@given(st.text(max_size=80))
def test_folding_widths_keeps_offsets(text: str) -> None:
    assert len(fold_widths(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他说：“好。”然后走了。完", ["他说：“好。”", "然后走了。", "完"]),
        ("甲；乙。丙！", ["甲；乙。", "丙！"]),
        ("Dr. Smith paid $3.5 million. He left.", ["Dr. Smith paid $3.5 million.", "He left."]),
        ("See Art. 5 of PPR-9087. Done!", ["See Art. 5 of PPR-9087.", "Done!"]),
        ("| a. b | c。d |\n| 1 | 2 |", ["| a. b | c。d |", "| 1 | 2 |"]),
        ("one line\nanother", ["one line", "another"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_items_of_a_clause_are_separate_only_on_request() -> None:
    assert len(split_sentences("甲；乙；丙。")) == 1
    assert len(split_sentences("甲；乙；丙。", at_semicolons=True)) == 3


@given(TEXTS)
def test_sentences_are_ordered_disjoint_trimmed_and_cover_all_text(text: str) -> None:
    end, rest = 0, ""
    for span in split_sentences(text):
        assert end <= span.start < span.end
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        rest += text[end : span.start]
        end = span.end
    assert not (rest + text[end:]).strip()


@pytest.mark.parametrize(
    "spelling",
    ["PPR-9087", "PPR9087", "PPR 9087", "PPR_9087", "PPR/9087", "ＰＰＲ－９０８７", "ppr-9087", "PPR–9087", "PPR—9087"],
)
def test_an_id_is_found_whole_and_by_its_parts_however_it_is_joined(spelling: str) -> None:
    assert {"=PPR9087", "ppr", "9087"} <= set(tokenise(f"型号{spelling}，见附录", for_query=True))
    assert {"=PPR9087", "ppr", "9087"} <= set(tokenise(f"see {spelling}."))


@pytest.mark.parametrize(("one", "other"), [("第十二条", "第12条"), ("第（三）項", "第3项"), ("第一章", "第 1 章")])
def test_a_clause_number_gives_the_same_tokens_in_either_script(one: str, other: str) -> None:
    assert sorted(tokenise(f"根据{one}办理")) == sorted(tokenise(f"根据{other}办理"))


def test_small_letters_before_a_number_make_an_id_of_it_in_a_question_only() -> None:
    assert "=PPR9087" in tokenise("where is ppr 9087", for_query=True)
    assert "=PAGE12" not in tokenise("see page 12")


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("2024/8/1", "2024年8月1日"),
        ("8月1日", "2024-08-01"),
        ("第12条", "第十二条"),
        ("第2款", "第二款"),
        ("1.5万元", "15000元"),
        ("2024", "2024/8/1"),
        ("15,000元", "一万五千元"),
        ("8千瓦", "8kW"),
        ("五个工作日", "5个工作日"),
        ("5 working days", "5个工作日"),
        ("e-mail", "email"),
        ("longterm", "long-term"),
        ("U.S.", "US"),
        ("C语言", "Ｃ語言"),
        ("AT&T", "at&t"),
        ("😀", "好😀"),
    ],
)
def test_what_a_question_spells_one_way_meets_the_other_spellings_in_a_passage(question: str, passage: str) -> None:
    asked = set(tokenise(question, for_query=True))
    assert asked & set(tokenise(passage))


@pytest.mark.parametrize(
    ("one", "other"), [("C语言", "R语言"), ("维生素C", "维生素D"), ("A座", "B座"), ("C++", "C#"), ("8kW", "15kW")]
)
def test_a_letter_or_number_that_tells_two_things_apart_is_a_token(one: str, other: str) -> None:
    assert set(tokenise(one)) - set(tokenise(other)) and set(tokenise(other)) - set(tokenise(one))


def test_a_name_in_capitals_is_no_stop_word_unless_all_is_in_capitals() -> None:
    assert "it" in tokenise("IT部门", for_query=True) and "who" in tokenise("Guidance of the WHO")
    assert "it" not in tokenise("it works") and "who" not in tokenise("WHO DID THIS", for_query=True)


def test_grouping_commas_do_not_cut_a_number_and_lists_stay_lists() -> None:
    assert "15000" in tokenise("15,000") and "1234567.5" in tokenise("1,234,567.5")
    assert {"2", "3"} <= set(tokenise("2,3")) and "23" not in tokenise("2,3")


def test_words_that_only_ask_are_left_out_of_questions() -> None:
    assert tokenise("什么？", for_query=True) == tokenise("What is it?", for_query=True) == []


def test_an_unknown_word_is_found_by_its_character_pairs() -> None:
    assert "三码" in tokenise("三码合一") and "三码" in tokenise("什么是三码", for_query=True)


@pytest.mark.parametrize(
    ("question", "marks"),
    [("税", ["~税"]), ("的", ["~的"]), ("我们", ["~我", "~们"]), ("what is it?", ["~what", "~is", "~it"])],
)
def test_a_question_of_stop_words_or_one_character_is_searched_by_them(question: str, marks: list[str]) -> None:
    assert [token for token in tokeniser().query_tokens(question) if token.startswith("~")] == marks
    assert set(marks) <= {*stop_word_marks(normalise(question)), *character_marks(normalise(question))}


@pytest.mark.parametrize("question", ["我们的税率", "what is the notice period", "。！？", "", "...!"])
def test_other_questions_are_not_searched_by_stop_words(question: str) -> None:
    assert not [token for token in tokeniser().query_tokens(question) if token.startswith("~")]


def test_the_words_of_a_dictionary_are_kept_whole_by_its_own_tokeniser_only() -> None:
    dictionary = DomainDictionary(["琉璃钛合页", "5g基站"], [("ppe", "personal protective equipment")])
    taught = tokeniser(dictionary)
    text = "更换琉璃钛合页时检查5Ｇ基站。Personal  protective equipment (PPE) is worn."
    words = {"琉璃钛合页", "5g基站", "personal protective equipment"}
    assert words <= set(taught.tokenise(text))
    assert not words & set(tokenise(text))
    assert tokeniser(DomainDictionary(["琉璃钛合页", "5g基站"], [("ppe", "personal protective equipment")])) is taught


def test_a_dictionary_word_of_another_script_stands_for_itself_only() -> None:
    taught = tokeniser(DomainDictionary(["it security"]))
    assert "it security" in taught.tokenise("Rules of IT security")
    assert "it security" not in taught.tokenise("Audit security")


@pytest.mark.parametrize(("one", "other"), [("policies", "policy"), ("approved", "approves"), ("planning", "plans")])
def test_english_endings_do_not_separate_words(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@given(st.text(max_size=60))
def test_the_same_text_gives_the_same_tokens_and_none_is_empty(text: str) -> None:
    assert tokenise(text) == tokenise(text) and all(tokenise(text))
