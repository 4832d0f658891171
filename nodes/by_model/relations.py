"""The relations that a light model reads from a block; each is checked against the block before it is kept."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator

from ...configs.model_settings import Tier
from ...knowledge.documents import Block, Document
from ...knowledge.graph.checking import Checked, ProposedRelation, check_relations
from ...knowledge.graph.ontology import Ontology
from ...knowledge.text.normalise import has_chinese
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language, fence, load_prompt
from .lenient import LenientReply, Text
from .prompting import one_line, prompt_for

_MOST_RELATIONS = 40
"""Of a block; a model that names more repeats itself."""
# Not "none": a weak model then gives none.
_ANY: dict[Language, str] = {"zh": "不限，用文字中的说法", "en": "any, in the words of the text"}


class RelationReply(LenientReply):
    """One relation as a model gives it."""

    quote: Text = ""
    subject: Text = ""
    subject_type: Text = ""
    relation: Text = ""
    object: Text = ""
    object_type: Text = ""


def _entries(value: Any) -> Any:
    """No relations where null came; of a list what is an object at all."""
    if value is None:
        return []
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else value


class RelationsReply(LenientReply):
    """The relations that a block states; an empty list is a reply, too, but nothing at all is none."""

    relations: Annotated[list[RelationReply], BeforeValidator(_entries)]


def maker_name(model: str, ontology: Ontology | None) -> str:
    """Who has read a block: this model, by these words, under this ontology; a change of any reads it again."""
    versions = "-".join(str(load_prompt("relations", language).version) for language in ("zh", "en"))
    return f"model:{model}:{versions}:{'any' if ontology is None else ontology.digest}"


def relation_messages(block: Block, document: Document, ontology: Ontology | None) -> list[Message]:
    """The prompt that shows one block."""
    language: Language = "zh" if has_chinese(block.text) else "en"
    place = " › ".join((document.title, *block.section_path))
    return prompt_for(
        "relations",
        language,
        ontology=_ANY[language] if ontology is None else ontology.as_text(),
        block=fence(block.text, one_line(place)),
    )


def relations_by_model(block: Block, document: Document, ontology: Ontology | None, access: ModelAccess) -> Checked:
    """What a light model reads from a block, without what does not fit.

    Raises:
        ModelError: no usable reply; the block is read again by the next build.
        BudgetExceededError: the call does not fit.
    """
    messages = relation_messages(block, document, ontology)
    language: Language = "zh" if has_chinese(block.text) else "en"
    reply = access.structured(messages, RelationsReply, tier=Tier.LIGHT, language=language)
    proposed = [
        ProposedRelation(one.subject, one.subject_type, one.relation, one.object, one.object_type, one.quote)
        for one in reply.relations[:_MOST_RELATIONS]
    ]
    return check_relations(block.text, proposed, ontology)
