"""Profiles, the environment and their errors."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from veriloop.configs import PROFILES, load_settings
from veriloop.errors import SettingsError

KEY = "sk-very-secret-0123"


@pytest.mark.parametrize("profile", PROFILES)
def test_every_shipped_profile_loads_without_any_variable_set(profile: str) -> None:
    assert load_settings(profile, environment={}).profile == profile


def test_the_default_profile_has_no_model_and_needs_no_key() -> None:
    assert load_settings(environment={}).models is None


def test_the_environment_beats_the_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERILOOP_SEARCH__KEEP", "9")
    assert load_settings("offline").search.keep == 9


def test_an_endpoint_comes_from_the_environment() -> None:
    settings = load_settings(
        "openai", environment={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_MODEL": "m", "OPENAI_API_KEY": KEY}
    )
    assert settings.models is not None and settings.models.strong is not None
    assert (settings.models.strong.base_url, settings.models.strong.model) == ("http://127.0.0.1:9/v1", "m")


def test_a_secret_is_never_printed() -> None:
    settings = load_settings("openai", environment={"OPENAI_API_KEY": KEY})
    shown = f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"
    assert KEY not in shown


def test_an_unknown_variable_is_refused_with_the_nearest_valid_name() -> None:
    with pytest.raises(SettingsError, match=r"VERILOOP_SEARCH__KEPE.*did you mean 'VERILOOP_SEARCH__KEEP'"):
        load_settings(environment={"VERILOOP_SEARCH__KEPE": "9"})


def test_an_unknown_key_in_a_profile_is_refused_with_the_nearest_valid_name(tmp_path: Path) -> None:
    profile = tmp_path / "mine.yaml"
    profile.write_text("search:\n  candidate: 30\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="unknown setting 'candidate'; did you mean 'candidates'"):
        load_settings(str(profile), environment={})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("search:\n  keep: 0\n", r"search\.keep: Input should be greater than or equal to 1"),
        ("splitting:\n  passage: 100\n  overlap: 100\n", "overlap must be below passage"),
        ("search: [1, 2", "not valid YAML"),
        ("- a list", "must be a mapping"),
        ("1: 2", "the key 1 is no name"),
        ("a: &a [*a]", "nested too deeply|unknown setting"),
        ("[" * 3000, "nested|YAML"),
        ("k: 2001-99-99", "YAML"),
        ("x: &a [1]\n" + "".join(f"y{n}: &b{n} [*a, *a]\n" for n in range(9)), "unknown setting"),
        ("embeddings:\n  provider: openai\n", "needs `model`"),
    ],
)
def test_a_bad_profile_says_what_is_wrong(tmp_path: Path, text: str, problem: str) -> None:
    profile = tmp_path / "mine.yaml"
    profile.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=problem):
        load_settings(str(profile), environment={})


def test_placeholders_are_expanded_in_values_only(tmp_path: Path) -> None:
    profile = tmp_path / "mine.yaml"
    profile.write_text("logging:\n  level: ${MY_LEVEL:-ERROR}\n", encoding="utf-8")
    assert load_settings(str(profile), environment={}).logging.level == "ERROR"
    assert load_settings(str(profile), environment={"MY_LEVEL": "INFO"}).logging.level == "INFO"


def test_an_unknown_profile_names_the_valid_ones() -> None:
    with pytest.raises(SettingsError, match="offline, openai, bge"):
        load_settings("offlin", environment={})


@pytest.mark.parametrize("address", ["sk-SECRET", "http://[::bad/v1", "http://", "http://host:port/v1"])
def test_a_wrong_address_is_refused_without_being_repeated(address: str) -> None:
    with pytest.raises(SettingsError, match="not an address") as error:
        load_settings("openai", environment={"OPENAI_BASE_URL": address})
    assert "SECRET" not in str(error.value)


def test_a_profile_that_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")
    for name in ("folder.yaml", "pipe.yaml", "missing.yaml"):
        with pytest.raises(SettingsError, match="no file of settings"):
            load_settings(str(tmp_path / name), environment={})


def test_domains_are_set_under_names_of_the_users_own(tmp_path: Path) -> None:
    profile = tmp_path / "p.yaml"
    profile.write_text(
        "domains:\n  HR:\n    keep: 3\n    words: [人事部]\n  财务: {dictionary: words.txt}\n", encoding="utf-8"
    )
    domains = load_settings(str(profile), {}).domains
    assert (domains["HR"].keep, domains["HR"].words) == (3, ("人事部",))
    assert domains["财务"].dictionary == Path("words.txt")
    profile.write_text("domains:\n  HR: {kep: 3}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"domains\.HR: unknown setting 'kep'; did you mean 'keep'"):
        load_settings(str(profile), {})


def test_the_environment_sets_domains_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERILOOP_DOMAINS", '{"HR": {"keep": 3}}')
    assert load_settings().domains["HR"].keep == 3
    monkeypatch.setenv("VERILOOP_DOMAINS__HR__KEEP", "4")
    with pytest.raises(SettingsError, match="VERILOOP_DOMAINS__HR__KEEP"):
        load_settings()
