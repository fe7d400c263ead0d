"""Finds the binlog position of an Xid on a node."""

from __future__ import annotations

import time
from typing import Any

from backend.clusters.models import Node
from backend.core.binlog.events import Cursor, EventBudgetError
from backend.core.binlog.groups import Group, UnknownEventError
from backend.core.binlog.logs import log_of
from backend.core.binlog.search import find_xid
from backend.core.ports import NodeError
from backend.core.positions import FilePosition, Seqno
from backend.gateway.polling.parallel import observe_once
from backend.gateway.reader import Reader
from backend.monitoring.journal import DbJournal
from backend.monitoring.link_gateway import cluster_access


def locate_xid(node_id: str, xid: int) -> dict[str, Any]:
    """The response of GET /nodes/ID/locate; no exception for a node that is down."""
    started = time.monotonic()
    node = Node.objects.select_related("cluster").get(pk=node_id)
    access = next(a for a in cluster_access(node.cluster).nodes if a.ref.id == node_id)
    facts = observe_once(access)
    if not facts.is_up:
        return _missing("node_unreachable", f"{node.name} is not responding: {facts.error}", 0, started)
    checkpoint = _checkpoint(node_id, facts.wsrep.state_uuid if facts.wsrep else "", xid)
    reader = Reader(access.ref, access.monitor)
    cursor = Cursor(log_of(reader, facts))
    try:
        group, from_checkpoint = find_xid(cursor, xid, checkpoint)
    except (UnknownEventError, EventBudgetError, NodeError) as error:
        return _missing("not_readable", str(error), cursor.scanned_events, started)
    finally:
        reader.close()
    if group is None:
        sentence = f"Xid {xid} is not in the binlogs that {node.name} retains. Not every number is in use."
        return _missing("not_found", sentence, cursor.scanned_events, started)
    return _found(group, cursor.scanned_events, started, from_checkpoint=from_checkpoint)


def _checkpoint(node_id: str, state_uuid: str, xid: int) -> FilePosition | None:
    if not state_uuid:
        return None
    sample = DbJournal().checkpoint_before(node_id, Seqno(state_uuid, xid))
    return sample.position if sample else None


def _found(group: Group, scanned: int, started: float, *, from_checkpoint: bool) -> dict[str, Any]:
    return {
        "found": True,
        "file": group.file,
        "position": group.end,
        "group": group.to_json(),
        "scanned_events": scanned,
        "elapsed_ms": _elapsed_ms(started),
        "from_checkpoint": from_checkpoint,
    }


def _missing(code: str, reason: str, scanned: int, started: float) -> dict[str, Any]:
    return {
        "found": False,
        "code": code,
        "reason": reason,
        "scanned_events": scanned,
        "elapsed_ms": _elapsed_ms(started),
    }


def _elapsed_ms(started: float) -> float:
    return round((time.monotonic() - started) * 1000, 1)
