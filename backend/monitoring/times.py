"""Unix seconds and database times."""

from __future__ import annotations

from datetime import UTC, datetime


def from_unix(seconds: float) -> datetime:
    """The UTC time of a Unix time."""
    return datetime.fromtimestamp(seconds, tz=UTC)
