"""Reads what the plan of a new link rests on besides its servers' state: the tables of both sides, and the TLS mode."""

from __future__ import annotations

from backend.clusters.models import Link
from backend.core.checks.context import CheckContext
from backend.core.equal_data.comparison import differences
from backend.core.plans.equal_sides import COMPARE_LIMIT_S, ComparedSides
from backend.core.ports import NodeError
from backend.core.steps.probe_objects import TABLE_SQL
from backend.gateway.connection.endpoint import TlsMode
from backend.gateway.gateway import NodeGateway
from backend.gateway.side_contents import missing_grants, read_sides


def default_channel_tls(link: Link) -> str:
    """On where the console itself uses TLS to both clusters: their servers then offer it."""
    modes = (link.active_cluster.tls_mode, link.standby_cluster.tls_mode)
    return "off" if TlsMode.DISABLED.value in modes else "on"


def compared_sides(ctx: CheckContext, gateway: NodeGateway) -> ComparedSides:
    """Both sides' tables by name and definition; rows are compared in the run."""
    standby = ctx.pair[1]
    try:
        missing = missing_grants(gateway, [node.node.id for node in ctx.pair])
        if missing:
            return ComparedSides(missing=missing)
        one_side, other_side = read_sides(
            gateway, [node.node.id for node in ctx.pair], has_checksums=False, limit_s=COMPARE_LIMIT_S
        )
        rows = gateway.reader(standby.node.id).query(TABLE_SQL)
    except NodeError as error:
        return ComparedSides(unread=str(error))
    return ComparedSides(
        tables=len(one_side.tables),
        size_bytes=max(one_side.size_bytes, other_side.size_bytes),
        differences=differences(one_side, other_side, has_checksums=False),
        probe_missing=None if int(str(rows[0]["n"])) else standby,
    )
