"""Run as a script over a console's database: starts a run that calls a slow webhook, then swaps roles."""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace

import django


def start(url: str) -> str:
    """A run of three steps; the first takes as long as the webhook's receiver does."""
    from backend.core.plan import Step
    from backend.core.plans.builders.hook_steps import with_hooks
    from backend.notifications.hooks.selectors import planned_hooks
    from backend.notifications.hooks.services import hook_create
    from backend.operations.runs import services
    from tests.support.console import confirmation, core_plan, make_link, make_user, store_plan

    make_user("nora", "operator")
    link = make_link()
    hook = {"name": "slow", "secret": "s" * 24, "phase": "before", "kinds": [], "blocking": True, "timeout_s": 30}
    hook_create(actor="test", link=link, url=url, min_severity="warning", enabled=True, **hook)
    names = {"active_name": link.standby_cluster.name, "standby_name": link.active_cluster.name}
    swapped = {"active": link.standby_cluster_id, "standby": link.active_cluster_id, **names}
    steps = tuple(
        Step(index=n, code="swap_roles", title="Swap the roles", node_id=None, node=None, params=swapped)
        for n in range(2)
    )
    plan = with_hooks(replace(core_plan(link), steps=steps), planned_hooks(link, "relocate"))
    stored = store_plan(link, plan)
    return services.run_start(actor="nora", plan=stored, **confirmation(stored)).id


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    django.setup()
    sys.stdout.write(start(sys.argv[1]) + "\n")
