"""One node as the API returns it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from backend.clusters.models import Node
from backend.core.dialects import plan_refusal
from backend.core.facts.serialization import node_from_json
from backend.core.plans.node_eligibility import MAX_AHEAD_S, why_ineligible
from backend.core.topology import (
    AcceptedServer,
    BinlogFacts,
    ChannelFacts,
    NodeFacts,
    Reach,
    RecordedServer,
    WsrepFacts,
)
from backend.monitoring.models import NodeState
from backend.monitoring.stored_facts import unpolled

_WSREP = (
    "cluster_status",
    "state",
    "local_state",
    "ready",
    "connected",
    "cluster_size",
    "state_uuid",
    "last_committed",
    "conf_id",
    "recv_queue",
)


def node_view_of(
    node: Node,
    state: NodeState | None,
    addresses: Mapping[tuple[str, int], str],
    *,
    now: datetime,
    stale_after_s: float,
    accepted: AcceptedServer | None = None,
) -> dict[str, Any]:
    """The node with its stored facts; after `stale_after_s` its reach is unknown, and the facts have their age.

    `accepted`: what an administrator accepts of its cluster's servers.
    """
    facts = unpolled(node) if state is None else node_from_json(state.facts)
    age = None if state is None else (now - state.observed_at).total_seconds()
    is_stale = age is None or not -MAX_AHEAD_S <= age <= stale_after_s
    reach = Reach.UNKNOWN if is_stale else facts.reach
    recorded = RecordedServer(node.server, node.server_id) if node.server and node.server_id is not None else None
    why_not = why_ineligible(facts, recorded, age_s=age, stale_after_s=stale_after_s)
    return {
        "id": node.id,
        "name": node.name,
        "host": node.host,
        "port": node.port,
        "cluster_id": node.cluster_id,
        "cluster_name": node.cluster.name,
        "observed_at": None if state is None else state.observed_at,
        "age_s": None if age is None or age < -MAX_AHEAD_S else round(max(0.0, age), 1),
        "reach": reach.value,
        "reachable": None if reach in (Reach.UNKNOWN, Reach.HUNG) else reach is Reach.UP,
        "since": None if state is None else state.since,
        "eligibility": {"eligible": why_not is None, "reason": None if why_not is None else asdict(why_not)},
        "is_accepted": accepted is not None and _is_accepted(facts, accepted),
        **_observed_facts(facts, addresses),
    }


def _is_accepted(facts: NodeFacts, accepted: AcceptedServer) -> bool:
    """Whether plans are made with a server that is watched only, because an administrator accepts it."""
    is_refused = plan_refusal(facts.flavor, facts.version) is not None
    return is_refused and plan_refusal(facts.flavor, facts.version, accepted) is None


def _observed_facts(facts: NodeFacts, addresses: Mapping[tuple[str, int], str]) -> dict[str, Any]:
    read_only = facts.variable("read_only")
    channels = facts.channels
    return {
        "error": facts.error,
        "flavor": facts.flavor,
        "version": facts.version,
        "watched_only": plan_refusal(facts.flavor, facts.version),
        "server_id": facts.server_id,
        "hostname": facts.hostname,
        "read_only": None if read_only is None else read_only != "OFF",
        "uptime_s": facts.uptime_s,
        "clock_offset_s": facts.clock_offset_s,
        "probe_ms": facts.probe_ms,
        "wsrep": None if facts.wsrep is None else _wsrep(facts.wsrep),
        "channels": None if channels is None else [_channel(channel, addresses) for channel in channels],
        "binlog": None if facts.binlog is None else _binlog(facts.binlog),
        "variables": dict(facts.variables),
    }


def _wsrep(wsrep: WsrepFacts) -> dict[str, Any]:
    return {name: value for name, value in asdict(wsrep).items() if name in _WSREP}


def _channel(channel: ChannelFacts, addresses: Mapping[tuple[str, int], str]) -> dict[str, Any]:
    both_run = channel.io_running == "Yes" and channel.sql_running == "Yes"
    return {
        "name": channel.name,
        "source_host": channel.source_host,
        "source_port": channel.source_port,
        "source_node": addresses.get(channel.source_address),
        "io_running": channel.io_running,
        "sql_running": channel.sql_running,
        "exec_file": channel.exec_file,
        "exec_position": channel.exec_offset,
        "read_file": channel.read_file,
        "read_position": channel.read_offset,
        "lag_s": channel.lag_s if both_run else None,
        "error": channel.sql_error or channel.io_error,
        "using_gtid": channel.using_gtid,
        "ignore_server_ids": list(channel.ignore_server_ids),
    }


def _binlog(binlog: BinlogFacts) -> dict[str, Any]:
    return {
        "file": binlog.file,
        "position": binlog.offset,
        "first_file": binlog.first_file,
        "files": len(binlog.files),
        "size_bytes": sum(size for _, size in binlog.files),
    }
