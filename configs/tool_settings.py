"""What tools may reach: databases, interfaces, the calendar, who has to agree; nothing that is not declared here."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from .api_settings import ApiSettings
from .approval_settings import ApprovalSettings
from .calendar_settings import CalendarSettings
from .database_settings import DatabaseSettings
from .mcp_settings import McpSettings


class ToolSettings(BaseModel):
    """The tools of the act node; each is narrow, and reaches only what is named here (design §9)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    disabled: tuple[str, ...] = Field(default=(), description="names of tools that are not offered")
    plugins: tuple[str, ...] = Field(
        default=(), description="names of entry points (group `veriloop.tools`) that are loaded; no other one is"
    )
    databases: dict[str, DatabaseSettings] = Field(default_factory=dict, description="by name, for `query_sql`")
    apis: dict[str, ApiSettings] = Field(default_factory=dict, description="by name, for `call_api`")
    mcp: dict[str, McpSettings] = Field(default_factory=dict, description="servers whose tools are offered, by name")
    calendar: CalendarSettings = CalendarSettings()
    approval: ApprovalSettings = ApprovalSettings()
