"""A standby that was copied from the active side before the link exists: what shows that it is a copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.facts.incarnation import logged_server_ids, nodes_with_own_writes
from backend.core.facts.state_uuid import state_uuids
from backend.core.findings import Finding, Severity
from backend.core.locate.backup_position import FORMS
from backend.core.plans.rebuild import BACKUP
from backend.core.topology import ClusterFacts


def is_copy(side: ClusterFacts) -> bool:
    """Whether no node of the side ever logged a transaction of the side's own."""
    up = [node for node in side.nodes if node.is_up]
    return bool(up) and nodes_with_own_writes(side, up) == ()


def copy_findings(ctx: CheckContext, options: Mapping[str, Any]) -> Iterator[Finding]:
    """What prevents the start of a copy, each with its own code; the guide where there is no copy yet."""
    active, standby = ctx.clusters
    wrote = nodes_with_own_writes(standby, [node for node in standby.nodes if node.is_up])
    if wrote is None:
        yield Finding(
            "copy_unknown",
            Severity.UNKNOWN,
            f"It is unknown whether {standby.name} is a copy of {active.name}: its nodes do not show what they logged, "
            "or they use wsrep_gtid_mode.",
            f"Use equal data instead, or set wsrep_gtid_mode=OFF on {standby.name} and copy it again.",
        )
    elif wrote:
        yield Finding(
            "not_a_copy",
            Severity.BLOCKER,
            f"{standby.name} must be copied from {active.name} by hand: Hawser copies no data. The log of "
            f"{', '.join(wrote)} holds transactions of its own.",
            "Follow the guide. Keep the copy read_only from its first start until its channels run.",
            {"nodes": list(wrote)},
        )
    elif not options.get(BACKUP):
        yield Finding(
            "backup_position_missing",
            Severity.BLOCKER,
            f"{standby.name} is a copy of {active.name}, and the position of its backup is not given.",
            f"Enter the backup's own position: {FORMS}.",
            {"option": BACKUP},
        )
    if wrote == ():
        yield from _replica_findings(active, standby)
    shared = state_uuids(standby) & state_uuids(active)
    if shared:
        yield Finding(
            "rebuilt_state_uuid_shared",
            Severity.BLOCKER,
            f"{standby.name} has the state UUID of {active.name}, although they are two clusters. "
            "A grastate.dat was copied or written.",
            f"Stop {standby.name}, remove grastate.dat on its first node, start it with --wsrep-new-cluster, and let "
            "the other nodes join again. Then register the cluster again.",
            {"state_uuid": min(shared)},
        )


def _replica_findings(active: ClusterFacts, standby: ClusterFacts) -> Iterator[Finding]:
    """The binary log of a fresh copy begins empty (measured): one that holds transactions is that of a replica."""
    logged = [node.node.name for node in standby.nodes if node.is_up and logged_server_ids(node)]
    if logged:
        yield Finding(
            "copy_was_replica",
            Severity.WARNING,
            f"{standby.name} was a replica before: the log of {', '.join(logged)} holds transactions of others. Only "
            "rows near the backup's position are compared, so older differences would stay unnoticed.",
            f"Copy {active.name} again, unless {standby.name} is known to hold all of its rows.",
            {"nodes": logged},
        )
