"""The query side of search: filters, the documents' vocabulary and sub-queries, read from the question by rules."""
