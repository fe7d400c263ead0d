"""Calibrations and heartbeats as the API returns them, and their results as they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from backend.adviser.concurrency.calibration.models import State
from backend.core.adviser.network.sql_facts import GroupLatency
from backend.core.estimates import Hundredths, Tenths

STATES = [state.value for state in State]


@dataclass(frozen=True, slots=True)
class CalibrationLatency(GroupLatency):
    """`wsrep_evs_repl_latency` after the commits."""


@dataclass(frozen=True, slots=True)
class CalibrationStep:
    """So many writers at a time; null = unknown, `reason` says why nothing is compared."""

    writers: int
    commits: int
    per_s: Hundredths | None
    p50_ms: Annotated[Hundredths | None, "as the console waited for it"]
    p95_ms: Hundredths | None
    model_low_per_s: Annotated[Hundredths | None, "the console's round trip is added"]
    model_high_per_s: Hundredths | None
    apart_percent: Annotated[Tenths | None, "by how much the rate is beyond the model's range; 0 inside of it"]
    reason: str


@dataclass(frozen=True, slots=True)
class CommitsResult:
    """What writers reached, beside the model."""

    console_ms: Annotated[Hundredths, "round trip from the console to the node"]
    latency: CalibrationLatency | None
    latency_reason: str
    send_window: int | None
    steps: tuple[CalibrationStep, ...]


@dataclass(frozen=True, slots=True)
class HeartbeatNode:
    """From the write on the active side until the row was seen on this node; null = `reason` says why."""

    node_id: str
    node: str
    median_ms: Hundredths | None = None
    error_ms: Annotated[
        Hundredths | None, "the most that the median can be wrong: half a round trip to each server, and polls"
    ] = None
    least_ms: Hundredths | None = None
    most_ms: Hundredths | None = None
    is_bound: Annotated[bool, "only an upper bound is known: `median_ms` + `error_ms`"] = False
    seen: int = 0
    missed: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HeartbeatResult:
    """Every node of the standby side."""

    nodes: tuple[HeartbeatNode, ...]


@dataclass(frozen=True, slots=True)
class _Measurement:
    """One measurement."""

    id: str
    cluster_id: str
    link_id: str | None
    node_id: str
    node: Annotated[str, "the node that wrote"]
    actor: str
    reason: str
    state: State
    stop_code: str
    sentence: Annotated[str, "why it stopped or failed"]
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class CalibrationSettings:
    """The bounds it had."""

    seconds: float
    rows: int
    row_bytes: int
    writers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Calibration(_Measurement):
    """A calibration of commits."""

    settings: CalibrationSettings
    result: CommitsResult | None


@dataclass(frozen=True, slots=True)
class Calibrations:
    """The newest calibrations of a cluster."""

    results: tuple[Calibration, ...]


@dataclass(frozen=True, slots=True)
class HeartbeatSettings:
    """How often it wrote."""

    rows: int
    pause_s: float


@dataclass(frozen=True, slots=True)
class Heartbeat(_Measurement):
    """A heartbeat over a link."""

    settings: HeartbeatSettings
    result: HeartbeatResult | None


@dataclass(frozen=True, slots=True)
class LinkHeartbeat:
    """The newest one of a link; null = `reason`."""

    newest: Heartbeat | None
    reason: str
