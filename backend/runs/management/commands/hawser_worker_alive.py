"""Does the worker of this host run, and does it take messages? For health checks; asks the console's database alone."""

from __future__ import annotations

import socket
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from backend.common.models import ProcessHeartbeat
from backend.runs.execution.broker_watchdog import PROCESS

SILENT_AFTER = timedelta(seconds=45)
"""A worker shows life every five seconds, and ends itself once it takes no messages for a minute."""


class Command(BaseCommand):
    """`hawser_worker_alive`: exit code 0 where it does."""

    help = "Exit with 0 if a Celery worker of this host showed life within the last 45 seconds."

    def handle(self, *args: Any, **options: Any) -> None:
        """Looks for the newest sign of life of this host."""
        host = socket.gethostname()
        shown = ProcessHeartbeat.objects.filter(kind=PROCESS, instance__startswith=f"{host}:")
        newest = shown.order_by("-seen_at").first()
        if newest is None:
            raise CommandError(f"no worker of {host} was ever seen")
        age = timezone.now() - newest.seen_at
        if age > SILENT_AFTER:
            raise CommandError(f"the worker {newest.instance} is silent for {age.total_seconds():.0f} s")
        self.stdout.write(f"{newest.instance} showed life {age.total_seconds():.0f} s ago")
