"""Stored runs as a finished walk over a `FakeWorld` leaves them, for what is told of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from backend.core.history.stored_run import StoredRun, StoredStep
from backend.core.plan import Plan
from tests.fakes.driver import Memory, Walker
from tests.fakes.gateway import FakeGateway
from tests.fakes.world import FakeWorld

T0 = datetime(2026, 11, 21, 3, 4, 5, tzinfo=UTC)
VERIFIED = {"verdict": "verified"}


def walked(world: FakeWorld, plan: Plan, **more: Any) -> StoredRun:
    """The run of the plan to its end, as it would be stored."""
    memory = Memory(plan)
    Walker(world, FakeGateway(world), memory).run()
    steps = tuple(
        StoredStep(
            step.index, step.code, step.node, "succeeded" if step.index in memory.done else "pending",
            step.params, memory.done.get(step.index) or {}, T0, T0 + timedelta(seconds=step.index),
        )
        for step in plan.steps
    )  # fmt: skip
    reported = {"state": memory.ended.state, "outcome": memory.ended.sentence, "verification": VERIFIED}
    return replace(requested(world, plan, steps), **(reported | {"ended_at": T0 + timedelta(seconds=9.4)} | more))


def requested(world: FakeWorld, plan: Plan, steps: tuple[StoredStep, ...] = ()) -> StoredRun:
    """The run before anything was sent."""
    return StoredRun(
        id="r_aaaaaaaaaaaa",
        link_id="l_aaaaaaaaaaaa",
        link_name="payments",
        kind=plan.kind,
        state="queued",
        requested_by="anna",
        created_at=T0,
        plan=plan.to_json(),
        steps=steps or tuple(StoredStep(s.index, s.code, s.node, "pending", s.params) for s in plan.steps),
        reason="disk failed",
        node_names={node.ref.id: node.name for side in (world.a, world.b) for node in side.nodes},
    )
