"""Writes a transaction on the source side and waits for it on every live node of the other side."""

from __future__ import annotations

from typing import Any

from backend.core import probe
from backend.core.link_facts import LinkFacts
from backend.core.plan import Step
from backend.core.steps.base import Effect, Observation, Proof, StepContext
from backend.core.topology import Direction

_SEEN_LIMIT_S = 20.0
_BEHIND_LIMIT_S = 150.0
"""The maximum wait for a channel that applies the backlog of its stop; a worker's task ends after 280 s."""


class Probe:
    """One direction's probe transaction; its token is the run's own."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Done where the source already has this run's token."""
        assert step.node_id is not None
        rows = ctx.gateway.reader(step.node_id).query(
            probe.read_sql(step.params["link_id"], Direction(step.params["direction"]))
        )
        token = rows[0]["token"] if rows else None
        effect = Effect.DONE if token == ctx.probe_token else Effect.TO_DO
        return Observation(effect, "probe written" if effect is Effect.DONE else "no probe yet", {"token": token})

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """As planned, with this run's token."""
        return step.sql[0].replace(probe.TOKEN_PLACEHOLDER, ctx.probe_token)

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The probe shows on every node of the receiving cluster that is Primary and Synced."""
        direction = Direction(step.params["direction"])
        # A plan of an earlier version does not name the cluster: all nodes are polled.
        side = tuple(filter(None, [step.params.get("receiving_cluster_id")]))
        link = ctx.gateway.observe_link(of=side)
        live = [
            n.node
            for n in link.receiving_cluster(direction).nodes
            if n.is_up and n.wsrep and n.wsrep.cluster_status == "Primary" and n.wsrep.ready
        ]
        started = ctx.clock.monotonic_s()
        seen: dict[str, float] = {}
        sql = probe.read_sql(step.params["link_id"], direction)

        def query() -> Proof:
            for node in live:
                if node.name not in seen:
                    rows = ctx.gateway.reader(node.id).query(sql)
                    if rows and rows[0]["token"] == ctx.probe_token:
                        seen[node.name] = round((ctx.clock.monotonic_s() - started) * 1000, 1)
            return self._proof(step, [node.name for node in live], seen)

        limit_s = float(step.params.get("limit_s", _SEEN_LIMIT_S))
        proof = ctx.wait_for(limit_s, query, pause_s=0.02)
        positions = _positions(link, direction)
        while not proof.is_ok:
            before, positions = positions, _positions(ctx.gateway.observe_link(of=side), direction)
            if positions == before:
                return proof  # the channel applies nothing: waiting longer proves nothing
            if ctx.clock.monotonic_s() - started >= _BEHIND_LIMIT_S:
                return Proof(False, f"{proof.sentence} yet: the channel is still applying its backlog", proof.facts)
            proof = ctx.wait_for(limit_s, query, pause_s=0.02)
        return proof

    @staticmethod
    def _proof(step: Step, live: list[str], seen: dict[str, float]) -> Proof:
        facts: dict[str, Any] = {
            "direction": step.params["direction"],
            "written_on": step.node,
            "seen_on": [{"node": name, "ms": seen.get(name)} for name in live],
            "complete": bool(live) and len(seen) == len(live),
        }
        missing = [name for name in live if name not in seen]
        if missing or not live:
            return Proof(False, f"the probe did not arrive on {', '.join(missing) or 'any node'}", facts)
        return Proof(True, f"seen on {', '.join(live)} within {max(seen.values()):.0f} ms", facts)


def _positions(link: LinkFacts, direction: Direction) -> list[tuple[str, int]]:
    """The executed positions of the channels of a direction."""
    return [(holder.channel.exec_file, holder.channel.exec_offset) for holder in link.holders(direction)]
