"""What a node's maintenance needs to know, and the maintenances of nodes, as the API returns them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, get_args

from backend.core.adviser.node_absence.forecast import Verdict
from backend.core.adviser.node_absence.maintenance import Stage
from backend.core.adviser.node_absence.rates import Window
from backend.core.adviser.node_absence.return_verdict import Result
from backend.core.adviser.state_transfer.forecast import Method, PartName
from backend.core.adviser.state_transfer.measured import TransferRun, Tuning
from backend.core.estimates import Tenths, Thousandths

TimeState = Literal["known", "unlimited", "unknown"]
TIME_STATE = list(get_args(TimeState))


@dataclass(frozen=True, slots=True)
class WriteRate:
    """How much the cluster wrote within a time; null = unknown, and `reason` says why."""

    window: Window
    length_s: Annotated[float, "seconds of this time"]
    covered_s: Annotated[int | None, "seconds of it in which write-sets were counted"] = None
    write_sets_per_s: Thousandths | None = None
    bytes_per_s: Annotated[Tenths | None, "bytes of write-sets a second"] = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AbsenceTime:
    """From now on, at one of the rates, until the node needs an SST."""

    window: Window
    state: Annotated[TimeState, "unlimited = nothing was written in this time; unknown = `reason` says why"]
    seconds: Tenths | None
    reason: str


@dataclass(frozen=True, slots=True)
class Gcache:
    """A node's gcache as last read; null = unknown."""

    size_bytes: Annotated[int | None, "`gcache.size`"]
    cached_downto: Annotated[int | None, "seqno of its oldest write-set"]
    held_write_sets: int | None
    is_full: Annotated[bool | None, "whether it drops its oldest write-sets: then what it holds is its capacity"]
    reason: str


@dataclass(frozen=True, slots=True)
class Donor:
    """Another node of the cluster as a donor."""

    id: str
    name: str
    is_possible: Annotated[bool, "whether it is a synced member that was read"]
    is_advised: Annotated[bool, "the one to name in `wsrep_sst_donor`"]
    reasons_for: tuple[str, ...]
    reasons_against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodeAbsenceEntry:
    """A node: what it would receive if it joined now, and for how long it may be away."""

    id: str
    name: str
    verdict: Verdict
    reason: str
    last_seqno: Annotated[int | None, "it applied at least up to here; null = unknown, or of another history"]
    last_read_at: Annotated[datetime | None, "when that was read"]
    missed_write_sets: int | None
    times: tuple[AbsenceTime, ...]
    gcache: Gcache
    segment: Annotated[str | None, "`gmcast.segment`"]
    donors: tuple[Donor, ...]
    alarm_since: Annotated[datetime | None, "since when its time is below the threshold"]


@dataclass(frozen=True, slots=True)
class NodeAbsence:
    """All nodes of a cluster."""

    cluster_id: str
    cluster_name: str
    at: datetime
    threshold_s: Annotated[float | None, "below it a warning is raised; null = never"]
    rates: tuple[WriteRate, ...]
    nodes: tuple[NodeAbsenceEntry, ...]


@dataclass(frozen=True, slots=True)
class TransferPart:
    """A part of the time."""

    name: PartName
    state: Literal["known", "unknown"]
    seconds: Tenths | None
    reason: Annotated[str, "why it is unknown"]
    basis: Annotated[str, "what the figure is from"]


@dataclass(frozen=True, slots=True)
class Joiner:
    """An SST to one node."""

    id: str
    name: str
    method: Method | None
    parts: tuple[TransferPart, ...]
    known_s: Annotated[Tenths, "sum of the known parts"]
    is_whole: Annotated[bool, "whether every part is known; if not, it takes at least `known_s`"]
    queued_bytes: Annotated[int | None, "write-sets that the joiner stores until it catches up; null = unknown"]
    apply_per_s: Annotated[Tenths | None, "write-sets a second that were assumed"]
    donors: tuple[Donor, ...]


@dataclass(frozen=True, slots=True)
class StateTransfer:
    """The forecast of an SST to each node, and what shortens it."""

    cluster_id: str
    cluster_name: str
    at: datetime
    joiners: tuple[Joiner, ...]
    checklist: tuple[Tuning, ...]
    runs: tuple[TransferRun, ...]


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """From now on until the node needs an SST, at the last hour's rate, or that of the last minutes."""

    state: TimeState
    seconds: Tenths | None
    reason: str


@dataclass(frozen=True, slots=True)
class NodeMaintenance:
    """The absence of a node that a run prepared."""

    id: str
    link_id: str
    link_name: str
    run_id: Annotated[str, "the run that prepared it"]
    node_id: str
    node_name: str
    donor_id: str
    donor_name: Annotated[str, "the donor to name in `wsrep_sst_donor` of the node"]
    stage: Annotated[Stage, "closing = the result is known; the freeze of the donor is being ended"]
    result: Annotated[Result | None, "undecided = what was seen allows IST and SST"]
    sentence: Annotated[str, "what the result rests on"]
    opened_by: str
    opened_at: datetime
    allowed_at: Annotated[datetime | None, "since when the node may be stopped"]
    until: Annotated[datetime, "when the watch ends, and with it a freeze"]
    left_at: datetime | None
    returned_at: datetime | None
    ended_at: datetime | None
    ended_by: str | None
    freeze_seqno: Annotated[int | None, "from here on the donor keeps write-sets; null = its provider cannot freeze"]
    unfrozen_at: datetime | None
    unfreeze_error: Annotated[str, "why the freeze could not be ended yet"]
    time_left: TimeLeft | None


@dataclass(frozen=True, slots=True)
class NodeMaintenanceList:
    """The newest maintenances of a cluster."""

    results: tuple[NodeMaintenance, ...]
