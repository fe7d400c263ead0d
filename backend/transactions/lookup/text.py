"""A lookup as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from backend.core.plural import pluralize

Shown = Mapping[str, Any]
_NEIGHBOURS = {
    "log_start": "none: the retained log begins here",
    "log_end": "none: the log ends here",
    "not_read": "not read",
}


def lookup_text(answer: Shown) -> str:
    """Every transaction with its locations and sides, then how far each node was searched."""
    lines = [line for one in answer["transactions"] for line in (*_transaction(one), "")]
    lines += ["Search", *(_searched(one) for one in answer["nodes"])]
    if answer["next"]:
        lines += ["", f"Not complete. Continue with the same options and --cursor {answer['next']}"]
    return "\n".join(lines) + "\n"


def _transaction(one: Shown) -> Iterator[str]:
    origin = f" on {one['origin']}" if one["origin"] else ""
    rows = "rows not counted" if one["rows"] is None else pluralize(one["rows"], "row")
    yield f"{one['summary']}: {rows}, written{origin} (server id {one['server_id']}) at {_time(one['at'])}"
    if one["statement"]:
        yield f"  {one['statement']}"
    for node in one["nodes"]:
        yield from _node(node)
    for side in one["sides"]:
        origin = ", where it was written" if side["is_origin"] else ""
        yield f"  on {side['cluster']}{origin}: {side['held']}. {side['detail']}"
        yield from (f"    {proof['family']}: {proof['detail']}" for proof in side["evidence"])


def _node(node: Shown) -> Iterator[str]:
    location = node["location"]
    if location is None:
        yield f"  {node['node']}: {node['state'].replace('_', ' ')}. {node['detail']}"
        return
    yield f"  {node['node']}: {_logged(location)}, {location['bytes']:,} bytes"
    for name in ("before", "after"):
        neighbour = location[name]
        text = _NEIGHBOURS.get(neighbour["state"])
        yield f"    {name:<6} {text or _logged(neighbour['transaction']) + ', ' + neighbour['transaction']['summary']}"


def _logged(one: Shown) -> str:
    numbers = [f"GTID {one['gtid']}" if one["gtid"] else "no GTID", f"Xid {one['xid']}" if one["xid"] else "no Xid"]
    return f"{one['file']}:{one['position']} to {one['end_position']}, {', '.join(numbers)}"


def _searched(node: Shown) -> str:
    if node["from"] is None:
        return f"  {node['node']}: {node['detail']}"
    read = (
        f"{_position(node['from'])} to {_position(node['to'])}, {pluralize(node['transactions'], 'transaction')} read"
    )
    return f"  {node['node']}: {pluralize(node['found'], 'transaction')} found, {read}. {node['detail']}".rstrip()


def rows_text(rows: Shown) -> str:
    """The rows of one transaction."""
    lines = [f"\nRows on {rows['node']}, from {_position(rows['from'])}"]
    for row in rows["rows"]:
        lines.append(f"  {row['operation']} {row['schema']}.{row['table']}")
        lines += [f"    {name:<6} {row[name]}" for name in ("before", "after") if row[name] is not None]
    return "\n".join([*lines, *([f"  {rows['detail']}"] if rows["detail"] else [])]) + "\n"


def _position(position: Shown) -> str:
    return f"{position['file']}:{position['position']}"


def _time(at: Any) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"
