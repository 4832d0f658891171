"""Typed settings and the shipped profiles."""

from .loader import PROFILES, load_settings
from .settings import Settings

__all__ = ["PROFILES", "Settings", "load_settings"]
