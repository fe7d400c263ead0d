"""The forecast of an SST to each node of a cluster, as the API returns it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from backend.adviser.maintenance.absence import shown_donor
from backend.clusters.models import Cluster
from backend.common.errors import invalid
from backend.core.adviser.node_absence.rates import Rate, Window
from backend.core.adviser.node_absence.summary import Absence
from backend.core.adviser.state_transfer.forecast import Forecast, Inputs, Method, forecast, method_given, method_named
from backend.core.adviser.state_transfer.measured import CHECKLIST, RUNS
from backend.core.estimates import FieldError, Unknown
from backend.monitoring.write_sets.absence import cluster_absences

Shown = dict[str, Any]
NO_SIZE = Unknown(
    "Give data_bytes: the size of the donor's data directory, or the sum of DATA_LENGTH and INDEX_LENGTH in "
    "information_schema.TABLES. Hawser does not read it."
)


def state_transfer(cluster: Cluster, given: Mapping[str, Any]) -> Shown:
    """The forecast for each node as the joiner; `given` overrides or adds what is not read."""
    now = timezone.now()
    found = cluster_absences(cluster, now)
    try:
        joiners = [_joiner(one, given, found.rates) for one in found.nodes]
    except FieldError as error:
        raise invalid(error.field, str(error)) from error
    return {
        "cluster_id": cluster.id,
        "cluster_name": cluster.name,
        "at": now,
        "joiners": joiners,
        "checklist": [asdict(tuning) for tuning in CHECKLIST],
        "runs": [asdict(run) for run in RUNS],
    }


def _joiner(one: Absence, given: Mapping[str, Any], rates: Mapping[Window, Rate | Unknown]) -> Shown:
    inputs = _inputs(one, given, rates)
    made = forecast(inputs)
    return {
        "id": one.node.node.id,
        "name": one.node.node.name,
        "method": None if isinstance(inputs.method, Unknown) else inputs.method.value,
        "parts": [_part(part.name.value, part.seconds, part.basis) for part in made.parts],
        "known_s": round(made.known_s, 1),
        "is_whole": made.is_whole,
        "queued_bytes": _queued(made),
        "apply_per_s": None if isinstance(inputs.apply_per_s, Unknown) else round(inputs.apply_per_s, 1),
        "donors": [shown_donor(donor) for donor in one.donors],
    }


def _inputs(one: Absence, given: Mapping[str, Any], rates: Mapping[Window, Rate | Unknown]) -> Inputs:
    rate = rates[Window.HOUR]
    line, throughput = given.get("line_mbit_per_s"), given.get("throughput_mb_per_s")
    return Inputs(
        data_bytes=given.get("data_bytes", NO_SIZE),
        method=_method(one, given),
        line_bits_per_s=None if line is None else line * 1e6,
        throughput_bytes_per_s=None if throughput is None else throughput * 1e6,
        write_sets_per_s=rate if isinstance(rate, Unknown) else rate.write_sets_per_s,
        bytes_per_s=rate if isinstance(rate, Unknown) else rate.bytes_per_s,
        apply_per_s=given.get("apply_per_s", _most_applied(rates)),
    )


def _method(one: Absence, given: Mapping[str, Any]) -> Method | Unknown:
    return method_given(given["method"]) if "method" in given else method_named(one.node.variable("wsrep_sst_method"))


def _most_applied(rates: Mapping[Window, Rate | Unknown]) -> float | Unknown:
    """What every member was seen to apply: the busiest time is a lower bound of what they can."""
    seen = [rate.write_sets_per_s for rate in rates.values() if isinstance(rate, Rate)]
    return max(seen) if seen else Unknown("Give apply_per_s: no write rate is known from which to infer it.")


def _part(name: str, seconds: float | Unknown, basis: str) -> Shown:
    if isinstance(seconds, Unknown):
        return {"name": name, "state": "unknown", "seconds": None, "reason": seconds.reason, "basis": basis}
    return {"name": name, "state": "known", "seconds": round(seconds, 1), "reason": "", "basis": basis}


def _queued(made: Forecast) -> int | None:
    return None if isinstance(made.queued_bytes, Unknown) else round(made.queued_bytes)
