"""Asks every node of the returned side that can be believed; what they tell must be the same."""

from __future__ import annotations

from dataclasses import dataclass, field

from backend.core.binlog.content import are_same
from backend.core.binlog.events import Cursor
from backend.core.binlog.logs import log_of
from backend.core.dialects.base import DialectError
from backend.core.link_facts import Divergence, LinkFacts
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.orphans.model import OrphanList
from backend.core.orphans.scan import DivergedLog, UnknownDivergenceError, split_at_divergence
from backend.core.orphans.transactions import TooManyError, is_about_accounts, is_trivial
from backend.core.plans.target import is_fit
from backend.core.ports import NodeError
from backend.core.topology import ClusterFacts, NodeFacts
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import read_orphans

BUDGET_EVENTS = 20_000_000


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What the returned side told; `node` and `diverged_log` only where its orphans are known."""

    state: str
    detail: str
    node: NodeFacts | None = None
    diverged_log: DivergedLog | None = None
    book: OrphanList = field(default_factory=lambda: OrphanList("", ()))


def sides(facts: LinkFacts, divergence: Divergence) -> tuple[ClusterFacts, ClusterFacts]:
    """The lost cluster and the survivor."""
    both = {cluster.id: cluster for cluster in (facts.active, facts.standby)}
    return both[divergence.lost_cluster_id], both[divergence.survivor_cluster_id]


def scan_nodes(facts: LinkFacts, divergence: Divergence, gateway: NodeGateway) -> ScanResult:
    """The orphans, or why they cannot be told; never raises for what a server says."""
    lost, survivor = sides(facts, divergence)
    diverged_logs, silent = _ask_all(lost, survivor, divergence, gateway)
    if not diverged_logs:
        return ScanResult("unknown", _nobody(lost, silent))
    contents = [[g.content for g in diverged_log.orphans if not is_trivial(g)] for _, diverged_log in diverged_logs]
    if not all(are_same(told, contents[0]) for told in contents):
        names = ", ".join(f"{node.node.name} ({len(diverged_log.orphans)})" for node, diverged_log in diverged_logs)
        still_open = [n.node.name for n in lost.nodes if n.is_up and (n.variable("read_only") or "").upper() != "ON"]
        if still_open:
            where = ", ".join(still_open)
            return ScanResult(
                "unknown",
                f"{lost.name} still takes writes on {where}, so that its nodes, read one after the other, tell "
                f"different numbers: {names}. Fence it, then look again.",
            )
        return ScanResult("unknown", f"The nodes of {lost.name} do not tell the same transactions: {names}.")
    node, diverged_log = next(
        (one for one in diverged_logs if one[0].node.id == divergence.source_node_id), diverged_logs[0]
    )
    return _read(lost, survivor, node, diverged_log, silent, gateway)


def _nobody(lost: ClusterFacts, silent: dict[str, str]) -> str:
    reasons = "; ".join(f"{name}: {why}" for name, why in silent.items())
    return f"What {lost.name} holds alone cannot be told. {reasons}."


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
            diverged_logs.append(
                (node, split_at_divergence(cursor, divergence, survivor.server_ids, node_id=node.node.id))
            )
        except (NodeError, DialectError, UnknownDivergenceError) as error:
            silent[node.node.name] = str(error)
    return diverged_logs, silent


def _read(
    lost: ClusterFacts,
    survivor: ClusterFacts,
    node: NodeFacts,
    diverged_log: DivergedLog,
    silent: dict[str, str],
    gateway: NodeGateway,
) -> ScanResult:
    name = node.node.name
    try:
        access = gateway.access(node.node.id)
        book = read_orphans(
            access,
            gateway.reader(node.node.id),
            diverged_log.begins,
            diverged_log.orphans,
            survivor_ids=survivor.server_ids,
        )
    except (NodeError, TooManyError) as error:
        return ScanResult(
            "unknown", f"{len(diverged_log.orphans)} transactions behind {diverged_log.begins} of {name}: {error}."
        )
    note = f" Not asked: {', '.join(silent)}." if silent else ""
    if accounts := sum(is_about_accounts(group) for group in diverged_log.orphans):
        note += f" {accounts} statement(s) about accounts stand there too and are left as they are."
    if not book.transactions:
        message = f"{survivor.name} has everything {lost.name} ever wrote, told by {diverged_log.told_by} on {name}."
        return ScanResult("none", message + note, node, diverged_log, book)
    count = len(book.transactions)
    word = "transaction" if count == 1 else "transactions"
    detail = (
        f"{lost.name} holds {count} {word} that {survivor.name} never received, "
        f"from {diverged_log.begins} of {name} on."
    )
    return ScanResult("found", detail + note, node, diverged_log, book)
