"""Whether a node could take a channel now, and the first reason why not, by the same checks that a plan makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.core.checks.fencing import unread_settings
from backend.core.checks.nodes import membership_finding
from backend.core.facts.judged_settings import refusing_settings
from backend.core.facts.server_identity import observed_server
from backend.core.findings import Finding
from backend.core.link_state.sentences import duration
from backend.core.server_settings.table import REFUSING_CODES
from backend.core.topology import NodeFacts, Reach, RecordedServer

INELIGIBLE_CODES = (
    "not_observed",
    "facts_stale",
    "node_unreachable",
    "wsrep_on_unknown",
    "wsrep_off",
    "wsrep_unknown",
    "node_not_primary",
    "node_not_synced",
    "server_replaced",
    "version_unknown",
    *REFUSING_CODES,
    "binlog_unknown",
)
"""Every reason there is; where a check refuses the same, it is that check's code."""
MAX_AHEAD_S = 5.0
"""Facts whose time lies further in the future have an unknown age."""
CLOCKS_DIFFER = "clocks of the console's hosts differ"
_UNREACHABLE = {
    Reach.DOWN: "unreachable",
    Reach.HUNG: "not responding (hung)",
    Reach.REFUSED: "login refused",
    Reach.UNKNOWN: "state unknown",
}
_SETTINGS = {
    "log_bin": "binary log disabled",
    "log_slave_updates": "replicated transactions are not logged",
    "binlog_format": "binary log is not row-based",
    "binlog_do_db": "its binary log leaves schemas out",
    "binlog_ignore_db": "its binary log leaves schemas out",
}


@dataclass(frozen=True, slots=True)
class Ineligibility:
    """Why a node cannot take a channel now: a stable code, and a few words for the operator."""

    code: str
    message: str


def why_ineligible(
    node: NodeFacts, recorded: RecordedServer | None, *, age_s: float | None, stale_after_s: float
) -> Ineligibility | None:
    """The first reason why the node cannot take a channel; None where it can. What is unknown never passes.

    `recorded`: the server that is known at its address, None before the first one. `age_s` is how old the facts are,
    None where the node was never observed, negative where they lie in the future.
    """
    return next(_reasons(node, recorded, age_s, stale_after_s), None)


def _reasons(
    node: NodeFacts, recorded: RecordedServer | None, age_s: float | None, stale_after_s: float
) -> Iterator[Ineligibility]:
    if age_s is None:
        yield Ineligibility("not_observed", "not observed yet")
    elif age_s < -MAX_AHEAD_S:
        yield Ineligibility("facts_stale", f"observed {duration(-age_s)} in the future: {CLOCKS_DIFFER}")
    elif age_s > stale_after_s:
        yield Ineligibility("facts_stale", f"no data for {duration(age_s)}")
    if not node.is_up:
        yield Ineligibility("node_unreachable", _UNREACHABLE.get(node.reach, "state unknown"))
    membership = membership_finding(node)
    if membership.refuses:
        yield Ineligibility(membership.code, _membership_message(node, membership))
    observed = observed_server(node)
    if recorded is not None and observed not in (None, recorded):
        yield Ineligibility("server_replaced", "another server, not confirmed yet")
    if unread_settings(node):
        yield Ineligibility("version_unknown", "server version unknown or not supported")
    for finding in refusing_settings(node):
        yield Ineligibility(finding.code, _setting_message(finding))
    if node.binlog is None:
        yield Ineligibility("binlog_unknown", "binary log position unknown")


def _membership_message(node: NodeFacts, finding: Finding) -> str:
    wsrep = node.wsrep
    if finding.code == "wsrep_on_unknown":
        return "wsrep_on unknown"
    if finding.code == "wsrep_off":
        return f"writes would stay on this node (wsrep_on={node.variable('wsrep_on')})"
    if wsrep is None:
        return "Galera status unknown"
    if finding.code == "node_not_primary":
        return f"not in the Primary Component ({wsrep.cluster_status or 'status unknown'})"
    if wsrep.state != "Synced":
        return f"not Synced ({wsrep.state or 'state unknown'})"
    if not wsrep.ready:
        return "not ready (wsrep_ready=OFF)"
    if not wsrep.connected:
        return "not connected to its cluster (wsrep_connected=OFF)"
    return f"desynced (wsrep_desync_count={wsrep.desync_count})"


def _setting_message(finding: Finding) -> str:
    variable, value = str(finding.facts["variable"]), finding.facts["value"]
    if value is None:
        return f"{variable} unknown"
    return f"{_SETTINGS[variable]} ({variable}={value})" if variable in _SETTINGS else f"{variable}={value}"
