"""What each changing statement of the dialect does to a `FakeWorld`; warnings, or NodeError as the server would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from backend.core.facts.channel_filters import FILTER_COLUMNS
from backend.core.ports import NodeError
from backend.core.positions import FilePosition, MariadbGtidSet
from tests.fakes.channel import OPTIONS, FakeChannel
from tests.fakes.cluster import FakeNode
from tests.fakes.rows import unpacked, unpacked_change
from tests.fakes.statements import Statement, ids_of, options_of, parse_change

if TYPE_CHECKING:
    from tests.fakes.world import FakeWorld

Effect = Callable[["FakeWorld", FakeNode, Statement], list[str]]


def apply_rows(world: FakeWorld, node: FakeNode, sql: str) -> list[str]:
    """Rows and their marker, all or none."""
    statements, marker = unpacked(sql)
    world.tables[world.cluster_of(node).id].apply(node.name, statements)
    parts = parse_change(marker).parts or {}
    world.write(node.name, f"PROBE {parts['link']} {parts['direction']} {parts['token']}", table="hawser.probe")
    return []


def change_definition(world: FakeWorld, node: FakeNode, sql: str) -> list[str]:
    """A definition; it leaves no marker."""
    world.tables[world.cluster_of(node).id].change_definition(unpacked_change(sql))
    return []


def _stop(_: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    channel = _known(node, statement)
    named = {None: (channel.io, channel.sql), "IO_THREAD": (channel.io,), "SQL_THREAD": (channel.sql,)}
    if set(named[statement.thread]) == {"No"}:
        return ["Note 1255: Slave already has been stopped"]
    if statement.thread in (None, "IO_THREAD"):
        channel.io = "No"
    if statement.thread in (None, "SQL_THREAD"):
        channel.sql = "No"
    return []


def _start(_: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    channel = _known(node, statement)
    was = (channel.io, channel.sql)
    if was == ("No", "No"):
        channel.start_from_gtid()
    if statement.thread in (None, "IO_THREAD") and channel.io == "No":
        channel.io = "Connecting"
    if statement.thread in (None, "SQL_THREAD") and channel.sql != "Yes":
        channel.sql, channel.sql_errno, channel.sql_error = "Yes", 0, ""
        channel.bypasses_replication = node.bypasses_replication
        channel.stop_on_broken_relay_log()
    return ["Note 1254: Slave is already running"] if was == (channel.io, channel.sql) else []


def _reset(_: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    channel = _known(node, statement)
    if channel.is_running:
        raise NodeError(node.name, "error 1198: this operation cannot be performed with a running slave", code=1198)
    del node.channels[statement.name]
    if channel.uses_gtid:
        return []
    return ["Note 4190: RESET SLAVE is implicitly changing the value of 'Using_Gtid' from 'No' to 'Slave_Pos'"]


def _change(world: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    old = node.channels.get(statement.name)
    if old is not None and old.is_running:
        raise NodeError(node.name, "error 1198: this operation cannot be performed with a running slave", code=1198)
    parts = statement.parts or {}
    by_gtid = parts["MASTER_USE_GTID"] == "slave_pos"
    assert by_gtid != ("MASTER_LOG_FILE" in parts), "coordinates are ignored in GTID mode"
    file, offset = parts.get("MASTER_LOG_FILE", "none.000001"), int(parts.get("MASTER_LOG_POS", 4))
    address = (parts["MASTER_HOST"], int(parts["MASTER_PORT"]))
    source = world.opposite(node).node_at(address)
    node.channels[statement.name] = FakeChannel(
        name=statement.name,
        source=address,
        era=source.log.era if source else 0,
        user=parts["MASTER_USER"],
        position=FilePosition(file, offset),
        ignore=ids_of(parts["IGNORE_SERVER_IDS"]),
        options=OPTIONS | options_of(parts) | _filters(node),
        is_unplaced=by_gtid,
    )
    return []


def _filters(node: FakeNode) -> dict[str, str]:
    """Those of the node, and those that it has for that connection name alone."""
    return {column: node.variables.get(name, "") for column, name in FILTER_COLUMNS.items()} | node.unseen_filters


def _set_gtid(world: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    """One variable of the whole server; strict mode refuses a position behind the own binlog."""
    parts = statement.parts or {}
    if any(channel.is_running for channel in node.channels.values()):
        raise NodeError(node.name, "error 1198: this operation cannot be performed with a running slave", code=1198)
    wanted = MariadbGtidSet.parse(parts["position"])
    own = world.cluster_of(node)
    last = max((p.gtid.seq_no for p in node.log.placed if p.gtid and p.gtid.domain == own.domain), default=0)
    at = wanted.of_domain(own.domain)
    is_behind = last > (at.seq_no if at else 0)
    if is_behind and node.variables["gtid_strict_mode"] == "ON" and not parts["lifts_strict"]:
        code = 1947 if at else 1948
        raise NodeError(node.name, f"error {code}: conflicts with the binary log", code=code)
    node.slave_pos = wanted
    if parts["lifts_strict"]:
        node.variables["gtid_strict_mode"] = "ON"
    return [f"Warning {1947 if at else 1948}: conflicts with the binary log"] if is_behind else []


def _set(_: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    parts = statement.parts or {}
    node.variables[parts["variable"]] = parts["value"]
    return []


def _set_option(_: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    parts = statement.parts or {}
    node.options[parts["option"]] = parts["value"]
    if parts["option"] in node.variables:
        node.variables[parts["option"]] = parts["value"]
    return []


def _alter_event(world: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    """Everywhere else it is SLAVESIDE_DISABLED, as soon as replication carries the statement there."""
    parts = statement.parts or {}
    for other in world.nodes:
        is_here = other.name == node.name and parts["change"] == "ENABLE"
        status = "ENABLED" if is_here else "SLAVESIDE_DISABLED"
        other.events = [
            replace(event, status=status, originator=node.server_id)
            if event.key == (parts["schema"], parts["name"])
            else event
            for event in other.events
        ]
    world.write(node.name, f"ALTER EVENT {parts['name']} {parts['change']}", kind="ddl")
    return []


def _create(world: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    """The schema of the probes, or its table; on each node of the cluster."""
    for one in world.cluster_of(node).nodes:
        one.probe_objects.add(statement.name)
    return []


def _probe(world: FakeWorld, node: FakeNode, statement: Statement) -> list[str]:
    parts = statement.parts or {}
    world.write(node.name, f"PROBE {parts['link']} {parts['direction']} {parts['token']}", table="hawser.probe")
    return []


def _known(node: FakeNode, statement: Statement) -> FakeChannel:
    """The channel; the nameless one always exists, merely not configured."""
    if statement.name not in node.channels and statement.name == "" and statement.verb == "START":
        raise NodeError(node.name, "error 1200: the server is not configured as slave", code=1200)
    if statement.name not in node.channels:
        raise NodeError(node.name, f"error 1617: there is no master connection '{statement.name}'", code=1617)
    return node.channels[statement.name]


EFFECTS: dict[str, Effect] = {
    "STOP": _stop,
    "START": _start,
    "RESET": _reset,
    "CHANGE": _change,
    "GTID": _set_gtid,
    "PROBE": _probe,
    "CREATE": _create,
    "EVENT": _alter_event,
    "SETTING": _set,
    "OPTION": _set_option,
}
