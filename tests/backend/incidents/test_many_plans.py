"""Plans of many links: bounded for each cluster, told while they wait, and none stopped by the failure of another."""

from __future__ import annotations

from contextlib import suppress

import pytest

from backend.clusters.models import Link
from backend.core.plan import Plan as CorePlan
from backend.monitoring.models import LinkStatus
from backend.operations.incidents import dispatch, services, tasks, wanted_plans
from backend.operations.incidents.models import Incident
from backend.operations.incidents.selectors import incident_view
from tests.support.console import make_user
from tests.support.incidents import Workers, states, touched_link, workers

__all__ = ["workers"]
NAMES = ("alpha", "beta", "gamma", "delta")


@pytest.fixture
def hub(db: None) -> list[Link]:
    """Links with one active cluster, as a hub has them."""
    make_user("nora", "operator")
    links = [touched_link(name, 81 + index, gap=30 - index) for index, name in enumerate(NAMES)]
    Link.objects.update(active_cluster=links[0].active_cluster)
    for status in LinkStatus.objects.all():
        status.clusters["active"]["id"] = links[0].active_cluster_id
        status.save()
    return links


def opened_hub() -> Incident:
    services.incident_create(actor="nora", scope_kind="site", scope_value="milan")
    dispatch.dispatch_plans()
    return Incident.objects.get()


def test_plans__of_one_cluster__two_at_a_time_and_the_others_say_so(hub: list[Link], workers: Workers) -> None:
    incident = opened_hub()
    first = workers.taken()
    assert len(first) == wanted_plans.MOST_OF_A_CLUSTER
    shown = incident_view(incident, shows_rows=True)["items"]
    assert [one["sentence"].startswith("The plan waits for its turn: 2 plans") for one in shown] == [False] * 2 + [
        True
    ] * 2
    tasks.plan_item(first[0][1])
    assert len(workers.taken()) == 1, "the worker that made a plan wakes one for the next"


def test_plans__the_first_fail__the_others_are_made(hub: list[Link], workers: Workers) -> None:
    workers.plans = {"alpha": _fails, "beta": _fails}
    incident = opened_hub()
    while messages := workers.taken():
        for _, item_id in messages:
            with suppress(RuntimeError):
                tasks.plan_item(item_id)
    assert states(incident) == {"alpha": "not_planned", "beta": "not_planned", "gamma": "ready", "delta": "ready"}


def _fails(link: Link) -> CorePlan:
    raise RuntimeError(f"no plan of {link.name}")
