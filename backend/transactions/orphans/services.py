"""Scans for orphans and stores the result."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import islice

from django.utils import timezone

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common.errors import conflict
from backend.common.retention import delete_in_portions
from backend.core.facts.incarnation import Incarnation, returned_side
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.orphans.scan import UnknownDivergenceError
from backend.core.orphans.serialization import shape_to_json, transaction_to_json
from backend.core.orphans.tally import OrphanTally
from backend.core.orphans.transactions import TooManyError
from backend.core.ports import NodeError
from backend.gateway.gateway import NodeGateway
from backend.monitoring import link_roles
from backend.monitoring.link_gateway import gateway_for_link, open_divergence
from backend.transactions.orphans.models import Orphan, OrphanScan
from backend.transactions.orphans.scanned_logs import ScannedLog, unchanged_logs
from backend.transactions.orphans.scanning import OrphanSource, ScanResult, scan_nodes, sides

CHUNK = 500
_UNREAD = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of a scan that is still being read: the oldest of all, so that it is never the latest one."""
_LEFT_OVER = timedelta(hours=2)
"""Longer than any scan takes: an unread scan of this age is of a process that ended during it."""


def scan(*, actor: str, link: Link) -> OrphanScan:
    """Scan now; 409 where the link has no side to reconcile."""
    divergence = open_divergence(link.id)
    if divergence is None:
        raise conflict("not_diverged", "This link has no failover to reconcile, so there are no orphaned transactions.")
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
    """Scan through an open gateway, and store the result.

    A rebuilt side has nothing of its earlier history, so the last scan before that remains the result.
    """
    found = _scanned(link, divergence, facts, gateway)
    count = found.transactions if found.state in ("found", "none") else None
    link_roles.record_orphans(link.id, divergence.run_id, count, found.scanned_at)
    return found


def _scanned(link: Link, divergence: Divergence, facts: LinkFacts, gateway: NodeGateway) -> OrphanScan:
    back = returned_side(facts)
    if back is not None and back.kind is Incarnation.REBUILT:
        known = OrphanScan.objects.filter(link=link, divergence_run=divergence.run_id).first()
        message = (
            f"{back.side.name} was rebuilt before any scan. Its orphaned transactions are unknown and can no longer "
            "be read."
        )
        return known or _keep(link, divergence, ScanResult("unknown", message))
    return _renewed(link, divergence, facts, gateway) or _keep(link, divergence, scan_nodes(facts, divergence, gateway))


def _renewed(link: Link, divergence: Divergence, facts: LinkFacts, gateway: NodeGateway) -> OrphanScan | None:
    """The latest scan, if nothing was written on any node of that side since; None where a new scan is needed.

    Otherwise a plan with half a million orphans would read an unchanged log on a fenced side for minutes.
    """
    known = OrphanScan.objects.filter(link=link, divergence_run=divergence.run_id).first()
    if known is None or known.state != "found":
        return None
    lost, _ = sides(facts, divergence)
    logs = unchanged_logs(lost, [ScannedLog(**data) for data in known.node_logs], gateway)
    if not logs:
        return None
    known.node_logs = [asdict(log) for log in logs]
    known.last_position = next(log.ends for log in logs if log.node_id == known.node_id)
    known.scanned_at = timezone.now()
    known.save(update_fields=["node_logs", "last_position", "scanned_at"])
    return known


def _keep(link: Link, divergence: Divergence, found: ScanResult) -> OrphanScan:
    """Store the result; orphans are stored as they are read, in a scan that is not visible before its end."""
    row = OrphanScan(link=link, divergence_run=divergence.run_id, cluster_id=divergence.lost_cluster_id)
    row.node_id, row.node = (found.node.node.id, found.node.node.name) if found.node else ("", "")
    row.state, row.detail, row.scanned_at = found.state, found.detail, timezone.now()
    row.node_logs = [asdict(log) for log in found.node_logs]
    if found.orphans is None:
        row.save()
        return row
    for left in OrphanScan.objects.filter(link=link, scanned_at=_UNREAD, first_at__lt=timezone.now() - _LEFT_OVER):
        _forget_orphans(left)
        left.delete()
    try:
        return _read(row, found.orphans)
    except (NodeError, TooManyError, UnknownDivergenceError) as error:
        _forget_orphans(row)
        row.state = "unknown"
        row.detail = f"Reading {row.node} after {found.orphans.log.begins} failed: {error}."
        row.scanned_at = timezone.now()
        row.save()
        return row


def _forget_orphans(scan: OrphanScan) -> None:
    """A scan can have a million of them."""
    while delete_in_portions(scan.orphans.all()):
        pass


def _read(row: OrphanScan, source: OrphanSource) -> OrphanScan:
    """Read and store the orphans; a list that is already stored updates its scan instead of creating another one."""
    note = row.detail
    row.scanned_at, row.first_at = _UNREAD, timezone.now()
    row.save()
    tally = OrphanTally()
    bodies = (Orphan(scan=row, index=one.index, body=transaction_to_json(one)) for one in tally.counted(source))
    while some := list(islice(bodies, CHUNK)):  # one transaction each: the database ends one that is idle too long
        Orphan.objects.bulk_create(some)
    row.state = "found" if tally.count else "none"
    row.detail = source.sentence(tally.count) + note
    _fill(row, source, tally)
    known = OrphanScan.objects.filter(link=row.link, divergence_run=row.divergence_run).exclude(pk=row.pk).first()
    if (
        known is not None
        and (known.state, known.digest, known.node_id) == (row.state, row.digest, row.node_id)
        and _has_same_form(known, row)
    ):
        _forget_orphans(row)
        row.delete()
        row.pk = known.pk
    row.scanned_at = timezone.now()
    row.save()
    return row


def _has_same_form(known: OrphanScan, row: OrphanScan) -> bool:
    """Whether its orphans were stored in the current form."""
    return bool(known.schema_changes == row.schema_changes)


def _fill(row: OrphanScan, source: OrphanSource, tally: OrphanTally) -> None:
    row.first_position, row.last_position = str(source.log.begins), str(source.log.ends)
    row.digest, row.transactions, row.rows = tally.digest.hexdigest(), tally.count, tally.rows
    row.tables = [
        {"schema": t.schema, "table": t.table, "inserts": t.inserts, "updates": t.updates, "deletes": t.deletes}
        for t in tally.tables
    ]
    used = {f"{t.schema}.{t.table}" for t in tally.tables}
    tables = source.table_definitions
    row.table_definitions = {name: shape_to_json(shape) for name, shape in tables.items() if shape.name in used}
    row.overwritten = dict(source.overwritten)
    row.refusals = tally.refusals
    row.schema_changes = tally.changes
    row.first_at = datetime.fromtimestamp(tally.first_at_s, UTC) if tally.first_at_s else None
    row.last_at = datetime.fromtimestamp(tally.last_at_s, UTC) if tally.last_at_s else None
