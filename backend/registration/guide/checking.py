"""Checks a cluster with its own three accounts, before it is registered: enough privileges, and not more."""

from __future__ import annotations

from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import conflict
from backend.common.outgoing.addresses import NODES, policy_of
from backend.core.topology import NodeRef
from backend.gateway.administrator import Login, discover_each, with_earlier_trials
from backend.gateway.connection.endpoint import ClusterAccess, NodeAccess, Tls
from backend.gateway.inspection import inspect_cluster
from backend.registration.guide.accounts import logins_of
from backend.registration.guide.client_certificate import client_of
from backend.registration.guide.content import SideDraft, as_json, side_of
from backend.registration.guide.drafts import changed_by_owner, draft_as_seen
from backend.registration.models import RegistrationDraft

Logins = dict[str, tuple[str, str]]


def draft_check(*, actor: str, draft_id: str, side: str, endpoints_digest: str) -> RegistrationDraft:
    """Log in with each account on every node, and read settings and channels again. Nothing is changed."""
    draft = draft_as_seen(actor=actor, draft_id=draft_id, seen=endpoints_digest)
    content = side_of(draft, side)
    logins = logins_of(draft, side)
    if not logins or not content.nodes or not content.tls_mode:
        raise conflict(
            "discover_first",
            "This cluster has no nodes, no TLS mode or no accounts yet. Nothing was read. Do the steps before.",
        )
    client = client_of(draft, side, content)
    monitor = Login(*logins["monitor"], (content.tls_mode,), content.tls_ca, policy_of(NODES), client)
    earlier = content.discovered() or []
    servers = discover_each([(node["host"], node["port"]) for node in content.nodes], monitor)
    findings = inspect_cluster(access_of(content, logins, client), logins["replication"])

    def store(row: RegistrationDraft) -> None:
        stored = side_of(row, side)
        stored.servers = [with_earlier_trials(one, earlier).to_json() for one in servers]
        stored.findings = [one.to_json() for one in findings]
        stored.checked_at = timezone.now().isoformat()
        setattr(row, side, as_json(stored))
        found = [one.code for one in findings if one.refuses]
        audit.record(actor=actor, action="api:registration:check", target=row.pk, facts={"side": side, "found": found})

    return changed_by_owner(draft.pk, store, actor=actor, seen=endpoints_digest)


def access_of(content: SideDraft, logins: Logins, client: Tls) -> ClusterAccess:
    """The cluster in the gateway's form, as it would be registered."""
    accounts = {
        role: Login(*login, ca_pem=content.tls_ca, policy=policy_of(NODES), client=client)
        for role, login in logins.items()
    }
    nodes = tuple(
        NodeAccess(
            NodeRef(node["name"], node["name"], node["host"], node["port"], ""),
            accounts["monitor"].endpoint(node["host"], node["port"], content.tls_mode),
            accounts["operator"].endpoint(node["host"], node["port"], content.tls_mode),
        )
        for node in content.nodes
    )
    return ClusterAccess("", content.name or content.host, content.site, nodes)
