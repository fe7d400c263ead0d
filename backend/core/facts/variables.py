"""What plans need to read of every node, and how what a server did not report becomes known."""

from __future__ import annotations

from collections.abc import Iterable

from backend.core.dialects.galera import FILTERS
from backend.core.facts.server_identity import IDENTITY_VARIABLES

GRANT_CHANNELS = "Grant SLAVE MONITOR to the monitor account."
PLANNED = (
    *IDENTITY_VARIABLES,
    *FILTERS,
    "read_only",
    "wsrep_reject_queries",
    "binlog_row_image",
    "gtid_slave_pos",
    "gtid_strict_mode",
)
"""A plan that needs the node is refused while one of them is unknown, whatever its value. Others have wanted values."""


def how_to_read(name: str, variables: Iterable[str]) -> str:
    """The remedy of an unknown variable. Every account may read it, so it is the server that lacks it."""
    return (
        f"Every account may read {' and '.join(variables)}. Check that {name} is a server with Galera loaded "
        "(wsrep_provider), and no proxy."
    )
