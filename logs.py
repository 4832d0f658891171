"""Structured logs through the standard `logging` module: silent until a host or the command line configures them.

Events carry ids, names and figures, never document text or secrets.
"""

from __future__ import annotations

import logging
from typing import Any

import structlog

ROOT = "veriloop"


def get_logger(name: str) -> Any:
    """A structured logger below `veriloop`; events go to the standard logger of that name."""
    return structlog.wrap_logger(
        logging.getLogger(f"{ROOT}.{name}"),
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
