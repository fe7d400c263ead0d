"""Times as sentences have them."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_text(at_s: int) -> str:
    """`2026-11-26 03:12:09 UTC`."""
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d %H:%M:%S} UTC"
