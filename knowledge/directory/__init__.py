"""The directory of a library: library, domains, documents, sections, blocks, within a limit of tokens."""

from .models import DirectoryEntry, DirectoryLine, DirectoryView
from .opening import open_document
from .viewing import view_directory

__all__ = ["DirectoryEntry", "DirectoryLine", "DirectoryView", "open_document", "view_directory"]
