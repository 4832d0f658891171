"""The tool that follows relations: what blocks state of an entity, and how two entities are connected."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ..knowledge.documents import Caller
from ..knowledge.graph.asking import GraphAnswer, GraphQuestion, GraphReader
from ..knowledge.graph.models import Direction, FoundRelation, Predicate
from ..knowledge.graph.predicates import asking_word
from ..knowledge.graph.questions import asked_relation
from ..knowledge.graph.showing import conflict_line, hits_of, way_line
from ..knowledge.library import Library
from ..knowledge.query.models import SearchFilter
from ..knowledge.text.normalise import has_chinese, well_formed
from .contracts import ArgumentsFound, Category, Tool, ToolOutput

QUERY_GRAPH = "query_graph"
_LONGEST_NAME = 200
_MOST_ENDS = 8
_MOST_WAYS_TOLD = 3
_UNKNOWN = {
    "zh": "资料的实体关系里没有“{0}”。",
    "en": "Nothing in the documents' entities and relations speaks of “{0}”.",
}
_NEAR = {"zh": "相近的名称：{0}。", "en": "Names near it: {0}."}
_TAKEN = {"zh": "“{0}”按“{1}”理解。", "en": "“{0}” was taken for “{1}”."}
_NO_WAY = {"zh": "没有找到“{0}”的这种关系。", "en": "No such relation of “{0}” was found."}
_REASON = {"zh": "问的是实体之间的关系", "en": "it asks for a relation between entities"}


def _text(value: object) -> object:
    """None and blanks say nothing: weak models fill in every argument."""
    return "" if value is None else well_formed(value).strip() if isinstance(value, str) else value


class GraphArguments(BaseModel):
    """What the graph is asked. The caller is no argument: whose rights hold is fixed for the run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    entity: Annotated[str, BeforeValidator(_text)] = Field(
        min_length=1,
        max_length=_LONGEST_NAME,
        description="a name: a company, department, document title, clause (《…》第五条), model or contract number",
    )
    relation: Annotated[str, BeforeValidator(_text)] = Field(
        default="",
        max_length=_LONGEST_NAME,
        description="which relation: supplier, refers to, replaces, responsible for, a table's column …; empty: all",
    )
    other: Annotated[str, BeforeValidator(_text)] = Field(
        default="", max_length=_LONGEST_NAME, description="another entity, to find how the two are connected"
    )
    hops: int = Field(default=1, ge=1, le=2, description="relations one behind another")
    direction: Annotated[Literal["", "out", "in"], BeforeValidator(_text)] = Field(
        default="",
        description="out: what the entity refers to, replaces, does; in: what refers to it or replaces it; empty: both",
    )


def make_query_graph(library: Library, caller: Caller, within: SearchFilter | None = None) -> Tool | None:
    """The tool for one run; None where the graph is not enabled, or holds nothing that the caller may read."""
    if not library.settings.graph.enabled or not library.graph.is_built(caller):
        return None
    reader = library.graph.reader(caller)
    allowed = _documents_within(library, caller, within)

    def run(arguments: GraphArguments) -> ToolOutput:
        question = GraphQuestion(**arguments.model_dump())
        return _output(library, reader, question, caller, allowed)

    return Tool(
        name=QUERY_GRAPH,
        description=(
            "Follow what documents state of entities: parties and suppliers, which clauses refer to a clause, what a "
            "document replaces, who is responsible, how two things are connected; back to the blocks that say so."
        ),
        not_for="Not for facts, definitions or amounts (search_documents), nor for figures in tables (query_sql).",
        category=Category.DOCUMENTS,
        arguments=GraphArguments,
        run=run,
        by_rules=lambda question: _arguments_for(question, reader),
        examples=(
            "远洲公司和恒纳机械是什么关系？",
            "哪些条款引用了《采购管理办法》第五条？",
            "Who is the supplier of Northwind Ltd?",
            "Which documents mention HN-3200?",
        ),
    )


def _documents_within(library: Library, caller: Caller, within: SearchFilter | None) -> frozenset[str] | None:
    """The documents that a run is bounded to; None: all that the caller may read."""
    if within is None or within.is_empty:
        return None
    from ..knowledge.asking import documents_within  # noqa: PLC0415 - only where a run is bounded

    documents = [one.document for one in library.documents(caller)]
    return frozenset(one.doc_id for one in documents_within(documents, within))


def _arguments_for(question: str, reader: GraphReader) -> ArgumentsFound | None:
    def knows(asked: GraphQuestion) -> bool:
        if asked.other:
            return reader.knows(asked.entity) and reader.knows(asked.other)
        return (
            reader.has(asked.entity, asked.relation, asked.direction) if asked.relation else reader.knows(asked.entity)
        )

    asked = asked_relation(well_formed(question), knows)
    if asked is None:
        return None
    given = {name: value for name, value in asked.question._asdict().items() if value not in ("", 1)}
    language = "zh" if has_chinese(question) else "en"
    # In the question's language, by which the notes are worded.
    arguments = {
        name: asking_word(value, language) if isinstance(value, Predicate) else value if name == "hops" else str(value)
        for name, value in given.items()
    }
    return ArgumentsFound(arguments, asked.confidence, reason=_REASON[language])


def _output(
    library: Library, reader: GraphReader, question: GraphQuestion, caller: Caller, allowed: frozenset[str] | None
) -> ToolOutput:
    language = "zh" if has_chinese(f"{question.entity}{question.relation}{question.other}") else "en"
    answer = _within(reader.ask(question), allowed)
    steps = [step for way in answer.ways for step in way.steps]
    if question.direction != Direction.IN:
        steps.extend(_targets(reader, steps))
    steps.extend(step for conflict in answer.conflicts for step in conflict.relations)
    hits = tuple(
        hit.model_copy(update={"document": library.graph.marked(hit.document, caller)})
        for hit in hits_of([step for step in steps if allowed is None or step.document.doc_id in allowed])
    )
    is_one_relation = bool(question.relation) and not question.other
    joint = "、" if language == "zh" else ", "
    return ToolOutput(
        hits=hits,
        library_version=library.version,
        notes=_notes(question, answer, language),
        short_answer=joint.join(answer.ends[:_MOST_ENDS]) if is_one_relation else "",
    )


def _within(answer: GraphAnswer, allowed: frozenset[str] | None) -> GraphAnswer:
    """Without what documents state that a run is not bounded to."""
    if allowed is None:
        return answer
    ways = tuple(way for way in answer.ways if all(step.document.doc_id in allowed for step in way.steps))
    conflicts = tuple(one for one in answer.conflicts if all(step.document.doc_id in allowed for step in one.relations))
    return answer._replace(ways=ways, conflicts=conflicts, ends=answer.ends if ways else ())


def _targets(reader: GraphReader, steps: list[FoundRelation]) -> tuple[FoundRelation, ...]:
    """The clauses that references lead to, behind those that refer."""
    keys = {step.relation.object.key for step in steps if step.relation.predicate == Predicate.REFERS_TO}
    return reader.places_of(keys) if keys else ()


def _notes(question: GraphQuestion, answer: GraphAnswer, language: str) -> tuple[str, ...]:
    if not answer.known:
        joint = "、" if language == "zh" else ", "
        near = (_NEAR[language].format(joint.join(answer.near)),) if answer.near else ()
        return (_UNKNOWN[language].format(question.entity), *near)
    if not answer.ways:
        return (_NO_WAY[language].format(question.entity),)
    told = [way_line(way, language) for way in answer.ways[:_MOST_WAYS_TOLD]]
    if answer.taken:
        told.insert(0, _TAKEN[language].format(question.entity, answer.taken))
    return (*told, *(conflict_line(one, language) for one in answer.conflicts[:1]))
