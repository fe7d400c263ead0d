"""The list of links asks as often for twelve of them as for two, whatever is known of each."""

from __future__ import annotations

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backend.api.response_cache import CACHE
from backend.clusters.models import Link
from backend.common.roles import Role
from backend.core.facts.serialization import divergence_to_json
from backend.core.link_facts import Divergence
from backend.identity.access.assignments import role_assign
from backend.identity.accounts.token_services import token_create
from backend.monitoring.models import Divergence as DivergenceRow
from backend.monitoring.models import LinkStatus
from backend.operations.automation.models import ReturnedNode
from tests.api.fleet import observed, registered, rehearsed
from tests.support.console import Caller, make_user

RUN = "r_failed_over"


@pytest.fixture
def twelve_links(db: None) -> list[Link]:
    """Links that failed over, with a lost side that has answered again."""
    links = [registered(number) for number in range(1, 13)]
    for link in links:
        observed(link, channels=[])
        rehearsed(link)
        node = link.standby_cluster.nodes.get()
        divergence = Divergence(
            link.standby_cluster_id, link.active_cluster_id, None, 0.0, run_id=RUN, source_node_id=node.pk
        )
        DivergenceRow.objects.create(
            link=link,
            open_link=link.id,
            lost_cluster=link.standby_cluster,
            run_id=RUN,
            facts=divergence_to_json(divergence),
        )
        ReturnedNode.objects.create(link=link, failover_run=RUN, node=node, returned_at=timezone.now())
    return links


def asked(caller: Caller, links: int) -> int:
    """Queries of the list; it shows so many links with all that is known of them."""
    Link.objects.exclude(name__in=[f"link-{n:03}" for n in range(1, links + 1)]).update(retired_at=timezone.now())
    caches[CACHE].clear()
    with CaptureQueriesContext(connection) as queries:
        shown = caller.get("/links").body["results"]
    assert len(shown) == links
    for one in shown:
        assert one["divergence"]["applied"]["node"] == "b1"
        assert one["divergence"]["copied_nodes"][0]["node"] == "b1"
        assert one["divergence"]["returned"]["nodes"][0]["node"] == "b1"
        assert one["readiness"]["failover"]["rehearsed_ok"] is True
    return len(queries)


def test_links__twelve__as_many_queries_as_two(viewer: Caller, twelve_links: list[Link]) -> None:
    viewer.get("/session")
    assert asked(viewer, 12) == asked(viewer, 2) < 30


def test_links__twelve_of_a_scoped_user__as_many_queries_as_two(twelve_links: list[Link]) -> None:
    user = make_user("pia", Role.NONE)
    for link in twelve_links:
        role_assign(actor="test", to=user, role="viewer", scope_kind="link", scope=link.id)
    _, secret = token_create(owner=user, label="t", role=None, expires_days=None, actor="pia")
    caller = Caller(secret)
    caller.get("/session")
    assert asked(caller, 12) == asked(caller, 2) < 30


def test_links__findings_changed__those_of_the_link_itself(viewer: Caller) -> None:
    link = registered(1)
    observed(link, channels=[])
    for message in ('Zürich "a" %b', "another"):
        finding = {"code": "x", "severity": "info", "message": message, "remedy": "", "facts": {"n": [1, None]}}
        LinkStatus.objects.filter(pk=link.pk).update(findings=[finding])
        caches[CACHE].clear()
        shown, alone = viewer.get("/links").body["results"][0], viewer.get(f"/links/{link.pk}").body
        assert shown["findings"] == [finding]
        moves = ("clusters", "age_s", "channels")
        assert {name: one for name, one in alone.items() if name not in moves} == {
            name: one for name, one in shown.items() if name not in moves
        }
