"""What a distance does to commits, as the API returns it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from backend.core.adviser.concurrency.measured import ConcurrencyCell
from backend.core.adviser.network.sql_facts import GroupLatency
from backend.core.estimates import Hundredths, Tenths, Thousandths


@dataclass(frozen=True, slots=True)
class SiteLatency:
    """One commit from a site."""

    site: int
    latency_ms: Annotated[Thousandths, "the longest closed triangle; measured commits took 1 to 4 ms more"]
    round_trips: Annotated[Hundredths | None, "that in longest round trips of the site"]
    way: Annotated[tuple[int, ...], "the sites of that triangle"]


@dataclass(frozen=True, slots=True)
class CommitRate:
    """What a number of writers reaches together; null = not limited by the model."""

    writers: int
    low_per_s: Hundredths | None
    high_per_s: Annotated[
        Hundredths | None, "differs from `low_per_s` for windows between 2 and 512, which were not measured"
    ]


@dataclass(frozen=True, slots=True)
class WritersNeeded:
    """The fewest writers that reach the wanted rate; null = `reason` says why there is no number."""

    writers: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Concurrency:
    """The model of the given delays, and the measured table."""

    send_window: int
    measured_writers: Annotated[int, "more writers than this were not measured"]
    sites: tuple[SiteLatency, ...]
    rates: tuple[CommitRate, ...]
    writers_needed: WritersNeeded | None
    write_set_ms: Annotated[Tenths, "one commit with a write-set of this size"]
    table: tuple[ConcurrencyCell, ...]


@dataclass(frozen=True, slots=True)
class WritersRange:
    """The fewest writers that may suffice, and the fewest that suffice for certain."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class RunningLatency(GroupLatency):
    """`wsrep_evs_repl_latency` since the node's last report."""

    min_ms: Annotated[float, "with two sites a round trip and 0.2 ms"]


@dataclass(frozen=True, slots=True)
class WriteSetCost:
    """One commit with a write-set of a size; null = `reason` says why."""

    size_bytes: int | None = None
    fragments: Annotated[int | None, "messages of 32,636 bytes"] = None
    round_trips: Hundredths | None = None
    low_ms: Annotated[Tenths | None, "at the fastest delivery"] = None
    high_ms: Annotated[Tenths | None, "at the mean delivery"] = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunningAnswers:
    """What the model says of writers on this node."""

    rates: Annotated[tuple[CommitRate, ...], "of 1, 8, 32 and 64 writers; mean to fastest delivery"]
    writers_needed: Annotated[WritersRange | None, "if this node wrote the whole rate"]
    writers_reason: str
    average: Annotated[WriteSetCost, "of the last hour's average write-set"]
    largest: Annotated[WriteSetCost, "of the largest that the node permits: `wsrep_max_ws_size`"]


@dataclass(frozen=True, slots=True)
class RunningNode:
    """What one node said; null = its reason says why, and what to do."""

    node_id: str
    node: str
    members: Annotated[int | None, "`wsrep_cluster_size`, arbitrators among them"]
    latency: RunningLatency | None
    latency_reason: str
    send_window: Annotated[int | None, "`evs.user_send_window`"]
    send_window_reason: str
    answers: RunningAnswers | None
    answers_reason: str


@dataclass(frozen=True, slots=True)
class Written:
    """What the cluster wrote in the last hour, by the monitor's readings."""

    commits_per_s: Thousandths | None = None
    average_bytes: Annotated[int | None, "of a write-set; null if none was written, too"] = None
    counted_s: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ConcurrencyGiven:
    """The same as input of `GET /concurrency`, for two sites; null = unknown."""

    from_node: Annotated[str | None, "the node whose fastest delivery takes longest"]
    one_way_ms: Annotated[Thousandths | None, "half of its least latency, less 0.2 ms"]
    send_window: int | None
    wanted_per_s: Thousandths | None


@dataclass(frozen=True, slots=True)
class ClusterConcurrency:
    """What a running cluster says of its distance, and the model's answers."""

    cluster_id: str
    cluster_name: str
    read_at: datetime
    registered: Annotated[int, "nodes of this cluster in the console"]
    written: Written
    measured_writers: Annotated[int, "more writers than this were not measured"]
    nodes: tuple[RunningNode, ...]
    given: ConcurrencyGiven
