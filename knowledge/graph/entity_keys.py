"""Under which keys an entity may stand in the graph: who or what a name means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ..documents import Caller, Document
from ..store.relation_protocol import RelationStore
from .models import Predicate
from .names import clause_key, clause_owner, clause_parts, clean_name, document_key, entity_key

MOST_ALIASES = 40
"""Other names that are read of an entity."""
_FEW_DOCUMENTS = 50
_STATE = "中华人民共和国"

FindDocuments = Callable[[str, Caller], Sequence[Document]]


class EntityKeys:
    """Finds the keys of entities on behalf of one caller.

    Args:
        relations: where the other names are.
        find_documents: documents by title or name, of those that the caller may read.
        caller: whose rights hold.
    """

    def __init__(self, relations: RelationStore, find_documents: FindDocuments, caller: Caller) -> None:
        self._relations = relations
        self._find_documents = find_documents
        self._caller = caller

    def of(self, name: str) -> frozenset[str]:
        """The keys under which an entity may stand: its name, documents of this title, clauses, other names."""
        cleaned = clean_name(name)
        keys = {entity_key(cleaned)} if cleaned else set()
        keys |= self._documents(cleaned) | {entity_key(cleaned.removeprefix(_STATE))}
        keys |= self._clauses(name)
        return self.same(keys)

    def same(self, keys: Collection[str]) -> frozenset[str]:
        """These keys with those of the same entities under other names."""
        owners = {key: key.split("#", 1)[0] for key in keys if "#" in key}
        plain = {*keys, *owners.values()}
        aliases = self._relations.about(plain, self._caller, MOST_ALIASES, predicates=[Predicate.ALIAS_OF])
        other: dict[str, set[str]] = {}
        for one in aliases:
            subject, target = one.relation.subject.key, one.relation.object.key
            other.setdefault(subject, set()).add(target)
            other.setdefault(target, set()).add(subject)
        found = set(keys)
        for key in keys:
            if key in owners:
                part = key.split("#", 1)[1]
                found |= {clause_key(owner, part) for owner in other.get(owners[key], ())}
            else:
                found |= other.get(key, set())
        return frozenset(found)

    def _documents(self, name: str) -> set[str]:
        return {document_key(one.doc_id) for one in self._find_documents(name, self._caller)} if name else set()

    def _clauses(self, name: str) -> set[str]:
        """A clause of a named document, or of every document where there are few."""
        parts = list(dict.fromkeys(clause_parts(name)))[:1]
        if not parts:
            return set()
        title = clause_owner(name)
        owners = {entity_key(title.removeprefix(_STATE)), *self._documents(title)} if title else self._all_documents()
        return {clause_key(owner, part) for owner in owners for part in parts}

    def _all_documents(self) -> set[str]:
        found = self._find_documents("", self._caller)
        return {document_key(one.doc_id) for one in found} if len(found) <= _FEW_DOCUMENTS else set()
