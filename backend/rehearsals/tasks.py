"""Celery's entry points; they carry names of rows and nothing else."""

from __future__ import annotations

from celery import shared_task

from backend.common.tasks import ConsoleTask
from backend.rehearsals import services


@shared_task(base=ConsoleTask, name="rehearsals.rehearse", expires=300)
def rehearse(link_id: str, kind: str) -> None:
    """Hold a rehearsal that is due."""
    services.rehearse_due(link_id, kind)
