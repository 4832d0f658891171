"""The types and relations that a graph may hold, as an organisation declares them in a YAML file."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from ...errors import SettingsError
from ..metadata.yaml_text import UnusableFileError, read_mapping
from ..text.normalise import normalise

MOST_TYPES, MOST_RELATIONS = 100, 200
_LONGEST = 60
_MOST_ERRORS_NAMED = 3
_DIGITS = 12


def _names(value: Any) -> Any:
    """One name for a list of one; nothing for a list of none."""
    return () if value is None else (value,) if isinstance(value, str) else value


Name = Annotated[str, Field(min_length=1, max_length=_LONGEST, pattern=r"^[^\s].*$")]
Names = Annotated[tuple[Name, ...], BeforeValidator(_names), Field(max_length=MOST_TYPES)]


class RelationType(BaseModel):
    """A relation: between which types, how many objects a subject has, and what it is called in questions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    domain: Names = Field(default=(), description="types of its subjects; empty: any")
    range: Names = Field(default=(), description="types of its objects; empty: any")
    functional: bool = Field(default=False, description="a subject has one object; two contradict each other")
    most: int | None = Field(default=None, ge=1, le=1_000, description="objects of a subject in one block; none: any")
    labels: Names = Field(default=(), description="what questions call it")
    description: str = Field(default="", max_length=300)


class Ontology(BaseModel):
    """Types and relations; what a model finds besides is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    types: dict[Name, str] = Field(min_length=1, max_length=MOST_TYPES, description="by name, with what each is")
    relations: dict[Name, RelationType] = Field(min_length=1, max_length=MOST_RELATIONS)

    @field_validator("types", mode="before")
    @classmethod
    def _described(cls, value: Any) -> Any:
        """Types as a list, or as a mapping to what each is."""
        if isinstance(value, list):
            return dict.fromkeys(value, "") if all(isinstance(one, str) for one in value) else value
        if isinstance(value, dict):
            return {name: "" if said is None else said for name, said in value.items()}
        return value

    @field_validator("relations", mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return (
            {name: {} if said is None else said for name, said in value.items()} if isinstance(value, dict) else value
        )

    @model_validator(mode="after")
    def _known_types(self) -> Self:
        for name, relation in self.relations.items():
            for end in ("domain", "range"):
                unknown = sorted(set(getattr(relation, end)) - set(self.types))
                if unknown:
                    raise ValueError(f"{name}.{end} names the type {unknown[0]!r}, which `types` does not list")
        return self

    @cached_property
    def digest(self) -> str:
        """Names this state of it: what was read under another one is read again."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:_DIGITS]

    def type_named(self, said: str) -> str | None:
        """The type that a model means, however it spells it."""
        return _same(said, self.types)

    def relation_named(self, said: str) -> str | None:
        """The relation that a model or a question means, by its name or one of its labels."""
        labels = {label: name for name, one in self.relations.items() for label in one.labels}
        found = _same(said, {**dict.fromkeys(labels), **dict.fromkeys(self.relations)})
        return None if found is None else found if found in self.relations else labels[found]

    def is_functional(self, relation: str) -> bool:
        """Whether two objects of a subject contradict each other."""
        return relation in self.relations and self.relations[relation].functional

    def as_text(self) -> str:
        """For a model: the types, and each relation with its ends."""
        types = [f"- {name}: {said}" if said else f"- {name}" for name, said in self.types.items()]
        relations = [
            f"- {name}: {'|'.join(one.domain) or '*'} → {'|'.join(one.range) or '*'}"
            + (f" ({one.description})" if one.description else "")
            for name, one in self.relations.items()
        ]
        return "\n".join(["types:", *types, "relations:", *relations])


def _spelled(name: str) -> str:
    return normalise(name).replace("_", " ").replace("-", " ")


def _same(said: str, names: Iterable[str]) -> str | None:
    return next((name for name in names if _spelled(name) == _spelled(said)), None)


def read_ontology(path: Path) -> Ontology:
    """An ontology from its file.

    Raises:
        SettingsError: it cannot be read, or is none; the message names the file and the place in it.
    """
    try:
        return Ontology.model_validate(read_mapping(path))
    except UnusableFileError as error:
        raise SettingsError(f"graph.ontology: {path}: {error}") from error
    except OSError as error:
        raise SettingsError(f"graph.ontology: {path}: cannot be read ({error.strerror})") from error
    except ValidationError as error:
        named = error.errors(include_input=False, include_url=False)[:_MOST_ERRORS_NAMED]
        said = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'file'}: {one['msg']}" for one in named)
        raise SettingsError(f"graph.ontology: {path}: {said}") from error
