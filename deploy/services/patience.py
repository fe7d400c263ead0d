"""How much longer than usual everything may take on this machine."""

from __future__ import annotations

import os


def patience() -> float:
    """`HAWSER_PATIENCE`, which multiplies the limit of every wait for a server, a process, a container or a page."""
    return float(os.environ.get("HAWSER_PATIENCE", "1"))
