"""What an ontology allows of a model's proposals, and how a wrong file is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.errors import SettingsError
from veriloop.knowledge.graph.checking import ProposedRelation, Refusal, check_relations
from veriloop.knowledge.graph.ontology import Ontology, read_ontology

TEXT = "HK-20型检测仪由设备部负责管理，供应商为启明仪器有限公司。Brightline Ltd supplies the HK-35."
ONTOLOGY = """
types: [company, device, department]
relations:
  supplier: {domain: [device], range: company, functional: true, labels: [供应商, vendor]}
  manages: {domain: department, range: [device], most: 2}
"""
QUOTE = "供应商为启明仪器有限公司"


def file(folder: Path, text: str) -> Path:
    path = folder / "ontology.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def ontology(tmp_path_factory: pytest.TempPathFactory) -> Ontology:
    return read_ontology(file(tmp_path_factory.mktemp("o"), ONTOLOGY))


def proposed(
    subject: str = "HK-20", relation: str = "supplier", target: str = "启明仪器有限公司", **other: str
) -> ProposedRelation:
    return ProposedRelation(
        subject, other.get("subject_type", "device"), relation, target, other.get("object_type", "company"),
        other.get("quote", QUOTE),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (proposed(quote="供应商为另一家公司"), Refusal.NO_QUOTE),
        (proposed(quote=""), Refusal.NO_QUOTE),
        (proposed(target="虚构有限公司"), Refusal.INVENTED_NAME),
        (proposed(quote="设备部负责管理"), Refusal.INVENTED_NAME),
        (proposed(relation="owns"), Refusal.UNKNOWN_RELATION),
        (proposed(object_type="person"), Refusal.UNKNOWN_TYPE),
        (proposed(subject_type="department"), Refusal.WRONG_ENDS),
        (proposed(target="HK-20", object_type="company"), Refusal.NO_NAME),
        (proposed(subject=""), Refusal.NO_NAME),
    ],
)
def test_what_does_not_fit_is_refused_and_counted(ontology: Ontology, one: ProposedRelation, reason: Refusal) -> None:
    checked = check_relations(TEXT, [one], ontology)
    assert (checked.relations, dict(checked.refused)) == ((), {reason: 1})


def test_what_fits_is_kept_under_the_declared_names_with_the_place_that_says_so(ontology: Ontology) -> None:
    checked = check_relations(TEXT, [proposed(relation="供应商", subject_type="Device")], ontology)
    (one,) = checked.relations
    assert (one.predicate, one.subject.kind, TEXT[one.start : one.end]) == ("supplier", "device", QUOTE)


def test_a_functional_relation_has_one_object_in_a_block(ontology: Ontology) -> None:
    text = f"{TEXT} HK-20 供应商为晨曦有限公司。"
    second = proposed(target="晨曦有限公司", quote="HK-20 供应商为晨曦有限公司")
    checked = check_relations(text, [proposed(), proposed(), second], ontology)
    assert [one.object.name for one in checked.relations] == ["启明仪器有限公司"]
    assert dict(checked.refused) == {Refusal.TOO_MANY: 1}


def test_without_an_ontology_every_relation_that_the_block_says_is_kept() -> None:
    checked = check_relations(
        TEXT, [proposed("Brightline Ltd", "Supplies to", "HK-35", quote="Brightline Ltd supplies the HK-35")], None
    )
    assert [(one.subject.name, one.predicate, one.object.name) for one in checked.relations] == [
        ("Brightline Ltd", "supplies_to", "HK-35")
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("types: [a]\nrelations: {r: {domain: [b]}}", "r.domain names the type 'b'"),
        ("types: [a]\nrelations: {r: {dommain: [a]}}", "relations.r.dommain"),
        ("types: []\nrelations: {r: {}}", "types"),
        ("types: [a]\nrelations: {r: {most: 0}}", "relations.r.most"),
        ("types: [a]\n", "relations"),
        ("types: [a\n", "YAML"),
        ("types: &x [a]\nrelations: *x\n", "reference"),
        ("- a\n", "ontology.yaml"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_and_the_place(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(SettingsError, match=r"ontology\.yaml") as refusal:
        read_ontology(file(tmp_path, text))
    assert named in str(refusal.value)
    assert "graph.ontology" in str(refusal.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.yaml"):
        read_ontology(tmp_path / "none.yaml")


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(
            *(st.sampled_from(["HK-20", "启明", "", "\x00", "《", "supplier", TEXT[:9], "x" * 700]) for _ in range(6))
        ),
        max_size=6,
    )
)
def test_whatever_a_model_proposes_only_what_the_block_says_is_kept(proposals: list[tuple[str, ...]]) -> None:
    checked = check_relations(TEXT, [ProposedRelation(*one) for one in proposals], None)
    assert len(checked.relations) + sum(checked.refused.values()) <= len(proposals)
    for one in checked.relations:
        assert 0 <= one.start < one.end <= len(TEXT)
        assert one.subject.name in TEXT
