"""Checks all that Hawser needs on a cluster."""

from __future__ import annotations

from backend.clusters.models import Cluster, CredentialRole
from backend.clusters.references import reference_findings
from backend.clusters.selectors import account, cluster_access
from backend.clusters.statement_parts import part_findings
from backend.clusters.verification import connection_findings
from backend.core.findings import Finding
from backend.gateway.inspection import inspect_cluster


def cluster_check(cluster: Cluster) -> list[Finding]:
    """Connection, TLS, privileges of all three accounts, settings, names; reads only, within a few seconds."""
    found = inspect_cluster(cluster_access(cluster), account(cluster, CredentialRole.REPLICATION))
    return [*part_findings(cluster), *reference_findings([cluster]), *connection_findings(cluster), *found]
