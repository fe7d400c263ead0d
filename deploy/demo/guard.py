"""Waits until the demo that started it has ended; stops the lab if the demo could not."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from deploy.demo.lab import LabCommand


def main() -> None:
    """Blocks on standard input: its end without a message means that the demo was killed."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if sys.stdin.buffer.read() != b"released":
        print(LabCommand(Path(sys.argv[1]))("down"))


if __name__ == "__main__":
    main()
