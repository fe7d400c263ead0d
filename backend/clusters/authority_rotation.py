"""How far one authority has replaced another: which of those trusted verifies each node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backend.clusters.certificates import Certificate, certificates_of
from backend.clusters.models import Cluster
from backend.core.findings import Finding, Severity
from backend.gateway.authorities import verifying_authorities
from backend.gateway.connection.endpoint import ClusterAccess


def rotation_findings(cluster: Cluster, access: ClusterAccess) -> Iterator[Finding]:
    """One finding a node while several authorities are trusted; the last one that is listed is the new one."""
    trusted = certificates_of(cluster.tls_ca) if cluster.tls_ca and cluster.tls_mode.startswith("verify") else []
    if len(trusted) < 2:
        return
    verified = verifying_authorities(access.nodes, [one.pem for one in trusted])
    names = {node.ref.id: node.ref.name for node in access.nodes}
    for node_id, numbers in verified.items():
        yield _of_node(names[node_id], numbers, trusted)
    yield from _whole(cluster, verified, trusted)


def _of_node(node: str, numbers: frozenset[int], trusted: Sequence[Certificate]) -> Finding:
    new = trusted[-1].subject
    about = {"node": node, "authorities": [trusted[number].subject for number in sorted(numbers)]}
    if not numbers:
        message = f"It is unknown which authority signed the certificate of {node}."
        return Finding("authority_unknown", Severity.UNKNOWN, message, "Start the node, then check again.", about)
    if len(trusted) - 1 in numbers:
        message = f"{node} shows a certificate of the new authority ({new})."
        return Finding("authority_rotation", Severity.OK, message, "", about)
    message = f"{node} shows a certificate of {', '.join(about['authorities'])}, not of the new authority ({new})."
    remedy = f"Install a certificate of {new} on {node}, and run FLUSH SSL there."
    return Finding("authority_rotation", Severity.WARNING, message, remedy, about)


def _whole(
    cluster: Cluster, verified: Mapping[str, frozenset[int]], trusted: Sequence[Certificate]
) -> Iterator[Finding]:
    if all(len(trusted) - 1 in numbers for numbers in verified.values()):
        old = ", ".join(one.subject for one in trusted[:-1])
        message = f"Every node of {cluster.name} shows a certificate of the new authority."
        remedy = f"Store the new authority alone: {old} need not be trusted any more."
        facts = {"cluster": cluster.name, "trusted": [one.subject for one in trusted]}
        yield Finding("authority_replaced", Severity.INFO, message, remedy, facts)
