"""Reads what nodes hold, side by side: names with the monitor account, rows with the operator account."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from backend.core.equal_data.contents import SideContents, read_contents
from backend.core.ports import NodeError
from backend.gateway.gateway import NodeGateway
from backend.gateway.grants import parse
from backend.gateway.reader import Reader


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


def _require_all_visible(node: str, listing: Reader) -> None:
    """A server leaves out of its list what an account may not see: two sides with hidden tables would look equal."""
    rows = listing.query("SHOW GRANTS FOR CURRENT_USER")
    if parse(str(next(iter(row.values()))) for row in rows).lacks(("REFERENCES",)):
        raise NodeError(node, "the monitor account lacks REFERENCES on *.*, so that tables may be hidden from it")
