"""The forecast of an SST to each node of a cluster, as the API returns it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from backend.adviser.maintenance.absence import donor_shown
from backend.adviser.maintenance.outputs import Joiner, StateTransfer, TransferPart
from backend.clusters.models import Cluster
from backend.common.errors import invalid
from backend.core.adviser.node_absence.rates import Rate, Window
from backend.core.adviser.node_absence.summary import Absence
from backend.core.adviser.state_transfer.forecast import Inputs, Method, Part, forecast, method_given, method_named
from backend.core.adviser.state_transfer.measured import CHECKLIST, RUNS
from backend.core.estimates import FieldError, Unknown, known, parted
from backend.monitoring.write_sets.absence import cluster_absences

NO_SIZE = Unknown(
    "Give data_bytes: the size of the donor's data directory, or the sum of DATA_LENGTH and INDEX_LENGTH in "
    "information_schema.TABLES. Hawser does not read it."
)


def state_transfer(cluster: Cluster, given: Mapping[str, Any]) -> StateTransfer:
    """The forecast for each node as the joiner; `given` overrides or adds what is not read."""
    now = timezone.now()
    found = cluster_absences(cluster, now)
    try:
        joiners = tuple(_joiner(one, given, found.rates) for one in found.nodes)
    except FieldError as error:
        raise invalid(error.field, str(error)) from error
    return StateTransfer(cluster.id, cluster.name, now, joiners, CHECKLIST, RUNS)


def _joiner(one: Absence, given: Mapping[str, Any], rates: Mapping[Window, Rate | Unknown]) -> Joiner:
    inputs = _inputs(one, given, rates)
    made = forecast(inputs)
    queued = known(made.queued_bytes)
    return Joiner(
        one.node.node.id,
        one.node.node.name,
        known(inputs.method),
        tuple(map(_part, made.parts)),
        made.known_s,
        made.is_whole,
        None if queued is None else round(queued),
        known(inputs.apply_per_s),
        tuple(map(donor_shown, one.donors)),
    )


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


def _part(part: Part) -> TransferPart:
    seconds, reason = parted(part.seconds)
    return TransferPart(part.name, "unknown" if seconds is None else "known", seconds, reason, part.basis)
