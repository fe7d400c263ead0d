"""A deploy while a run is under way: steps are walked by the version that planned them, or not at all."""

from __future__ import annotations

import pytest

from backend.common.errors import ProblemError
from backend.core.plan import STEPS_VERSION
from backend.operations.runs import services
from backend.operations.runs.execution.driver import drive
from backend.operations.runs.models import Plan, Run, Statement
from tests.support.console import confirmation, make_user


def _made_by_another(plan: Plan) -> None:
    Plan.objects.filter(pk=plan.pk).update(body={**plan.body, "steps_version": STEPS_VERSION + 1})


def test_drive__run_of_another_version__handed_over_with_nothing_sent(plan: Plan) -> None:
    make_user("nora", "operator")
    run = services.run_start(actor="nora", plan=plan, **confirmation(plan))
    _made_by_another(plan)
    drive(run.id)
    fresh = Run.objects.get(pk=run.pk)
    assert fresh.state == "needs_operator"
    assert f"version {STEPS_VERSION + 1}" in fresh.outcome
    assert "upgrade" in fresh.next_action
    assert not Statement.objects.exists()


def test_start__plan_of_another_version__409(plan: Plan) -> None:
    make_user("nora", "operator")
    _made_by_another(plan)
    plan.refresh_from_db()
    with pytest.raises(ProblemError) as refusal:
        services.run_start(actor="nora", plan=plan, **confirmation(plan))
    assert (refusal.value.status, refusal.value.code) == (409, "plan_version_mismatch")


def test_start__plan_without_a_version__is_refused(plan: Plan) -> None:
    """Without a version it is of the first one, whose steps had other codes."""
    make_user("nora", "operator")
    body = {key: value for key, value in plan.body.items() if key != "steps_version"}
    Plan.objects.filter(pk=plan.pk).update(body=body)
    plan.refresh_from_db()
    with pytest.raises(ProblemError) as refusal:
        services.run_start(actor="nora", plan=plan, **confirmation(plan))
    assert (refusal.value.status, refusal.value.code) == (409, "plan_version_mismatch")
