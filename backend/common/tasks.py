"""The base of every Celery task. Celery itself closes old database connections around each.

A log line of a task holds the task's name and what the console's own rows state (run, requester). Nothing else of a
message is logged.
"""

from __future__ import annotations

from typing import Any

import structlog
from celery import Task

log = structlog.get_logger(__name__)


class ConsoleTask(Task[Any, Any]):
    """A task whose arguments are ids only: a forged message can at most cause a row to be read."""

    abstract = True
    acks_late = True
    reject_on_worker_lost = True
    ignore_result = True

    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        """Bind the task's name, and nothing else, to the log."""
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(task=self.name)

    def on_failure(self, exc: Exception, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        """Log an exception that a task did not handle itself."""
        log.error("task.failed", task=self.name, task_id=task_id, args=list(args), exc_info=exc)
