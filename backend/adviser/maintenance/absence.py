"""The absences of a cluster's nodes as the API and the command return them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from backend.clusters.models import Cluster
from backend.core.adviser.node_absence.cache import Cache, is_full
from backend.core.adviser.node_absence.donors import Donor, segment_of
from backend.core.adviser.node_absence.forecast import Time, Unlimited
from backend.core.adviser.node_absence.rates import LENGTH_S, Rate, Window
from backend.core.adviser.node_absence.summary import Absence
from backend.core.estimates import Unknown
from backend.monitoring.models import AbsenceAlarm
from backend.monitoring.times import from_unix
from backend.monitoring.write_sets.absence import ClusterAbsences, cluster_absences

Shown = dict[str, Any]


def node_absence(cluster: Cluster) -> Shown:
    """Every node of a cluster: IST or SST, the time until then, and its donors."""
    now = timezone.now()
    found = cluster_absences(cluster, now)
    alarms = AbsenceAlarm.objects.in_bulk([one.node.node.id for one in found.nodes])
    return {
        "cluster_id": cluster.id,
        "cluster_name": cluster.name,
        "at": now,
        "threshold_s": settings.HAWSER_ABSENCE_ALARM_MINUTES * 60 or None,
        "rates": [_rate(window, rate) for window, rate in found.rates.items()],
        "nodes": [_node(one, found, alarms) for one in found.nodes],
    }


def _rate(window: Window, rate: Rate | Unknown) -> Shown:
    if isinstance(rate, Unknown):
        shown: Shown = {"write_sets_per_s": None, "bytes_per_s": None, "covered_s": None, "reason": rate.reason}
    else:
        shown = {
            "write_sets_per_s": round(rate.write_sets_per_s, 3),
            "bytes_per_s": round(rate.bytes_per_s, 1),
            "covered_s": round(rate.covered_s),
            "reason": "",
        }
    return {"window": window.value, "length_s": LENGTH_S[window], **shown}


def _node(one: Absence, found: ClusterAbsences, alarms: Mapping[str, AbsenceAlarm]) -> Shown:
    node, alarm, position = one.node.node, alarms.get(one.node.node.id), found.positions.get(one.node.node.id)
    return {
        "id": node.id,
        "name": node.name,
        "verdict": one.verdict.value,
        "reason": one.reason,
        "last_seqno": _number(one.last_seqno),
        "last_read_at": _read_at(one, None if position is None else position.at_s),
        "missed_write_sets": _number(one.missed),
        "times": [{"window": window.value, **shown_time(time)} for window, time in one.times.items()],
        "gcache": _cache(one.cache, found.rates[Window.HOUR]),
        "segment": segment_of(one.node),
        "donors": [shown_donor(donor) for donor in one.donors],
        "alarm_since": None if alarm is None else alarm.since,
    }


def _read_at(one: Absence, counted_at_s: float | None) -> datetime | None:
    if one.is_member:
        return from_unix(one.node.observed_at_s)
    return None if counted_at_s is None else from_unix(counted_at_s)


def shown_time(time: Time) -> Shown:
    """Seconds, or why there is no number."""
    if isinstance(time, Unknown):
        return {"state": "unknown", "seconds": None, "reason": time.reason}
    if isinstance(time, Unlimited):
        return {"state": "unlimited", "seconds": None, "reason": time.reason}
    return {"state": "known", "seconds": round(time, 1), "reason": ""}


def _cache(cache: Cache, rate: Rate | Unknown) -> Shown:
    full = is_full(cache, rate)
    unknown = (value for value in (cache.size_bytes, cache.downto, full) if isinstance(value, Unknown))
    return {
        "size_bytes": _number(cache.size_bytes),
        "cached_downto": _number(cache.downto),
        "held_write_sets": _number(cache.held),
        "is_full": None if isinstance(full, Unknown) else full,
        "reason": next((value.reason for value in unknown), ""),
    }


def shown_donor(donor: Donor) -> Shown:
    """A donor with its reasons."""
    return {
        "id": donor.node.node.id,
        "name": donor.node.node.name,
        "is_possible": donor.is_possible,
        "is_advised": donor.is_advised,
        "reasons_for": list(donor.reasons_for),
        "reasons_against": list(donor.reasons_against),
    }


def _number(value: int | Unknown) -> int | None:
    """A seqno of -1 is "nothing of this history", which is no number to show."""
    return None if isinstance(value, Unknown) or value < 0 else value
