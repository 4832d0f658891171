"""The decisions of a run as rules make them: typed results, no model, no I/O of their own."""
