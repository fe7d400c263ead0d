"""What the lab's nodes say of themselves."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from deploy.lab.channels import states
from deploy.lab.cluster import LabContext, admin, state
from deploy.lab.layout import Node
from deploy.lab.server import process
from deploy.lab.server.database import SERVER_ERRORS, Row, rows, statuses
from deploy.lab.server.statements import forms


@dataclass
class NodeStatus:
    """One node; what could not be read stays None and `error` says why."""

    name: str
    site: str
    host: str
    server_id: int
    state: str
    pid: int | None
    wsrep: dict[str, str] | None = None
    read_only: bool | None = None
    binlog_file: str | None = None
    binlog_position: int | None = None
    channels: list[Row] | None = None
    error: str | None = None


WSREP = (
    "wsrep_cluster_status", "wsrep_local_state_comment", "wsrep_ready", "wsrep_cluster_size",
    "wsrep_cluster_state_uuid", "wsrep_last_committed",
)  # fmt: skip


def node_status(ground: LabContext, node: Node, seconds: int = 4) -> NodeStatus:
    """Process state always; server facts if it answers in time."""
    where = ground.paths.pid(node.name)
    known = NodeStatus(node.name, node.site, node.host, node.server_id, state(ground, node), process.recorded(where))
    if known.state != process.RUNNING:
        return known
    try:
        with admin(ground, node, seconds) as connection:
            wsrep = statuses(connection)
            known.wsrep = {key.removeprefix("wsrep_"): wsrep.get(key, "") for key in WSREP}
            variables = rows(connection, "SELECT @@global.read_only AS r, @@global.server_id AS s")[0]
            known.read_only, known.server_id = bool(variables["r"]), int(variables["s"])
            ends = rows(connection, forms(connection).log_end)
            known.binlog_file = ends[0]["File"] if ends else None
            known.binlog_position = int(ends[0]["Position"]) if ends else None
            known.channels = states(connection)
    except SERVER_ERRORS as error:
        known.error = str(error)
    return known


def as_json(statuses_: list[NodeStatus]) -> list[dict[str, Any]]:
    """Plain data for `--json`."""
    return [asdict(one) for one in statuses_]


def as_lines(found: list[NodeStatus]) -> list[str]:
    """One line a node, and one a channel below its replica."""
    lines: list[str] = []
    for one in found:
        wsrep = one.wsrep or {}
        facts = [
            f"{one.name}  {one.host:<10} {one.state:<7} pid {one.pid or '-'}",
            f"{wsrep.get('cluster_status', '?')}/{wsrep.get('local_state_comment', '?')}",
            f"size {wsrep.get('cluster_size', '?')}  seqno {wsrep.get('last_committed', '?')}",
            f"{one.binlog_file or '?'}:{one.binlog_position or '?'}",
        ]
        lines.append("  ".join(facts) + (f"  {one.error}" if one.error else ""))
        lines += [f"    <- {channel_line(row)}" for row in one.channels or []]
    return lines


def channel_line(row: Row) -> str:
    """One channel in words."""
    errors = " ".join(str(row[key]) for key in ("Last_IO_Error", "Last_SQL_Error") if row[key])
    name = f"[{row['Connection_name']}] " if row["Connection_name"] else ""
    return (
        f"{name}{row['Master_Host']} {row['Relay_Master_Log_File']}:{row['Exec_Master_Log_Pos']} "
        f"IO {row['Slave_IO_Running']} SQL {row['Slave_SQL_Running']} behind {row['Seconds_Behind_Master']} s {errors}"
    ).rstrip()
