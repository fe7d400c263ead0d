"""Checks whether the identity of a cluster's nodes is verified, and what is at risk if not."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from backend.clusters.models import Cluster
from backend.common.errors import invalid
from backend.core.findings import Finding, Severity
from backend.gateway.connection.endpoint import TlsMode

UNVERIFIED = frozenset({TlsMode.DISABLED.value, TlsMode.REQUIRED.value})
"""TLS modes in which an attacker on the network can answer in a server's place."""


def check_mode(mode: str) -> None:
    """Refuse a mode without verification if the settings require it."""
    if settings.HAWSER_REQUIRE_VERIFIED_TLS and mode in UNVERIFIED:
        raise invalid(
            "tls.mode",
            "This console accepts verified connections only (HAWSER_REQUIRE_VERIFIED_TLS). Use "
            "verify_identity with the certificate of the authority.",
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
                f"{_how(cluster)} CHANGE MASTER sends the replication password over this connection, "
                "where an attacker can read it.",
                "Register the cluster again with TLS mode verify_identity and the certificate of the authority.",
                {"cluster": cluster.name, "tls_mode": cluster.tls_mode},
            )


def _how(cluster: Cluster) -> str:
    if cluster.tls_mode == TlsMode.DISABLED:
        return f"Connections to the nodes of {cluster.name} are not encrypted."
    return f"Connections to the nodes of {cluster.name} are encrypted, but the identity of the server is not verified."
