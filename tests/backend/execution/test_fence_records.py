"""Which run fenced a side is stored once nothing of that run takes the fence away again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from backend.clusters.models import Link
from backend.core.plan import Step
from backend.monitoring.models import SideFence
from backend.operations.runs.execution.fence_records import fences_of

pytestmark = pytest.mark.django_db


def _plan(stored: Link, kind: str, *, undo: bool, swaps: bool) -> Any:
    old, new = stored.active_cluster_id, stored.standby_cluster_id
    steps = [
        Step(0, "fence", "", "n_a1", "a1", sql=("SET GLOBAL read_only=ON",), undo=("OFF",) if undo else ()),
        Step(1, "verify_fence", "", None, None, params={"cluster_id": old}),
    ]
    if swaps:
        steps.append(Step(2, "swap_roles", "", None, None, params={"active": new, "standby": old}))
    return SimpleNamespace(kind=kind, steps=tuple(steps))


def _done(plan: Any, code: str) -> None:
    step = next(one for one in plan.steps if one.code == code)
    for write in fences_of(SimpleNamespace(pk="r_1"), plan, step):  # type: ignore[arg-type]
        write()


def test_switchover__fence_proven__stored_only_with_the_swap(link: Link) -> None:
    new = link.standby_cluster
    SideFence.objects.create(cluster=new, run_id="r_0", kind="switchover", fenced_at=link.created_at)
    plan = _plan(link, "switchover", undo=True, swaps=True)
    _done(plan, "verify_fence")
    assert not SideFence.objects.filter(run_id="r_1").exists()
    _done(plan, "swap_roles")
    row = SideFence.objects.get()
    assert (row.cluster_id, row.run_id, row.kind) == (link.active_cluster_id, "r_1", "switchover")


@pytest.mark.parametrize(("undo", "stored"), [(False, 1), (True, 0)])
def test_fence_that_stays__stored_when_proven(link: Link, undo: bool, stored: int) -> None:
    _done(_plan(link, "fence_standby", undo=undo, swaps=False), "verify_fence")
    assert SideFence.objects.count() == stored
