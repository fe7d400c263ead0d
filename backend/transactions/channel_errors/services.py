"""Reads the row that a channel stopped on, and records the reader in the audit log: rows are business data."""

from __future__ import annotations

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.core.channel_errors.model import ChannelErrorReport
from backend.core.topology import Direction
from backend.gateway.failed_transaction import read_channel_error
from backend.monitoring.link_gateway import gateway_for_link


def channel_error(*, actor: str, link: Link, direction: Direction) -> ChannelErrorReport:
    """Read the row from the servers now; nothing is changed."""
    gateway = gateway_for_link(link)
    try:
        found = read_channel_error(gateway, gateway.observe_link(), direction)
    finally:
        gateway.close()
    audit.record(
        actor=actor,
        action="api:channel-error:read",
        link_id=link.id,
        target=direction.value,
        facts={"state": found.state.value, "errno": found.errno, "table": found.row.change.name if found.row else None},
    )
    return found
