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
    ("monitoring", "0007_moved_facts", 0): (
        "The column stays as it is; only the new code calls it by another name. The released code reads it as"
        " facts that are stored whole once a minute or two, and what it writes there is another base, so that nothing"
        " moved is added."
    ),
    ("runs", "0006_approvals_by_several", 0): (
        "One approver more than once in a round: the released code writes at most one approval in each round."
    ),
    ("runs", "0006_approvals_by_several", 1): (
        "The released code writes at most one approval in each round without it: it writes one as it ends the waiting."
    ),
}
"""Reason by application, migration and index of the operation."""
