"""A link of two clusters of three nodes, all well, as facts; tests spoil what they need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backend.core.link_facts import LinkFacts, RecordedChannel
from backend.core.topology import (
    BinlogFacts,
    ChannelFacts,
    ClusterFacts,
    Direction,
    NodeFacts,
    NodeRef,
    Reach,
    WsrepFacts,
)
from tests.fakes.cluster import VARIABLES as HEALTHY

NOW = 1_800_000_000.0
UUIDS = {"a": "11111111-1111-1111-1111-111111111111", "b": "22222222-2222-2222-2222-222222222222"}
VARIABLES = HEALTHY | {"read_only": "OFF", "wsrep_reject_queries": "NONE"}


def ref(name: str) -> NodeRef:
    """`a1` is node 1 of cluster a."""
    net = {"a": 1, "b": 2}[name[0]]
    return NodeRef(f"n_{name}", f"db-{name}", f"127.0.{net}.{name[1]}", 3306, f"c_{name[0]}")


def channel(source: str, **changes: object) -> ChannelFacts:
    """A running channel from that node."""
    made = ChannelFacts(
        name="",
        source_host=ref(source).host,
        source_port=3306,
        source_user="repl",
        io_running="Yes",
        sql_running="Yes",
        read_file="binlog.000002",
        read_offset=900,
        relay_file="relay.000002",
        relay_offset=700,
        exec_file="binlog.000002",
        exec_offset=900,
        lag_s=0,
        io_errno=0,
        io_error="",
        sql_errno=0,
        sql_error="",
        using_gtid="No",
        ignore_server_ids=(21, 22, 23) if source.startswith("a") else (11, 12, 13),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def up(name: str, *channels: ChannelFacts, size: int = 3) -> NodeFacts:
    """A Synced node; side b is the standby, and fenced."""
    uuid, read_only = UUIDS[name[0]], "ON" if name[0] == "b" else "OFF"
    return NodeFacts(
        ref(name),
        NOW,
        Reach.UP,
        flavor="mariadb",
        version="10.11.19-MariaDB",
        server_id=int({"a": "1", "b": "2"}[name[0]] + name[1]),
        variables=VARIABLES
        | {"read_only": read_only, "hostname": name, "port": "3306", "wsrep_node_name": name, "datadir": "/data/"},
        wsrep=WsrepFacts("Primary", "Synced", 4, True, True, size, uuid, uuid, 500, 7),
        channels=channels,
        binlog=BinlogFacts("binlog.000002", 900, (("binlog.000001", 400), ("binlog.000002", 900))),
        clock_offset_s=0.0,
        uptime_s=100,
        log_readers=(),
    )


def with_wsrep(node: NodeFacts, **changes: object) -> NodeFacts:
    """The node with this changed of what it says of its cluster."""
    assert node.wsrep is not None
    return replace(node, wsrep=replace(node.wsrep, **changes))  # type: ignore[arg-type]


def gone(name: str, reach: Reach = Reach.DOWN) -> NodeFacts:
    """A node that could not be asked."""
    return NodeFacts(ref(name), NOW, reach, error="connection refused: no server is listening on this port")


def record(direction: Direction, source: str, replica: str) -> RecordedChannel:
    """What was last seen of a direction."""
    return RecordedChannel(direction, ref(replica).id, ref(source).id, channel(source), NOW - 5)


RECORDS = (record(Direction.FORWARD, "a1", "b1"), record(Direction.REVERSE, "b1", "a1"))


def link(spoiled: Mapping[str, NodeFacts] | None = None, records: tuple[RecordedChannel, ...] = RECORDS) -> LinkFacts:
    """The classic set-up, with some nodes replaced."""
    nodes = {name: up(name) for name in ("a1", "a2", "a3", "b1", "b2", "b3")}
    nodes["a1"], nodes["b1"] = up("a1", channel("b1")), up("b1", channel("a1"))
    nodes |= spoiled or {}

    def side(letter: str, name: str) -> ClusterFacts:
        members = tuple(node for key, node in nodes.items() if key[0] == letter)
        return ClusterFacts(f"c_{letter}", name, name, members, UUIDS[letter])

    return LinkFacts("l_1", "milan-frankfurt", side("a", "Milan"), side("b", "Frankfurt"), "", records, NOW)
