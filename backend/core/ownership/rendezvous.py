"""Rendezvous hashing: every monitor computes the same owner; when one comes or ends, only its own groups move."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b

from backend.core.ownership.groups import Group


def owner_of(group: Group, monitors: Collection[str]) -> str | None:
    """The living monitor with the highest weight for this group; None without monitors."""
    key = min(group)
    return max(monitors, key=lambda name: (_weight(name, key), name), default=None)


def _weight(monitor: str, key: str) -> bytes:
    return blake2b(f"{monitor}\n{key}".encode(), digest_size=8).digest()
