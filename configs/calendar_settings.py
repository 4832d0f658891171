"""Which days are working days."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class CalendarSettings(BaseModel):
    """Holidays and moved working days; without either, Monday to Friday are working days.

    The file is above the country, the country above the weekdays.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    country: str | None = Field(
        default=None, pattern="^[A-Z]{2}$", description="ISO 3166 code whose holidays hold (CN)"
    )
    file: Path | None = Field(
        default=None, description="YAML with `holidays` and `workdays`: lists of days, and of days with their names"
    )
