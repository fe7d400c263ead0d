"""Celery's entry points; all state is in the database."""

from __future__ import annotations

from celery import shared_task

from backend.common.tasks import ConsoleTask
from backend.notifications.hooks import notifications


@shared_task(base=ConsoleTask, name="hooks.deliver_due", expires=60)
def deliver_due() -> None:
    """Send notifications that are due."""
    notifications.deliver_due()
