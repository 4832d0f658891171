"""Declared operations over HTTP, called without leaving their hosts."""
