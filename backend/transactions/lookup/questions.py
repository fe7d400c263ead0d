"""What a caller asks, as the core's question; a field at fault is named with how to correct it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from backend.clusters.models import Cluster, Link, Node
from backend.common.errors import ProblemError, invalid
from backend.core.lookup.lookup import LookupQuestion
from backend.core.lookup.model import Criteria, LookupLimits, is_table_name
from backend.core.positions import FilePosition, MariadbGtid, PositionError

CRITERIA = ("xid", "gtid", "file", "server_id", "since", "until", "text", "table")
_IDENTIFYING = (*CRITERIA, "position", "cluster", "node")


def question_of(link: Link, given: Mapping[str, Any]) -> LookupQuestion:
    """The question; raises ProblemError with the field at fault."""
    if not any(given.get(name) not in (None, "") for name in CRITERIA):
        raise invalid("xid", f"Give at least one of: {', '.join(CRITERIA)}.")
    cluster = _cluster(link, given.get("cluster"))
    node = _node(link, given.get("node"))
    if given.get("xid") is not None and cluster is None and node is None:
        raise invalid("cluster", "Each cluster counts its own Xids. Name the cluster that counted this one.")
    if cluster is not None and node is not None and node.cluster_id != cluster.pk:
        raise invalid("node", f"{node.name} is not a node of {cluster.name}.")
    limits = LookupLimits(bytes=given["limit_mib"] * 2**20, seconds=given["limit_s"], matches=given["limit"])
    return LookupQuestion(
        _criteria(given, has_node=node is not None),
        limits,
        node_id=node.pk if node else None,
        cluster_id=cluster.pk if cluster else None,
        resume=_resume(link, given),
    )


def _criteria(given: Mapping[str, Any], *, has_node: bool) -> Criteria:
    since, until = given.get("since"), given.get("until")
    if since is not None and until is not None and until < since:
        raise invalid("until", "The range ends before it begins. Enter a time that is not before `since`.")
    table = given.get("table", "")
    if table and not is_table_name(table):
        raise invalid("table", "Enter schema and table as schema.table.")
    return Criteria(
        xid=given.get("xid"),
        gtid=_gtid(given.get("gtid", "")),
        position=_position(given, has_node=has_node),
        server_id=given.get("server_id"),
        since_s=int(since.timestamp()) if since is not None else None,
        until_s=int(until.timestamp()) if until is not None else None,
        text=given.get("text", ""),
        table=table,
    )


def _gtid(text: str) -> MariadbGtid | None:
    try:
        return MariadbGtid.parse(text) if text else None
    except PositionError as error:
        raise invalid("gtid", "Enter one GTID as domain-server-sequence, for example 0-11-57.") from error


def _position(given: Mapping[str, Any], *, has_node: bool) -> FilePosition | None:
    file, offset = given.get("file", ""), given.get("position")
    if not file and offset is None:
        return None
    if not file:
        raise invalid("file", "Name the binary log that the position is in.")
    if offset is None:
        raise invalid("position", "Enter the position in the file.")
    if not has_node:
        raise invalid("node", "Each node has its own binary log. Name the node that this position belongs to.")
    return position_of(file, offset)


def position_of(file: str, offset: int) -> FilePosition:
    """A position; raises ProblemError."""
    try:
        return FilePosition(file, offset)
    except PositionError as error:
        raise invalid("file", "Enter the name of a binary log, for example binlog.000042.") from error


def _cluster(link: Link, name: str | None) -> Cluster | None:
    if not name:
        return None
    both = (link.active_cluster, link.standby_cluster)
    for cluster in both:
        if name in (cluster.pk, cluster.name):
            return cluster
    raise invalid("cluster", f"Name a cluster of this link: {', '.join(cluster.name for cluster in both)}.")


def _node(link: Link, name: str | None) -> Node | None:
    return node_named(link, name) if name else None


def node_named(link: Link, name: str) -> Node:
    """A node of the link by name or id; raises ProblemError."""
    nodes = [*link.active_cluster.nodes.all(), *link.standby_cluster.nodes.all()]
    for node in nodes:
        if name in (node.pk, node.name):
            return node
    raise invalid("node", f"Name a node of this link: {', '.join(node.name for node in nodes)}.")


def cursor_of(given: Mapping[str, Any], resume: Mapping[str, FilePosition]) -> str | None:
    """The cursor that continues this search; None where it is complete."""
    if not resume:
        return None
    body = {"q": _digest(given), "n": {node_id: str(position) for node_id, position in resume.items()}}
    return base64.urlsafe_b64encode(json.dumps(body, separators=(",", ":")).encode()).decode()


def _resume(link: Link, given: Mapping[str, Any]) -> dict[str, FilePosition] | None:
    if not given.get("cursor"):
        return None
    try:
        body = json.loads(base64.urlsafe_b64decode(given["cursor"].encode()))
        resume = {str(node_id): FilePosition.parse(text) for node_id, text in body["n"].items()}
        digest = body["q"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _other_cursor() from error
    known = {node.pk for cluster in (link.active_cluster, link.standby_cluster) for node in cluster.nodes.all()}
    if digest != _digest(given) or not resume.keys() <= known:
        raise _other_cursor()
    return resume


def _other_cursor() -> ProblemError:
    return invalid("cursor", "Use the `next` value of a response with the same criteria, unchanged.")


def _digest(given: Mapping[str, Any]) -> str:
    asked = {name: str(given[name]) for name in _IDENTIFYING if given.get(name) not in (None, "")}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]
