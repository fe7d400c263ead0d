"""What a run stores of the sides that it fenced: who must know of it where a node of them is writable again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.utils import timezone

from backend.common.transaction_retry import retry_on_rollback
from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
from backend.monitoring.models import SideFence
from backend.operations.runs.models import Run


def fences_of(run: Run, plan: CorePlan, step: Step) -> list[Callable[[], object]]:
    """The writes for a step that is done: a fence is recorded once nothing of this run takes it away again."""
    if step.code == "swap_roles":
        proven = [one for one in plan.steps if one.code == "verify_fence"]
        fenced = [partial(_fenced, run, plan, str(one.params["cluster_id"])) for one in proven]
        return [partial(_opened, str(step.params["active"])), *fenced]
    if step.code == "verify_fence" and _stays(plan):
        return [partial(_fenced, run, plan, str(step.params["cluster_id"]))]
    return []


def _stays(plan: CorePlan) -> bool:
    """Whether no step of the plan opens what it fenced, undone or not."""
    return not any(one.code == "swap_roles" or one.code == "unfence" or _is_undone(one) for one in plan.steps)


def _is_undone(step: Step) -> bool:
    return step.code == "fence" and bool(step.undo)


@retry_on_rollback
def _fenced(run: Run, plan: CorePlan, cluster_id: str) -> None:
    values = {"run_id": run.pk, "kind": plan.kind, "fenced_at": timezone.now(), "opened_at": None}
    SideFence.objects.update_or_create(cluster_id=cluster_id, defaults=values)


@retry_on_rollback
def _opened(cluster_id: str) -> None:
    SideFence.objects.filter(pk=cluster_id).delete()
