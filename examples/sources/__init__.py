"""Sources of the example library: texts in a light markup, and one writer for each file format."""
