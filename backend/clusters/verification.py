"""Whether it is verified who answers at a cluster's nodes, and what is at stake where it is not."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from backend.clusters.models import Cluster
from backend.common.errors import invalid
from backend.core.findings import Finding, Severity
from backend.gateway.connection.endpoint import TlsMode

UNVERIFIED = frozenset({TlsMode.DISABLED.value, TlsMode.REQUIRED.value})
"""TLS modes in which whoever stands in the way can answer in a server's place."""


def check_mode(mode: str) -> None:
    """Refuse a mode that verifies nobody, where the settings demand it."""
    if settings.HAWSER_REQUIRE_VERIFIED_TLS and mode in UNVERIFIED:
        raise invalid(
            "tls.mode",
            "This console takes verified connections only (HAWSER_REQUIRE_VERIFIED_TLS). "
            "Use verify_identity with the authority's certificate.",
        )


def connection_findings(*clusters: Cluster) -> Iterator[Finding]:
    """A warning for each cluster whose nodes are not verified; none in the demo and while debugging."""
    if not settings.HAWSER_WARN_UNVERIFIED_TLS:
        return
    for cluster in clusters:
        if cluster.tls_mode in UNVERIFIED:
            yield Finding(
                "connection_not_verified",
                Severity.WARNING,
                f"{_how(cluster)} CHANGE MASTER sends the replication password there: who stands in the way reads it.",
                "Register the cluster again with TLS mode verify_identity and the authority's certificate.",
                {"cluster": cluster.name, "tls_mode": cluster.tls_mode},
            )


def _how(cluster: Cluster) -> str:
    if cluster.tls_mode == TlsMode.DISABLED:
        return f"The console speaks to the nodes of {cluster.name} in clear text."
    return f"The console encrypts what it sends to the nodes of {cluster.name} and does not verify who answers."
