"""Shows that a fence holds: a write fails on every node, and the side writes nothing of its own."""

from __future__ import annotations

from backend.core.facts.unregistered_members import unregistered_members
from backend.core.plan import Step
from backend.core.plural import pick, pluralize
from backend.core.steps.base import Effect, FenceWatch, Observation, Proof, StepContext
from backend.core.steps.fence_watch import (
    QUIET_S,
    begin_watch,
    begin_watch_again,
    can_commit,
    log_end,
    own_groups,
    own_groups_at_end,
)
from backend.core.topology import ClusterFacts, NodeFacts

READ_ONLY_ERRNO = 1290
REJECTED_ERRNO = 1047
_LIMIT_S = 5.0


class VerifyFence:
    """Implements StepKind; changes nothing.

    An account without write privileges tries the write: a fenced server answers 1290 (or 1047 where it rejects
    queries) before it checks grants, a writable one 1142 (observed on MariaDB 10.11.19).
    """

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always tried again."""
        return Observation(Effect.TO_DO, "try to write")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """No statement that changes anything."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Every node that responds refuses the write, and no group of its own follows for a moment.

        Where the step names nodes (`node_ids`), these must refuse. Another node that returned meanwhile and is writable
        is named, and a run of its own fences it.
        """
        cluster = ctx.gateway.observe_cluster(step.params["cluster_id"])
        alive = [node for node in cluster.nodes if node.is_up and _is_meant(step, node)]
        gone = sorted(set(step.params.get("node_ids", ())) - {node.node.id for node in alive})
        if gone:
            names = ", ".join(cluster.node(node_id).node.name for node_id in gone)
            verb = pick(len(gone), "is", "are")
            return Proof(False, f"{names} {verb} no longer responding: it is unknown whether writes are refused")
        unfenced = unregistered_members(cluster).least
        if unfenced:
            members = f"{pluralize(unfenced, 'member')} of {cluster.name} {pick(unfenced, 'is', 'are')}"
            return Proof(False, f"{members} not registered, and no fence covers it")
        watch = begin_watch(ctx, cluster, alive) if step.params.get("is_watched_on") else None
        tried = ctx.gateway.try_writes([node.node.id for node in alive])
        errnos = {node.node.name: tried[node.node.id] for node in alive}
        facts: dict[str, object] = {"refused_with": dict(errnos)}
        open_nodes = [name for name, errno in errnos.items() if errno not in (READ_ONLY_ERRNO, REJECTED_ERRNO)]
        if open_nodes:
            return Proof(False, f"a write was not refused by the fence on {', '.join(sorted(open_nodes))}", facts)
        if "node_ids" in step.params:
            return ctx.wait_for(_LIMIT_S, lambda: _prove_returned(ctx, step, facts), pause_s=0.01)
        late = own_groups(ctx, watch) if watch is not None else 0
        if late:
            watch = begin_watch_again(ctx, cluster, alive)
        return _prove_silent(ctx, cluster, alive, facts) if watch is None else _watched_on(ctx, watch, facts, late)


def _is_meant(step: Step, node: NodeFacts) -> bool:
    return "node_ids" not in step.params or node.node.id in step.params["node_ids"]


def _prove_returned(ctx: StepContext, step: Step, facts: dict[str, object]) -> Proof:
    """The named nodes are fenced; the side writes nothing once its last node is fenced."""
    cluster = ctx.gateway.observe_cluster(step.params["cluster_id"])
    alive = [node for node in cluster.nodes if node.is_up]
    still_open = [node.node.name for node in alive if node.variable("read_only") != "ON"]
    if still_open:
        names = ", ".join(sorted(still_open))
        return Proof(
            True, f"the returned nodes refuse writes; {names} returned meanwhile", facts | {"still_open": still_open}
        )
    return _prove_silent(ctx, cluster, alive, facts)


def _watched_on(ctx: StepContext, watch: FenceWatch, facts: dict[str, object], late: int) -> Proof:
    """That a watch began which a later step ends; what was committed as the fences took effect is named."""
    ctx.fence_watches[watch.witness.node.cluster_id] = watch
    name = watch.witness.node.name
    committed = f" ({pluralize(late, 'transaction')} committed as the fences took effect)" if late else ""
    sentence = f"every node that responds refuses writes{committed}; {name} is watched from {watch.begin} on"
    return Proof(True, sentence, facts | {"witness": name, "watched_from": str(watch.begin), "committed_late": late})


def _prove_silent(ctx: StepContext, cluster: ClusterFacts, alive: list[NodeFacts], facts: dict[str, object]) -> Proof:
    witness = next(filter(can_commit, alive), None)
    if witness is None:
        return Proof(True, "every node that responds refuses writes; none of them can commit", facts)
    return ctx.wait_for(_LIMIT_S, lambda: _prove_idle(ctx, cluster, witness, facts), pause_s=0.01)


def _prove_idle(ctx: StepContext, cluster: ClusterFacts, witness: NodeFacts, facts: dict[str, object]) -> Proof:
    """Whether the side adds nothing of its own to its log for a moment; it may continue to receive."""
    begin = log_end(ctx, witness)
    if begin is None:
        return Proof(False, f"the end of the binary log of {witness.node.name} is unknown", facts)
    own = own_groups_at_end(ctx, FenceWatch(witness, cluster.server_ids, begin, ctx.clock.monotonic_s()))
    found = facts | {"witness": witness.node.name, "own_groups": own, "watched_s": QUIET_S}
    if own:
        return Proof(False, f"{cluster.name} wrote {pluralize(own, 'transaction')} of its own despite the fence", found)
    return Proof(True, f"every node that responds refuses writes, {cluster.name} writes nothing of its own", found)
