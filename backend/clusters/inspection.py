"""Checks all that Hawser needs on a cluster."""

from __future__ import annotations

from backend.clusters.authority_rotation import rotation_findings
from backend.clusters.models import Cluster, CredentialRole
from backend.clusters.references import reference_findings
from backend.clusters.selectors import account, cluster_access
from backend.clusters.statement_parts import part_findings
from backend.clusters.verification import connection_findings
from backend.core.findings import Finding
from backend.gateway.inspection import inspect_cluster


def cluster_check(cluster: Cluster) -> list[Finding]:
    """Connection, TLS, privileges of all three accounts, settings, names; reads only, within a few seconds."""
    access = cluster_access(cluster)
    found = inspect_cluster(access, account(cluster, CredentialRole.REPLICATION))
    own = [*part_findings(cluster), *reference_findings([cluster]), *connection_findings(cluster)]
    return [*own, *found, *rotation_findings(cluster, access)]
