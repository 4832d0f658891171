"""Measures how well a library is searched on questions whose answers are known, and why a search misses."""
