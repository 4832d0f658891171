"""The tool `calculate`: exact arithmetic, units, dates and working days."""

from .tool import CALCULATE, CalculateArguments, calculated, make_calculate

__all__ = ["CALCULATE", "CalculateArguments", "calculated", "make_calculate"]
