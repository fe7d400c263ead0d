"""The base of every Celery task. Celery itself closes old database connections around each.

What a task logs belongs to what the console's own rows say (the run, who asked for it): nothing of a message but the
task's name enters a log line.
"""

from __future__ import annotations

from typing import Any

import structlog
from celery import Task

log = structlog.get_logger(__name__)


class ConsoleTask(Task[Any, Any]):
    """A task whose arguments are ids only: a forged message can at most ask to look at a row."""

    abstract = True
    acks_late = True
    reject_on_worker_lost = True
    ignore_result = True

    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        """Log lines begin with the task's name alone."""
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(task=self.name)

    def on_failure(self, exc: Exception, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        """A task must settle its own faults; one that did not is an error worth reading."""
        log.error("task.failed", task=self.name, task_id=task_id, args=list(args), exc_info=exc)
