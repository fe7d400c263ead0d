"""Real servers for the gateway."""

from __future__ import annotations

from tests.gateway.lab import lab

__all__ = ["lab"]
