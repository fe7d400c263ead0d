"""Roles turn once, with what was recorded of the channels; a lost side is open until it is reconciled."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import timezone

from backend.clusters.models import Credential, CredentialRole, Link
from backend.common.sealing import seal
from backend.core.facts.serialization import channel_to_json
from backend.core.link_facts import Divergence
from backend.monitoring import link_roles
from backend.monitoring.link_gateway import gateway_for_link, open_divergence, recorded_channels
from backend.monitoring.models import ChannelRecord, NodeState
from backend.monitoring.models import Divergence as Row
from backend.monitoring.selectors import link_view
from tests.monitoring.facts import NOW, channel

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_records(stored_link: Link) -> Link:
    """Both directions recorded between the first nodes of each side."""
    a, b = stored_link.active_cluster.nodes.first(), stored_link.standby_cluster.nodes.first()
    for direction, source, replica in (("forward", a, b), ("reverse", b, a)):
        ChannelRecord.objects.update_or_create(
            link=stored_link,
            direction=direction,
            defaults={
                "source_node": source,
                "replica_node": replica,
                "channel": channel_to_json(channel("a1")),
                "observed_at": stored_link.created_at,
            },
        )
    return stored_link


def test_set_roles__twice__turned_once_and_channels_with_them(two_records: Link) -> None:
    link = two_records
    old, new = link.active_cluster_id, link.standby_cluster_id
    before = {r.direction.value: r.replica_node_id for r in recorded_channels(link.id)}
    assert link_roles.set_roles(link.id, new, old) is True
    assert link_roles.set_roles(link.id, new, old) is False
    link.refresh_from_db()
    assert (link.active_cluster_id, link.standby_cluster_id) == (new, old)
    after = {r.direction.value: r.replica_node_id for r in recorded_channels(link.id)}
    assert after == {"forward": before["reverse"], "reverse": before["forward"]}
    assert link.home_cluster_id == old


def test_set_roles__clusters_of_another_link__refused(stored_link: Link) -> None:
    with pytest.raises(ValueError, match="do not belong to this link"):
        link_roles.set_roles(stored_link.id, stored_link.active_cluster_id, "c_elsewhere")


def test_gateway__roles_swapped_by_the_run_itself__seen_as_its_plan_does(two_records: Link) -> None:
    link = two_records
    for cluster in (link.active_cluster, link.standby_cluster):
        for role in CredentialRole:
            sealed = seal("secret", cluster_id=cluster.id, role=role.value)
            Credential.objects.create(cluster=cluster, role=role.value, user="u", sealed=sealed)
    planned = link.active_cluster.name
    link_roles.set_roles(link.id, link.standby_cluster_id, link.active_cluster_id)
    now = Link.objects.get(pk=link.pk)
    assert gateway_for_link(now, active_name=planned).shape.active.name == planned
    assert gateway_for_link(now).shape.standby.name == planned


def test_divergence__recorded_again_by_a_resumed_run__one_open_row_until_attached(stored_link: Link) -> None:
    link = stored_link
    divergence = Divergence(
        lost_cluster_id=link.active_cluster_id,
        survivor_cluster_id=link.standby_cluster_id,
        lost_state_uuid="old",
        at_s=NOW,
        run_id="r_1",
        applied_file="binlog.000002",
        applied_offset=77,
        applied_seqno=12,
        seam=("x", "y"),
        lost_transactions=3,
        lost_s=1.5,
        detail="3 seen",
    )
    link_roles.record_divergence(link.id, divergence)
    link_roles.record_divergence(link.id, divergence)
    assert Row.objects.filter(open_link=link.id).count() == 1
    assert open_divergence(link.id) == divergence
    shown = link_view(Link.objects.get(pk=link.pk))
    assert shown["invalidated_cluster"] == link.active_cluster_id
    assert shown["divergence"]["applied"]["seqno"] == 12
    assert shown["divergence"]["loss"]["transactions"] == 3

    link_roles.reconcile(link.id, link.active_cluster_id, "new")
    link_roles.reconcile(link.id, link.active_cluster_id, "new")
    assert open_divergence(link.id) == replace(divergence, is_reconciled=True)
    shown = link_view(Link.objects.get(pk=link.pk))
    assert shown["invalidated_cluster"] is None
    assert shown["divergence"]["run_id"] == "r_1"

    link_roles.attach(link.id, link.active_cluster_id)
    link_roles.attach(link.id, link.active_cluster_id)
    assert open_divergence(link.id) is None
    assert Row.objects.get(link=link).reconciled_at is not None
    link.active_cluster.refresh_from_db()
    assert link.active_cluster.state_uuid == "new"


def test_gateway__distance_of_the_last_poll__more_time_to_connect_to_that_node(stored_link: Link) -> None:
    for cluster in (stored_link.active_cluster, stored_link.standby_cluster):
        for role in CredentialRole:
            sealed = seal("secret", cluster_id=cluster.id, role=role.value)
            Credential.objects.create(cluster=cluster, role=role.value, user="u", sealed=sealed)
    far = stored_link.standby_cluster.nodes.first()
    assert far is not None
    seen = {"reach": "up", "since": timezone.now(), "observed_at": timezone.now(), "facts": {"probe_ms": 150.2}}
    NodeState.objects.update_or_create(node=far, defaults=seen)
    limits = {access.ref.id: access.connect_s for access in gateway_for_link(stored_link).shape.nodes}
    assert limits.pop(far.id) == 3.0
    assert set(limits.values()) == {1.0}
