"""Reads and cuts files, in this process or in others that can be given up."""

from .direct import DirectReader
from .isolated import IsolatedReader
from .protocol import CutDocument, Cutting, Reader, ReadLimits

__all__ = ["CutDocument", "Cutting", "DirectReader", "IsolatedReader", "ReadLimits", "Reader"]
