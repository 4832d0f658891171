"""The words of a library: of the dictionary for all its documents, and of those that domains have of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..configs import Settings
from .analysis import Analysers, analyser_name
from .query.models import SearchQuery
from .query.understand import widened
from .query.vocabulary import Vocabulary
from .text.dictionary import DomainDictionary, read_dictionary
from .text.tokens import Tokeniser, tokeniser


class LibraryWords:
    """The dictionaries that settings name, read once. A domain's own words come on top of those for all.

    Args:
        settings: `search.dictionary`, and `dictionary` of each of `domains`.

    Raises:
        SettingsError: a dictionary cannot be read; the message names the setting.
    """

    def __init__(self, settings: Settings) -> None:
        self.usual = read_dictionary(settings.search.dictionary)
        own = {
            name: read_dictionary(domain.dictionary, f"domains.{name}.dictionary")
            for name, domain in settings.domains.items()
            if domain.dictionary is not None
        }
        self._tokeniser = tokeniser(self.usual)
        self._of_domains: dict[str, DomainDictionary] = {name: self.usual.joined(one) for name, one in own.items()}
        self._vocabularies = {name: Vocabulary((), one.synonyms) for name, one in own.items() if one.synonyms}
        # Made here and not with each text: finding one again takes a look at all of its words.
        self._tokenisers = {name: tokeniser(one) for name, one in self._of_domains.items()}
        usual = analyser_name(self.usual.digest)
        others = ((name, analyser_name(one.digest)) for name, one in sorted(self._of_domains.items()))
        self.analysers = Analysers(usual, tuple(pair for pair in others if pair[1] != usual))

    def tokeniser(self, domain: str | None = None) -> Tokeniser:
        """What cuts the texts of a domain, and questions to it; None: of documents without one."""
        return self._tokenisers.get(domain or "") or self._tokeniser

    def dictionary(self, domain: str | None = None) -> DomainDictionary:
        """The user's words for the texts of a domain; None: of documents without one."""
        return self._of_domains.get(domain or "", self.usual)

    def widened(self, query: SearchQuery, domain: str | None) -> SearchQuery:
        """A query with the synonyms that a domain has besides those for all."""
        vocabulary = self._vocabularies.get(domain or "")
        return query if vocabulary is None else widened(query, vocabulary)


def dictionary_files(settings: Settings, domain: str | None) -> Sequence[Path]:
    """The dictionaries whose words cut the texts of a domain."""
    own = settings.domains.get(domain or "")
    files = (settings.search.dictionary, None if own is None else own.dictionary)
    return tuple(file for file in files if file is not None)
