"""Entities and relations that blocks state, and the ways between them (S2 §5)."""
