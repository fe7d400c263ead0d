"""Whether a node could take a channel now, as the answers about nodes say it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.utils import timezone

from backend.clusters.models import Link, Node
from backend.core.facts.serialization import node_to_json
from backend.core.topology import NodeFacts
from backend.monitoring.models import NodeState
from tests.core.builders.link_facts import link as healthy_link
from tests.core.builders.link_facts import node_of
from tests.support.console import Caller

HEALTHY = node_of(healthy_link(), "a2")


def _without_log(facts: NodeFacts) -> NodeFacts:
    return replace(facts, variables={**facts.variables, "log_bin": "OFF"})


def _see(node: Node, facts: NodeFacts, *, age_s: float = 0.0) -> None:
    at = timezone.now() - timedelta(seconds=age_s)
    seen = {"reach": facts.reach.value, "since": at, "observed_at": at, "facts": node_to_json(facts)}
    NodeState.objects.update_or_create(node=node, defaults=seen)


def _first(link: Link) -> Node:
    node = link.active_cluster.nodes.order_by("name").first()
    assert node is not None
    return node


def _shown(caller: Caller, link: Link) -> list[dict[str, Any]]:
    """The node's eligibility as the link, its cluster and itself show it."""
    node = _first(link)
    caches["kept"].clear()
    clusters = caller.get(f"/links/{link.id}").body["clusters"]
    of_link = next(one for one in clusters["active"]["nodes"] if one["id"] == node.id)
    of_cluster = next(
        one for one in caller.get(f"/clusters/{link.active_cluster_id}").body["nodes"] if one["id"] == node.id
    )
    return [one["eligibility"] for one in (of_link, of_cluster, caller.get(f"/nodes/{node.id}").body)]


@pytest.mark.parametrize(
    ("facts", "age_s", "reason"),
    [
        (lambda f: f, 0, None),
        (_without_log, 0, {"code": "log_bin_wrong", "message": "binary log disabled (log_bin=OFF)"}),
        (lambda f: f, 400, {"code": "facts_stale", "message": "no data for 6 min"}),
    ],
)
def test_eligibility__observed__in_every_answer_that_has_the_node(
    viewer: Caller, link: Link, facts: Callable[[NodeFacts], NodeFacts], age_s: float, reason: object
) -> None:
    _see(_first(link), facts(HEALTHY), age_s=age_s)
    assert _shown(viewer, link) == [{"eligible": reason is None, "reason": reason}] * 3


def test_eligibility__never_observed__not_eligible(viewer: Caller, link: Link) -> None:
    expected = {"eligible": False, "reason": {"code": "not_observed", "message": "not observed yet"}}
    assert _shown(viewer, link) == [expected] * 3


@pytest.mark.parametrize(
    ("flavor", "version", "is_watched_only"), [("pxc", "8.0.36-28.1", True), ("mariadb", "10.11.19", False)]
)
def test_watched_only__by_family_and_release__the_reason_or_none(
    viewer: Caller, link: Link, flavor: str, version: str, is_watched_only: bool
) -> None:
    node = _first(link)
    _see(node, replace(HEALTHY, flavor=flavor, version=version))
    reason = viewer.get(f"/nodes/{node.id}").body["watched_only"]
    assert (reason is not None) is is_watched_only
    assert reason is None or "never tried with it on a real server" in reason
