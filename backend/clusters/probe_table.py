"""Creates `hawser.probe` if the request to register a link asks for it."""

from __future__ import annotations

import structlog

from backend.clusters.models import Cluster
from backend.clusters.selectors import cluster_access
from backend.core import probe
from backend.core.ports import NodeError
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.writer import Writer

log = structlog.get_logger(__name__)
_STATEMENT_S = 10.0


def create_probe_table(cluster: Cluster) -> str:
    """Create the table through the first node that allows it; returns the result as a phrase.

    Only on the active side: the channel replicates it, and a passive standby writes nothing, which is evidence in
    itself. A refusal is no error: the verification then reports "not probed".
    """
    refusals = []
    for access in cluster_access(cluster).nodes:
        try:
            _send(access)
        except NodeError as error:
            refusals.append(str(error))
            log.warning("probe.not_created", node=access.ref.name, error=error.message)
        else:
            return f"created through {access.ref.name}"
    return "not created: " + " / ".join(refusals)


def _send(access: NodeAccess) -> None:
    writer = Writer(access.ref, access.operator)
    try:
        for sql in probe.CREATE_SQL:
            writer.execute(sql, secrets={}, timeout_s=_STATEMENT_S)
    finally:
        writer.close()
