"""How long the certificates of nodes and of the proxy are valid."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from urllib.parse import urlsplit

from cryptography import x509
from django.conf import settings
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric

from backend.adviser.advice.configurations import registered_certificates
from backend.adviser.advice.models import StoredConfiguration
from backend.clusters.selectors import clusters
from backend.core.adviser.advice.serialization import configuration_from_json

ASK_S = 2.0
ASKED_FOR = timedelta(minutes=10)


def families() -> Iterator[Metric]:
    """One family after the other."""
    yield _nodes()
    yield _registered()
    yield _proxies()


def _nodes() -> Metric:
    family = GaugeMetricFamily(
        "hawser_node_certificate_expires_seconds",
        "Until the certificate of the node ends; absent where it shows none",
        labels=["cluster", "node"],
    )
    for stored in StoredConfiguration.objects.select_related("node__cluster").filter(node__cluster__retired_at=None):
        ends_at = configuration_from_json(stored.body).certificate_ends_at
        if ends_at is not None:
            left = (ends_at - timezone.now()).total_seconds()
            family.add_metric([stored.node.cluster.name, stored.node.name], left)
    return family


def _registered() -> Metric:
    family = GaugeMetricFamily(
        "hawser_cluster_certificate_expires_seconds",
        "Until a certificate of the registration ends: an authority's, or the client certificate of the console",
        labels=["cluster", "kind", "certificate"],
    )
    now = timezone.now()
    for cluster in clusters():
        for one in registered_certificates(cluster):
            family.add_metric([cluster.name, one.kind, one.name], (one.ends_at - now).total_seconds())
    return family


def _proxies() -> Metric:
    family = GaugeMetricFamily(
        "hawser_proxy_certificate_expires_seconds",
        "Until the certificate at this address of HAWSER_TRUSTED_ORIGINS ends; absent where it cannot be read",
        labels=["origin"],
    )
    now = timezone.now()
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        ends_at = proxy_certificate_end(origin, int(now.timestamp() // ASKED_FOR.total_seconds()))
        if ends_at is not None:
            family.add_metric([origin], (ends_at - now).total_seconds())
    return family


@lru_cache(maxsize=64)
def proxy_certificate_end(origin: str, period: int) -> datetime | None:
    """Until when the certificate at this address is valid, asked once in a period; None where there is no answer.

    It is not verified: one that has ended is what this is about.
    """
    parts = urlsplit(origin)
    if parts.scheme != "https" or not parts.hostname or "*" in parts.hostname:
        return None
    try:
        shown = ssl.get_server_certificate((parts.hostname, parts.port or 443), timeout=ASK_S)
        return x509.load_pem_x509_certificate(shown.encode()).not_valid_after_utc
    except (OSError, ValueError):
        return None
