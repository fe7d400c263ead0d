"""Structured logs: one JSON line per event on standard error, secrets and rows masked."""

from __future__ import annotations

import logging
from typing import Any

import structlog

from backend.common.redaction import redact_event
from backend.common.tracing import add_trace_id
from backend.config import env

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    add_trace_id,
]
_RENDERER: Any = structlog.dev.ConsoleRenderer(colors=False) if env.DEBUG else structlog.processors.JSONRenderer()

HAWSER_TRACES_ENDPOINT = env.text("HAWSER_TRACES_ENDPOINT")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _SHARED,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                redact_event,
                _RENDERER,
            ],
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["console"], "level": env.text("HAWSER_LOG_LEVEL")},
    "loggers": {
        "django.server": {"level": "WARNING"},
        # django_structlog logs every request already.
        "django.request": {"level": "ERROR"},
        # Statements would carry values; they are never logged, not even in debug.
        "django.db.backends": {"level": "WARNING"},
    },
}

structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_SHARED,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.StackInfoRenderer(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
# One line per request: the last one has all that the first one has, and each costs an eighth of a small read.
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
# RequestIdMiddleware has created or checked the id already.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
# `backend.common.rest.request_log` adds address and user, without loading either for the log.
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_USER_ID_FIELD = ""
