"""A registered link in the console's database, and real servers where a test asks for them."""

from __future__ import annotations

import pytest

from backend.clusters.models import Cluster, Link, Node
from tests.gateway.lab import lab
from tests.monitoring.facts import UUIDS, ref

__all__ = ["lab"]


@pytest.fixture
def stored_link(db: None) -> Link:
    """The link of `facts.link()`, registered under the same ids."""
    sides = {}
    for letter, name in (("a", "Milan"), ("b", "Frankfurt")):
        cluster = Cluster.objects.create(
            id=f"c_{letter}", name=name, site=name, tls_mode="disabled", state_uuid=UUIDS[letter]
        )
        for index in (1, 2, 3):
            node = ref(f"{letter}{index}")
            Node.objects.create(
                id=node.id, cluster=cluster, name=node.name, host=node.host, port=node.port, ordinal=index
            )
        sides[letter] = cluster
    return Link.objects.create(
        id="l_1",
        name="milan-frankfurt",
        active_cluster=sides["a"],
        standby_cluster=sides["b"],
        home_cluster=sides["a"],
    )
