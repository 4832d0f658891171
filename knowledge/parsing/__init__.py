"""Reads files of many kinds into one shape: `parse_file` is the entry, one module per kind does the work."""

from .registry import parse_file, supported_suffixes

__all__ = ["parse_file", "supported_suffixes"]
