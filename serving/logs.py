"""How the command line and servers print logs: to stderr, as lines for people or as JSON."""

from __future__ import annotations

import logging
import sys

import structlog

from ..configs.settings import LoggingSettings
from ..logs import ROOT


def configure_logging(settings: LoggingSettings) -> None:
    """Set level and format for this process; calling it again replaces what was set before."""
    renderer: structlog.types.Processor = structlog.processors.JSONRenderer(ensure_ascii=False)
    if settings.format == "console":
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer]
        )
    )
    logger = logging.getLogger(ROOT)
    logger.handlers = [handler]
    logger.setLevel(settings.level)
    logger.propagate = False
