"""Reads what a file declares, and keeps it as long as the file stays the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from ...configs.api_settings import ApiSettings
from ...errors import SettingsError
from .addresses import checked_base
from .models import DeclaredApi
from .openapi import read_openapi
from .schemas import UnusableOperationError
from .short_form import as_openapi, is_short_form

_MOST_BYTES = 10_000_000
"""The largest public OpenAPI files have some megabytes."""
_MOST_PARTS = 1_000_000
"""Values of a file, aliases written out: a few lines of YAML can stand for more than any memory holds."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Dates and times stay the texts that JSON would hold."""


_Loader.yaml_implicit_resolvers = {
    key: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:timestamp"]
    for key, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def declared_api(name: str, settings: ApiSettings) -> DeclaredApi:
    """The operations of an interface that may be called.

    Raises:
        SettingsError: the file cannot be read, or its base URL may not be called.
    """
    try:
        state = settings.file.stat()
        version = (state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise SettingsError(f"tools.apis.{name}.file: {settings.file}: {error.strerror}") from error
    return _read(name, settings.model_dump_json(), version)


@lru_cache(maxsize=32)
def _read(name: str, settings_json: str, version: tuple[int, int]) -> DeclaredApi:
    settings = ApiSettings.model_validate_json(settings_json)
    place = f"tools.apis.{name}.file: {settings.file}"
    document = _content(settings.file, place)
    try:
        found = read_openapi(name, as_openapi(document) if is_short_form(document) else document, settings)
    except UnusableOperationError as error:
        raise SettingsError(f"{place}: {error}") from error
    except (AttributeError, TypeError, ValueError, KeyError, RecursionError) as error:
        # A file of others, in which anything may stand anywhere.
        raise SettingsError(f"{place}: is not built as such a file is ({type(error).__name__})") from error
    checked = checked_base(settings.base_url or found.base_url, settings, place)
    unknown = sorted(
        {*settings.operations, *settings.permissions, *settings.live} - {one.id for one in found.operations}
    )
    if unknown:
        reason = next((f": {text}" for text in found.left_out if text.startswith(f"{name}.{unknown[0]}:")), "")
        raise SettingsError(f"tools.apis.{name}: the file declares no callable operation {unknown[0]!r}{reason}")
    allowed = tuple(one for one in found.operations if _allowed(one.id, one.permission == "read", settings))
    return found._replace(base_url=checked, operations=allowed)


def _allowed(operation_id: str, reads: bool, settings: ApiSettings) -> bool:
    return operation_id in settings.operations if settings.operations else reads


def _content(path: Path, place: str) -> Mapping[str, Any]:
    try:
        raw = path.read_bytes()
        if len(raw) > _MOST_BYTES:
            raise SettingsError(f"{place}: has more than {_MOST_BYTES:,} bytes")
        text = raw.decode("utf-8-sig")
        document = json.loads(text) if text.lstrip().startswith("{") else yaml.load(text, Loader=_Loader)
        is_too_large = _parts(document, {}) > _MOST_PARTS
    except OSError as error:
        raise SettingsError(f"{place}: cannot be read ({error.strerror})") from error
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise SettingsError(f"{place}: is neither JSON nor YAML ({str(error)[:200]})") from error
    if not isinstance(document, Mapping):
        raise SettingsError(f"{place}: holds no operations")
    if is_too_large:
        raise SettingsError(f"{place}: is too large, or refers to itself, once its YAML aliases are written out")
    return document


def _parts(value: Any, counted: dict[int, float]) -> float:
    """How many values a document holds with its aliases written out; infinite where one holds itself."""
    if not isinstance(value, Mapping | list):
        return 1
    if id(value) not in counted:
        counted[id(value)] = float("inf")
        inner = value.values() if isinstance(value, Mapping) else value
        counted[id(value)] = 1 + sum(_parts(one, counted) for one in inner)
    return counted[id(value)]
