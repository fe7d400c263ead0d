"""A cluster whose passwords cannot be opened keeps no other from being polled."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from backend.clusters.models import Credential
from backend.gateway.connection.endpoint import NodeAccess
from backend.monitoring.monitor import Monitor
from tests.support.console import make_link

pytestmark = pytest.mark.django_db


def test_set_nodes__passwords_of_one_cluster_sealed_by_another_key__the_nodes_of_the_others_are_polled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    link = make_link()
    sealed, readable = link.active_cluster, link.standby_cluster
    Credential.objects.filter(cluster=sealed).update(sealed="gAAAA" + "x" * 95)
    monitor, polled = Monitor(threading.Event()), list[str]()

    def set_nodes(accesses: Sequence[NodeAccess], starts: Any = None) -> None:
        polled.extend(access.ref.id for access in accesses)

    monkeypatch.setattr(monitor._polls, "set_nodes", set_nodes)
    monitor._registration.clusters, monitor._owner.polls = [sealed, readable], frozenset({sealed.id, readable.id})
    monitor._set_nodes()
    assert polled == [node.id for node in readable.nodes.all()] != []
