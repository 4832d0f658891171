"""Reads a profile, lays the environment over it, and explains what is wrong in the user's words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_settings.exceptions import SettingsError as UnreadableVariable

from ..errors import SettingsError
from .settings import Settings

PROFILES = ("offline", "openai", "bge")
ENV_PREFIX = "VERILOOP_"
# Read by the command line, the tests or the server, not part of the settings tree.
_OTHER_VARIABLES = frozenset({"VERILOOP_DATA", "VERILOOP_LIBRARY", "VERILOOP_AS"})
_LARGEST_PROFILE = 1_000_000
_DEEPEST = 4
_PLACEHOLDER = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def load_settings(profile: str | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Build the settings of a run.

    Args:
        profile: a shipped profile's name, or the path of a YAML file; default: ``VERILOOP_PROFILE`` or ``offline``.
        environment: variables to read; default: the process's own.

    Raises:
        SettingsError: naming the key, the reason and, for an unknown key, the nearest valid one.
    """
    variables = os.environ if environment is None else environment
    chosen = profile or variables.get("VERILOOP_PROFILE") or "offline"
    _refuse_unknown_variables(variables)
    values = _read_profile(chosen, variables)
    _refuse_unknown_keys(values, Settings, chosen)
    try:
        return Settings(**{**values, "profile": chosen})
    except ValidationError as error:
        raise SettingsError(_explain(error, chosen)) from None
    except UnreadableVariable as error:
        raise SettingsError(f"environment: {error}: write a section as JSON, a single value as plain text") from None


def _read_profile(name: str, variables: Mapping[str, str]) -> dict[str, Any]:
    if name in PROFILES:
        text = files(__package__).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    elif Path(name).suffix in {".yaml", ".yml"}:
        text = _read_file(Path(name))
    else:
        raise SettingsError(f"unknown profile {name!r}: choose {', '.join(PROFILES)} or give the path of a YAML file")
    try:
        values = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise SettingsError(f"profile {name}: not valid YAML ({str(error).splitlines()[0]})") from None
    except (ValueError, RecursionError):
        raise SettingsError(f"profile {name}: not valid YAML (a value that is none, or too deeply nested)") from None
    if not isinstance(values, dict):
        raise SettingsError(f"profile {name}: must be a mapping of settings")
    return {key: _expand(value, variables, name, 1) for key, value in _named(values, name).items()}


def _named(values: dict[Any, Any], name: str) -> dict[str, Any]:
    wrong = next((key for key in values if not isinstance(key, str)), None)
    if wrong is not None:
        raise SettingsError(f"profile {name}: the key {wrong!r} is no name of a setting")
    return values


def _read_file(path: Path) -> str:
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_PROFILE:
            raise SettingsError(f"profile {path}: is no file of settings (a regular file of up to 1 MB)")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"profile {path}: cannot be read ({error})") from None


def _expand(value: object, variables: Mapping[str, str], name: str, depth: int) -> object:
    """Replace ``${NAME:-default}`` in values; an unset name without default becomes null.

    Settings are three levels deep: deeper ones are a mistake, or aliases made to explode.
    """
    if isinstance(value, dict | list) and depth > _DEEPEST:
        raise SettingsError(f"profile {name}: is nested too deeply")
    if isinstance(value, dict):
        return {key: _expand(item, variables, name, depth + 1) for key, item in _named(value, name).items()}
    if isinstance(value, list):
        return [_expand(item, variables, name, depth + 1) for item in value]
    if isinstance(value, str) and _PLACEHOLDER.search(value):
        text = _PLACEHOLDER.sub(lambda match: variables.get(match[1]) or match[2] or "", value)
        return text or None
    return value


def _section(annotation: object) -> type[BaseModel] | None:
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _is_by_name(annotation: object) -> bool:
    """Whether a setting holds sections under names that the user chooses."""
    return get_origin(annotation) is dict


def _refuse_unknown_keys(values: Mapping[str, object], model: type[BaseModel], where: str) -> None:
    for key, value in values.items():
        if key not in model.model_fields:
            raise SettingsError(_unknown(f"profile {where}", key, model.model_fields))
        annotation = model.model_fields[key].annotation
        section = _section(annotation)
        if section is None or not isinstance(value, dict):
            continue
        # Of what is kept by name, such as domains, the names are the user's own.
        parts = {f"{key}.{name}": part for name, part in value.items()} if _is_by_name(annotation) else {key: value}
        for name, part in parts.items():
            if isinstance(part, dict):
                _refuse_unknown_keys(part, section, f"{where}: {name}")


def _variable_names(model: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield (prefix + name).upper()
        section = _section(field.annotation)
        # Names of the user's own have small and capital letters, which variables do not tell apart: JSON takes them.
        if section is not None and not _is_by_name(field.annotation):
            yield from _variable_names(section, f"{prefix}{name}__")


def _refuse_unknown_variables(variables: Mapping[str, str]) -> None:
    valid = {*_variable_names(Settings, ENV_PREFIX), *_OTHER_VARIABLES}
    for name in variables:
        if name.upper().startswith(ENV_PREFIX) and name.upper() not in valid:
            raise SettingsError(_unknown("environment", name, valid))


def _unknown(where: str, key: str, valid: Mapping[str, object] | set[str]) -> str:
    near = get_close_matches(key, list(valid), n=1, cutoff=0.0)
    return f"{where}: unknown setting {key!r}; did you mean {near[0]!r}?" if near else f"{where}: unknown {key!r}"


def _explain(error: ValidationError, profile: str) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    return f"profile {profile}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
