"""Field types for replies of weak models, which translate enumerations, quote numbers and write "none" for nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic.json_schema import WithJsonSchema

from ...knowledge.text.normalise import normalise

MemberT = TypeVar("MemberT", bound=Enum)

_BREAK = re.compile(r"[\W_]+")
_PIECES = re.compile(r"[^\w-]+")
_LONGEST_NUMBER = 15
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NOTHING = frozenset({"", "无", "没有", "不缺", "无缺失", "空", "none", "nothing", "null", "n/a", "na", "-", "nil"})
_YES = frozenset({"true", "yes", "y", "1", "是", "对", "真", "支持", "成立", "能", "有", "supported", "entailed"})
_NO = frozenset(
    {"false", "no", "n", "0", "否", "不", "不是", "假", "错", "不支持", "不成立", "不能", "没有", "unsupported"}
    | {"not_supported", "not_entailed", "contradicted", "矛盾"}
)
_JOINT = "; "
_LARGEST = 1e9


def _for_a_model(schema: dict[str, Any]) -> None:
    """Asks for every field, in order: thoughts and quotes come before the verdicts that they are to inform."""
    schema["required"] = list(schema["properties"])
    for field in (schema, *schema["properties"].values()):
        field.pop("title", None)
        field.pop("default", None)


class LenientReply(BaseModel):
    """Base of all replies: every field is asked for, fewer may come, and what was not asked for is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", json_schema_extra=_for_a_model)


def _key(text: str) -> str:
    return _BREAK.sub("_", normalise(text)).strip("_")


def reading(kind: type[MemberT], synonyms: Mapping[str, MemberT]) -> Callable[[Any], Any]:
    """A validator that reads a member of `kind` from its value, its name, or one of its other names.

    What is not understood is handed on unchanged, so that the error lists the values that are allowed.
    """
    known = {_key(str(member.value)): member for member in kind}
    known |= {_key(member.name): member for member in kind}
    known |= {_key(name): member for name, member in synonyms.items()}

    def read(value: Any) -> Any:
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, str) or isinstance(value, Enum):
            return value
        if (whole := known.get(_key(value))) is not None:
            return whole
        named = {known[key] for piece in _PIECES.split(value) if (key := _key(piece)) in known}
        return named.pop() if len(named) == 1 else value

    return read


def listed(members: Iterable[Enum]) -> WithJsonSchema:
    """The JSON schema of an enumeration, in place and without its documentation."""
    return WithJsonSchema({"type": "string", "enum": [member.value for member in members]})


def is_nothing(text: str) -> bool:
    """Whether a model wrote that there is nothing to write."""
    return text.strip(" \t\n。.，,*()（）“”\"'").casefold() in _NOTHING


def _text(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, list):
        return _JOINT.join(str(_text(item)) for item in value if not isinstance(item, list | dict))
    if isinstance(value, bool | int | float):
        return str(value)
    return value.strip() if isinstance(value, str) else value


def _text_or_nothing(value: Any) -> Any:
    text = _text(value)
    return "" if isinstance(text, str) and is_nothing(text) else text


def _number(value: Any) -> Any:
    if isinstance(value, float):
        return round(value) if abs(value) < _LARGEST else value  # NaN and infinity are not below it
    found = _NUMBER.search(value) if isinstance(value, str) else None
    return round(float(found.group())) if found and len(found.group()) <= _LONGEST_NUMBER else value


def _truth(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    key = _key(value)
    return key in _YES if key in _YES | _NO else value


Text = Annotated[str, BeforeValidator(_text)]
"""A string; null is empty, a list is joined."""
TextOrNothing = Annotated[str, BeforeValidator(_text_or_nothing)]
"""A string; 无, none and the like are empty."""
Number = Annotated[int, BeforeValidator(_number)]
"""A whole number, also out of "7/10" or 7.0."""
Truth = Annotated[bool, BeforeValidator(_truth)]
"""A truth value, also 是 or "not supported"."""
