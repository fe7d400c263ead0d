"""What the answer about a plan says beyond the plan as it is stored: nothing of it is in the digest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backend.clusters.models import Link
from backend.core.findings import Finding, Severity
from backend.core.plan import Step, digest_of
from backend.operations.runs.models import Plan
from tests.support.console import Caller, core_plan, store_plan

NODE = {"node": "a1", "node_id": "n_aaaaaaaaaaaa", "reach": "hung"}


def _stored(link: Link, *findings: Finding, **options: Any) -> Plan:
    return store_plan(link, replace(core_plan(link), findings=findings, options=options, steps=()))


def _attestations(caller: Caller, plan: Plan) -> list[Any]:
    return [finding["attestation"] for finding in caller.get(f"/plans/{plan.id}").body["findings"]]


def test_attestation__of_a_node__option_node_and_sentence(viewer: Caller, link: Link) -> None:
    finding = Finding("node_not_attested", Severity.UNKNOWN, "As seen.", "Fence it.", NODE)
    assert _attestations(viewer, _stored(link, finding)) == [
        {
            "option": "attest_fenced",
            "node_id": NODE["node_id"],
            "node": "a1",
            "label": "I attest that a1 is fenced: powered off, or isolated from applications and from the other side",
            "is_override": False,
            "is_given": False,
        }
    ]


def test_attestation__by_the_plans_options__asked_given_or_none(viewer: Caller, link: Link) -> None:
    asked = Finding("sites_are_parted", Severity.BLOCKER, "As seen.")
    given = Finding("loss_accepted", Severity.WARNING, "As seen.")
    fine = Finding("node_synced", Severity.OK, "As seen.")
    override, loss, none = _attestations(viewer, _stored(link, asked, given, fine, accept_loss=True))
    assert (override["option"], override["is_override"], override["is_given"]) == ("override_partition", True, False)
    assert (loss["option"], loss["is_override"], loss["is_given"]) == ("accept_loss", False, True)
    assert none is None


@pytest.mark.parametrize("way", ["rebuild", "replay"])
def test_attestation__orphans_nobody_counted__given_up_by_a_rebuild_alone(viewer: Caller, link: Link, way: str) -> None:
    finding = Finding("orphans_unknown", Severity.UNKNOWN, "Not looked for.")
    (attestation,) = _attestations(viewer, _stored(link, finding, orphans=way))
    assert (attestation is not None) is (way == "rebuild")


SWITCH = (
    Step(0, "recheck", "Read both sides again", None, None),
    Step(1, "fence", "a1: take no more writes", "n_aaaaaaaaaaaa", "a1", ("SET GLOBAL read_only=ON",)),
    Step(2, "verify_fence", "Try to write", None, None, params={"cluster_id": "c_aaaaaaaaaaaa"}),
    Step(3, "swap_roles", "b becomes active", None, None, point_of_no_return=True),
    Step(4, "unfence", "b1: accept writes", "n_bbbbbbbbbbbb", "b1", ("SET GLOBAL read_only=OFF",)),
    Step(5, "step_of_another_version", "?", None, None),
)


def test_steps__what_each_changes_and_proves(viewer: Caller, link: Link) -> None:
    target = {"active_name": "side b", "standby_name": "side a"}
    stored = store_plan(link, replace(core_plan(link), kind="switchover", steps=SWITCH, target=target))
    steps = viewer.get(f"/plans/{stored.id}").body["steps"]
    assert [step["effect"]["kind"] for step in steps] == [
        *("reads", "stops_writes", "reads", "changes_records", "allows_writes", "unknown")
    ]
    assert all(step["effect"]["sentence"] for step in steps)
    proofs = [step["proof"] for step in steps]
    assert [bool(proof) for proof in proofs] == [False, False, True, False, True, False]
    assert proofs[2]["claim"] == "Clients can no longer write on side a"
    assert [proofs[2]["on_failure"], proofs[4]["on_failure"]] == ["reverted", "needs_operator"]
    assert proofs[4] == {
        "claim": "side b accepts writes",
        "method": "read_only is read back as OFF on every node that was opened.",
        "on_failure": "needs_operator",
    }


def test_shown_plan__fields_made_for_the_answer__not_stored_nor_in_the_digest(viewer: Caller, plan: Plan) -> None:
    body, digest = plan.body, plan.digest
    shown = viewer.get(f"/plans/{plan.id}").body
    plan.refresh_from_db()
    assert plan.body == body
    assert plan.digest == digest == shown["digest"] == digest_of(plan.body)
    assert "attestation" in shown["findings"][0]
    assert "attestation" not in plan.body["findings"][0]
    assert {"effect", "proof"} <= shown["steps"][0].keys()
    assert not {"effect", "proof"} & plan.body["steps"][0].keys()
