"""Tokens for one result: they live an hour, work once, and let nothing else be done with the console."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from backend.adviser.network.models import ProbeToken
from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.common.errors import ProblemError, conflict, forbidden, invalid
from backend.identity.accounts.tokens import digest_of

PREFIX = "hawser_probe_"
LIFETIME = timedelta(hours=1)
MAX_LIVE = 10


@transaction.atomic
def token_create(*, actor: str, link: Link, from_node: str, to_node: str) -> tuple[ProbeToken, str]:
    """A token and its secret, which is returned only here."""
    near, far = nodes_of(link, from_node, to_node)
    now = timezone.now()
    Link.objects.select_for_update().get(pk=link.pk)
    if ProbeToken.objects.filter(link=link, used_at=None, expires_at__gt=now).count() >= MAX_LIVE:
        raise conflict(
            "too_many_probe_tokens",
            f"{link.name} has {MAX_LIVE} unused probe tokens, which is the limit. No token was created. "
            "Use one of them, or wait until they expire, an hour after they were created.",
        )
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ProbeToken.objects.create(
        link=link,
        from_node=near,
        to_node=far,
        digest=digest_of(secret),
        created_by=actor,
        expires_at=now + LIFETIME,
    )
    audit.record(
        actor=actor,
        action="api:network:token",
        link_id=link.id,
        target=token.id,
        facts={"from_node": near.name, "to_node": far.name, "expires_at": token.expires_at},
    )
    return token, secret


def live_token(secret: str) -> ProbeToken:
    """The locked token; refuses one that is unknown, used or expired, without saying which."""
    rows = ProbeToken.objects.select_for_update().filter(used_at=None, expires_at__gt=timezone.now())
    token = rows.filter(digest=digest_of(secret)).first()
    if token is None:
        raise _refused()
    return token


def nodes_of(link: Link, from_node: str, to_node: str) -> tuple[Node, Node]:
    """Two nodes of the link, of different clusters, by their ids."""
    found = {node.pk: node for cluster in (link.active_cluster, link.standby_cluster) for node in cluster.nodes.all()}
    for field, node_id in (("from_node", from_node), ("to_node", to_node)):
        if node_id not in found:
            raise invalid(
                field,
                f"{node_id[:40]} is not a node of {link.name}. Nothing was stored. "
                "Choose a node of this link, or open the page of the link that was measured.",
            )
    near, far = found[from_node], found[to_node]
    if near.cluster_id == far.cluster_id:
        raise invalid(
            "to_node",
            f"{near.name} and {far.name} are of the same cluster. Nothing was stored. "
            "Choose a node of the other one: the distance between the sites is measured.",
        )
    return near, far


def _refused() -> ProblemError:
    return forbidden(
        "probe_token_refused",
        "This probe token is unknown, expired or was already used. Nothing was stored. Create a new one on the "
        "Network page of the link and measure again, or paste the JSON there.",
    )
