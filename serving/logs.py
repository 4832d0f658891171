"""Structured logging to stderr. Events carry ids, names and figures, never document text or secrets."""

from __future__ import annotations

import logging
import sys

import structlog

from ..configs.settings import LoggingSettings


def configure_logging(settings: LoggingSettings) -> None:
    """Set level and format for this process."""
    renderer: structlog.types.Processor = structlog.processors.JSONRenderer(ensure_ascii=False)
    if settings.format == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[settings.level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
