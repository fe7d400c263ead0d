"""Converts node facts to plain JSON and back, so that what was observed can be stored and compared.

`None` (unknown) is kept; nothing is guessed for a missing key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from backend.core.link_facts import Divergence
from backend.core.stream_account import Unaccounted
from backend.core.topology import (
    BinlogFacts,
    ChannelFacts,
    LogReader,
    NodeFacts,
    NodeRef,
    Reach,
    WriteSetCounters,
    WsrepFacts,
)


def node_to_json(facts: NodeFacts) -> dict[str, Any]:
    """Everything that one poll read, as plain data; an acceptance is no part of it and is read where it is kept.

    Written out, as `asdict` copies each value: 0.3 ms a node, every second.
    """
    plain = _plain(facts)
    plain["node"] = _plain(facts.node)
    del plain["node"]["accepted"]
    plain["variables"] = dict(facts.variables)
    if facts.wsrep is not None:
        plain["wsrep"] = _plain(facts.wsrep)
        counted = facts.wsrep.write_sets
        plain["wsrep"]["write_sets"] = None if counted is None else _plain(counted)
    if facts.channels is not None:
        plain["channels"] = tuple(map(channel_to_json, facts.channels))
    if facts.binlog is not None:
        plain["binlog"] = _plain(facts.binlog)
    if facts.log_readers is not None:
        plain["log_readers"] = tuple(map(_plain, facts.log_readers))
    return plain


def _plain(
    value: NodeFacts | NodeRef | WsrepFacts | WriteSetCounters | ChannelFacts | BinlogFacts | LogReader,
) -> dict[str, Any]:
    """The fields of one value, as they are."""
    return {name: getattr(value, name) for name in value.__slots__}


def node_from_json(data: Mapping[str, Any]) -> NodeFacts:
    """Inverse of `node_to_json`; KeyError or TypeError for data of another shape.

    Facts stored before the readers of the log were read have none.
    """
    wsrep, channels, binlog = data["wsrep"], data["channels"], data["binlog"]
    readers = data.get("log_readers")
    parts = {
        **data,
        "node": NodeRef(**data["node"]),
        "reach": Reach(data["reach"]),
        "wsrep": None if wsrep is None else wsrep_from_json(wsrep),
        "channels": None if channels is None else tuple(channel_from_json(c) for c in channels),
        "binlog": None if binlog is None else binlog_from_json(binlog),
        "log_readers": None if readers is None else tuple(LogReader(**reader) for reader in readers),
    }
    return NodeFacts(**parts)


def wsrep_from_json(data: Mapping[str, Any]) -> WsrepFacts:
    """Galera's status; facts stored before the addresses or the write-sets were read have none."""
    counted = data.get("write_sets")
    parts = {
        "incoming_addresses": tuple(data.get("incoming_addresses", ())),
        "write_sets": None if counted is None else WriteSetCounters(**counted),
    }
    return WsrepFacts(**{**data, **parts})


def channel_to_json(channel: ChannelFacts) -> dict[str, Any]:
    """One replication connection as plain data."""
    return {**_plain(channel), "options": dict(channel.options)}


def channel_from_json(data: Mapping[str, Any]) -> ChannelFacts:
    """Inverse of `channel_to_json`."""
    return ChannelFacts(**{**data, "ignore_server_ids": tuple(data["ignore_server_ids"])})


def binlog_from_json(data: Mapping[str, Any]) -> BinlogFacts:
    """The binlog's end and its retained files."""
    files = tuple((str(name), int(size)) for name, size in data["files"])
    return BinlogFacts(data["file"], data["offset"], files)


def divergence_to_json(divergence: Divergence) -> dict[str, Any]:
    """A divergence as plain data."""
    return asdict(divergence)


def divergence_from_json(data: Mapping[str, Any]) -> Divergence:
    """Inverse of `divergence_to_json`."""
    passed_over = tuple(map(Unaccounted.from_json, data.get("passed_over", ())))
    return Divergence(**{**data, "seam": tuple(data["seam"]), "passed_over": passed_over})
