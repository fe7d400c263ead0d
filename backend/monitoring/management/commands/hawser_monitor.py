"""Polls every registered node, stores the journal, derives link states, raises events."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from backend.common import unfinished_restore
from backend.common.commands import ConsoleCommand
from backend.monitoring.monitor import Monitor


class Command(ConsoleCommand):
    """Runs until SIGTERM or SIGINT; any number may run, which share the links."""

    help = __doc__
    examples = ("hawser_monitor",)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the monitor."""
        unfinished_restore.refuse()
        stop = threading.Event()

        def end(signum: int, frame: FrameType | None) -> None:
            stop.set()

        signal.signal(signal.SIGTERM, end)
        signal.signal(signal.SIGINT, end)
        Monitor(stop).run()
