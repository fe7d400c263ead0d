"""Results of measurements as they are stored; None is unknown, with its reason beside it."""

from __future__ import annotations

from collections.abc import Sequence

from backend.adviser.concurrency.calibration.outputs import (
    CalibrationLatency,
    CalibrationStep,
    CommitsResult,
    HeartbeatNode,
    HeartbeatResult,
)
from backend.common.rest.outputs import filled
from backend.core.adviser.calibration.commits import Compared, compared
from backend.core.adviser.calibration.heartbeat import Heartbeat
from backend.core.estimates import Unknown, known, parted
from backend.core.topology import NodeRef
from backend.gateway.calibration.commits import Written
from backend.gateway.calibration.heartbeat import Beats
from backend.gateway.connection.endpoint import NodeAccess


def commits_shown(written: Written) -> CommitsResult:
    """Each number of writers beside the model."""
    console_ms, window = written.console_ms or 0.0, written.window
    latency, reason = parted(written.latency)
    return CommitsResult(
        console_ms,
        None if latency is None else filled(CalibrationLatency, latency),
        reason,
        known(window),
        tuple(_step(compared(step, written.latency, window, console_ms)) for step in written.steps),
    )


def _step(found: Compared) -> CalibrationStep:
    model, (apart, reason) = known(found.model), parted(found.apart)
    return CalibrationStep(
        found.writers,
        found.commits,
        known(found.per_s),
        p50_ms=found.percentiles.get("p50_ms"),
        p95_ms=found.percentiles.get("p95_ms"),
        model_low_per_s=None if model is None else model.low,
        model_high_per_s=None if model is None else model.high,
        apart_percent=None if apart is None else apart * 100,
        reason=reason,
    )


def beats_shown(found: Beats, peers: Sequence[NodeAccess]) -> HeartbeatResult:
    """Each node of the other side."""
    missing = Unknown("It was not asked.")
    return HeartbeatResult(tuple(_heartbeat(one.ref, found.nodes.get(one.ref.id, missing)) for one in peers))


def _heartbeat(node: NodeRef, found: Heartbeat | Unknown) -> HeartbeatNode:
    if isinstance(found, Unknown):
        return HeartbeatNode(node.id, node.name, reason=found.reason)
    return filled(HeartbeatNode, found, node_id=node.id, node=node.name, reason="")
