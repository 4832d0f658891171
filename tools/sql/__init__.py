"""Read-only questions to declared databases and to the tables of the library."""
