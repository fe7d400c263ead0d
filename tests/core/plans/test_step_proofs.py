"""What a plan says that its run proves, and what a failed proof leads to, against the run itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.core.plan import Plan, Step
from backend.core.plans import step_proofs
from backend.core.plans.step_proofs import ProofFailure, StepProof, proofs_of
from backend.core.steps.base import Proof
from backend.core.steps.registry import STEP_KINDS
from tests.core.builders.situations import situation
from tests.fakes.driver import run_to_end
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld

SIDES = {"active_name": "frankfurt", "standby_name": "milan"}
Built = tuple[FakeWorld, Plan]


def _step(code: str, *, pnr: bool = False, **params: Any) -> Step:
    return Step(0, code, "As planned", "n_b1", "db-b1", point_of_no_return=pnr, params=params)


def _claims(*steps: Step) -> list[tuple[str, str] | None]:
    return [(one.claim, one.method) if one else None for one in proofs_of(steps, SIDES)]


@pytest.mark.parametrize(
    ("steps", "claim"),
    [
        ([_step("verify_fence", cluster_id="c_1")], "Clients can no longer write on milan"),
        (
            [_step("verify_fence", cluster_id="c_1", node_ids=["n_1"])],
            "Clients can no longer write on the returned nodes of milan",
        ),
        ([_step("drain")], "db-b1 has applied everything it received"),
        ([_step("verify_caught_up", side="milan")], "Everything that milan wrote is on the other side"),
        ([_step("verify_no_orphans")], "milan holds nothing that frankfurt never received"),
        ([_step("record_divergence")], "The point where milan and frankfurt diverge is recorded"),
        ([_step("record_state_uuid", side="milan")], "The new history of milan is recorded"),
        ([_step("unfence")], "frankfurt accepts writes"),
        ([_step("locate", direction="forward")], "The channels resume at the exact transaction"),
        ([_step("locate_log_end")], "The channel from db-b1 resumes at the end of its binary log"),
        ([_step("set_gtid_position")], "The GTID position is the same on every node"),
        ([_step("replay")], "Each orphan is on frankfurt exactly once"),
        ([_step("undo_orphans")], "milan is back at the point of divergence"),
        ([_step("probe", direction="reverse")], "The reverse channel replicates"),
        ([_step("probe"), _step("record_divergence")], "Every live node of frankfurt replicates"),
        ([_step("verify")], "No direction has a second channel"),
        (
            [_step("verify"), _step("change_source")],
            "No transaction is missing or duplicated around the resume position",
        ),
        (
            [_step("verify"), _step("resume_channel")],
            "No transaction is missing or duplicated around the resume position",
        ),
        ([_step("verify"), _step("record_divergence")], "No channel replicates from milan any more"),
        ([_step("verify_channels_removed")], "No node has a channel of the link any more"),
    ],
)
def test_proof__of_a_step__claim_with_its_names_and_a_method(steps: list[Step], claim: str) -> None:
    found = _claims(*steps)[0]
    assert found is not None
    assert found[0] == claim
    assert found[1].endswith(".")
    assert "{" not in claim + found[1]


def test_proof__every_key__is_a_kind_of_step_and_is_reached() -> None:
    keys = {key.partition(" ")[0] for key in step_proofs._CLAIMS}
    assert keys <= STEP_KINDS.keys()
    used = {step_proofs._claim_key(_step(code), frozenset()) for code in keys}
    assert used | {
        step_proofs._claim_key(_step("verify_fence", node_ids=[]), frozenset()),
        step_proofs._claim_key(_step("probe"), frozenset({"record_divergence"})),
        step_proofs._claim_key(_step("verify"), frozenset({"record_divergence"})),
        step_proofs._claim_key(_step("verify"), frozenset({"change_source"})),
    } == set(step_proofs._CLAIMS)


@pytest.mark.parametrize("code", ["recheck", "fence", "stop_channel", "swap_roles", "hook", "attach", "teleport"])
def test_proof__step_that_proves_only_itself__none(code: str) -> None:
    assert _claims(_step(code)) == [None]


def test_proof__plan_that_names_no_sides__said_without_names() -> None:
    fence, opened = proofs_of([_step("verify_fence"), _step("unfence")], {})
    assert fence == StepProof(
        "Clients can no longer write on the fenced side",
        "A write is attempted on every reachable node and must fail. The cluster must then log nothing of its own.",
        ProofFailure.REVERTED,
    )
    assert opened is not None
    assert opened.claim == "the active side accepts writes"


def _switchover() -> Built:
    world = passive(FakeWorld.classic())
    return world, plan_switchover(world)


def _failover() -> Built:
    world = passive(FakeWorld.classic())
    world.kill_side(world.a)
    return world, plan_failover(world)


def _fail(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Steps of that code are done and are not proven."""
    kind = STEP_KINDS[code]

    class Unproven(type(kind)):  # type: ignore[misc]
        def __init__(self) -> None:
            pass

        def __getattr__(self, name: str) -> Any:
            return getattr(kind, name)

        def prove(self, *_: Any) -> Proof:
            return Proof(False, "not shown")

    monkeypatch.setitem(STEP_KINDS, code, Unproven())


PLANS: dict[str, Callable[[], Built]] = {
    "switchover": _switchover,
    "failover": _failover,
    **{name: situation(name).build for name in ("source_lost", "gtid_move_both", "start_stopped_silently")},
}


@pytest.mark.parametrize("name", PLANS)
def test_proof__fails_in_the_run__ends_as_the_plan_said(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    _, plan = PLANS[name]()
    first = {step.code: proof for step, proof in reversed([*zip(plan.steps, proofs_of(plan.steps, {}), strict=True)])}
    proofs = {code: proof for code, proof in first.items() if proof is not None}
    assert {proof.on_failure for proof in proofs.values()} == set(ProofFailure)
    for code, proof in proofs.items():
        world, plan = PLANS[name]()
        with monkeypatch.context() as patched:
            _fail(patched, code)
            end = run_to_end(world, plan).end
        assert end is not None
        wanted = {ProofFailure.REVERTED: "failed", ProofFailure.NEEDS_OPERATOR: "needs_operator"}[proof.on_failure]
        assert end.state == wanted, code
