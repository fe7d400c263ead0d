"""A run without servers, in a process that was not told to end."""

from __future__ import annotations

import mmap
from dataclasses import replace

import pytest

from backend.clusters.models import Link
from backend.core.plan import Step
from backend.operations.runs import services
from backend.operations.runs.execution import worker_shutdown
from backend.operations.runs.models import Run
from tests.support.console import confirmation, core_plan, make_user, store_plan


@pytest.fixture(autouse=True)
def page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was told nothing yet."""
    monkeypatch.setattr(worker_shutdown, "_page", mmap.mmap(-1, 8))


@pytest.fixture
def run(link: Link) -> Run:
    """A queued run that swaps the roles of a link and nothing else."""
    make_user("nora", "operator")
    swapped = {"active": link.standby_cluster_id, "standby": link.active_cluster_id}
    swapped |= {"active_name": link.standby_cluster.name, "standby_name": link.active_cluster.name}
    step = Step(index=0, code="swap_roles", title="Swap the roles", node_id=None, node=None, params=swapped)
    plan = store_plan(link, replace(core_plan(link), steps=(step,)))
    return services.run_start(actor="nora", plan=plan, **confirmation(plan))
