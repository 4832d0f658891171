"""The directory of a library: library, domains, documents, sections, blocks, within a limit of tokens."""
