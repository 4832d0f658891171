"""Exact arithmetic with decimals, dates, working days and units."""
