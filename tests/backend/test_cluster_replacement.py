"""A rebuilt cluster at the same addresses: the old history is closed, a new one begins, and no link is taken over."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.identity import Identity
from backend.clusters.models import Cluster, CredentialRole, Link
from backend.clusters.selectors import account, links
from backend.common.errors import ProblemError
from backend.monitoring.models import Divergence
from backend.registration import replacement
from backend.registration.changes import Change
from backend.registration.replacement import cluster_replace

OLD, NEW = "11111111-0000-0000-0000-000000000001", "22222222-0000-0000-0000-000000000002"
CHANGE = Change(actor="anna", reason="rebuilt after the fire")


@pytest.fixture
def rebuilt(link: Link, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """The active cluster of the link, whose nodes report another state UUID now."""
    Cluster.objects.filter(pk=link.active_cluster_id).update(state_uuid=OLD)
    cluster = Cluster.objects.get(pk=link.active_cluster_id)
    ids = {node.pk: number for number, node in enumerate(cluster.nodes.all(), 41)}
    seen = Identity({node.name: NEW for node in cluster.nodes.all()}, ids, ())
    monkeypatch.setattr(replacement, "identify", lambda _cluster: seen)
    return cluster


def test_replace__another_cluster_responds__new_history_under_the_same_name(link: Link, rebuilt: Cluster) -> None:
    addresses = [(node.name, node.host, node.port) for node in rebuilt.nodes.all()]
    monitor = account(rebuilt, CredentialRole.MONITOR)
    fresh = cluster_replace(change=CHANGE, cluster=rebuilt, state_uuid=NEW)
    assert (fresh.name, fresh.state_uuid) == (rebuilt.name, NEW)
    assert fresh.pk != rebuilt.pk
    assert [(node.name, node.host, node.port) for node in fresh.nodes.all()] == addresses
    assert sorted(fresh.known_server_ids.values()) == [41, 42]
    assert account(fresh, CredentialRole.MONITOR) == monitor
    rebuilt.refresh_from_db()
    link.refresh_from_db()
    assert rebuilt.retired_at is not None
    assert not rebuilt.credentials.exists()
    assert link.retired_at is not None
    assert not links().exists()
    record = AuditRecord.objects.get(action="api:cluster:replace")
    assert record.facts["before"] == {"cluster": rebuilt.pk, "state_uuid": OLD}
    assert record.facts["retired_links"] == [link.name]


def _refused(cluster: Cluster, state_uuid: str = NEW) -> str:
    before = list(Cluster.objects.order_by("pk").values())
    with pytest.raises(ProblemError) as error:
        cluster_replace(change=CHANGE, cluster=cluster, state_uuid=state_uuid)
    assert list(Cluster.objects.order_by("pk").values()) == before
    return error.value.code


@pytest.mark.parametrize("state_uuid", [OLD, "33333333-0000-0000-0000-000000000003"])
def test_replace__not_the_cluster_that_was_named__refused(rebuilt: Cluster, state_uuid: str) -> None:
    assert _refused(rebuilt, state_uuid) == "state_uuid_differs"


def test_replace__lost_side_of_a_failover__reprotected_instead(link: Link, rebuilt: Cluster) -> None:
    Divergence.objects.create(
        link=link, open_link=link.pk, lost_cluster=rebuilt, run_id="r_1", facts={}, created_at=timezone.now()
    )
    assert _refused(rebuilt) == "reprotect_first"


def test_replace__link_that_needs_a_second_person__retired_first(link: Link, rebuilt: Cluster) -> None:
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    assert _refused(rebuilt) == "retire_link_first"
    assert Link.objects.get(pk=link.pk).retired_at is None
