"""A lookup as the API and the command line return it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from backend.core.link_facts import LinkFacts
from backend.core.lookup.applied import Side
from backend.core.lookup.lookup import LookedUp, Lookup, NodeLocation
from backend.core.lookup.model import LoggedGroup, LookupLimits, Neighbour, NodeAnswer
from backend.core.lookup.transactions import Location
from backend.core.orphans.serialization import shown_image
from backend.core.positions import FilePosition
from backend.core.topology import ClusterFacts
from backend.gateway.transaction_rows import TransactionRows

_STATEMENT = 2_000
_SUMMARY = 200


def shown_lookup(link: LinkFacts, found: Lookup, limits: LookupLimits, cursor: str | None) -> dict[str, Any]:
    """All transactions of this page with their locations, then how far each node was read."""
    return {
        "transactions": [_transaction(link, one) for one in found.transactions],
        "nodes": [_answer(link, answer) for answer in found.answers],
        "limits": {"bytes": limits.bytes, "seconds": limits.seconds, "transactions": limits.matches},
        "next": cursor,
    }


def _transaction(link: LinkFacts, one: LookedUp) -> dict[str, Any]:
    seen = one.transaction.seen
    origin = next((side for side in one.sides if side.is_origin), None)
    statement = seen.texts[0][:_STATEMENT] if seen.texts else None
    return {
        "server_id": seen.group.server_id,
        "origin": _cluster(link, origin.cluster_id).name if origin else None,
        "at": _time(seen.at_s),
        "kind": seen.group.kind,
        "summary": summary_of(seen),
        "statement": statement,
        "tables": list(seen.group.tables),
        "rows": seen.rows,
        "nodes": [_node_location(link, location) for location in one.nodes],
        "sides": [_side(link, side) for side in one.sides],
    }


def summary_of(one: LoggedGroup) -> str:
    """`insert orders`, or the statement that changed a definition."""
    if one.group.kind == "ddl":
        return " ".join(one.texts[0].split())[:_SUMMARY] if one.texts else "statement"
    return one.group.summary[:_SUMMARY]


def _node_location(link: LinkFacts, one: NodeLocation) -> dict[str, Any]:
    return {
        "node_id": one.node_id,
        "node": link.node(one.node_id).node.name,
        "cluster": _cluster(link, one.cluster_id).name,
        "state": one.state.value,
        "detail": one.detail,
        "location": _location(one.location) if one.location else None,
    }


def _location(location: Location) -> dict[str, Any]:
    match = location.match
    return {
        **_logged(match.found),
        "bytes": match.found.group.end - match.found.group.start,
        "events": match.found.group.event_count,
        "is_ambiguous": location.is_ambiguous,
        "before": _neighbour(match.before_is, match.before),
        "after": _neighbour(match.after_is, match.after),
    }


def _logged(one: LoggedGroup) -> dict[str, Any]:
    group = one.group
    return {
        "file": group.file,
        "position": group.start,
        "end_position": group.end,
        "gtid": str(group.gtid) if group.gtid else None,
        "xid": group.xid,
    }


def _neighbour(state: Neighbour, one: LoggedGroup | None) -> dict[str, Any]:
    if one is None:
        return {"state": state.value, "transaction": None}
    shown = {**_logged(one), "server_id": one.group.server_id, "at": _time(one.at_s), "summary": summary_of(one)}
    return {"state": state.value, "transaction": shown}


def _side(link: LinkFacts, side: Side) -> dict[str, Any]:
    return {
        "cluster_id": side.cluster_id,
        "cluster": _cluster(link, side.cluster_id).name,
        "is_origin": side.is_origin,
        "held": side.held.value,
        "detail": side.detail,
        "evidence": [{"family": one.family, "agrees": one.agrees, "detail": one.detail} for one in side.evidence],
    }


def _answer(link: LinkFacts, answer: NodeAnswer) -> dict[str, Any]:
    scan = answer.scan
    return {
        "node_id": answer.node_id,
        "node": link.node(answer.node_id).node.name,
        "cluster": _cluster(link, answer.cluster_id).name,
        "state": answer.state.value,
        "code": answer.code,
        "detail": answer.detail,
        "from": _position(scan.start) if scan else None,
        "to": _position(scan.end) if scan else None,
        "since": _time(scan.since_s) if scan and scan.since_s is not None else None,
        "bytes": scan.bytes if scan else 0,
        "transactions": scan.groups if scan else 0,
        "found": len(answer.matches),
        "stopped_by": scan.stop.value if scan else None,
    }


def shown_rows(node: str, found: TransactionRows) -> dict[str, Any]:
    """A transaction with its rows, values by column name."""
    return {
        "node": node,
        "from": _position(found.begin),
        "to": _position(found.end) if found.end else None,
        "detail": found.detail,
        "row_count": found.row_count,
        "rows": [
            {
                "schema": row.schema,
                "table": row.table,
                "operation": row.operation.value,
                "before": shown_image(row.before, shape),
                "after": shown_image(row.after, shape),
            }
            for row, shape in found.rows
        ],
    }


def _position(position: FilePosition) -> dict[str, Any]:
    return {"file": position.file, "position": position.offset}


def _time(at_s: int) -> datetime:
    return datetime.fromtimestamp(at_s, UTC)


def _cluster(link: LinkFacts, cluster_id: str) -> ClusterFacts:
    return link.active if link.active.id == cluster_id else link.standby
