"""The environments of links and clusters, for example production: free short names, given by administrators."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db import transaction

from backend.audit import services as audit
from backend.clusters.models import Cluster, Link
from backend.clusters.selectors import among
from backend.common.privileges import Privileges
from backend.common.roles import Permission
from backend.identity.access.promotions import held_back
from backend.identity.accounts.models import User


def environment_names() -> set[str]:
    """The names that any link or cluster in use has."""
    links = Link.objects.filter(retired_at=None).exclude(environment="").values_list("environment", flat=True)
    clusters = Cluster.objects.filter(retired_at=None).exclude(environment="").values_list("environment", flat=True)
    return {*links, *clusters}


def environments(privileges: Privileges) -> list[dict[str, Any]]:
    """The environments of what the caller may read, by name, with the number of links and clusters of each."""
    links = _count(among(Link.objects.filter(retired_at=None), privileges.links_with(Permission.READ)))
    clusters = _count(among(Cluster.objects.filter(retired_at=None), privileges.clusters_with(Permission.READ)))
    names = sorted({*links, *clusters} - {""})
    return [{"name": name, "links": links[name], "clusters": clusters[name]} for name in names]


def _count(rows: Any) -> Counter[str]:
    return Counter(rows.values_list("environment", flat=True))


@transaction.atomic
def environment_set(*, actor: str, subject: Link | Cluster, environment: str) -> None:
    """Move a link or cluster into an environment, or out of any. It changes who may do what there."""
    earlier = subject.environment
    action = f"may do more since {subject.name} was moved to the environment {environment or 'none'}"
    with held_back(_concerned(), actor, action):
        subject.environment = environment
        subject.save(update_fields=["environment"])
    kind, link_id = ("link", subject.pk) if isinstance(subject, Link) else ("cluster", "")
    audit.record(
        actor=actor,
        action=f"api:{kind}:environment",
        link_id=link_id,
        target=subject.pk,
        facts={"before": {"environment": earlier}, "after": {"environment": environment}},
    )


def _concerned() -> list[User]:
    """The users who have a role for some scope."""
    active = User.objects.filter(is_active=True)
    return list({*active.exclude(assignments=None), *active.exclude(teams__assignments=None)})
