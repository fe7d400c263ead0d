"""The same servers, registered a second time under other addresses, have the rules of the first time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Cluster, Link
from backend.operations.change_calendar.models import ChangeFreeze
from tests.support.console import Answer, Caller, cluster_body, confirmation, core_plan, store_plan

UUID = "11111111-2222-3333-4444-555555555555"


@pytest.fixture
def again(admin: Caller, link: Link) -> Link:
    """A link over the servers of the first link's active side, which were down when they were registered again."""
    sides = [
        admin.post("/clusters", cluster_body(name, *hosts, port=2)).body["id"]
        for name, hosts in (("again", ("127.0.71.1", "127.0.71.2")), ("scratch", ("127.0.72.1", "127.0.72.2")))
    ]
    body = {"name": "own", "active_cluster": sides[0], "standby_cluster": sides[1], "channel_name": "own"}
    made = admin.post("/links", {**body, "create_probe": False, "requires_approval": False})
    Cluster.objects.filter(pk__in=(link.active_cluster_id, sides[0])).update(state_uuid=UUID)
    return Link.objects.get(pk=made.body["id"])


def _started(admin: Caller, link: Link) -> Answer:
    whole, node = core_plan(link), link.active_cluster.nodes.all()[0]
    steps = tuple(replace(step, node_id=node.pk, node=node.name) for step in whole.steps)
    plan = store_plan(link, replace(whole, kind="configure", steps=steps))
    return admin.post(f"/plans/{plan.id}/runs", confirmation(plan))


def test_run__on_servers_registered_twice__waits_for_the_approvers_of_either(
    admin: Caller, link: Link, again: Link
) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    answer = _started(admin, again)
    assert (answer.status, answer.body.get("state")) == (202, "waiting_approval")


def test_run__on_servers_registered_twice__calendar_of_either_objects(admin: Caller, link: Link, again: Link) -> None:
    now, hour = timezone.now(), timedelta(hours=1)
    given: dict[str, Any] = {"begins_at": now - hour, "ends_at": now + hour, "created_by": "test", "created_at": now}
    ChangeFreeze.objects.create(name="year end", reason="closing", links=[link.pk], **given)
    answer = _started(admin, again)
    assert (answer.status, answer.body.get("code")) == (409, "change_not_allowed")


@pytest.mark.parametrize(("rule", "state"), [(True, "waiting_approval"), (False, "queued")])
def test_limit__replication_password_of_a_cluster_without_a_rule__sent_to_a_link_that_one_person_makes(
    admin: Caller, link: Link, again: Link, *, rule: bool, state: str
) -> None:
    """CHANGE MASTER holds it: whoever links a cluster of his own to one without a rule can have it sent there."""
    Link.objects.filter(pk=link.pk).update(requires_approval=rule)
    whole, node = core_plan(again, steps=1), again.standby_cluster.nodes.all()[0]
    params = {"secret_cluster_id": again.active_cluster_id}
    steps = tuple(replace(step, node_id=node.pk, node=node.name, params=params) for step in whole.steps)
    plan = store_plan(again, replace(whole, kind="create_channels", steps=steps))
    answer = admin.post(f"/plans/{plan.id}/runs", confirmation(plan))
    assert (answer.status, answer.body.get("state")) == (202, state)
