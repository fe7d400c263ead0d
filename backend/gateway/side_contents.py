"""Reads what nodes hold, side by side: names with the monitor account, rows with the operator account."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from backend.core.equal_data.contents import SideContents, read_contents
from backend.gateway.gateway import NodeGateway
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
            return read_contents(access.ref.name, listing, tables, has_checksums=has_checksums, limit_s=limit_s)
        finally:
            listing.close()
            tables.close()

    with ThreadPoolExecutor(max_workers=max(1, len(node_ids))) as pool:
        return list(pool.map(one, node_ids))
