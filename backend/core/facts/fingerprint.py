"""The facts of a plan as a flat mapping, so that a change can be named: `db-a2.state: Synced -> Donor`.

It leaves out what changes while the link is healthy: ends of binlogs, positions of running channels, lag, counters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backend.core.facts.halves import halves
from backend.core.facts.origins import loop_guard
from backend.core.facts.server_identity import FINGERPRINT_KEY, server_identity
from backend.core.facts.unregistered_members import unregistered_members
from backend.core.link_facts import LinkFacts
from backend.core.topology import ChannelFacts, Direction, NodeFacts

UNREGISTERED = "unregistered_members"
COMPONENTS = "primary_components"
IGNORED = "outside_stream"
_LATER = (f".{FINGERPRINT_KEY}", f".{UNREGISTERED}", f".{COMPONENTS}", f".{IGNORED}")
"""Facts that plans of older versions do not have."""
ONLY = "only"
"""The key that names a plan's nodes (ids) where the plan does not rest on the whole link."""
_VARIABLES = (
    "log_bin",
    "log_slave_updates",
    "binlog_format",
    "binlog_row_image",
    "wsrep_gtid_mode",
    "gtid_strict_mode",
)


def fingerprint(link: LinkFacts, pair: Sequence[str], *, restless: Sequence[str] = ()) -> dict[str, Any]:
    """Flat facts of the link as a plan onto `pair` (node ids) uses them.

    `restless` names nodes whose channels are to be removed: such a channel may stop at any moment (it applies what was
    applied already), which changes nothing about its removal.
    """
    found: dict[str, Any] = {
        "nodes": sorted(pair),
        "restless": sorted(restless),
        "active": link.active.name,
        "standby": link.standby.name,
        "channel_name": link.channel_name,
        f"{link.active.name}.server_ids": list(link.active.server_ids),
        f"{link.standby.name}.server_ids": list(link.standby.server_ids),
    }
    for cluster in (link.active, link.standby):
        found[f"{cluster.name}.{UNREGISTERED}"] = unregistered_members(cluster).least
        found[f"{cluster.name}.{COMPONENTS}"] = max(1, len(halves(cluster)))
    for facts in link.nodes:
        found |= _who(facts)
        if facts.node.id in pair:
            found |= _node(facts)
    for direction in Direction:
        found[f"{direction}.{IGNORED}"] = list(loop_guard(link, direction).ids)
        for holder in link.holders(direction):
            key = f"{holder.replica.node.name}.{direction}"
            found |= _channel(key, holder.source.name, holder.channel, moves=holder.replica.node.id in restless)
    return found


def fingerprint_of_returned(link: LinkFacts, node_ids: Sequence[str]) -> dict[str, Any]:
    """The facts for the fence of these nodes of a lost side: that the side is still lost, and the nodes' identities.

    The side's other nodes may return or fail meanwhile, which changes nothing about the fence.
    """
    divergence = link.divergence
    found: dict[str, Any] = {
        ONLY: sorted(node_ids),
        "active": link.active.name,
        "standby": link.standby.name,
        "channel_name": link.channel_name,
        "failover": divergence.run_id if divergence else None,
        "is_reconciled": divergence.is_reconciled if divergence else None,
        "fences_on_return": divergence.fences_on_return if divergence else None,
    }
    for node_id in node_ids:
        found |= _who(link.node(node_id))
    return found


def current_fingerprint(planned: Mapping[str, Any], link: LinkFacts) -> dict[str, Any]:
    """The current values of the facts in `planned`; an older plan lacks some."""
    if ONLY in planned:
        return fingerprint_of_returned(link, planned[ONLY])
    now = fingerprint(link, planned["nodes"], restless=planned["restless"])
    return {key: value for key, value in now.items() if key in planned or not key.endswith(_LATER)}


def _who(facts: NodeFacts) -> dict[str, Any]:
    name = facts.node.name
    return {
        f"{name}.reach": facts.reach.value,
        f"{name}.server_id": facts.server_id,
        f"{name}.{FINGERPRINT_KEY}": server_identity(facts.variables),
        f"{name}.address": f"{facts.node.host}:{facts.node.port}",
    }


def _node(facts: NodeFacts) -> dict[str, Any]:
    name, wsrep = facts.node.name, facts.wsrep
    found: dict[str, Any] = {
        f"{name}.version": facts.version,
        f"{name}.cluster_status": wsrep.cluster_status if wsrep else None,
        f"{name}.state": wsrep.state if wsrep else None,
        f"{name}.state_uuid": wsrep.state_uuid if wsrep else None,
    }
    found |= {f"{name}.{variable}": facts.variable(variable) for variable in _VARIABLES}
    return found


def _channel(key: str, source: str, channel: ChannelFacts, *, moves: bool) -> dict[str, Any]:
    if moves:
        return {f"{key}.source": source}
    stands = channel.sql_running == "No"
    return {
        f"{key}.source": source,
        f"{key}.sql_running": channel.sql_running,
        f"{key}.is_running": channel.is_running,
        f"{key}.ignore_server_ids": list(channel.ignore_server_ids),
        f"{key}.options": dict(sorted(channel.options.items())),
        f"{key}.position": f"{channel.exec_file}:{channel.exec_offset}" if stands else None,
    }


def changed_facts(planned: Mapping[str, Any], now: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Facts that differ, as the API shows them: `{"fact", "planned", "now"}`."""
    return [
        {"fact": key, "planned": planned.get(key), "now": now.get(key)}
        for key in sorted(planned.keys() | now.keys())
        if planned.get(key) != now.get(key)
    ]
