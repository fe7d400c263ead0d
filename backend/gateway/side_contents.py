"""Reads what nodes hold, side by side: names with the monitor account, rows with the operator account."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from backend.core.equal_data.contents import LIST_SQL, VIEW, MissingGrants, SideContents, read_contents
from backend.core.ports import NodeError
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.excess_grants import READING, READING_TABLES
from backend.gateway.gateway import NodeGateway
from backend.gateway.grants import HeldPrivileges, held_privileges, schema_pattern
from backend.gateway.reader import Reader

_LISTING = ("REFERENCES",)
_EVERYTHING = "*.*"


def read_sides(
    gateway: NodeGateway, node_ids: Sequence[str], *, has_checksums: bool, limit_s: float
) -> Sequence[SideContents]:
    """What each node holds, in order; raises NodeError."""

    def one(node_id: str) -> SideContents:
        access = gateway.access(node_id)
        listing = Reader(access.ref, access.monitor)
        tables = Reader(access.ref, access.operator, read_s=limit_s)
        try:
            _require_all_visible(access.ref.name, listing)
            return read_contents(access.ref.name, listing, tables, has_checksums=has_checksums, limit_s=limit_s)
        finally:
            listing.close()
            tables.close()

    with ThreadPoolExecutor(max_workers=max(1, len(node_ids))) as pool:
        return list(pool.map(one, node_ids))


def missing_grants(gateway: NodeGateway, node_ids: Sequence[str]) -> tuple[MissingGrants, ...]:
    """What the accounts lack on each node to read every table; raises NodeError."""
    with ThreadPoolExecutor(max_workers=max(1, len(node_ids))) as pool:
        found = pool.map(lambda node_id: _missing_on(gateway.access(node_id)), node_ids)
        return tuple(missing for each in found for missing in each)


def _missing_on(access: NodeAccess) -> list[MissingGrants]:
    listing, tables = Reader(access.ref, access.monitor), Reader(access.ref, access.operator)
    try:
        monitor, held = held_privileges(listing), held_privileges(tables)
        if monitor.lacks(_LISTING):
            everything = [(_EVERYTHING, _LISTING)]
            return [_missing(access.ref.name, "monitor", monitor, "tables may be hidden from it", everything)]
        unread = [
            (schema, lacking)
            for schema, kinds in _kinds_by_schema(listing).items()
            if (lacking := held.lacks(READING if VIEW in kinds else READING_TABLES, schema))
        ]
        needed = [(f"{schema_pattern(schema)}.*", lacking) for schema, lacking in unread]
        why = f"it cannot read {', '.join(schema for schema, _ in unread)}"
        return [_missing(access.ref.name, "operator", held, why, needed)] if unread else []
    finally:
        listing.close()
        tables.close()


def _kinds_by_schema(listing: Reader) -> dict[str, set[str]]:
    """What each schema holds: tables, views, sequences."""
    found: dict[str, set[str]] = {}
    for row in listing.query(LIST_SQL):
        found.setdefault(str(row["schema"]), set()).add(str(row["type"]))
    return found


def _missing(
    node: str, role: str, held: HeldPrivileges, why: str, needed: Sequence[tuple[str, Sequence[str]]]
) -> MissingGrants:
    account = held.account
    lacks = ", ".join(dict.fromkeys(name for _, names in needed for name in names))
    statements = (f"GRANT {', '.join(names)} ON {where} TO {account};" for where, names in needed)
    return MissingGrants(
        node, f"the {role} account {account} lacks {lacks}, so that {why}", tuple(statements) if account else ()
    )


def _require_all_visible(node: str, listing: Reader) -> None:
    """A server leaves out of its list what an account may not see: two sides with hidden tables would look equal."""
    if held_privileges(listing).lacks(_LISTING):
        raise NodeError(node, "the monitor account lacks REFERENCES on *.*, so that tables may be hidden from it")
