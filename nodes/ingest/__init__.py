"""The steps of adding one file: parse, split, index."""
