"""Scans every usable node of the returned side for orphans; their results must be the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from backend.core.binlog.events import Cursor
from backend.core.binlog.logs import log_of
from backend.core.dialects.base import DialectError
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.orphans.model import OrphanTransaction, TableShape
from backend.core.orphans.scan import (
    DivergedLog,
    UnknownDivergenceError,
    divergence_point,
    groups_behind,
    measure,
)
from backend.core.plans.target import is_fit
from backend.core.plural import pluralize
from backend.core.ports import NodeError
from backend.core.topology import ClusterFacts, NodeFacts
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import SCAN_S, orphan_reader, raw_events
from backend.transactions.orphans.scanned_logs import ScannedLog, scanned_log

BUDGET_EVENTS = 20_000_000


class OrphanSource(Protocol):
    """The orphans of one log, oldest first; its other results are complete once they were read.

    Raises NodeError, TooManyError, UnknownDivergenceError.
    """

    def __iter__(self) -> Iterator[OrphanTransaction]: ...
    @property
    def log(self) -> DivergedLog: ...
    @property
    def table_definitions(self) -> Mapping[str, TableShape]: ...
    @property
    def overwritten(self) -> Mapping[str, int]: ...
    def sentence(self, count: int) -> str: ...


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The common result of the returned side's nodes; `node` and `orphans` only where it is known.

    `detail` says why it is unknown, else it is added to the sentence about the orphans found.
    """

    state: str
    detail: str
    node: NodeFacts | None = None
    orphans: OrphanSource | None = None
    node_logs: tuple[ScannedLog, ...] = ()


def sides(facts: LinkFacts, divergence: Divergence) -> tuple[ClusterFacts, ClusterFacts]:
    """The lost cluster and the survivor."""
    both = {cluster.id: cluster for cluster in (facts.active, facts.standby)}
    return both[divergence.lost_cluster_id], both[divergence.survivor_cluster_id]


def scan_nodes(facts: LinkFacts, divergence: Divergence, gateway: NodeGateway) -> ScanResult:
    """The orphans, or why they are unknown; never raises for a server's error."""
    lost, survivor = sides(facts, divergence)
    diverged_logs, silent = _ask_all(lost, survivor, divergence, gateway)
    if not diverged_logs:
        return ScanResult("unknown", _nobody(lost, silent))
    if not all(log.contents.is_same(diverged_logs[0][1].contents) for _, log in diverged_logs):
        names = ", ".join(f"{node.node.name} ({diverged_log.count})" for node, diverged_log in diverged_logs)
        still_open = [n.node.name for n in lost.nodes if n.is_up and (n.variable("read_only") or "").upper() != "ON"]
        if still_open:
            where = ", ".join(still_open)
            return ScanResult(
                "unknown",
                f"{lost.name} is still writable on {where}, so its nodes show different numbers of transactions: "
                f"{names}. Fence it, then scan again.",
            )
        return ScanResult("unknown", f"The nodes of {lost.name} do not have the same transactions: {names}.")
    node, diverged_log = next(
        (one for one in diverged_logs if one[0].node.id == divergence.source_node_id), diverged_logs[0]
    )
    note = f" Not scanned: {', '.join(silent)}." if silent else ""
    if diverged_log.accounts:
        count = pluralize(diverged_log.accounts, "statement")
        note += f" {count} about accounts {'is' if diverged_log.accounts == 1 else 'are'} also there and not touched."
    logs = tuple(scanned_log(one.node.id, log) for one, log in diverged_logs)
    unsettled = {one for recorded in facts.recorded for one in recorded.account.unaccounted}
    left_out = len(unsettled.intersection(divergence.passed_over))
    stream = OrphanStream(lost, survivor, node, diverged_log, gateway, left_out=left_out)
    return ScanResult("found", note, node, stream, logs)


def _nobody(lost: ClusterFacts, silent: dict[str, str]) -> str:
    reasons = "; ".join(f"{name}: {why}" for name, why in silent.items())
    return f"The orphaned transactions of {lost.name} are unknown. {reasons}."


def _ask_all(
    lost: ClusterFacts, survivor: ClusterFacts, divergence: Divergence, gateway: NodeGateway
) -> tuple[list[tuple[NodeFacts, DivergedLog]], dict[str, str]]:
    diverged_logs, silent = [], {}
    for node in lost.nodes:
        if not is_fit(node):
            silent[node.node.name] = "not up, Primary and Synced"
            continue
        try:
            reader = gateway.reader(node.node.id)
            reader.query(SYNC_SQL)
            log = log_of(reader, node)
            cursor = Cursor(log, budget_events=BUDGET_EVENTS)
            found = DivergedLog(*divergence_point(cursor, divergence, survivor.server_ids, node_id=node.node.id))
            measure(cursor, found, survivor.server_ids)
            diverged_logs.append((node, found))
        except (NodeError, DialectError, UnknownDivergenceError) as error:
            silent[node.node.name] = str(error)
    return diverged_logs, silent


class OrphanStream:
    """Implements `OrphanSource`: reads a log's events and its groups in parallel, each over its own connection."""

    def __init__(
        self,
        lost: ClusterFacts,
        survivor: ClusterFacts,
        node: NodeFacts,
        log: DivergedLog,
        gateway: NodeGateway,
        *,
        left_out: int,
    ) -> None:
        self._lost, self._survivor, self._node, self._gateway = lost, survivor, node, gateway
        self._left_out = left_out
        self.log = log
        self._reader = gateway.reader(node.node.id)
        self._reading = orphan_reader(self._reader, survivor.server_ids, log.schema_changes)

    def __iter__(self) -> Iterator[OrphanTransaction]:
        """Read the orphans; only once."""
        pages = log_of(self._reader, self._node)
        groups = groups_behind(Cursor(pages, budget_events=BUDGET_EVENTS), self.log, self._survivor.server_ids)
        events = raw_events(self._gateway.access(self._node.node.id), self.log.begins, limit_s=SCAN_S)
        return self._reading.transactions(groups, events)

    @property
    def table_definitions(self) -> Mapping[str, TableShape]:
        """The definitions of the tables that the orphans touch."""
        return self._reading.table_definitions

    @property
    def overwritten(self) -> Mapping[str, int]:
        """The orphans' rows that the survivor's channel overwrote."""
        return self._reading.overwritten

    def sentence(self, count: int) -> str:
        """The sentence about the orphans found."""
        lost, survivor, name = self._lost.name, self._survivor.name, self._node.node.name
        left_out = pluralize(self._left_out, "transaction")
        but_for = f" but for {left_out} that its channel passed without applying" if self._left_out else ""
        if not count:
            return (
                f"{survivor} has every transaction of {lost}{but_for}. "
                f"The divergence point on {name} was found by {self.log.found_by}."
            )
        found = pluralize(count, "transaction")
        return f"{lost} has {found} that {survivor} never received, from {self.log.begins} of {name} on."
