"""Digests of blocks: short entries for the directory that keep every detail (S0 §3.2, §5.2)."""
