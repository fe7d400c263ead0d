"""Shows that a fence holds: a write fails on every node, and the side writes nothing of its own."""

from __future__ import annotations

from backend.core.facts.unregistered_members import unregistered_members
from backend.core.plan import Step
from backend.core.plural import pick, pluralize
from backend.core.steps.base import Effect, FenceWatch, Observation, Proof, StepContext
from backend.core.steps.fence_watch import QUIET_S, begin_watch, log_end, own_groups_at_end
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
        cluster = _cluster(ctx, step)
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
        tried = ctx.gateway.try_writes([node.node.id for node in alive])
        errnos = {node.node.name: tried[node.node.id] for node in alive}
        facts: dict[str, object] = {"refused_with": dict(errnos)}
        open_nodes = [name for name, errno in errnos.items() if errno not in (READ_ONLY_ERRNO, REJECTED_ERRNO)]
        if open_nodes:
            return Proof(False, f"a write was not refused by the fence on {', '.join(sorted(open_nodes))}", facts)
        if "node_ids" in step.params:
            return ctx.wait_for(_LIMIT_S, lambda: _prove_returned(ctx, step, facts), pause_s=0.01)
        if step.params.get("is_watched_on") and (proof := _watched_on(ctx, cluster, alive, facts)) is not None:
            return proof
        return _prove_silent(ctx, cluster, alive, facts)


def _is_meant(step: Step, node: NodeFacts) -> bool:
    return "node_ids" not in step.params or node.node.id in step.params["node_ids"]


def _prove_returned(ctx: StepContext, step: Step, facts: dict[str, object]) -> Proof:
    """The named nodes are fenced; the side writes nothing once its last node is fenced."""
    cluster = _cluster(ctx, step)
    alive = [node for node in cluster.nodes if node.is_up]
    still_open = [node.node.name for node in alive if node.variable("read_only") != "ON"]
    if still_open:
        names = ", ".join(sorted(still_open))
        return Proof(
            True, f"the returned nodes refuse writes; {names} returned meanwhile", facts | {"still_open": still_open}
        )
    return _prove_silent(ctx, cluster, alive, facts)


def _watched_on(
    ctx: StepContext, cluster: ClusterFacts, alive: list[NodeFacts], facts: dict[str, object]
) -> Proof | None:
    """That a watch began which a later step ends; None where none can begin, so that it has to be ended here."""
    witness = _witness(alive)
    watch = begin_watch(ctx, cluster, witness) if witness is not None else None
    if witness is None or watch is None:
        return None
    ctx.fence_watches[cluster.id] = watch
    sentence = f"every node that responds refuses writes; {witness.node.name} is watched from {watch.begin} on"
    return Proof(True, sentence, facts | {"witness": witness.node.name, "watched_from": str(watch.begin)})


def _witness(alive: list[NodeFacts]) -> NodeFacts | None:
    return next((n for n in alive if n.wsrep and n.wsrep.cluster_status == "Primary" and n.wsrep.ready), None)


def _prove_silent(ctx: StepContext, cluster: ClusterFacts, alive: list[NodeFacts], facts: dict[str, object]) -> Proof:
    witness = _witness(alive)
    if witness is None:
        return Proof(True, "every node that responds refuses writes; none of them can commit", facts)
    return ctx.wait_for(_LIMIT_S, lambda: _prove_idle(ctx, cluster, witness, facts), pause_s=0.01)


def _cluster(ctx: StepContext, step: Step) -> ClusterFacts:
    link = ctx.gateway.observe_link()
    return next(c for c in (link.active, link.standby) if c.id == step.params["cluster_id"])


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
