"""Celery's entry points; all state is in the database."""

from __future__ import annotations

from celery import shared_task

from backend.common.tasks import ConsoleTask
from backend.notifications.web_push import delivery


@shared_task(base=ConsoleTask, name="web_push.deliver_due", expires=60)
def deliver_due() -> None:
    """Send messages that are due."""
    delivery.deliver_due()
