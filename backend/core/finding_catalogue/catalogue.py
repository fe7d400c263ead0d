"""Every finding code by subject; docs/reference/findings.md is written from it."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.finding_catalogue import (
    after_restart,
    channels,
    cluster_settings,
    console,
    failover,
    fencing,
    gtid,
    identity,
    inspection,
    installation_settings,
    judged_settings,
    log_continuity,
    membership,
    new_link,
    node_maintenance,
    origins,
    orphans,
    positions,
    reachability,
    rebuild,
    removed_channels,
    replicated_data,
    returned_side,
    semi_sync,
    settings,
    split_sites,
    start_channel,
    state_uuid,
    stray_channels,
    stream_accounts,
    write_activity,
)
from backend.core.finding_catalogue.entry import FindingEntry

SUBJECTS: Mapping[str, tuple[FindingEntry, ...]] = {
    "Reachability": reachability.ENTRIES,
    "Membership": membership.ENTRIES,
    "One Primary Component for each side": split_sites.ENTRIES,
    "Server identity, version and clock": identity.ENTRIES,
    "State UUID": state_uuid.ENTRIES,
    "Binary log settings": settings.ENTRIES,
    "Settings of applying and replicating": judged_settings.ENTRIES,
    "Settings that plans change": cluster_settings.ENTRIES,
    "Filters, auto_increment, tables and events": replicated_data.ENTRIES,
    "Channels": channels.ENTRIES,
    "Stray channels": stray_channels.ENTRIES,
    "Origins and ends of channels": origins.ENTRIES,
    "Creation of channels": new_link.ENTRIES,
    "Removal of channels": removed_channels.ENTRIES,
    "Starting a channel": start_channel.ENTRIES,
    "Semi-synchronous replication": semi_sync.ENTRIES,
    "Positions": positions.ENTRIES,
    "Continuity of the source's log": log_continuity.ENTRIES,
    "Transactions on both sides": stream_accounts.ENTRIES,
    "GTID mode": gtid.ENTRIES,
    "Fencing": fencing.ENTRIES,
    "Activity on the side to be fenced": write_activity.ENTRIES,
    "Runs, approval and logins": console.ENTRIES,
    "Failover": failover.ENTRIES,
    "Returned side": returned_side.ENTRIES,
    "Rebuild": rebuild.ENTRIES,
    "Orphaned transactions": orphans.ENTRIES,
    "Inspection of a cluster": inspection.ENTRIES,
    "Inspection of settings": installation_settings.ENTRIES,
    "After a restart": after_restart.ENTRIES,
    "Node maintenance": node_maintenance.ENTRIES,
}
_BY_CODE: Mapping[str, FindingEntry] = {entry.code: entry for entries in SUBJECTS.values() for entry in entries}


def entry_of_finding(code: str) -> FindingEntry | None:
    """What the catalogue says of a code; None where it has no such code."""
    return _BY_CODE.get(code)
