"""The absences of a cluster's nodes as the API and the command return them."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from backend.adviser.maintenance import outputs
from backend.adviser.maintenance.outputs import (
    AbsenceTime,
    Gcache,
    NodeAbsence,
    NodeAbsenceEntry,
    TimeState,
    WriteRate,
)
from backend.clusters.models import Cluster
from backend.common.rest.outputs import filled
from backend.core.adviser.node_absence.cache import Cache, is_full
from backend.core.adviser.node_absence.donors import Donor, segment_of
from backend.core.adviser.node_absence.forecast import Time, Unlimited
from backend.core.adviser.node_absence.rates import LENGTH_S, Rate, Window
from backend.core.adviser.node_absence.summary import Absence
from backend.core.estimates import Unknown, known, parted
from backend.monitoring.models import AbsenceAlarm
from backend.monitoring.times import from_unix
from backend.monitoring.write_sets.absence import ClusterAbsences, cluster_absences


def node_absence(cluster: Cluster) -> NodeAbsence:
    """Every node of a cluster: IST or SST, the time until then, and its donors."""
    now = timezone.now()
    found = cluster_absences(cluster, now)
    alarms = AbsenceAlarm.objects.in_bulk([one.node.node.id for one in found.nodes])
    return NodeAbsence(
        cluster.id,
        cluster.name,
        now,
        settings.HAWSER_ABSENCE_ALARM_MINUTES * 60 or None,
        tuple(_rate(window, rate) for window, rate in found.rates.items()),
        tuple(_node(one, found, alarms.get(one.node.node.id)) for one in found.nodes),
    )


def _rate(window: Window, rate: Rate | Unknown) -> WriteRate:
    if isinstance(rate, Unknown):
        return WriteRate(window, LENGTH_S[window], reason=rate.reason)
    return WriteRate(window, LENGTH_S[window], round(rate.covered_s), rate.write_sets_per_s, rate.bytes_per_s)


def _node(one: Absence, found: ClusterAbsences, alarm: AbsenceAlarm | None) -> NodeAbsenceEntry:
    node = one.node.node
    position = found.positions.get(node.id)
    return filled(
        NodeAbsenceEntry,
        one,
        node,
        last_seqno=_number(one.last_seqno),
        last_read_at=_read_at(one, None if position is None else position.at_s),
        missed_write_sets=_number(one.missed),
        times=tuple(AbsenceTime(window, *time_shown(time)) for window, time in one.times.items()),
        gcache=_cache(one.cache, found.rates[Window.HOUR]),
        segment=segment_of(one.node),
        donors=tuple(map(donor_shown, one.donors)),
        alarm_since=None if alarm is None else alarm.since,
    )


def _read_at(one: Absence, counted_at_s: float | None) -> datetime | None:
    if one.is_member:
        return from_unix(one.node.observed_at_s)
    return None if counted_at_s is None else from_unix(counted_at_s)


def time_shown(time: Time) -> tuple[TimeState, float | None, str]:
    """Its state, and the seconds, or why there is no number."""
    if isinstance(time, Unknown):
        return "unknown", None, time.reason
    if isinstance(time, Unlimited):
        return "unlimited", None, time.reason
    return "known", time, ""


def _cache(cache: Cache, rate: Rate | Unknown) -> Gcache:
    full = is_full(cache, rate)
    reasons = (reason for _, reason in map(parted, (cache.size_bytes, cache.downto, full)) if reason)
    return Gcache(_number(cache.size_bytes), _number(cache.downto), _number(cache.held), known(full), next(reasons, ""))


def donor_shown(donor: Donor) -> outputs.Donor:
    """A donor with its reasons."""
    return filled(outputs.Donor, donor, donor.node.node)


def _number(value: int | Unknown) -> int | None:
    """A seqno of -1 is "nothing of this history", which is no number to show."""
    return None if isinstance(value, Unknown) or value < 0 else value
