"""Whether two logs hold the same transaction.

Every log that holds it has its origin's server id, its time and its content (docs/evidence/measured-facts.md); the Xid
is each cluster's own, and the GTID is only kept from origin to replica where no node numbers its own.
"""

from __future__ import annotations

from backend.core.binlog.content import is_same
from backend.core.lookup.model import LoggedGroup


def is_same_transaction(one: LoggedGroup, other: LoggedGroup) -> bool:
    """Whether origin, time and content are equal; that of equal statements in one second is, too."""
    return (one.group.server_id, one.at_s) == (other.group.server_id, other.at_s) and is_same(
        one.group.content, other.group.content
    )
