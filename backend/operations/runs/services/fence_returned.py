"""Fences a returned lost side, as allowed by the confirmed failover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backend.clusters.models import Link
from backend.clusters.versions import registered_versions
from backend.common.actors import AUTOMATION
from backend.common.errors import conflict
from backend.core.plans import failover, fence_returned_side
from backend.operations.runs.models import Plan, PlanState, Run
from backend.operations.runs.planning.planner import build_fence_returned
from backend.operations.runs.services.plan import plan_store
from backend.operations.runs.services.start import run_start


def fence_returned_start(*, link: Link, node_ids: Sequence[str], begins: Sequence[Mapping[str, str]]) -> Run:
    """Plan and start the fence; 409 if it is refused or another run of the link is unfinished.

    `begins` as the decisive step needs it.
    """
    versions = registered_versions(link)
    built = build_fence_returned(link=link, node_ids=node_ids, begins=begins)
    reason = f"{built.summary}, as confirmed with failover {built.options[fence_returned_side.FAILOVER_RUN]}."
    plan = plan_store(AUTOMATION, link, reason, built.options, built, versions)
    if plan.state != PlanState.READY:
        why = next((f.message for f in built.findings if f.refuses), "they are no longer writable.")
        raise conflict("plan_refused", why)
    if not is_confirmed_by_failover(plan):
        raise conflict(
            "fence_not_confirmed",
            "No recorded failover of this link confirmed that the lost side is fenced on return. Nothing was sent.",
        )
    return run_start(
        actor=AUTOMATION, plan=plan, digest=plan.digest, confirm=link.name, reason=reason, is_approved=True
    )


def is_confirmed_by_failover(plan: Plan) -> bool:
    """Whether a confirmed and, if needed, approved failover of this link includes this fence in its own digest."""
    if plan.kind != fence_returned_side.KIND:
        return False
    run_id = plan.body["options"][fence_returned_side.FAILOVER_RUN]
    run = Run.objects.filter(pk=run_id, link=plan.link_id, kind=failover.KIND, point_of_no_return_passed=True)
    confirmed = run.select_related("plan").first()
    steps = confirmed.plan.body["steps"] if confirmed is not None else []
    return any(s["code"] == "record_divergence" and s["params"].get("fences_on_return") is True for s in steps)
