"""Facts and plans as text that a person reviews; a change in either shows as a diff."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from backend.core.link_facts import LinkFacts
from backend.core.plan import Plan, Step
from backend.core.topology import ChannelFacts, NodeFacts


def facts_text(link: LinkFacts) -> str:
    """What one look at the link shows."""
    return "\n".join(_facts(link)) + "\n"


def _facts(link: LinkFacts) -> Iterator[str]:
    for cluster, role in ((link.active, "active"), (link.standby, "standby")):
        known = "as recorded"
        if any(n.wsrep and n.wsrep.state_uuid != cluster.recorded_state_uuid for n in cluster.nodes):
            known = "another history than recorded"
        yield f"{role} {cluster.name} ({known})"
        for node in cluster.nodes:
            yield f"  {_node(node)}"
            for channel in node.channels or ():
                yield f"    channel {_channel(channel)}"
    for record in link.recorded:
        yield f"recorded {record.direction}: {record.source_node_id} -> {record.replica_node_id}"


def _node(node: NodeFacts) -> str:
    if not node.is_up or node.wsrep is None:
        return f"{node.node.name} {node.reach.value}"
    wsrep = node.wsrep
    odd = [f"{k}={v}" for k, v in sorted(node.variables.items()) if (k, v) in _ODD]
    readable = "" if node.channels is not None else ", channels not readable"
    return ", ".join(
        [
            f"{node.node.name} up, {wsrep.state}, {wsrep.cluster_status} of {wsrep.cluster_size}",
            f"server_id {node.server_id}",
            f"version {node.version}{readable}",
            *odd,
        ]
    )


_ODD = {
    *(("log_slave_updates", "OFF"), ("replicate_do_db", "shop"), ("wsrep_gtid_mode", "ON")),
    *(("read_only", "ON"), ("wsrep_reject_queries", "ALL")),
}


def _channel(channel: ChannelFacts) -> str:
    error = f", {channel.sql_errno}: {channel.sql_error}" if channel.sql_errno else ""
    return (
        f"'{channel.name}' from {channel.source_host}:{channel.source_port}, "
        f"I/O {channel.io_running}, SQL {channel.sql_running}, at {channel.exec_file}:{channel.exec_offset}{error}"
    )


def plan_text(plan: Plan) -> str:
    """All that an operator confirms."""
    return "\n".join(_plan(plan)) + "\n"


def _plan(plan: Plan) -> Iterator[str]:
    yield f"{'REFUSED' if plan.is_refused else 'READY'} {plan.kind}: {plan.summary}"
    yield ""
    yield "findings"
    for finding in plan.findings:
        yield f"  {finding.severity:8} {finding.code}: {finding.message}"
        if finding.refuses and finding.remedy:
            yield f"           -> {finding.remedy}"
    for position in plan.positions:
        found = f"{position['file']}:{position['position']}" if position["file"] else "none"
        yield ""
        yield f"position {position['direction']} on {position['node_name']}: {found}"
        yield f"  {position['verdict']}"
        for evidence in position["evidence"]:
            word = {True: "agrees", False: "disagrees", None: "cannot say"}[evidence["agrees"]]
            yield f"  {evidence['family']} {word}: {evidence['detail']}"
        groups, backlog = len(position["receiver_groups"]), position["backlog"]
        yield f"  receiver groups {groups}, backlog {backlog}, provisional {position['provisional']}"
    yield from _loss(plan)
    for entry in plan.situation.get("guide", ()):
        yield from _guide(entry)
    for step in plan.steps:
        yield ""
        yield from _step(step)


def _loss(plan: Plan) -> Iterator[str]:
    """Where a plan that can be confirmed loses anything, or may."""
    count = plan.loss["transactions"]
    if plan.steps and count != 0:
        yield ""
        yield f"loss: {'unknown' if count is None else count} transactions. {plan.loss['detail']}"


def _step(step: Step) -> Iterator[str]:
    if step.point_of_no_return:
        yield "---- point of no return ----"
    yield f"{step.index + 1}. [{step.code}] {step.title}"
    for sql in step.sql:
        yield from (f"     {line}" for line in sql.splitlines())
    for sql in step.undo:
        yield f"     undo: {sql}"


def _guide(entry: Mapping[str, Any]) -> Iterator[str]:
    """What a person does on a node."""
    yield ""
    yield f"by hand on {entry['node']}: {entry['title']}"
    yield from (f"     {command}" for command in entry["commands"])
    if entry["note"]:
        yield f"     note: {entry['note']}"
