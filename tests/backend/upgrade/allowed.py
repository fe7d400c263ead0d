"""Operations of newer migrations that the check refuses and a person has found safe, each with the reason.

A release empties it. An entry for an operation that is not refused fails the test.
"""

from __future__ import annotations

from typing import Final

ALLOWED: Final[dict[tuple[str, str, int], str]] = {
    ("accounts", "0002_installation", 1): "It reads users and tokens, and writes one row of a table of its own.",
}
"""Reason by application, migration and index of the operation."""
