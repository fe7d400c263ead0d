"""Looks for orphans and keeps what it finds."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common.errors import conflict
from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.orphans.model import by_table
from backend.core.orphans.serialization import shape_to_json, transaction_to_json
from backend.gateway.gateway import NodeGateway
from backend.monitoring.link_gateway import gateway_for_link, open_divergence
from backend.orphans.models import Orphan, OrphanScan
from backend.orphans.scanning import ScanResult, scan_nodes

CHUNK = 200


def scan(*, actor: str, link: Link) -> OrphanScan:
    """Look now; 409 where the link has no side to reconcile."""
    divergence = open_divergence(link.id)
    if divergence is None:
        raise conflict("not_diverged", "No failover of this link waits to be reconciled: there are no orphans.")
    gateway = gateway_for_link(link)
    try:
        found = scan_with(link, divergence, gateway.observe_link(), gateway)
    finally:
        gateway.close()
    audit.record(
        actor=actor,
        action="api:orphans:scan",
        link_id=link.id,
        target=found.id,
        facts={"state": found.state, "transactions": found.transactions, "rows": found.rows, "node": found.node},
    )
    return found


def scan_with(link: Link, divergence: Divergence, facts: LinkFacts, gateway: NodeGateway) -> OrphanScan:
    """Look with a gateway at hand, and keep the answer.

    A side that was rebuilt holds nothing of what it was: what was found before stays the record.
    """
    back = returned_side(facts)
    if back is not None and back.kind is Incarnation.REBUILT:
        known = OrphanScan.objects.filter(link=link, divergence_run=divergence.run_id).first()
        message = f"{back.side.name} was rebuilt: what it held alone cannot be read any more, and nobody had looked."
        return known or _keep(link, divergence, ScanResult("unknown", message))
    return _keep(link, divergence, scan_nodes(facts, divergence, gateway))


def _keep(link: Link, divergence: Divergence, found: ScanResult) -> OrphanScan:
    latest = OrphanScan.objects.filter(link=link, divergence_run=divergence.run_id).first()
    node_id = found.node.node.id if found.node else ""
    same = latest is not None and (latest.state, latest.digest, latest.node_id) == (
        found.state, found.book.digest, node_id,
    )  # fmt: skip
    row = latest if same and latest is not None else OrphanScan(link=link, divergence_run=divergence.run_id)
    row.cluster_id = divergence.lost_cluster_id
    row.node_id, row.node = node_id, found.node.node.name if found.node else ""
    row.state, row.detail, row.scanned_at = found.state, found.detail, timezone.now()
    row.first_position = str(found.diverged_log.begins) if found.diverged_log else ""
    row.last_position = str(found.diverged_log.ends) if found.diverged_log else ""
    _fill(row, found)
    # Written out before the transaction begins: the database ends one that stands idle for seconds.
    bodies = [] if same else [(one.index, transaction_to_json(one)) for one in found.book.transactions]
    with transaction.atomic():
        row.save()
        Orphan.objects.bulk_create((Orphan(scan=row, index=index, body=body) for index, body in bodies), CHUNK)
    return row


def _fill(row: OrphanScan, found: ScanResult) -> None:
    book = found.book
    row.digest = book.digest
    row.transactions = len(book.transactions)
    row.rows = sum(len(one.rows) for one in book.transactions)
    row.tables = [
        {"schema": t.schema, "table": t.table, "inserts": t.inserts, "updates": t.updates, "deletes": t.deletes}
        for t in by_table(book.transactions)
    ]
    row.overwritten = dict(book.overwritten)
    row.table_definitions = {name: shape_to_json(shape) for name, shape in book.table_definitions.items()}
    times = [one.at_s for one in book.transactions if one.at_s]
    row.first_at = datetime.fromtimestamp(min(times), UTC) if times else None
    row.last_at = datetime.fromtimestamp(max(times), UTC) if times else None
