"""Measures on request: refused, or bounded, recorded before the first write, and stored whatever became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.adviser.concurrency.calibration.models import Calibration, Kind, State
from backend.adviser.concurrency.calibration.outputs import CommitsResult, HeartbeatResult
from backend.adviser.concurrency.calibration.results import beats_shown, commits_shown
from backend.adviser.concurrency.calibration.surroundings import links_around, watch_of
from backend.audit import services as audit
from backend.clusters.models import Cluster, Link, Node
from backend.clusters.selectors import cluster_access
from backend.common.errors import conflict, invalid
from backend.common.rest.outputs import serializer_of
from backend.core.adviser.calibration.bounds import MOST_S, Bounds
from backend.core.adviser.calibration.decision import Reason, around, refusal
from backend.core.adviser.calibration.heartbeat import BEATS, PAUSE_S
from backend.core.estimates import FieldError
from backend.core.ports import NodeError
from backend.gateway.calibration import commits, heartbeat, node
from backend.gateway.connection.endpoint import NodeAccess

LOST_AFTER = timedelta(seconds=60)
"""No measurement takes longer: a process that has one open for longer has ended."""
KEPT = 50
Measured = tuple[CommitsResult | HeartbeatResult, Reason | None, str]


def calibrate(*, actor: str, cluster: Cluster, given: Mapping[str, Any]) -> Calibration:
    """Commit rows with 1, 4 and 16 writers on one node, and compare with the model."""
    _check_confirmed(given["confirm"], "cluster", cluster.name)
    bounds = _bounds(given)
    access = next((one for one in cluster_access(cluster).nodes if one.ref.id == given["node"]), None)
    if access is None:
        raise invalid("node", f"{given['node'][:40]} is not a node of {cluster.name}. Nothing was written. Choose one.")
    _check(access, cluster)

    def measure(row: Calibration) -> Measured:
        written = commits.write_commits(access, row.id, bounds, watch_of(cluster, bounds))
        return commits_shown(written), written.stopped, written.left

    settings = {**asdict(bounds), "writers": list(bounds.writers)}
    return _measured(_begin(actor, Kind.COMMITS, cluster, access, None, given["reason"], settings), measure)


def measure_heartbeat(*, actor: str, link: Link, given: Mapping[str, Any]) -> Calibration:
    """Write a row five times a second for four seconds on the active side, and look for each on the other."""
    _check_confirmed(given["confirm"], "link", link.name)
    cluster, peers = link.active_cluster, cluster_access(link.standby_cluster).nodes
    access = _source(cluster)
    bounds = Bounds(seconds=MOST_S)

    def measure(row: Calibration) -> Measured:
        found = heartbeat.write_beats(access, peers, row.id, watch_of(cluster, bounds))
        return beats_shown(found, peers), found.stopped, found.left

    settings = {"rows": BEATS, "pause_s": PAUSE_S}
    return _measured(_begin(actor, Kind.HEARTBEAT, cluster, access, link, given["reason"], settings), measure)


def _check_confirmed(confirm: str, noun: str, name: str) -> None:
    if confirm != name:
        raise invalid(
            "confirm",
            f"The confirmation does not match. Nothing was written. Type the {noun}'s name exactly: {name}",
            code="wrong_confirmation",
            status=422,
        )


def _bounds(given: Mapping[str, Any]) -> Bounds:
    fields = {name: given[name] for name in ("seconds", "rows", "row_bytes") if name in given}
    if "writers" in given:
        fields["writers"] = tuple(given["writers"])
    try:
        return Bounds(**fields)
    except FieldError as error:
        raise invalid(error.field, str(error)) from error


def _check(access: NodeAccess, cluster: Cluster) -> None:
    """The console's own records first: a node is not even asked while they speak against it."""
    links = links_around(cluster)
    _raise(around(links))
    _raise(refusal(node.around(access), links))


def _source(cluster: Cluster) -> NodeAccess:
    """The first node of the active side that can be written to."""
    links = links_around(cluster)
    _raise(around(links))
    reason: Reason | None = None
    for access in cluster_access(cluster).nodes:
        reason = refusal(node.around(access), links)
        if reason is None:
            return access
    _raise(reason)
    raise AssertionError("a registered cluster has nodes")


def _raise(reason: Reason | None) -> None:
    if reason is not None:
        raise conflict(reason.code, f"{reason.sentence} Nothing was written.")


def _begin(
    actor: str,
    kind: Kind,
    cluster: Cluster,
    access: NodeAccess,
    link: Link | None,
    reason: str,
    settings: dict[str, Any],
) -> Calibration:
    lost = Calibration.objects.filter(unfinished=True, started_at__lt=timezone.now() - LOST_AFTER)
    lost.update(
        unfinished=None,
        state=State.INTERRUPTED,
        sentence="The process that measured ended. The next measurement removes the rows.",
    )
    try:
        with transaction.atomic():
            row = Calibration.objects.create(
                kind=kind,
                cluster=cluster,
                link=link,
                node=Node.objects.get(pk=access.ref.id),
                actor=actor,
                reason=reason,
                settings=settings,
            )
            audit.record(
                action="api:calibration:start",
                facts={"cluster_id": cluster.pk, "node": access.ref.name, "kind": kind.value, **settings},
                **_subject(row),
            )
    except IntegrityError as error:
        raise conflict(
            "calibration_running",
            "Another measurement goes on. Nothing was written. Try again when it has ended, within a minute.",
        ) from error
    return row


def _measured(row: Calibration, measure: Callable[[Calibration], Measured]) -> Calibration:
    try:
        result, stopped, left = measure(row)
        row.result = dict(serializer_of(type(result))(result).data)
        row.state = State.FINISHED if stopped is None else State.STOPPED
        row.stop_code = stopped.code if stopped else ""
        row.sentence = " ".join(filter(None, (stopped.sentence if stopped else "", _left(left))))
    except NodeError as error:
        row.state, row.sentence = State.FAILED, f"Nothing was measured: {error}."
    except BaseException:
        row.state, row.sentence = State.FAILED, "The console failed while it measured; its log says why."
        _end(row)
        raise
    _end(row)
    return row


def _left(why: str) -> str:
    return f"Its rows could not be removed ({why}); the next measurement removes them." if why else ""


def _end(row: Calibration) -> None:
    row.ended_at, row.unfinished = timezone.now(), None
    with transaction.atomic():
        row.save()
        audit.record(
            action="api:calibration:end",
            facts={"cluster_id": row.cluster_id, "kind": row.kind, "state": row.state, "stop_code": row.stop_code},
            **_subject(row),
        )
    older = Calibration.objects.filter(cluster=row.cluster_id, kind=row.kind).order_by("-started_at", "-pk")
    Calibration.objects.filter(pk__in=list(older.values_list("pk", flat=True)[KEPT : KEPT + 100])).delete()


def _subject(row: Calibration) -> dict[str, str]:
    """Who measured what and why, in both records."""
    return {"actor": row.actor, "link_id": row.link_id or "", "target": row.id, "reason": row.reason}
