"""Stored plans as the core's values."""

from __future__ import annotations

from backend.core.findings import Finding
from backend.core.plan import STEPS_VERSION, Step, digest_of
from backend.core.plan import Plan as CorePlan
from backend.operations.runs.models import Plan


class PlanVersionError(Exception):
    """The plan's steps are of a version that this process cannot execute."""


def is_current_version(plan: Plan) -> bool:
    """Whether the steps mean the same in this process as where the plan was made."""
    return bool(plan.body.get("steps_version", 1) == STEPS_VERSION)


def is_altered(plan: Plan) -> bool:
    """Whether the stored plan or its row differs from what the digest was made of."""
    body = plan.body
    return digest_of(body) != plan.digest or (body["link_id"], body["kind"]) != (plan.link_id, plan.kind)


def core_plan(plan: Plan) -> CorePlan:
    """The plan as it was decided; raises if its digest does not match or its steps are of another version."""
    body = plan.body
    if not is_current_version(plan):
        raise PlanVersionError(
            f"Plan {plan.id} was made for version {body['steps_version']} of the steps, and this "
            f"worker executes version {STEPS_VERSION}. It sent nothing."
        )
    if is_altered(plan):
        raise ValueError(f"plan {plan.id} was changed after it was created: its digest does not match")
    return CorePlan(
        kind=body["kind"],
        link_id=body["link_id"],
        link_name=body["link_name"],
        created_at_s=body["created_at_s"],
        summary=body["summary"],
        findings=tuple(map(Finding.from_json, body["findings"])),
        positions=tuple(body["positions"]),
        loss=body["loss"],
        steps=tuple(Step.from_json(step) for step in body["steps"]),
        fingerprint=body["fingerprint"],
        target=body["target"],
        options=body["options"],
        situation=body["situation"],
    )
