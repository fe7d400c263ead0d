"""Stored plans as the core's values."""

from __future__ import annotations

from backend.core.findings import Finding
from backend.core.plan import STEPS_VERSION, Step, digest_of
from backend.core.plan import Plan as CorePlan
from backend.runs.models import Plan


class PlanVersionError(Exception):
    """The plan's steps are of a version that this process does not know how to walk."""


def is_current_version(plan: Plan) -> bool:
    """Whether the steps mean here what they meant where the plan was made."""
    return bool(plan.body.get("steps_version", 1) == STEPS_VERSION)


def is_altered(plan: Plan) -> bool:
    """Whether the stored plan, or what its row says of it, is not what its digest was taken of."""
    body = plan.body
    return digest_of(body) != plan.digest or (body["link_id"], body["kind"]) != (plan.link_id, plan.kind)


def core_plan(plan: Plan) -> CorePlan:
    """The plan exactly as it was decided; raises where its digest no longer fits or its steps are another version's."""
    body = plan.body
    if not is_current_version(plan):
        raise PlanVersionError(
            f"Plan {plan.id} was made for version {body['steps_version']} of the steps, this worker walks version "
            f"{STEPS_VERSION}; nothing was sent by it."
        )
    if is_altered(plan):
        raise ValueError(f"plan {plan.id} was altered after it was made: its digest does not fit")
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
