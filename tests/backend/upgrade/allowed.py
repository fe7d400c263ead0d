"""Operations of newer migrations that the check refuses and a person has found safe, each with the reason.

A release empties it. An entry for an operation that is not refused fails the test.
"""

from __future__ import annotations

from typing import Final

ALLOWED: Final[dict[tuple[str, str, int], str]] = {
    ("hooks", "0004_destinations", 1): (
        "A hook without a link is a destination for all links, which an administrator of the new version makes. The"
        " released code selects hooks by their link, so that it reads none of them."
    ),
}
"""Reason by application, migration and index of the operation."""
