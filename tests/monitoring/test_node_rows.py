"""Facts stored in part: what is read back has the values and the age of the last poll."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.clusters.models import Link
from backend.core.topology import NodeFacts
from backend.monitoring.models import NodeState
from backend.monitoring.recording.node_rows import NodeRows
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.stored_facts import link_facts
from backend.monitoring.times import from_unix
from tests.monitoring.facts import NOW, link

pytestmark = pytest.mark.django_db


def facts_after(after_s: float) -> dict[str, NodeFacts]:
    """The nodes of the link as of that many seconds later, with a number that moved."""
    return {n.node.id: replace(n, observed_at_s=n.observed_at_s + after_s, uptime_s=int(after_s)) for n in link().nodes}


def stored(rows: NodeRows, after_s: float) -> None:
    store_nodes(facts_after(after_s), from_unix(NOW + after_s), rows=rows)


@pytest.mark.parametrize("after_s", [1.0, 50.0, 500.0])
def test_facts__stored_in_part__read_as_last_polled_with_their_age(stored_link: Link, after_s: float) -> None:
    rows = NodeRows()
    stored(rows, 0)
    stored(rows, after_s)
    assert {one.node.id: one for one in link_facts(stored_link).nodes} == facts_after(after_s)
    state = NodeState.objects.all()[0]
    assert state.observed_at == from_unix(NOW + after_s)
    assert (state.moved is None) is (after_s == 500.0), "whole again after a minute or two"


def test_facts__another_monitor_wrote_since__read_again_before_a_part_is_stored(stored_link: Link) -> None:
    one, other = NodeRows(), NodeRows()
    stored(one, 0)
    stored(other, 500)
    stored(one, 501)
    assert {n.node.id: n for n in link_facts(stored_link).nodes} == facts_after(501)


def test_facts__whole_by_an_older_release__what_moved_before_is_no_part(stored_link: Link) -> None:
    stored(NodeRows(), 0)
    stored(NodeRows(), 1)
    state = NodeState.objects.all()[0]
    assert state.moved is not None
    NodeState.objects.filter(pk=state.pk).update(base={**state.base, "observed_at_s": NOW + 2, "uptime_s": 77})
    assert NodeState.objects.get(pk=state.pk).facts["uptime_s"] == 77
