"""Reads and cuts files in this process, without limits of time and memory."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from ..analysis import analyser_name
from ..documents import Document
from ..elements import ParsedDocument, ParseOptions
from ..parsing import parse_file
from ..second_reading import number_losses
from ..splitting import split_document
from ..terms import document_terms
from ..text.dictionary import NO_DICTIONARY, read_dictionary
from ..text.tokens import tokeniser
from .protocol import CutDocument, Cutting


class DirectReader:
    """A `Reader` of this process."""

    def place(self) -> AbstractContextManager[object]:
        """See `Reader`: there is always room."""
        return nullcontext()

    def parse(self, path: Path, name: str, options: ParseOptions) -> ParsedDocument:
        """See `Reader`."""
        parsed = parse_file(path, name, options)
        return parsed.model_copy(update={"number_losses": number_losses(path, parsed, options)})

    def cut(self, parsed: ParsedDocument, document: Document, cutting: Cutting) -> CutDocument:
        """See `Reader`.

        Raises:
            SettingsError: a dictionary cannot be read.
        """
        dictionary = NO_DICTIONARY
        for path in cutting.dictionaries:
            dictionary = dictionary.joined(read_dictionary(path, "dictionary"))
        split = split_document(parsed, document.doc_id, cutting.splitting)
        terms = document_terms(document, split, tokeniser(dictionary), analyser_name(dictionary.digest))
        return CutDocument(split, terms)

    def close(self) -> None:
        """Nothing to release."""
