"""`hawser_worker_alive` tells a health check whether this host's worker runs and receives messages.

It reads the heartbeats in the console's database only; Redis is not needed.
"""

from __future__ import annotations

import socket
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError

from backend.common import database_clock
from backend.common.commands import ConsoleCommand
from backend.common.models import ProcessHeartbeat
from backend.operations.runs.execution.broker_watchdog import PROCESS

SILENT_AFTER = timedelta(seconds=45)
"""A worker writes a heartbeat every five seconds, and exits if it receives no messages for a minute."""


class Command(ConsoleCommand):
    """Exit code 0 if a worker of this host is up, 1 otherwise."""

    help = "Exit with 0 if a Celery worker of this host wrote a heartbeat within the last 45 seconds."
    examples = ("hawser_worker_alive",)

    def handle(self, *args: Any, **options: Any) -> None:
        """Judge the newest heartbeat of this host."""
        host = socket.gethostname()
        shown = ProcessHeartbeat.objects.filter(kind=PROCESS, instance__startswith=f"{host}:")
        newest = shown.order_by("-seen_at").first()
        if newest is None:
            raise CommandError(f"no worker of {host} has ever written a heartbeat")
        age = database_clock.now() - newest.seen_at
        if age > SILENT_AFTER:
            raise CommandError(
                f"the last heartbeat of worker {newest.instance} is {age.total_seconds():.0f} s old; the limit is 45 s"
            )
        self.stdout.write(f"worker {newest.instance} wrote a heartbeat {age.total_seconds():.0f} s ago")
