"""The end of certificates: told 30, 7 and 1 days before, and shown on the page and in the metrics."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.adviser.advice.certificates import report
from backend.adviser.advice.configurations import cluster_configuration
from backend.adviser.advice.models import CertificateNotice
from backend.clusters.models import Cluster, Link
from backend.common.events.models import Event
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.registry import cluster_advice
from tests.api.scraped_metrics import value
from tests.support.certificates import DAY, authority
from tests.support.console import Caller

pytestmark = pytest.mark.django_db
CA = authority("Test CA", ends=20 * DAY)
CLIENT = CA.signs("hawser", ends=40 * DAY)


@pytest.fixture
def milan(link: Link) -> Cluster:
    cluster = link.active_cluster
    cluster.tls_mode, cluster.tls_ca, cluster.tls_cert = "verify_identity", CA.cert, CLIENT.cert
    cluster.save()
    return cluster


def _raised(kind: str = "certificate.expires") -> list[tuple[str, str]]:
    rows = Event.objects.filter(data__kind=kind).order_by("pk")
    return [(row.data["severity"], row.data["subject"].split()[0]) for row in rows]


def _at(milan: Cluster, now: datetime, server_ends: datetime | None = None) -> ClusterConfiguration:
    """The cluster; its first node was just read, and shows a certificate with this end."""
    found = cluster_configuration(milan, now)
    status = {} if server_ends is None else {"ssl_server_not_after": f"{server_ends:%b %d %H:%M:%S %Y} GMT"}
    first = NodeConfiguration(found.nodes[0].node_id, found.nodes[0].name, read_at_s=now.timestamp(), status=status)
    return replace(found, nodes=(first, *found.nodes[1:]))


def test_end__nearer_and_nearer__told_once_before_each_time(milan: Cluster) -> None:
    now = timezone.now()
    for days in (0, 0, 12, 13, 14, 18.5, 19.5, 19.6, 20.1):
        report(_at(milan, now + timedelta(days=days)), now + timedelta(days=days))
    authorities = [severity for severity, kind in _raised() if kind == "authority"]
    assert authorities == ["warning", "warning", "blocker", "blocker"]
    assert [kind for _, kind in _raised()].count("client") == 1
    assert Event.objects.filter(data__kind="certificate.expires").first().link_id != ""  # type: ignore[union-attr]


def test_end__of_a_node__told_then_renewed_and_unknown_while_it_is_not_read(milan: Cluster) -> None:
    now = timezone.now()
    report(_at(milan, now, now + timedelta(days=5)), now)
    assert ("warning", "server") in _raised()
    report(_at(milan, now), now)
    report(cluster_configuration(milan, now), now)
    assert _raised("certificate.renewed") == []
    report(_at(milan, now, now + timedelta(days=300)), now)
    assert _raised("certificate.renewed") == [("ok", "server")]
    assert not CertificateNotice.objects.filter(kind="server").exists()


def test_end__of_an_authority_that_is_replaced__ended(milan: Cluster) -> None:
    now = timezone.now()
    report(_at(milan, now), now)
    milan.tls_ca = authority("Test CA", ends=900 * DAY).cert
    milan.save()
    report(_at(milan, now), now)
    assert _raised("certificate.renewed") == [("ok", "authority")]


def test_certificates__of_a_cluster__listed_advised_and_measured(milan: Cluster, viewer: Caller) -> None:
    shown: list[dict[str, Any]] = viewer.get(f"/clusters/{milan.pk}/certificates").body["certificates"]
    assert [(one["kind"], one["name"].split(" (")[0]) for one in shown] == [
        ("client", "CN=hawser"),
        ("authority", "CN=Test CA"),
    ]
    labels = {"cluster": milan.name, "kind": "authority", "certificate": shown[1]["name"]}
    left = value("hawser_cluster_certificate_expires_seconds", **labels)
    assert left is not None
    assert 19 * 86400 < left <= 20 * 86400, "its end was fixed when this module was read"
    [advice] = [one for one in cluster_advice(_at(milan, timezone.now())) if one.code == "certificate_expires"]
    assert "authority CN=Test CA" in advice.fact
    assert "client" not in advice.fact
